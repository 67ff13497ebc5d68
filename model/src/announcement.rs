//! `deprecations`: parts of a definition that are announced as going away, by their paths in its document.
//!
//! A field or a command says `deprecated` itself; an operation, a view, a filter, a value of an enum and whatever else
//! [`compatibility`](crate::compatibility) calls a removal is announced by its path. [`Checked`](crate::Checked) notes
//! each announcement at the part itself, once, so that all who ask whether a part goes away find it there.

use crate::field::{Deprecation, Field, Type};
use crate::names;
use crate::resource::{Command, Operation, Resource, Search, Version};
use crate::scalar::Date;
use crate::service::Service;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The key of the list.
pub(crate) const KEY: &str = "deprecations";

/// One entry of `deprecations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// The path of the part in its document: `fields.name.filter`.
    pub what: String,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
}

impl Announcement {
    /// What those who use the part are told.
    #[must_use]
    pub fn deprecation(&self) -> Deprecation {
        Deprecation { sunset: self.sunset }
    }
}

/// What is announced of a field: from `deprecations`, beside its own `deprecated`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldNotices {
    /// The field itself.
    pub whole: Option<Deprecation>,
    /// Its `filter`.
    pub filter: Option<Deprecation>,
    /// Its `sort`.
    pub sort: Option<Deprecation>,
    /// That requests can set it: it becomes `readOnly`.
    pub writing: Option<Deprecation>,
    /// What it shows of the entity that it refers to.
    pub show: BTreeMap<String, Deprecation>,
}

/// What is announced of a resource: from `deprecations`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceNotices {
    /// The `count` of its collections.
    pub count: Option<Deprecation>,
    /// Its searches.
    pub search: Option<Deprecation>,
    /// Its scoped collections, by their fields.
    pub under: BTreeMap<String, Deprecation>,
    /// Its versions.
    pub versions: BTreeMap<Version, Deprecation>,
}

/// Where a path leads.
pub(crate) enum AnnouncedPart<'a> {
    /// A part, where an announcement is noted.
    Here(Notice<'a>),
    /// On in the inline enum or object of this name.
    Inside(String, Vec<String>),
}

/// Where the announcement of a part is noted, and whether the part says `deprecated` itself.
pub(crate) struct Notice<'a> {
    pub(crate) says_itself: bool,
    slot: NoticeSlot<'a>,
}

enum NoticeSlot<'a> {
    Single(&'a mut Option<Deprecation>),
    Of(&'a mut BTreeMap<String, Deprecation>, String),
    OfVersion(&'a mut BTreeMap<Version, Deprecation>, Version),
}

/// A path that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoPart {
    /// The word that is not known.
    pub(crate) word: String,
    /// What could stand there.
    pub(crate) known: Vec<String>,
    /// Whether it is in a definition that is not there to be looked at.
    pub(crate) is_elsewhere: bool,
    /// The definition that is shared, so that its document announces what goes.
    pub(crate) shared: Option<String>,
}

type Found<'a> = Result<AnnouncedPart<'a>, NoPart>;

impl Notice<'_> {
    fn put(self, deprecation: Deprecation) {
        let both = |known: Option<Deprecation>| Deprecation::together(known, Some(deprecation)).unwrap_or(deprecation);
        match self.slot {
            NoticeSlot::Single(slot) => *slot = Some(both(*slot)),
            NoticeSlot::Of(slots, name) => _ = slots.insert(name.clone(), both(slots.get(&name).copied())),
            NoticeSlot::OfVersion(slots, version) => _ = slots.insert(version, both(slots.get(&version).copied())),
        }
    }
}

/// Notes the announcements of all definitions at their parts. One whose path leads nowhere is a fault of its own.
pub(crate) fn note(service: &mut Service) {
    let lists = service.resources.iter().map(|it| (&it.name, &it.deprecations));
    let lists = lists.chain(service.objects.iter().map(|it| (&it.name, &it.deprecations)));
    let lists = lists.chain(service.enums.iter().map(|it| (&it.name, &it.deprecations)));
    let all: Vec<_> = lists.flat_map(|(name, list)| list.iter().map(move |it| (name.clone(), it.clone()))).collect();
    for (definition, announcement) in all {
        if let Ok(notice) = find(service, &definition, &announcement.what) {
            notice.put(announcement.deprecation());
        }
    }
}

/// The part at a path in the document of a definition.
pub(crate) fn find<'s>(service: &'s mut Service, definition: &str, what: &str) -> Result<Notice<'s>, NoPart> {
    let mut name = definition.to_owned();
    let mut words: Vec<String> = what.split('.').map(str::to_owned).collect();
    // each turn goes into a definition by at least two words
    loop {
        let inner = {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match in_definition(service, &name, &words)? {
                AnnouncedPart::Here(_) => None,
                AnnouncedPart::Inside(inner, rest) => Some((inner, rest)),
            }
        };
        match inner {
            Some((inner, rest)) => (name, words) = (inner, rest),
            None => break,
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match in_definition(service, &name, &words)? {
        AnnouncedPart::Here(notice) => Ok(notice),
        AnnouncedPart::Inside(..) => Err(unknown(words.first().copied(), [])),
    }
}

fn in_definition<'s>(service: &'s mut Service, name: &str, words: &[&str]) -> Found<'s> {
    if let Some(resource) = service.resources.iter_mut().find(|it| it.name == name) {
        return in_resource(resource, words);
    }
    if let Some(object) = service.objects.iter_mut().find(|it| it.name == name) {
        return match words {
            ["fields", rest @ ..] => in_fields(&mut object.fields, name, rest),
            _ => Err(unknown(words.first().copied(), ["fields"])),
        };
    }
    let Some(enumeration) = service.enums.iter_mut().find(|it| it.name == name) else {
        return Err(NoPart { is_elsewhere: true, ..unknown(words.first().copied(), []) });
    };
    match words {
        ["values", value] if enumeration.values.iter().any(|known| known == value) => {
            of(&mut enumeration.notices, value)
        }
        ["values", rest @ ..] => Err(unknown(rest.first().copied(), enumeration.values.iter().map(String::as_str))),
        _ => Err(unknown(words.first().copied(), ["values"])),
    }
}

/// The part of a resource at a path; what is inside an inline definition is not looked at.
pub(crate) fn in_resource<'a>(resource: &'a mut Resource, words: &[&str]) -> Found<'a> {
    match words {
        ["count"] if resource.count => single(&mut resource.notices.count),
        ["search"] if resource.search != Search::None => single(&mut resource.notices.search),
        ["under", field] if resource.under.iter().any(|known| known == field) => of(&mut resource.notices.under, field),
        ["under", rest @ ..] => Err(unknown(rest.first().copied(), resource.under.iter().map(String::as_str))),
        ["versions", rest @ ..] => {
            let version = rest.join(".").parse().ok().filter(|version| resource.versions.contains(version));
            let versions = resource.versions.iter().map(ToString::to_string);
            let Some(version) = version else { return Err(unknown_of(&rest.join("."), versions)) };
            Ok(AnnouncedPart::Here(Notice {
                says_itself: false,
                slot: NoticeSlot::OfVersion(&mut resource.notices.versions, version),
            }))
        }
        ["operations", rest @ ..] => in_operations(&mut resource.operations, rest),
        ["views", name, rest @ ..] => {
            let names: Vec<_> = resource.views.iter().map(|view| view.name.clone()).collect();
            let view = resource.views.iter_mut().find(|view| view.name == *name);
            match (view, rest) {
                (None, _) => Err(unknown_of(name, names)),
                (Some(view), []) => single(&mut view.notice),
                (Some(view), ["operations", rest @ ..]) => in_operations(&mut view.operations, rest),
                (Some(_), [word, ..]) => Err(unknown(Some(word), ["operations"])),
            }
        }
        ["commands", name, rest @ ..] => {
            let names: Vec<_> = resource.commands.iter().map(|command| command.name.clone()).collect();
            match resource.commands.iter_mut().find(|command| command.name == *name) {
                Some(command) => in_command(command, &resource.name, rest),
                // a derive knows the commands of its resource once the service is assembled
                None => Err(NoPart { is_elsewhere: true, ..unknown_of(name, names) }),
            }
        }
        ["fields", rest @ ..] => in_fields(&mut resource.fields, &resource.name, rest),
        _ => {
            let sections = [
                ("operations", true),
                ("views", !resource.views.is_empty()),
                ("commands", !resource.commands.is_empty()),
                ("fields", true),
                ("under", !resource.under.is_empty()),
                ("versions", true),
                ("search", resource.search != Search::None),
                ("count", resource.count),
            ];
            let there = sections.into_iter().filter(|(_, is_there)| *is_there).map(|(section, _)| section);
            Err(unknown(words.first().copied(), there))
        }
    }
}

fn in_operations<'a>(operations: &'a mut [Operation], words: &[&str]) -> Found<'a> {
    let known: Vec<_> = operations.iter().map(|operation| operation.kind.word()).collect();
    match words {
        [word] if known.contains(word) => {
            let found = operations.iter_mut().find(|operation| operation.kind.word() == *word);
            found.map_or_else(|| Err(unknown(Some(word), [])), |operation| single(&mut operation.notice))
        }
        _ => Err(unknown(words.first().copied(), known)),
    }
}

fn in_command<'a>(command: &'a mut Command, resource: &str, words: &[&str]) -> Found<'a> {
    let owner = format!("{resource}{}", names::pascal(&command.name));
    match words {
        [] => Ok(AnnouncedPart::Here(Notice {
            says_itself: command.deprecated,
            slot: NoticeSlot::Single(&mut command.notice),
        })),
        ["input", rest @ ..] => in_fields(&mut command.input, &owner, rest),
        ["output", rest @ ..] => in_fields(&mut command.output, &format!("{owner}Output"), rest),
        [word, ..] => Err(unknown(Some(word), ["input", "output"])),
    }
}

/// The part of a field. `owner` is what the names of its inline definitions begin with.
fn in_fields<'a>(fields: &'a mut [Field], owner: &str, words: &[&str]) -> Found<'a> {
    let known: Vec<_> = fields.iter().map(|field| field.name.clone()).collect();
    let Some((name, rest)) = words.split_first() else { return Err(unknown(None, ["fields"])) };
    let Some(field) = fields.iter_mut().find(|field| field.name == *name) else {
        return Err(unknown_of(name, known));
    };
    match rest {
        [] => Ok(AnnouncedPart::Here(Notice {
            says_itself: field.deprecated,
            slot: NoticeSlot::Single(&mut field.notices.whole),
        })),
        ["filter"] if field.filter.is_on() => single(&mut field.notices.filter),
        ["sort"] if field.sort => single(&mut field.notices.sort),
        ["readOnly"] if !field.read_only => single(&mut field.notices.writing),
        ["show", shown] | ["items", "show", shown] if shows(field, rest[0] == "items", shown) => {
            of(&mut field.notices.show, shown)
        }
        ["values" | "fields", ..] | ["items", "values" | "fields", ..] => inside(field, owner, rest),
        [word, ..] => Err(unknown(Some(word), parts(field))),
    }
}

fn shows(field: &Field, in_items: bool, name: &str) -> bool {
    let is_array = matches!(field.ty, Type::Array { .. });
    is_array == in_items
        && matches!(field.ty.element(), Type::Ref { show, .. } if show.iter().any(|shown| shown == name))
}

/// The keys of a field that can go away alone.
fn parts(field: &Field) -> Vec<&'static str> {
    let named = matches!(field.ty.element(), Type::Named { .. });
    let all = [
        ("filter", field.filter.is_on()),
        ("sort", field.sort),
        ("readOnly", !field.read_only),
        ("show", matches!(field.ty, Type::Ref { .. })),
        ("values", named),
        ("fields", named),
    ];
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(word, _)| word).collect()
}

/// On into the definition that is written in a field.
fn inside<'a>(field: &Field, owner: &str, words: &[&str]) -> Found<'a> {
    let (is_array, rest) = match words {
        ["items", rest @ ..] => (true, rest),
        // an enum in a map
        ["values", rest @ ..] if matches!(field.ty, Type::Map { .. }) => (false, rest),
        rest => (false, rest),
    };
    match field.ty.element() {
        Type::Named { name } if *name == names::inline_type(owner, &field.name, is_array) => {
            Ok(AnnouncedPart::Inside(name.clone(), rest.iter().map(|word| (*word).to_owned()).collect()))
        }
        Type::Named { name } => Err(NoPart { shared: Some(name.clone()), ..unknown(words.first().copied(), []) }),
        _ => Err(unknown(words.first().copied(), parts(field))),
    }
}

fn single(slot: &mut Option<Deprecation>) -> Found<'_> {
    Ok(AnnouncedPart::Here(Notice { says_itself: false, slot: NoticeSlot::Single(slot) }))
}

fn of<'a>(slots: &'a mut BTreeMap<String, Deprecation>, name: &str) -> Found<'a> {
    Ok(AnnouncedPart::Here(Notice { says_itself: false, slot: NoticeSlot::Of(slots, name.to_owned()) }))
}

fn unknown<'n>(word: Option<&str>, known: impl IntoIterator<Item = &'n str>) -> NoPart {
    unknown_of(word.unwrap_or_default(), known.into_iter().map(str::to_owned))
}

fn unknown_of(word: &str, known: impl IntoIterator<Item = String>) -> NoPart {
    NoPart { word: word.to_owned(), known: known.into_iter().collect(), is_elsewhere: false, shared: None }
}
