//! Tests of conditions without a database.

mod counting;
mod evaluating;
mod inlining;
mod length;
mod mistakes;
mod named;
mod parsing;
mod strangers;

use super::*;
use crate::check::Checked;
use crate::field::{Field, Type};
use crate::resource::Resource;
use crate::service::{Enum, Object, Service};

/// A small market: offers of users, and watches that refer to them.
fn market() -> Checked {
    let mut service = Service::new("market");
    service.users = Some("User".to_owned());
    let values = ["ACTIVE", "ENDED"].map(str::to_owned).to_vec();
    service.enums.push(Enum::new("Status", values));
    let named = |name: &str| Type::Named { name: name.to_owned() };
    let price = || Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
    let list =
        |items: Type| Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false };
    let timestamp = || Type::Timestamp { minimum: None, maximum: None };
    let object = |name: &str, fields: Vec<(&str, Type)>| {
        Object::new(name, fields.into_iter().map(|(name, ty)| Field::new(name, ty)).collect())
    };
    service.objects.push(object("Address", vec![("city", Type::string()), ("zip", Type::string())]));
    service.objects.push(object("Option", vec![("name", Type::string()), ("price", price())]));
    let mut resource = |name: &str, fields: Vec<(&str, Type)>| {
        let mut resource = Resource::new(name);
        resource.fields = fields.into_iter().map(|(name, ty)| Field::new(name, ty)).collect();
        service.resources.push(resource);
    };
    resource(
        "Offer",
        vec![
            ("name", Type::string()),
            ("status", named("Status")),
            ("seller", Type::reference("User")),
            ("buyNow", price()),
            ("quantity", Type::Integer { minimum: None, maximum: None }),
            ("weight", Type::Decimal { minimum: None, maximum: None, scale: 3 }),
            ("ratio", Type::Number { minimum: None, maximum: None }),
            ("startingAt", timestamp()),
            ("endingAt", timestamp()),
            ("day", Type::Date { minimum: None, maximum: None }),
            ("period", Type::Duration),
            ("featured", Type::Boolean),
            ("address", named("Address")),
            ("tags", list(Type::string())),
            ("options", list(named("Option"))),
            ("country", Type::Country),
        ],
    );
    resource(
        "User",
        vec![("kind", Type::string()), ("status", named("Status")), ("employer", Type::reference("User"))],
    );
    resource("Watch", vec![("offer", Type::reference("Offer")), ("user", Type::reference("User"))]);
    Checked::recorded(service)
}

/// Resolves a condition on an offer.
fn on_offer(text: &str) -> Result<Typed, Vec<Mistake>> {
    let service = market();
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: true };
    Condition::new(text).typed(&scope)
}

#[test]
fn every_scalar_type_has_a_type_in_conditions() {
    let market = market();
    for row in crate::language::SCALAR_TYPES {
        assert!(static_type(&market, &row.plain).is_some(), "{}", row.keys.what);
    }
}
