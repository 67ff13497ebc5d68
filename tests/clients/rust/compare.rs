//! Compares JSON with what a case expects. `{name}` stands for a UUID that the case does not know before.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The UUIDs that names stand for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bindings(BTreeMap<String, String>);

impl Bindings {
    /// Whether a path is the expected one; a name in it is bound to the UUID that stands there.
    pub(crate) fn path_is(&mut self, expected: &str, path: &str) -> bool {
        let (expected, path): (Vec<_>, Vec<_>) = (expected.split('/').collect(), path.split('/').collect());
        expected.len() == path.len() && expected.iter().zip(&path).all(|(expected, segment)| self.is(expected, segment))
    }

    fn is(&mut self, expected: &str, text: &str) -> bool {
        let Some(name) = expected.strip_prefix('{').and_then(|it| it.strip_suffix('}')) else {
            return expected == text;
        };
        if let Some(bound) = self.0.get(name) {
            return bound == text;
        }
        let is_new = Uuid::parse_str(text).is_ok_and(|id| id.get_version_num() == 7);
        if is_new {
            self.0.insert(name.to_owned(), text.to_owned());
        }
        is_new
    }

    /// With the UUIDs in the place of their names.
    pub(crate) fn filled(&self, json: &Json) -> Json {
        match json {
            Json::String(text) => {
                let name = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
                let bound = name.and_then(|name| self.0.get(name));
                if let Some(bound) = bound {
                    return Json::from(bound.as_str());
                }
                // inside of longer texts, as in the data of an event
                Json::from(
                    self.0.iter().fold(text.clone(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id)),
                )
            }
            Json::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Json::Object(members) => {
                Json::Object(members.iter().map(|(name, value)| (name.clone(), self.filled(value))).collect())
            }
            other => other.clone(),
        }
    }
}

/// Where two values differ.
pub(crate) fn differences(expected: &Json, actual: &Json, place: &str, bindings: &mut Bindings) -> Vec<String> {
    if expected.get("$any") == Some(&Json::Bool(true)) {
        return Vec::new();
    }
    match (expected, actual) {
        (Json::String(text), Json::String(actual)) if bindings.is(text, actual) => Vec::new(),
        (Json::Array(items), Json::Array(found)) if items.len() == found.len() => {
            let pairs = items.iter().zip(found).enumerate();
            pairs
                .flat_map(|(index, (item, found))| differences(item, found, &format!("{place}.{index}"), bindings))
                .collect()
        }
        (Json::Object(members), Json::Object(found)) => {
            let mut faults = Vec::new();
            // a struct has all of its fields, also those that a response of a case leaves out
            let is_empty = |value: &Json| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            for name in members.keys().chain(found.keys().filter(|name| !members.contains_key(*name))) {
                let place = format!("{place}.{name}");
                match (members.get(name), found.get(name)) {
                    (Some(expected), Some(found)) => faults.extend(differences(expected, found, &place, bindings)),
                    (Some(expected), None) => faults.push(format!("{place} is missing, instead of {expected}")),
                    (None, Some(found)) if place.starts_with("value") && is_empty(found) => {}
                    (None, found) => faults.push(format!("{place} is not expected: {found:?}")),
                }
            }
            faults
        }
        _ if expected == actual => Vec::new(),
        _ => vec![format!("{place} is {actual}, instead of {expected}")],
    }
}

/// The same without the properties that the client drops: those that it does not know.
pub(crate) fn known_part(expected: &Json, actual: &Json) -> Json {
    match (expected, actual) {
        (Json::Object(members), Json::Object(found)) if expected.get("$any").is_none() => {
            let known =
                members.iter().filter_map(|(name, value)| Some((name.clone(), known_part(value, found.get(name)?))));
            Json::Object(known.collect())
        }
        (Json::Array(items), Json::Array(found)) if items.len() == found.len() => {
            items.iter().zip(found).map(|(item, found)| known_part(item, found)).collect()
        }
        _ => expected.clone(),
    }
}
