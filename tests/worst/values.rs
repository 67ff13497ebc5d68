//! JSON that the model takes, made from the model alone: small bodies to fill a database with, and bodies as large as
//! the limits allow. What a number stands for is the same in every run.

use restwell_model::field::Format;
use restwell_model::language::DEFAULT_MAP_ENTRIES;
use restwell_model::{Checked, Field, Kind, Resource, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version that all requests speak.
const VERSION: &str = "public.v1";
/// Numbers that no row is made of begin here: what they stand for is found nowhere.
pub(crate) const NOWHERE: usize = 50_000_000;

/// Where references point: an id by the resource's name.
pub(crate) type Ids = BTreeMap<String, String>;

/// Makes values of a model.
pub(crate) struct Values<'a> {
    pub(crate) model: &'a Checked,
    pub(crate) ids: &'a Ids,
}

/// How much is made: bytes that may still be spent on what could be left out.
pub(crate) struct Budget(usize);

impl Budget {
    /// Nothing but what is required, and arrays with as many elements as the budget of bytes allows.
    pub(crate) fn bytes(bytes: usize) -> Self {
        Self(bytes)
    }

    fn spend(&mut self, value: &Value) {
        // quotes, a colon and a comma
        let bytes = value.as_str().map_or(16, |text| text.len() + 4);
        self.0 = self.0.saturating_sub(bytes);
    }

    fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// The fields that a request to a view may set.
pub(crate) fn settable(resource: &Resource, view: Option<usize>) -> impl Iterator<Item = &Field> {
    let name = view.map(|view| resource.views[view].name.as_str());
    shown(resource, name).filter(|field| !field.read_only)
}

/// The fields that a view has.
pub(crate) fn shown<'a>(resource: &'a Resource, view: Option<&'a str>) -> impl Iterator<Item = &'a Field> {
    resource.fields.iter().filter(move |field| {
        let in_view = field.views.as_ref().is_none_or(|views| view.is_some_and(|view| views.iter().any(|v| v == view)));
        let in_version = field
            .versions
            .as_ref()
            .is_none_or(|versions| versions.iter().any(|version| version.to_string() == VERSION));
        in_view && in_version
    })
}

impl Values<'_> {
    /// A body that is taken, if nothing is unique that a number cannot make so.
    pub(crate) fn body<'f>(
        &self,
        fields: impl Iterator<Item = &'f Field>,
        number: usize,
        mut budget: Budget,
    ) -> Map<String, Value> {
        self.object(fields, number, &mut budget)
    }

    /// Arrays come last and share what the others leave, so that every one of them has elements.
    fn object<'f>(
        &self,
        fields: impl Iterator<Item = &'f Field>,
        number: usize,
        budget: &mut Budget,
    ) -> Map<String, Value> {
        let is_array = |field: &&Field| matches!(field.ty, Type::Array { .. });
        let (arrays, others): (Vec<_>, Vec<_>) = fields.filter(|field| !is_fixed(field)).partition(is_array);
        let mut body = Map::new();
        for field in others {
            let is_left_out = !field.required && budget.is_spent();
            if !is_left_out && let Some(value) = self.of(field, number, budget) {
                body.insert(field.name.clone(), value);
            }
        }
        for (index, field) in arrays.iter().enumerate() {
            let mut share = Budget(budget.0 / (arrays.len() - index));
            budget.0 -= share.0;
            if let Some(value) = self.of(field, number, &mut share) {
                body.insert(field.name.clone(), value);
            }
            budget.0 += share.0;
        }
        body
    }

    /// A field's value.
    pub(crate) fn of(&self, field: &Field, number: usize, budget: &mut Budget) -> Option<Value> {
        if let (Type::String { pattern: Some(_), .. }, Some(example)) = (&field.ty, &field.example) {
            return Some(example.clone());
        }
        self.value(&field.ty, number, budget)
    }

    /// A value of a type; `None` of a reference to what there is none of.
    fn value(&self, ty: &Type, number: usize, budget: &mut Budget) -> Option<Value> {
        let value = match self.model.kind(ty) {
            Kind::Enum(words) => json!(words.values[number % words.values.len()]),
            Kind::Object(object) => return Some(Value::Object(self.object(object.fields.iter(), number, budget))),
            Kind::Array(items) => return Some(self.array(ty, items, budget)),
            Kind::Map(values) => return Some(self.map(ty, values, budget)),
            Kind::Scalar(ty) => self.scalar(ty, number, budget)?,
        };
        budget.spend(&value);
        Some(value)
    }

    /// Elements are numbered from 0 in every row, so that a search can ask for the last of each.
    fn array(&self, ty: &Type, items: &Type, budget: &mut Budget) -> Value {
        let Type::Array { min_items, max_items, .. } = ty else { return json!([]) };
        let (least, most) = (min_items.unwrap_or(0) as usize, max_items.map_or(usize::MAX, |most| most as usize));
        let mut elements = Vec::new();
        while elements.len() < least || (elements.len() < most && !budget.is_spent()) {
            match self.value(items, elements.len(), budget) {
                Some(element) => elements.push(element),
                None => break,
            }
        }
        Value::Array(elements)
    }

    /// As many names as there can be.
    fn map(&self, ty: &Type, values: &Type, budget: &mut Budget) -> Value {
        let Type::Map { min_items, max_items, .. } = ty else { return json!({}) };
        let (least, most) = (min_items.unwrap_or(0) as usize, max_items.unwrap_or(DEFAULT_MAP_ENTRIES) as usize);
        let mut entries = serde_json::Map::new();
        while entries.len() < least || (entries.len() < most && !budget.is_spent()) {
            match self.value(values, entries.len(), budget) {
                Some(value) => drop(entries.insert("x".repeat(entries.len() + 1), value)),
                None => break,
            }
        }
        Value::Object(entries)
    }

    fn scalar(&self, ty: &Type, number: usize, budget: &mut Budget) -> Option<Value> {
        Some(match ty {
            Type::String { min_length, max_length, format, .. } => {
                let least = min_length.unwrap_or(1) as usize;
                let most = max_length.map_or(4_000, |most| most as usize);
                json!(text(number, *format, least, most, budget.0))
            }
            Type::Integer { minimum, maximum } => {
                let (least, most) = (minimum.unwrap_or(0), maximum.unwrap_or(1_000_000));
                json!(least + number as i64 % (most - least + 1).max(1))
            }
            Type::Number { minimum, .. } => json!(minimum.unwrap_or(0.5)),
            Type::Decimal { minimum, .. } => json!(minimum.unwrap_or_default().to_string()),
            Type::Boolean => json!(number.is_multiple_of(2)),
            Type::Uuid => json!(format!("019e7045-7260-726b-b2a7-{number:012x}")),
            Type::Timestamp { .. } => json!(format!("2026-{:02}-01T00:00:00.000Z", number % 12 + 1)),
            Type::Date { .. } => json!(format!("2026-{:02}-01", number % 12 + 1)),
            Type::Time => json!(format!("{:02}:00:00.000", number % 24)),
            Type::Duration => json!(format!("P{}D", number % 30 + 1)),
            Type::Country => json!("PL"),
            Type::Language => {
                json!(["pl-PL", "en-GB", "de-DE", "fr-FR", "cs-CZ", "sk-SK", "uk-UA", "it-IT"][number % 8])
            }
            Type::Currency => json!("PLN"),
            Type::Timezone => json!("Europe/Warsaw"),
            Type::Phone => json!("+48123456789"),
            Type::Price { currencies, .. } => {
                let currency = currencies.first().map_or("PLN", String::as_str);
                json!({ "amount": format!("{}.{:02}", number / 100 % 100_000 + 1, number % 100), "currency": currency })
            }
            Type::Ref { to, .. } => json!({ "id": self.ids.get(to)? }),
            Type::Json { .. } => json!([number]),
            Type::Array { .. } | Type::Map { .. } | Type::Named { .. } => return None,
        })
    }
}

/// Whether it is left out: no two rows may have the model's example, and hashing is for the cases that are about it.
fn is_fixed(field: &Field) -> bool {
    let is_pattern = matches!(field.ty, Type::String { pattern: Some(_), .. });
    field.secret.is_some() || (field.unique.is_on() && !field.required && is_pattern)
}

/// A text that contains its number: short, or as long as allowed while bytes remain.
fn text(number: usize, format: Option<Format>, least: usize, most: usize, budget: usize) -> String {
    let length = (budget / 8).clamp(least.min(most), most);
    let (start, fill, end) = match format {
        Some(Format::Email) => return format!("n{number}@example.com"),
        Some(Format::Uri) => (format!("https://example.com/{number}/"), "x", ""),
        None => (format!("n{number} "), "long text ", "."),
    };
    let missing = length.saturating_sub(start.len() + end.len());
    let filling: String = fill.chars().cycle().take(missing).collect();
    format!("{start}{filling}{end}").chars().take(most.max(1)).collect()
}
