//! The compiled form of a list of fields, and the walk of a body along it.

use super::json::{self, Malformed};
use super::scalar::{Scalar, Token};
use super::{MAX_PROBLEMS, check_json};
use crate::error::{ErrorCode, Problem};
use crate::field::{Deprecation, Field, Type};
use crate::names;
use crate::service::Service;
use crate::value::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// An object's fields as one version or view reads them.
#[derive(Debug, Clone)]
pub struct Shape {
    members: Vec<Member>,
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
    immutable: bool,
    write_only: bool,
    deprecation: Option<Deprecation>,
    taken: Taken,
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

/// How a field's value is read.
#[derive(Debug, Clone)]
pub enum Read {
    /// One value.
    Scalar(Scalar),
    /// `{amount, currency}`.
    Price(Box<[Scalar; 2]>),
    /// `{id}`.
    Reference,
    /// Nested fields.
    Object(Shape),
    /// A list.
    Array(Box<ArrayShape>),
}

/// A list's items and bounds.
#[derive(Debug, Clone)]
pub struct ArrayShape {
    items: Read,
    min_items: Option<u32>,
    max_items: Option<u32>,
    unique_items: bool,
}

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A new entity: what is omitted gets its default.
    Create,
    /// A stored one: what is omitted and immutable or write-only keeps its value ([`Value::Absent`]).
    Update,
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
        service: &Service,
        fields: &[Field],
        ignored: &'static [&'static str],
        has: &dyn Fn(&Field) -> bool,
    ) -> Self {
        let members = fields.iter().filter_map(|field| Member::compile(service, field, has)).collect();
        Self { members, ignored }
    }

    /// Reads a body. Problems come in the model's order, then the unknown properties; at most [`MAX_PROBLEMS`].
    pub fn read(&self, body: &[u8], reading: Reading, presets: &[Preset<'_>]) -> Result<Body, Malformed> {
        let text = json::text(body)?.trim_matches([' ', '\t', '\r', '\n']);
        let mut reader = Reader::new(reading);
        let value = self.read_object(text, presets, &mut reader)?;
        Ok(Body { value, deprecation: reader.deprecation, problems: reader.finish() })
    }

    /// A field's value in an object that this shape read.
    #[must_use]
    pub fn value_of<'a>(&self, value: &'a Value, field: &str) -> Option<&'a Value> {
        let Value::Object(values) = value else { return None };
        values.get(self.members.iter().position(|member| member.name == field)?)
    }

    fn read_object(&self, text: &str, presets: &[Preset<'_>], reader: &mut Reader) -> Result<Value, Malformed> {
        if !text.starts_with('{') {
            json::skip(text)?;
            reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
            return Ok(Value::Null);
        }
        let given = self.find_members(text, reader)?;
        let mut values = Vec::with_capacity(self.members.len());
        for (member, raw) in self.members.iter().zip(given) {
            values.push(match presets.iter().find(|preset| raw.is_none() && preset.field == member.name) {
                Some(preset) => preset.value.clone(),
                None => reader.within(&member.name, |reader| member.read(raw, reader))?,
            });
        }
        Ok(Value::Object(values))
    }

    /// The raw text of each member, in the model's order.
    fn find_members<'a>(&self, text: &'a str, reader: &mut Reader) -> Result<Vec<Option<&'a str>>, Malformed> {
        let mut given = vec![None; self.members.len()];
        let mut others: HashSet<Cow<'_, [u8]>> = HashSet::new();
        let mut expected = 0;
        json::members(text, |key, raw| {
            // clients mostly send the members in the model's order
            let known = self.members.get(expected).filter(|m| m.is_called(&key)).map(|_| expected);
            match known.or_else(|| self.members.iter().position(|m| m.is_called(&key))) {
                Some(index) => {
                    expected = index + 1;
                    if given[index].replace(raw).is_some() {
                        return Err(json::duplicate(&self.members[index].name));
                    }
                }
                None if others.contains(&key) => return Err(json::duplicate(&String::from_utf8_lossy(&key))),
                None => {
                    json::skip(raw)?;
                    if !self.ignored.iter().any(|name| name.as_bytes() == &*key) {
                        reader.unknown(&String::from_utf8_lossy(&key), || self.nearest(&key));
                    }
                    others.insert(key);
                }
            }
            Ok(())
        })?;
        Ok(given)
    }

    fn nearest(&self, key: &[u8]) -> Option<&str> {
        let key = std::str::from_utf8(key).ok()?;
        names::nearest(key, self.members.iter().filter(|m| m.taken == Taken::Yes).map(|m| m.name.as_str()))
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
            let index = shape.and_then(|shape| shape.members.iter().position(|member| member.name == word));
            let member = shape.zip(index).map(|(shape, index)| &shape.members[index]);
            shape = member.and_then(|member| match &member.read {
                Read::Object(shape) => Some(shape),
                Read::Array(array) => match &array.items {
                    Read::Object(shape) => Some(shape),
                    _ => None,
                },
                _ => None,
            });
            rank.push(index.unwrap_or(usize::MAX));
        }
        rank
    }

    /// The fields, in the model's order.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }
}

impl Member {
    fn compile(service: &Service, field: &Field, has: &dyn Fn(&Field) -> bool) -> Option<Self> {
        let read = Read::compile_for(service, &field.ty, has)?;
        let default = match &field.default {
            Some(json) if check_json(service, &field.ty, json).is_empty() => read.default_value(&json.to_string()),
            _ => read.blank(),
        };
        let taken = match field {
            field if !has(field) => Taken::Hidden,
            Field { read_only: true, .. } => Taken::Ignored,
            _ => Taken::Yes,
        };
        Some(Self {
            name: field.name.clone(),
            read,
            required: field.required,
            has_default: field.default.is_some(),
            default,
            immutable: field.immutable,
            write_only: field.write_only,
            deprecation: Deprecation::of(field.deprecated, field.sunset),
            taken,
        })
    }

    fn is_called(&self, key: &[u8]) -> bool {
        self.taken != Taken::Hidden && self.name.as_bytes() == key
    }

    fn read(&self, raw: Option<&str>, reader: &mut Reader) -> Result<Value, Malformed> {
        match (self.taken, raw) {
            (Taken::Yes, Some(raw)) => {
                if let Some(deprecation) = self.deprecation.filter(|_| raw != "null") {
                    reader.deprecation = Some(deprecation.or(reader.deprecation));
                }
                self.read.read(raw, self.required, reader)
            }
            (Taken::Yes, None) => Ok(self.omitted(reader)),
            (Taken::Ignored | Taken::Hidden, raw) => {
                raw.map_or(Ok(()), json::skip)?;
                Ok(Value::Absent)
            }
        }
    }

    fn omitted(&self, reader: &mut Reader) -> Value {
        if reader.reading == Reading::Update && (self.immutable || self.write_only) {
            return Value::Absent;
        }
        if self.required && !self.has_default {
            reader.problem(Problem::new(ErrorCode::Required));
        }
        self.default.clone()
    }

    fn complete(&self, value: Value) -> Value {
        match (&self.read, value) {
            (_, Value::Absent) => self.default.clone(),
            (Read::Object(shape), value) => shape.complete(value),
            (Read::Array(array), Value::List(items)) => {
                Value::List(items.into_iter().map(|item| array.items.complete_item(item)).collect())
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

    /// What it is where nobody says.
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

impl Read {
    /// The reader of a type with all fields of its objects; `None` where a name leads nowhere.
    #[must_use]
    pub fn compile(service: &Service, ty: &Type) -> Option<Self> {
        Self::compile_for(service, ty, &|_| true)
    }

    fn compile_for(service: &Service, ty: &Type, has: &dyn Fn(&Field) -> bool) -> Option<Self> {
        Some(match ty {
            Type::Price { minimum, maximum, currencies } => {
                Self::Price(Box::new(Scalar::of_price(*minimum, *maximum, currencies)))
            }
            Type::Ref { .. } => Self::Reference,
            Type::Array { items, min_items, max_items, unique_items } => Self::Array(Box::new(ArrayShape {
                items: Self::compile_for(service, items, has)?,
                min_items: *min_items,
                max_items: *max_items,
                unique_items: *unique_items,
            })),
            Type::Named { name } => match service.object(name) {
                Some(object) => Self::Object(Shape::compile(service, &object.fields, &[], has)),
                None => Self::Scalar(Scalar::compile(ty, service.enumeration(name))?),
            },
            scalar => Self::Scalar(Scalar::compile(scalar, None)?),
        })
    }

    /// What null and nothing are: an empty list for an array.
    fn blank(&self) -> Value {
        match self {
            Self::Array(_) => Value::List(Vec::new()),
            _ => Value::Null,
        }
    }

    /// Reads one value on its own, for its problems.
    #[must_use]
    pub fn read_alone(&self, text: &str) -> Vec<Problem> {
        let mut reader = Reader::new(Reading::Create);
        match self.read(text, false, &mut reader) {
            Ok(_) => reader.finish(),
            Err(Malformed(reason)) => vec![Problem::new(ErrorCode::MalformedJson).with("reason", reason)],
        }
    }

    fn default_value(&self, text: &str) -> Value {
        self.read(text, false, &mut Reader::new(Reading::Create)).unwrap_or_default()
    }

    fn read(&self, text: &str, required: bool, reader: &mut Reader) -> Result<Value, Malformed> {
        if text == "null" {
            if required {
                reader.problem(Problem::new(ErrorCode::Required));
            }
            return Ok(self.blank());
        }
        match self {
            Self::Scalar(scalar) => skipped(text, read_scalar(scalar, text, required, reader)),
            Self::Price(scalars) => read_price(scalars, text, reader),
            Self::Reference => read_reference(text, reader),
            Self::Object(shape) => shape.read_object(text, &[], reader),
            Self::Array(array) => array.read(text, required, reader),
        }
    }

    fn complete_item(&self, value: Value) -> Value {
        match self {
            Self::Object(shape) => shape.complete(value),
            _ => value,
        }
    }
}

impl ArrayShape {
    /// What its items are.
    #[must_use]
    pub fn items(&self) -> &Read {
        &self.items
    }

    fn read(&self, text: &str, required: bool, reader: &mut Reader) -> Result<Value, Malformed> {
        if !text.starts_with('[') {
            json::skip(text)?;
            reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "array"));
            return Ok(Value::List(Vec::new()));
        }
        // an item has no stored one that it could keep something of
        let outer = std::mem::replace(&mut reader.reading, Reading::Create);
        let mut items = Vec::new();
        let read = json::items(text, |raw| {
            let index = items.len();
            let item = reader.within(itoa::Buffer::new().format(index), |reader| self.items.read(raw, true, reader))?;
            items.push(self.items.complete_item(item));
            Ok(())
        });
        reader.reading = outer;
        read?;
        self.constrain(&items, required, reader);
        Ok(Value::List(items))
    }

    fn constrain(&self, items: &[Value], required: bool, reader: &mut Reader) {
        let count = items.len();
        if let Some(min) = self.min_items.filter(|min| count < *min as usize && (required || count > 0)) {
            reader.problem(Problem::new(ErrorCode::TooFewItems).with("minItems", min));
        }
        if let Some(max) = self.max_items.filter(|max| count > *max as usize) {
            reader.problem(Problem::new(ErrorCode::TooManyItems).with("maxItems", max));
        }
        if self.unique_items {
            for index in repeated(items) {
                reader.within(itoa::Buffer::new().format(index), |reader| {
                    reader.problem(Problem::new(ErrorCode::DuplicateItem));
                });
            }
        }
    }
}

/// The indexes of items that stand further up already. A faulty item is null and equal to none.
fn repeated(items: &[Value]) -> Vec<usize> {
    let mut order: Vec<_> = (0..items.len()).filter(|index| !items[*index].is_null()).collect();
    // equal values are equal in Debug form, which is all the order that is needed
    let keys: Vec<_> = items.iter().map(|item| format!("{item:?}")).collect();
    order.sort_by(|a, b| keys[*a].cmp(&keys[*b]).then(a.cmp(b)));
    let mut repeated: Vec<_> = order.windows(2).filter(|pair| keys[pair[0]] == keys[pair[1]]).map(|p| p[1]).collect();
    repeated.sort_unstable();
    repeated
}

fn read_scalar(scalar: &Scalar, text: &str, required: bool, reader: &mut Reader) -> Value {
    let token = Token::of(text);
    if scalar.takes_blank() && token.is_blank() {
        if required {
            reader.problem(Problem::new(ErrorCode::Required));
        }
        return Value::Null;
    }
    match scalar.parse(&token) {
        Ok(value) => {
            let before = reader.count();
            scalar.constrain(&value, |problem| reader.problem(problem));
            if reader.count() == before { value } else { Value::Null }
        }
        Err(problem) => {
            reader.problem(problem);
            Value::Null
        }
    }
}

/// A container where a scalar belongs is looked through all the same: a duplicate key in it makes the body malformed.
fn skipped(text: &str, value: Value) -> Result<Value, Malformed> {
    if text.starts_with(['{', '[']) {
        json::skip(text)?;
    }
    Ok(value)
}

fn read_price(scalars: &[Scalar; 2], text: &str, reader: &mut Reader) -> Result<Value, Malformed> {
    if !text.starts_with('{') {
        json::skip(text)?;
        reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
        return Ok(Value::Null);
    }
    const NAMES: [&str; 2] = ["amount", "currency"];
    let mut given = [None, None];
    let mut others: HashSet<Cow<'_, [u8]>> = HashSet::new();
    json::members(text, |key, raw| {
        match NAMES.iter().position(|name| name.as_bytes() == &*key) {
            Some(index) if given[index].replace(raw).is_some() => return Err(json::duplicate(NAMES[index])),
            Some(_) => {}
            None if others.contains(&key) => return Err(json::duplicate(&String::from_utf8_lossy(&key))),
            None => {
                json::skip(raw)?;
                let word = String::from_utf8_lossy(&key);
                reader.unknown(&word, || names::nearest(&word, NAMES));
                others.insert(key);
            }
        }
        Ok(())
    })?;
    let mut values = [Value::Null, Value::Null];
    for ((name, scalar), (raw, value)) in NAMES.iter().zip(scalars).zip(given.into_iter().zip(&mut values)) {
        *value = reader.within(name, |reader| match raw {
            None | Some("null") => {
                reader.problem(Problem::new(ErrorCode::Required));
                Ok(Value::Null)
            }
            Some(raw) => skipped(raw, read_scalar(scalar, raw, true, reader)),
        })?;
    }
    Ok(match values {
        [Value::Int(minor), Value::Text(code)] => {
            crate::scalar::Currency::parse(&code).map_or(Value::Null, |currency| Value::Price(minor, currency))
        }
        _ => Value::Null,
    })
}

fn read_reference(text: &str, reader: &mut Reader) -> Result<Value, Malformed> {
    if !text.starts_with('{') {
        json::skip(text)?;
        reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
        return Ok(Value::Null);
    }
    json::skip(text)?; // what stands beside the id is ignored, but for duplicate keys
    let mut id = None;
    json::members(text, |key, raw| {
        if &*key == b"id" {
            id = Some(raw);
        }
        Ok(())
    })?;
    reader.within("id", |reader| {
        Ok(match id {
            None | Some("null") => {
                reader.problem(Problem::new(ErrorCode::Required));
                Value::Null
            }
            Some(raw) => read_scalar(&Scalar::Uuid, raw, true, reader),
        })
    })
}

/// Where the reading is, and what it found.
struct Reader {
    reading: Reading,
    path: String,
    problems: Vec<Problem>,
    unknown: Vec<Problem>,
    deprecation: Option<Deprecation>,
}

impl Reader {
    fn new(reading: Reading) -> Self {
        Self { reading, path: String::new(), problems: Vec::new(), unknown: Vec::new(), deprecation: None }
    }

    fn within<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let result = read(self);
        self.path.truncate(length);
        result
    }

    fn problem(&mut self, mut problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            problem.path = (!self.path.is_empty()).then(|| self.path.clone());
            self.problems.push(problem);
        }
    }

    fn unknown<'n>(&mut self, name: &str, nearest: impl FnOnce() -> Option<&'n str>) {
        if self.unknown.len() < MAX_PROBLEMS {
            let path = self.within(name, |reader| reader.path.clone());
            let problem = Problem::at(ErrorCode::UnknownProperty, path);
            self.unknown.push(match nearest() {
                Some(nearest) => problem.with("nearest", nearest),
                None => problem,
            });
        }
    }

    fn count(&self) -> usize {
        self.problems.len()
    }

    fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems;
        problems.extend(self.unknown);
        problems.truncate(MAX_PROBLEMS);
        problems
    }
}
