//! Users that a service makes of the claims of their first token (`provision`): what the tokens of a run say of its
//! users, so that it makes them.

use super::access::place;
use restwell_model::Checked;
use restwell_model::sample::BodyMaker;
use serde_json::{Map, Value};
use uuid::Uuid;

/// Numbers of which values are made.
const NUMBERS: u128 = 9_000_000;

/// What tokens say of a user that is to be made.
#[derive(Debug, Default)]
pub(crate) struct UserClaims {
    pub(crate) claims: Map<String, Value>,
    /// The claims of required fields for which no value is found.
    pub(crate) missing: Vec<String>,
}

impl UserClaims {
    /// Of a service with `provision`; otherwise there is nothing to say. The values follow from the subject, which each
    /// run has another one of: what is unique is then not taken by an earlier run.
    pub(crate) fn of(service: &Checked, subject: Uuid) -> Self {
        let mut user = Self::default();
        let provision = service.user_subjects.as_ref().and_then(|users| users.provision.as_ref());
        let resource = service.users.as_deref().and_then(|users| service.resource(users));
        let (Some(provision), Some(resource)) = (provision, resource) else { return user };
        let mut maker = BodyMaker::new(service, subject.as_u64_pair().1);
        let number = (subject.as_u128() % NUMBERS) as usize;
        for (name, claim) in provision {
            let Some(field) = resource.fields.iter().find(|field| field.name == *name) else { continue };
            match maker.value(field, number) {
                Some(value) => drop(place(&mut user.claims, claim).map(|place| *place = value)),
                None if field.required => user.missing.push(claim.clone()),
                None => {}
            }
        }
        user
    }
}

/// The claims of both; where both have one that is no object, that of the first.
pub(crate) fn merged(first: &Map<String, Value>, second: &Map<String, Value>) -> Map<String, Value> {
    let mut all = first.clone();
    for (name, value) in second {
        match (all.get_mut(name), value) {
            (Some(Value::Object(known)), Value::Object(more)) => *known = merged(known, more),
            (Some(known), _) if !known.is_null() => {}
            _ => drop(all.insert(name.clone(), value.clone())),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Field, Resource, Service, Type, UserSubjects};
    use serde_json::json;
    use std::collections::BTreeMap;

    fn service(name: Type) -> Checked {
        let mut clerk = Resource::new("Clerk");
        let subject = Field { unique: true.into(), read_only: true, ..Field::new("externalId", Type::string()) };
        clerk.fields = vec![subject, Field { required: true, ..Field::new("name", name) }];
        let provision = BTreeMap::from([("name".to_owned(), "person.name".to_owned())]);
        let subjects = UserSubjects { subject: "externalId".to_owned(), provision: Some(provision) };
        let mut service = Service { resources: vec![clerk], ..Service::new("desk") };
        (service.users, service.user_subjects) = (Some("Clerk".to_owned()), Some(subjects));
        Checked::new(service).expect("no mistake")
    }

    #[test]
    fn a_claim_has_a_value_of_its_field() {
        let text = Type::String { min_length: None, max_length: Some(20), pattern: None, format: None };
        let user = UserClaims::of(&service(text), Uuid::from_u128(7));
        assert!(user.claims["person"]["name"].is_string() && user.missing.is_empty(), "{user:?}");
    }

    #[test]
    fn a_claim_without_a_value_is_named() {
        let pattern = Some("^(a?){2000}a{2000}$".into());
        let text = Type::String { min_length: None, max_length: Some(20), pattern, format: None };
        let user = UserClaims::of(&service(text), Uuid::from_u128(7));
        assert_eq!((user.claims, user.missing), (Map::new(), vec!["person.name".to_owned()]));
    }

    #[test]
    fn claims_of_two_sides_are_put_together() {
        let map = |json: Value| json.as_object().cloned().unwrap_or_default();
        let first = map(json!({ "realm": { "roles": ["clerk"] }, "desk": "front" }));
        let second = map(json!({ "realm": { "name": "Ada" }, "desk": "back", "email": "a@example.com" }));
        let both = json!({ "realm": { "roles": ["clerk"], "name": "Ada" }, "desk": "front", "email": "a@example.com" });
        assert_eq!(Value::Object(merged(&first, &second)), both);
    }
}
