//! What names other definitions.

use super::{assert_faults, assert_fine, enumeration, faults, object, resource, shop, shop_with_fields};
use crate::service::Service;
use serde_json::{Value, json};

fn named(of: &str) -> Value {
    json!({ "type": "named", "of": of })
}

fn reference(to: &str, show: &[&str]) -> Value {
    json!({ "type": "ref", "to": to, "show": show })
}

fn help(service: Service) -> Option<String> {
    faults(service).first().and_then(|fault| fault.help.clone())
}

#[test]
fn a_type_is_known() {
    let with_colour = |ty: Value| {
        let mut service = shop_with_fields(json!({ "colour": ty, "shade": named("Colour") }));
        service.enums.push(enumeration("Colour", &["WHITE"]));
        service
    };
    assert_faults(with_colour(named("Color")), &["unknown-type Offer.fields.colour.type"]);
    assert_eq!(help(with_colour(named("Color"))).as_deref(), Some("write `Colour`"));
    assert_eq!(help(with_colour(named("strng"))).as_deref(), Some("write `string`"));
    assert_eq!(help(with_colour(named("Zebra"))).as_deref(), Some("define it: `object: Zebra` or `enum: Zebra`"));
    assert_fine(with_colour(named("Colour")));
}

#[test]
fn the_type_of_items_is_known() {
    let items = json!({ "type": "array", "items": named("Nothing") });
    assert_faults(shop_with_fields(json!({ "things": items })), &["unknown-type Offer.fields.things.items.type"]);
}

#[test]
fn a_reference_is_to_a_resource() {
    assert_faults(
        shop_with_fields(json!({ "seller": reference("Usr", &[]) })),
        &["unknown-resource Offer.fields.seller.to"],
    );
    assert_eq!(help(shop_with_fields(json!({ "seller": reference("Usr", &[]) }))).as_deref(), Some("write `User`"));
    let mut service = shop_with_fields(json!({ "shade": reference("Colour", &[]), "tint": named("Colour") }));
    service.enums.push(enumeration("Colour", &["WHITE"]));
    assert_faults(service, &["wrong-definition Offer.fields.shade.to"]);
}

#[test]
fn a_resource_is_pointed_at_and_not_held() {
    let service = || shop_with_fields(json!({ "seller": named("User") }));
    assert_faults(service(), &["wrong-definition Offer.fields.seller.type"]);
    assert_eq!(help(service()).as_deref(), Some("write `type: ref, to: User`"));
}

#[test]
fn a_reference_shows_what_can_be_shown() {
    let account = || {
        let view = json!([{ "name": "own", "path": "/own/accounts",
                            "operations": [{ "kind": "list", "access": ["user"] }] }]);
        resource(
            "Account",
            json!({ "views": view, "fields": {
            "name": { "type": "string" },
            "password": { "type": "string", "writeOnly": true },
            "balance": { "type": "price", "views": ["own"] },
            "user": { "type": "ref", "to": "User" },
        } }),
        )
    };
    let offer = |show: &[&str]| resource("Offer", json!({ "fields": { "account": reference("Account", show) } }));
    let at = |fault: &str| format!("{fault} Offer.fields.account.show[0]");
    for (name, fault) in [
        ("password", "hidden-show"),
        ("balance", "hidden-show"),
        ("user", "hidden-show"),
        ("id", "hidden-show"),
        ("nam", "unknown-field"),
    ] {
        assert_faults(shop([offer(&[name]), account()]), &[&at(fault)]);
    }
    assert_faults(shop([offer(&["name", "name"]), account()]), &["repeated-name Offer.fields.account.show[1]"]);
    assert_fine(shop([offer(&["name", "createdAt"]), account()]));
}

#[test]
fn an_object_does_not_contain_itself() {
    let tree = |field: Value| {
        let mut service = shop_with_fields(json!({ "category": named("Category") }));
        service.objects.push(object("Category", json!({ "child": field })));
        service
    };
    assert_faults(tree(named("Category")), &["object-recursion Category.fields.child.type"]);
    assert_fine(tree(json!({ "type": "string" })));
}

#[test]
fn an_object_does_not_contain_itself_in_a_list_or_by_another() {
    let mut service = shop_with_fields(json!({ "folder": named("Folder") }));
    service.objects.push(object("Folder", json!({ "entries": { "type": "array", "items": named("Entry") } })));
    service.objects.push(object("Entry", json!({ "folder": named("Folder"), "name": { "type": "string" } })));
    assert_faults(service, &["object-recursion Entry.fields.folder.type"]);
}

#[test]
fn required_references_form_no_ring() {
    let needing =
        |to: &str, required: bool| json!({ "fields": { "other": { "type": "ref", "to": to, "required": required } } });
    let pair =
        |required| shop([resource("Player", needing("Team", true)), resource("Team", needing("Player", required))]);
    assert_faults(pair(true), &["required-ring Player.fields.other"]);
    let message = faults(pair(true))[0].message.clone();
    assert_eq!(
        message,
        "entities with these references could never be created: `Player.other` requires `Team`, \
         `Team.other` requires `Player`"
    );
    assert_fine(pair(false));
    assert_faults(shop([resource("Node", needing("Node", true))]), &["required-ring Node.fields.other"]);
}

#[test]
fn a_ring_is_found_through_objects_and_arrays_that_are_not_empty() {
    let with = |least: u32| {
        let list = json!({ "type": "array", "items": named("Part"), "required": true, "minItems": least });
        let mut service = shop([resource("Node", json!({ "fields": { "parts": list } }))]);
        service.objects.push(object("Part", json!({ "node": { "type": "ref", "to": "Node", "required": true } })));
        service
    };
    assert_faults(with(1), &["required-ring Node.fields.parts"]);
    assert_fine(with(0));
}

#[test]
fn a_definition_is_of_use() {
    let mut service = shop([]);
    service.enums.push(enumeration("Colour", &["WHITE"]));
    assert_faults(service, &["unused-definition Colour"]);
}

#[test]
fn an_object_has_fields() {
    let mut service = shop_with_fields(json!({ "address": named("Address") }));
    service.objects.push(object("Address", json!({})));
    assert_faults(service, &["empty-object Address.fields"]);
}
