//! Questions to collections, and what their answers are by the plain meaning of §4.4 and §4.6.

use crate::fields::{COMMON, Field};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use restwell_model::case_folding::fold_case;
use serde_json::Value;
use std::cmp::Ordering;

pub(crate) const RANGES: [&str; 4] = ["gt", "gte", "lt", "lte"];
/// Entities on a page where the request does not say.
const DEFAULT_LIMIT: usize = 100;

/// What is asked, before it is known what there is to ask for.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// Of which collection.
    pub(crate) place: Index,
    conditions: Vec<(Index, Condition)>,
    sort: Vec<(Index, bool)>,
    offset: Option<u32>,
    limit: Option<u32>,
}

#[derive(Debug, Clone)]
enum Condition {
    /// Any of these.
    Equal(Vec<Picked>),
    Range(Index, Picked),
    Match(Matching),
}

/// A comparison that a field opts in to, of a value or a part of it.
#[derive(Debug, Clone)]
pub(crate) struct Matching {
    word: Index,
    part: Index,
    value: Picked,
}

/// Where a value comes from.
#[derive(Debug, Clone)]
pub(crate) enum Picked {
    /// The field's own values.
    Pool(Index),
    /// What an entity has there.
    Stored(Index),
    Null,
}

pub(crate) fn question() -> impl Strategy<Value = Question> {
    with(vec((any::<Index>(), condition()), 0..4))
}

/// A question of everything, in some order.
pub(crate) fn unconditional() -> impl Strategy<Value = Question> {
    with(Just(Vec::new()))
}

fn with(conditions: impl Strategy<Value = Vec<(Index, Condition)>>) -> impl Strategy<Value = Question> {
    let offset = prop_oneof![4 => Just(None), 3 => (0..12u32).prop_map(Some), 1 => Just(Some(1 << 31))];
    let limit = prop_oneof![3 => Just(None), 3 => (0..12u32).prop_map(Some), 1 => Just(Some(1000))];
    (any::<Index>(), conditions, vec(any::<(Index, bool)>(), 0..4), offset, limit)
        .prop_map(|(place, conditions, sort, offset, limit)| Question { place, conditions, sort, offset, limit })
}

fn condition() -> impl Strategy<Value = Condition> {
    let range = (any::<Index>(), picked()).prop_map(|(suffix, value)| Condition::Range(suffix, value));
    prop_oneof![3 => vec(picked(), 1..4).prop_map(Condition::Equal), 3 => range, 2 => matching().prop_map(Condition::Match)]
}

pub(crate) fn matching() -> impl Strategy<Value = Matching> {
    (any::<Index>(), any::<Index>(), picked()).prop_map(|(word, part, value)| Matching { word, part, value })
}

impl Matching {
    /// The word and what it compares with, if the field has any such word. Null is for `not` alone.
    pub(crate) fn of(&self, field: &Field, stored: &[&Value]) -> Option<(&'static str, Value)> {
        let word = *field.matches.get(self.word.index(field.matches.len().max(1)))?;
        let value = self.value.among(field, stored);
        if word == "not" {
            return Some((word, value));
        }
        let characters: Vec<char> = value.as_str()?.chars().collect();
        let end = self.part.index(characters.len()) + 1;
        let start = if word.starts_with("contains") { end / 2 } else { 0 };
        let part: String = characters[start..end].iter().collect();
        Some((word, if word.ends_with("IgnoreCase") { part.to_uppercase() } else { part }.into()))
    }
}

/// Whether a stored value is met by a comparison that a field opts in to. A null meets `not`, and no other.
pub(crate) fn is_matched(field: &Field, stored: &Value, word: &str, value: &Value) -> bool {
    let texts = (stored.as_str().unwrap_or_default(), value.as_str().unwrap_or_default());
    let folded = || (fold_case(texts.0), fold_case(texts.1));
    match (word, stored.is_null()) {
        ("not", true) => !value.is_null(),
        ("not", false) => value.is_null() || field.compare(stored, value).is_ne(),
        (_, true) => false,
        ("startsWith", false) => texts.0.starts_with(texts.1),
        ("startsWithIgnoreCase", false) => folded().0.starts_with(&folded().1),
        ("containsIgnoreCase", false) => folded().0.contains(&folded().1),
        (_, false) => texts.0.contains(texts.1),
    }
}

pub(crate) fn picked() -> impl Strategy<Value = Picked> {
    prop_oneof![
        3 => any::<Index>().prop_map(Picked::Pool),
        6 => any::<Index>().prop_map(Picked::Stored),
        1 => Just(Picked::Null),
    ]
}

/// A question to one collection. Its conditions are what a search would post (§4.5); `query` writes them as parameters.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    equal: Vec<(&'static Field, Vec<Value>)>,
    ranges: Vec<(&'static Field, &'static str, Value)>,
    matches: Vec<(&'static Field, &'static str, Value)>,
    sort: Vec<(&'static Field, bool)>,
    offset: Option<u32>,
    limit: Option<u32>,
}

impl Question {
    /// As it is asked of a collection with these fields beside the common ones, and of these entities.
    pub(crate) fn of(&self, fields: &[&'static Field], entities: &[&Value]) -> Asked {
        let fields: Vec<_> = COMMON.iter().chain(fields.iter().copied()).collect();
        let (offset, limit) = (self.offset, self.limit);
        let [ranges, matches] = [const { Vec::new() }; 2];
        let mut asked = Asked { equal: Vec::new(), ranges, matches, sort: Vec::new(), offset, limit };
        for (index, condition) in &self.conditions {
            let field = fields[index.index(fields.len())];
            match condition {
                Condition::Equal(values) => {
                    let values = values.iter().map(|value| value.of(field, entities));
                    match asked.equal.iter_mut().find(|(known, _)| known.name == field.name) {
                        Some((_, known)) => known.extend(values),
                        None => asked.equal.push((field, values.collect())),
                    }
                }
                Condition::Range(suffix, value) => {
                    let (suffix, value) = (RANGES[suffix.index(RANGES.len())], value.of(field, entities));
                    let is_new = !asked.ranges.iter().any(|(f, s, _)| f.name == field.name && *s == suffix);
                    if field.ordered && is_new && !value.is_null() {
                        asked.ranges.push((field, suffix, value));
                    }
                }
                Condition::Match(matching) => {
                    let stored: Vec<_> = entities.iter().map(|entity| field.of(entity)).collect();
                    let Some((word, value)) = matching.of(field, &stored) else { continue };
                    let is_new = !asked.matches.iter().any(|(f, w, _)| f.name == field.name && *w == word);
                    if word == "not" || is_new {
                        asked.matches.push((field, word, value));
                    }
                }
            }
        }
        let sortable: Vec<_> = fields.into_iter().filter(|field| field.sort.is_some()).collect();
        for (index, descending) in &self.sort {
            let field = sortable[index.index(sortable.len())];
            if !asked.sort.iter().any(|(known, _)| known.name == field.name) {
                asked.sort.push((field, *descending));
            }
        }
        asked
    }
}

impl Picked {
    fn of(&self, field: &Field, entities: &[&Value]) -> Value {
        self.among(field, &entities.iter().map(|entity| field.of(entity)).collect::<Vec<_>>())
    }

    /// A value of a field that has these.
    pub(crate) fn among(&self, field: &Field, stored: &[&Value]) -> Value {
        match self {
            Self::Pool(index) => field.any(*index),
            Self::Stored(index) if !stored.is_empty() => stored[index.index(stored.len())].clone(),
            Self::Stored(_) | Self::Null => Value::Null,
        }
    }
}

impl Asked {
    /// The same question in the order of creation, to be asked page by page.
    pub(crate) fn in_order_of_creation(self) -> Self {
        Self { sort: Vec::new(), ..self }
    }

    /// The same question, of one page.
    pub(crate) fn page(&self, offset: u32, limit: u32) -> Self {
        Self { offset: Some(offset), limit: Some(limit), ..self.clone() }
    }

    /// The same question, with the paging of a search where it does not say (§4.5).
    pub(crate) fn or_paged(self, (offset, limit): (Option<u32>, Option<u32>)) -> Self {
        Self { offset: self.offset.or(offset), limit: self.limit.or(limit), ..self }
    }

    /// The query string.
    pub(crate) fn query(&self) -> String {
        let mut pairs = Vec::new();
        for (field, values) in &self.equal {
            pairs.extend(values.iter().map(|value| (field.name.to_owned(), written(field, value))));
        }
        for (field, suffix, value) in self.ranges.iter().chain(&self.matches) {
            pairs.push((format!("{}.{suffix}", field.name), written(field, value)));
        }
        if !self.sort.is_empty() {
            let word = |(field, descending): &(&Field, bool)| {
                format!("{}{}", if *descending { "-" } else { "" }, field.sort.unwrap_or_default())
            };
            pairs.push(("sort".to_owned(), self.sort.iter().map(word).collect::<Vec<_>>().join(",")));
        }
        let paging = [("limit", self.limit), ("offset", self.offset)];
        pairs.extend(paging.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string()))));
        let pairs = pairs.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// The page of these entities, which stand in the order of creation, and how many match in all.
    pub(crate) fn answer<'a>(&self, entities: &[&'a Value]) -> (Vec<&'a Value>, usize) {
        let mut matching: Vec<_> = entities.iter().copied().filter(|entity| self.holds(entity)).collect();
        let count = matching.len();
        matching.sort_by(|one, other| self.order(one, other));
        let (offset, limit) =
            (self.offset.unwrap_or_default(), self.limit.map_or(DEFAULT_LIMIT, |limit| limit as usize));
        (matching.into_iter().skip(offset as usize).take(limit).collect(), count)
    }

    fn holds(&self, entity: &Value) -> bool {
        let is_one_of = |(field, values): &(&Field, Vec<Value>)| {
            let stored = field.of(entity);
            values.iter().any(|value| match (value.is_null(), stored.is_null()) {
                (false, false) => field.compare(stored, value) == Ordering::Equal,
                (is_null, other) => is_null == other,
            })
        };
        let is_within = |(field, suffix, value): &(&Field, &str, Value)| {
            let stored = field.of(entity);
            !stored.is_null()
                && match (*suffix, field.compare(stored, value)) {
                    ("gt", order) => order == Ordering::Greater,
                    ("gte", order) => order != Ordering::Less,
                    ("lt", order) => order == Ordering::Less,
                    (_, order) => order != Ordering::Greater,
                }
        };
        let is_matched =
            |(field, word, value): &(&Field, &str, Value)| is_matched(field, field.of(entity), word, value);
        self.equal.iter().all(is_one_of) && self.ranges.iter().all(is_within) && self.matches.iter().all(is_matched)
    }

    fn order(&self, one: &Value, other: &Value) -> Ordering {
        let by_field = |(field, descending): &(&Field, bool)| {
            let (one, other) = (field.of(one), field.of(other));
            match (one.is_null(), other.is_null()) {
                (false, false) if *descending => field.compare(other, one),
                (false, false) => field.compare(one, other),
                // nulls last, in both directions
                (one, other) => one.cmp(&other),
            }
        };
        let order = self.sort.iter().map(by_field).find(|order| order.is_ne());
        order.unwrap_or_else(|| one["id"].as_str().cmp(&other["id"].as_str()))
    }
}

fn written(field: &Field, value: &Value) -> String {
    if value.is_null() { String::new() } else { field.written(value) }
}

/// Everything escaped but what no query minds.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b',' => char::from(byte).to_string(),
        b' ' => "+".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
