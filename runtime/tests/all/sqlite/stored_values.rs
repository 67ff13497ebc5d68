//! What an older or newer release stored, and this one does not know.

use crate::sqlite::wire::call;
use restwell::testing::{self, Running};
use restwell::{Builder, Enum, Resource};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Enum)]
enum Colour {
    White,
    Black,
    #[value(unknown)]
    Unknown(String),
}

#[derive(Debug, Clone, Resource)]
#[resource(operations(create, list, get, update, patch))]
struct Shirt {
    #[field(filter, sort)]
    colour: Colour,
    #[field(filter)]
    trim: Option<Colour>,
    stripes: Vec<Colour>,
}

fn service() -> Builder {
    Builder::new("wardrobe").resource::<Shirt>()
}

/// A shirt whose colours were stored by a release that knew `TEAL`.
fn with_stored_teal(test: impl FnOnce(&Running, &str)) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("wardrobe.db");
    let shirt = {
        let service = testing::start_with_file(service(), &file);
        let (status, white) = call(&service, "POST", "/shirts", Some(&json!({ "colour": "WHITE" })));
        assert_eq!(status, 201, "{white}");
        let (status, black) = call(
            &service,
            "POST",
            "/shirts",
            Some(&json!({ "colour": "BLACK", "trim": "WHITE", "stripes": ["WHITE"] })),
        );
        assert_eq!(status, 201, "{black}");
        format!("/shirts/{}", black["id"].as_str().unwrap())
    };
    let database = rusqlite::Connection::open(&file).unwrap();
    let edit =
        r#"UPDATE shirts SET colour = 'TEAL', trim = 'TEAL', stripes = '["WHITE","TEAL"]' WHERE colour = 'BLACK'"#;
    assert_eq!(database.execute(edit, []).unwrap(), 1);
    drop(database);
    test(&testing::start_with_file(service(), &file), &shirt);
}

#[test]
fn a_stored_value_that_the_enum_does_not_know_is_rendered_as_it_is_2_4_8() {
    with_stored_teal(|service, shirt| {
        let (status, read) = call(service, "GET", shirt, None);
        assert_eq!(status, 200, "{read}");
        assert_eq!(read["colour"], "TEAL");
        assert_eq!(read["trim"], "TEAL");
        assert_eq!(read["stripes"], json!(["WHITE", "TEAL"]));

        let (status, listed) = call(service, "GET", "/shirts?sort=colour", None);
        assert_eq!(status, 200, "{listed}");
        assert_eq!(listed["shirts"][0], read, "enums sort by code point");
        assert_eq!(listed["shirts"][1]["colour"], "WHITE");
    });
}

#[test]
fn a_request_with_a_value_that_the_enum_does_not_know_is_refused_2_4_8() {
    with_stored_teal(|service, shirt| {
        let teal = json!({ "colour": "TEAL", "trim": null, "stripes": ["TEAL"] });
        for (method, path) in [("POST", "/shirts"), ("PUT", shirt)] {
            let (status, body) = call(service, method, path, Some(&teal));
            assert_eq!(status, 422, "{method}: {body}");
            let faults: Vec<_> = body["errors"].as_array().unwrap().iter().map(|e| (&e["code"], &e["path"])).collect();
            let unknown = json!("UnknownValue");
            assert_eq!(faults, [(&unknown, &json!("colour")), (&unknown, &json!("stripes.0"))], "{method}");
        }
        let (status, body) = call(service, "GET", "/shirts?trim=TEAL", None);
        assert_eq!(status, 422, "{body}");
    });
}

#[test]
fn an_unknown_stored_value_is_replaced_by_a_known_one() {
    with_stored_teal(|service, shirt| {
        let (status, body) = call(service, "PUT", shirt, Some(&json!({ "colour": "BLACK" })));
        assert_eq!(status, 200, "{body}");
        assert_eq!((&body["colour"], &body["trim"], &body["stripes"]), (&json!("BLACK"), &Value::Null, &json!([])));
    });
}
