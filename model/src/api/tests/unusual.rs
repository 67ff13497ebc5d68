//! Services that the two of the other tests are not like.

use super::{operation, successes};
use crate::api::{Api, Asked, CallerKind, EventData, SentBody, Situation, SystemEndpoint};
use crate::check::Checked;
use crate::condition::Condition;
use crate::error::ErrorCode;
use crate::field::{Field, Type};
use crate::resource::{Access, Command, Operation, OperationKind, Resource, Search, Version, View};
use crate::service::Service;

fn service(change: impl FnOnce(&mut Resource)) -> Checked {
    let mut offer = Resource::new("Offer");
    offer.fields.push(Field { filter: true.into(), ..Field::new("name", Type::string()) });
    change(&mut offer);
    Checked::new(Service { resources: vec![offer], ..Service::new("shop") }).unwrap()
}

#[test]
fn a_service_without_resources_has_its_own_paths() {
    let service = Checked::new(Service::new("shop")).unwrap();
    let api = Api::of(&service);
    assert_eq!(api.paths.len(), SystemEndpoint::ALL.len());
    assert!(api.events.kinds.is_empty());
}

/// Decisions, "Errors": before a version is negotiated, errors are in the public one even where nothing else is.
#[test]
fn a_resource_may_be_in_beta_only() {
    let beta = Version::Beta(1);
    let service = service(|offer| offer.versions = vec![beta]);
    let api = Api::of(&service);
    let get = operation(&api, "Offer.get");
    let versions = |status: u16| {
        let response = get.responses.iter().find(|response| response.status == status).unwrap();
        response.content.iter().filter_map(|content| content.version).collect::<Vec<_>>()
    };
    assert_eq!(versions(200), [beta]);
    assert_eq!(versions(404), [Version::Public, beta]);
    let EventData::Entity(data) = api.events.kinds[0].data else { panic!("the entity") };
    assert_eq!(data.version, beta);
}

/// Decisions, "Accept": public before the newest beta.
#[test]
fn versions_are_in_the_order_of_preference() {
    let versions = vec![Version::Beta(2), Version::Beta(3), Version::Public];
    let service = service(|offer| offer.versions = versions);
    let expected = [Version::Public, Version::Beta(3), Version::Beta(2)];
    assert_eq!(operation(&Api::of(&service), "Offer.list").versions, expected);
}

/// Decisions, "OPTIONS": a path exists when it has an operation.
#[test]
fn a_resource_may_have_few_operations() {
    let service = service(|offer| {
        offer.operations = vec![Operation::open(OperationKind::Create)];
        offer.search = Search::All;
        offer.commands.push(Command::new("renew"));
        offer.views.push(View {
            filter: None,
            name: "old".to_owned(),
            path: "/old-offers".to_owned(),
            through: None,
            operations: vec![Operation::open(OperationKind::Get)],
            formerly: None,
            notice: None,
            allow: Default::default(),
        });
    });
    let api = Api::of(&service);
    let paths: Vec<_> = api.paths.iter().map(|path| path.path.as_str()).take_while(|path| *path != "/livez").collect();
    let expected = [
        "/offers",
        "/old-offers/{offerId}",
        "/offer-searches/{searchId}",
        "/offer-searches",
        "/offers/{offerId}/renew-commands/{commandId}",
        "/offers/{offerId}/renew-commands",
    ];
    assert_eq!(paths, expected);
    // without access to lists there is no access to searches
    let search = &operation(&api, "Offer.createSearch").access;
    assert!(search.any_of.is_empty() && search.requires_credentials && search.can_be_forbidden);
    // no caller may read it, so its events are only on the bus
    assert!(api.events.kinds[0].visible_to.is_empty());
}

#[test]
fn the_ids_of_a_path_have_different_names() {
    let service = service(|offer| {
        *offer = Resource { operations: Vec::new(), ..Resource::new("Command") };
        offer.operations.push(Operation::open(OperationKind::Get));
        offer.commands.push(Command::new("renew"));
    });
    let api = Api::of(&service);
    let paths: Vec<_> = api.paths.iter().filter(|path| path.pattern.starts_with("/commands/")).collect();
    let named: Vec<_> = paths.iter().map(|path| path.path.as_str()).collect();
    let lists = "/commands/{commandId}/renew-commands";
    assert_eq!(named, ["/commands/{commandId}", "/commands/{id}/renew-commands/{commandId}", lists]);
    let accepted = &operation(&api, "Command.renew.submit").responses[0];
    assert_eq!(accepted.location.as_deref(), Some("/commands/{id}/renew-commands/{commandId}"));
}

/// A collection below an entity that its caller must not see is refused like the entity.
#[test]
fn collections_below_disclosed_entities_may_be_forbidden() {
    for disclose in [true, false] {
        let mut vault = Resource::new("Vault");
        vault.visible = vec![Access::Scope("vaults.read".to_owned())];
        vault.disclose = disclose;
        vault.operations = vec![Operation::open(OperationKind::Get)];
        let mut page = Resource::new("Page");
        let reference = serde_json::from_value(serde_json::json!({ "type": "ref", "to": "Vault" })).unwrap();
        page.fields.push(Field::new("vault", reference));
        page.under = vec!["vault".to_owned()];
        page.operations = vec![Operation::open(OperationKind::List)];
        for operation in page.operations.iter_mut().chain(&mut vault.operations) {
            operation.access = vec![Access::Anyone];
        }
        let service = Checked::new(Service { resources: vec![vault, page], ..Service::new("bank") }).unwrap();
        let api = Api::of(&service);
        let path = api.paths.iter().find(|path| path.path == "/vaults/{vaultId}/pages").unwrap();
        assert!(path.operations.iter().all(|it| it.access.can_be_forbidden == disclose), "disclose: {disclose}");
        assert!(!operation(&api, "Page.list").access.can_be_forbidden);
    }
}

/// §4.8: 202 for every operation that changes something.
#[test]
fn every_change_may_be_asynchronous() {
    use OperationKind::{Create, Delete, Patch, Update};
    let service = service(|offer| {
        offer.operations = OperationKind::ALL.map(Operation::open).to_vec();
        for operation in &mut offer.operations {
            operation.is_async = [Create, Update, Patch, Delete].contains(&operation.kind);
        }
    });
    let api = Api::of(&service);
    for id in ["Offer.create", "Offer.update", "Offer.patch", "Offer.delete"] {
        assert_eq!(successes(operation(&api, id)), [202, 204], "{id}");
        assert!(operation(&api, id).is_async);
    }
}

#[test]
fn a_deprecated_resource_announces_it_everywhere() {
    let service = service(|offer| {
        offer.deprecated = true;
        offer.operations = vec![Operation {
            access: vec![Access::Scope("offers.read".to_owned())],
            ..Operation::open(OperationKind::List)
        }];
    });
    let api = Api::of(&service);
    let list = operation(&api, "Offer.list");
    assert!(list.deprecation.is_some());
    assert!(list.responses.iter().all(|it| it.headers.iter().any(|header| header.name == "Deprecation")));
}

/// Decisions, "Anonymous callers": what a list with a condition admits may be nothing; an entity is admitted or not.
#[test]
fn nobody_may_list_where_a_condition_admits_some() {
    let when = || Access::When(Condition::new("name == \"open\""));
    let role = || Access::Role("clerk".to_owned());
    for (access, is_open) in [
        (vec![when()], true),
        (vec![role(), when()], true),
        (vec![Access::Owner, role(), when()], true),
        (vec![Access::Scope("x".to_owned()), when()], true),
        (vec![Access::Anyone], true),
        (vec![Access::Owner, role()], false),
        (vec![Access::User], false),
    ] {
        let mut user = Resource::new("User");
        user.operations.clear();
        let mut offer = Resource::new("Offer");
        let seller = Type::Ref { to: "User".to_owned(), show: Vec::new(), on_delete: crate::OnDelete::Restrict };
        offer.fields = vec![
            Field { filter: true.into(), ..Field::new("name", Type::string()) },
            Field { required: true, ..Field::new("seller", seller) },
        ];
        (offer.owner, offer.search) = (Some("seller".to_owned()), Search::All);
        for operation in &mut offer.operations {
            operation.access.clone_from(&access);
        }
        let mut service = Service { resources: vec![user, offer], ..Service::new("shop") };
        service.users = Some("User".to_owned());
        service.roles.insert("clerk".to_owned(), Condition::new("\"clerk\" in scopes"));
        let service = Checked::new(service).unwrap();
        let api = Api::of(&service);
        let admitted = |id: &str| {
            let (path, operation) = api.operations().find(|(_, operation)| operation.id == id).unwrap();
            let (accept, content_type) = (Asked::Any, Asked::Version(Version::Public));
            let situation =
                Situation { accept, content_type, caller: CallerKind::Nobody, body: SentBody::Json, exists: true };
            path.admit(&service.resources[1], operation, &situation).map_err(|refusal| refusal.code)
        };
        for id in ["Offer.list", "Offer.createSearch", "Offer.getSearch"] {
            assert_eq!(admitted(id).is_ok(), is_open, "{id} {access:?}");
        }
        for id in ["Offer.get", "Offer.create", "Offer.delete"] {
            let expected =
                if access == [Access::Anyone] { Ok(Version::Public) } else { Err(ErrorCode::Unauthenticated) };
            assert_eq!(admitted(id), expected, "{id} {access:?}");
        }
    }
}
