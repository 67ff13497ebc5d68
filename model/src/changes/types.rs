//! Compares types: whether the new one can hold the values of the old one.

use super::wording::{changed, names};
use super::{ChangeKind, Comparison, Effect, Storage};
use crate::check::{Kind, ModelPath};
use crate::field::Type;
use crate::language::Limit;
use crate::service::Enum;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// Whether a constraint accepts more or fewer values than before.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    More,
    Less,
}

impl<'a> Comparison<'a> {
    /// Compares two types and their constraints. Returns whether the stored values are dropped.
    pub(super) fn ty(&mut self, old: &'a Type, new: &'a Type, at: &ModelPath, storage: Storage) -> bool {
        match (self.old.kind(old), self.new.kind(new)) {
            (Kind::Object(before), Kind::Object(now)) => {
                if self.seen.insert((&before.name, &now.name, storage)) {
                    let at = ModelPath::definition(&now.name).key("fields");
                    self.fields(&before.fields, &now.fields, &at, storage);
                }
                false
            }
            (Kind::Enum(before), Kind::Enum(now)) => {
                if self.seen.insert((&before.name, &now.name, storage)) {
                    self.values(before, now);
                }
                false
            }
            (Kind::Array(before), Kind::Array(now)) => {
                self.constraints(old, new, at);
                self.ty(before, now, &at.key("items"), Storage::Json);
                false
            }
            (Kind::Enum(_), Kind::Scalar(Type::String { .. })) => self.widened_to_text(old, new, at),
            (Kind::Scalar(before), Kind::Scalar(now)) => self.scalar(before, now, at, storage),
            (Kind::Scalar(Type::String { .. }), Kind::Enum(_)) => {
                let message = retyped(old, new) + "; stored texts that are not values of it stay";
                self.push(ChangeKind::TypeNarrowed, &at.key("type"), Effect::Consent, message);
                false
            }
            _ => self.replaced(old, new, at, storage),
        }
    }

    fn scalar(&mut self, old: &Type, new: &Type, at: &ModelPath, storage: Storage) -> bool {
        use Type::{Date, Decimal, Integer, Ref, String, Timestamp, Uuid};
        let place = at.key("type");
        match (old, new) {
            (Ref { to: before, show, on_delete }, Ref { to, show: shown, on_delete: action }) => {
                self.reference((before, to), at);
                self.key(ChangeKind::Reference, &at.key("onDelete"), (on_delete, action), "none", "");
                self.key(ChangeKind::Reference, &at.key("show"), (show, shown), "none", "");
            }
            (Ref { .. }, Uuid) if storage == Storage::Column => {
                let message = retyped(old, new) + "; new values may be ids of entities that do not exist";
                self.push(ChangeKind::TypeWidened, &place, Effect::Safe, message);
            }
            (Uuid, Ref { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; every stored id must refer to an entity that exists";
                self.push(ChangeKind::TypeNarrowed, &place, Effect::Verified, message);
            }
            (old, String { .. }) if old.is_checked_text() || *old == Uuid => {
                return self.widened_to_text(old, new, at);
            }
            (String { .. }, new) if new.is_checked_text() => {
                let message = retyped(old, new) + "; stored texts that are not valid values stay";
                self.push(ChangeKind::TypeNarrowed, &place, Effect::Consent, message);
            }
            (Integer { .. }, Decimal { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; every stored number must fit";
                self.push(ChangeKind::TypeWidened, &place, Effect::Verified, message);
            }
            (Date { .. }, Timestamp { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; a stored date becomes midnight of that day";
                self.push(ChangeKind::TypeWidened, &place, Effect::Safe, message);
            }
            (Decimal { scale: before, .. }, Decimal { scale, .. }) => {
                self.scale(*before, *scale, &at.key("scale"));
                self.constraints(old, new, at);
            }
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {
                self.constraints(old, new, at);
            }
            _ => return self.replaced(old, new, at, storage),
        }
        false
    }

    /// Compares the targets of a reference. A renamed resource is the same target.
    fn reference(&mut self, (old, new): (&str, &str), at: &ModelPath) {
        let now = self.new.resource(new);
        let is_same = match self.new.resource(old) {
            Some(_) => old == new,
            None => now.is_some_and(|now| now.renamed_from.as_deref() == Some(old)),
        };
        if !is_same {
            let message = changed(&old, &new, "none") + "; every stored id must refer to an entity that exists";
            self.push(ChangeKind::TypeNarrowed, &at.key("to"), Effect::Verified, message);
        }
    }

    fn scale(&mut self, old: u32, new: u32, at: &ModelPath) {
        if new > old {
            let message = changed(&old, &new, "none") + "; every stored number must fit";
            self.push(ChangeKind::ConstraintLoosened, at, Effect::Verified, message);
        } else if new < old {
            let message = changed(&old, &new, "none") + "; stored numbers would lose their last digits";
            self.push(ChangeKind::ConstraintTightened, at, Effect::Consent, message);
        }
    }

    /// A text can hold every value if it has no constraints.
    fn widened_to_text(&mut self, old: &Type, new: &Type, at: &ModelPath) -> bool {
        let place = at.key("type");
        if *new == Type::string() {
            self.push(ChangeKind::TypeWidened, &place, Effect::Safe, retyped(old, new));
        } else {
            let message = retyped(old, new) + "; stored values that violate its constraints stay";
            self.push(ChangeKind::TypeNarrowed, &place, Effect::Consent, message);
        }
        false
    }

    fn replaced(&mut self, old: &Type, new: &Type, at: &ModelPath, storage: Storage) -> bool {
        let stored = match storage {
            Storage::Column => "stored values would be deleted",
            Storage::Json => "stored items stay as they are",
        };
        let message = format!("{}; {stored}", retyped(old, new));
        self.push(ChangeKind::TypeReplaced, &at.key("type"), Effect::Consent, message);
        storage == Storage::Column
    }

    fn values(&mut self, old: &Enum, new: &Enum) {
        let at = ModelPath::definition(&new.name).key("values");
        let missing = |from: &Enum, of: &Enum| {
            names(of.values.iter().filter(|value| !from.values.contains(value)).map(String::as_str))
        };
        if let Some(added) = missing(old, new) {
            self.push(ChangeKind::ValuesAdded, &at, Effect::Safe, format!("gained {added}"));
        }
        if let Some(dropped) = missing(new, old) {
            let message = format!("lost {dropped}; stored rows keep them");
            self.push(ChangeKind::ValuesDropped, &at, Effect::Consent, message);
        }
    }

    /// Compares the constraints of two types of one kind.
    fn constraints(&mut self, old: &Type, new: &Type, at: &ModelPath) {
        let (before, now) = (keys(old), keys(new));
        for key in new.key_table().keys {
            let value = |keys: &'_ Map<String, Value>| keys.get(key.name).cloned().unwrap_or_default();
            let (before, now) = (value(&before), value(&now));
            let Some(takes) = key.limit.and_then(|limit| takes(limit, &before, &now)) else { continue };
            let absent = match key.name {
                "uniqueItems" => "`false`",
                "currencies" => "all",
                _ => "none",
            };
            let (at, message) = (at.key(key.name), changed(&before, &now, absent));
            match takes {
                Takes::More => self.push(ChangeKind::ConstraintLoosened, &at, Effect::Safe, message),
                Takes::Less => {
                    let message = message + "; stored values that violate it stay";
                    self.push(ChangeKind::ConstraintTightened, &at, Effect::Consent, message);
                }
            }
        }
    }
}

/// "changed from `string` to `integer`".
fn retyped(old: &Type, new: &Type) -> String {
    changed(&old.word(), &new.word(), "none")
}

/// The keys of a type, as its JSON has them.
fn keys(ty: &Type) -> Map<String, Value> {
    match serde_json::to_value(ty) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    }
}

/// Whether another value of a constraint accepts more or fewer values. Null is a constraint that is not given.
fn takes(limit: Limit, old: &Value, new: &Value) -> Option<Takes> {
    let is_tighter = match limit {
        Limit::Least => order(old, new) == Some(Ordering::Less),
        Limit::Most => order(old, new) == Some(Ordering::Greater),
        // a changed pattern may accept fewer values: two patterns cannot be compared
        Limit::Exact => true,
        Limit::Among => return among(&texts(old), &texts(new)),
    };
    match (old, new) {
        (Value::Null, Value::Null) => None,
        (Value::Null, _) => Some(Takes::Less),
        (_, Value::Null) => Some(Takes::More),
        (old, new) if is_same(limit, old, new) => None,
        _ => Some(if is_tighter { Takes::Less } else { Takes::More }),
    }
}

/// Whether two values of a constraint mean the same. `1.0` and `1.00` are the same bound, but two patterns.
fn is_same(limit: Limit, old: &Value, new: &Value) -> bool {
    match limit {
        Limit::Least | Limit::Most => order(old, new) == Some(Ordering::Equal),
        Limit::Exact | Limit::Among => old == new,
    }
}

/// The order of two bounds: numbers, decimals, and the forms of dates and times, which sort as text.
fn order(old: &Value, new: &Value) -> Option<Ordering> {
    match (old, new) {
        (Value::Number(old), Value::Number(new)) => match (old.as_i64(), new.as_i64()) {
            (Some(old), Some(new)) => Some(old.cmp(&new)),
            _ => old.as_f64().partial_cmp(&new.as_f64()),
        },
        (Value::String(old), Value::String(new)) => match (old.parse::<Decimal>(), new.parse::<Decimal>()) {
            (Ok(old), Ok(new)) => Some(old.cmp(&new)),
            _ => Some(old.cmp(new)),
        },
        _ => None,
    }
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A list of accepted values; an empty list accepts all.
fn among(old: &[&str], new: &[&str]) -> Option<Takes> {
    let holds = |these: &[&str], those: &[&str]| {
        these.is_empty() || !those.is_empty() && those.iter().all(|one| these.contains(one))
    };
    match (holds(new, old), holds(old, new)) {
        (true, true) => None,
        (true, false) => Some(Takes::More),
        (false, _) => Some(Takes::Less),
    }
}
