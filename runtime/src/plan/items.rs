//! Stored arrays → JSON. An array is stored as the JSON that is rendered, so most are copied. Arrays of objects are
//! gone through along the model: a version may lack a field, older rows may lack one that was added since, and
//! references show fields of other entities.

use super::cell::Row;
use super::form::{FieldNames, WrittenNames, blank, sequence, write_text};
use super::render::Lookup;
use super::view::ResourceSource;
use restwell_model::input::{items, members};
use restwell_model::scalar::uuid_text;
use restwell_model::{Field, Kind, Type};

/// How the items of a stored array are written.
#[derive(Debug)]
pub(crate) enum Items {
    /// As they are stored.
    Copied,
    /// References that show more than their id.
    References(Box<Lookup>),
    /// Objects, with these of their fields.
    Objects(Vec<ItemField>),
    /// Lists inside objects.
    Lists(Box<Items>),
    /// Objects that the service's own code made: these members by their names, and whatever else is there as it is.
    Members(Vec<(Vec<String>, Items)>),
}

/// A field of an object in an array.
#[derive(Debug)]
pub(crate) struct ItemField {
    names: FieldNames,
    items: Items,
    /// What stands for it where a stored object lacks it.
    absent: &'static str,
}

impl Items {
    /// `shows`: whether references show more than their id here.
    pub(super) fn compile(source: ResourceSource<'_>, ty: &Type, has: &dyn Fn(&Field) -> bool, shows: bool) -> Self {
        match source.service.kind(ty) {
            Kind::Scalar(Type::Ref { to, show, .. }) if shows && !show.is_empty() => {
                Lookup::compile(source, to, show, has).map_or(Self::Copied, |lookup| Self::References(Box::new(lookup)))
            }
            Kind::Object(object) => {
                let rendered = object.fields.iter().filter(|field| !field.write_only && has(field));
                Self::Objects(
                    rendered
                        .map(|field| {
                            let names = FieldNames::of(field);
                            ItemField {
                                names,
                                items: Self::compile(source, &field.ty, has, shows),
                                absent: blank(&field.ty),
                            }
                        })
                        .collect(),
                )
            }
            Kind::Array(items) => match Self::compile(source, items, has, shows) {
                Self::Copied => Self::Copied,
                items => Self::Lists(Box::new(items)),
            },
            _ => Self::Copied,
        }
    }

    /// A body of these fields that the service's own code made: nothing is added but what references show.
    pub(super) fn of_body(source: ResourceSource<'_>, fields: &[Field], has: &dyn Fn(&Field) -> bool) -> Self {
        let shown = |field: &Field| {
            let items = Self::of_value(source, &field.ty, has);
            items.look_up().then(|| (field.names().map(str::to_owned).collect(), items))
        };
        Self::Members(fields.iter().filter(|field| has(field)).filter_map(shown).collect())
    }

    fn of_value(source: ResourceSource<'_>, ty: &Type, has: &dyn Fn(&Field) -> bool) -> Self {
        match source.service.kind(ty) {
            Kind::Object(object) => Self::of_body(source, &object.fields, has),
            Kind::Array(items) => Self::Lists(Box::new(Self::of_value(source, items, has))),
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Map(_) => Self::compile(source, ty, has, true),
        }
    }

    /// Whether they show fields of other entities.
    pub(super) fn look_up(&self) -> bool {
        match self {
            Self::Copied => false,
            Self::References(_) => true,
            Self::Objects(fields) => fields.iter().any(|field| field.items.look_up()),
            Self::Lists(items) => items.look_up(),
            Self::Members(members) => members.iter().any(|(_, items)| items.look_up()),
        }
    }

    /// Whether not every caller sees all that they show.
    pub(super) fn is_restricted(&self) -> bool {
        match self {
            Self::Copied => false,
            Self::References(lookup) => lookup.is_restricted(),
            Self::Objects(fields) => fields.iter().any(|field| field.items.is_restricted()),
            Self::Lists(items) => items.is_restricted(),
            Self::Members(members) => members.iter().any(|(_, items)| items.is_restricted()),
        }
    }

    /// Writes a stored array, or a body.
    pub(super) fn write(&self, json: &[u8], row: &impl Row, out: &mut Vec<u8>) {
        match std::str::from_utf8(json) {
            Ok(json) if matches!(self, Self::Members(_)) && json.starts_with('{') => self.write_item(json, row, out),
            Ok(json) if !matches!(self, Self::Copied) => self.write_list(json, row, out),
            _ => out.extend_from_slice(json),
        }
    }

    fn write_list(&self, json: &str, row: &impl Row, out: &mut Vec<u8>) {
        let mut list = Vec::new();
        // the stored text was written by this service: it is an array
        let _ = items(json, |item| {
            list.push(item);
            Ok(())
        });
        sequence(out, b'[', b']', list, |item, out| self.write_item(item, row, out));
    }

    fn write_item(&self, json: &str, row: &impl Row, out: &mut Vec<u8>) {
        match self {
            Self::Lists(items) if json.starts_with('[') => items.write_list(json, row, out),
            Self::References(lookup) if json.starts_with('{') => write_reference(lookup, json, row, out),
            Self::Objects(fields) if json.starts_with('{') => {
                let stored = stored_members(json);
                let names = fields
                    .iter()
                    .flat_map(|field| field.names.written(WrittenNames::All).map(move |name| (field, name)));
                sequence(out, b'{', b'}', names, |(field, name), out| {
                    write_text(name.as_bytes(), out);
                    out.push(b':');
                    let is_it = |(key, _): &&(Vec<u8>, &str)| *key == field.names.present().as_bytes();
                    match stored.iter().find(is_it) {
                        Some((_, value)) => field.items.write_item(value, row, out),
                        None => out.extend_from_slice(field.absent.as_bytes()),
                    }
                });
            }
            Self::Members(members) if json.starts_with('{') => {
                sequence(out, b'{', b'}', stored_members(json), |(key, value), out| {
                    write_text(&key, out);
                    out.push(b':');
                    let is_it = |(names, _): &&(Vec<String>, Self)| names.iter().any(|name| name.as_bytes() == key);
                    match members.iter().find(is_it) {
                        Some((_, items)) => items.write_item(value, row, out),
                        None => out.extend_from_slice(value.as_bytes()),
                    }
                });
            }
            _ => out.extend_from_slice(json.as_bytes()),
        }
    }
}

fn write_reference(lookup: &Lookup, json: &str, row: &impl Row, out: &mut Vec<u8>) {
    let id = stored_members(json)
        .into_iter()
        .find(|(key, _)| key == b"id")
        .and_then(|(_, id)| uuid_text::parse(id.trim_matches('"')));
    match id {
        Some(id) => {
            out.extend_from_slice(b"{\"id\":\"");
            uuid_text::write(&id, out);
            out.push(b'"');
            lookup.write(id, row, out);
            out.push(b'}');
        }
        None => out.extend_from_slice(json.as_bytes()),
    }
}

fn stored_members(json: &str) -> Vec<(Vec<u8>, &str)> {
    let mut stored = Vec::new();
    let _ = members(json, |key, value| {
        stored.push((key.into_owned(), value));
        Ok(())
    });
    stored
}
