//! A service with an entity of each resource, and a command of each, for two persons; and those who ask for them.

use super::bodies::Bodies;
use crate::client::{Api, Request};
use restwell_model::{Checked, Resource, Search, Type};
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Somebody to whom an entity of each resource belongs.
pub(crate) struct Person {
    pub(crate) id: String,
    /// The entities, by the resource's name; of the users the person itself.
    pub(crate) ids: BTreeMap<String, String>,
    /// The commands that were sent to them, by resource and command; none of what is not ready.
    pub(crate) commands: BTreeMap<(String, String), String>,
}

/// Somebody who asks.
pub(crate) struct Caller {
    pub(crate) name: String,
    pub(crate) who: Who,
    authorization: Option<String>,
}

/// Who somebody is to the service.
pub(crate) enum Who {
    Nobody,
    /// Somebody whose credentials are not good.
    Unknown,
    Known {
        id: String,
        scopes: Vec<String>,
    },
}

pub(crate) struct World<'a> {
    pub(crate) api: &'a Api,
    pub(crate) model: Checked,
    pub(crate) owner: Person,
    pub(crate) other: Person,
    /// A search of each resource that can be searched, by its name.
    pub(crate) searches: BTreeMap<String, String>,
    pub(crate) callers: Vec<Caller>,
}

impl<'a> World<'a> {
    /// Fills a service.
    pub(crate) fn create(api: &'a Api) -> Self {
        let model = api.model();
        let scopes = scopes(&model);
        let [owner, other] = [0, 1].map(|number| Person::create(api, &model, number, &scopes));
        let has_searches = |resource: &&Resource| resource.search != Search::None;
        let search = |resource: &Resource| {
            let request = api.request("POST", &resource.search_path()).json(&json!({ "limit": 1 }));
            let made = request.header("authorization", &bearer(api, &owner.id, &scopes)).send().is(201).json();
            (resource.name.clone(), text(&made["id"]))
        };
        let searches = model.resources.iter().filter(has_searches).map(search).collect();
        let callers = callers(api, &model, [&owner, &other], &scopes);
        Self { api, model, owner, other, searches, callers }
    }

    /// Whether an entity of a resource has an owner.
    pub(crate) fn is_owned(&self, resource: &Resource) -> bool {
        resource.owner.is_some() || self.model.users.as_ref() == Some(&resource.name)
    }

    pub(crate) fn persons(&self) -> [&Person; 2] {
        [&self.owner, &self.other]
    }
}

impl Person {
    pub(crate) fn create(api: &Api, model: &Checked, number: usize, scopes: &[String]) -> Self {
        let users = model.users.as_ref().and_then(|name| model.resource(name)).expect("there are users");
        let id = user(api, model, users, number);
        let mut person =
            Self { ids: BTreeMap::from([(users.name.clone(), id.clone())]), id, commands: BTreeMap::new() };
        let master = bearer(api, &person.id, scopes);
        while let Some(resource) = model.resources.iter().find(|resource| person.lacks(resource)) {
            let body = Bodies { model, ids: &person.ids, number }.body(&resource.fields);
            let request = api.request("POST", &resource.path()).json(&body);
            let made = request.header("authorization", &master).send().is(201).json();
            person.ids.insert(resource.name.clone(), text(&made["id"]));
        }
        assert_eq!(person.ids.len(), model.resources.len(), "what each resource refers to can be created first");
        for resource in &model.resources {
            for command in &resource.commands {
                let (entity, id) = (&person.ids[&resource.name], Uuid::now_v7().to_string());
                let target = format!("{}/{entity}/{}/{id}", resource.path(), command.segment());
                let body = Bodies { model, ids: &person.ids, number: 0 }.body(&command.input);
                let reply = api.request("PUT", &target).json(&body).header("authorization", &master).send();
                // one that nobody has written yet is not ready
                if reply.status != 501 {
                    reply.is(201);
                    person.commands.insert((resource.name.clone(), command.name.clone()), id);
                }
            }
        }
        person
    }

    /// Whether there is no entity of a resource yet, but one of each that it must refer to.
    fn lacks(&self, resource: &Resource) -> bool {
        let refers = |ty: &Type| matches!(ty, Type::Ref { to, .. } if !self.ids.contains_key(to));
        let waits = resource.fields.iter().any(|field| field.required && !field.read_only && refers(&field.ty));
        !self.ids.contains_key(&resource.name) && !waits
    }
}

impl Caller {
    /// A request by this caller.
    pub(crate) fn request(&self, request: Request) -> Request {
        match &self.authorization {
            Some(authorization) => request.header("authorization", authorization),
            None => request,
        }
    }

    /// Whether this is the one of an id.
    pub(crate) fn is(&self, person: &str) -> bool {
        matches!(&self.who, Who::Known { id, .. } if id == person)
    }
}

/// Nobody, bad credentials, a user who owns nothing, two owners, the holder of each scope, and of another.
fn callers(api: &Api, model: &Checked, owners: [&Person; 2], scopes: &[String]) -> Vec<Caller> {
    let users = model.users.as_ref().and_then(|name| model.resource(name)).expect("there are users");
    let stranger = user(api, model, users, 2);
    let known = |name: &str, id: &str, scopes: &[String]| Caller {
        name: name.to_owned(),
        authorization: Some(bearer(api, id, scopes)),
        who: Who::Known { id: id.to_owned(), scopes: scopes.to_vec() },
    };
    let bad = Some("Bearer nonsense".to_owned());
    let mut callers = vec![
        Caller { name: "nobody".to_owned(), who: Who::Nobody, authorization: None },
        Caller { name: "a bad token".to_owned(), who: Who::Unknown, authorization: bad },
        known("a user", &stranger, &[]),
        known("the owner", &owners[0].id, &[]),
        known("another owner", &owners[1].id, &[]),
        known("another scope", &stranger, &["nothing.read".to_owned()]),
    ];
    callers.extend(scopes.iter().map(|scope| known(scope, &stranger, std::slice::from_ref(scope))));
    callers
}

/// Creates a user.
pub(crate) fn user(api: &Api, model: &Checked, users: &Resource, number: usize) -> String {
    let body = Bodies { model, ids: &BTreeMap::new(), number }.body(&users.fields);
    text(&api.create(&users.path(), &body)["id"])
}

/// An `Authorization` header for somebody with these scopes.
pub(crate) fn bearer(api: &Api, id: &str, scopes: &[String]) -> String {
    let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
    api.bearer(&json!({ "id": id }), &scopes)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
