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
    assert_fine(shop_with_fields(fields(750, &json!({ "type": "integer" }))));
    assert_faults(shop_with_fields(fields(751, &json!({ "type": "integer" }))), &["too-many-fields Offer"]);
}

fn fields(count: usize, field: &Value) -> Value {
    Value::Object((0..count).map(|n| (format!("word{n}"), field.clone())).collect())
}

/// The largest number of fields whose values fit into a row, and no more.
#[track_caller]
fn assert_most(most: usize, field: &Value) {
    assert_fine(shop_with_fields(fields(most, field)));
    assert_faults(shop_with_fields(fields(most + 1, field)), &["wide-row Offer"]);
}

#[test]
fn a_row_has_an_end() {
    assert_most(329, &json!({ "type": "string" }));
    assert_most(329, &json!({ "type": "string", "maxLength": 20 }));
    assert_most(464, &json!({ "type": "string", "maxLength": 4 }));
    assert_most(494, &json!({ "type": "uuid" }));
    assert_most(494, &json!({ "type": "price" }));
    assert_fine(shop_with_fields(fields(750, &json!({ "type": "country" }))));
    assert_fine(shop_with_fields(fields(750, &json!({ "type": "number" }))));
    // an array is one value, however much is in it
    let mut service = shop_with_fields(json!({ "parts": { "type": "array", "items": { "type": "integer" } } }));
    let part = object("Part", fields(600, &json!({ "type": "string" })));
    service.objects.push(part);
    let Type::Array { items, .. } = &mut service.resources[0].fields[0].ty else { panic!("an array") };
    **items = Type::Named { name: "Part".to_owned() };
    assert_fine(service);
}

#[test]
fn what_references_show_has_an_end() {
    let reference = |show: Value| json!({ "type": "ref", "to": "User", "show": show });
    let with = |count: usize, show: Value, more: usize| {
        let mut all = fields(count, &reference(show));
        all.as_object_mut()
            .expect("fields")
            .extend((0..more).map(|n| (format!("count{n}"), json!({ "type": "integer" }))));
        let allow = if count > 40 { json!({ "many-indexes": "references have them" }) } else { json!({}) };
        let mut service = super::shop_with(json!({ "fields": all, "allow": allow }));
        let user = fields(60, &json!({ "type": "integer" }));
        service.resources[1] = resource("User", json!({ "fields": user }));
        service
    };
    assert_fine(with(60, json!(["word1"]), 0));
    assert_faults(with(61, json!(["word1"]), 0), &["too-many-shown Offer"]);
    assert_fine(with(61, json!([]), 0));
    let many: Value = (0..40).map(|n| format!("word{n}")).collect();
    assert_fine(with(30, many.clone(), 300));
    assert_faults(with(30, many, 400), &["too-many-shown Offer"]);
}

#[test]
fn a_combination_has_an_end() {
    let names = |count: usize| (0..count).map(|n| format!("word{n}")).collect::<Vec<_>>();
    let with = |key: &str, count: usize| {
        let field = json!({ "type": "integer", "filter": key == "index", "sort": key == "index" });
        let mut offer = json!({ "fields": fields(35, &field) });
        offer[key] = json!([names(count)]);
        super::shop_with(offer)
    };
    assert_fine(with("unique", 32));
    assert_faults(with("unique", 33), &["long-combination Offer.unique[0]"]);
    assert_fine(with("index", 31));
    assert_faults(with("index", 32), &["long-combination Offer.index[0]"]);
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
