//! Paths and methods: those of the table of routes, each once.

use super::{both, marketplace, operation};
use crate::api::{Api, OperationRole, PathIdKind, PathSubject, SystemEndpoint};
use crate::routes::{VARIABLE, endpoints};
use std::collections::HashSet;

#[test]
fn every_endpoint_of_the_table_of_routes_is_there_once() {
    for service in both() {
        let api = Api::of(&service);
        let expected: Vec<_> =
            endpoints(&service).into_iter().map(|it| (it.pattern, it.resource, it.target, it.actions)).collect();
        let described = api.paths.iter().filter_map(|path| {
            let PathSubject::Resource { resource, target } = path.subject else { return None };
            let actions = path.operations.iter().filter_map(|operation| match operation.role {
                OperationRole::Action(action) => Some(action),
                OperationRole::System(_) => None,
            });
            Some((path.pattern.clone(), resource, target, actions.collect::<Vec<_>>()))
        });
        assert_eq!(described.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_system_endpoint_is_there_once() {
    for service in both() {
        let api = Api::of(&service);
        let found = api.paths.iter().filter(|path| matches!(path.subject, PathSubject::System(_)));
        assert_eq!(found.count(), SystemEndpoint::ALL.len());
    }
}

#[test]
fn the_files_of_the_page_are_below_its_path() {
    let find = SystemEndpoint::find;
    assert_eq!(
        (find("/"), find("/docs"), find("/docs/app.js")),
        (Some(SystemEndpoint::Root), Some(SystemEndpoint::Docs), Some(SystemEndpoint::Docs))
    );
    for path in ["/docs.json", "/docsy", "/docks", "", "//docs", "/livez/"] {
        assert_eq!(find(path), None, "{path}");
    }
}

#[test]
fn a_method_at_a_path_and_an_id_are_there_once() {
    for service in both() {
        let api = Api::of(&service);
        let (mut methods, mut ids) = (HashSet::new(), HashSet::new());
        for (path, operation) in api.operations() {
            assert!(methods.insert((operation.method, path.path.as_str())), "{} {}", operation.method, path.path);
            assert!(ids.insert(operation.id.as_str()), "{}", operation.id);
            assert!(path.allow.split(", ").any(|method| method == operation.method), "{}", path.path);
        }
    }
}

#[test]
fn ids_in_paths_have_names_that_are_unique_there() {
    for service in both() {
        for path in Api::of(&service).paths {
            assert!(!path.path.contains(VARIABLE), "{}", path.path);
            assert_eq!(path.pattern.matches(VARIABLE).count(), path.ids.len(), "{}", path.path);
            let names: HashSet<_> = path.ids.iter().map(|id| id.name.as_str()).collect();
            assert_eq!(names.len(), path.ids.len(), "{}", path.path);
        }
    }
}

/// §2.1, §4: the paths of the conventions' examples.
#[test]
fn paths_have_the_form_of_the_conventions() {
    let service = marketplace();
    let api = Api::of(&service);
    let allow = |path: &str| api.paths.iter().find(|it| it.path == path).map(|it| it.allow.as_str());
    assert_eq!(allow("/offers"), Some("GET, HEAD, OPTIONS, POST"));
    assert_eq!(allow("/offers/{offerId}"), Some("DELETE, GET, HEAD, OPTIONS, PUT"));
    assert_eq!(allow("/sale/offers/{offerId}"), Some("GET, HEAD, OPTIONS, PATCH, PUT"));
    assert_eq!(allow("/watched-offers"), Some("GET, HEAD, OPTIONS"));
    assert_eq!(allow("/watched-offers/{offerId}"), None);
    assert_eq!(allow("/users/{userId}/offers"), Some("GET, HEAD, OPTIONS, POST"));
    assert_eq!(allow("/offer-searches"), Some("OPTIONS, POST"));
    assert_eq!(allow("/offer-searches/{searchId}"), Some("GET, HEAD, OPTIONS"));
    assert_eq!(allow("/offers/{offerId}/renew-commands/{commandId}"), Some("GET, HEAD, OPTIONS, PUT"));
    assert_eq!(allow("/events"), Some("GET, HEAD, OPTIONS"));
}

#[test]
fn the_id_of_a_scoped_collection_is_the_parents() {
    let service = marketplace();
    let api = Api::of(&service);
    let path = api.paths.iter().find(|it| it.path == "/users/{userId}/offers").unwrap();
    let PathIdKind::Entity(parent) = path.ids[0].kind else { panic!("an entity") };
    assert_eq!(service.resources[parent].name, "User");
    assert_eq!(operation(&api, "Offer.createUnderSeller").method, "POST");
}

/// §4.2: a method that is not available is 405; decisions, "Errors" and "OPTIONS": both have `Allow`.
#[test]
fn other_methods_are_refused_and_options_lists_them_4_2() {
    for service in both() {
        for path in Api::of(&service).paths {
            assert_eq!((path.options.status, path.other_methods.status), (204, 405), "{}", path.path);
            for response in [path.options, path.other_methods] {
                assert!(response.headers.iter().any(|header| header.name == "Allow"), "{}", path.path);
            }
        }
    }
}
