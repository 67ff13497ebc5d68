//! `#[derive(Resource)]`: reads a struct as a resource.

use crate::attribute::{self, Argument, ArgumentValue};
use crate::context::Context;
use crate::field::{self, Member};
use crate::{common, constraints, docs, operations, rules, symbol};
use proc_macro2::Ident;
use restwell_model::language::KeyShape;
use restwell_model::{ModelPath, Resource, Search, View, check};
use serde_json::{Map, Value};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Result};

/// A resource with its members and its commands.
pub(crate) struct DeclaredResource {
    pub(crate) resource: Resource,
    pub(crate) members: Vec<Member>,
    /// The structs of its commands.
    pub(crate) commands: Vec<Ident>,
}

/// Reads and checks a resource.
pub(crate) fn read(input: &DeriveInput) -> Result<DeclaredResource> {
    Context::read(&input.ident, |context| read_in(context, input))
}

fn read_in(context: &mut Context, input: &DeriveInput) -> Result<DeclaredResource> {
    let mut commands = Vec::new();
    let mut resource = Resource::new(&input.ident.unraw().to_string());
    let at = ModelPath::definition(&resource.name);
    resource.description = docs::description(&input.attrs);

    let members = field::members(input, &at.key("fields"), context);
    let mut keys = Map::new();
    if let Some(arguments) = context.note(attribute::arguments(&input.attrs, "resource")) {
        let repeatable = [symbol::UNIQUE, symbol::INDEX, symbol::VIEW, symbol::RULE];
        context.each(&at, &arguments, &repeatable, |context, argument| match argument.name.text().as_str() {
            symbol::COMMANDS => argument.types().map(|types| commands = types),
            symbol::SERDE | symbol::DEFAULT => common::off(argument),
            symbol::QUERY | symbol::SORT => argument.ident().map(drop),
            _ => put(context, &at, (&mut resource, &mut keys), argument),
        });
    }
    let mut resource = Resource { fields: field::fields(&members), ..resource.with_keys(keys) };
    for view in resource.views.iter_mut().filter(|view| view.path.is_empty()) {
        view.path = View::default_path(&view.name, &resource.plural);
    }

    if context.is_clean() {
        field::options(&members, &at.key("fields"), |field| resource.may_be_null(field), context);
        context.faults(check::resource(&resource));
        context.faults(check::conditions(&resource));
    } else {
        let alone = Resource { fields: field::sound_fields(&members), ..Resource::new(&resource.name) };
        context.faults_at(&at.key("fields"), check::resource(&alone));
    }
    Ok(DeclaredResource { resource, members, commands })
}

/// Reads one argument: sets it, or adds it to the keys that are set together.
fn put(
    context: &mut Context,
    at: &ModelPath,
    (resource, keys): (&mut Resource, &mut Map<String, Value>),
    argument: &Argument,
) -> Result<()> {
    let key = symbol::IN_RESOURCE.key(argument)?;
    match key.shape {
        KeyShape::Combinations => {
            let combinations = if key.name == symbol::INDEX { &mut resource.index } else { &mut resource.unique };
            context.places.argument_as(&at.key(key.name).index(combinations.len()), argument);
            combinations.push(argument.fields()?);
        }
        KeyShape::Operations => resource.operations = operations::read(context, &at.key(key.name), argument)?,
        KeyShape::Views => resource.views.push(view(context, &at.key(key.name), argument)?),
        KeyShape::Rules => {
            let at = at.key(key.name).index(resource.rules.len());
            resource.rules.push(rules::rule(context, &at, argument)?);
        }
        KeyShape::Lifecycle => resource.lifecycle = Some(rules::lifecycle(context, &at.key(key.name), argument)?),
        KeyShape::Search => resource.search = search(argument)?,
        _ => constraints::collect(keys, key, argument)?,
    }
    Ok(())
}

fn search(argument: &Argument) -> Result<Search> {
    match argument.given {
        ArgumentValue::Nothing => Ok(Search::All),
        _ => argument.fields().map(Search::Fields),
    }
}

/// `view(sale, path = "/sale/offers", operations(list, get))`. Without `path`, the path stays empty here: it
/// depends on the plural, which may come later.
fn view(context: &mut Context, at: &ModelPath, argument: &Argument) -> Result<View> {
    let Some((name, arguments)) = argument.list()?.split_first() else { return Err(nameless(argument)) };
    let ArgumentValue::Nothing = name.given else { return Err(nameless(name)) };
    let (mut view, mut keys) = (View { path: String::new(), ..View::new(&name.name.text(), "") }, Map::new());
    let at = at.key(&view.name);
    context.places.key(&at, &name.name);
    context.places.value(&at, &name.name);
    context.each(&at, arguments, &[], |context, argument| {
        let key = symbol::IN_VIEW.key(argument)?;
        match key.shape {
            KeyShape::Operations => view.operations = operations::read(context, &at.key(key.name), argument)?,
            _ => constraints::collect(&mut keys, key, argument)?,
        }
        Ok(())
    });
    if view.operations.is_empty() && context.is_clean() {
        return Err(Error::new_spanned(&name.name, "list the operations of the view: `operations(list, get)`"));
    }
    Ok(view.with_keys(keys))
}

fn nameless(argument: &Argument) -> Error {
    Error::new_spanned(argument, "begin the view with its name: `view(sale, operations(list, get))`")
}
