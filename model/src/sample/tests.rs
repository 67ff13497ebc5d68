//! What is made of a model keeps the model's rules.

use super::{BodyMaker, NotMet, entities, example, output};
use crate::check::Checked;
use crate::condition::Condition;
use crate::field::{Field, Format};
use crate::input::{Reading, Shape, check_json};
use crate::language::{SCALAR_TYPES, Type};
use crate::pattern::Pattern;
use crate::resource::{Command, Resource, Rule, Version};
use crate::scalar::{Date, Timestamp};
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

/// Every constraint that can be met is met, also where each value has to differ.
#[test]
fn constraints_of_each_kind_are_met() {
    let text = |min_length, max_length, pattern: Option<&str>, format| Type::String {
        min_length,
        max_length,
        pattern: pattern.map(Pattern::from),
        format,
    };
    let (email, uri) = (Some(Format::Email), Some(Format::Uri));
    let decimal = |text: &str| Some(text.parse().unwrap());
    let set = |items: Type, least: u32| Type::Array {
        items: Box::new(items),
        min_items: Some(least),
        max_items: Some(least),
        unique_items: true,
    };
    let date = |text: &str| Date::parse(text);
    let time = |text: &str| Timestamp::parse(text).ok();
    let types = [
        text(None, Some(8), None, email),
        text(Some(60), Some(64), None, email),
        text(Some(200), Some(254), None, email),
        text(None, Some(6), None, uri),
        text(Some(100), Some(100), None, uri),
        text(Some(12), Some(12), Some("^[A-Z]+$"), None),
        text(Some(20), None, Some("[0-9]{3}"), None),
        text(None, Some(5), Some("^[a-z]*[0-9]*$"), None),
        text(Some(30), Some(40), Some("^(ab|cd)+$"), None),
        text(Some(5), Some(9), Some(r"^\p{Lu}\w*$"), None),
        text(None, None, Some(r"@example\.org$"), email),
        text(Some(25), Some(40), Some("^https://"), uri),
        text(Some(1), Some(3), None, None),
        Type::Integer { minimum: Some(7), maximum: Some(11) },
        Type::Number { minimum: Some(0.001), maximum: Some(0.0011) },
        Type::Decimal { minimum: decimal("0.001"), maximum: decimal("0.009"), scale: 3 },
        Type::Price { minimum: decimal("99999.01"), maximum: decimal("99999.09"), currencies: vec!["JPY".to_owned()] },
        Type::Date { minimum: date("1999-12-31"), maximum: date("2000-01-04") },
        Type::Timestamp { minimum: time("2000-01-01T00:00:00.001Z"), maximum: time("2000-01-01T00:00:00.009Z") },
        set(Type::Boolean, 2),
        set(Type::Integer { minimum: Some(1), maximum: Some(5) }, 5),
        set(Type::Named { name: "Colour".to_owned() }, 4),
        Type::Country,
        Type::Timezone,
        Type::Currency,
        Type::Duration,
    ];
    let colours = ["RED", "GREEN", "BLUE", "GREY"].map(str::to_owned).to_vec();
    let failed: Vec<_> = types
        .iter()
        .filter(|ty| {
            let mut thing = Resource::new("Thing");
            let is_single = !matches!(ty, Type::Array { .. } | Type::Price { .. });
            thing.fields = vec![Field { unique: is_single.into(), ..field("value", (*ty).clone()) }];
            let enums = vec![Enum::new("Colour", colours.clone())];
            let service = Service { resources: vec![thing], enums, ..Service::new("shop") };
            entities(&Checked::recorded(service), 3, ids()).len() < 3
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// What a condition and the rules of a resource ask for is met together.
#[test]
fn bodies_meet_conditions() {
    let date = || Type::Date { minimum: None, maximum: None };
    let mut stay = Resource::new("Stay");
    stay.fields = vec![
        field("begin", date()),
        field("end", date()),
        field("size", Type::Integer { minimum: Some(1), maximum: Some(365) }),
        field("guest", Type::Uuid),
    ];
    let check = Condition::new("end == begin + duration(\"P2D\")");
    stay.rules = vec![Rule { check, code: "TwoDays".to_owned(), path: None, message: None }];
    let service = Checked::new(Service { resources: vec![stay], ..Service::new("house") }).unwrap();
    let stay = service.resource("Stay").unwrap();
    let now = Timestamp::parse("2031-05-01T12:00:00.000Z").unwrap();
    let mut maker = BodyMaker::new(&service, 1).at(now);
    let mut body = maker.entity(stay, (Version::PUBLIC, None), 1, true).unwrap();
    let body = body.as_object_mut().unwrap();
    let (met, never) = (Condition::new("size in [3, 14] && end > today(\"UTC\")"), Condition::new("size > 400"));
    assert_eq!(maker.meet(stay, &[&met], None, &|_| true, body), Ok(()));
    let day = |name: &str| Date::parse(body[name].as_str().unwrap()).unwrap();
    assert_eq!(day("begin").days_until(day("end")), 2, "{body:?}");
    assert!(day("end") > now.date() && [3, 14].contains(&body["size"].as_i64().unwrap()), "{body:?}");
    let before = body.clone();
    assert_eq!(maker.meet(stay, &[&never], None, &|_| true, body), Err(NotMet));
    assert_eq!(*body, before);
}

/// A property with rooms, and bookings of a room of the same property.
fn inn() -> Checked {
    let mut property = Resource::new("Property");
    property.fields = vec![field("name", text(None, 12))];
    let mut room = Resource::new("Room");
    room.fields = vec![field("property", Type::reference("Property"))];
    let mut booking = Resource::new("Booking");
    let date = || Type::Date { minimum: None, maximum: None };
    booking.fields = vec![
        field("property", Type::reference("Property")),
        field("room", Type::reference("Room")),
        field("begin", date()),
        field("end", date()),
    ];
    let rule = |check: &str, code: &str, path: &str| Rule {
        check: Condition::new(check),
        code: code.to_owned(),
        path: Some(path.to_owned()),
        message: None,
    };
    booking.rules = vec![
        rule("room.property == property", "RoomElsewhere", "room"),
        rule("days(begin, end) >= 1", "NoNight", "end"),
    ];
    Checked::new(Service { resources: vec![property, room, booking], ..Service::new("inn") }).expect("no mistake")
}

/// What entities say decides what may refer to them together.
#[test]
fn bodies_meet_rules_about_what_they_refer_to() {
    let service = inn();
    let resource = |name| service.resource(name).expect("it is there");
    let mut maker = BodyMaker::new(&service, 3);
    let mut rooms = Vec::new();
    for number in 0..5 {
        let (property, room) = (Uuid::from_u128(number), Uuid::from_u128(100 + number));
        let reference = serde_json::json!({ "id": property.to_string() });
        maker.add("Property", property);
        maker.add("Room", room);
        maker.learn(resource("Room"), room, &[("property".to_owned(), reference.clone())].into_iter().collect());
        rooms.push((room.to_string(), reference));
    }
    let booking = resource("Booking");
    for fixed in ["property", "room"] {
        for number in 0..20 {
            let made = maker.entity(booking, (Version::PUBLIC, None), number, true).expect("it is made");
            let mut body = made.as_object().cloned().expect("an object");
            let before = body[fixed].clone();
            maker.meet(booking, &[], None, &|field| field.name != fixed, &mut body).expect("a body is found");
            assert_eq!(body[fixed], before);
            let (_, property) = rooms.iter().find(|(room, _)| body["room"]["id"] == **room).expect("a room");
            assert_eq!(body["property"], *property);
            assert!(body["begin"].as_str() < body["end"].as_str(), "{body:?}");
        }
    }
}
