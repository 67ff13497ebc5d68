//! The marketplace that is asked: one entity of each resource, all of one owner, and every path there is.

use super::axes::Who;
use restwell_model::api::{Api, HttpOperation, PathItem, PathSubject};
use restwell_model::field::OnDelete;
use restwell_model::routes::{Target, VARIABLE};
use restwell_model::{Checked, Resource, Type};
use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::Service;
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

pub(super) struct World {
    pub(super) places: Vec<Place>,
    /// The resources whose entity others refer to and hold fast.
    pub(super) held: HashSet<String>,
    tokens: [String; 3],
    /// Every scope that the model speaks of.
    pub(super) scopes: Vec<String>,
}

/// A path, and what the model has there.
pub(super) struct Place {
    pub(super) path: String,
    pub(super) found: Option<Found>,
}

pub(super) struct Found {
    pub(super) path: PathItem<'static>,
    pub(super) resource: &'static Resource,
    pub(super) target: Target,
    /// Whether there is what the path's first id names.
    pub(super) exists: bool,
}

impl World {
    /// Fills a service.
    pub(super) fn create(service: &Service) -> Self {
        let model = Checked::new(marketplace::service().model().expect("of one piece")).expect("no mistake");
        let model: &'static Checked = Box::leak(Box::new(model));
        let scopes = scopes(model);
        let [owner, stranger] = ["owner", "stranger"].map(|name| market::user(service.address(), name));
        let master = service.token(&owner, &scopes.join(" "));
        let ids = market::one_of_each(service.address(), &owner, &master);
        let held = held(service, model, &ids, &master);
        let places = places(service, model, &ids);
        let tokens =
            [service.token(&stranger, ""), service.token(&owner, ""), service.token(&stranger, &scopes.join(" "))];
        Self { places, held, tokens, scopes }
    }

    /// An `Authorization` header's value.
    pub(super) fn credentials(&self, who: Who) -> Option<String> {
        let [stranger, owner, scoped] = &self.tokens;
        match who {
            Who::Nobody => None,
            Who::Forged => Some(format!("Bearer {}x", &owner[..owner.len() - 4])),
            Who::Basic => Some("Basic b3duZXI6b3duZXI=".to_owned()),
            Who::Stranger => Some(format!("Bearer {stranger}")),
            Who::Owner => Some(format!("Bearer {owner}")),
            Who::Scoped => Some(format!("Bearer {scoped}")),
        }
    }
}

impl Place {
    /// What a method does here.
    pub(super) fn operation(&self, method: &str) -> Option<&HttpOperation<'static>> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.found.as_ref()?.path.operations.iter().find(|operation| operation.method == method)
    }

    pub(super) fn serves(&self, method: &str) -> bool {
        self.operation(method).is_some()
    }
}

/// The resources whose entity cannot be deleted (decisions, "Deleting"): what refers to it says `restrict`.
fn held(service: &Service, model: &Checked, ids: &BTreeMap<&str, String>, token: &str) -> HashSet<String> {
    let mut held = HashSet::new();
    for resource in &model.resources {
        let target = format!("{}/{}", resource.path(), ids[resource.name.as_str()]);
        let entity = service.send(&Request::new("GET", &target).bearer(token)).is(200).json();
        for field in &resource.fields {
            if let Type::Ref { to, on_delete: OnDelete::Restrict, .. } = &field.ty
                && entity[&field.name].is_object()
            {
                held.insert(to.clone());
            }
        }
    }
    held
}

/// Every path of the interface, with the id of what is there and of what is not, and some that the model has not.
fn places(service: &Service, model: &'static Checked, ids: &BTreeMap<&str, String>) -> Vec<Place> {
    let mut places = Vec::new();
    for item in Api::of(model).paths {
        let PathSubject::Resource { resource, target } = item.subject else { continue };
        let resource = &model.resources[resource];
        let missing = item.pattern.contains(VARIABLE).then(|| Uuid::now_v7().to_string());
        let existing = existing(service, resource, target, ids);
        for (id, exists) in std::iter::once((existing, true)).chain(missing.map(|id| (id, false))) {
            let path = item.pattern.replacen(VARIABLE, &id, 1).replacen(VARIABLE, &Uuid::now_v7().to_string(), 1);
            places.push(Place { path, found: Some(Found { path: item.clone(), resource, target, exists }) });
        }
    }
    let offer = &ids["Offer"];
    let unknown = [
        "/".to_owned(),
        "/nothing".to_owned(),
        "/Offers".to_owned(),
        "/offers/".to_owned(),
        "//offers".to_owned(),
        "/offers/nothing".to_owned(),
        format!("/offers/{}", offer.to_uppercase()),
        format!("/offers/{offer}/nothing"),
        format!("/watched-offers/{offer}"),
        format!("/offers/{offer}/renew-commands"),
    ];
    places.extend(unknown.into_iter().map(|path| Place { path, found: None }));
    places
}

/// The id of what a path names first.
fn existing(service: &Service, resource: &Resource, target: Target, ids: &BTreeMap<&str, String>) -> String {
    let of = |name: &str| ids[name].clone();
    match target {
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => of(to),
            _ => panic!("a scoped collection is under a reference"),
        },
        Target::Search => {
            let body: Value = json!({ "limit": 1 });
            service.send(&Request::post(&resource.search_path(), &body)).is(201).id()
        }
        _ => of(&resource.name),
    }
}
