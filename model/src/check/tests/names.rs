//! Names: case, number, and what is taken.

use super::{
    assert_faults, assert_fine, enumeration, object, resource, shop, shop_with, shop_with_command, shop_with_fields,
};
use crate::check::{Fault, Severity};
use crate::service::Service;
use serde_json::{Value, json};

#[test]
fn a_definition_is_pascal_case() {
    let fields = json!({ "fields": { "name": { "type": "string" } } });
    assert_faults(shop([resource("general_delivery", fields.clone())]), &["pascal-case general_delivery"]);
    assert_fine(shop([resource("GeneralDelivery", fields)]));
}

#[test]
fn a_definition_is_singular() {
    let fields = json!({ "fields": { "name": { "type": "string" } } });
    assert_faults(shop([resource("Offers", fields.clone())]), &["singular-name Offers"]);
    assert_fine(shop([resource("Address", fields)]));
}

#[test]
fn a_definition_written_inline_is_judged_by_its_field_alone() {
    let mut service = shop_with_fields(json!({ "colours": { "type": "named", "of": "OfferColours" } }));
    service.enums.push(enumeration("OfferColours", &["WHITE"]));
    assert_faults(service, &["singular-field Offer.fields.colours"]);
}

#[test]
fn a_field_is_camel_case_without_acronym_runs() {
    for name in ["buy_now", "BuyNow", "htmlURL", "buy-now", "größe", ""] {
        let faults = super::faults(shop_with_fields(json!({ name: { "type": "boolean" } })));
        let codes: Vec<&str> = faults.iter().map(|fault| fault.code.code()).collect();
        assert_eq!(codes, ["camel-case"], "{name}");
    }
    assert_fine(shop_with_fields(json!({ "htmlUrl": { "type": "boolean" }, "line2": { "type": "boolean" } })));
}

#[test]
fn an_array_is_plural_and_nothing_else_is() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    assert_faults(shop_with_fields(json!({ "image": list })), &["plural-array Offer.fields.image"]);
    assert_faults(
        shop_with_fields(json!({ "colours": { "type": "string" } })),
        &["singular-field Offer.fields.colours"],
    );
    assert_fine(shop_with_fields(json!({ "images": list, "status": { "type": "string" } })));
}

#[test]
fn the_right_word_is_proposed() {
    let proposal = |fields| super::faults(shop_with_fields(fields))[0].help.clone();
    let list = json!({ "type": "array", "items": { "type": "string" } });
    assert_eq!(proposal(json!({ "category": list })).as_deref(), Some("write `categories`"));
    assert_eq!(proposal(json!({ "buy_now": { "type": "price" } })).as_deref(), Some("write `buyNow`"));
    assert_eq!(proposal(json!({ "boxes": { "type": "string" } })).as_deref(), Some("write `box`"));
    let count = proposal(json!({ "totalItem": { "type": "integer" } }));
    assert_eq!(count.as_deref(), Some("write `itemsCount` or `totalCount`"));
}

#[test]
fn a_count_is_called_one() {
    for name in ["totalItem", "totalItems", "totalOffer"] {
        let at = format!("count-name Offer.fields.{name}");
        assert_faults(shop_with_fields(json!({ name: { "type": "integer" } })), &[&at]);
    }
    for name in ["count", "totalCount", "offersCount", "totalAmount", "total"] {
        assert_fine(shop_with_fields(json!({ name: { "type": "integer" } })));
    }
    assert_fine(shop_with_fields(json!({ "totalItem": { "type": "price" } })));
}

#[test]
fn an_enums_values_are_upper_snake_each_once_and_some() {
    let check = |values: &[&str], expected: &[&str]| {
        let mut service = shop_with_fields(json!({ "colour": { "type": "named", "of": "Colour" } }));
        service.enums.push(enumeration("Colour", values));
        assert_faults(service, expected);
    };
    check(&["WHITE", "OFF_WHITE", "RAL_9010"], &[]);
    check(&["white"], &["upper-snake Colour.values[0]"]);
    check(&["WHITE", "BLACK", "WHITE"], &["repeated-name Colour.values[2]"]);
    check(&["A_1", "A1"], &[]);
    check(&["SELF", "NONE", "SOME", "OK", "ERR", "DEFAULT", "BOX"], &[]);
    check(&[], &["empty-enum Colour.values"]);
}

#[test]
fn commands_and_views_are_kebab_case() {
    assert_faults(shop_with_command("putUp", json!({})), &["kebab-case Offer.commands.putUp"]);
    assert_fine(shop_with_command("put-up", json!({})));
    let view = |name: &str| {
        let path = format!("/{name}/offers");
        let operations = json!([{ "kind": "list", "access": ["anyone"] }]);
        shop_with(json!({ "views": [{ "name": name, "path": path, "operations": operations }], "fields": {} }))
    };
    assert_faults(view("forSale"), &["kebab-case Offer.views.forSale"]);
    assert_fine(view("for-sale"));
}

#[test]
fn the_service_and_its_vendor_are_kebab_case() {
    assert_faults(Service::new("My Shop"), &["kebab-case service.service"]);
    assert_faults(Service { vendor: "Acme".to_owned(), ..Service::new("shop") }, &["kebab-case service.vendor"]);
    assert_fine(Service { vendor: "acme.shop".to_owned(), ..Service::new("my-shop") });
}

#[test]
fn a_path_is_plural_and_kebab_case() {
    let with_plural = |plural: &str| shop_with(json!({ "plural": plural, "fields": {} }));
    assert_faults(with_plural("special_offers"), &["kebab-case Offer.plural"]);
    assert_faults(with_plural("offer"), &["plural-path Offer.plural"]);
    assert_fine(with_plural("special-offers"));
}

#[test]
fn a_definition_may_have_the_name_of_any_type_but_self() {
    for name in ["Option", "String", "Price", "Ref", "Result", "Box", "Resource", "Some", "Country", "Date"] {
        assert_fine(shop([resource(name, json!({ "fields": {} }))]));
    }
    assert_faults(shop([resource("Self", json!({ "fields": {} }))]), &["reserved-type Self"]);
}

#[test]
fn fields_and_commands_may_be_keywords() {
    for word in ["self", "super", "crate", "type", "match", "gen"] {
        assert_fine(shop_with_fields(json!({ word: { "type": "string" } })));
        assert_fine(shop_with_command(word, json!({})));
    }
}

#[test]
fn common_fields_are_not_written_down() {
    let fields = json!({ "id": { "type": "uuid" }, "createdAt": { "type": "timestamp" } });
    let faults = super::faults(shop_with_fields(fields));
    assert!(
        faults.iter().any(|fault| fault.code.code() == "common-field" && fault.at.to_string() == "Offer.fields.id")
    );
    assert!(faults.iter().any(|fault| fault.at.to_string() == "Offer.fields.createdAt"));
}

#[test]
fn a_nested_object_may_have_an_id() {
    let mut service = shop_with_fields(json!({ "parameter": { "type": "named", "of": "Parameter" } }));
    service.objects.push(object("Parameter", json!({ "id": { "type": "uuid" } })));
    assert_fine(service);
}

#[test]
fn an_input_or_output_is_not_called_like_a_commands_own_field() {
    let status = json!({ "status": { "type": "string" } });
    assert_faults(
        shop_with_command("renew", json!({ "output": status })),
        &["command-field Offer.commands.renew.output.status"],
    );
    assert_faults(
        shop_with_command("renew", json!({ "input": { "id": { "type": "uuid" } } })),
        &["command-field Offer.commands.renew.input.id"],
    );
    assert_fine(shop_with_command("renew", json!({ "output": { "offerStatus": { "type": "string" } } })));
}

#[test]
fn a_filter_is_not_called_like_a_query_parameter() {
    for name in ["sort", "offset", "limit", "search", "dryRun", "include"] {
        let at = format!("reserved-parameter Offer.fields.{name}");
        assert_faults(shop_with_fields(json!({ name: { "type": "string", "filter": true } })), &[&at]);
        assert_fine(shop_with_fields(json!({ name: { "type": "string" } })));
    }
}

#[test]
fn no_json_object_has_two_members_of_a_name() {
    let allow = json!({ "plural-path": "it is the domain's word" });
    let plural = json!({ "plural": "count", "allow": allow, "fields": {} });
    assert_faults(shop_with(plural), &["member-clash Offer.plural"]);
    for name in ["limit", "offset"] {
        let at = format!("member-clash Offer.fields.{name}");
        let mut service = shop_with_fields(json!({ name: { "type": "string" } }));
        service.objects.push(object("Point", json!({ "x": { "type": "integer", "filter": true } })));
        let offer = &mut service.resources[0];
        offer.fields[0].ty = crate::field::Type::Named { name: "Point".to_owned() };
        assert_fine(service.clone());
        service.resources[0].search = crate::resource::Search::All;
        assert_faults(service, &[&at]);
    }
}

#[test]
fn no_two_fields_have_one_column() {
    let price = json!({ "buyNow": { "type": "price" }, "buyNowAmount": { "type": "integer" } });
    assert_faults(shop_with_fields(price), &["name-clash Offer.fields.buyNowAmount"]);
    let reference = json!({ "seller": { "type": "ref", "to": "User" }, "sellerId": { "type": "uuid" } });
    assert_faults(shop_with_fields(reference), &["name-clash Offer.fields.sellerId"]);
    let nested = |inner: &str| {
        let fields = json!({ "address": { "type": "string" }, "addressCity": { "type": "string" } });
        let mut service = shop_with_fields(fields);
        service.resources[0].fields[0].ty = crate::field::Type::Named { name: "Address".to_owned() };
        service.objects.push(object("Address", json!({ inner: { "type": "string" } })));
        service
    };
    assert_faults(nested("city"), &["name-clash Offer.fields.addressCity"]);
    assert_fine(nested("town"));
}

#[test]
fn no_field_has_a_common_column() {
    let mut service = shop_with_fields(json!({ "created": { "type": "string" } }));
    service.resources[0].fields[0].ty = crate::field::Type::Named { name: "Creation".to_owned() };
    service.objects.push(object("Creation", json!({ "at": { "type": "timestamp" } })));
    assert_faults(service, &["name-clash Offer.fields.created"]);
}

#[test]
fn a_field_stands_once() {
    let mut offer = resource("Offer", json!({ "fields": { "name": { "type": "string" } } }));
    offer.fields.push(offer.fields[0].clone());
    assert_faults(shop([offer]), &["duplicate-field Offer.fields.name"]);
}

#[test]
fn inputs_and_outputs_share_their_names() {
    let at = json!({ "endingAt": { "type": "timestamp" } });
    assert_faults(
        shop_with_command("renew", json!({ "input": at, "output": at })),
        &["duplicate-field Offer.commands.renew.output.endingAt"],
    );
}

#[test]
fn definitions_share_one_space_of_names() {
    let mut service = shop_with_fields(json!({ "name": { "type": "string" } }));
    service.enums.push(enumeration("Offer", &["A"]));
    assert_faults(service, &["duplicate-name Offer"]);
}

#[test]
fn a_definition_may_be_called_like_a_type_that_a_resource_brings() {
    for ending in ["Draft", "Query", "Sort"] {
        let named = |name: &str| resource(name, json!({ "fields": {} }));
        assert_fine(shop([named("Offer"), named(&format!("Offer{ending}"))]));
    }
}

#[test]
fn a_reference_is_not_written_flat() {
    // an error: its code and place; a warning: with a question mark
    let judged = |fields: Value, others: &[&str]| {
        let resources = others.iter().map(|name| resource(name, json!({ "fields": { "name": { "type": "string" } } })));
        let offer = resource("Offer", json!({ "fields": fields }));
        let faults = super::faults(shop(resources.chain([offer])));
        let mark = |fault: &Fault| if fault.severity == Severity::Warning { "?" } else { "" };
        faults.iter().map(|fault| format!("{}{} {}", fault.code, mark(fault), fault.at)).collect::<Vec<_>>()
    };
    let field = |name: &str, ty: &str| json!({ name: { "type": ty } });
    let certain = |name: &str| vec![format!("flat-reference Offer.fields.{name}")];
    let guess = |name: &str| vec![format!("flat-reference? Offer.fields.{name}")];
    assert_eq!(judged(field("sellerId", "uuid"), &[]), certain("sellerId"));
    for ty in ["string", "integer"] {
        assert_eq!(judged(field("sellerId", ty), &[]), guess("sellerId"));
        assert_eq!(judged(field("sellerId", ty), &["Seller"]), certain("sellerId"));
    }
    assert_eq!(judged(field("sellerName", "string"), &["Seller"]), certain("sellerName"));
    assert_eq!(judged(field("offerName", "string"), &[]), guess("offerName"));
    assert_eq!(judged(field("deviceId", "string"), &["Device"]), guess("deviceId"));
    for name in ["sellerName", "cityName", "companyName", "firstName", "externalId", "name", "fileName"] {
        assert_eq!(judged(field(name, "string"), &[]), Vec::<String>::new(), "{name}");
    }
    let beside = json!({ "seller": { "type": "ref", "to": "User" }, "sellerName": { "type": "string" } });
    assert_eq!(judged(beside, &["Seller"]), Vec::<String>::new());
}

#[test]
fn a_flat_reference_in_a_command_is_a_guess() {
    let id = |name: &str| json!({ name: { "type": "uuid" } });
    assert_fine(shop_with_command("renew", json!({ "output": id("closureId") })));
    let faults = super::faults(shop_with_command("renew", json!({ "input": id("userId") })));
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].code.code(), faults[0].severity), ("flat-reference", Severity::Warning));
}

#[test]
fn a_guess_is_a_warning() {
    let severity = |name: &str, field: Value| {
        let faults = super::faults(shop_with_fields(json!({ name: field })));
        faults.first().map(|fault| (fault.code.code(), fault.severity))
    };
    let list = json!({ "type": "array", "items": { "type": "string" } });
    assert_eq!(severity("colours", json!({ "type": "string" })), Some(("singular-field", Severity::Error)));
    assert_eq!(severity("days", json!({ "type": "integer" })), Some(("singular-field", Severity::Warning)));
    assert_eq!(severity("openIssues", json!({ "type": "boolean" })), Some(("singular-field", Severity::Warning)));
    assert_eq!(severity("allowsRefunds", json!({ "type": "boolean" })), None);
    assert_eq!(severity("lengthInMetres", json!({ "type": "number" })), None);
    assert_eq!(severity("image", list.clone()), Some(("plural-array", Severity::Error)));
    assert_eq!(severity("available", list.clone()), Some(("plural-array", Severity::Warning)));
    assert_eq!(severity("idsToAdd", list), None);
}

#[test]
fn a_total_of_a_measure_is_no_count() {
    for name in ["totalTax", "totalMs", "totalPriceInCents", "totalUsed", "totalSoftware", "totalScore"] {
        let fields = json!({ name: { "type": "integer" } });
        assert!(super::faults(shop_with_fields(fields)).is_empty(), "{name}");
    }
    assert_faults(
        shop_with_fields(json!({ "totalRepos": { "type": "integer" } })),
        &["count-name Offer.fields.totalRepos"],
    );
}

#[test]
fn what_lists_are_going_to_know_is_reserved() {
    let array = json!({ "type": "array", "items": { "type": "string" } });
    for name in ["expand", "after", "words", "anyOf", "groupBy", "measures", "groupTimezone", "at"] {
        let at = format!("reserved-parameter Offer.fields.{name}");
        let filter = json!({ "type": "string", "filter": true, "allow": { "singular-field": "as it is" } });
        let faults = super::faults(shop_with_fields(json!({ name: filter })));
        assert!(faults.iter().any(|fault| format!("{} {}", fault.code, fault.at) == at), "{name}");
        let former = json!({ "type": "string", "filter": true, "formerly": { "name": name, "sunset": "2999-01-01" } });
        let faults = super::faults(shop_with_fields(json!({ "colour": former })));
        assert!(faults.iter().any(|fault| fault.code.code() == "former-name-clash"), "{name}");
    }
    let searched = |search: Value| shop_with(json!({ "search": search, "fields": { "words": array } }));
    assert_faults(searched(json!("all")), &["reserved-parameter Offer.fields.words"]);
    assert_fine(shop_with_fields(json!({ "words": array, "after": { "type": "string" } })));
    let relevance = |sort: bool| shop_with_fields(json!({ "relevance": { "type": "integer", "sort": sort } }));
    assert_faults(relevance(true), &["reserved-parameter Offer.fields.relevance"]);
    assert_fine(relevance(false));
}
