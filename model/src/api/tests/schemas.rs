//! What bodies hold (§2.3 to §2.6).

use super::{both, marketplace, names, operation, properties, property, specimens};
use crate::api::{Api, FilledBy, Property, SchemaKey, ValueType};
use crate::check::Checked;
use crate::input::Bound;
use crate::resource::{Operation, OperationKind, Version};
use std::collections::HashSet;

/// The properties of a schema, by its name.
fn schema<'b, 'a>(api: &'b Api<'a>, name: &str) -> &'b [Property<'a>] {
    let found = api.schemas.iter().find(|(key, _)| key.name(api.service) == name);
    properties(found.unwrap_or_else(|| panic!("no {name}")).1)
}

#[test]
fn every_body_has_a_schema_with_a_name_of_its_own() {
    for service in both() {
        let api = Api::of(&service);
        let mut used: HashSet<SchemaKey> = api.events.kinds.iter().map(|kind| kind.data.schema()).collect();
        for (_, operation) in api.operations() {
            let of_responses = operation.responses.iter().flat_map(|response| &response.content);
            used.extend(operation.request.iter().chain(of_responses).filter_map(|content| content.schema));
        }
        assert!(used.iter().all(|key| api.schema(*key).is_some()));
        let unused: Vec<_> = api.schemas.keys().filter(|key| !used.contains(key)).collect();
        assert!(unused.iter().all(|key| matches!(key, SchemaKey::Entity(_) | SchemaKey::Problem)), "{unused:?}");
        let names: HashSet<_> = api.schemas.keys().map(|key| key.name(&service)).collect();
        assert_eq!(names.len(), api.schemas.len());
    }
}

/// §2.3, and §2.4.1: all properties, always; null where the field may be.
#[test]
fn an_entity_has_what_every_entity_has_and_its_fields() {
    let service = marketplace();
    let api = Api::of(&service);
    let offer = schema(&api, "Offer");
    assert_eq!(names(offer)[..5], ["id", "createdAt", "updatedAt", "name", "description"]);
    assert!(offer.iter().all(|property| property.is_required));
    assert!(!property(offer, "name").is_nullable);
    assert!(property(offer, "description").is_nullable);
    // §2.4.2
    assert!(!property(offer, "images").is_nullable);
    // §2.4.9
    let ValueType::Reference { to, properties } = &property(offer, "seller").value else { panic!("a reference") };
    assert_eq!((*to, names(properties)), ("User", vec!["id", "name"]));
}

/// Decisions, "Versions": a version and a view are choices of fields.
#[test]
fn versions_and_views_choose_fields() {
    let service = marketplace();
    let api = Api::of(&service);
    let has = |schema_name: &str, name: &str| names(schema(&api, schema_name)).contains(&name);
    assert!(!has("Offer", "condition") && has("Offer.beta.v2", "condition"));
    assert!(!has("Offer", "costPrice") && has("Offer.sale", "costPrice"));
    assert!(has("Offer.sale.Creation", "costPrice") && !has("Offer.Creation", "costPrice"));
}

#[test]
fn what_is_write_only_is_not_rendered() {
    let service = specimens();
    let api = Api::of(&service);
    assert!(!names(schema(&api, "Specimen")).contains(&"passphrase"));
    assert!(names(schema(&api, "Specimen.Creation")).contains(&"passphrase"));
    assert!(!names(schema(&api, "Specimen.treat.Command")).contains(&"password"));
}

/// Decisions, "Requests".
#[test]
fn requests_omit_what_has_a_default_or_keeps_its_value() {
    let service = specimens();
    let api = Api::of(&service);
    let (creation, replacement) = (schema(&api, "Specimen.Creation"), schema(&api, "Specimen.Replacement"));
    let required = |of: &[Property<'_>]| {
        let required = of.iter().filter(|property| property.is_required);
        required.map(|property| property.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(required(creation), ["name", "storage", "readings"]);
    assert_eq!(required(replacement), ["name", "storage", "readings"]);
    // `required` with a default: it may be omitted, and not be null
    assert!(!property(creation, "collection").is_nullable);
    assert!(property(creation, "status").is_ignored);
    assert!(property(creation, "keeper").filled_by == Some(FilledBy::Token));
}

/// Decisions, "Views and owners".
#[test]
fn the_owner_is_the_tokens_and_the_scope_the_paths() {
    let service = marketplace();
    let mut open = service.clone().into_inner();
    let offer = open.resources.iter_mut().find(|resource| resource.name == "Offer").unwrap();
    offer.operations[0] = Operation::open(OperationKind::Create);
    let open = Checked::new(open).unwrap();
    let api = Api::of(&open);
    let seller = property(schema(&api, "Offer.Creation"), "seller");
    assert_eq!((seller.filled_by, seller.is_required), (Some(FilledBy::Token), true), "a caller may have no token");
    let api = Api::of(&service);
    let closed = property(schema(&api, "Offer.Creation"), "seller");
    assert_eq!((closed.filled_by, closed.is_required), (Some(FilledBy::Token), false));
    let sale = property(schema(&api, "Offer.sale.Creation"), "seller");
    assert_eq!((sale.filled_by, sale.is_required), (Some(FilledBy::Token), false));
    let scoped = property(schema(&api, "Offer.Creation.seller"), "seller");
    assert_eq!((scoped.filled_by, scoped.is_required), (Some(FilledBy::Path), false));
}

/// §2.4.13: the entities under the resource's name, and `count` unless the resource has none.
#[test]
fn a_collection_is_an_object_2_4_13() {
    let service = marketplace();
    let api = Api::of(&service);
    assert_eq!(names(schema(&api, "Offer.Collection")), ["offers", "count"]);
    assert_eq!(names(schema(&api, "GeneralDelivery.Collection")), ["generalDeliveries", "count"]);
    assert_eq!(names(schema(&api, "ApplicationConfiguration.Collection")), ["applicationConfigurations"]);
}

/// §2.5, and the decision "Searches".
#[test]
fn a_search_has_the_criteria_of_its_version_2_5() {
    let service = marketplace();
    let api = Api::of(&service);
    let search = schema(&api, "Offer.Search");
    assert_eq!(names(search)[..5], ["id", "createdAt", "updatedAt", "limit", "offset"]);
    assert!(!names(search).contains(&"condition"));
    assert!(names(schema(&api, "Offer.beta.v2.Search")).contains(&"condition"));
    // searches are used in views too
    assert!(names(search).contains(&"costPrice"));
    let bounds = |property: &Property<'_>| match &property.value {
        ValueType::Criterion { bounds, .. } => bounds.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(bounds(property(search, "stock")), Bound::ALL);
    assert_eq!(bounds(property(search, "colour")), []);
    let price = properties(&property(search, "buyNow").value);
    assert_eq!(bounds(property(price, "amount")), Bound::ALL);
    assert_eq!(bounds(property(price, "currency")), []);
    let ValueType::Array { items, bounds: limits } = &property(search, "shippingOptions").value else {
        panic!("an array of objects")
    };
    assert_eq!(limits.max_items, Some(100));
    assert_eq!(names(properties(items)), ["carrier", "price", "handlingTime"]);
    let posted = schema(&api, "Offer.Criteria");
    assert!(posted.iter().all(|property| !property.is_required && property.is_nullable));
    assert!(property(posted, "id").is_ignored);
}

/// §2.6: status, inputs, outputs, errors.
#[test]
fn a_command_has_its_status_inputs_outputs_and_errors_2_6() {
    let service = marketplace();
    let api = Api::of(&service);
    let renew = schema(&api, "Offer.renew.Command");
    let expected = ["id", "createdAt", "updatedAt", "status", "fromDate", "duration", "endingAt", "errors"];
    assert_eq!(names(renew), expected);
    assert_eq!(property(renew, "status").value, ValueType::Words(vec!["RUNNING", "SUCCESSFUL", "FAILED"]));
    assert!(property(renew, "endingAt").is_nullable);
    assert_eq!(names(schema(&api, "Offer.renew.Input")), ["fromDate", "duration"]);
}

/// §7.1: five members, always.
#[test]
fn errors_have_five_members_7_1() {
    let service = marketplace();
    let api = Api::of(&service);
    for name in ["Errors.Body", "Offer.renew.Command"] {
        let ValueType::Array { items, .. } = &property(schema(&api, name), "errors").value else { panic!("an array") };
        assert_eq!(**items, ValueType::Schema(SchemaKey::Problem), "{name}");
    }
    assert_eq!(names(schema(&api, "Problem.Body")), ["message", "code", "details", "path", "userMessage"]);
}

/// §4.2: the media type is that of the version, the body RFC 6902.
#[test]
fn a_patch_is_a_list_of_operations_in_the_services_media_type() {
    let service = marketplace();
    let api = Api::of(&service);
    let patch = operation(&api, "Offer.sale.patch");
    assert!(patch.request.iter().all(|content| content.schema == Some(SchemaKey::Patch)));
    assert_eq!(patch.request[0].media_type, "application/vnd.service.public.v1+json");
    assert_eq!(patch.request[0].version, Some(Version::Public));
    let Some(ValueType::Array { items, bounds: limits }) = api.schema(SchemaKey::Patch) else { panic!("an array") };
    assert_eq!(limits.max_items, Some(1000));
    assert_eq!(names(properties(items)), ["op", "path", "from", "value"]);
}
