//! What is made of a model keeps the model's rules.

use super::{entities, example, output};
use crate::check::Checked;
use crate::field::{Field, Format};
use crate::input::{Reading, Shape, check_json};
use crate::language::{SCALAR_TYPES, Type};
use crate::pattern::Pattern;
use crate::resource::{Command, Resource};
use crate::service::{Enum, Object, Service};
use std::collections::HashSet;
use uuid::Uuid;

fn ids() -> impl FnMut() -> Uuid {
    let mut next = 0;
    move || {
        next += 1;
        Uuid::from_u128(next)
    }
}

fn field(name: &str, ty: Type) -> Field {
    Field { required: true, ..Field::new(name, ty) }
}

fn text(pattern: Option<&str>, most: u32) -> Type {
    let pattern = pattern.map(Pattern::from);
    Type::String { min_length: Some(3), max_length: Some(most), pattern, format: None }
}

/// A shop whose entities refer to each other, with most kinds of constraints.
fn shop() -> Checked {
    let mut user = Resource::new("User");
    let email = Type::String { min_length: None, max_length: Some(60), pattern: None, format: Some(Format::Email) };
    user.fields = vec![field("name", text(None, 12)), Field { unique: true.into(), ..field("email", email) }];
    let mut offer = Resource::new("Offer");
    let images = Type::Array {
        items: Box::new(Type::String { min_length: None, max_length: None, pattern: None, format: Some(Format::Uri) }),
        min_items: Some(2),
        max_items: Some(3),
        unique_items: true,
    };
    offer.fields = vec![
        Field { unique: true.into(), ..field("code", text(Some("^[A-Z]{3}-[0-9]{2}$"), 6)) },
        field("seller", Type::reference("User")),
        Field::new("colour", Type::Named { name: "Colour".to_owned() }),
        field("address", Type::Named { name: "Address".to_owned() }),
        field("images", images),
        field("size", Type::Integer { minimum: Some(5), maximum: Some(7) }),
        field("weight", Type::Number { minimum: Some(0.25), maximum: Some(0.5) }),
        field("price", Type::Price { minimum: None, maximum: Some(3.into()), currencies: vec!["PLN".to_owned()] }),
        Field { read_only: true, ..Field::new("status", Type::string()) },
    ];
    offer.unique = vec![vec!["seller".to_owned(), "size".to_owned()]];
    let mut renew = Command::new("renew");
    renew.output = vec![Field::new("endingAt", Type::Timestamp { minimum: None, maximum: None })];
    offer.commands = vec![renew];
    let colour = Enum::new("Colour", vec!["WHITE".to_owned(), "BLACK".to_owned()]);
    let address = Object::new("Address", vec![field("city", text(None, 20)), field("countryCode", Type::Country)]);
    let service =
        Service { resources: vec![offer, user], enums: vec![colour], objects: vec![address], ..Service::new("shop") };
    Checked::new(service).expect("the shop keeps the rules")
}

#[test]
fn every_entity_is_one_that_a_request_could_create() {
    let shop = shop();
    let made = entities(&shop, 6, ids());
    assert_eq!(made.len(), 12, "{made:?}");
    assert_eq!(made[0].resource, "users", "what others refer to comes first");
    let users: HashSet<_> = made.iter().filter(|it| it.resource == "users").map(|it| it.id.to_string()).collect();
    let (mut codes, mut pairs) = (HashSet::new(), HashSet::new());
    for entity in &made {
        let resource = shop.resources.iter().find(|resource| resource.plural == entity.resource).unwrap();
        let shape = Shape::compile(&shop, &resource.fields, &[], &|_| true);
        let body = shape.read(entity.body.to_string().as_bytes(), Reading::Create, &[]).unwrap();
        assert!(body.problems.is_empty(), "{:?}: {}", body.problems, entity.body);
        assert!(entity.body.get("status").is_none(), "the service sets it");
        if entity.resource == "offers" {
            let seller = entity.body["seller"]["id"].as_str().unwrap();
            assert!(users.contains(seller), "{}", entity.body);
            assert!(codes.insert(entity.body["code"].clone()));
            assert!(pairs.insert((seller.to_owned(), entity.body["size"].clone())));
        }
    }
    assert_eq!(made, entities(&shop, 6, ids()), "the same in every run");
}

#[test]
fn what_cannot_be_unique_is_made_as_often_as_it_can() {
    let mut flag = Resource::new("Flag");
    flag.fields = vec![Field { unique: true.into(), ..field("enabled", Type::Boolean) }];
    let service = Service { resources: vec![flag], ..Service::new("shop") };
    assert_eq!(entities(&Checked::new(service).unwrap(), 5, ids()).len(), 2);
}

#[test]
fn a_command_answers_with_values_of_its_types() {
    let shop = shop();
    let renew = &shop.resource("Offer").unwrap().commands[0];
    let output = output(&shop, renew);
    assert!(check_json(&shop, &renew.output[0].ty, &output["endingAt"]).is_empty(), "{output:?}");
}

#[test]
fn every_scalar_type_has_a_valid_example() {
    let service = Checked::recorded(Service::new("shop"));
    for row in SCALAR_TYPES {
        let example = example(&row.plain).unwrap_or_else(|| panic!("`{}` has no example", row.keys.what));
        assert_eq!(check_json(&service, &row.plain, &example), [], "{}: {example}", row.keys.what);
        let Some(examples) = row.text_examples() else { continue };
        for sample in examples.samples.iter().chain([&examples.example]) {
            assert!(examples.shape.fits(sample), "{}: {sample}", row.keys.what);
            assert_eq!(check_json(&service, &row.plain, &(*sample).into()), [], "{}: {sample}", row.keys.what);
        }
    }
}

/// A model that is recorded was checked by an earlier version.
#[test]
fn what_has_to_be_very_large_is_left_out() {
    let long = Type::String { min_length: Some(4_000_000_000), max_length: None, pattern: None, format: None };
    let array = |items: Type, least: u32| Type::Array {
        items: Box::new(items),
        min_items: Some(least),
        max_items: None,
        unique_items: false,
    };
    let nested = Type::Named { name: "Row".to_owned() };
    let types = [
        long.clone(),
        array(Type::Boolean, 1_000_000_000),
        array(nested, 500),
        array(Type::String { min_length: Some(60_000), max_length: None, pattern: None, format: None }, 500),
        text(Some("^(a?){2000}a{2000}$"), 4000),
    ];
    for ty in types {
        let mut thing = Resource::new("Thing");
        thing.fields = vec![field("value", ty.clone())];
        let row = Object::new("Row", vec![field("cells", array(Type::Boolean, 500))]);
        let service = Service { resources: vec![thing], objects: vec![row], ..Service::new("shop") };
        assert_eq!(entities(&Checked::recorded(service), 2, ids()), [], "{ty:?}");
    }
    assert_eq!(example(&long), None);
}
