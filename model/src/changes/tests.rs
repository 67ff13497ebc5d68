//! Each kind of change, by a pair of models: `effect kind place`, a removed place in brackets.

#![allow(clippy::needless_pass_by_value)] // JSON is written where it is used up

use super::changes;
use crate::check::Checked;
use crate::service::Service;
use serde_json::{Value, json};

/// A shop whose offers have these fields, beside users, an address and a colour.
fn shop(offer: Value) -> Value {
    let mut resource = json!({ "name": "Offer", "plural": "offers", "versions": ["public.v1"], "operations": [] });
    let keys = offer.as_object().expect("keys").clone();
    resource.as_object_mut().expect("a resource").extend(keys);
    resource["fields"] = listed(&resource["fields"]);
    let user = json!({ "name": "User", "plural": "users", "versions": ["public.v1"], "operations": [], "fields": [] });
    json!({
        "name": "shop", "vendor": "service",
        "enums": [{ "name": "Colour", "values": ["RED", "WHITE"] }],
        "objects": [{ "name": "Address", "fields": [{ "name": "city", "type": "string" }] }],
        "resources": [resource, user],
    })
}

/// `{"name": {…}}` as the model has it: `[{"name": "name", …}]`.
fn listed(fields: &Value) -> Value {
    let named = |(name, keys): (&String, &Value)| {
        let mut field = keys.clone();
        field["name"] = json!(name);
        field
    };
    fields.as_object().map_or(json!([]), |fields| fields.iter().map(named).collect())
}

fn checked(service: Value) -> Checked {
    let service: Service = serde_json::from_value(service).expect("a service");
    Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[track_caller]
fn assert_changes(old: Value, new: Value, expected: &[&str]) {
    let (old, new) = (checked(old), checked(new));
    let shown = |change: &super::Change| {
        let at = if change.removed { format!("[{}]", change.at) } else { change.at.to_string() };
        format!("{:?} {:?} {at}", change.effect, change.kind)
    };
    assert_eq!(changes(&old, &new).iter().map(shown).collect::<Vec<_>>(), expected);
}

#[track_caller]
fn assert_fields(old: Value, new: Value, expected: &[&str]) {
    assert_changes(shop(json!({ "fields": old })), shop(json!({ "fields": new })), expected);
}

/// One field that becomes another one of its name.
#[track_caller]
fn assert_field(old: Value, new: Value, expected: &[&str]) {
    assert_fields(json!({ "thing": old }), json!({ "thing": new }), expected);
}

fn text() -> Value {
    json!({ "type": "string" })
}

#[test]
fn a_model_is_no_other_than_itself_and_docs_are_no_change() {
    let fields = json!({ "name": text(), "address": { "type": "named", "of": "Address" } });
    assert_fields(fields.clone(), fields, &[]);
    assert_field(text(), json!({ "type": "string", "description": "What it is.", "example": "A bicycle" }), &[]);
}

#[test]
fn resources_come_go_and_are_renamed() {
    let thing = |name: &str, plural: &str, from: Value| {
        let mut service = shop(json!({ "fields": {} }));
        let resource = json!({ "name": name, "plural": plural, "versions": ["public.v1"], "operations": [],
                               "fields": [], "renamedFrom": from });
        service["resources"].as_array_mut().expect("resources").push(resource);
        service
    };
    let none = || shop(json!({ "fields": {} }));
    assert_changes(none(), thing("Thing", "things", Value::Null), &["Safe ResourceAdded Thing"]);
    assert_changes(thing("Thing", "things", Value::Null), none(), &["Consent ResourceDropped [Thing]"]);
    let item = || thing("Item", "items", json!("Thing"));
    let renamed = ["Safe ResourceRenamed Item", "Safe PluralChanged Item.plural"];
    assert_changes(thing("Thing", "things", Value::Null), item(), &renamed);
    // the rename is a change once: after it the name is the same
    assert_changes(item(), item(), &[]);
    let unsaid = thing("Item", "items", Value::Null);
    let both = ["Safe ResourceAdded Item", "Consent ResourceDropped [Thing]"];
    assert_changes(thing("Thing", "things", Value::Null), unsaid, &both);
}

#[test]
fn fields_come_go_and_are_renamed() {
    let field = |keys: Value| json!({ "name": text(), "extra": keys });
    let plain = || json!({ "name": text() });
    assert_fields(plain(), field(text()), &["Safe FieldAdded Offer.fields.extra"]);
    assert_fields(field(text()), plain(), &["Consent FieldDropped [Offer.fields.extra]"]);
    let title = json!({ "title": { "type": "string", "renamedFrom": "name" } });
    assert_fields(plain(), title.clone(), &["Safe FieldRenamed Offer.fields.title"]);
    assert_fields(title.clone(), title, &[]);
    let unsaid = json!({ "title": text() });
    assert_fields(plain(), unsaid, &["Consent FieldDropped [Offer.fields.name]", "Safe FieldAdded Offer.fields.title"]);
}

#[test]
fn a_field_gets_the_name_of_another_one() {
    let renamed = |from: &str| json!({ "type": "string", "renamedFrom": from });
    let both = || json!({ "extra": text(), "name": text() });
    let taken = ["Safe FieldRenamed Offer.fields.name", "Consent FieldDropped [Offer.fields.name]"];
    assert_fields(both(), json!({ "name": renamed("extra") }), &taken);
    let swapped = || json!({ "extra": renamed("name"), "name": renamed("extra") });
    let swap = ["Safe FieldRenamed Offer.fields.extra", "Safe FieldRenamed Offer.fields.name"];
    assert_fields(both(), swapped(), &swap);
    assert_fields(swapped(), swapped(), &[]);
    let mut more = swapped();
    more["size"] = json!({ "type": "integer" });
    assert_fields(swapped(), more, &["Safe FieldAdded Offer.fields.size"]);
}

#[test]
fn keys_that_name_a_removed_field_have_changed() {
    let with = |fields: Value| shop(json!({ "fields": fields, "unique": [["name", "size"]] }));
    let size = || json!({ "type": "integer" });
    let old = with(json!({ "extra": text(), "name": text(), "size": size() }));
    let new = with(json!({ "name": { "type": "string", "renamedFrom": "extra" }, "size": size() }));
    let shown = [
        "Safe FieldRenamed Offer.fields.name",
        "Consent FieldDropped [Offer.fields.name]",
        "Verified UniqueAdded Offer.unique[0]",
        "Safe UniqueDropped [Offer.unique[0]]",
    ];
    assert_changes(old, new, &shown);
}

#[test]
fn a_resource_gets_the_name_of_another_one_and_references_follow() {
    let reference = |to: &str| json!({ "type": "ref", "to": to });
    let with = |people: &str, from: Value, seller: &str| {
        let mut service = shop(json!({ "fields": { "seller": reference(seller) } }));
        let plural = if people == "User" { "users" } else { "people" };
        let resource = json!({ "name": people, "plural": plural, "versions": ["public.v1"], "operations": [],
                               "fields": [], "renamedFrom": from });
        service["resources"].as_array_mut().expect("resources").push(resource);
        service
    };
    let old = with("Person", Value::Null, "Person");
    let mut new = with("User", json!("Person"), "User");
    new["resources"].as_array_mut().expect("resources").remove(1);
    let shown = ["Safe ResourceRenamed User", "Safe PluralChanged User.plural"];
    // the resource that was called `User` before is removed
    let mut without_users = old.clone();
    without_users["resources"].as_array_mut().expect("resources").remove(1);
    without_users["users"] = Value::Null;
    let mut renamed = new.clone();
    renamed["users"] = Value::Null;
    assert_changes(without_users, renamed, &shown);
    let mut both = old.clone();
    both["users"] = Value::Null;
    both["resources"][0]["fields"][0]["to"] = json!("User");
    new["users"] = Value::Null;
    let shown = [
        "Verified Target Offer.fields.seller.to",
        "Safe ResourceRenamed User",
        "Consent ResourceDropped [User]",
        "Safe PluralChanged User.plural",
    ];
    assert_changes(both, new, &shown);
}

/// `[]` is no value where there must be items.
#[test]
fn a_new_array_that_cannot_be_empty_needs_a_default() {
    let array = |keys: Value| {
        let mut array = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
        array.as_object_mut().expect("an object").extend(keys.as_object().cloned().unwrap_or_default());
        array
    };
    let required = json!({ "required": true });
    let filled = json!({ "required": true, "default": ["new"] });
    let with = |keys: &Value| json!({ "name": text(), "things": array(keys.clone()) });
    let plain = || json!({ "name": text() });
    assert_fields(plain(), with(&json!({})), &["Safe FieldAdded Offer.fields.things"]);
    assert_fields(plain(), with(&required), &["Default FieldAdded Offer.fields.things"]);
    assert_fields(plain(), with(&filled), &["Safe FieldAdded Offer.fields.things"]);
    assert_fields(with(&json!({})), with(&required), &["Default Required Offer.fields.things.required"]);
    let closed = ["Safe Default Offer.fields.things.default", "Safe Required Offer.fields.things.required"];
    assert_fields(with(&json!({})), with(&filled), &closed);
    let scalar = json!({ "type": "string", "allow": { "singular-field": "it becomes an array" } });
    let scalar = json!({ "name": text(), "things": scalar });
    let replaced = ["Default Required Offer.fields.things.required", "Consent TypeReplaced Offer.fields.things.type"];
    assert_fields(scalar, with(&required), &replaced);
}

#[test]
fn a_wider_type_keeps_the_bounds_or_says_which_are_new() {
    let integer = |keys: Value| with_type("integer", keys);
    let decimal = |keys: Value| with_type("decimal", keys);
    let retyped = "Verified TypeWidened Offer.fields.thing.type";
    assert_field(integer(json!({ "maximum": 5 })), decimal(json!({ "maximum": "5.00" })), &[retyped]);
    let tightened = ["Consent ConstraintTightened Offer.fields.thing.maximum", retyped];
    assert_field(integer(json!({})), decimal(json!({ "maximum": "5.00" })), &tightened);
    let (date, timestamp) = (with_type("date", json!({})), json!({ "minimum": "2020-01-01T00:00:00.000Z" }));
    let tightened =
        ["Consent ConstraintTightened Offer.fields.thing.minimum", "Safe TypeWidened Offer.fields.thing.type"];
    assert_field(date, with_type("timestamp", timestamp), &tightened);
}

fn with_type(word: &str, mut keys: Value) -> Value {
    keys["type"] = json!(word);
    keys
}

#[test]
fn a_new_required_field_needs_a_default() {
    let added = |keys: Value| json!({ "name": text(), "extra": keys });
    let plain = || json!({ "name": text() });
    let needs = ["Default FieldAdded Offer.fields.extra"];
    let safe = ["Safe FieldAdded Offer.fields.extra"];
    assert_fields(plain(), added(json!({ "type": "string", "required": true })), &needs);
    assert_fields(plain(), added(json!({ "type": "string", "required": true, "default": "none" })), &safe);
    // an omitted array is empty; a field that the service sets may be null until then
    let array = json!({ "type": "array", "items": { "type": "string" }, "required": true });
    let arrays = json!({ "name": text(), "extras": array });
    assert_fields(plain(), arrays, &["Safe FieldAdded Offer.fields.extras"]);
    assert_fields(plain(), added(json!({ "type": "string", "required": true, "readOnly": true })), &safe);
    // an object needs what its fields need
    let object = json!({ "type": "named", "of": "Address", "required": true });
    assert_fields(plain(), added(object), &safe);
}

#[test]
fn what_the_service_fills_from_now_on_needs_a_default() {
    let issued = |default: &str| {
        let keys = json!({ "type": "timestamp", "required": true, "readOnly": true });
        json!({ "name": text(), "issuedAt": with(keys, default) })
    };
    let time = r#"{ "default": "2026-01-01T00:00:00.000Z" }"#;
    let now = r#"{ "defaultIs": "now" }"#;
    let needed = ["Safe FieldAdded Offer.fields.issuedAt", "Default Required Offer.fields.issuedAt.required"];
    assert_fields(json!({ "name": text() }), issued(now), &needed);
    assert_fields(json!({ "name": text() }), issued(time), &["Safe FieldAdded Offer.fields.issuedAt"]);
    let found =
        changes(&checked(shop(json!({ "fields": issued("{}") }))), &checked(shop(json!({ "fields": issued(now) }))));
    assert!(found.iter().any(|change| change.effect == super::Effect::Default), "{found:?}");
    // rows have the plain default already
    let found =
        changes(&checked(shop(json!({ "fields": issued(time) }))), &checked(shop(json!({ "fields": issued(now) }))));
    assert!(found.iter().all(|change| change.effect != super::Effect::Default), "{found:?}");
}

fn with(mut keys: Value, more: &str) -> Value {
    let more: serde_json::Map<String, Value> = serde_json::from_str(more).expect("keys");
    keys.as_object_mut().expect("keys").extend(more);
    keys
}

#[test]
fn what_becomes_required_needs_a_default_too() {
    let required = |default: Value| json!({ "type": "string", "required": true, "default": default });
    assert_field(text(), required(Value::Null), &["Default Required Offer.fields.thing.required"]);
    let given = ["Safe Default Offer.fields.thing.default", "Safe Required Offer.fields.thing.required"];
    assert_field(text(), required(json!("none")), &given);
    assert_field(required(Value::Null), text(), &["Safe Optional Offer.fields.thing.required"]);
}

#[test]
fn types_widen_narrow_and_are_replaced() {
    let ty = |word: &str| json!({ "type": word });
    let to = |effect: &str, what: &str| format!("{effect} {what} Offer.fields.thing.type");
    for (old, new, effect, what) in [
        ("country", "string", "Safe", "TypeWidened"),
        ("uuid", "string", "Safe", "TypeWidened"),
        ("string", "country", "Consent", "TypeNarrowed"),
        ("integer", "decimal", "Verified", "TypeWidened"),
        ("date", "timestamp", "Safe", "TypeWidened"),
        ("timestamp", "date", "Consent", "TypeReplaced"),
        ("string", "integer", "Consent", "TypeReplaced"),
    ] {
        assert_field(ty(old), ty(new), &[&to(effect, what)]);
    }
    let colour = json!({ "type": "named", "of": "Colour" });
    assert_field(colour.clone(), text(), &[&to("Safe", "TypeWidened")]);
    assert_field(text(), colour, &[&to("Consent", "TypeNarrowed")]);
    // nothing is left of the values, so what is required needs others
    let required = |word: &str| json!({ "type": word, "required": true });
    let replaced = ["Default Required Offer.fields.thing.required", "Consent TypeReplaced Offer.fields.thing.type"];
    assert_field(required("string"), required("integer"), &replaced);
    let scale = |scale: u32| json!({ "type": "decimal", "scale": scale });
    assert_field(scale(2), scale(3), &["Verified ConstraintLoosened Offer.fields.thing.scale"]);
    assert_field(scale(3), scale(2), &["Consent ConstraintTightened Offer.fields.thing.scale"]);
}

#[test]
fn constraints_loosen_and_tighten() {
    let cases = [
        (json!({ "type": "string", "maxLength": 10 }), json!({ "type": "string", "maxLength": 20 }), "maxLength"),
        (json!({ "type": "string", "minLength": 3 }), text(), "minLength"),
        (json!({ "type": "string", "pattern": "^a" }), text(), "pattern"),
        (json!({ "type": "integer", "minimum": 3 }), json!({ "type": "integer", "minimum": 2 }), "minimum"),
        (json!({ "type": "price", "currencies": ["PLN"] }), json!({ "type": "price" }), "currencies"),
    ];
    for (tight, loose, key) in cases {
        let shown = |effect: &str| format!("{effect} Offer.fields.thing.{key}");
        assert_field(tight.clone(), loose.clone(), &[&shown("Safe ConstraintLoosened")]);
        assert_field(loose, tight, &[&shown("Consent ConstraintTightened")]);
    }
}

#[test]
fn enums_gain_and_lose_values_and_objects_fields() {
    let mut old = shop(json!({ "fields": {
        "colour": { "type": "named", "of": "Colour" }, "address": { "type": "named", "of": "Address" } } }));
    let mut new = old.clone();
    new["enums"][0]["values"] = json!(["RED", "BLACK"]);
    let city = json!({ "name": "city", "type": "string" });
    new["objects"][0]["fields"] = json!([city, { "name": "zip", "type": "string", "required": true }]);
    let enums = ["Safe ValueAdded Colour.values.BLACK", "Consent ValueDropped [Colour.values.WHITE]"];
    // the address itself may be null, and the new field is not where it is there
    let shown = ["Default FieldAdded Address.fields.zip", enums[0], enums[1]];
    assert_changes(old.clone(), new.clone(), &shown);
    // a definition that no table stores does not change
    old["resources"][0]["fields"] = json!([]);
    new["resources"][0]["fields"] = json!([]);
    assert_changes(old, new, &[]);
}

/// An array's items are JSON. A migration renames their fields, and does not remove any: what they keep has to be
/// meant.
#[test]
fn items_of_arrays_get_new_names_and_keep_removed_fields() {
    let mut old = shop(json!({ "fields": {
        "addresses": { "type": "array", "items": { "type": "named", "of": "Address" } } } }));
    let mut new = old.clone();
    new["objects"][0]["fields"] = json!([{ "name": "town", "type": "string", "renamedFrom": "city" }]);
    assert_changes(old.clone(), new.clone(), &["Safe FieldRenamed Address.fields.town"]);
    new["objects"][0]["fields"] = json!([{ "name": "zip", "type": "string" }]);
    let changes = ["Consent FieldDropped [Address.fields.city]", "Safe FieldAdded Address.fields.zip"];
    assert_changes(old.clone(), new.clone(), &changes);
    // in columns as well: the graver word counts, once
    for service in [&mut old, &mut new] {
        let address = json!({ "name": "address", "type": "named", "of": "Address" });
        service["resources"][0]["fields"].as_array_mut().expect("fields").push(address);
    }
    assert_changes(old, new, &changes);
}

#[test]
fn what_is_unique_is_looked_at_when_it_runs() {
    let unique = json!({ "type": "string", "unique": true });
    assert_field(text(), unique.clone(), &["Verified UniqueAdded Offer.fields.thing.unique"]);
    assert_field(unique.clone(), text(), &["Safe UniqueDropped Offer.fields.thing.unique"]);
    let in_any_case = json!({ "type": "string", "unique": "ignoreCase" });
    assert_field(text(), in_any_case.clone(), &["Verified UniqueAdded Offer.fields.thing.unique"]);
    assert_field(unique.clone(), in_any_case.clone(), &["Verified UniqueAdded Offer.fields.thing.unique"]);
    assert_field(in_any_case.clone(), unique, &["Safe UniqueDropped Offer.fields.thing.unique"]);
    assert_field(in_any_case, text(), &["Safe UniqueDropped Offer.fields.thing.unique"]);
    let fields =
        json!({ "name": { "type": "string", "required": true }, "code": { "type": "string", "required": true } });
    let with = |unique: Value| shop(json!({ "fields": fields, "unique": unique }));
    let (none, both) = (|| with(json!([])), || with(json!([["name", "code"]])));
    assert_changes(none(), both(), &["Verified UniqueAdded Offer.unique[0]"]);
    assert_changes(both(), none(), &["Safe UniqueDropped [Offer.unique[0]]"]);
    let renamed = json!({ "title": { "type": "string", "required": true, "renamedFrom": "name" },
                          "code": { "type": "string", "required": true } });
    let renamed = shop(json!({ "fields": renamed, "unique": [["title", "code"]] }));
    assert_changes(both(), renamed, &["Safe FieldRenamed Offer.fields.title"]);
}

#[test]
fn an_index_of_several_fields_changes_no_rows() {
    let fields = |size: Value| json!({ "kind": { "type": "boolean", "filter": true }, "size": size });
    let size = json!({ "type": "integer", "sort": true });
    let with = |index: Value| shop(json!({ "fields": fields(size.clone()), "index": index }));
    let (none, one) = (|| with(json!([])), || with(json!([["kind", "size"]])));
    assert_changes(none(), one(), &["Safe IndexAdded Offer.index[0]"]);
    assert_changes(one(), none(), &["Safe IndexDropped [Offer.index[0]]"]);
    let renamed = json!({ "kind": { "type": "boolean", "filter": true },
                          "width": { "type": "integer", "sort": true, "renamedFrom": "size" } });
    let renamed = shop(json!({ "fields": renamed, "index": [["kind", "width"]] }));
    assert_changes(one(), renamed, &["Safe FieldRenamed Offer.fields.width"]);
}

#[test]
fn references_follow_a_renamed_resource_and_verify_another_one() {
    let old = shop(json!({ "fields": { "seller": { "type": "ref", "to": "User" } } }));
    let mut renamed = old.clone();
    renamed["resources"][0]["fields"][0]["to"] = json!("Person");
    renamed["resources"][1]["name"] = json!("Person");
    let mut other = renamed.clone();
    renamed["resources"][1]["renamedFrom"] = json!("User");
    assert_changes(old.clone(), renamed, &["Safe ResourceRenamed Person"]);
    let user = old["resources"][1].clone();
    other["resources"][1]["plural"] = json!("people");
    other["resources"].as_array_mut().expect("resources").push(user);
    let shown = ["Verified Target Offer.fields.seller.to", "Safe ResourceAdded Person"];
    assert_changes(old, other, &shown);
    let cascade = json!({ "type": "ref", "to": "User", "onDelete": "cascade" });
    let plain = json!({ "type": "ref", "to": "User" });
    assert_field(plain.clone(), cascade, &["Safe OnDelete Offer.fields.thing.onDelete"]);
    assert_field(plain, json!({ "type": "uuid" }), &["Safe TypeWidened Offer.fields.thing.type"]);
}

#[test]
fn what_requests_see_changes_no_row() {
    let base = json!({ "fields": { "name": text() } });
    let with = |key: &str, value: Value| {
        let mut offer = base.clone();
        offer[key] = value;
        shop(offer)
    };
    let get = json!([{ "kind": "get", "access": ["anyone"] }]);
    let command = json!([{ "name": "renew", "access": ["anyone"], "timeout": "PT30S" }]);
    let mut described = command.clone();
    described[0]["description"] = json!("Puts it up again.");
    assert_changes(with("commands", command.clone()), with("commands", described), &[]);
    for (key, value, shown) in [
        ("operations", get, "Safe OperationAdded Offer.operations.get"),
        ("commands", command, "Safe CommandAdded Offer.commands.renew"),
        ("versions", json!(["public.v1", "beta.v2"]), "Safe VersionAdded Offer.versions.beta.v2"),
        ("count", json!(false), "Safe Count Offer.count"),
    ] {
        assert_changes(shop(base.clone()), with(key, value), &[shown]);
    }
    let create = |open: bool| json!([{ "kind": "create", "access": ["anyone"], "openByDefault": open }]);
    let view = |open: bool| json!([{ "name": "drafts", "path": "/drafts", "operations": create(open) }]);
    assert_changes(with("operations", create(true)), with("operations", create(false)), &[]);
    assert_changes(with("views", view(true)), with("views", view(false)), &[]);
    assert_field(text(), json!({ "type": "string", "filter": true }), &["Safe Filter Offer.fields.thing.filter"]);
    let matched = || json!({ "type": "string", "filter": ["not", "startsWith"] });
    assert_field(text(), matched(), &["Safe Filter Offer.fields.thing.filter"]);
    assert_field(json!({ "type": "string", "filter": true }), matched(), &["Safe Filter Offer.fields.thing.filter"]);
    assert_field(
        text(),
        json!({ "type": "string", "immutable": true }),
        &["Safe Immutable Offer.fields.thing.immutable"],
    );
}
