//! Values that are taken from others, or are one step away from them.

use super::random::Random;
use super::value::ValueMaker;
use crate::field::Field;
use crate::input::{check_field_json, check_json};
use crate::language::{Type, TypeClass};
use crate::scalar::{Date, Timestamp, decimal};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

/// How often a reference is to one of the entities that the candidates name, in percent.
const NAMED: u64 = 60;
/// Choices of a value before a field is left as it is.
const CHOICES: usize = 12;
/// How often a field gets a new value that follows from nothing, and how often an optional one has none, in percent.
const FRESH: u64 = 20;
const OMITTED: u64 = 12;
const DAY: i64 = 24 * 60 * 60 * 1000;

impl ValueMaker<'_> {
    /// Another value for a field of a body: from these constants, from the body and what it refers to, or one that
    /// follows from nothing.
    pub(super) fn change(&mut self, field: &Field, constants: &[Json], now: Timestamp, body: &mut Map<String, Json>) {
        let is_optional = !field.required || field.default.is_some();
        if is_optional && body.contains_key(&field.name) && self.random.percent(OMITTED) {
            body.remove(&field.name);
            return;
        }
        self.number = self.random.below(1_000_000);
        self.is_complete = false;
        let mut candidates = constants.to_vec();
        candidates.extend([json!(now.to_string()), json!(now.date().to_string())]);
        self.entities.candidates(body, &mut candidates);
        for _ in 0..CHOICES {
            let value = match self.random.percent(FRESH) {
                true => self.field(field, true),
                false => self.choice(&field.name, &field.ty, body.get(&field.name), &candidates),
            };
            let Some(value) = value else { continue };
            if check_field_json(self.service, field, &value).is_empty() {
                body.insert(field.name.clone(), value);
                return;
            }
        }
    }

    /// A value that is, or is near, one of the candidates; within objects and arrays one value changes.
    fn choice(&mut self, name: &str, ty: &Type, present: Option<&Json>, candidates: &[Json]) -> Option<Json> {
        match (ty, ty.class(), present) {
            (Type::Array { items, .. }, _, Some(Json::Array(present))) if !present.is_empty() => {
                let mut list = present.clone();
                let place = self.random.below(list.len());
                let item = list.get_mut(place)?;
                *item = self.choice(name, items, Some(&item.clone()), candidates)?;
                Some(Json::Array(list))
            }
            (_, TypeClass::Named(of), Some(Json::Object(present))) => {
                let object = self.service.object(of)?;
                let fields = self.settable(&object.fields);
                let field = *self.random.one_of(&fields)?;
                let value = self.choice(&field.name, &field.ty, present.get(&field.name), candidates)?;
                let mut members = present.clone();
                members.insert(field.name.clone(), value);
                Some(Json::Object(members))
            }
            (Type::Array { .. }, ..) | (_, TypeClass::Named(_), None) => self.fresh(name, ty),
            (_, TypeClass::Ref(to), _) => {
                let known = self.known.get(to)?;
                let near: Vec<Uuid> = candidates.iter().filter_map(referred).filter(|id| known.contains(id)).collect();
                let id = match self.random.percent(NAMED) {
                    true => self.random.one_of(&near).copied(),
                    false => None,
                };
                let id = id.or_else(|| self.random.one_of(known).copied())?;
                Some(json!({ "id": id.to_string() }))
            }
            (Type::Price { .. }, ..) => price(&mut self.random, present, candidates),
            _ => {
                let near = candidates.iter().flat_map(|value| near(ty, value));
                let valid: Vec<Json> = near.filter(|value| check_json(self.service, ty, value).is_empty()).collect();
                self.random.one_of(&valid).cloned().or_else(|| self.fresh(name, ty))
            }
        }
    }

    fn fresh(&mut self, name: &str, ty: &Type) -> Option<Json> {
        self.made = 0;
        self.value(name, ty, true)
    }
}

/// The id that a value refers to.
pub(super) fn referred(value: &Json) -> Option<Uuid> {
    value.get("id")?.as_str()?.parse().ok()
}

/// A price with the amount of one candidate, or near it, and the currency of the same or of another one.
fn price(random: &mut Random, present: Option<&Json>, candidates: &[Json]) -> Option<Json> {
    let amount_of = |value: &Json| match value {
        Json::Object(price) => price.get("amount").and_then(Json::as_str).map(str::to_owned),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let is_currency = |text: &&str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let amounts: Vec<String> = candidates.iter().filter_map(amount_of).collect();
    let currencies: Vec<&str> = candidates.iter().filter_map(Json::as_str).filter(is_currency).collect();
    let part = |name: &str| present.and_then(|price| price.get(name)).and_then(Json::as_str).map(str::to_owned);
    let keeps = random.below(3);
    let amount = part("amount").filter(|_| keeps == 0).or_else(|| random.one_of(&amounts).cloned())?;
    let currency = part("currency").filter(|_| keeps == 1);
    let currency = currency.or_else(|| random.one_of(&currencies).map(|&text| text.to_owned()))?;
    let units = decimal::parse(&amount, 2).ok()?;
    let step = *random.one_of(&[0, 0, 0, 1, -1, 100, -100])?;
    let amount = decimal::to_decimal(units.saturating_add(step), 2);
    Some(json!({ "amount": amount.to_string(), "currency": currency }))
}

/// A value in the form of a type, and what is a step away from it.
fn near(ty: &Type, value: &Json) -> Vec<Json> {
    match (ty, value) {
        (Type::Integer { .. }, Json::Number(number)) => {
            let steps = number.as_i64().map(|number| [0, 1, -1].map(|step| number.saturating_add(step)));
            steps.into_iter().flatten().map(Json::from).collect()
        }
        (Type::Number { .. }, Json::Number(number)) => number
            .as_f64()
            .map(|number| [0.0, 1.0, -1.0].map(|step| json!(number + step)))
            .into_iter()
            .flatten()
            .collect(),
        (Type::Decimal { scale, .. }, Json::String(_) | Json::Number(_)) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let units = decimal::parse(&text, *scale).ok();
            let steps = units.map(|units| [0, 1, -1].map(|step| units.saturating_add(step)));
            let written = |units| json!(decimal::to_decimal(units, *scale).to_string());
            steps.into_iter().flatten().map(written).collect()
        }
        (Type::Date { .. }, Json::String(text)) => {
            let day = Date::parse(text).or_else(|| Timestamp::parse(text).ok().map(Timestamp::date));
            let days = day.map(|day| [0, 1, -1, 7, -7, 30].map(|step| Date::from_days(day.days() + step)));
            days.into_iter().flatten().flatten().map(|day| json!(day.to_string())).collect()
        }
        (Type::Timestamp { .. }, Json::String(text)) => {
            let time = Timestamp::parse(text).ok().map(Timestamp::millis);
            let time = time.or_else(|| Date::parse(text).map(|day| day.days().saturating_mul(DAY)));
            let steps = [0, 1, DAY / 24, -DAY / 24, DAY, -DAY, 30 * DAY];
            let times = time.map(|time| steps.map(|step| Timestamp::from_millis(time.saturating_add(step))));
            times.into_iter().flatten().flatten().map(|time| json!(time.to_string())).collect()
        }
        (Type::Boolean, _) => vec![json!(true), json!(false)],
        (Type::Number { .. } | Type::Integer { .. }, _) => Vec::new(),
        (_, Json::String(_)) => vec![value.clone()],
        _ => Vec::new(),
    }
}
