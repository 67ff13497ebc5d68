//! What the database can tell of an event without its being read: something that must be so where a condition holds on
//! the state that it shows. The data has a text, as `"status":"ACTIVE"`; other entities refer to its entity.
//!
//! An event for which it is not so could not be shown, and is not read. One for which it is so is decided on by the
//! condition: a text may stand anywhere in the data.

use crate::plan::form::write_text;
use restwell_model::Value;
use restwell_model::condition::{FieldBase, Node, Operator, StaticType, Typed};
use restwell_model::scalar::uuid_text;

/// EventNeeds of one condition at most: with more, looking for them costs more than it saves.
const MAX_NEEDS: usize = 8;

/// Of these, one must be so for a condition to hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct EventNeeds<'c> {
    /// The data has a text.
    pub(super) texts: Vec<String>,
    /// A condition holds that depends on what refers to the entity, and on nothing else of it.
    pub(super) references: Vec<&'c Typed>,
}

/// What a condition needs, which is reduced by what is known of the caller; `None` where it may hold without any that
/// can be told.
pub(super) fn needs(condition: &Typed) -> Option<EventNeeds<'_>> {
    if depends_on_references(condition) {
        return Some(EventNeeds { references: vec![condition], ..EventNeeds::default() });
    }
    let of_texts = |texts| EventNeeds { texts, ..EventNeeds::default() };
    let needs = match &condition.node {
        Node::And(one, other) => match (needs(one), needs(other)) {
            (Some(one), Some(other)) => Some(if other.cost() < one.cost() { other } else { one }),
            (one, other) => one.or(other),
        },
        Node::Or(one, other) => Some(needs(one)?.or(needs(other)?)),
        Node::Compare(Operator::Equal, one, other, _) => equality(one, other).map(|text| of_texts(vec![text])),
        Node::In(one, list, _) => match &list.node {
            Node::List(items) => items.iter().map(|item| equality(one, item)).collect::<Option<Vec<_>>>().map(of_texts),
            _ => None,
        },
        Node::Constant(Value::Bool(false) | Value::Null) => Some(EventNeeds::default()),
        _ => None,
    };
    needs.filter(|needs| needs.texts.len() + needs.references.len() <= MAX_NEEDS)
}

impl EventNeeds<'_> {
    /// What is cheaper to look for: a text is found without a look at other tables.
    fn cost(&self) -> (usize, usize) {
        (self.references.len(), self.texts.len())
    }

    fn or(mut self, other: Self) -> Self {
        self.texts.extend(other.texts);
        self.references.extend(other.references);
        self
    }
}

/// Whether a condition reads nothing of the entity, only what refers to it.
fn depends_on_references(condition: &Typed) -> bool {
    let reads = condition.reads();
    let is_fixed = reads.fields.is_empty() && reads.followed.is_empty() && !reads.old && !reads.now && !reads.caller;
    is_fixed && !reads.resources.is_empty()
}

/// The text that is there where a field has a value.
fn equality(one: &Typed, other: &Typed) -> Option<String> {
    let (field, value) = match (one.value(), other.value()) {
        (None, Some(value)) => (one, value),
        (Some(value), None) => (other, value),
        _ => return None,
    };
    let Node::Field(FieldBase::This, path) = &field.node else { return None };
    let quoted = |text: &str| {
        let mut out = Vec::new();
        write_text(text.as_bytes(), &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let name = quoted(path.names.last()?);
    match (value, &field.ty) {
        (Value::Bool(flag), StaticType::Boolean) => Some(format!("{name}:{flag}")),
        (Value::Text(text), StaticType::Enum(_) | StaticType::Text) if is_plain(text) => {
            Some(format!("{name}:{}", quoted(text)))
        }
        // of a reference too, whatever is shown of it
        (Value::Uuid(id), StaticType::Uuid | StaticType::Reference(_)) => {
            let mut text = Vec::new();
            uuid_text::write(id, &mut text);
            String::from_utf8(text).ok()
        }
        _ => None,
    }
}

/// Whether every version of the service has written a text in one way.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-.:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::condition::{Condition, Facts, Scope, reduce};
    use restwell_model::{Checked, Field, OnDelete, Resource, Service, Type};
    use uuid::Uuid;

    /// A caller of this id.
    struct Caller(Uuid);

    impl Facts for Caller {
        fn caller(&self) -> Option<Option<Uuid>> {
            Some(Some(self.0))
        }
    }

    fn service() -> Checked {
        let mut service = Service::new("market");
        service.users = Some("User".to_owned());
        service.resources.push(Resource::new("User"));
        let mut offer = Resource::new("Offer");
        offer.fields.push(Field::new(
            "status",
            Type::String { min_length: None, max_length: None, pattern: None, format: None },
        ));
        offer.fields.push(Field::new("isOld", Type::Boolean));
        offer.fields.push(Field::new("count", Type::Integer { minimum: None, maximum: None }));
        offer.fields.push(Field::new(
            "seller",
            Type::Ref { to: "User".to_owned(), show: Vec::new(), on_delete: OnDelete::Restrict },
        ));
        service.resources.push(offer);
        let to = |to: &str| Type::Ref { to: to.to_owned(), show: Vec::new(), on_delete: OnDelete::Restrict };
        let mut watch = Resource::new("Watch");
        watch.fields.extend([Field::new("offer", to("Offer")), Field::new("user", to("User"))]);
        service.resources.push(watch);
        Checked::new(service).expect("no mistake")
    }

    /// The texts, and the number of conditions on what refers to the entity.
    fn needed(condition: &str) -> Option<(Vec<String>, usize)> {
        let service = service();
        let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
        let typed = Condition::new(condition).typed(&scope).expect("a condition");
        let reduced = reduce(&typed, &Caller(Uuid::from_u128(7)));
        needs(&reduced).map(|needs| (needs.texts, needs.references.len()))
    }

    #[test]
    fn equalities_need_the_text_of_their_value() {
        let active = r#""status":"ACTIVE""#;
        let seller = "00000000-0000-0000-0000-000000000007";
        for (condition, expected) in [
            (r#"status == "ACTIVE""#, Some(vec![active])),
            (r#""ACTIVE" == status"#, Some(vec![active])),
            (r#"status == "ACTIVE" && count > 3"#, Some(vec![active])),
            (r#"status == "ACTIVE" || seller == caller"#, Some(vec![active, seller])),
            (r#"status in ["ACTIVE", "NEW"] && isOld == true"#, Some(vec![r#""isOld":true"#])),
            (r#"status in ["ACTIVE", "NEW"]"#, Some(vec![active, r#""status":"NEW""#])),
            (r#"caller == null || seller == caller"#, Some(vec![seller])),
            (r#"status == "ACTIVE" || count > 3"#, None),
            (r#"status != "ACTIVE""#, None),
            (r#"status == "Ł""#, None),
            ("status == null", None),
            ("count == 3", None),
        ] {
            let expected = expected.map(|texts| (texts.into_iter().map(str::to_owned).collect::<Vec<_>>(), 0));
            assert_eq!(needed(condition), expected, "{condition}");
        }
    }

    #[test]
    fn what_refers_is_looked_for_where_nothing_else_decides() {
        for (condition, texts, references) in [
            ("any(Watch.offer, user == caller)", 0, 1),
            ("any(Watch.offer, user == caller) && count(Watch.offer) < 3", 0, 1),
            (r#"any(Watch.offer, user == caller) && status == "ACTIVE""#, 1, 0),
            (r#"any(Watch.offer, user == caller) || status == "ACTIVE""#, 1, 1),
            ("any(Watch.offer, user == caller) && count > 3", 0, 1),
            ("caller.any(Watch.user, offer == outer)", 0, 1),
            ("caller.count(Watch.user) > 3 && count > 3", 0, 1),
        ] {
            let found = needed(condition).map(|(texts, references)| (texts.len(), references));
            assert_eq!(found, Some((texts, references)), "{condition}");
        }
        for condition in [
            "any(Watch.offer, user == caller) || count > 3",
            "count(Watch.offer) == count",
            "caller.any(Watch.user, user == outer.seller)",
            "seller.count(Offer.seller) > 3",
        ] {
            assert_eq!(needed(condition), None, "{condition}");
        }
    }

    #[test]
    fn many_texts_are_not_looked_for() {
        let list = |count: usize| (0..count).map(|n| format!("\"A{n}\"")).collect::<Vec<_>>().join(", ");
        assert!(needed(&format!("status in [{}]", list(MAX_NEEDS))).is_some());
        assert_eq!(needed(&format!("status in [{}]", list(MAX_NEEDS + 1))), None);
    }
}
