//! Who may call (§5; decisions, "Views and owners", "Credentials").

use super::{both, failures, marketplace, operation, specimens};
use crate::api::{Api, OperationRole, SystemEndpoint};
use crate::error::ErrorCode;
use crate::resource::Access;

#[test]
fn sale_needs_credentials_in_every_operation_5() {
    for service in both() {
        let api = Api::of(&service);
        let sale: Vec<_> = api.operations().filter(|(path, _)| path.path.starts_with("/sale/")).collect();
        assert!(!sale.is_empty());
        for (path, operation) in sale {
            assert!(operation.access.requires_credentials, "{} {}", operation.method, path.path);
        }
    }
}

#[test]
fn a_view_through_another_resource_needs_credentials() {
    let service = marketplace();
    let api = Api::of(&service);
    let list = operation(&api, "Offer.watched.list");
    assert_eq!(list.access.any_of, [Access::Anyone]);
    assert!(list.access.requires_credentials);
    assert!(!list.access.can_be_forbidden);
}

#[test]
fn bad_credentials_are_401_with_every_operation() {
    for service in both() {
        let api = Api::of(&service);
        for (path, operation) in api.operations() {
            // descriptions and the page are the same for everybody, like probes
            let is_open = matches!(operation.role, OperationRole::System(it) if it != SystemEndpoint::Events);
            assert_eq!(failures(operation).contains(&401), !is_open, "{} {}", operation.method, path.path);
        }
    }
}

#[test]
fn credentials_are_a_required_header_where_they_are_required_5() {
    for service in both() {
        let api = Api::of(&service);
        for (_, operation) in api.operations() {
            let header = operation.headers.iter().find(|header| header.name == "Authorization");
            let is_required = header.is_some_and(|header| header.is_required);
            assert_eq!(is_required, operation.access.requires_credentials, "{}", operation.id);
        }
    }
}

/// §7.2, 403: another's entity, a missing scope, another owner in a creation; never where anyone may call.
#[test]
fn callers_are_refused_where_access_is_limited() {
    let service = marketplace();
    let api = Api::of(&service);
    for (id, expected) in [
        ("Offer.list", false),
        ("User.create", false),
        ("User.update", true),
        // users may create, but not name another owner
        ("Offer.create", true),
        ("Offer.createUnderSeller", true),
        ("Offer.update", true),
        ("Offer.sale.create", true),
        ("Offer.sale.list", false),
        ("Offer.sale.get", true),
        ("Offer.sale.update", true),
        ("Offer.renew.submit", true),
        ("Offer.renew.status", true),
        ("Offer.createSearch", false),
        ("Product.create", true),
        ("Payment.create", true),
        ("Payment.list", false),
        ("Payment.get", true),
        ("Contest.list", false),
    ] {
        let operation = operation(&api, id);
        assert_eq!(operation.access.can_be_forbidden, expected, "{id}");
        // a team's rules may refuse in any case
        let mut codes = operation.responses.iter().flat_map(|response| &response.codes);
        assert_eq!(codes.any(|code| *code == ErrorCode::Forbidden), expected, "{id}");
    }
}

#[test]
fn an_owner_that_only_the_service_sets_is_the_caller() {
    let service = specimens();
    let api = Api::of(&service);
    assert!(!operation(&api, "Bookmark.create").access.can_be_forbidden);
    assert!(operation(&api, "Notebook.create").access.can_be_forbidden);
}

#[test]
fn who_may_list_somewhere_may_search() {
    let service = marketplace();
    let api = Api::of(&service);
    let access = &operation(&api, "Offer.createSearch").access;
    // the list of `watched` is open to anyone with credentials
    assert_eq!(access.any_of, [Access::Anyone, Access::Owner, Access::User]);
    assert!(!access.requires_credentials);
}
