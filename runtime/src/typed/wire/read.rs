//! Reads neutral values along their form.

use super::details::ResponseDetails;
use super::form::{WireField, WireForm, WireScalar};
use super::{COMMON, ReadEntity, Typed, WireId};
use restwell_model::Value;
use restwell_model::input::Token;
use restwell_model::language::JsonForm;
use restwell_model::scalar::Currency;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct WireReader<'a> {
    form: &'a WireForm,
    /// Whether it may be null.
    is_nullable: bool,
    /// Where it is.
    place: Option<&'a WirePlace<'a>>,
    /// Collected where it is part of a response.
    details: Option<&'a RefCell<ResponseDetails>>,
}

/// A place in the JSON that is read.
struct WirePlace<'a> {
    outer: Option<&'a WirePlace<'a>>,
    step: WireStep<'a>,
}

#[derive(Clone, Copy)]
enum WireStep<'a> {
    Member(&'a str),
    Item(usize),
}

impl fmt::Display for WirePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            write!(f, "{outer}.")?;
        }
        match self.step {
            WireStep::Member(name) => f.write_str(name),
            WireStep::Item(index) => write!(f, "{index}"),
        }
    }
}

impl<'a> WireReader<'a> {
    /// A reader of a whole value.
    pub(super) fn of(form: &'a WireForm) -> Self {
        Self { form, is_nullable: false, place: None, details: None }
    }

    fn scalar<E: Error>(&self, token: &Token<'_>, found: Unexpected<'_>) -> Result<Value, E> {
        let read = match (self.form, token) {
            (WireForm::Scalar(scalar), token) if scalar.takes(token) => self.parse(scalar, token),
            (WireForm::Enum, Token::Text(text)) => Some(Value::Text(text.clone().into_owned())),
            _ => return Err(E::invalid_type(found, self)),
        };
        read.ok_or_else(|| E::invalid_value(found, self))
    }

    fn parse(&self, scalar: &WireScalar, token: &Token<'_>) -> Option<Value> {
        match token {
            Token::Text(text) if self.is_nullable && scalar.is_blank(text) => Some(Value::Null),
            token => scalar.parse(token),
        }
    }

    fn null<E: Error>(&self) -> Result<Value, E> {
        match self.form {
            WireForm::Array(_) if self.is_nullable => Ok(Value::List(Vec::new())),
            WireForm::Map(_) if self.is_nullable => Ok(Value::Map(Vec::new())),
            _ if self.is_nullable => Ok(Value::Null),
            _ => Err(E::invalid_type(Unexpected::Unit, self)),
        }
    }

    fn missing<E: Error>(&self, name: &str) -> E {
        E::custom(format_args!("missing field `{}`", WirePlace { outer: self.place, step: WireStep::Member(name) }))
    }

    /// Reads the members of an object; `other` gets what is none of them.
    fn members<'de, A: MapAccess<'de>>(
        &self,
        fields: &[WireField],
        map: &mut A,
        mut other: impl FnMut(&str, &mut A) -> Result<(), A::Error>,
    ) -> Result<Value, A::Error> {
        let mut values: Vec<Option<Value>> = fields.iter().map(|_| None).collect();
        // under former names: they count where there is no present one
        let mut formers = values.clone();
        while let Some(key) = map.next_key::<String>()? {
            let is_former = |field: &WireField| field.former.as_ref() == Some(&key);
            let Some(index) = fields.iter().position(|field| field.name == key || is_former(field)) else {
                other(&key, map)?;
                continue;
            };
            let values = if is_former(&fields[index]) { &mut formers } else { &mut values };
            let (field, place) = (&fields[index], WirePlace { outer: self.place, step: WireStep::Member(&key) });
            let reader =
                WireReader { form: &field.form, is_nullable: !field.is_required, place: Some(&place), ..*self };
            if values[index].replace(map.next_value_seed(reader)?).is_some() {
                return Err(A::Error::custom(format_args!("duplicate field `{place}`")));
            }
        }
        let given = fields.iter().zip(values.into_iter().zip(formers)).map(|(field, (value, former))| {
            value.or(former).or_else(|| self.absent(field)).ok_or_else(|| self.missing(&field.name))
        });
        given.collect::<Result<_, _>>().map(Value::Object)
    }

    fn absent(&self, field: &WireField) -> Option<Value> {
        let Some(details) = self.details else { return field.absent() };
        details.borrow_mut().lack(&field.path);
        field.absent_from_response()
    }

    fn entries<'de, A: MapAccess<'de>>(&self, form: &WireForm, map: &mut A) -> Result<Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let place = WirePlace { outer: self.place, step: WireStep::Member(&name) };
            let reader = WireReader { form, is_nullable: false, place: Some(&place), details: None };
            let value = map.next_value_seed(reader)?;
            if entries.contains_key(&name) {
                return Err(A::Error::custom(format_args!("duplicate field `{place}`")));
            }
            entries.insert(name, value);
        }
        Ok(Value::Map(entries.into_iter().collect()))
    }

    fn price<'de, A: MapAccess<'de>>(&self, forms: &[WireForm; 2], map: &mut A) -> Result<Value, A::Error> {
        const NAMES: [&str; 2] = ["amount", "currency"];
        let mut values = [None, None];
        while let Some(key) = map.next_key::<String>()? {
            let Some(index) = NAMES.iter().position(|name| *name == key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let place = WirePlace { outer: self.place, step: WireStep::Member(&key) };
            let reader = WireReader { form: &forms[index], is_nullable: false, place: Some(&place), details: None };
            values[index] = Some(map.next_value_seed(reader)?);
        }
        match values {
            [Some(Value::Int(minor)), Some(Value::Text(code))] => {
                let currency = Currency::parse(&code).ok_or_else(|| self.missing(NAMES[1]))?;
                Ok(Value::Price(minor, currency))
            }
            [None, _] => Err(self.missing(NAMES[0])),
            _ => Err(self.missing(NAMES[1])),
        }
    }

    fn reference<'de, A: MapAccess<'de>>(&self, path: &str, map: &mut A) -> Result<Value, A::Error> {
        let (mut id, mut beside) = (None, Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            if key == COMMON[0] {
                id = Some(map.next_value::<WireId>()?.0);
            } else if self.details.is_some() {
                beside.push((key, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let id = id.ok_or_else(|| self.missing(COMMON[0]))?;
        if let Some(details) = self.details {
            details.borrow_mut().show(path, id, beside);
        }
        Ok(Value::Uuid(id))
    }
}

impl<'de> DeserializeSeed<'de> for WireReader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if matches!(self.form, WireForm::Json) {
            let value = Json::deserialize(deserializer)?.to_value();
            return if value.is_null() { self.null() } else { Ok(value) };
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for WireReader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form.what())?;
        match self.place {
            Some(place) => write!(f, " in `{place}`"),
            None => Ok(()),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.null()
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.null()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        self.scalar(&Token::Bool(flag), Unexpected::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        self.scalar(&Token::Number(&number.to_string()), Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.scalar(&Token::Number(&number.to_string()), Unexpected::Unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        match self.form {
            // its digits need not be written to be read again
            WireForm::Scalar(WireScalar { json: JsonForm::Number, .. }) if number.is_finite() => {
                Ok(Value::Float(number + 0.0)) // -0 becomes 0
            }
            _ => self.scalar(&Token::Number(&number.to_string()), Unexpected::Float(number)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.scalar(&Token::Text(Cow::Borrowed(text)), Unexpected::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let WireForm::Array(items) = self.form else { return Err(A::Error::invalid_type(Unexpected::Seq, &self)) };
        let mut values = Vec::new();
        loop {
            let place = WirePlace { outer: self.place, step: WireStep::Item(values.len()) };
            let reader = WireReader { form: items, is_nullable: false, place: Some(&place), ..self };
            match seq.next_element_seed(reader)? {
                Some(value) => values.push(value),
                None => return Ok(Value::List(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        match self.form {
            WireForm::Object(fields) => {
                self.members(fields, &mut map, |_, map| map.next_value::<IgnoredAny>().map(drop))
            }
            WireForm::Map(form) => self.entries(form, &mut map),
            WireForm::Price(forms) => self.price(forms, &mut map),
            WireForm::Reference(path) => self.reference(path, &mut map),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

/// Reads an entity, as a response has it.
pub(super) struct EntityReader<'a>(pub(super) &'a WireForm);

impl<'de> Visitor<'de> for EntityReader<'_> {
    type Value = ReadEntity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an entity")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ReadEntity, A::Error> {
        let WireForm::Object(fields) = self.0 else { return Err(A::Error::invalid_type(Unexpected::Map, &self)) };
        let details = RefCell::new(ResponseDetails::default());
        let reader = WireReader { details: Some(&details), ..WireReader::of(self.0) };
        let (mut id, mut created_at, mut updated_at) = (None, None, None);
        let value = reader.members(fields, &mut map, |key, map| {
            match COMMON.iter().position(|name| *name == key) {
                Some(0) => id = Some(map.next_value::<WireId>()?.0),
                Some(1) => created_at = Some(map.next_value()?),
                Some(_) => updated_at = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
            Ok(())
        })?;
        let missing = |index: usize| A::Error::missing_field(COMMON[index]);
        Ok(ReadEntity {
            id: id.ok_or_else(|| missing(0))?,
            created_at: created_at.ok_or_else(|| missing(1))?,
            updated_at: updated_at.ok_or_else(|| missing(2))?,
            value,
            details: details.into_inner(),
        })
    }
}
