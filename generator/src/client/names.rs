//! How methods, modules and types of a client are called, before a language spells them.

use super::{CollectionKind, CollectionPlan, ResourcePlan};
use restwell_model::api::{PathItem, PathSubject};
use restwell_model::names::client::command_methods;
use restwell_model::routes::{FormerWords, Target};
use restwell_model::{Checked, OperationKind, Resource, Type, names};
use std::collections::BTreeSet;

/// The method of an operation.
#[must_use]
pub const fn method_name(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::List => "list",
        OperationKind::Create => "create",
        OperationKind::Get => "get",
        OperationKind::Update => "update",
        OperationKind::Patch => "patch",
        OperationKind::Delete => "delete",
    }
}

/// The method of a resource that leads to a scoped collection: `underUser`.
pub fn under_method(parent: &Resource, former: FormerWords) -> String {
    format!("under{}", parent.label_of(former.parent))
}

/// Gives each collection a name and a prefix of its own, where a view or a scoped collection is called like a resource
/// (the view `sale` of `Offer` beside a resource `SaleOffer`) or like each other.
pub(super) fn tell_apart(resources: &mut [ResourcePlan<'_>]) {
    let (mut taken, mut prefixes) = (BTreeSet::new(), BTreeSet::new());
    let rank = |kind| match kind {
        CollectionKind::Root => 0,
        CollectionKind::View(_) => 1,
        CollectionKind::Scoped { .. } => 2,
    };
    let mut all: Vec<_> = resources.iter_mut().flat_map(|resource| &mut resource.collections).collect();
    all.sort_by_key(|collection| rank(collection.kind));
    for collection in all {
        let ending = match collection.kind {
            CollectionKind::View(_) => "View",
            CollectionKind::Root | CollectionKind::Scoped { .. } => "Collection",
        };
        while taken.contains(&collection.name) || prefixes.contains(&collection.type_prefix) {
            collection.name.push_str(ending);
            collection.type_prefix.push_str(ending);
        }
        taken.insert(collection.name.clone());
        prefixes.insert(collection.type_prefix.clone());
    }
}

/// Gives the methods of commands their names, beside the methods that lead to scoped collections.
pub(super) fn name_commands(collections: &mut [CollectionPlan<'_>]) {
    let scoped: Vec<_> = collections
        .iter()
        .filter_map(|it| match it.kind {
            CollectionKind::Scoped { parent, .. } => Some((it.former.resource, under_method(parent, it.former))),
            CollectionKind::Root | CollectionKind::View(_) => None,
        })
        .collect();
    for collection in collections {
        let is_former = collection.former.resource;
        let others = scoped.iter().filter(|(former, _)| *former == is_former).map(|(_, name)| name.clone());
        let commands: Vec<_> = collection.commands.iter().map(|it| it.name.as_str()).collect();
        let methods = command_methods(&commands, others);
        for (command, method) in collection.commands.iter_mut().zip(methods) {
            command.name = method;
        }
    }
}

/// The names of all definitions of a model, which no other type may have.
pub(super) fn of_definitions(service: &Checked) -> BTreeSet<String> {
    let resources = service.resources.iter().map(|resource| &resource.name);
    let enums = service.enums.iter().map(|values| &values.name);
    resources.chain(enums).chain(service.objects.iter().map(|object| &object.name)).cloned().collect()
}

/// `offers`, `saleOffers`, `userOffers`.
pub(super) fn collection(resource: &Resource, kind: CollectionKind<'_>, former: FormerWords) -> String {
    names::camel(&format!("{}{}", prefix(kind, former), names::pascal(&resource.plural_of(former.resource))))
}

/// `Offer`, `SaleOffer`, `UserOffer`.
pub(super) fn type_prefix(resource: &Resource, kind: CollectionKind<'_>, former: FormerWords) -> String {
    format!("{}{}", prefix(kind, former), resource.label_of(former.resource))
}

fn prefix(kind: CollectionKind<'_>, former: FormerWords) -> String {
    match kind {
        CollectionKind::Root => String::new(),
        CollectionKind::View(view) => names::pascal(&view.label_of(former.view)),
        CollectionKind::Scoped { parent, .. } => parent.label_of(former.parent),
    }
}

/// The path of the collection that a path is, or that it names an entity of.
pub(super) fn collection_path(path: &PathItem<'_>) -> String {
    match path.subject {
        PathSubject::Resource { target: Target::Entity { .. }, .. } => {
            path.path.rsplit_once('/').map_or(path.path.as_str(), |(before, _)| before).to_owned()
        }
        _ => path.path.clone(),
    }
}

/// The resource that a reference field leads to.
pub(super) fn parent<'a>(service: &'a Checked, resource: &Resource, field: usize) -> Option<&'a Resource> {
    match &resource.fields.get(field)?.ty {
        Type::Ref { to, .. } => service.resource(to),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::client::{ClientPlan, rust, typescript};
    use crate::{File, compile};
    use restwell_model::api::Api;
    use restwell_model::names::client::COLLECTION_METHODS;
    use restwell_model::names::{camel, snake};
    use std::collections::BTreeSet;

    /// A resource with all that a collection can have, but commands.
    const THING: &str =
        "resource: Thing\nsearch: true\noperations:\n  list: { access: anyone }\n  create: { access: anyone }
  get: { access: anyone }\n  update: { access: anyone }\n  patch: { access: anyone }\n  delete: { access: anyone }
fields:\n  name: { type: string, filter: true }\n";

    /// Methods that no collection has, and that no command has for other reasons: `then` and `clone` are those of the
    /// languages, `under` and `searches` were methods once.
    const OTHERS: [&str; 4] = ["clone", "searches", "then", "under"];

    #[test]
    fn values_of_enums_are_called_like_types_of_the_prelude() {
        const KIND: &str = "  kind: { type: enum, values: [OPTION, RESULT, STRING, VEC] }\n";
        for resource in ["Thing", "Option"] {
            let document = THING.replace("Thing", resource) + KIND;
            let compiled = compile(&[File::new("service.yaml", "service: shop\n"), File::new("it.yaml", &*document)]);
            let (service, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
            let api = Api::of(&service);
            let package = rust::package(&ClientPlan::of(&api)).unwrap();
            let of_kind = |file: &&crate::emit::Generated| file.text.contains(&format!("pub enum {resource}Kind {{"));
            let text = &package.generated.iter().find(of_kind).unwrap().text;
            assert!(text.contains("    Option,\n") && text.contains("    Vec,\n") && !text.contains("own_"), "{text}");
        }
    }

    #[test]
    fn the_methods_of_collections_are_known() {
        let compiled = compile(&[File::new("service.yaml", "service: shop\n"), File::new("thing.yaml", THING)]);
        let (service, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        let api = Api::of(&service);
        let plan = ClientPlan::of(&api);
        let (rust, typescript) = (rust::package(&plan).unwrap(), typescript::package(&plan).unwrap());
        let text = |files: &[crate::emit::Generated], path: &str| {
            files.iter().find(|file| file.path == path).map(|file| file.text.clone()).unwrap_or_default()
        };
        let mut methods: BTreeSet<String> = OTHERS.map(str::to_owned).into();
        // `    list: list(at),`
        let javascript = text(&typescript.generated, "things.js");
        let keys = javascript.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(": "));
        methods.extend(keys.map(|(key, _)| key.to_owned()));
        for item in syn::parse_file(&text(&rust.generated, "things.rs")).unwrap().items {
            let syn::Item::Impl(item) = item else { continue };
            let is_things = matches!(&*item.self_ty, syn::Type::Path(path) if path.path.is_ident("Things"));
            methods.extend(item.items.iter().filter(|_| is_things).filter_map(|item| match item {
                syn::ImplItem::Fn(method) => Some(camel(&method.sig.ident.to_string())),
                syn::ImplItem::Const(constant) => Some(camel(&constant.ident.to_string().to_lowercase())),
                _ => None,
            }));
        }
        let known: BTreeSet<String> = COLLECTION_METHODS.map(str::to_owned).into();
        assert_eq!(methods, known);
        // one that is written in another way would not be found
        assert!(known.iter().all(|name| camel(&snake(name)) == *name));
    }
}
