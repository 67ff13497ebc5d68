//! Versions, views, searches.

use super::{assert_faults, assert_fine, object, resource, shop, shop_with};
use crate::service::Service;
use serde_json::{Value, json};

fn operations(kinds: &[&str]) -> Value {
    kinds.iter().map(|kind| json!({ "kind": kind, "access": ["user"] })).collect()
}

fn view(name: &str, kinds: &[&str]) -> Value {
    json!({ "name": name, "path": format!("/{name}/offers"), "operations": operations(kinds) })
}

#[test]
fn a_resource_is_served_in_versions_that_count_up() {
    let versions =
        |served: &[&str], retired: &[&str]| shop_with(json!({ "versions": served, "retired": retired, "fields": {} }));
    assert_faults(versions(&[], &[]), &["no-version Offer.versions"]);
    assert_faults(versions(&["public.v1", "public.v1"], &[]), &["repeated-name Offer.versions[1]"]);
    assert_faults(versions(&["public.v1", "beta.v1"], &["beta.v1"]), &["retired-served Offer.retired[0]"]);
    assert_faults(versions(&["beta.v2", "beta.v1"], &[]), &["beta-order Offer.versions[1]"]);
    assert_faults(versions(&["beta.v1"], &["beta.v2"]), &["beta-order Offer.retired"]);
    assert_fine(versions(&["public.v1", "beta.v2", "beta.v3"], &["beta.v1"]));
    assert_fine(versions(&["beta.v1"], &[]));
}

#[test]
fn betas_begin_with_one() {
    let mut service = shop([]);
    service.resources[0].versions = vec![crate::Version::Beta(0)];
    assert_faults(service, &["beta-order User.versions[0]"]);
}

#[test]
fn a_field_names_versions_and_views_that_are_there() {
    let offer = |keys: Value| {
        let views = [view("sale", &["list"])];
        shop_with(json!({ "versions": ["public.v1", "beta.v2"], "views": views, "fields": { "note": keys } }))
    };
    let versions = |names: &[&str]| offer(json!({ "type": "string", "versions": names }));
    assert_faults(versions(&["beta.v3"]), &["unknown-version Offer.fields.note.versions[0]"]);
    assert_fine(versions(&["beta.v2"]));
    let views = |names: &[&str]| offer(json!({ "type": "string", "views": names }));
    assert_faults(views(&["sales"]), &["unknown-view Offer.fields.note.views[0]"]);
    assert_fine(views(&["sale"]));
}

#[test]
fn a_field_is_in_a_version() {
    let fields = |versions: Value| json!({ "fields": { "name": { "type": "string", "versions": versions } } });
    assert_faults(shop_with(fields(json!([]))), &["no-version Offer.fields.name.versions"]);
    assert_fine(shop_with(fields(json!(["public.v1"]))));
}

#[test]
fn an_objects_field_names_a_version_of_some_resource_that_has_it() {
    let served = |versions: &[&str]| {
        let address = json!({ "type": "named", "of": "Address" });
        let mut service = shop_with(json!({ "versions": versions, "fields": { "address": address } }));
        service.objects.push(object("Address", json!({ "floor": { "type": "string", "versions": ["beta.v2"] } })));
        service
    };
    assert_faults(served(&["public.v1"]), &["unknown-version Address.fields.floor.versions[0]"]);
    assert_fine(served(&["public.v1", "beta.v2"]));
}

#[test]
fn a_required_field_is_there_wherever_entities_are_created() {
    let offer = |keys: Value, own: &[&str], sale: &[&str]| {
        let (own, views) = (operations(own), [view("sale", sale)]);
        let fields = json!({ "note": keys });
        shop_with(json!({ "versions": ["public.v1", "beta.v2"], "operations": own, "views": views, "fields": fields }))
    };
    let beta = json!({ "type": "string", "required": true, "versions": ["beta.v2"] });
    let at_versions = &["missing-required Offer.fields.note.versions"];
    assert_faults(offer(beta.clone(), &["create", "list"], &["list"]), at_versions);
    assert_faults(offer(beta.clone(), &["list"], &["create"]), at_versions);
    assert_fine(offer(beta, &["list"], &["list"]));
    let sale = json!({ "type": "string", "required": true, "views": ["sale"] });
    assert_faults(offer(sale.clone(), &["create", "list"], &["list"]), &["missing-required Offer.fields.note.views"]);
    assert_fine(offer(sale, &["list"], &["create"]));
    let with_default = json!({ "type": "string", "required": true, "versions": ["beta.v2"], "default": "none" });
    assert_fine(offer(with_default, &["create"], &["list"]));
}

#[test]
fn a_view_has_a_path_and_operations() {
    let with = |path: &str, kinds: &[&str]| {
        let view = json!({ "name": "sale", "path": path, "operations": operations(kinds) });
        shop_with(json!({ "views": [view], "fields": {} }))
    };
    for path in ["sale/offers", "/Sale/offers", "/sale/{id}", "/sale/", "/", "", "/sale//offers", "/sale offers"] {
        assert_faults(with(path, &["list"]), &["bad-path Offer.views.sale.path"]);
    }
    assert_faults(with("/sale/offers", &[]), &["empty-view Offer.views.sale.operations"]);
    assert_fine(with("/sale/offers", &["list"]));
    assert_fine(with("/my-offers", &["list", "get"]));
}

#[test]
fn a_view_stands_once() {
    let service = shop_with(json!({ "views": [view("sale", &["list"]), view("sale", &["list"])], "fields": {} }));
    assert_faults(service, &["repeated-name Offer.views.sale", "path-clash Offer.views.sale.path"]);
}

fn watched(through: &str, watch: Value, kinds: &[&str]) -> Service {
    let view = json!({
        "name": "watched", "path": "/watched-offers", "through": through, "operations": operations(kinds)
    });
    shop([resource("Offer", json!({ "views": [view], "fields": {} })), resource("Watch", watch)])
}

#[test]
fn a_view_goes_through_a_reference_of_what_callers_own() {
    let watch = |owner: Option<&str>| {
        json!({ "owner": owner, "fields": {
        "user": { "type": "ref", "to": "User" },
        "offer": { "type": "ref", "to": "Offer" },
        "note": { "type": "string" },
    } })
    };
    let owned = || watch(Some("user"));
    let at = |fault: &str| format!("{fault} Offer.views.watched.through");
    assert_faults(watched("Wach.offer", owned(), &["list"]), &[&at("unknown-resource")]);
    assert_faults(watched("Watch.offers", owned(), &["list"]), &[&at("unknown-field")]);
    assert_faults(watched("Watch.note", owned(), &["list"]), &[&at("not-a-reference")]);
    assert_faults(watched("Watch.user", owned(), &["list"]), &[&at("bad-through")]);
    assert_faults(watched("Watch.offer", watch(None), &["list"]), &[&at("bad-through")]);
    assert_fine(watched("Watch.offer", owned(), &["list"]));
}

#[test]
fn a_view_through_another_resource_reads() {
    let watch = json!({ "owner": "user", "fields": {
        "user": { "type": "ref", "to": "User" }, "offer": { "type": "ref", "to": "Offer" },
    } });
    let service = watched("Watch.offer", watch.clone(), &["list", "delete"]);
    assert_faults(service, &["through-reads-only Offer.views.watched.operations.delete"]);
    assert_fine(watched("Watch.offer", watch, &["list", "get"]));
}

fn searched(search: Value, fields: Value) -> Service {
    let mut service = shop_with(json!({ "search": search, "fields": fields }));
    service.objects.push(object("Part", json!({ "number": { "type": "string" } })));
    service.objects.push(object("Address", json!({ "city": { "type": "string", "filter": true } })));
    let fields = json!({
        "address": { "type": "named", "of": "Address" }, "part": { "type": "named", "of": "Part" },
    });
    service.resources[1] = resource("User", json!({ "fields": fields }));
    service
}

#[test]
fn a_search_covers_what_can_be_searched_for() {
    let fields = || {
        json!({
            "name": { "type": "string", "filter": true },
            "note": { "type": "string" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "parts": { "type": "array", "items": { "type": "named", "of": "Part" } },
            "address": { "type": "named", "of": "Address" },
            "part": { "type": "named", "of": "Part" },
        })
    };
    let search = |names: &[&str]| searched(json!({ "fields": names }), fields());
    assert_faults(search(&["nam"]), &["unknown-field Offer.search[0]"]);
    assert_faults(search(&["name", "name"]), &["repeated-name Offer.search[1]"]);
    for name in ["note", "part"] {
        assert_faults(search(&[name]), &["unsearchable Offer.search[0]"]);
    }
    assert_fine(search(&["name", "tags", "parts", "address"]));
}

#[test]
fn a_search_has_criteria() {
    let note = |filter: bool| json!({ "note": { "type": "string", "filter": filter } });
    assert_faults(searched(json!("all"), note(false)), &["empty-search Offer.search"]);
    assert_faults(searched(json!({ "fields": [] }), note(true)), &["empty-search Offer.search"]);
    assert_fine(searched(json!("all"), note(true)));
    let tags = |items: serde_json::Value| json!({ "tags": { "type": "array", "items": items } });
    assert_fine(searched(json!("all"), tags(json!({ "type": "string" }))));
    assert_fine(searched(json!("all"), tags(json!({ "type": "ref", "to": "User" }))));
}
