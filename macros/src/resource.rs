//! `#[derive(Resource)]`: a struct, read as a resource.

use crate::attribute::{self, Argument, Given};
use crate::field::{self, Member};
use crate::reading::Reading;
use crate::{common, docs, operations, words};
use restwell_model::field::Allow;
use restwell_model::{ModelPath, Resource, Search, View, check};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Result};

/// Reads and checks a resource.
pub(crate) fn read(input: &DeriveInput) -> Result<(Resource, Vec<Member>)> {
    let mut reading = Reading::of(&input.ident);
    let mut resource = Resource::new(&input.ident.unraw().to_string());
    let at = ModelPath::definition(&resource.name);
    resource.description = docs::description(&input.attrs);

    let members = field::members(input, &at.key("fields"), &mut reading);
    resource.fields = field::fields(&members);
    if let Some(arguments) = reading.note(attribute::arguments(&input.attrs, "resource")) {
        let repeatable = [words::UNIQUE, words::VIEW];
        reading.each(&at, &arguments, &repeatable, |reading, argument| put(reading, &at, &mut resource, argument));
    }
    for view in resource.views.iter_mut().filter(|view| view.path.is_empty()) {
        view.path = View::default_path(&view.name, &resource.plural);
    }

    if reading.is_clean() {
        reading.faults(check::resource(&resource));
    }
    reading.finish(Ok((resource, members)))
}

fn put(reading: &mut Reading, at: &ModelPath, resource: &mut Resource, argument: &Argument) -> Result<()> {
    match argument.name.text().as_str() {
        words::PLURAL => resource.plural = argument.text()?,
        words::VERSIONS => resource.versions = common::versions(argument)?,
        words::RETIRED => resource.retired = common::versions(argument)?,
        words::DEPRECATED => resource.deprecated = argument.flag()?,
        words::SUNSET => resource.sunset = Some(common::date(argument)?),
        words::OWNER => resource.owner = Some(argument.field()?),
        words::UNDER => resource.under = argument.fields()?,
        words::UNIQUE => {
            reading.places.argument_as(&at.key(words::UNIQUE).index(resource.unique.len()), argument);
            resource.unique.push(argument.fields()?);
        }
        words::OPERATIONS => resource.operations = operations::read(reading, &at.key(words::OPERATIONS), argument)?,
        words::VIEW => resource.views.push(view(reading, &at.key("views"), argument)?),
        words::COUNT => resource.count = argument.truth()?,
        words::SEARCH => resource.search = search(argument)?,
        words::RENAMED_FROM => resource.renamed_from = Some(argument.text()?),
        words::ALLOW => resource.allow = common::allow(argument)?,
        _ => return Err(words::IN_RESOURCE.unknown(argument)),
    }
    Ok(())
}

fn search(argument: &Argument) -> Result<Search> {
    match argument.given {
        Given::Nothing => Ok(Search::All),
        _ => argument.fields().map(Search::Fields),
    }
}

/// `view(sale, path = "/sale/offers", operations(list, get))`. The path is left empty where none is given: it follows
/// from the plural, which may stand further on.
fn view(reading: &mut Reading, at: &ModelPath, argument: &Argument) -> Result<View> {
    let Some((name, arguments)) = argument.list()?.split_first() else { return Err(nameless(argument)) };
    let Given::Nothing = name.given else { return Err(nameless(name)) };
    let mut view = View {
        name: name.name.text(),
        path: String::new(),
        through: None,
        operations: Vec::new(),
        allow: Allow::new(),
    };

    let at = at.key(&view.name);
    reading.places.key(&at, &name.name);
    reading.places.value(&at, &name.name);
    reading.each(&at, arguments, &[], |reading, argument| {
        match argument.name.text().as_str() {
            words::PATH => view.path = argument.text()?,
            words::THROUGH => {
                let through = argument.text()?.try_into();
                view.through = Some(through.map_err(|error| Error::new_spanned(argument.place(), error))?);
            }
            words::OPERATIONS => view.operations = operations::read(reading, &at.key(words::OPERATIONS), argument)?,
            words::ALLOW => view.allow = common::allow(argument)?,
            _ => return Err(words::IN_VIEW.unknown(argument)),
        }
        Ok(())
    });
    if view.operations.is_empty() && reading.is_clean() {
        return Err(Error::new_spanned(&name.name, "say what this view can do: `operations(list, get)`"));
    }
    Ok(view)
}

fn nameless(argument: &Argument) -> Error {
    Error::new_spanned(argument, "a view begins with its name: `view(sale, operations(list, get))`")
}
