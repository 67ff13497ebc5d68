//! What a client of the old model sees of a response: it ignores what it does not know.

use serde_json::Value;

/// How close two bodies must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// The same values.
    Values,
    /// Values of the same types: the services have other entities.
    Forms,
}

/// A response, as far as a client depends on it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) body: Value,
}

/// Where a response differs from the one before.
pub(crate) fn difference(before: &Seen, after: &Seen, closeness: Closeness) -> Option<String> {
    if before.status != after.status {
        return Some(format!("{} became {}: {}", before.status, after.status, after.body));
    }
    // clients go wherever `Location` sends them
    let id = |it: &Seen| it.location.as_deref().and_then(|location| location.rsplit('/').next().map(str::to_owned));
    if before.content_type != after.content_type || id(before) != id(after) {
        let headers = |it: &Seen| format!("{:?}, {:?}", it.content_type, it.location);
        return Some(format!("{} became {}", headers(before), headers(after)));
    }
    of_bodies(&before.body, &after.body, closeness)
}

/// The same of the bodies alone.
pub(crate) fn of_bodies(before: &Value, after: &Value, closeness: Closeness) -> Option<String> {
    within(before, after, closeness, "")
}

fn within(before: &Value, after: &Value, closeness: Closeness, path: &str) -> Option<String> {
    let is_same = match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            return before.iter().find_map(|(name, value)| {
                let path = format!("{path}/{name}");
                match after.get(name) {
                    Some(other) => within(value, other, closeness, &path),
                    None => Some(format!("{path} is gone")),
                }
            });
        }
        (Value::Array(before), Value::Array(after)) => {
            if before.len() != after.len() && closeness == Closeness::Values {
                return Some(format!("{path} had {} items, and has {}", before.len(), after.len()));
            }
            let mut items = before.iter().zip(after).enumerate();
            return items.find_map(|(at, (before, after))| within(before, after, closeness, &format!("{path}/{at}")));
        }
        // a migration may have filled it; what may be null may have a value
        (Value::Null, _) => true,
        (_, Value::Null) if closeness == Closeness::Forms => true,
        _ if closeness == Closeness::Forms => std::mem::discriminant(before) == std::mem::discriminant(after),
        _ => before == after,
    };
    (!is_same).then(|| format!("{path} was {before}, and is {after}"))
}
