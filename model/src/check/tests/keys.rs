//! Keys of a field that do not go together.

use super::{assert_faults, assert_fine, object, shop_with, shop_with_command, shop_with_fields};
use serde_json::{Value, json};

#[track_caller]
fn field(keys: Value, expected: &[&str]) {
    let at_thing: Vec<String> = expected.iter().map(|fault| fault.replace('@', "Offer.fields.thing")).collect();
    let expected: Vec<&str> = at_thing.iter().map(String::as_str).collect();
    assert_faults(shop_with_fields(json!({ "thing": keys })), &expected);
}

#[test]
fn nothing_is_read_only_and_write_only() {
    field(json!({ "type": "string", "readOnly": true, "writeOnly": true }), &["read-and-write-only @.writeOnly"]);
    field(json!({ "type": "string", "readOnly": true }), &[]);
    field(json!({ "type": "string", "writeOnly": true }), &[]);
}

#[test]
fn nothing_is_read_only_and_immutable() {
    field(json!({ "type": "string", "readOnly": true, "immutable": true }), &["immutable-read-only @.immutable"]);
    field(json!({ "type": "string", "immutable": true }), &[]);
}

#[test]
fn a_required_read_only_field_wants_a_default() {
    field(json!({ "type": "string", "readOnly": true, "required": true }), &["required-read-only @.required"]);
    field(json!({ "type": "string", "readOnly": true, "required": true, "default": "new" }), &[]);
}

#[test]
fn an_owner_comes_from_the_token_and_may_be_required_and_read_only() {
    let seller = json!({ "type": "ref", "to": "User", "readOnly": true, "required": true });
    assert_fine(shop_with(json!({ "owner": "seller", "fields": { "seller": seller } })));
}

#[test]
fn a_secret_is_a_write_only_string() {
    field(json!({ "type": "string", "secret": "argon2" }), &["secret-misuse @.secret"]);
    field(json!({ "type": "uuid", "secret": "argon2", "writeOnly": true }), &["secret-misuse @.secret"]);
    field(
        json!({ "type": "string", "secret": "argon2", "writeOnly": true, "unique": true }),
        &["secret-misuse @.unique"],
    );
    field(json!({ "type": "string", "secret": "argon2", "writeOnly": true }), &[]);
}

#[test]
fn what_is_write_only_cannot_be_asked_for() {
    let keys = json!({ "type": "string", "writeOnly": true, "filter": true, "sort": true });
    field(keys, &["no-filter @.filter", "no-order @.sort"]);
}

#[test]
fn arrays_are_neither_filtered_nor_sorted_by_nor_unique() {
    let keys = json!({
        "type": "array", "items": { "type": "string" }, "filter": true, "sort": true, "unique": true
    });
    assert_faults(
        shop_with_fields(json!({ "things": keys })),
        &[
            "no-filter Offer.fields.things.filter",
            "no-order Offer.fields.things.sort",
            "no-unique Offer.fields.things.unique",
        ],
    );
}

#[test]
fn an_objects_own_fields_say_what_is_filterable() {
    let with = |keys: Value, inner: Value| {
        let mut service = shop_with_fields(json!({ "address": keys }));
        service.objects.push(object("Address", json!({ "city": inner })));
        service
    };
    let keys = json!({ "type": "named", "of": "Address", "filter": true, "sort": true, "unique": true });
    assert_faults(
        with(keys, json!({ "type": "string" })),
        &[
            "no-filter Offer.fields.address.filter",
            "no-order Offer.fields.address.sort",
            "no-unique Offer.fields.address.unique",
        ],
    );
    let inner = json!({ "type": "string", "filter": true, "sort": true, "unique": true });
    assert_fine(with(json!({ "type": "named", "of": "Address" }), inner));
}

#[test]
fn nothing_inside_an_array_is_unique() {
    let part = json!({ "type": "named", "of": "Part" });
    let mut service = shop_with_fields(json!({ "parts": { "type": "array", "items": part } }));
    service.objects.push(object("Part", json!({ "number": { "type": "string", "unique": true } })));
    assert_faults(service, &["no-unique Part.fields.number.unique"]);
}

#[test]
fn what_is_only_in_arrays_has_no_order() {
    let part = || json!({ "type": "named", "of": "Part" });
    let with = |fields: Value| {
        let mut service = shop_with_fields(fields);
        service.objects.push(object("Part", json!({ "number": { "type": "string", "sort": true } })));
        service
    };
    let parts = || json!({ "type": "array", "items": part() });
    assert_faults(with(json!({ "parts": parts() })), &["no-order Part.fields.number.sort"]);
    assert_fine(with(json!({ "parts": parts(), "part": part() })));
}

#[test]
fn references_and_durations_have_no_order() {
    field(json!({ "type": "ref", "to": "User", "sort": true }), &["no-order @.sort"]);
    field(json!({ "type": "duration", "sort": true }), &["no-order @.sort"]);
    for ordered in ["string", "boolean", "uuid", "country", "language", "currency", "price", "timestamp", "time"] {
        field(json!({ "type": ordered, "sort": true }), &[]);
    }
}

#[test]
fn a_required_reference_never_becomes_null() {
    let reference = |keys: Value| {
        let mut field = json!({ "type": "ref", "to": "User", "onDelete": "null" });
        field["required"] = keys;
        field
    };
    field(reference(json!(true)), &["null-on-required @.onDelete"]);
    field(reference(json!(false)), &[]);
    let items = json!({ "type": "ref", "to": "User", "onDelete": "null" });
    assert_fine(shop_with_fields(json!({ "buyers": { "type": "array", "items": items, "required": true } })));
}

#[test]
fn inputs_and_outputs_have_no_keys_of_collections() {
    let input = |keys: Value| shop_with_command("renew", json!({ "input": { "note": keys } }));
    assert_faults(
        input(json!({ "type": "string", "filter": true, "immutable": true })),
        &[
            "command-key Offer.commands.renew.input.note.filter",
            "command-key Offer.commands.renew.input.note.immutable",
        ],
    );
    assert_fine(input(json!({ "type": "string", "required": true, "writeOnly": true })));
    let output = |keys: Value| shop_with_command("renew", json!({ "output": { "note": keys } }));
    assert_faults(
        output(json!({ "type": "string", "required": true })),
        &["command-key Offer.commands.renew.output.note.required"],
    );
    assert_fine(output(json!({ "type": "string" })));
}

#[test]
fn what_has_a_sunset_is_deprecated() {
    field(json!({ "type": "string", "sunset": "2027-06-30" }), &["sunset-without-deprecated @.sunset"]);
    field(json!({ "type": "string", "sunset": "2027-06-30", "deprecated": true }), &[]);
    let offer = json!({ "sunset": "2027-06-30", "fields": {} });
    assert_faults(shop_with(offer), &["sunset-without-deprecated Offer.sunset"]);
    let renew = json!({ "sunset": "2027-06-30" });
    assert_faults(shop_with_command("renew", renew), &["sunset-without-deprecated Offer.commands.renew.sunset"]);
}

#[test]
fn what_is_renamed_is_no_longer_there_and_was_one_thing() {
    let renamed = |from: &str| json!({ "type": "string", "renamedFrom": from });
    field(renamed("thing"), &["rename-clash @.renamedFrom"]);
    field(renamed("item"), &[]);
    let still_there = json!({ "name": { "type": "string" }, "title": renamed("name") });
    assert_faults(shop_with_fields(still_there), &["rename-clash Offer.fields.title.renamedFrom"]);
    let twice = json!({ "name": renamed("label"), "title": renamed("label") });
    assert_faults(shop_with_fields(twice), &["rename-clash Offer.fields.title.renamedFrom"]);
    let swapped = json!({ "code": renamed("title"), "title": renamed("code") });
    assert_fine(shop_with_fields(swapped));
    assert_fine(shop_with_fields(json!({ "code": renamed("title"), "title": renamed("name") })));
    let to_itself = json!({ "code": renamed("title"), "title": renamed("title") });
    let faults = ["rename-clash Offer.fields.code.renamedFrom", "rename-clash Offer.fields.title.renamedFrom"];
    assert_faults(shop_with_fields(to_itself), &faults);
    let resource = |from: &str| shop_with(json!({ "renamedFrom": from, "fields": {} }));
    assert_faults(resource("User"), &["rename-clash Offer.renamedFrom"]);
    assert_fine(resource("Proposal"));
}
