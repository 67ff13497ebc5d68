//! `deprecations`: each path leads to a part that can go away, and each part is announced once.

use super::repeats;
use crate::announcement::{Announcement, KEY, NoPart, find};
use crate::check::FaultCode::{AnnouncedTwice, UnknownAnnouncement};
use crate::check::index::{DefinitionIndex, suggestion};
use crate::check::place::Place;
use crate::check::{Fault, ModelPath};
use crate::resource::Resource;
use crate::service::{Enum, Object, Service};

/// The announcements of a resource, except those of what is in its inline definitions.
pub(super) fn of_resource(resource: &Resource, faults: &mut Vec<Fault>) {
    of_definition(&resource.name, &resource.deprecations, || alone(|it| it.resources = vec![resource.clone()]), faults);
}

/// Those of an object.
pub(super) fn of_object(object: &Object, faults: &mut Vec<Fault>) {
    of_definition(&object.name, &object.deprecations, || alone(|it| it.objects = vec![object.clone()]), faults);
}

/// Those of an enum.
pub(super) fn of_enum(enumeration: &Enum, faults: &mut Vec<Fault>) {
    let only = || alone(|it| it.enums = vec![enumeration.clone()]);
    of_definition(&enumeration.name, &enumeration.deprecations, only, faults);
}

/// The announcements of what is in inline definitions, which only the whole service has.
pub(super) fn inside_definitions(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let service = index.service;
    let resources = service.resources.iter().filter(|it| !it.deprecations.is_empty());
    let of_resources = resources.map(|it| (&it.name, &it.deprecations, alone(|one| one.resources = vec![it.clone()])));
    let objects = service.objects.iter().filter(|it| !it.deprecations.is_empty());
    let of_objects = objects.map(|it| (&it.name, &it.deprecations, alone(|one| one.objects = vec![it.clone()])));
    for (name, list, mut only) in of_resources.chain(of_objects) {
        let mut whole = service.clone();
        for (position, announcement) in list.iter().enumerate() {
            if matches!(find(&mut only, name, &announcement.what), Err(NoPart { is_elsewhere: true, .. })) {
                faults.extend(fault_of(&mut whole, name, position, announcement));
            }
        }
    }
}

fn alone(fill: impl FnOnce(&mut Service)) -> Service {
    let mut service = Service::new("");
    fill(&mut service);
    service
}

fn of_definition(name: &str, list: &[Announcement], only: impl FnOnce() -> Service, faults: &mut Vec<Fault>) {
    if list.is_empty() {
        return;
    }
    let mut service = only();
    for (position, announcement) in list.iter().enumerate() {
        let is_elsewhere =
            matches!(find(&mut service, name, &announcement.what), Err(NoPart { is_elsewhere: true, .. }));
        if !is_elsewhere {
            faults.extend(fault_of(&mut service, name, position, announcement));
        }
    }
    let definition = Place::Definition(name);
    let at = definition.key(KEY);
    for (first, position, what) in repeats(list.iter().map(|it| it.what.as_str())) {
        let fault = Fault::new(AnnouncedTwice, what_at(&at, position), format!("`{what}` is announced twice"));
        faults.push(fault.also(what_at(&at, first), "it is first announced here").help("remove one of them"));
    }
}

fn what_at(list: &Place<'_>, position: usize) -> ModelPath {
    list.index(position).key("what").path()
}

fn fault_of(service: &mut Service, name: &str, position: usize, announcement: &Announcement) -> Option<Fault> {
    let (definition, what) = (Place::Definition(name), &announcement.what);
    let list = definition.key(KEY);
    match find(service, name, what) {
        Ok(notice) if notice.says_itself => {
            let fault =
                Fault::new(AnnouncedTwice, what_at(&list, position), format!("`{what}` says `deprecated` itself"));
            Some(fault.help("remove one of the two"))
        }
        Ok(_) => None,
        Err(no_part) => {
            let message = format!("`{what}` is not a part of `{name}` that can go away");
            let mut fault = Fault::new(UnknownAnnouncement, what_at(&list, position), message);
            fault.help = match &no_part.shared {
                Some(shared) => Some(format!("announce it in the document of `{shared}`, in `{KEY}` there")),
                None => suggestion(&no_part.word, no_part.known.iter().map(String::as_str)),
            };
            Some(fault)
        }
    }
}
