//! Statuses, headers and media types (§4.1, §4.2, §4.7, §4.8, §7.2, §9).

use super::{both, failures, marketplace, operation, successes};
use crate::api::{Api, HttpOperation, HttpResponse, OperationRole, Presence, ResponseCase, SchemaKey};
use crate::resource::Version;

fn response<'b>(operation: &'b HttpOperation<'_>, status: u16) -> &'b HttpResponse {
    operation.responses.iter().find(|response| response.status == status).unwrap_or_else(|| panic!("no {status}"))
}

fn has(response: &HttpResponse, header: &str) -> bool {
    response.headers.iter().any(|it| it.name == header && it.presence == Presence::Always)
}

/// §4.2, §4.3, §4.5, §4.7, §4.8.
#[test]
fn operations_succeed_with_the_statuses_of_the_conventions() {
    let service = marketplace();
    let api = Api::of(&service);
    let expected: &[(&str, &[u16])] = &[
        ("Offer.create", &[201, 204]),
        ("Offer.list", &[200]),
        ("Offer.get", &[200, 304]),
        ("Offer.update", &[200, 204]),
        ("Offer.sale.patch", &[200, 204]),
        ("Offer.delete", &[204]),
        // `async: true`
        ("Contest.delete", &[202, 204]),
        ("Offer.createSearch", &[201, 204]),
        ("Offer.getSearch", &[200, 304]),
        ("Offer.renew.submit", &[201, 204]),
        ("Offer.renew.status", &[200, 304]),
        // `ready: false`
        ("Offer.promote.submit", &[]),
        ("livez", &[200]),
        ("readyz", &[200]),
        ("metrics", &[200]),
        ("events", &[200]),
    ];
    for (id, statuses) in expected {
        assert_eq!(successes(operation(&api, id)), *statuses, "{id}");
    }
    assert!(failures(operation(&api, "Offer.promote.submit")).contains(&501));
}

#[test]
fn statuses_are_sorted_and_there_once() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            let statuses: Vec<_> = operation.responses.iter().map(|response| response.status).collect();
            assert!(statuses.is_sorted_by(|a, b| a < b), "{} {statuses:?}", operation.id);
        }
    }
}

/// §4.2: `Location` of what is created; §4.8: 202 has an empty body.
#[test]
fn what_is_created_has_a_location() {
    let service = marketplace();
    let api = Api::of(&service);
    for (id, status, path) in [
        ("Offer.create", 201, "/offers/{offerId}"),
        ("Offer.createUnderSeller", 201, "/offers/{offerId}"),
        ("Offer.sale.create", 201, "/sale/offers/{offerId}"),
        ("Offer.createSearch", 201, "/offer-searches/{searchId}"),
        ("Offer.renew.submit", 201, "/offers/{offerId}/renew-commands/{commandId}"),
        ("Contest.delete", 202, "/contests/{contestId}"),
    ] {
        let response = response(operation(&api, id), status);
        assert_eq!(response.location.as_deref(), Some(path), "{id}");
        assert!(has(response, "Location"), "{id}");
    }
    assert!(response(operation(&api, "Contest.delete"), 202).content.is_empty());
}

/// §9.3, and the decision "Caching": every single representation has a tag; lists have none.
#[test]
fn representations_have_tags() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            for response in operation.responses.iter().filter(|response| response.case != ResponseCase::Failed) {
                let one = response.content.iter().any(|content| {
                    let schema = content.schema;
                    matches!(schema, Some(SchemaKey::Entity(_) | SchemaKey::Search { .. } | SchemaKey::Command { .. }))
                });
                let is_fixed = matches!(operation.role, OperationRole::System(it) if it.is_contract() || it.is_page());
                assert_eq!(has(response, "ETag"), one || is_fixed || response.status == 304, "{}", operation.id);
                assert_eq!(has(response, "Content-Type"), !response.content.is_empty(), "{}", operation.id);
            }
        }
    }
}

/// §7, and the decision "Errors": a body always, and the headers that belong to the status.
#[test]
fn errors_have_bodies_and_headers_7() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            for response in operation.responses.iter().filter(|response| response.case == ResponseCase::Failed) {
                let place = format!("{} {}", operation.id, response.status);
                assert!(response.content.iter().all(|it| it.schema == Some(SchemaKey::Errors)), "{place}");
                assert_eq!(response.content.first().and_then(|it| it.version), Some(Version::PUBLIC), "{place}");
                assert!(!response.codes.is_empty(), "{place}");
                assert!(response.codes.iter().all(|code| code.status() == response.status), "{place}");
                assert!(has(response, "Content-Language") && has(response, "Trace-Id"), "{place}");
                assert_eq!(has(response, "Retry-After"), [429, 503].contains(&response.status), "{place}");
                assert_eq!(has(response, "WWW-Authenticate"), response.status == 401, "{place}");
            }
        }
    }
}

/// §4.1: required on every request, except those of monitoring (decisions, "Own paths").
#[test]
fn user_agent_is_required_4_1() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            let is_probe = matches!(operation.role, OperationRole::System(endpoint) if endpoint.is_probe());
            let is_required = operation.headers.iter().any(|header| header.name == "User-Agent" && header.is_required);
            assert_eq!(is_required, !is_probe, "{}", operation.id);
        }
    }
}

/// §4.1, §9.2: GET by `Accept`, POST by `Content-Type`, PUT and PATCH by both, DELETE by neither.
#[test]
fn methods_need_their_media_types_4_1() {
    let service = marketplace();
    let api = Api::of(&service);
    let requires = |id: &str, name: &str| {
        let header = operation(&api, id).headers.iter().find(|header| header.name == name);
        header.map(|header| header.is_required)
    };
    for (id, accept, content_type) in [
        ("Offer.list", Some(true), None),
        ("Offer.get", Some(true), None),
        ("Offer.create", Some(false), Some(true)),
        ("Offer.update", Some(true), Some(true)),
        ("Offer.sale.patch", Some(true), Some(true)),
        ("Offer.delete", None, None),
        ("Offer.createSearch", Some(false), Some(true)),
        ("Offer.getSearch", Some(true), None),
        ("Offer.renew.submit", Some(true), Some(true)),
        ("Offer.renew.status", Some(true), None),
        ("events", Some(true), None),
    ] {
        assert_eq!(requires(id, "Accept"), accept, "{id}");
        assert_eq!(requires(id, "Content-Type"), content_type, "{id}");
        let statuses = failures(operation(&api, id));
        assert_eq!(statuses.contains(&406), accept.is_some(), "{id}");
        assert_eq!(statuses.contains(&415), content_type.is_some(), "{id}");
        assert_eq!(statuses.contains(&413), content_type.is_some(), "{id}");
    }
}

/// §9.1, §9.5: one media type for each version; §7.2: 410 of a retired one.
#[test]
fn versions_are_media_types_9() {
    let service = marketplace();
    let api = Api::of(&service);
    let get = operation(&api, "Offer.get");
    assert_eq!(
        (get.versions.as_slice(), get.retired.as_slice()),
        (&[Version::Public, Version::Beta(2)][..], &[Version::Beta(1)][..])
    );
    let media_types: Vec<_> = response(get, 200).content.iter().map(|content| content.media_type.as_str()).collect();
    let expected = ["application/vnd.service.public.v1+json", "application/vnd.service.beta.v2+json"];
    assert_eq!(media_types, expected);
    assert!(failures(get).contains(&410));
    assert!(!failures(operation(&api, "Contest.get")).contains(&410));
    // DELETE negotiates nothing: its errors are in the public version
    assert_eq!(response(operation(&api, "Offer.delete"), 404).content.len(), 1);
}

/// Decisions, "Caching".
#[test]
fn what_is_of_one_entity_takes_its_tags() {
    let service = marketplace();
    let api = Api::of(&service);
    let takes = |id: &str, name: &str| operation(&api, id).headers.iter().any(|header| header.name == name);
    let reads = ["Offer.get", "Offer.sale.get", "Offer.getSearch", "Offer.renew.status"];
    for id in ["Offer.update", "Offer.sale.patch", "Offer.delete"].into_iter().chain(reads) {
        assert!(takes(id, "If-Match") && takes(id, "If-None-Match"), "{id}");
        let operation = operation(&api, id);
        assert!(failures(operation).contains(&412), "{id}");
        assert_eq!(operation.responses.iter().any(|it| it.status == 304), reads.contains(&id), "{id}");
    }
    for id in ["Offer.list", "Offer.create", "Offer.renew.submit"] {
        assert!(!takes(id, "If-None-Match") && !takes(id, "If-Match"), "{id}");
        assert!(!failures(operation(&api, id)).contains(&412), "{id}");
    }
}

/// Decisions, "Deprecation".
#[test]
fn what_may_use_something_deprecated_announces_it() {
    let service = marketplace();
    let api = Api::of(&service);
    let announces = |id: &str| {
        let responses = &operation(&api, id).responses;
        let has = |response: &HttpResponse| response.headers.iter().any(|header| header.name == "Deprecation");
        assert!(responses.iter().all(|it| has(it) == has(&responses[0])), "{id}: all or none");
        has(&responses[0])
    };
    // `catalogueNumber` is deprecated
    for id in ["Offer.create", "Offer.update", "Offer.list", "Offer.createSearch", "Offer.sale.patch"] {
        assert!(announces(id), "{id}");
    }
    for id in ["Offer.get", "Offer.delete", "Contest.create", "Contest.list"] {
        assert!(!announces(id), "{id}");
    }
}
