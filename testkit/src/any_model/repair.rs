//! Repairs a model: removes the part at the place of each fault until there is none.

use restwell_model::check::{Key, Severity};
use restwell_model::{Checked, Field, ModelPath, Resource, Search, Service, Type};

/// More rounds than there are parts to remove.
const ROUNDS: usize = 100;

/// The part of a service that has no faults.
///
/// # Panics
///
/// Faults remain, whatever is removed.
#[must_use]
pub fn repaired(mut service: Service) -> Service {
    for _ in 0..ROUNDS {
        let Err(faults) = Checked::new(service.clone()) else { return service };
        let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
        errors.for_each(|fault| take_away(&mut service, &fault.at));
    }
    panic!("cannot be repaired: {:?}", Checked::new(service).err());
}

fn take_away(service: &mut Service, at: &ModelPath) {
    let keys: Vec<&str> =
        at.keys.iter().map_while(|key| if let Key::Name(key) = key { Some(key.as_str()) } else { None }).collect();
    let is_meant = |name: &String| Some(name) == at.definition.as_ref();
    for object in service.objects.iter_mut().filter(|object| is_meant(&object.name)) {
        match keys[..] {
            ["fields", name, ..] => remove(&mut object.fields, name),
            ["fields"] => object.fields.push(Field::new("place", Type::string())),
            _ => object.allow.clear(),
        }
    }
    service.enums.iter_mut().filter(|one| is_meant(&one.name)).for_each(|one| one.allow.clear());
    service.resources.iter_mut().filter(|one| is_meant(&one.name)).for_each(|one| of_resource(one, &keys));
}

fn remove(fields: &mut Vec<Field>, name: &str) {
    fields.retain(|field| field.name != name);
}

/// A field, a view, a command, or what a key says.
fn of_resource(resource: &mut Resource, keys: &[&str]) {
    let default = Resource::new(&resource.name);
    match *keys {
        ["fields", name, ..] => remove(&mut resource.fields, name),
        ["views", name, ..] => resource.views.retain(|view| view.name != name),
        ["commands", name, ..] => resource.commands.retain(|command| command.name != name),
        ["versions" | "retired", ..] => (resource.versions, resource.retired) = (default.versions, default.retired),
        ["sunset", ..] => resource.sunset = None,
        ["deprecations", ..] => resource.deprecations.clear(),
        ["owner", ..] => resource.owner = None,
        ["under", ..] => resource.under.clear(),
        ["unique", ..] => resource.unique.clear(),
        ["index", ..] => resource.index.clear(),
        ["operations", ..] => resource.operations = default.operations,
        ["search", ..] => resource.search = Search::None,
        ["plural", ..] => resource.plural = default.plural,
        _ => (resource.allow, resource.renamed_from) = (default.allow, None),
    }
}
