//! Paths that two things would have.

use super::{assert_faults, assert_fine, command, resource, shop, shop_with};
use crate::resource::Resource;
use serde_json::json;

fn plain(name: &str) -> Resource {
    resource(name, json!({ "fields": { "name": { "type": "string", "filter": true } } }))
}

fn with_view(path: &str) -> Resource {
    let operations = json!([{ "kind": "list", "access": ["anyone"] }]);
    resource("Offer", json!({ "views": [{ "name": "sale", "path": path, "operations": operations }], "fields": {} }))
}

#[test]
fn two_resources_have_two_plurals() {
    let second = resource("Proposal", json!({ "plural": "offers", "fields": {} }));
    assert_faults(shop([plain("Offer"), second]), &["path-clash Proposal.plural"]);
    assert_fine(shop([plain("Offer"), plain("Proposal")]));
}

#[test]
fn a_system_path_may_be_a_resources_too() {
    assert_fine(shop(["Event", "Metric", "Doc", "Console"].map(plain)));
    let probe = json!({ "plural": "livez", "allow": { "plural-path": "as they say" }, "fields": {} });
    assert_fine(shop([resource("Probe", probe)]));
    assert_fine(shop([with_view("/docs/offers")]));
    assert_fine(shop([with_view("/events")]));
}

#[test]
fn paths_that_are_going_to_be_served_are_reserved() {
    for name in ["OfferStatistic", "StoreRevision", "DeletedOffer", "WebhookSubscription"] {
        assert_faults(shop([plain(name)]), &[&format!("reserved-path {name}.plural")]);
    }
    let account = json!({ "plural": "account", "allow": { "plural-path": "one only" }, "fields": {} });
    assert_faults(shop([resource("Account", account)]), &["reserved-path Account.plural"]);
    for path in ["/account/offers", "/sale/offer-statistics", "/offer-revisions", "/deleted-offers", "/webhook-offers"]
    {
        assert_faults(shop([with_view(path)]), &["reserved-path Offer.views.sale.path"]);
    }
    for name in ["Account", "Statistic", "Revision", "Webhook", "DeletionRequest"] {
        assert_fine(shop([plain(name)]));
    }
    assert_fine(shop([with_view("/sale/deleted-offers")]));
}

#[test]
fn a_former_path_is_held_to_the_same() {
    let formerly = json!({ "name": "OfferStatistic", "sunset": "2999-01-01" });
    let figure = json!({ "formerly": formerly, "fields": { "name": { "type": "string" } } });
    assert_faults(shop([resource("OfferFigure", figure)]), &["reserved-path OfferFigure.formerly.name"]);
    let formerly = json!({ "name": "Chair", "plural": "furniture", "sunset": "2999-01-01" });
    let seat = json!({ "formerly": formerly, "fields": { "name": { "type": "string" } } });
    let seat = resource("Seat", seat);
    assert_faults(shop([plain("Furniture"), seat]), &["path-clash Seat.formerly.plural"]);
}

#[test]
fn the_command_that_creates_many_is_reserved() {
    let mut offer = plain("Offer");
    offer.commands = vec![command("creation", json!({}))];
    assert_faults(shop([offer]), &["reserved-path Offer.commands.creation"]);
    let mut offer = plain("Offer");
    let formerly = json!({ "formerly": { "name": "creation", "sunset": "2999-01-01" } });
    offer.commands = vec![command("making", formerly)];
    assert_faults(shop([offer]), &["reserved-path Offer.commands.making.formerly.name"]);
}

#[test]
fn a_view_lies_beside_the_collections() {
    assert_faults(shop([with_view("/offers")]), &["path-clash Offer.views.sale.path"]);
    assert_faults(shop([with_view("/users")]), &["path-clash User.plural"]);
    assert_fine(shop([with_view("/sale/offers")]));
}

#[test]
fn a_view_does_not_lie_among_ids() {
    assert_faults(shop([with_view("/offers/archive")]), &["path-clash Offer.views.sale.path"]);
    assert_faults(shop([with_view("/users/offers")]), &["path-clash Offer.views.sale.path"]);
}

#[test]
fn a_search_lies_beside_the_collections() {
    let searchable =
        || resource("Offer", json!({ "search": "all", "fields": { "kind": { "type": "string", "filter": true } } }));
    assert_faults(shop([searchable(), plain("OfferSearch")]), &["path-clash OfferSearch.plural"]);
    assert_fine(shop([searchable(), plain("OfferView")]));
}

#[test]
fn a_command_stands_once() {
    let mut offer = plain("Offer");
    offer.commands = vec![command("renew", json!({})), command("renew", json!({}))];
    assert_faults(shop([offer]), &["repeated-name Offer.commands.renew"]);
}

#[test]
fn a_scoped_collection_is_no_command() {
    let fields = json!({ "customer": { "type": "ref", "to": "Customer" } });
    let log = || resource("RenewCommand", json!({ "under": ["customer"], "fields": fields }));
    let customer = |name: &str| {
        let mut customer = plain("Customer");
        customer.commands.push(command(name, json!({})));
        customer
    };
    assert_faults(shop([customer("renew"), log()]), &["path-clash Customer.commands.renew"]);
    assert_fine(shop([customer("extend"), log()]));
}

#[test]
fn entities_clash_where_collections_do_not() {
    let operations = |kind: &str| json!([{ "kind": kind, "access": ["anyone"] }]);
    let offer = resource("Offer", json!({ "operations": operations("get"), "fields": {} }));
    let second = resource("Proposal", json!({ "plural": "offers", "operations": operations("get"), "fields": {} }));
    assert_faults(shop([offer, second]), &["path-clash Proposal.plural"]);
}

#[test]
fn some_path_leads_to_a_resource() {
    let name = || json!({ "name": { "type": "string" } });
    assert_faults(shop_with(json!({ "operations": [], "fields": name() })), &["empty-resource Offer.operations"]);
    let allow = json!({ "empty-resource": "kept by the handlers" });
    assert_fine(shop_with(json!({ "operations": [], "fields": name(), "allow": allow })));
    let mut offer = resource("Offer", json!({ "operations": [], "fields": name() }));
    offer.commands.push(command("renew", json!({})));
    assert_fine(shop([offer]));
}
