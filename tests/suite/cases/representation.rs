//! §2.2 to §2.4: what an entity and a collection look like.

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, id, keeper, path, reference};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::{Uuid, Version};

pub(super) const CASES: &[Case] = &[
    ("§2.1 paths are plural and dashed, collections camelCase", plural_names),
    ("§2.2 an id is a lower-case UUID, of version 7", ids),
    ("§2.3 the service sets id, createdAt and updatedAt", common_fields),
    ("§2.3 updating moves updatedAt alone", updated_at),
    ("§2.4.1 what is blank is null, and nothing is omitted", null_not_omitted),
    ("§2.4.2 an empty collection is [], never null", empty_collections),
    ("§2.4.10 POST, GET and PUT answer the same whole representation", whole_representation),
    ("§2.4.12 JSON is minified", minified),
    ("§2.4.13 a collection is an object with the array and its count", collection_shape),
    ("Paging: a resource may do without count", no_count),
    ("§2.4.9 a reference shows fields of the other entity, the common ones too", shows_times),
];

fn plural_names(api: &Api) {
    api.create("/stock-entries", &json!({ "quantity": 1 }));
    let body = api.get("/stock-entries").is(200).json();
    assert_eq!(body["stockEntries"].as_array().map(Vec::len), Some(1));
}

fn ids(api: &Api) {
    let specimen = created(api, &json!({}));
    let parsed: Uuid = id(&specimen).parse().expect("a UUID");
    assert_eq!(parsed.hyphenated().to_string(), id(&specimen), "lower case, 8-4-4-4-12");
    assert_eq!(parsed.get_version(), Some(Version::SortRand));
    assert_ne!(id(&specimen), id(&created(api, &json!({}))));
}

fn common_fields(api: &Api) {
    let mine = json!({
        "id": crate::specimen::NOBODY, "createdAt": "2001-01-01T00:00:00.000Z", "updatedAt": "2001-01-01T00:00:00.000Z",
    });
    let specimen = created(api, &mine);
    for field in ["id", "createdAt", "updatedAt"] {
        assert_ne!(specimen[field], mine[field], "{field} is ignored in requests");
    }
    for field in ["createdAt", "updatedAt"] {
        assert!(is_timestamp(&specimen[field]), "{field}: {}", specimen[field]);
    }
}

fn updated_at(api: &Api) {
    let before = created(api, &json!({}));
    std::thread::sleep(std::time::Duration::from_millis(5));
    let after = api.put(&path("specimens", &before), &before).is(200).json();
    assert_eq!(after["id"], before["id"]);
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["updatedAt"].as_str() > before["updatedAt"].as_str(), "{after}");
}

fn null_not_omitted(api: &Api) {
    let specimen = created(api, &json!({ "note": "" }));
    let found: BTreeSet<_> = specimen.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = BTreeSet::from([
        "archivedAt",
        "batch",
        "bestBefore",
        "bids",
        "code",
        "collection",
        "colour",
        "colours",
        "countryCode",
        "createdAt",
        "currency",
        "drawer",
        "email",
        "examinations",
        "examinedAt",
        "fee",
        "feedingTime",
        "fees",
        "fingerprint",
        "firstExamination",
        "foundAt",
        "foundOn",
        "fragile",
        "grade",
        "id",
        "insurance",
        "keeper",
        "kind",
        "labels",
        "language",
        "legacyCode",
        "lifespan",
        "link",
        "measure",
        "measurements",
        "moods",
        "name",
        "note",
        "origin",
        "parts",
        "phone",
        "position",
        "ratio",
        "readings",
        "registryNumber",
        "relatedTags",
        "samples",
        "scores",
        "serial",
        "settings",
        "share",
        "size",
        "status",
        "storage",
        "tag",
        "theme",
        "ticket",
        "timezone",
        "traits",
        "unit",
        "updatedAt",
        "value",
        "weight",
    ]);
    assert_eq!(found, expected);
    for field in ["note", "size", "weight", "fragile", "foundAt", "value", "kind", "keeper", "origin", "archivedAt"] {
        assert_eq!(specimen[field], Value::Null, "{field}");
    }
}

fn empty_collections(api: &Api) {
    assert_eq!(api.get("/specimens").is(200).body, r#"{"specimens":[],"count":0}"#);
    let specimen = created(api, &json!({ "labels": null }));
    for field in ["samples", "labels", "colours", "bids", "relatedTags", "parts"] {
        assert_eq!(specimen[field], json!([]), "{field}");
    }
}

fn whole_representation(api: &Api) {
    let keeper = keeper(api, "Ida");
    let posted = created(api, &json!({ "keeper": reference(&keeper), "origin": { "place": "Gdańsk" } }));
    let got = api.get(&path("specimens", &posted)).is(200).json();
    assert_eq!(got, posted);
    let mut put = api.put(&path("specimens", &posted), &posted).is(200).json();
    put["updatedAt"] = posted["updatedAt"].clone();
    assert_eq!(put, posted);
    let listed = api.get("/specimens").is(200).json();
    let read_again = api.get(&path("specimens", &posted)).is(200).json();
    assert_eq!(listed["specimens"], json!([read_again]));
}

fn minified(api: &Api) {
    let specimen = created(api, &json!({ "origin": { "place": "Rome" }, "labels": ["a", "b"] }));
    for target in [path("specimens", &specimen), "/specimens".to_owned(), "/specimens/nothing".to_owned()] {
        let reply = api.get(&target);
        assert_eq!(reply.body.len(), reply.json().to_string().len(), "{reply}");
    }
}

fn collection_shape(api: &Api) {
    let first = created(api, &json!({}));
    let second = created(api, &json!({}));
    let body = api.get("/specimens").is(200).json();
    assert_eq!(body, json!({ "specimens": [first, second], "count": 2 }));
}

fn no_count(api: &Api) {
    let entry = api.create("/stock-entries", &json!({ "quantity": 1 }));
    assert_eq!(api.get("/stock-entries").is(200).json(), json!({ "stockEntries": [entry] }));
}

/// Exactly `yyyy-MM-ddTHH:mm:ss.SSSZ`.
fn is_timestamp(value: &Value) -> bool {
    let shape = |b: u8| if b.is_ascii_digit() { b'0' } else { b };
    value.as_str().is_some_and(|text| text.bytes().map(shape).eq(*b"0000-00-00T00:00:00.000Z"))
}

fn shows_times(api: &Api) {
    let specimen = created(api, &json!({}));
    let loan = api.create("/loans", &json!({ "specimen": reference(&specimen) }));
    let shown = json!({ "id": specimen["id"], "name": "Amber", "createdAt": specimen["createdAt"] });
    assert_eq!(loan["specimen"], shown);
    assert_eq!(api.get("/loans").is(200).json()["loans"][0]["specimen"], shown);
}
