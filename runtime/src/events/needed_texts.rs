//! Texts one of which the data of an event has where a condition holds on the state that it shows: `"status":"ACTIVE"`.
//!
//! The database looks for them, so that events that nobody could be shown are not read. An event that has one is
//! decided on by the condition, as a text may stand anywhere in it.

use crate::plan::form::write_text;
use restwell_model::Value;
use restwell_model::condition::{FieldBase, Node, Operator, StaticType, Typed};
use restwell_model::scalar::uuid_text;

/// Texts of one condition at most: with more, looking for them costs more than it saves.
const MAX_NEEDED_TEXTS: usize = 8;

/// The texts that one of must be there for a condition to hold, which is reduced by what is known of the caller; `None`
/// where it may hold without any that can be told.
pub(super) fn needed_texts(condition: &Typed) -> Option<Vec<String>> {
    let texts = match &condition.node {
        Node::And(one, other) => match (needed_texts(one), needed_texts(other)) {
            (Some(one), Some(other)) => Some(if other.len() < one.len() { other } else { one }),
            (one, other) => one.or(other),
        },
        Node::Or(one, other) => {
            let (one, other) = (needed_texts(one)?, needed_texts(other)?);
            Some([one, other].concat())
        }
        Node::Compare(Operator::Equal, one, other, _) => equality(one, other).map(|text| vec![text]),
        Node::In(one, list, _) => match &list.node {
            Node::List(items) => items.iter().map(|item| equality(one, item)).collect(),
            _ => None,
        },
        Node::Constant(Value::Bool(false) | Value::Null) => Some(Vec::new()),
        _ => None,
    };
    texts.filter(|texts| texts.len() <= MAX_NEEDED_TEXTS)
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
        Checked::new(service).expect("no mistake")
    }

    fn texts(condition: &str) -> Option<Vec<String>> {
        let service = service();
        let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
        let typed = Condition::new(condition).typed(&scope).expect("a condition");
        needed_texts(&reduce(&typed, &Caller(Uuid::from_u128(7))))
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
            let expected = expected.map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(texts(condition), expected, "{condition}");
        }
    }

    #[test]
    fn many_texts_are_not_looked_for() {
        let list = |count: usize| (0..count).map(|n| format!("\"A{n}\"")).collect::<Vec<_>>().join(", ");
        assert!(texts(&format!("status in [{}]", list(MAX_NEEDED_TEXTS))).is_some());
        assert_eq!(texts(&format!("status in [{}]", list(MAX_NEEDED_TEXTS + 1))), None);
    }
}
