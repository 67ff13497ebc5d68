//! A value of a type, within its constraints.

use super::known::KnownEntities;
use super::random::Random;
use super::text::{self, TextRules};
use crate::check::Checked;
use crate::field::Field;
use crate::input::{MAX_MAP_NAME, check_field_json, check_json, is_map_name};
use crate::language::{Characters, DEFAULT_MAP_ENTRIES, TextExamples, Type};
use crate::pattern::Pattern;
use crate::resource::{Version, View};
use crate::scalar::{Date, Time, Timestamp, decimal};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use uuid::Uuid;

/// Objects inside objects; deeper optional ones are left out.
const MAX_NESTING: usize = 8;
/// Values that are tried before one is given up: a pattern may be hard to meet.
const ATTEMPTS: usize = 24;
/// Values within a body, with those that are tried: a body that needs more is given up.
const MAX_VALUES: usize = 10_000;
/// Characters of a text that count as a value.
const CHARACTERS: u32 = 16;
/// Items beyond the least number in an array.
const MORE_ITEMS: u32 = 2;
/// How often an optional field has a value, in percent.
const FILLED: u64 = 80;

/// The last digits of a number, and how many numbers they make.
const LAST_DIGITS: usize = 7;
const NUMBERS: usize = 10_000_000;

/// Names in maps.
const MAP_NAMES: [&str; 4] = ["colour", "size", "origin", "batch"];
/// How far apart the numbers of two attempts are.
pub(super) const STRIDE: usize = 1009;

/// The currencies of prices that may be in any.
const CURRENCIES: [&str; 3] = ["EUR", "PLN", "GBP"];

/// 2025-01-01 and 2027-12-31.
const DAYS: (i64, i64) = (20089, 21183);
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Makes values.
pub(super) struct ValueMaker<'a> {
    pub(super) service: &'a Checked,
    pub(super) random: Random,
    /// The ids of the entities of each resource that are there to refer to.
    pub(super) known: HashMap<String, Vec<Uuid>>,
    /// What these say, as far as it is known.
    pub(super) entities: KnownEntities,
    /// References may name entities that do not exist: the result is never stored.
    pub(super) may_invent: bool,
    /// The number that makes texts different, where they must differ.
    pub(super) number: usize,
    /// Every optional field has a value.
    pub(super) is_complete: bool,
    pub(super) depth: usize,
    /// The values that were made for the present body.
    pub(super) made: usize,
    /// The version that bodies are of; `None`: fields of all versions.
    pub(super) version: Option<Version>,
    /// The view that bodies are of; `None`: the resource itself.
    pub(super) view: Option<&'a View>,
    /// The required field that had no value.
    pub(super) stuck: Option<String>,
}

impl<'a> ValueMaker<'a> {
    /// Its values follow from the seed.
    pub(super) fn new(service: &'a Checked, seed: u64) -> Self {
        Self {
            service,
            random: Random::new(seed),
            known: HashMap::new(),
            entities: KnownEntities::default(),
            may_invent: false,
            number: 0,
            is_complete: true,
            depth: 0,
            made: 0,
            version: None,
            view: None,
            stuck: None,
        }
    }
}

impl ValueMaker<'_> {
    /// The fields that a body of the version can set.
    pub(super) fn settable<'f>(&self, fields: &'f [Field]) -> Vec<&'f Field> {
        let is_there = |field: &Field| self.version.is_none_or(|version| field.is_in(version, self.view));
        fields.iter().filter(|field| !field.is_ignored_in_requests() && is_there(field)).collect()
    }

    /// An object with these fields; `None` where a required one can have no value.
    pub(super) fn object(&mut self, fields: &[&Field], is_unique: &dyn Fn(&str) -> bool) -> Option<Map<String, Json>> {
        if self.depth == 0 {
            self.made = 0;
        }
        let mut object = Map::new();
        for field in fields {
            // what may be required is always there
            let is_wanted = field.required && field.default.is_none()
                || field.required_when.is_some()
                || self.depth < MAX_NESTING && (self.is_complete || self.random.percent(FILLED));
            if !is_wanted {
                continue;
            }
            let value = self.field(field, field.unique.is_on() || is_unique(&field.name));
            match value {
                Some(value) => drop(object.insert(field.name.clone(), value)),
                None if field.required && field.default.is_none() => {
                    self.stuck = Some(field.name.clone());
                    return None;
                }
                None => {}
            }
        }
        Some(object)
    }

    /// A value of a field: its example first, then others.
    pub(super) fn field(&mut self, field: &Field, is_unique: bool) -> Option<Json> {
        let example = field
            .example
            .as_ref()
            .filter(|_| self.is_complete && !is_unique && !matches!(field.ty.element(), Type::Ref { .. }));
        if let Some(example) = example.filter(|example| check_field_json(self.service, field, example).is_empty()) {
            return Some(example.clone());
        }
        (0..ATTEMPTS).find_map(|attempt| {
            let value = self.value(&field.name, &field.ty, is_unique || attempt > 0)?;
            check_field_json(self.service, field, &value).is_empty().then_some(value)
        })
    }

    fn is_valid(&self, ty: &Type, value: &Json) -> bool {
        check_json(self.service, ty, value).is_empty()
    }

    pub(super) fn value(&mut self, name: &str, ty: &Type, is_unique: bool) -> Option<Json> {
        let length = if let Type::String { min_length: Some(least), .. } = ty { *least } else { 0 };
        self.made = self.made.saturating_add((1 + length / CHARACTERS) as usize);
        if self.made > MAX_VALUES {
            return None;
        }
        let number = is_unique.then_some(self.number);
        match ty {
            Type::String { min_length, max_length, pattern, format } => {
                let rules = TextRules {
                    min_length: *min_length,
                    max_length: *max_length,
                    pattern: pattern.as_ref(),
                    format: *format,
                };
                text::text(name, rules, number, &mut self.random).map(Json::from)
            }
            Type::Integer { minimum, maximum } => Some(json!(self.integer(*minimum, *maximum, 1000))),
            Type::Number { minimum, maximum } => {
                let least = minimum.unwrap_or_else(|| maximum.map_or(0.0, |most| most.min(0.0)));
                let most = maximum.unwrap_or(least + 100.0);
                let part = self.random.between(0, 1000) as f64 / 1000.0;
                let exact = least + (most - least) * part;
                let rounded = (exact * 100.0).round() / 100.0;
                Some(json!(if (least..=most).contains(&rounded) { rounded } else { exact }))
            }
            Type::Decimal { minimum, maximum, scale } => {
                Some(json!(self.decimal(*minimum, *maximum, *scale)?.to_string()))
            }
            Type::Boolean => Some(json!(self.random.percent(50))),
            Type::Uuid => Some(json!(self.id().to_string())),
            Type::Timestamp { minimum, maximum } => {
                let (least, most) = (minimum.map(Timestamp::millis), maximum.map(Timestamp::millis));
                let (first, last) = within((DAYS.0 * DAY, DAYS.1 * DAY), least, most);
                let millis = self.random.between(first, last);
                // whole minutes look like what people write
                let minute = millis - millis.rem_euclid(60_000);
                let millis = if minute >= first { minute } else { millis };
                Timestamp::from_millis(millis).map(|time| json!(time.to_string()))
            }
            Type::Date { minimum, maximum } => {
                let (first, last) = within(DAYS, minimum.map(Date::days), maximum.map(Date::days));
                Date::from_days(self.random.between(first, last)).map(|date| json!(date.to_string()))
            }
            Type::Time => {
                let quarter = self.random.between(0, 95) * 15 * 60_000;
                Time::from_millis(quarter).map(|time| json!(time.to_string()))
            }
            Type::Price { minimum, maximum, currencies } => {
                let least =
                    minimum.or(Some(Decimal::new(1, 2)).filter(|cent| maximum.is_none_or(|most| *cent <= most)));
                let amount = self.decimal(least, *maximum, 2)?;
                let currency = match currencies.is_empty() {
                    // an offer has its prices in one currency
                    true => CURRENCIES.get(self.number % CURRENCIES.len()).map(|&currency| currency.to_owned()),
                    false => self.random.one_of(currencies).cloned(),
                };
                Some(json!({ "amount": amount.to_string(), "currency": currency? }))
            }
            Type::Ref { to, .. } => self.reference(to, is_unique).map(|id| json!({ "id": id.to_string() })),
            Type::Array { items, min_items, max_items, unique_items } => {
                self.array(name, items, (*min_items, *max_items), *unique_items)
            }
            Type::Map { values, min_items, max_items, pattern } => {
                self.map(values, (*min_items, *max_items), pattern.as_ref())
            }
            Type::Json { .. } => Some(self.any_json(ty)),
            Type::Named { name: of } => self.named(of),
            // texts of one form
            other => self.text_of_one_form(other.scalar()?.text_examples()?).map(Json::from),
        }
    }

    /// One of the samples; of numbers, one with other last digits, since few samples do not do where each is unique.
    fn text_of_one_form(&mut self, of: &TextExamples) -> Option<String> {
        let sample = *self.random.one_of(of.samples)?;
        let kept = sample.len().checked_sub(LAST_DIGITS);
        match kept.and_then(|kept| sample.get(..kept)).filter(|_| of.shape.characters == Characters::Digits) {
            Some(kept) => Some(format!("{kept}{:0LAST_DIGITS$}", self.random.below(NUMBERS))),
            None => Some(sample.to_owned()),
        }
    }

    fn integer(&mut self, minimum: Option<i64>, maximum: Option<i64>, span: i64) -> i64 {
        let least = minimum.unwrap_or_else(|| maximum.map_or(1, |most| most.min(1)));
        let most = maximum.unwrap_or_else(|| least.saturating_add(span)).min(least.saturating_add(span));
        self.random.between(least, most)
    }

    fn decimal(&mut self, minimum: Option<Decimal>, maximum: Option<Decimal>, scale: u32) -> Option<Decimal> {
        let unit = 10_i64.checked_pow(scale)?;
        let units = |bound: Decimal| (bound * Decimal::from(unit)).to_i64();
        let least = minimum.map(|bound| units(bound.ceil_to(scale))).unwrap_or(Some(0))?;
        let least = maximum.and_then(units).map_or(least, |most| least.min(most));
        let most = maximum.and_then(units).unwrap_or_else(|| least.saturating_add(unit.saturating_mul(500)));
        let most = most.min(least.saturating_add(unit.saturating_mul(500)));
        Some(decimal::to_decimal(self.random.between(least, most), scale))
    }

    /// Where each has to refer to another entity, one after the other first.
    fn reference(&mut self, to: &str, is_unique: bool) -> Option<Uuid> {
        let is_in_turn = is_unique && (self.number / STRIDE).is_multiple_of(2);
        match self.known.get(to) {
            Some(ids) if is_in_turn && !ids.is_empty() => ids.get(self.number % ids.len()).copied(),
            Some(ids) if !ids.is_empty() => ids.get(self.random.below(ids.len())).copied(),
            _ if self.may_invent => Some(self.id()),
            _ => None,
        }
    }

    fn id(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(
            ((u128::from(self.random.next()) << 64) | u128::from(self.random.next())).to_be_bytes(),
        )
        .into_uuid()
    }

    fn array(&mut self, name: &str, items: &Type, bounds: (Option<u32>, Option<u32>), is_set: bool) -> Option<Json> {
        let least = bounds.0.unwrap_or(0);
        let most = bounds.1.unwrap_or(u32::MAX).min(least.saturating_add(MORE_ITEMS));
        let count = self.random.between(least.into(), most.into());
        let mut list: Vec<Json> = Vec::new();
        for position in 0..count {
            let item = (0..ATTEMPTS).find_map(|attempt| {
                self.number = self.number.wrapping_add(usize::from(attempt > 0));
                let item = self.value(name, items, is_set || attempt > 0)?;
                (self.is_valid(items, &item) && !(is_set && list.contains(&item))).then_some(item)
            });
            match item {
                Some(item) => list.push(item),
                None if position < i64::from(least) => return None,
                None => break,
            }
        }
        Some(Json::Array(list))
    }

    /// A map, with names as people choose them, or others that meet its pattern.
    fn map(&mut self, values: &Type, bounds: (Option<u32>, Option<u32>), pattern: Option<&Pattern>) -> Option<Json> {
        let least = bounds.0.unwrap_or(0);
        let most = bounds.1.unwrap_or(DEFAULT_MAP_ENTRIES).min(least.saturating_add(MORE_ITEMS));
        let count = self.random.between(least.into(), most.into());
        let known = pattern.and_then(|pattern| pattern.compiled().ok());
        let fits = |name: &str| is_map_name(name) && known.as_ref().is_none_or(|pattern| pattern.is_match(name));
        let mut map = Map::new();
        for position in 0..count {
            let entry = (0..ATTEMPTS).find_map(|attempt| {
                let number = self.number.wrapping_add(attempt + position as usize * ATTEMPTS);
                let word = MAP_NAMES[(position as usize + attempt) % MAP_NAMES.len()];
                let name = match attempt < MAP_NAMES.len() && (position as usize) < MAP_NAMES.len() {
                    true => word.to_owned(),
                    false => {
                        let most = Some(MAX_MAP_NAME as u32);
                        let rules = TextRules { min_length: Some(1), max_length: most, pattern, format: None };
                        text::text(word, rules, Some(number), &mut self.random)?
                    }
                };
                let value = self.value(&name, values, attempt > 0)?;
                let is_new = fits(&name) && !map.contains_key(&name);
                (is_new && self.is_valid(values, &value)).then_some((name, value))
            });
            match entry {
                Some((name, value)) => drop(map.insert(name, value)),
                None if position < i64::from(least) => return None,
                None => break,
            }
        }
        Some(Json::Object(map))
    }

    /// JSON as a partner's settings, or a number where it has to be short.
    fn any_json(&mut self, ty: &Type) -> Json {
        let settings = json!({ "source": "import", "tags": ["new", "checked"], "weight": self.random.between(1, 100) });
        if self.is_valid(ty, &settings) { settings } else { json!(self.random.between(1, 9)) }
    }

    fn named(&mut self, name: &str) -> Option<Json> {
        if let Some(enumeration) = self.service.enumeration(name) {
            return self.random.one_of(&enumeration.values).map(|value| json!(value));
        }
        let object = self.service.object(name)?;
        let fields = self.settable(&object.fields);
        self.depth += 1;
        let made = if self.depth > 2 * MAX_NESTING { None } else { self.object(&fields, &|_| false) };
        self.depth -= 1;
        made.map(Json::Object)
    }
}

/// The usual span, moved to where the bounds allow values.
fn within(usual: (i64, i64), least: Option<i64>, most: Option<i64>) -> (i64, i64) {
    let width = usual.1 - usual.0;
    let first = least.map_or(usual.0, |least| usual.0.max(least));
    let last = most.map_or(usual.1, |most| usual.1.min(most));
    match (first <= last, least, most) {
        (true, ..) => (first, last),
        (false, Some(least), most) => (least, most.unwrap_or(i64::MAX).min(least.saturating_add(width))),
        (false, None, _) => (last.saturating_sub(width), last),
    }
}

/// A bound, rounded up to `scale` decimal places.
trait CeilTo {
    fn ceil_to(self, scale: u32) -> Self;
}

impl CeilTo for Decimal {
    fn ceil_to(self, scale: u32) -> Self {
        self.round_dp_with_strategy(scale, rust_decimal::RoundingStrategy::ToPositiveInfinity)
    }
}
