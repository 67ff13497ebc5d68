//! The client in Rust: a crate with a module for each resource, over a base that is the same for every service.

mod collection;
mod convert;
mod enums;
mod events;
mod query;
mod spelling;
mod structs;
mod texts;
mod values;
mod version;

use super::{ClientPackage, ClientPlan, ResourcePlan, VersionPlan};
use crate::emit::{Generated, NotRust, layout};
use crate::project::Starter;
use askama::Template;
use collection::CollectionCode;
use convert::Conversions;
use proc_macro2::TokenStream;
use query::QueryPlan;
use quote::quote;
use restwell_model::api::{Property, ValueType};
use restwell_model::names::packages::client_package;
use restwell_model::{OperationKind, names};
use spelling::{FileScope, ident};
use version::{SHARED, VersionTypes, module};

/// The folder that only the generator writes.
const FOLDER: &str = "src";

/// What is the same in every client, by paths relative to the folder.
const BASE: [(&str, &str); 19] = [
    ("base/blocking.rs", include_str!("../../../templates/client/rust/base/blocking.rs")),
    ("base/changes.rs", include_str!("../../../templates/client/rust/base/changes.rs")),
    ("base/chrono.rs", include_str!("../../../templates/client/rust/base/chrono.rs")),
    ("base/client.rs", include_str!("../../../templates/client/rust/base/client.rs")),
    ("base/commands.rs", include_str!("../../../templates/client/rust/base/commands.rs")),
    ("base/criteria.rs", include_str!("../../../templates/client/rust/base/criteria.rs")),
    ("base/endpoint.rs", include_str!("../../../templates/client/rust/base/endpoint.rs")),
    ("base/error.rs", include_str!("../../../templates/client/rust/base/error.rs")),
    ("base/events.rs", include_str!("../../../templates/client/rust/base/events.rs")),
    ("base/list.rs", include_str!("../../../templates/client/rust/base/list.rs")),
    ("base/mod.rs", include_str!("../../../templates/client/rust/base/mod.rs")),
    ("base/patchable.rs", include_str!("../../../templates/client/rust/base/patchable.rs")),
    ("base/reqwest.rs", include_str!("../../../templates/client/rust/base/reqwest.rs")),
    ("base/retry.rs", include_str!("../../../templates/client/rust/base/retry.rs")),
    ("base/spans.rs", include_str!("../../../templates/client/rust/base/spans.rs")),
    ("base/stored.rs", include_str!("../../../templates/client/rust/base/stored.rs")),
    ("base/transport.rs", include_str!("../../../templates/client/rust/base/transport.rs")),
    ("base/values.rs", include_str!("../../../templates/client/rust/base/values.rs")),
    ("base/without_spans.rs", include_str!("../../../templates/client/rust/base/without_spans.rs")),
];

#[derive(Template)]
#[template(path = "client/rust/Cargo.toml.txt", escape = "none")]
struct ClientManifest<'a> {
    name: &'a str,
    /// A literal.
    description: String,
}

#[derive(Template)]
#[template(path = "client/rust/README.md.txt", escape = "none")]
struct ClientReadme<'a> {
    title: &'a str,
    crate_name: String,
}

/// The package.
///
/// # Errors
///
/// The emitted text is not valid Rust.
pub fn package(plan: &ClientPlan<'_>) -> Result<ClientPackage, NotRust> {
    let versions: Vec<_> = plan.versions.iter().map(|version| VersionTypes::of(plan, version)).collect();
    let mut generated: Vec<Generated> = BASE.iter().map(|(path, text)| file(path, (*text).to_owned())).collect();
    for types in &versions {
        let folder = types.plan.folder().map(|folder| names::snake(&folder) + "/").unwrap_or_default();
        let mut conversions = Conversions::new(types);
        for resource in &types.plan.resources {
            generated.push(of_resource(plan, types, resource, &mut conversions, &folder)?);
        }
        generated.push(shared(plan, types, &mut conversions, &folder)?);
        if !folder.is_empty() {
            generated.push(formatted(plan, &format!("{folder}mod.rs"), &version_root(types.plan))?);
        }
    }
    generated.push(file("base/texts.rs", texts::file()?));
    let events = events::item(plan.api, &versions);
    let events = quote! { #![doc = " The events of the service."] use crate::base; #events };
    generated.push(formatted(plan, "events.rs", &events)?);
    generated.push(formatted(plan, "lib.rs", &root(plan, &versions)?)?);
    generated.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(ClientPackage { folder: FOLDER, generated, starters: starters(plan)? })
}

fn starters(plan: &ClientPlan<'_>) -> Result<Vec<Starter>, NotRust> {
    let (name, title) = (&client_package(&plan.service().name), plan.title());
    let description = format!("{:?}", format!("Client of the {title}."));
    let crate_name = names::snake(name);
    let starter = |path: &str, text: askama::Result<String>| match text {
        Ok(text) => Ok(Starter { path: path.to_owned(), text: text + "\n" }),
        Err(error) => Err(NotRust::new(path, error.to_string())),
    };
    Ok(vec![
        starter("Cargo.toml", ClientManifest { name, description }.render())?,
        starter("README.md", ClientReadme { title, crate_name }.render())?,
    ])
}

fn file(path: &str, text: String) -> Generated {
    Generated { path: path.to_owned(), text }
}

/// A file with its header.
fn formatted(plan: &ClientPlan<'_>, path: &str, tokens: &TokenStream) -> Result<Generated, NotRust> {
    let header = format!(
        "// Generated by restwell, model {}. Do not edit: change the schemas and run `restwell client`.\n",
        plan.model_hash.get(..16).unwrap_or(&plan.model_hash)
    );
    // formatters of other people's repositories have other widths
    let kept = quote!(#![cfg_attr(rustfmt, rustfmt_skip)]);
    Ok(file(path, header + &layout::source(path, Ok(quote!(#kept #tokens).to_string()))?))
}

/// The root of the crate.
fn root(plan: &ClientPlan<'_>, versions: &[VersionTypes<'_, '_>]) -> Result<TokenStream, NotRust> {
    let title = format!(" The client of the {}.", plan.title());
    let public = plan.versions.iter().find(|version| version.folder().is_none());
    let modules = public.map(modules);
    let betas = plan.versions.iter().filter_map(VersionPlan::folder).map(|folder| {
        let (docs, module) =
            (format!(" What is tried out in `{folder}`; it may change."), ident(&names::snake(&folder)));
        quote!(#[doc = #docs] pub mod #module;)
    });
    let own = versions.iter().find(|types| types.plan.folder().is_none()).map(own_types).transpose()?;
    Ok(quote! {
        #![doc = #title]
        #![forbid(unsafe_code)]
        #![allow(unused_imports, dead_code, clippy::module_inception, clippy::new_without_default, clippy::doc_markdown, clippy::too_many_arguments, clippy::large_enum_variant, reason = "names, descriptions and sizes are those of the schemas")]
        #[macro_use]
        mod base;
        #[cfg(feature = "events")]
        pub mod events;
        #modules
        #(#betas)*
        pub use base::*;
        #own
    })
}

/// The types of the base that resources are called like. What is named alone wins over what is named by `*`: the root
/// has the base's, and the module of the resource its own.
fn own_types(types: &VersionTypes<'_, '_>) -> Result<TokenStream, NotRust> {
    const ROOT: &str = "base/mod.rs";
    let text = BASE.iter().find(|(path, _)| *path == ROOT).map_or("", |(_, text)| text);
    let file = syn::parse_file(text).map_err(|error| NotRust::new(ROOT, error.to_string()))?;
    let mut uses = TokenStream::new();
    for item in file.items {
        let syn::Item::Use(syn::ItemUse { vis: syn::Visibility::Public(_), attrs, tree, .. }) = item else { continue };
        let mut names = Vec::new();
        exported(&tree, &mut names);
        for name in names.iter().filter(|name| types.homes.has(name)).map(|name| ident(name)) {
            uses.extend(quote!(#(#attrs)* pub use base::#name;));
        }
    }
    Ok(uses)
}

/// The names that a `use` brings; of `texts::*`, those of the types of texts.
fn exported(tree: &syn::UseTree, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(path) => exported(&path.tree, names),
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| exported(item, names)),
        syn::UseTree::Name(name) => names.push(name.ident.to_string()),
        syn::UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        syn::UseTree::Glob(_) => names.extend(texts::names().map(str::to_owned)),
    }
}

/// The root of a version other than the public one.
fn version_root(version: &VersionPlan<'_>) -> TokenStream {
    let (docs, modules) = (format!(" The version `{}`.", version.version), modules(version));
    quote!(#![doc = #docs] #modules)
}

fn modules(version: &VersionPlan<'_>) -> TokenStream {
    let modules = version.resources.iter().map(|resource| {
        let (module, docs) = (ident(&module(resource)), format!(" `{}`.", resource.resource.name));
        quote!(#[doc = #docs] pub mod #module;)
    });
    let shared = ident(SHARED);
    let uses = version.resources.iter().map(|resource| ident(&module(resource)));
    quote! {
        #(#modules)*
        /// What several resources have.
        pub mod #shared;
        #(pub use #uses::*;)*
        pub use #shared::*;
    }
}

/// The types that resources share.
fn shared(
    plan: &ClientPlan<'_>,
    types: &VersionTypes<'_, '_>,
    conversions: &mut Conversions<'_, '_, '_>,
    folder: &str,
) -> Result<Generated, NotRust> {
    let scope = FileScope::new(&types.homes, SHARED);
    let enums = types.plan.types.enums.iter().map(|values| enums::item(values));
    let structs = types.structs.get(SHARED).into_iter().flatten().map(|it| structs::item(types, &scope, it));
    let conversions = conversions.of_shared(&scope);
    let items = quote!(#(#enums)* #(#structs)* #conversions);
    let imports = scope.imports();
    let tokens = quote!(#![doc = " What several resources have."] use crate::base; #imports #items);
    formatted(plan, &format!("{folder}{SHARED}.rs"), &scope.finished(tokens))
}

/// The types and the methods of a resource.
fn of_resource(
    plan: &ClientPlan<'_>,
    types: &VersionTypes<'_, '_>,
    resource: &ResourcePlan<'_>,
    conversions: &mut Conversions<'_, '_, '_>,
    folder: &str,
) -> Result<Generated, NotRust> {
    let name = module(resource);
    let scope = FileScope::new(&types.homes, &name);
    let mut items = TokenStream::new();
    let mut queries = Vec::new();
    for collection in &resource.collections {
        let entity = collection.entity();
        let update = collection.operation(OperationKind::Update).and_then(|update| update.request);
        let edited = entity.zip(update).filter(|(entity, update)| conversions.is_possible(*entity, *update));
        let code = CollectionCode { types, scope: &scope, collection, can_edit: edited.is_some() };
        items.extend(code.item());
        if let Some(query) = QueryPlan::of(collection, types) {
            let schema = entity.and_then(|entity| plan.api.schema(entity));
            let properties: &[Property<'_>] = match schema {
                Some(ValueType::Object { properties, .. }) => properties,
                _ => &[],
            };
            let parts = query.parts(types, &scope, properties);
            items.extend(query.items(&parts, &queries));
            queries.push((query, parts));
        }
        if let Some((entity, update)) = edited {
            items.extend(conversions.of_update(&scope, entity, update));
        }
    }
    for it in types.structs.get(&name).into_iter().flatten() {
        items.extend(structs::item(types, &scope, it));
    }
    let (docs, imports) = (format!(" `{}`.", resource.resource.name), scope.imports());
    let tokens = quote!(#![doc = #docs] use crate::base; #imports #items);
    formatted(plan, &format!("{folder}{name}.rs"), &scope.finished(tokens))
}
