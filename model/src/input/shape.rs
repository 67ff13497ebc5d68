//! The compiled form of a list of fields, and the walk of a body's members along it.

use super::check_json;
use super::json::{self, Malformed};
use super::members::find_members;
use super::read::{self, Read};
use super::reader::{Reader, Reading, Stored};
use crate::check::Checked;
use crate::error::{ErrorCode, Problem};
use crate::field::{Deprecation, Field};
use crate::names;
use crate::value::Value;

/// An object's fields as one version or view reads them.
#[derive(Debug, Clone)]
pub struct Shape {
    members: Vec<Member>,
    /// The former names of some of them, after the members in what is found.
    formers: Vec<Former>,
    /// Whether fields of it, or of objects in it, have a former name.
    pub(super) has_two_names: bool,
    /// Whether fields of it, or of objects in it, are JSON of any form.
    has_json: bool,
    /// Names that are taken and not looked at: the common fields.
    ignored: &'static [&'static str],
}

/// A field, ready to read.
#[derive(Debug, Clone)]
pub struct Member {
    name: String,
    read: Read,
    required: bool,
    default: Value,
    has_default: bool,
    /// Its default is computed, when the entity is created.
    has_computed_default: bool,
    immutable: bool,
    write_only: bool,
    /// Not every caller sees it: what null and nothing mean in a change is decided when it is known who sees it.
    is_hidden: bool,
    deprecation: Option<Deprecation>,
    taken: Taken,
}

/// A name that a field has beside the present one.
#[derive(Debug, Clone)]
struct Former {
    member: usize,
    name: String,
    deprecation: Deprecation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Read and checked.
    Yes,
    /// Known, but set by the service only.
    Ignored,
    /// Not of this version or view.
    Hidden,
}

/// What a body says.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its values; null where they are faulty.
    pub value: Value,
    /// All that is wrong with it.
    pub problems: Vec<Problem>,
    /// Whether it uses what is going away.
    pub deprecation: Option<Deprecation>,
    /// Whether it names an `id`, which only the service sets, so that it is ignored.
    pub has_id: bool,
    /// Whether a field has two values, under its two names, of which the one that differs from the stored one holds.
    pub needs_stored: bool,
}

/// What stands for a field of the outermost object that the body omits: an owner from the token.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset<'a> {
    /// The field's name.
    pub field: &'a str,
    /// Its value.
    pub value: Value,
}

impl Shape {
    /// The shape of these fields; `has` tells which of them the version and view have.
    #[must_use]
    pub fn compile(
        service: &Checked,
        fields: &[Field],
        ignored: &'static [&'static str],
        has: &dyn Fn(&Field) -> bool,
    ) -> Self {
        let members: Vec<_> = fields.iter().filter_map(|field| Member::compile(service, field, has)).collect();
        let former = |field: &Field| {
            let (name, deprecation) = field.former()?;
            let member = members.iter().position(|member| member.name == field.name)?;
            Some(Former { member, name: name.to_owned(), deprecation })
        };
        let formers: Vec<_> = fields.iter().filter_map(former).collect();
        let has_two_names = !formers.is_empty() || members.iter().any(|member| member.read.two_named().is_some());
        let has_json = members.iter().any(|member| member.read.has_json());
        Self { members, formers, has_two_names, has_json, ignored }
    }

    /// Whether fields of it, or of objects in it, are JSON of any form: only their numbers may have digits that other
    /// types do not keep.
    #[must_use]
    pub fn has_json(&self) -> bool {
        self.has_json
    }

    /// Reads a body. Problems come in the model's order, then the unknown properties; at most
    /// [`MAX_PROBLEMS`](super::MAX_PROBLEMS).
    pub fn read(&self, body: &[u8], reading: Reading, presets: &[Preset<'_>]) -> Result<Body, Malformed> {
        let text = json::text(body)?.trim_matches([' ', '\t', '\r', '\n']);
        self.read_by(text, presets, Reader::new(reading))
    }

    /// Reads the body of a change of a stored entity, which is what GET shows. Of two values under a field's two names,
    /// the one that differs from the stored one holds. Where `is_whole`, the body began as the entity: a name that it
    /// lacks was removed.
    ///
    /// # Errors
    ///
    /// The body is not JSON.
    pub fn read_beside(&self, body: &[u8], entity: &[u8], is_whole: bool) -> Result<Body, Malformed> {
        let text = json::text(body)?.trim_matches([' ', '\t', '\r', '\n']);
        self.read_by(text, &[], Reader::beside(json::text(entity)?, is_whole))
    }

    /// What is announced of the properties that an operation of a patch has touched, under the names in the body. Where
    /// an object has both names of a field, only one of these may have been touched, so the former one does not count.
    ///
    /// # Errors
    ///
    /// The body is not JSON.
    pub fn deprecation_of_touched(&self, body: &[u8]) -> Result<Option<Deprecation>, Malformed> {
        let mut reader = Reader::new(Reading::Update);
        reader.stored = Stored::NOTHING;
        self.read_by(json::text(body)?, &[], reader).map(|body| body.deprecation)
    }

    fn read_by(&self, text: &str, presets: &[Preset<'_>], mut reader: Reader<'_>) -> Result<Body, Malformed> {
        let value = self.read_object(text, presets, &mut reader)?;
        let Reader { deprecation, has_id, needs_stored, .. } = reader;
        Ok(Body { value, deprecation, has_id, needs_stored, problems: reader.finish() })
    }

    /// A field's value in an object that this shape read.
    #[must_use]
    pub fn value_of<'a>(&self, value: &'a Value, field: &str) -> Option<&'a Value> {
        let Value::Object(values) = value else { return None };
        values.get(self.members.iter().position(|member| member.name == field)?)
    }

    pub(super) fn read_object(
        &self,
        text: &str,
        presets: &[Preset<'_>],
        reader: &mut Reader<'_>,
    ) -> Result<Value, Malformed> {
        if !text.starts_with('{') {
            json::skip(text)?;
            reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
            return Ok(Value::Null);
        }
        let given = self.find_members(text, reader)?;
        let (given, formers) = given.split_at(self.members.len());
        let mut values = Vec::with_capacity(self.members.len());
        for (index, (member, raw)) in self.members.iter().zip(given.iter().copied()).enumerate() {
            let position = self.formers.iter().position(|former| former.member == index);
            let former = position.and_then(|at| Some((&self.formers[at], formers[at]?)));
            let is_alone = raw.is_none() && !reader.is_whole;
            let (raw, name) = match former {
                // what is ignored is ignored under either name
                Some((_, former)) if member.taken != Taken::Yes => {
                    json::skip(former)?;
                    (raw.or(Some(former)), &member.name)
                }
                Some((former, raw)) if is_alone => {
                    reader.uses((raw != "null").then_some(former.deprecation));
                    (Some(raw), &former.name)
                }
                Some((former, old)) => {
                    values.push(member.read_both((raw, old), former, reader)?);
                    continue;
                }
                None if position.is_some() && reader.is_whole && member.taken == Taken::Yes => {
                    values.push(member.read_without_former(raw, reader)?);
                    continue;
                }
                None => (raw, &member.name),
            };
            let preset = presets.iter().find(|preset| preset.field == member.name);
            values.push(match (preset, raw) {
                // what a body says of a field that it cannot set is ignored
                (Some(preset), Some(raw)) if member.taken != Taken::Yes => {
                    json::skip(raw)?;
                    preset.value.clone()
                }
                (Some(preset), None) => preset.value.clone(),
                _ => reader.within(name, |reader| member.read(raw, reader))?,
            });
        }
        Ok(Value::Object(values))
    }

    /// The raw text of each member, in the model's order.
    fn find_members<'a>(&self, text: &'a str, reader: &mut Reader<'_>) -> Result<Vec<Option<&'a str>>, Malformed> {
        let members = &self.members;
        let former = |index: usize| self.formers.get(index).filter(|it| members[it.member].taken_name().is_some());
        let name = |index: usize| match members.get(index) {
            Some(member) => member.taken_name(),
            None => former(index - members.len()).map(|former| former.name.as_str()),
        };
        find_members(text, members.len() + self.formers.len(), name, self.ignored, |word| self.nearest(word), reader)
    }

    fn nearest(&self, word: &str) -> Option<&str> {
        names::nearest(word, self.members.iter().filter(|m| m.taken == Taken::Yes).map(|m| m.name.as_str()))
    }

    /// The values of an object whose members are all omitted from the start.
    fn defaults(&self) -> Value {
        Value::Object(self.members.iter().map(|m| m.default.clone()).collect())
    }

    /// Fills in what is [`Value::Absent`]: the defaults of a new object.
    #[must_use]
    pub fn complete(&self, value: Value) -> Value {
        match value {
            Value::Absent => self.defaults(),
            Value::Object(values) => {
                Value::Object(values.into_iter().zip(&self.members).map(|(v, m)| m.complete(v)).collect())
            }
            other => other,
        }
    }

    /// Where a path stands in the model's order: problems found later are put in their place by it.
    #[must_use]
    pub fn rank(&self, path: &str) -> Vec<usize> {
        let mut rank = Vec::new();
        let mut shape = Some(self);
        for word in path.split('.') {
            if let Ok(index) = word.parse() {
                rank.push(index);
                continue;
            }
            let index = shape.and_then(|shape| shape.index_of(word));
            let member = shape.zip(index).map(|(shape, index)| &shape.members[index]);
            shape = member.and_then(|member| match &member.read {
                Read::Object(shape) => Some(shape),
                Read::Array(array) => match array.items() {
                    Read::Object(shape) => Some(shape),
                    _ => None,
                },
                _ => None,
            });
            rank.push(index.unwrap_or(usize::MAX));
        }
        rank
    }

    /// Whether the version and view have the field that a path names, or what is under it.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let member = self.index_of(name).map(|index| &self.members[index]).filter(|it| it.taken_name().is_some());
        member.is_some_and(|member| rest.is_none_or(|rest| member.read.has(rest)))
    }

    /// How many words of a path lead to the first property that the version or view lacks, and the nearest known name.
    /// Below an array a word is an index or `-`. `None` where every word is known, or names no property.
    #[must_use]
    pub fn first_unknown(&self, path: &[impl AsRef<str>]) -> Option<(usize, Option<&str>)> {
        let mut read: Option<&Read> = None;
        for (index, word) in path.iter().map(AsRef::as_ref).enumerate() {
            let shape = match read {
                None => self,
                Some(Read::Object(shape)) => shape,
                Some(Read::Array(array)) if word == "-" || word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    read = Some(array.items());
                    continue;
                }
                Some(Read::Price(_)) if !read::PRICE_NAMES.contains(&word) => {
                    return Some((index + 1, names::nearest(word, read::PRICE_NAMES)));
                }
                // what stands beside the id of a reference is ignored; a scalar has no properties
                Some(Read::Array(_) | Read::Price(_) | Read::Reference | Read::Scalar(_)) => return None,
                // a free name is known, whatever it is
                Some(Read::Map(_) | Read::Json(_)) => return None,
            };
            let member = shape.index_of(word).map(|index| &shape.members[index]);
            read = match member.filter(|member| member.taken_name().is_some()) {
                Some(member) => Some(&member.read),
                None if shape.ignored.contains(&word) => return None,
                None => return Some((index + 1, shape.nearest(word))),
            };
        }
        None
    }

    /// The member of this name, present or former.
    fn index_of(&self, name: &str) -> Option<usize> {
        let present = self.members.iter().position(|member| member.name == name);
        present.or_else(|| self.formers.iter().find(|former| former.name == name).map(|former| former.member))
    }

    /// The member of this name, present or former.
    pub(super) fn member_of(&self, name: &str) -> Option<&Member> {
        self.index_of(name).map(|index| &self.members[index])
    }

    /// The former names of members that requests set.
    pub(super) fn formers(&self) -> impl Iterator<Item = (&Member, &str, Deprecation)> {
        let formers = self.formers.iter().filter(|former| self.members[former.member].taken == Taken::Yes);
        formers.map(|former| (&self.members[former.member], former.name.as_str(), former.deprecation))
    }

    /// The fields, in the model's order.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }
}

impl Member {
    fn compile(service: &Checked, field: &Field, has: &dyn Fn(&Field) -> bool) -> Option<Self> {
        let read = Read::compile_for(service, &field.ty, has)?;
        let default = match &field.default {
            Some(json) if check_json(service, &field.ty, json).is_empty() => read.default_value(&json.to_string()),
            _ => read.blank(),
        };
        let taken = match field {
            field if !has(field) => Taken::Hidden,
            field if field.is_ignored_in_requests() => Taken::Ignored,
            _ => Taken::Yes,
        };
        let member = Self {
            name: field.name.clone(),
            read,
            required: field.required,
            has_default: field.default.is_some(),
            has_computed_default: field.default_is.is_some(),
            default,
            immutable: field.immutable,
            write_only: field.write_only,
            is_hidden: field.is_hidden(),
            deprecation: field.writing_deprecation(),
            taken,
        };
        // what the default of an object leaves out has its own default
        let default = member.complete(member.default.clone());
        Some(Self { default, ..member })
    }

    fn taken_name(&self) -> Option<&str> {
        (self.taken != Taken::Hidden).then_some(self.name.as_str())
    }

    fn read(&self, raw: Option<&str>, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        match (self.taken, raw) {
            (Taken::Yes, Some(raw)) => {
                if raw != "null" {
                    reader.uses(self.deprecation);
                }
                let is_required = self.required && !(self.is_hidden && reader.reading == Reading::Update);
                match self.read.two_named() {
                    Some(_) => reader.of_member(&self.name, |reader| self.read.read(raw, is_required, reader)),
                    None => self.read.read(raw, is_required, reader),
                }
            }
            (Taken::Yes, None) => Ok(self.omitted(reader)),
            (Taken::Ignored | Taken::Hidden, raw) => {
                raw.map_or(Ok(()), json::skip)?;
                Ok(Value::Absent)
            }
        }
    }

    /// The values that are stored of it; what is never shown has none.
    fn stored(&self, reader: &Reader<'_>) -> Result<Vec<Value>, Malformed> {
        let texts = reader.stored.member(&self.name)?.into_iter();
        texts.map(|text| self.read.read(text, false, &mut Reader::new(Reading::Update))).collect()
    }

    /// A value under the present name and one under the former name.
    fn read_both(
        &self,
        (raw, old_raw): (Option<&str>, &str),
        former: &Former,
        reader: &mut Reader<'_>,
    ) -> Result<Value, Malformed> {
        let (problems, used) = (reader.count(), reader.deprecation);
        // in what began as an entity, a name that is gone was removed
        let new = reader.within(&self.name, |reader| self.read(raw, reader))?;
        let of_new = reader.deprecation;
        reader.deprecation = used;
        let old = reader.within(&former.name, |reader| self.read(Some(old_raw), reader))?;
        let of_old = Deprecation::together(reader.deprecation, Some(former.deprecation));
        reader.deprecation = of_new;
        if new == old || reader.count() > problems {
            return Ok(new);
        }
        let stored = match &reader.stored {
            Stored::Unknown => {
                reader.needs_stored = true;
                reader.uses(of_old);
                return Ok(new);
            }
            Stored::Known(objects) if objects.is_empty() => vec![self.default.clone()],
            Stored::Known(_) => self.stored(reader)?,
        };
        match (stored.contains(&old), stored.contains(&new)) {
            (true, false) => Ok(new),
            (false, true) => {
                reader.deprecation = of_old;
                Ok(old)
            }
            _ => {
                for (name, other) in [(&self.name, &former.name), (&former.name, &self.name)] {
                    let problem = Problem::new(ErrorCode::NamesDiffer).with("other", other.as_str());
                    reader.within(name, |reader| reader.problem(problem));
                }
                Ok(Value::Null)
            }
        }
    }

    /// A value of what began as an entity, and has the former name no longer: its removal holds, unless the present
    /// name has another value.
    fn read_without_former(&self, raw: Option<&str>, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        let Some(raw) = raw else { return reader.within(&self.name, |reader| self.read(None, reader)) };
        let value = reader.within(&self.name, |reader| self.read(Some(raw), reader))?;
        match self.stored(reader)?.contains(&value) {
            true => reader.within(&self.name, |reader| self.read(None, reader)),
            false => Ok(value),
        }
    }

    fn omitted(&self, reader: &mut Reader<'_>) -> Value {
        if reader.reading == Reading::Update && (self.immutable || self.write_only || self.is_hidden) {
            return Value::Absent;
        }
        if self.has_computed_default {
            return Value::Absent;
        }
        if self.required && !self.has_default {
            reader.problem(Problem::new(ErrorCode::Required));
        }
        self.default.clone()
    }

    /// The value of a change of a field that not every caller sees, and what is wrong with it, for a caller who does.
    #[must_use]
    pub fn seen(&self, value: Value) -> (Value, Option<Problem>) {
        let is_omitted = value == Value::Absent && self.taken == Taken::Yes;
        let is_kept = self.immutable || self.has_computed_default;
        let value =
            if is_omitted && !is_kept && (self.has_default || !self.required) { self.default.clone() } else { value };
        let bounded = match (&self.read, &value) {
            (Read::Array(array), Value::List(items)) => array.least().zip(Some(items.len())),
            (Read::Map(map), Value::Map(entries)) => map.least().zip(Some(entries.len())),
            _ => None,
        };
        if let Some((least, _)) = bounded.filter(|(least, count)| self.required && (*count as u64) < u64::from(*least))
        {
            return (value, Some(Problem::at(ErrorCode::TooFewItems, &self.name).with("minItems", least)));
        }
        let is_missing = self.required && (value == Value::Null || is_omitted && !is_kept && !self.has_default);
        (value, is_missing.then(|| Problem::at(ErrorCode::Required, &self.name)))
    }

    /// Whether a value is what a caller sends back who does not see the field.
    #[must_use]
    pub fn is_unseen(&self, value: &Value) -> bool {
        matches!(value, Value::Absent) || *value == self.read.blank()
    }

    fn complete(&self, value: Value) -> Value {
        match (&self.read, value) {
            (_, Value::Absent) => self.default.clone(),
            (Read::Object(shape), value) => shape.complete(value),
            (Read::Array(array), Value::List(items)) => {
                Value::List(items.into_iter().map(|item| array.items().complete_item(item)).collect())
            }
            (_, value) => value,
        }
    }

    /// camelCase, as in JSON.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its value is read.
    #[must_use]
    pub fn value(&self) -> &Read {
        &self.read
    }

    /// The default.
    #[must_use]
    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// Whether it is taken at creation only.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        self.immutable
    }
}
