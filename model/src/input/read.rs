//! One field's value out of JSON: a scalar, a price, a reference, an object, an array, a map, any JSON.

use super::free::{AnyJson, MapShape};
use super::json::{self, Malformed};
use super::members::find_members;
use super::reader::{Reader, Reading, StoredItems};
use super::scalar::Scalar;
use super::shape::Shape;
use super::token::Token;
use crate::check::Checked;
use crate::error::{ErrorCode, Problem};
use crate::field::{Field, Type};
use crate::names;
use crate::value::Value;

/// Items of a list with too many whose values are kept: what is beyond is read, and not looked for in the database.
const MAX_KEPT_ITEMS: usize = 1000;

/// The properties of a price.
pub(super) const PRICE_NAMES: [&str; 2] = ["amount", "currency"];

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
    /// Values under free names.
    Map(Box<MapShape>),
    /// Any JSON.
    Json(AnyJson),
}

/// A list's items and bounds.
#[derive(Debug, Clone)]
pub struct ArrayShape {
    items: Read,
    min_items: Option<u32>,
    max_items: Option<u32>,
    unique_items: bool,
}

impl Read {
    /// The reader of a type with all fields of its objects; `None` where a name leads nowhere.
    #[must_use]
    pub fn compile(service: &Checked, ty: &Type) -> Option<Self> {
        Self::compile_for(service, ty, &|_| true)
    }

    pub(super) fn compile_for(service: &Checked, ty: &Type, has: &dyn Fn(&Field) -> bool) -> Option<Self> {
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
            Type::Map { values, min_items, max_items, pattern } => Self::Map(Box::new(MapShape::new(
                Self::compile_for(service, values, has)?,
                (*min_items, *max_items),
                pattern.clone(),
            ))),
            Type::Json { max_bytes } => Self::Json(AnyJson::new(*max_bytes)),
            Type::Named { name } => match service.object(name) {
                Some(object) => Self::Object(Shape::compile(service, &object.fields, &[], has)),
                None => Self::Scalar(Scalar::compile(ty, service.enumeration(name))?),
            },
            scalar => Self::Scalar(Scalar::compile(scalar, None)?),
        })
    }

    /// What null and nothing are: an empty list for an array, an empty map for a map.
    pub(super) fn blank(&self) -> Value {
        match self {
            Self::Array(_) => Value::List(Vec::new()),
            Self::Map(_) => Value::Map(Vec::new()),
            _ => Value::Null,
        }
    }

    /// Reads one value on its own, for its problems.
    #[must_use]
    pub fn read_alone(&self, text: &str, required: bool) -> Vec<Problem> {
        let mut reader = Reader::new(Reading::Create);
        match self.read(text, required, &mut reader) {
            Ok(_) => reader.finish(),
            Err(Malformed(reason)) => vec![Problem::new(ErrorCode::MalformedJson).with("reason", reason)],
        }
    }

    pub(crate) fn default_value(&self, text: &str) -> Value {
        self.read(text, false, &mut Reader::new(Reading::Create)).unwrap_or_default()
    }

    pub(super) fn read(&self, text: &str, required: bool, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
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
            Self::Map(map) => map.read(text, required, reader),
            Self::Json(json) => json.read(text, reader),
        }
    }

    /// The object that it is, or the one that its items are, if fields in it have a former name.
    pub(super) fn two_named(&self) -> Option<&Shape> {
        match self {
            Self::Object(shape) => Some(shape).filter(|shape| shape.has_two_names()),
            Self::Array(array) => array.items.two_named(),
            Self::Scalar(_) | Self::Price(_) | Self::Reference | Self::Map(_) | Self::Json(_) => None,
        }
    }

    /// Whether it, or a part of it, is JSON of any form.
    pub(super) fn has_json(&self) -> bool {
        match self {
            Self::Json(_) => true,
            Self::Object(shape) => shape.has_json(),
            Self::Array(array) => array.items.has_json(),
            Self::Map(map) => map.values().has_json(),
            Self::Scalar(_) | Self::Price(_) | Self::Reference => false,
        }
    }

    /// Whether a path names something under a field that is read so.
    pub(super) fn has(&self, path: &str) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::Price(_) => PRICE_NAMES.contains(&path),
            Self::Reference => path == "id",
            Self::Object(shape) => shape.has(path),
            Self::Array(array) => array.items.has(path),
            // what is under a free name, nothing else is known of
            Self::Map(_) | Self::Json(_) => true,
        }
    }

    pub(super) fn complete_item(&self, value: Value) -> Value {
        match self {
            Self::Object(shape) => shape.complete(value),
            _ => value,
        }
    }
}

impl ArrayShape {
    /// How many items it has at least.
    pub(super) fn least(&self) -> Option<u32> {
        self.min_items
    }

    /// What its items are.
    #[must_use]
    pub fn items(&self) -> &Read {
        &self.items
    }

    pub(super) fn read(&self, text: &str, required: bool, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        if !text.starts_with('[') {
            json::skip(text)?;
            reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "array"));
            return Ok(Value::List(Vec::new()));
        }
        let stored = self.items.two_named().map(|_| StoredItems::of(reader, text)).transpose()?;
        // an item has no stored one that it could keep something of
        let outer = std::mem::replace(&mut reader.reading, Reading::Create);
        let mut items = Vec::new();
        let mut count = 0;
        let read = json::items(text, |raw| {
            count += 1;
            // no more problems are reported, and so no value is used
            if reader.is_full() {
                return json::skip(raw);
            }
            let index = items.len();
            let item = reader.within(itoa::Buffer::new().format(index), |reader| match &stored {
                Some(stored) => reader.beside_stored(stored.at(index), |reader| self.items.read(raw, true, reader)),
                None => self.items.read(raw, true, reader),
            })?;
            items.push(self.items.complete_item(item));
            Ok(())
        });
        reader.reading = outer;
        read?;
        self.constrain(&items, count, required, reader);
        if let Some(max) = self.max_items {
            items.truncate(MAX_KEPT_ITEMS.max(max as usize));
        }
        Ok(Value::List(items))
    }

    fn constrain(&self, items: &[Value], count: usize, required: bool, reader: &mut Reader<'_>) {
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

fn read_scalar(scalar: &Scalar, text: &str, required: bool, reader: &mut Reader<'_>) -> Value {
    let token = Token::of(text);
    if scalar.takes_blank() && token.is_blank() {
        if required {
            reader.problem(Problem::new(ErrorCode::Required));
        }
        return Value::Null;
    }
    match scalar.parse(&token) {
        Ok(value) => {
            reader.uses(scalar.deprecation_of(&value));
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
pub(super) fn skipped(text: &str, value: Value) -> Result<Value, Malformed> {
    if text.starts_with(['{', '[']) {
        json::skip(text)?;
    }
    Ok(value)
}

fn read_price(scalars: &[Scalar; 2], text: &str, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
    if !text.starts_with('{') {
        json::skip(text)?;
        reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
        return Ok(Value::Null);
    }
    let name = |index: usize| PRICE_NAMES.get(index).copied();
    let nearest = |word: &str| names::nearest(word, PRICE_NAMES);
    let given = find_members(text, PRICE_NAMES.len(), name, &[], nearest, reader)?;
    let mut values = [Value::Null, Value::Null];
    for ((name, scalar), (raw, value)) in PRICE_NAMES.iter().zip(scalars).zip(given.into_iter().zip(&mut values)) {
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

fn read_reference(text: &str, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, max_items: u32) -> (Value, Vec<Problem>) {
        let scalar = Scalar::compile(&Type::Boolean, None).expect("a scalar");
        let items = Read::Scalar(scalar);
        let array = ArrayShape { items, min_items: None, max_items: Some(max_items), unique_items: false };
        let mut reader = Reader::new(Reading::Create);
        let value = array.read(text, true, &mut reader).expect("well-formed");
        (value, reader.finish())
    }

    fn kept(value: &Value) -> usize {
        match value {
            Value::List(items) => items.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_too_much_is_counted_and_not_kept() {
        let (value, problems) = read(&format!("[{}true]", "true,".repeat(300_000)), 8);
        assert_eq!((kept(&value), problems.len()), (MAX_KEPT_ITEMS, 1));
        assert_eq!(problems[0].code, ErrorCode::TooManyItems);
        let (value, _) = read(&format!("[{}[]]", "[],".repeat(300_000)), 8);
        assert!(kept(&value) <= crate::input::MAX_PROBLEMS, "{}", kept(&value));
    }

    #[test]
    fn a_pattern_is_repeated_as_it_is_written() {
        let pattern = Some(crate::pattern::Pattern::from(r"^\d+$"));
        let ty = Type::String { min_length: None, max_length: None, pattern, format: None };
        let scalar = Read::Scalar(Scalar::compile(&ty, None).expect("a scalar"));
        let problems = scalar.read_alone("\"x\"", true);
        assert_eq!(problems[0].code, ErrorCode::PatternMismatch);
        assert!(format!("{:?}", problems[0]).contains(r#""^\\d+$""#), "{problems:?}");
        assert!(scalar.read_alone("\"12\"", true).is_empty());
    }

    #[test]
    fn what_is_allowed_is_kept() {
        let (value, problems) = read(&format!("[{}true]", "true,".repeat(2999)), 3000);
        assert_eq!((kept(&value), problems.len()), (3000, 0));
    }
}
