//! Everything that the model announces, asked for with every method (§4.2): what is there answers, what is not says
//! which methods are, and what is not ready says so.

use restwell_model::resource::OperationKind;
use restwell_model::routes::{Action, Endpoint, Target, VARIABLE, endpoints};
use restwell_model::{Checked, Type};
use restwell_testkit::http::{PUBLIC, Reply, Request};
use restwell_testkit::market::Owner;
use restwell_testkit::process::Service;
use restwell_testkit::process::folder;
use restwell_tests::scopes::{marketplace_model, scopes};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"];

#[test]
fn every_method_at_every_path() {
    let folder = folder();
    let service = Service::start(folder.path());
    let model = marketplace_model();
    let Owner { token, ids, .. } = Owner::create(&service, "caller", &scopes(&model));
    let endpoints = endpoints(&model);
    assert!(endpoints.len() > 30, "the whole marketplace");
    for endpoint in &endpoints {
        let path = path(&model, endpoint, &ids);
        for method in METHODS {
            if method == "OPTIONS" {
                let reply = service.send(&request(method, &path));
                assert_eq!((reply.status, reply.body.len()), (204, 0), "OPTIONS {path}");
                allows(method, &path, &endpoint.actions, &reply);
                continue;
            }
            let reply = service.send(&request(method, &path).bearer(&token));
            match endpoint.actions.iter().find(|action| action.method() == method || is_head(method, **action)) {
                Some(action) => answers(method, &path, expected(&model, endpoint, *action), &reply),
                None => refuses(method, &path, &endpoint.actions, &reply),
            }
        }
    }
}

fn is_head(method: &str, action: Action) -> bool {
    method == "HEAD" && action.method() == "GET"
}

/// A request that is right in all but its body, which is wrong everywhere, and that changes nothing.
fn request(method: &str, path: &str) -> Request {
    match method {
        "POST" | "PUT" | "PATCH" => Request::new(method, path).json(&json!({ "unheardOf": true })),
        "DELETE" => Request::new(method, &format!("{path}?dryRun=true")),
        _ => Request::new(method, path),
    }
}

/// The endpoint's path with ids of what is there; of commands and searches with ids of nothing.
fn path(model: &Checked, endpoint: &Endpoint, ids: &BTreeMap<&str, String>) -> String {
    let resource = &model.resources[endpoint.resource];
    let first = match endpoint.target {
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => ids[to.as_str()].clone(),
            _ => panic!("a scoped collection is under a reference"),
        },
        Target::Search => Uuid::now_v7().to_string(),
        _ => ids[resource.name.as_str()].clone(),
    };
    endpoint.pattern.replacen(VARIABLE, &first, 1).replacen(VARIABLE, &Uuid::now_v7().to_string(), 1)
}

/// The status of what is declared. What is not served yet says so before it looks at the body (decisions, "Order of
/// checks").
fn expected(model: &Checked, endpoint: &Endpoint, action: Action) -> &'static [u16] {
    let resource = &model.resources[endpoint.resource];
    let kind = match action {
        Action::Operation(kind) => kind,
        Action::CreateSearch => return &[422],
        // the id is one of nothing
        Action::GetSearch => return &[404],
        Action::PutCommand(command) if !resource.commands[command].ready => return &[501],
        Action::PutCommand(_) => return &[422],
        // the id is one of nothing
        Action::GetCommand(_) => return &[404],
        Action::ListCommands(_) => return &[200],
    };
    match kind {
        OperationKind::List | OperationKind::Get => &[200],
        OperationKind::Create | OperationKind::Update | OperationKind::Patch => &[422],
        // others may refer to it
        OperationKind::Delete => &[204, 422],
    }
}

#[track_caller]
fn answers(method: &str, path: &str, expected: &[u16], reply: &Reply) {
    let status = reply.status;
    assert!(expected.contains(&status), "{method} {path}: {status}, not {expected:?}: {}", reply.text());
    assert!(reply.header("trace-id").is_some(), "{method} {path}");
    if status == 204 {
        return assert!(reply.body.is_empty(), "{method} {path}");
    }
    assert_eq!(reply.header("content-type"), Some(PUBLIC), "{method} {path}");
    match (method, status) {
        ("HEAD", _) => assert!(reply.body.is_empty(), "{path}"),
        ("DELETE", 422) => assert_eq!(reply.codes(), ["StillReferenced"], "{path}"),
        (_, 501) => assert_eq!(reply.codes(), ["NotReady"], "{method} {path}"),
        (_, 200) => assert!(reply.json().is_object(), "{method} {path}"),
        _ => assert!(!reply.codes().is_empty()),
    }
}

#[track_caller]
fn refuses(method: &str, path: &str, actions: &[Action], reply: &Reply) {
    assert_eq!(reply.status, 405, "{method} {path}: {}", reply.text());
    allows(method, path, actions, reply);
    if method != "HEAD" {
        assert_eq!(reply.codes(), ["MethodNotAllowed"], "{method} {path}");
    }
}

/// `Allow` names what the model says, HEAD where GET is, and OPTIONS.
#[track_caller]
fn allows(method: &str, path: &str, actions: &[Action], reply: &Reply) {
    let mut methods: BTreeSet<_> = actions.iter().map(|action| action.method()).collect();
    if methods.contains("GET") {
        methods.insert("HEAD");
    }
    methods.insert("OPTIONS");
    let allow = reply.header("allow").unwrap_or_else(|| panic!("{method} {path}: no Allow"));
    assert_eq!(allow.split(", ").collect::<BTreeSet<_>>(), methods, "{method} {path}");
}
