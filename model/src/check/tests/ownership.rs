//! Who may do what, and whose entities are.

use super::{assert_faults, assert_fine, enumeration, faults, resource, shop, shop_with};
use crate::check::Checked;
use crate::field::{Field, Type};
use crate::resource::{Command, Operation, OperationKind, Resource, View};
use crate::service::{Service, UserSubjects};
use serde_json::{Value, json};

fn seller() -> Value {
    json!({ "seller": { "type": "ref", "to": "User" }, "name": { "type": "string" } })
}

fn list(access: &[&str]) -> Value {
    json!([{ "kind": "list", "access": access }])
}

#[test]
fn an_owner_is_a_reference_to_a_user() {
    let owned_by = |owner: &str| shop_with(json!({ "owner": owner, "fields": seller() }));
    assert_faults(owned_by("sellr"), &["unknown-field Offer.owner"]);
    assert_faults(owned_by("name"), &["not-a-reference Offer.owner"]);
    assert_fine(owned_by("seller"));
    let shop_field = json!({ "shop": { "type": "ref", "to": "Shop" } });
    let offer = resource("Offer", json!({ "owner": "shop", "fields": shop_field }));
    assert_faults(shop([offer, resource("Shop", json!({ "fields": {} }))]), &["owner-not-user Offer.owner"]);
}

#[test]
fn only_users_own_themselves() {
    assert_faults(shop_with(json!({ "owner": "id", "fields": seller() })), &["owner-not-user Offer.owner"]);
    let mut service = shop([]);
    service.resources[0].owner = Some("id".to_owned());
    service.resources[0].operations[3].access = vec![crate::Access::Owner];
    assert_fine(service);
}

/// A shop whose users have subjects.
fn by_subject(fields: Value, provision: Option<&[(&str, &str)]>) -> Service {
    let provision = provision.map(|claims| claims.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect());
    let subjects = UserSubjects { subject: "externalId".to_owned(), provision };
    let mut service = Service { user_subjects: Some(subjects), ..shop([]) };
    service.resources[0] = resource("User", json!({ "fields": fields }));
    service
}

#[test]
fn a_subject_is_a_unique_string_that_the_service_sets() {
    let subject = |field: Value| by_subject(json!({ "externalId": field }), None);
    let at = "service.users.subject";
    assert_faults(by_subject(json!({}), None), &[&format!("unknown-field {at}")]);
    assert_faults(subject(json!({ "type": "string", "readOnly": true })), &[&format!("bad-subject {at}")]);
    assert_faults(subject(json!({ "type": "uuid", "unique": true })), &[&format!("bad-subject {at}")]);
    let writable = json!({ "type": "string", "unique": true });
    assert_faults(subject(writable.clone()), &["writable-subject User.fields.externalId"]);
    assert_fine(subject(json!({ "type": "string", "unique": true, "readOnly": true })));
    let mut service = subject(writable);
    for operation in &mut service.resources[0].operations {
        operation.access = vec![crate::Access::Scope("admin".to_owned())];
    }
    assert_fine(service);
}

#[test]
fn claims_make_a_whole_user() {
    let fields = || {
        json!({
            "externalId": { "type": "string", "unique": true, "readOnly": true },
            "name": { "type": "string", "required": true },
            "kind": { "type": "string", "required": true, "default": "PRIVATE" },
            "friends": { "type": "array", "items": { "type": "string" } },
        })
    };
    let with = |claims: &[(&str, &str)]| by_subject(fields(), Some(claims));
    let at = "bad-provision service.users.provision";
    assert_faults(with(&[]), &[at]);
    assert_faults(with(&[("name", " ")]), &[&format!("{at}.name")]);
    assert_faults(with(&[("name", "name"), ("friends", "friends")]), &[&format!("{at}.friends")]);
    assert_faults(with(&[("name", "name"), ("externalId", "sub")]), &[&format!("{at}.externalId")]);
    assert_faults(with(&[("name", "name"), ("nme", "name")]), &["unknown-field service.users.provision.nme"]);
    assert_fine(with(&[("name", "given.name")]));
}

#[test]
fn owners_need_users() {
    let service = Service { users: None, ..shop_with(json!({ "owner": "seller", "fields": seller() })) };
    assert_faults(service, &["no-users Offer.owner"]);
}

#[test]
fn users_are_a_resource() {
    assert_faults(Service { users: Some("Usr".to_owned()), ..shop([]) }, &["unknown-resource service.users"]);
    let mut service = Service { users: Some("Kind".to_owned()), ..shop([]) };
    service.enums.push(enumeration("Kind", &["A"]));
    assert_faults(service, &["wrong-definition service.users", "unused-definition Kind"]);
}

#[test]
fn owners_have_access_where_there_is_an_owner() {
    let open_to_owner =
        |owner: Option<&str>| shop_with(json!({ "owner": owner, "operations": list(&["owner"]), "fields": seller() }));
    assert_faults(open_to_owner(None), &["no-owner Offer.operations.list.access[0]"]);
    assert_fine(open_to_owner(Some("seller")));
}

#[test]
fn owners_have_access_to_views_and_commands_where_there_is_an_owner() {
    let views = json!([{ "name": "sale", "path": "/sale/offers", "operations": list(&["owner"]) }]);
    let mut offer = resource("Offer", json!({ "views": views, "fields": seller() }));
    offer.commands.push(super::command("renew", json!({ "access": ["owner"] })));
    assert_faults(
        shop([offer]),
        &["no-owner Offer.views.sale.operations.list.access[0]", "no-owner Offer.commands.renew.access[0]"],
    );
}

#[test]
fn a_user_owns_itself() {
    let mut service = shop([]);
    service.resources[0].operations[2].access = vec![crate::Access::Owner];
    assert_fine(service);
}

#[test]
fn every_word_of_an_access_says_something() {
    let open_to =
        |access: &[&str]| shop_with(json!({ "owner": "seller", "operations": list(access), "fields": seller() }));
    assert_faults(open_to(&[]), &["redundant-access Offer.operations.list.access"]);
    assert_faults(open_to(&["anyone", "owner"]), &["redundant-access Offer.operations.list.access[1]"]);
    assert_faults(open_to(&["owner", "user"]), &["redundant-access Offer.operations.list.access[0]"]);
    assert_faults(open_to(&["owner", "owner"]), &["repeated-name Offer.operations.list.access[1]"]);
    assert_fine(open_to(&["owner", "scope:offers.admin"]));
    assert_fine(open_to(&["user", "scope:offers.admin"]));
}

#[test]
fn a_scope_can_stand_in_a_token() {
    let mut service = shop([]);
    service.resources[0].operations[0].access = vec![crate::Access::Scope("offers admin".to_owned())];
    assert_faults(service, &["bad-scope User.operations.create.access[0]"]);
}

#[test]
fn a_read_answers_now() {
    let operation = |kind: &str| {
        shop_with(json!({
            "operations": [{ "kind": kind, "access": ["anyone"], "async": true }], "fields": {}
        }))
    };
    assert_faults(operation("list"), &["async-read Offer.operations.list.async"]);
    assert_faults(operation("get"), &["async-read Offer.operations.get.async"]);
    for kind in ["create", "update", "patch", "delete"] {
        assert_fine(operation(kind));
    }
}

#[test]
fn an_operation_stands_once() {
    let twice = json!([{ "kind": "list", "access": ["user"] }, { "kind": "list", "access": ["user"] }]);
    assert_faults(shop_with(json!({ "operations": twice, "fields": {} })), &["repeated-name Offer.operations.list"]);
}

#[test]
fn scoped_collections_follow_references_each_to_a_resource_of_its_own() {
    let under = |names: &[&str]| {
        let buyer = json!({ "type": "ref", "to": "User" });
        let mut fields = seller();
        fields["buyer"] = buyer;
        shop_with(json!({ "under": names, "fields": fields }))
    };
    assert_faults(under(&["sellr"]), &["unknown-field Offer.under[0]"]);
    assert_faults(under(&["name"]), &["not-a-reference Offer.under[0]"]);
    assert_faults(under(&["seller", "seller"]), &["repeated-name Offer.under[1]"]);
    assert_faults(under(&["seller", "buyer"]), &["under-clash Offer.under[1]"]);
    assert_fine(under(&["seller"]));
}

#[test]
fn a_unique_combination_is_of_several_single_values() {
    let unique = |combinations: Value| {
        let mut fields = seller();
        fields["tags"] = json!({ "type": "array", "items": { "type": "string" } });
        shop_with(json!({ "unique": combinations, "fields": fields }))
    };
    assert_faults(unique(json!([["name"]])), &["short-combination Offer.unique[0]"]);
    assert_faults(unique(json!([["name", "sellr"]])), &["unknown-field Offer.unique[0][1]"]);
    assert_faults(unique(json!([["name", "name"]])), &["repeated-name Offer.unique[0][1]"]);
    assert_faults(unique(json!([["name", "tags"]])), &["no-unique Offer.unique[0][1]"]);
    assert_faults(unique(json!([["name", "seller"], ["seller", "name"]])), &["repeated-name Offer.unique[1]"]);
    assert_fine(unique(json!([["name", "seller"]])));
}

#[test]
fn an_index_of_several_fields_is_for_lists() {
    let index = |combinations: Value| {
        let mut fields = seller();
        fields["seller"]["filter"] = json!(true);
        fields["tags"] = json!({ "type": "array", "items": { "type": "string" } });
        fields["size"] = json!({ "type": "integer", "filter": true, "sort": true });
        fields["code"] = json!({ "type": "string", "maxLength": 630, "filter": true, "sort": true });
        fields["text"] = json!({ "type": "string", "filter": true });
        shop_with(json!({ "index": combinations, "fields": fields }))
    };
    assert_fine(index(json!([["seller", "size"], ["size", "seller", "updatedAt"], ["seller", "code"]])));
    assert_fine(index(json!([["seller", "size", "createdAt"], ["size", "seller", "createdAt"]])));
    assert_faults(index(json!([["size"]])), &["short-combination Offer.index[0]"]);
    assert_faults(index(json!([["sellr", "size"]])), &["unknown-field Offer.index[0][0]"]);
    assert_faults(index(json!([["createdAt", "size"]])), &["unknown-field Offer.index[0][0]"]);
    assert_faults(index(json!([["size", "seller", "size"]])), &["repeated-name Offer.index[0][2]"]);
    assert_faults(index(json!([["seller", "size"], ["seller", "size"]])), &["repeated-name Offer.index[1]"]);
    assert_faults(index(json!([["tags", "size"]])), &["unusable-index Offer.index[0][0]"]);
    assert_faults(index(json!([["size", "seller"]])), &["unusable-index Offer.index[0][1]"]);
    let help = |combinations: Value| faults(index(combinations)).remove(0).help;
    let other = |verb: &str| Some(format!("name a field that lists can {verb} by"));
    assert_eq!(help(json!([["tags", "size"]])), other("filter"));
    assert_eq!(help(json!([["size", "seller"]])), other("sort"));
    assert_eq!(help(json!([["size", "text"]])), Some("write `sort: true` in the field `text`".to_owned()));
    assert_faults(index(json!([["text", "size"]])), &["unusable-index Offer.index[0]"]);
    assert_faults(index(json!([["code", "seller", "size"]])), &["unusable-index Offer.index[0]"]);
}

/// A shop in which anyone may write offers, as far as it is not said.
fn open_by_default(change: impl FnOnce(&mut Resource)) -> Service {
    let mut service = shop([]);
    let mut offer = Resource { fields: vec![Field::new("name", Type::Boolean)], ..Resource::new("Offer") };
    change(&mut offer);
    service.resources.push(offer);
    service
}

#[test]
fn writes_that_are_open_by_default_are_one_warning() {
    let service = open_by_default(|offer| offer.commands.push(Command::new("renew")));
    let checked = Checked::new(service).expect("a warning");
    let [warning] = checked.warnings() else { panic!("{:?}", checked.warnings()) };
    assert_eq!(format!("{} {}", warning.code, warning.at), "open-writes Offer");
    let open = "anyone can call `create`, `update`, `delete` and the command `renew`, without a token";
    assert_eq!(warning.message, open);
}

#[test]
fn who_says_anyone_means_it() {
    let said = |offer: &mut Resource| offer.operations = OperationKind::ALL.map(Operation::open).to_vec();
    assert_fine(open_by_default(said));
    let reads = [OperationKind::List, OperationKind::Get].map(Operation::with_default_access).to_vec();
    assert_fine(open_by_default(|offer| offer.operations = reads.clone()));
    // not yet
    let announced = Command { ready: false, ..Command::new("renew") };
    assert_fine(open_by_default(|offer| (offer.operations, offer.commands) = (reads.clone(), vec![announced])));
    // every operation of the view needs a token
    let sale =
        View { operations: vec![Operation::with_default_access(OperationKind::Create)], ..View::new("sale", "offers") };
    assert_fine(open_by_default(|offer| (offer.operations, offer.views) = (reads.clone(), vec![sale.clone()])));
    let drafts = View { path: "/drafts".to_owned(), ..sale };
    let service = open_by_default(|offer| (offer.operations, offer.views) = (reads, vec![drafts]));
    assert_faults(service, &["open-writes Offer"]);
}

#[test]
fn open_writes_can_be_allowed_and_wait_for_errors() {
    let reason = [("open-writes".to_owned(), "behind a gateway".to_owned())].into_iter().collect();
    assert_fine(open_by_default(|offer| offer.allow = reason));
    assert_faults(open_by_default(|offer| offer.versions.clear()), &["no-version Offer.versions"]);
}
