//! `#[derive(Resource)]`: reads a struct as a resource.

use crate::attribute::{self, Argument, ArgumentValue};
use crate::context::Context;
use crate::field::{self, Member};
use crate::{common, docs, operations, symbol};
use proc_macro2::Ident;
use restwell_model::field::Allow;
use restwell_model::{ModelPath, Resource, Search, View, check};
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
    let mut context = Context::of(&input.ident);
    let mut commands = Vec::new();
    let mut resource = Resource::new(&input.ident.unraw().to_string());
    let at = ModelPath::definition(&resource.name);
    resource.description = docs::description(&input.attrs);

    let members = field::members(input, &at.key("fields"), &mut context);
    resource.fields = field::fields(&members);
    if let Some(arguments) = context.note(attribute::arguments(&input.attrs, "resource")) {
        let repeatable = [symbol::UNIQUE, symbol::VIEW];
        context.each(&at, &arguments, &repeatable, |context, argument| match argument.name.text().as_str() {
            symbol::COMMANDS => argument.types().map(|types| commands = types),
            _ => put(context, &at, &mut resource, argument),
        });
    }
    for view in resource.views.iter_mut().filter(|view| view.path.is_empty()) {
        view.path = View::default_path(&view.name, &resource.plural);
    }

    if context.is_clean() {
        context.faults(check::resource(&resource));
    }
    context.finish(Ok(DeclaredResource { resource, members, commands }))
}

fn put(context: &mut Context, at: &ModelPath, resource: &mut Resource, argument: &Argument) -> Result<()> {
    match argument.name.text().as_str() {
        symbol::PLURAL => resource.plural = argument.text()?,
        symbol::VERSIONS => resource.versions = common::versions(argument)?,
        symbol::RETIRED => resource.retired = common::versions(argument)?,
        symbol::DEPRECATED => resource.deprecated = argument.flag()?,
        symbol::SUNSET => resource.sunset = Some(common::date(argument)?),
        symbol::OWNER => resource.owner = Some(argument.field()?),
        symbol::UNDER => resource.under = argument.fields()?,
        symbol::UNIQUE => {
            context.places.argument_as(&at.key(symbol::UNIQUE).index(resource.unique.len()), argument);
            resource.unique.push(argument.fields()?);
        }
        symbol::OPERATIONS => resource.operations = operations::read(context, &at.key(symbol::OPERATIONS), argument)?,
        symbol::VIEW => resource.views.push(view(context, &at.key("views"), argument)?),
        symbol::COUNT => resource.count = argument.truth()?,
        symbol::SEARCH => resource.search = search(argument)?,
        symbol::RENAMED_FROM => resource.renamed_from = Some(argument.text()?),
        symbol::ALLOW => resource.allow = common::allow(argument)?,
        _ => return Err(symbol::IN_RESOURCE.unknown(argument)),
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
    let mut view = View {
        name: name.name.text(),
        path: String::new(),
        through: None,
        operations: Vec::new(),
        allow: Allow::new(),
    };

    let at = at.key(&view.name);
    context.places.key(&at, &name.name);
    context.places.value(&at, &name.name);
    context.each(&at, arguments, &[], |context, argument| {
        match argument.name.text().as_str() {
            symbol::PATH => view.path = argument.text()?,
            symbol::THROUGH => {
                let through = argument.text()?.try_into();
                view.through = Some(through.map_err(|error| Error::new_spanned(argument.place(), error))?);
            }
            symbol::OPERATIONS => view.operations = operations::read(context, &at.key(symbol::OPERATIONS), argument)?,
            symbol::ALLOW => view.allow = common::allow(argument)?,
            _ => return Err(symbol::IN_VIEW.unknown(argument)),
        }
        Ok(())
    });
    if view.operations.is_empty() && context.is_clean() {
        return Err(Error::new_spanned(&name.name, "list the operations of the view: `operations(list, get)`"));
    }
    Ok(view)
}

fn nameless(argument: &Argument) -> Error {
    Error::new_spanned(argument, "begin the view with its name: `view(sale, operations(list, get))`")
}
