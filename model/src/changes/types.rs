//! Compares types: whether the new one can hold the values of the old one.

use super::context::{Context, Storage};
use super::pairs::{Pair, pairs};
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Effect, Finding};
use crate::check::{Kind, ModelPath};
use crate::field::Type;
use crate::language::{Limit, Literal};
use crate::scalar::{Date, MILLIS_A_DAY, Timestamp};
use crate::service::Enum;
use ChangeDirection::{Narrower, Replaced, Shifted, Tolerated, Wider};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::cmp::Ordering;

impl<'a> Comparison<'a> {
    /// Compares two types and their constraints. Returns whether the stored values are dropped.
    pub(super) fn ty(&mut self, old: &'a Type, new: &'a Type, at: &ModelPath) -> bool {
        match (self.old.kind(old), self.new.kind(new)) {
            (Kind::Object(before), Kind::Object(now)) => {
                self.type_name(&before.name, &now.name, at);
                if self.seen.insert((&before.name, &now.name, self.context.clone())) {
                    let at = ModelPath::definition(&now.name).key("fields");
                    self.fields(&before.fields, &now.fields, &at);
                    let definition = ModelPath::definition(&now.name);
                    self.announcements(&before.deprecations, &now.deprecations, &definition);
                }
                false
            }
            (Kind::Enum(before), Kind::Enum(now)) => {
                self.type_name(&before.name, &now.name, at);
                if self.seen.insert((&before.name, &now.name, self.context.clone())) {
                    self.values(before, now);
                    let definition = ModelPath::definition(&now.name);
                    self.announcements(&before.deprecations, &now.deprecations, &definition);
                }
                false
            }
            (Kind::Array(before), Kind::Array(now)) => {
                self.constraints(old, new, at);
                let storage = match self.context.storage {
                    Storage::Command => Storage::Command,
                    Storage::Column | Storage::Json => Storage::Json,
                };
                let context = Context { storage, ..self.context.clone() };
                self.within(context, |this| _ = this.ty(before, now, &at.key("items")));
                false
            }
            (Kind::Map(before), Kind::Map(now)) => {
                self.constraints(old, new, at);
                let storage = match self.context.storage {
                    Storage::Command => Storage::Command,
                    Storage::Column | Storage::Json => Storage::Json,
                };
                let context = Context { storage, ..self.context.clone() };
                self.within(context, |this| _ = this.ty(before, now, &at.key("values")));
                false
            }
            (Kind::Enum(_), Kind::Scalar(Type::String { .. })) => self.widened_to_text(old, new, at),
            (Kind::Scalar(before), Kind::Scalar(now)) => self.scalar(before, now, at),
            (Kind::Scalar(Type::String { .. }), Kind::Enum(_)) => {
                let note = "stored texts that are not values of it stay";
                self.retyped(ChangeKind::TypeNarrowed, (old, new), at, (Effect::Consent, note));
                false
            }
            _ => self.replaced(old, new, at),
        }
    }

    fn scalar(&mut self, old: &Type, new: &Type, at: &ModelPath) -> bool {
        use ChangeKind::{TypeNarrowed, TypeWidened};
        use Type::{Date, Decimal, Integer, Ref, String, Timestamp, Uuid};
        let in_columns = self.context.storage != Storage::Json;
        match (old, new) {
            (Ref { to: before, show: _, on_delete }, Ref { to, show: _, on_delete: action }) => {
                self.target((before, to), at);
                self.on_delete(*on_delete, *action, at);
            }
            (Ref { .. }, Uuid) if in_columns => {
                let note = "new values may be ids of entities that do not exist";
                self.retyped(TypeWidened, (old, new), at, (Effect::Safe, note));
            }
            (Uuid, Ref { .. }) if in_columns => {
                let note = "every stored id must refer to an entity that exists";
                self.retyped(TypeNarrowed, (old, new), at, (Effect::Verified, note));
            }
            (old, String { .. }) if old.is_checked_text() || *old == Uuid => {
                return self.widened_to_text(old, new, at);
            }
            (String { .. }, new) if new.is_checked_text() => {
                let note = "stored texts that are not valid values stay";
                self.retyped(TypeNarrowed, (old, new), at, (Effect::Consent, note));
            }
            (Integer { .. }, Decimal { .. }) if in_columns => {
                self.retyped(TypeWidened, (old, new), at, (Effect::Verified, "every stored number must fit"));
                self.constraints(&as_wider(old, new), new, at);
            }
            (Date { .. }, Timestamp { .. }) if in_columns => {
                let note = "a stored date becomes midnight of that day";
                self.retyped(TypeWidened, (old, new), at, (Effect::Safe, note));
                self.constraints(&as_wider(old, new), new, at);
            }
            (Decimal { scale: before, .. }, Decimal { scale, .. }) => {
                self.scale(*before, *scale, &at.key("scale"));
                self.constraints(old, new, at);
            }
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {
                self.constraints(old, new, at);
            }
            _ => return self.replaced(old, new, at),
        }
        false
    }

    /// A type that changed: what it means for rows, and what clients see of it.
    fn retyped(&mut self, kind: ChangeKind, (old, new): (&Type, &Type), at: &ModelPath, rows: (Effect, &'static str)) {
        let message = changed(&old.word(), &new.word(), "none");
        let finding = Finding::new(kind, &at.key("type"), message).rows(rows.0, rows.1);
        self.push(finding.values(self.form(old, new)).in_code());
    }

    /// The name of a definition, which is that of a type in generated code. Nothing else shows it.
    fn type_name(&mut self, old: &str, new: &str, at: &ModelPath) {
        self.key((&old, &new), "none", |message| {
            Finding::new(ChangeKind::TypeName, &at.key("type"), message).in_code()
        });
    }

    /// How the JSON of a type changes.
    fn form(&self, old: &Type, new: &Type) -> ChangeDirection {
        use Type::{Integer, Number, String};
        let is_text = |kind: Kind<'_>| match kind {
            Kind::Enum(_) => true,
            Kind::Scalar(ty) => ty.is_checked_text() || *ty == Type::Uuid,
            Kind::Object(_) | Kind::Array(_) | Kind::Map(_) => false,
        };
        let is_plain = |ty: &Type| *ty == Type::string();
        match (old, new) {
            (Integer { .. }, Number { .. }) => Wider,
            (Number { .. }, Integer { .. }) => Narrower,
            (String { .. }, _) if is_text(self.new.kind(new)) => {
                if is_plain(old) {
                    Narrower
                } else {
                    Shifted
                }
            }
            (_, String { .. }) if is_text(self.old.kind(old)) => {
                if is_plain(new) {
                    Wider
                } else {
                    Shifted
                }
            }
            _ => Replaced,
        }
    }

    fn scale(&mut self, old: u32, new: u32, at: &ModelPath) {
        let message = changed(&old, &new, "none");
        if new > old {
            let finding = Finding::new(ChangeKind::ConstraintLoosened, at, message).values(Wider);
            self.push(finding.rows(Effect::Verified, "every stored number must fit"));
        } else if new < old {
            // responses have exactly these digits
            let finding = Finding::new(ChangeKind::ConstraintTightened, at, message).values(Shifted);
            self.push(finding.rows(Effect::Consent, "stored numbers would lose their last digits"));
        }
    }

    /// A text can hold every value if it has no constraints.
    fn widened_to_text(&mut self, old: &Type, new: &Type, at: &ModelPath) -> bool {
        if *new == Type::string() {
            self.retyped(ChangeKind::TypeWidened, (old, new), at, (Effect::Safe, ""));
        } else {
            let note = "stored values that violate its constraints stay";
            self.retyped(ChangeKind::TypeNarrowed, (old, new), at, (Effect::Consent, note));
        }
        false
    }

    fn replaced(&mut self, old: &Type, new: &Type, at: &ModelPath) -> bool {
        let note = match self.context.storage {
            Storage::Column => "stored values would be deleted",
            Storage::Json | Storage::Command => "stored items stay as they are",
        };
        self.retyped(ChangeKind::TypeReplaced, (old, new), at, (Effect::Consent, note));
        self.context.storage == Storage::Column
    }

    fn values(&mut self, old: &Enum, new: &Enum) {
        let at = ModelPath::definition(&new.name).key("values");
        for pair in pairs(&old.values, &new.values) {
            match pair {
                Pair::Both(..) => {}
                Pair::New(value) => {
                    let finding = Finding::added(ChangeKind::ValueAdded, &at.key(value)).in_code();
                    self.push(finding.sides(Wider, Tolerated, Tolerated));
                }
                Pair::Old(value) => {
                    let finding = Finding::dropped(ChangeKind::ValueDropped, &at.key(value)).values(Narrower);
                    let finding = finding.announced(old.notices.get(value).copied());
                    self.push(finding.rows(Effect::Consent, "stored rows keep it"));
                }
            }
        }
    }

    /// Compares the constraints of two types of one kind.
    fn constraints(&mut self, old: &Type, new: &Type, at: &ModelPath) {
        let (before, now) = (keys(old), keys(new));
        for key in new.key_table().keys {
            // a bound that is not written is that of its type
            let default = key.default.filter(|_| key.limit == Some(Limit::Most)).map(Literal::json);
            let value =
                |keys: &'_ Map<String, Value>| keys.get(key.name).or(default.as_ref()).cloned().unwrap_or_default();
            let (before, now) = (value(&before), value(&now));
            let Some(takes) = key.limit.and_then(|limit| takes(limit, &before, &now)) else { continue };
            let absent = match key.name {
                "uniqueItems" => "`false`",
                "currencies" => "all",
                _ => "none",
            };
            let (at, message) = (at.key(key.name), changed(&before, &now, absent));
            self.push(match takes {
                Wider => Finding::new(ChangeKind::ConstraintLoosened, &at, message).values(Wider),
                takes => {
                    let finding = Finding::new(ChangeKind::ConstraintTightened, &at, message).values(takes);
                    finding.rows(Effect::Consent, "stored values that violate it stay")
                }
            });
        }
    }
}

/// A type with the bounds of an old one, whose values it holds as others.
fn as_wider(old: &Type, new: &Type) -> Type {
    let midnight = |date: Option<Date>| date.and_then(|date| Timestamp::from_millis(date.days() * MILLIS_A_DAY));
    match (old, new) {
        (Type::Integer { minimum, maximum }, Type::Decimal { scale, .. }) => {
            let [minimum, maximum] = [*minimum, *maximum].map(|bound| bound.map(Decimal::from));
            Type::Decimal { minimum, maximum, scale: *scale }
        }
        (Type::Date { minimum, maximum }, Type::Timestamp { .. }) => {
            Type::Timestamp { minimum: midnight(*minimum), maximum: midnight(*maximum) }
        }
        _ => old.clone(),
    }
}

/// The keys of a type, as its JSON has them.
fn keys(ty: &Type) -> Map<String, Value> {
    match serde_json::to_value(ty) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    }
}

/// Whether another value of a constraint accepts more or fewer values. Null is a constraint that is not given.
fn takes(limit: Limit, old: &Value, new: &Value) -> Option<ChangeDirection> {
    let direction = match limit {
        Limit::Least if order(old, new) == Some(Ordering::Less) => Narrower,
        Limit::Most if order(old, new) == Some(Ordering::Greater) => Narrower,
        Limit::Least | Limit::Most => Wider,
        // two patterns cannot be compared
        Limit::Exact => Shifted,
        Limit::Among => return among(&texts(old), &texts(new)),
    };
    match (old, new) {
        (Value::Null, Value::Null) => None,
        (Value::Null, _) => Some(Narrower),
        (_, Value::Null) => Some(Wider),
        (old, new) if is_same(limit, old, new) => None,
        _ => Some(direction),
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
fn among(old: &[&str], new: &[&str]) -> Option<ChangeDirection> {
    let holds = |these: &[&str], those: &[&str]| {
        these.is_empty() || !those.is_empty() && those.iter().all(|one| these.contains(one))
    };
    match (holds(new, old), holds(old, new)) {
        (true, true) => None,
        (true, false) => Some(Wider),
        (false, true) => Some(Narrower),
        (false, false) => Some(Shifted),
    }
}
