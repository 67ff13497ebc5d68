//! Types on both sides: whether the new one holds what the old one did.

use super::{Effect, Lies, Walk, What};
use crate::check::{Kind, ModelPath};
use crate::field::Type;
use crate::service::Enum;

/// How much a constraint or type takes, compared with before.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    More,
    Less,
}

impl<'a> Walk<'a> {
    /// A type that was another, or has other constraints. Answers whether the stored values are of no use any more.
    pub(super) fn ty(&mut self, old: &'a Type, new: &'a Type, at: &ModelPath, lies: Lies) -> bool {
        match (self.old.kind(old), self.new.kind(new)) {
            (Kind::Object(before), Kind::Object(now)) => {
                if self.seen.insert((&before.name, &now.name, lies)) {
                    let at = ModelPath::definition(&now.name).key("fields");
                    self.fields(&before.fields, &now.fields, &at, lies);
                }
                false
            }
            (Kind::Enum(before), Kind::Enum(now)) => {
                if self.seen.insert((&before.name, &now.name, lies)) {
                    self.values(before, now);
                }
                false
            }
            (Kind::Array(before), Kind::Array(now)) => {
                self.constraints(old, new, at);
                self.ty(before, now, &at.key("items"), Lies::InArrays);
                false
            }
            (Kind::Enum(_), Kind::Scalar(Type::String { .. })) => self.widened_to_text(new, at),
            (Kind::Scalar(before), Kind::Scalar(now)) => self.scalar(before, now, at, lies),
            (Kind::Scalar(Type::String { .. }), Kind::Enum(_)) => {
                let message = "is an enum; texts that are stored and none of its values stay";
                self.push(What::TypeNarrowed, &at.key("type"), Effect::Consent, message);
                false
            }
            _ => self.replaced(at, lies),
        }
    }

    fn scalar(&mut self, old: &Type, new: &Type, at: &ModelPath, lies: Lies) -> bool {
        use Type::{Country, Currency, Date, Decimal, Duration, Integer, Language, Ref, String, Timestamp, Uuid};
        let place = at.key("type");
        match (old, new) {
            (Ref { to: before, show, on_delete }, Ref { to, show: shown, on_delete: action }) => {
                self.reference((before, to), at);
                if on_delete != action {
                    self.push(What::Reference, &at.key("onDelete"), Effect::Safe, "is another");
                }
                if show != shown {
                    self.push(What::Reference, &at.key("show"), Effect::Safe, "is another");
                }
            }
            (Ref { .. }, Uuid) if lies == Lies::InColumns => {
                self.push(What::TypeWidened, &place, Effect::Safe, "is an id that may point at nothing");
            }
            (Uuid, Ref { .. }) if lies == Lies::InColumns => {
                let message = "is a reference: every id that is stored must be there";
                self.push(What::TypeNarrowed, &place, Effect::Verified, message);
            }
            (Country | Language | Currency | Duration | Uuid, String { .. }) => {
                return self.widened_to_text(new, at);
            }
            (String { .. }, Country | Language | Currency | Duration) => {
                let message = "is narrower; texts that are stored and none of its values stay";
                self.push(What::TypeNarrowed, &place, Effect::Consent, message);
            }
            (Integer { .. }, Decimal { .. }) if lies == Lies::InColumns => {
                let message = "is a decimal: every number that is stored must fit one";
                self.push(What::TypeWidened, &place, Effect::Verified, message);
            }
            (Date { .. }, Timestamp { .. }) if lies == Lies::InColumns => {
                self.push(What::TypeWidened, &place, Effect::Safe, "is a time: that of midnight");
            }
            (Decimal { scale: before, .. }, Decimal { scale, .. }) => {
                self.scale(*before, *scale, &at.key("scale"));
                self.constraints(old, new, at);
            }
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {
                self.constraints(old, new, at);
            }
            _ => return self.replaced(at, lies),
        }
        false
    }

    /// The resource that a reference points at. Renamed, it is the same one.
    fn reference(&mut self, (old, new): (&str, &str), at: &ModelPath) {
        let now = self.new.resource(new);
        let is_same = match self.new.resource(old) {
            Some(_) => old == new,
            None => now.is_some_and(|now| now.renamed_from.as_deref() == Some(old)),
        };
        if !is_same {
            let message = "is another: every id that is stored must be there";
            self.push(What::TypeNarrowed, &at.key("to"), Effect::Verified, message);
        }
    }

    fn scale(&mut self, old: u32, new: u32, at: &ModelPath) {
        if new > old {
            let message = "is finer: every number that is stored must fit";
            self.push(What::ConstraintLoosened, at, Effect::Verified, message);
        } else if new < old {
            let message = "is coarser: the last digits of what is stored would be dropped";
            self.push(What::ConstraintTightened, at, Effect::Consent, message);
        }
    }

    /// Text holds it, if it has no constraints of its own.
    fn widened_to_text(&mut self, new: &Type, at: &ModelPath) -> bool {
        let place = at.key("type");
        if *new == Type::string() {
            self.push(What::TypeWidened, &place, Effect::Safe, "is text");
        } else {
            let message = "is text with constraints; values that are stored and break them stay";
            self.push(What::TypeNarrowed, &place, Effect::Consent, message);
        }
        false
    }

    fn replaced(&mut self, at: &ModelPath, lies: Lies) -> bool {
        let message = match lies {
            Lies::InColumns => "is another; values that are stored would be dropped",
            Lies::InArrays => "is another; items that are stored stay as they are",
        };
        self.push(What::TypeReplaced, &at.key("type"), Effect::Consent, message);
        lies == Lies::InColumns
    }

    fn values(&mut self, old: &Enum, new: &Enum) {
        let at = ModelPath::definition(&new.name).key("values");
        let missing = |from: &Enum, of: &Enum| -> Vec<String> {
            of.values.iter().filter(|value| !from.values.contains(value)).cloned().collect()
        };
        let (added, dropped) = (missing(old, new), missing(new, old));
        if !added.is_empty() {
            self.push(What::ValuesAdded, &at, Effect::Safe, format!("have {} more", added.join(", ")));
        }
        if !dropped.is_empty() {
            let message = format!("have lost {}; rows that have them stay", dropped.join(", "));
            self.push(What::ValuesDropped, &at, Effect::Consent, message);
        }
    }

    fn constraints(&mut self, old: &Type, new: &Type, at: &ModelPath) {
        for (key, takes) in compared(old, new) {
            let at = at.key(key);
            match takes {
                Takes::More => self.push(What::ConstraintLoosened, &at, Effect::Safe, "takes more"),
                Takes::Less => {
                    let message = "takes less; values that are stored and break it stay";
                    self.push(What::ConstraintTightened, &at, Effect::Consent, message);
                }
            }
        }
    }
}

/// The constraints of two types of one kind that differ.
fn compared(old: &Type, new: &Type) -> Vec<(&'static str, Takes)> {
    use Type::{Array, Date, Decimal, Integer, Number, Price, String, Timestamp};
    let found = match (old, new) {
        (
            String { min_length, max_length, pattern, format },
            String { min_length: low, max_length: high, pattern: expression, format: form },
        ) => vec![
            ("minLength", lower(min_length.as_ref(), low.as_ref())),
            ("maxLength", upper(max_length.as_ref(), high.as_ref())),
            ("pattern", exact(pattern.as_ref(), expression.as_ref())),
            ("format", exact(format.as_ref(), form.as_ref())),
        ],
        (Integer { minimum, maximum }, Integer { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Number { minimum, maximum }, Number { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Decimal { minimum, maximum, .. }, Decimal { minimum: low, maximum: high, .. }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Timestamp { minimum, maximum }, Timestamp { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Date { minimum, maximum }, Date { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Price { minimum, maximum, currencies }, Price { minimum: low, maximum: high, currencies: taken }) => {
            let mut found = range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()));
            found.push(("currencies", among(currencies, taken)));
            found
        }
        (
            Array { min_items, max_items, unique_items, .. },
            Array { min_items: low, max_items: high, unique_items: once, .. },
        ) => vec![
            ("minItems", lower(min_items.as_ref(), low.as_ref())),
            ("maxItems", upper(max_items.as_ref(), high.as_ref())),
            ("uniqueItems", exact(unique_items.then_some(&()), once.then_some(&()))),
        ],
        _ => Vec::new(),
    };
    found.into_iter().filter_map(|(key, takes)| Some((key, takes?))).collect()
}

type Compared = Vec<(&'static str, Option<Takes>)>;

fn range<T: PartialOrd>(old: (Option<&T>, Option<&T>), new: (Option<&T>, Option<&T>)) -> Compared {
    vec![("minimum", lower(old.0, new.0)), ("maximum", upper(old.1, new.1))]
}

fn lower<T: PartialOrd>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |old, new| new > old)
}

fn upper<T: PartialOrd>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |old, new| new < old)
}

fn bound<T: PartialEq>(old: Option<&T>, new: Option<&T>, is_tighter: fn(&T, &T) -> bool) -> Option<Takes> {
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(Takes::Less),
        (Some(_), None) => Some(Takes::More),
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => Some(if is_tighter(old, new) { Takes::Less } else { Takes::More }),
    }
}

/// Of a pattern nobody knows whether it takes more than another.
fn exact<T: PartialEq>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |_, _| true)
}

/// A list of what is taken; an empty one takes all.
fn among(old: &[String], new: &[String]) -> Option<Takes> {
    let holds = |these: &[String], those: &[String]| {
        these.is_empty() || !those.is_empty() && those.iter().all(|one| these.contains(one))
    };
    match (holds(new, old), holds(old, new)) {
        (true, true) => None,
        (true, false) => Some(Takes::More),
        (false, _) => Some(Takes::Less),
    }
}
