//! Bodies of any kind, read along a shape: never a panic, and what is no JSON is told from what is merely wrong.

use proptest::prelude::*;
use restwell_model::field::Type;
use restwell_model::input::{Body, MAX_DEPTH, MAX_PROBLEMS, Reading, Shape, well_formed};
use restwell_model::{Checked, Enum, Field, Object, Service, Value};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// A shape with a field of every way to read.
fn shape() -> Shape {
    let mut service = Service::new("shop");
    service
        .objects
        .push(Object::new("Part", vec![Field::new("name", Type::string()), Field::new("weight", integer())]));
    service.enums.push(Enum::new("Colour", vec!["RED".to_owned(), "BLUE".to_owned()]));
    let named = |name: &str| Type::Named { name: name.to_owned() };
    let price = Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
    let array = |items| Type::Array { items: Box::new(items), min_items: None, max_items: Some(3), unique_items: true };
    let types = [
        ("name", Type::string()),
        ("stock", integer()),
        ("share", Type::Number { minimum: None, maximum: None }),
        ("weight", Type::Decimal { minimum: None, maximum: None, scale: 3 }),
        ("new", Type::Boolean),
        ("code", Type::Uuid),
        ("at", Type::Timestamp { minimum: None, maximum: None }),
        ("on", Type::Date { minimum: None, maximum: None }),
        ("opens", Type::Time),
        ("lasts", Type::Duration),
        ("country", Type::Country),
        ("language", Type::Language),
        ("price", price),
        ("seller", Type::reference("User")),
        ("colour", named("Colour")),
        ("part", named("Part")),
        ("parts", array(named("Part"))),
        ("tags", array(Type::string())),
    ];
    let fields: Vec<_> = types.into_iter().map(|(name, ty)| Field::new(name, ty)).collect();
    Shape::compile(&Checked::recorded(service), &fields, &["id"], &|_| true)
}

fn integer() -> Type {
    Type::Integer { minimum: Some(0), maximum: None }
}

/// A key: a field's own, or any.
fn key() -> impl Strategy<Value = String> {
    let known =
        ["id", "name", "stock", "weight", "at", "price", "seller", "part", "parts", "tags", "amount", "currency"];
    prop_oneof![3 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

fn json_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "[0-9]{0,20}(\\.[0-9]{0,4})?".prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::btree_map(key(), inner, 0..6).prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// JSON text with a few of its bytes replaced: close to the edge between what parses and what does not.
fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    (prop::collection::btree_map(key(), json_value(), 0..6), cuts).prop_map(|(members, cuts)| {
        let mut bytes = json!(members).to_string().into_bytes();
        for (place, byte) in cuts {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes
    })
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..200), 4 => near_json()]
}

proptest! {
    /// Decisions, "Errors": only text that is not JSON is malformed, whatever fields there are to read it.
    #[test]
    fn what_is_malformed_does_not_depend_on_the_fields(body in bodies()) {
        for reading in [Reading::Create, Reading::Update] {
            let read = shape().read(&body, reading, &[]);
            prop_assert_eq!(read.is_err(), well_formed(&body).is_err());
            if let Ok(Body { value, problems, .. }) = read {
                prop_assert!(problems.len() <= MAX_PROBLEMS);
                prop_assert!(problems.is_empty() <= matches!(value, Value::Object(_)), "no problem, no object");
            }
        }
    }

    /// Decisions, "Errors": nesting deeper than 64 levels, the outermost counted.
    #[test]
    fn depth(levels in 1..MAX_DEPTH * 2, shapes in prop::collection::vec(any::<bool>(), MAX_DEPTH * 2)) {
        let opening: String = shapes[..levels].iter().map(|is_array| if *is_array { "[" } else { "{\"[\\\"{\":" }).collect();
        let closing: String = shapes[..levels].iter().rev().map(|is_array| if *is_array { "]" } else { "}" }).collect();
        let body = format!("{opening}0{closing}");
        prop_assert_eq!(well_formed(body.as_bytes()).is_ok(), levels <= MAX_DEPTH);
        prop_assert_eq!(shape().read(body.as_bytes(), Reading::Create, &[]).is_ok(), levels <= MAX_DEPTH);
    }

    /// Decisions, "Errors": a duplicate key, at any level, however it is written.
    #[test]
    fn duplicate_keys(
        key in key(),
        depth in 0..5_usize,
        known in prop::sample::select(vec!["part", "name", "else"]),
        is_escaped in any::<bool>(),
    ) {
        let written = Json::from(key.clone()).to_string();
        let escaped = key.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        let again = if is_escaped { format!("\"{escaped}\"") } else { written.clone() };
        let nest = |inner: String| (0..depth).fold(inner, |inner, _| format!("{{\"{known}\":[{inner}]}}"));
        let once = nest(format!("{{{written}:1}}"));
        let twice = nest(format!("{{{written}:1,{again}:1}}"));
        prop_assert!(shape().read(once.as_bytes(), Reading::Create, &[]).is_ok());
        prop_assert!(shape().read(twice.as_bytes(), Reading::Create, &[]).is_err(), "{}", twice);
    }
}

/// A body of nearly the greatest length must be read in time in proportion to it.
#[test]
fn very_large_bodies() {
    let many = |write: &dyn Fn(usize) -> String| (0..80_000).map(write).collect::<Vec<_>>().join(",");
    let members = many(&|number| format!("\"k{number}\":0"));
    let bodies = [
        format!("{{{members}}}"),
        format!("{{\"else\":{{{members}}}}}"),
        format!("{{\"price\":{{{members}}}}}"),
        format!("{{\"tags\":[{}]}}", many(&|number| format!("\"{number}\""))),
        format!("{{\"parts\":[{}]}}", many(&|number| format!("{{\"weight\":{number}}}"))),
        format!("{{\"else\":{}{members}{}}}", "[{\"k\":".repeat(30) + "{", "}".to_owned() + &"}]".repeat(30)),
    ];
    for body in bodies {
        let started = Instant::now();
        let Body { problems, .. } = shape().read(body.as_bytes(), Reading::Create, &[]).expect("it is JSON");
        assert!(!problems.is_empty() && problems.len() <= MAX_PROBLEMS);
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}: {}", started.elapsed(), &body[..40]);
    }
}

/// What a body omits has its default, also inside of a default, and where only the service sets it.
#[test]
fn defaults_are_whole() {
    let set_by_service = |default: Json| Field { read_only: true, required: true, default: Some(default), ..name() };
    let grade = Field { name: "grade".to_owned(), ..set_by_service(json!("A")) };
    let mut service = Service::new("shop");
    service.objects.push(Object::new("Part", vec![name(), grade]));
    let named = Type::Named { name: "Part".to_owned() };
    let array = Type::Array { items: Box::new(named.clone()), min_items: None, max_items: None, unique_items: false };
    let part = |name: &str, default: Option<Json>| Field { default, ..Field::new(name, named.clone()) };
    let fields = [
        part("given", None),
        part("omitted", Some(json!({ "name": "x" }))),
        Field { read_only: true, ..part("kept", Some(json!({ "name": "y", "grade": "B" }))) },
        Field::new("several", array),
    ];
    let shape = Shape::compile(&Checked::recorded(service), &fields, &[], &|_| true);
    let body = shape.read(br#"{"given":{"name":"z"},"several":[{"name":"a"}]}"#, Reading::Create, &[]).unwrap();
    let part = |name: &str| Value::Object(vec![Value::Text(name.to_owned()), Value::Text("A".to_owned())]);
    let expected = vec![part("z"), part("x"), part("y"), Value::List(vec![part("a")])];
    assert_eq!(shape.complete(body.value), Value::Object(expected));
}

fn name() -> Field {
    Field::new("name", Type::string())
}
