//! The tables agree with the model and with each other.

use super::{FIELD, KeyShape, Literal, Order, SCALAR_TYPES, Type, TypeClass, scalar_type};
use crate::field::Field;
use crate::input::Scalar;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

#[test]
fn the_word_of_a_scalar_type_is_that_of_its_json() {
    for scalar in SCALAR_TYPES {
        let word = scalar.keys.what;
        let read: Type =
            serde_json::from_value(json!({ "type": word })).unwrap_or_else(|error| panic!("{word}: {error}"));
        assert_eq!(read, scalar.plain);
        assert_eq!(read.word(), word);
        assert!(matches!(read.class(), TypeClass::Scalar(row) if std::ptr::eq(row, scalar)), "{word}");
        assert!(scalar_type(word).is_some_and(|row| std::ptr::eq(row, scalar)), "{word}");
    }
    let names: BTreeSet<&str> = SCALAR_TYPES.iter().map(|scalar| scalar.rust.name()).collect();
    assert_eq!(names.len(), SCALAR_TYPES.len(), "each has a Rust type of its own");
}

#[test]
fn a_type_has_the_order_of_its_reader() {
    for scalar in SCALAR_TYPES {
        if let Some(reader) = Scalar::compile(&scalar.plain, None) {
            assert_eq!(reader.is_ordered(), scalar.order == Order::Ranges, "{}", scalar.keys.what);
        }
    }
}

/// A value of a key that is not its default.
fn value(shape: KeyShape, example: Option<Literal>) -> Value {
    match (shape, example) {
        (_, Some(example)) => example.json(),
        (KeyShape::Secret, None) => json!("argon2"),
        (_, None) => json!(true),
    }
}

#[test]
fn every_key_is_one_of_the_model() {
    for key in
        FIELD.keys.iter().filter(|key| !matches!(key.shape, KeyShape::Type | KeyShape::Default | KeyShape::Example))
    {
        let given = value(key.shape, key.example);
        let field =
            Field::new("name", Type::string()).with_keys(Map::from_iter([(key.name.to_owned(), given.clone())]));
        assert_eq!(serde_json::to_value(&field).unwrap_or_default().get(key.name), Some(&given), "{}", key.name);
    }
    for scalar in SCALAR_TYPES {
        for key in scalar.keys.keys {
            let given = value(key.shape, key.example);
            let ty = scalar.plain.clone().with_keys(Map::from_iter([(key.name.to_owned(), given)]));
            assert_ne!(ty, scalar.plain, "{} of {}", key.name, scalar.keys.what);
        }
    }
}
