//! Big services.

use super::{assert_faults, assert_fine, object, resource, shop, shop_with_fields};
use crate::check::Checked;
use crate::field::Type;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Wide bounds for a build without optimization on a busy machine; quadratic lookups would break them all the same.
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn a_thousand_resources_are_checked_in_no_time() {
    let words = ["alpha", "beta", "gamma", "delta"];
    let fields: Value = (0..20)
        .map(|n| (format!("{}Word{n}", words[n % 4]), json!({ "type": "string", "filter": true })))
        .chain([("seller".to_owned(), json!({ "type": "ref", "to": "User" }))])
        .collect::<serde_json::Map<_, _>>()
        .into();
    let service =
        shop((0..1000).map(|n| resource(&format!("Thing{n}"), json!({ "fields": fields, "under": ["seller"] }))));
    let start = Instant::now();
    let checked = Checked::new(service).expect("nothing is wrong");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!(checked.resources.len(), 1001);
}

#[test]
fn a_resource_has_an_end() {
    let field = |n: usize| (format!("word{n}"), json!({ "type": "string" }));
    let fields = |count: usize| Value::Object((0..count).map(field).collect());
    assert_fine(shop_with_fields(fields(750)));
    assert_faults(shop_with_fields(fields(751)), &["too-many-fields Offer"]);
}

#[test]
fn objects_that_multiply_are_counted_without_going_through_them() {
    let mut service = shop_with_fields(json!({ "part": { "type": "string" } }));
    service.resources[0].fields[0].ty = Type::Named { name: "Part0".to_owned() };
    for n in 0..60 {
        let mut part =
            object(&format!("Part{n}"), json!({ "left": { "type": "string" }, "right": { "type": "string" } }));
        if n < 59 {
            part.fields.iter_mut().for_each(|field| field.ty = Type::Named { name: format!("Part{}", n + 1) });
        }
        service.objects.push(part);
    }
    assert_faults(service, &["too-many-fields Offer"]);
}

#[test]
fn a_long_chain_of_required_references_is_no_ring() {
    let link =
        |n: usize| json!({ "fields": { "next": { "type": "ref", "to": format!("Link{n}"), "required": true } } });
    let last = resource("Link500", json!({ "fields": {} }));
    assert_fine(shop((0..500).map(|n| resource(&format!("Link{n}"), link(n + 1))).chain([last])));
}
