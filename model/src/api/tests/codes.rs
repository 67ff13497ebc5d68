//! Which errors are possible where (§7).

use super::{both, failures, marketplace, operation, specimens};
use crate::api::{Api, COMMAND_CODES, EDGE_CODES, HttpOperation, OperationRole};
use crate::check::Checked;
use crate::condition::Condition;
use crate::error::ErrorCode;
use crate::field::{Field, Type};
use crate::resource::{Access, Resource, Rule};
use crate::service::Service;
use std::collections::BTreeSet;

fn codes(operation: &HttpOperation<'_>) -> BTreeSet<ErrorCode> {
    operation.responses.iter().flat_map(|response| response.codes.iter().copied()).collect()
}

/// A service with a rule on a field that not every caller sees.
fn with_hidden_field() -> Checked {
    let mut field = Field::new("cost", Type::string());
    field.visible = vec![Access::Scope("costs".to_owned())];
    let mut resource = Resource::new("Item");
    resource.fields = vec![field];
    let (check, code, message) = (Condition::new("cost != null"), "NoCost".to_owned(), "needs a cost".to_owned());
    resource.rules = vec![Rule { check, code, path: None, message: Some(message) }];
    let mut service = Service::new("shop");
    service.resources.push(resource);
    Checked::new(service).expect("no mistake")
}

/// A service with a map and JSON of any form.
fn with_free_values() -> Checked {
    let values = Box::new(Type::string());
    let pattern = Some("^[a-z]+$".into());
    let mut resource = Resource::new("Item");
    resource.fields = vec![
        Field::new("metadata", Type::Map { values, min_items: None, max_items: None, pattern }),
        Field::new("settings", Type::Json { max_bytes: None }),
    ];
    let mut service = Service::new("shop");
    service.resources.push(resource);
    Checked::new(service).expect("no mistake")
}

/// The marketplace, the service with every type, one with a hidden field and one with values of any form have a
/// response with every error, or a command that fails with it.
#[test]
fn every_code_of_the_catalogue_is_possible_somewhere() {
    let services = both().into_iter().chain([with_hidden_field(), with_free_values()]).collect::<Vec<_>>();
    let apis: Vec<_> = services.iter().map(Api::of).collect();
    let mut possible: BTreeSet<_> = COMMAND_CODES.into_iter().collect();
    for api in &apis {
        possible.extend(api.operations().flat_map(|(_, operation)| codes(operation)));
        possible.extend(api.paths.iter().flat_map(|path| path.other_methods.codes.iter().copied()));
    }
    let impossible: Vec<_> = ErrorCode::ALL.iter().filter(|code| !possible.contains(code)).collect();
    assert!(impossible.is_empty(), "{impossible:?}");
}

#[test]
fn every_path_but_probes_has_the_errors_of_the_edge() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            let is_probe = matches!(operation.role, OperationRole::System(endpoint) if endpoint.is_probe());
            let codes = codes(operation);
            let has_all = EDGE_CODES.iter().all(|code| codes.contains(code));
            assert_eq!(has_all, !is_probe, "{}", operation.id);
        }
    }
}

/// §7.2, for one operation of each kind.
#[test]
fn operations_fail_with_the_statuses_of_the_conventions_7_2() {
    let service = marketplace();
    let api = Api::of(&service);
    let edge = [400, 401, 414, 429, 431, 500, 503, 504];
    let expected: &[(&str, &[u16])] = &[
        ("Offer.create", &[403, 404, 406, 409, 410, 413, 415, 422, 502]),
        ("Offer.createUnderSeller", &[403, 404, 406, 409, 410, 413, 415, 422, 502]),
        ("Offer.list", &[406, 410, 422]),
        ("Offer.listUnderSeller", &[404, 406, 410, 422]),
        ("Offer.get", &[404, 406, 410, 412, 422]),
        ("Offer.sale.update", &[403, 404, 406, 409, 410, 412, 413, 415, 422, 502]),
        ("Offer.sale.patch", &[403, 404, 406, 409, 410, 412, 413, 415, 422, 502]),
        ("Offer.delete", &[403, 404, 409, 412, 422, 502]),
        ("Contest.get", &[404, 406, 412, 422]),
        ("Offer.createSearch", &[406, 410, 413, 415, 422]),
        ("Offer.getSearch", &[404, 406, 410, 412, 422]),
        ("Offer.renew.submit", &[403, 404, 406, 410, 413, 415, 422, 501]),
        ("Offer.renew.status", &[403, 404, 406, 410, 412, 422]),
        ("events", &[406, 410, 422]),
    ];
    for (id, statuses) in expected {
        let mut all: Vec<_> = edge.iter().chain(*statuses).copied().collect();
        all.sort_unstable();
        assert_eq!(failures(operation(&api, id)), all, "{id}");
    }
    assert_eq!(failures(operation(&api, "livez")), [422]);
    assert_eq!(failures(operation(&api, "readyz")), [422, 500, 503]);
    assert_eq!(failures(operation(&api, "metrics")), [422, 500]);
}

#[test]
fn codes_follow_from_the_model() {
    let service = specimens();
    let api = Api::of(&service);
    let has = |id: &str, code| codes(operation(&api, id)).contains(&code);
    // a loan holds its specimen
    assert!(has("Specimen.delete", ErrorCode::StillReferenced));
    assert!(!has("Loan.delete", ErrorCode::StillReferenced));
    // `unique`
    assert!(has("Specimen.create", ErrorCode::NotUnique));
    assert!(!has("Loan.create", ErrorCode::NotUnique));
    // `immutable`
    assert!(has("Specimen.update", ErrorCode::Immutable));
    assert!(!has("Specimen.create", ErrorCode::Immutable));
    assert!(!has("Loan.update", ErrorCode::Immutable));
    // §2.1: the path names the keeper
    assert!(has("Specimen.createUnderKeeper", ErrorCode::PathMismatch));
    assert!(!has("Specimen.create", ErrorCode::PathMismatch));
    // §4.5
    assert!(has("Specimen.list", ErrorCode::SearchExpired));
    assert!(!has("Loan.list", ErrorCode::SearchExpired));
    // §2.6
    assert!(has("Specimen.treat.submit", ErrorCode::CommandIdUsed));
    assert!(!has("Specimen.treat.status", ErrorCode::CommandIdUsed));
    // PATCH
    assert!(has("Specimen.patch", ErrorCode::InvalidPatch));
    assert!(!has("Specimen.update", ErrorCode::InvalidPatch));
}
