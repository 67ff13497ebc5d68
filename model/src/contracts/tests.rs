//! The documents of the marketplace and of a service with every type and key: what is in them, and that the examples in
//! them are valid.

use super::{ContractOptions, asyncapi, openapi};
use crate::api::{
    Api, ERROR_HEADERS, FilterOperator, ParameterKind, PathSubject, Presence, ResponseCase, common_headers,
};
use crate::check::Checked;
use crate::condition::Condition;
use crate::field::{Field, Match, Type};
use crate::resource::{
    Access, Command, Lifecycle, Operation, OperationKind, Resource, Rule, Transition, Version, View,
};
use crate::service::{Enum, Service};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn recorded(folder: &str) -> Checked {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("migrations/model.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let service: Service = serde_json::from_str(&text).unwrap();
    Checked::new(service).unwrap()
}

fn services() -> [Checked; 2] {
    ["generated-example", "tests"].map(recorded)
}

fn document(service: &Checked, options: ContractOptions<'_>) -> Value {
    serde_json::to_value(openapi(&Api::of(service), options)).unwrap()
}

fn whole(service: &Checked) -> Value {
    document(service, ContractOptions::default())
}

/// Every object in a document.
fn each_object<'v>(value: &'v Value, visit: &mut impl FnMut(&'v Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| each_object(item, visit)),
        _ => {}
    }
}

/// The operations, with method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters");
            methods.map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
        })
        .collect()
}

#[test]
fn every_operation_is_there_once_with_every_status() {
    for service in services() {
        let (api, document) = (Api::of(&service), whole(&service));
        let written = operations(&document);
        let is_left_out = |subject| matches!(subject, PathSubject::System(endpoint) if !endpoint.is_described());
        let expected: Vec<_> = api.operations().filter(|(path, _)| !is_left_out(path.subject)).collect();
        assert_eq!(written.len(), expected.len());
        for (path, operation) in expected {
            let found = &document["paths"][&path.path][operation.method.to_ascii_lowercase()];
            let responses = operation.responses.iter().chain(&operation.success_to_come);
            let statuses: BTreeSet<_> = responses.map(|it| it.status.to_string()).collect();
            let mut written: BTreeSet<_> = found["responses"].as_object().unwrap().keys().cloned().collect();
            // the default response says which statuses it is for
            assert!(written.remove("default"), "{}", operation.id);
            let common = found["responses"]["default"]["$ref"].as_str().unwrap();
            let common = document.pointer(&common[1..]).unwrap()["x-statuses"].as_object().unwrap();
            for (status, response) in common {
                assert!(written.insert(status.clone()), "{} {status}", operation.id);
                let known = operation.responses.iter().find(|it| it.status.to_string() == *status).unwrap();
                let codes: Vec<_> = known.codes.iter().map(|code| code.name()).collect();
                assert_eq!(response["x-error-codes"], json!(codes), "{} {status}", operation.id);
            }
            assert_eq!(statuses, written, "{}", operation.id);
        }
        let ids: BTreeSet<_> = written.iter().map(|(_, it)| it["operationId"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), written.len());
    }
}

/// What the service says of itself is in both documents; each has a license in its own form.
#[test]
fn a_service_says_who_answers_and_on_which_terms() {
    let [marketplace, _] = services();
    let service: Service = serde_json::from_value(json!({
        "name": "shop", "title": "Shop", "vendor": "service", "description": "Sells **books**.\n",
        "termsOfService": "https://example.com/terms", "contact": { "name": "API team", "email": "api@example.com" },
        "license": { "name": "Apache 2.0", "identifier": "Apache-2.0" }, "enums": [], "objects": [], "resources": [],
    }))
    .unwrap();
    let service = Checked::new(service).unwrap();
    let api = Api::of(&service);
    let asyncapi = serde_json::to_value(asyncapi(&api)).unwrap();
    for document in [&whole(&service), &asyncapi] {
        let info = &document["info"];
        assert!(info["description"].as_str().unwrap().starts_with("Sells **books**.\n\n"), "{info}");
        assert_eq!(info["termsOfService"], "https://example.com/terms");
        assert_eq!(info["contact"], json!({ "name": "API team", "email": "api@example.com" }));
    }
    let license = json!({ "name": "Apache 2.0", "identifier": "Apache-2.0" });
    assert_eq!(whole(&service)["info"]["license"], license);
    let license = json!({ "name": "Apache 2.0", "url": "https://spdx.org/licenses/Apache-2.0.html" });
    assert_eq!(asyncapi["info"]["license"], license);
    assert_eq!(whole(&marketplace)["info"].as_object().unwrap().len(), 3);
}

/// A command that is announced says what it will respond with; until then it is 501.
#[test]
fn what_is_announced_has_a_success_to_come() {
    for service in services() {
        let (api, document) = (Api::of(&service), whole(&service));
        let mut announced = 0;
        for (path, operation) in api.operations().filter(|(_, operation)| !operation.is_ready) {
            let written = &document["paths"][&path.path][operation.method.to_ascii_lowercase()];
            let is_sent = operation.method == "PUT";
            let success = &written["responses"]["201"];
            assert_eq!(success["content"].is_object() && success["headers"]["Location"].is_object(), is_sent);
            assert!(!is_sent || success["description"].as_str().unwrap().contains("until then valid requests are 501"));
            assert!(!is_sent || written["responses"]["501"].is_object());
            announced += usize::from(is_sent);
        }
        assert!(announced > 0);
    }
}

/// What the document says of every response is so: each has the headers that are listed once, or others of their names.
#[test]
fn headers_that_are_listed_once_are_in_every_response() {
    for service in services() {
        let (api, document) = (Api::of(&service), whole(&service));
        for (list, headers) in [("x-response-headers", common_headers()), ("x-error-headers", ERROR_HEADERS.to_vec())] {
            let listed: BTreeSet<_> = document[list].as_object().unwrap().keys().map(String::as_str).collect();
            let expected = headers.iter().map(|header| header.name).collect();
            assert_eq!(listed, expected);
        }
        for (path, operation) in api.operations() {
            if matches!(path.subject, PathSubject::System(endpoint) if !endpoint.is_described()) {
                continue;
            }
            for response in operation.responses.iter().chain(&operation.success_to_come) {
                let names: Vec<_> = response.headers.iter().map(|header| header.name).collect();
                let is_compressed = response.content.iter().any(|content| content.media_type != "text/event-stream");
                let common = common_headers().into_iter().filter(|it| is_compressed || it.name != "Content-Encoding");
                // those of deprecation are where something is deprecated
                let of_errors = ERROR_HEADERS.iter().filter(|it| it.presence == Presence::Always).copied();
                let of_errors = of_errors.filter(|_| response.case == ResponseCase::Failed);
                for header in common.chain(of_errors) {
                    assert!(names.contains(&header.name), "{} {}: {}", operation.id, response.status, header.name);
                }
            }
        }
    }
}

/// An empty filter asks for null (§4.4): a document that refuses it is wrong.
#[test]
fn a_filter_may_be_empty_where_that_means_null() {
    let empty = json!({ "type": "string", "maxLength": 0 });
    for service in services() {
        let (api, document) = (Api::of(&service), whole(&service));
        let mut asked = [0, 0];
        for (path, operation) in
            api.operations().filter(|(path, _)| matches!(path.subject, PathSubject::Resource { .. }))
        {
            let written = &document["paths"][&path.path][operation.method.to_ascii_lowercase()]["parameters"];
            for parameter in &operation.query {
                let ParameterKind::Filter { operator, .. } = parameter.kind else { continue };
                let deref = |it: &Value| match it["$ref"].as_str() {
                    Some(reference) => document.pointer(&reference[1..]).cloned().unwrap(),
                    None => it.clone(),
                };
                let mut known = written.as_array().unwrap().iter().map(deref);
                let known = known.find(|it| it["name"] == parameter.name).unwrap();
                let schema = if parameter.is_repeatable { &known["schema"]["items"] } else { &known["schema"] };
                let schema = &deref(schema);
                let ways = schema["anyOf"].as_array();
                let takes_empty = *schema == json!({ "type": "string" }) || ways.is_some_and(|it| it.contains(&empty));
                let is_null = matches!(operator, FilterOperator::Equal | FilterOperator::Match(Match::Not));
                assert!(takes_empty || !is_null, "{} {schema}", parameter.name);
                assert!(ways.is_none() || is_null, "{} {schema}", parameter.name);
                asked[usize::from(is_null)] += 1;
            }
        }
        assert!(asked.iter().all(|count| *count > 0), "{asked:?}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    for service in services() {
        for document in [whole(&service), serde_json::to_value(asyncapi(&Api::of(&service))).unwrap()] {
            let mut used = BTreeSet::new();
            each_object(&document, &mut |members| {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    let pointer = reference.strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                    used.insert(pointer.to_owned());
                }
            });
            for (kind, parts) in document["components"].as_object().unwrap() {
                for name in parts.as_object().unwrap().keys().filter(|_| kind != "securitySchemes") {
                    assert!(used.contains(&format!("/components/{kind}/{name}")), "{kind} {name}");
                }
            }
        }
    }
}

/// `RESTWELL_UPDATE=1` updates the documents.
#[test]
fn the_documents_are_as_recorded() {
    let is_update = std::env::var_os("RESTWELL_UPDATE").is_some();
    for (name, service) in ["marketplace", "specimens"].into_iter().zip(services()) {
        let api = Api::of(&service);
        for (kind, document) in [("openapi", openapi(&api, ContractOptions::default())), ("asyncapi", asyncapi(&api))] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/contracts/golden");
            let file = folder.join(format!("{name}.{kind}.json"));
            let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
            if is_update {
                std::fs::write(&file, &text).unwrap();
            }
            let recorded = std::fs::read_to_string(&file).unwrap_or_default();
            let stale = recorded.lines().zip(text.lines()).find(|(recorded, now)| recorded != now);
            let told = "RESTWELL_UPDATE=1 cargo test -p restwell-model recorded";
            assert!(recorded == text, "{} is stale at {stale:?}: {told}", file.display());
        }
    }
}

#[test]
fn examples_are_valid() {
    for service in services() {
        let document = whole(&service);
        let mut count = 0;
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let examples = schema["examples"].as_array().into_iter().flatten();
            let schema =
                json!({ "$ref": format!("#/components/schemas/{name}"), "components": document["components"] });
            let validator = jsonschema::validator_for(&schema).unwrap();
            for example in examples {
                let errors: Vec<_> = validator.iter_errors(example).map(|it| it.to_string()).collect();
                assert!(errors.is_empty(), "{name}: {errors:?}\n{example}");
                count += usize::from(example.is_object());
            }
        }
        assert!(count > 20, "{count}");
    }
}

#[test]
fn nothing_that_generators_misread() {
    for service in services() {
        let document = whole(&service);
        each_object(&document["components"]["schemas"], &mut |members| {
            assert!(!members.contains_key("readOnly") && !members.contains_key("writeOnly"), "{members:?}");
            assert_ne!(members.get("format"), Some(&json!("date-time")));
            if members.get("type") == Some(&json!("object")) {
                assert!(!members.contains_key("default"), "{members:?}");
            }
        });
        let text = document.to_string();
        for name in ["User-Agent", "Accept", "Content-Type", "Authorization"] {
            assert!(!text.contains(&format!("\"name\":\"{name}\"")), "{name}");
        }
    }
}

#[test]
fn the_preferred_version_is_first() {
    let service = recorded("generated-example");
    let text = serde_json::to_string(&openapi(&Api::of(&service), ContractOptions::default())).unwrap();
    let at = |part: &str| text.find(&format!("\"application/vnd.service.{part}+json\":")).unwrap();
    assert!(at("public.v1") < at("beta.v2"));
}

#[test]
fn one_version_alone() {
    let service = recorded("generated-example");
    let only = |version| document(&service, ContractOptions { only: Some(version), server: None }).to_string();
    let (public, beta) = (only(Version::Public), only(Version::Beta(2)));
    assert!(public.contains("public.v1+json") && !public.contains("beta.v2") && !public.contains("BetaV2"));
    assert!(beta.contains("beta.v2+json") && beta.contains("OfferBetaV2") && !beta.contains("OfferCondition\":null"));
    assert!(!public.contains("\"condition\""));
}

#[test]
fn what_was_made_can_be_read_next() {
    let service = recorded("generated-example");
    let document = whole(&service);
    let links = &document["paths"]["/offers"]["post"]["responses"]["201"]["links"];
    assert_eq!(
        links["getOffer"],
        json!({ "operationId": "getOffer", "parameters": { "offerId": "$response.body#/id" } })
    );
    let command = "/offers/{offerId}/renew-commands/{commandId}";
    let links = &document["paths"][command]["put"]["responses"]["201"]["links"];
    let parameters = json!({ "offerId": "$request.path.offerId", "commandId": "$response.body#/id" });
    assert_eq!(links["getRenewOffer"]["parameters"], parameters);
    let links = &document["paths"]["/offer-searches"]["post"]["responses"]["201"]["links"];
    assert_eq!(links["listOffers"]["parameters"], json!({ "search.id": "$response.body#/id" }));
}

#[test]
fn an_operation_says_what_it_is_in_the_model() {
    let document = whole(&recorded("generated-example"));
    let origin = |path: &str, method: &str| document["paths"][path][method]["x-operation"].clone();
    assert_eq!(origin("/offers", "get"), json!({ "resource": "Offer", "action": "list" }));
    assert_eq!(origin("/sale/offers", "post"), json!({ "resource": "Offer", "action": "create", "view": "sale" }));
    let scoped = json!({ "resource": "Offer", "action": "list", "under": "seller" });
    assert_eq!(origin("/users/{userId}/offers", "get"), scoped);
    assert_eq!(origin("/offer-searches", "post"), json!({ "resource": "Offer", "action": "createSearch" }));
    let command = "/offers/{offerId}/renew-commands/{commandId}";
    let [submit, status] =
        ["submit", "status"].map(|action| json!({ "resource": "Offer", "action": action, "command": "renew" }));
    assert_eq!((origin(command, "put"), origin(command, "get")), (submit, status));
    assert_eq!(origin("/events", "get"), Value::Null);
}

#[test]
fn a_tag_names_its_resource_and_the_types_of_its_events() {
    for service in services() {
        let document = whole(&service);
        let tags: Vec<_> = document["tags"].as_array().unwrap().iter().filter(|it| it["name"] != "service").collect();
        assert_eq!(tags.len(), service.resources.len());
        let types = tags.iter().flat_map(|tag| tag["x-event-types"].as_array().unwrap());
        let types: BTreeSet<_> = types.map(|it| it.as_str().unwrap()).collect();
        let parameters = document["paths"]["/events"]["get"]["parameters"].as_array().unwrap();
        let parameter = parameters.iter().find(|it| it["name"] == "type").unwrap();
        let of_stream: BTreeSet<_> =
            parameter["schema"]["items"]["enum"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert_eq!(types, of_stream);
    }
}

#[test]
fn conditions_are_said_in_their_canonical_form() {
    let mut service = Service::new("shop");
    service.roles.insert("clerk".to_owned(), Condition::new("'clerk'   in claims.roles"));
    let mut offer = Resource::new("Offer");
    let timestamp: Type = serde_json::from_value(json!({ "type": "timestamp" })).unwrap();
    let values = ["ACTIVE", "ENDED"].map(str::to_owned).to_vec();
    service.enums.push(Enum::new("State", values));
    let status = Field { read_only: true, ..Field::new("status", Type::Named { name: "State".to_owned() }) };
    let when = Access::When(Condition::new("(status=='ACTIVE')"));
    let note = Field {
        visible: vec![Access::Role("clerk".to_owned()), when.clone()],
        writable: vec![Access::Role("clerk".to_owned())],
        ..Field::new("note", Type::string())
    };
    offer.fields = vec![status, Field::new("endedAt", timestamp), note];
    let list =
        Operation { access: vec![Access::Role("clerk".to_owned()), when], ..Operation::open(OperationKind::List) };
    let update = Operation { access: vec![Access::User], ..Operation::open(OperationKind::Update) };
    offer.operations = vec![list.clone(), Operation::open(OperationKind::Get), update];
    let mut view = View::new("ended", "offers");
    view.filter = Some(Condition::new("status  in ['ENDED']"));
    view.operations = vec![Operation { access: vec![Access::Anyone], ..list }];
    offer.views = vec![view];
    offer.commands = vec![Command { access: vec![Access::User], ..Command::new("end") }];
    let check = Condition::new("endedAt==null||status != 'ACTIVE'");
    let message = "has not ended".to_owned();
    offer.rules = vec![Rule { check, code: "NotEnded".to_owned(), path: None, message: Some(message) }];
    let end = Transition {
        from: vec!["ACTIVE".to_owned()],
        to: "ENDED".to_owned(),
        set: BTreeMap::from([("endedAt".to_owned(), Condition::new("(now)"))]),
        when: Some(Condition::new("endedAt ==null")),
        ..Transition::new("end")
    };
    let (field, initial, finals) = ("status".to_owned(), "ACTIVE".to_owned(), vec!["ENDED".to_owned()]);
    offer.lifecycle = Some(Lifecycle { field, initial, finals, transitions: vec![end] });
    service.resources = vec![offer];
    let document = whole(&Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}")));
    assert_eq!(document["x-roles"], json!({ "clerk": "\"clerk\" in claims.roles" }));
    let list = &document["paths"]["/offers"]["get"];
    assert_eq!(list["x-access"], json!(["clerk", { "when": "status == \"ACTIVE\"" }]));
    assert_eq!(list["x-where"], Value::Null);
    let note = |schema: &str| &document["components"]["schemas"][schema]["properties"]["note"];
    let (seen, sent) = (note("Offer"), note("OfferUpdate"));
    for shown in [seen, sent] {
        assert_eq!(shown["x-visible"], json!(["clerk", { "when": "status == \"ACTIVE\"" }]));
    }
    assert_eq!((&seen["x-writable"], &sent["x-writable"]), (&Value::Null, &json!(["clerk"])));
    let ended = &document["paths"]["/ended/offers"]["get"];
    assert_eq!(
        list["description"],
        "For callers with the role `clerk` and callers for whom the entity meets `status == \"ACTIVE\"`."
    );
    assert_eq!(ended["description"], "For anyone. Has the entities that meet `status in [\"ENDED\"]`.");
    let end = "For any caller with a token. Leads to the state `ENDED`: 422 `WrongState` unless the entity is in \
               `ACTIVE` and meets `endedAt == null`.";
    let command = document["paths"].as_object().unwrap().iter().find(|(path, _)| path.contains("/end-commands/{"));
    assert_eq!(command.unwrap().1["put"]["description"], end);
    assert_eq!((&ended["x-where"], &ended["x-access"]), (&json!("status in [\"ENDED\"]"), &Value::Null));
    let tag = document["tags"].as_array().unwrap().iter().find(|tag| tag["name"] == "offers").unwrap();
    assert_eq!(tag["x-rules"][0]["check"], "endedAt == null || status != \"ACTIVE\"");
    let transition = &tag["x-lifecycle"]["transitions"][0];
    assert_eq!((&transition["when"], &transition["set"]), (&json!("endedAt == null"), &json!({ "endedAt": "now" })));
}

/// Documents are read over networks, and by programs with limits: what recurs is written once.
#[test]
fn an_operation_takes_few_bytes() {
    let document = whole(&recorded("generated-example"));
    let (bytes, operations) = (document.to_string().len(), operations(&document).len());
    assert!(bytes < operations * 3_700, "{bytes} bytes for {operations} operations");
}

/// A part that only one operation has is written there; errors and filters that several have are components.
#[test]
fn parts_are_components_if_several_operations_have_them() {
    for service in services() {
        let document = whole(&service);
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        each_object(&document, &mut |members| {
            if let Some(reference) = members.get("$ref") {
                *uses.entry(reference.as_str().unwrap()).or_default() += 1;
            }
        });
        let count = |kind: &str, name: &str| uses[format!("#/components/{kind}/{name}").as_str()];
        for name in document["components"]["responses"].as_object().unwrap().keys() {
            assert!(name.starts_with("CommonErrors") || count("responses", name) > 1, "{name}");
        }
        let parameters = document["components"]["parameters"].as_object().unwrap().keys();
        for name in parameters.filter(|name| name.contains('.')) {
            assert!(count("parameters", name) > 1, "{name}");
        }
        assert!(count("responses", "NotFound") > 10 && count("parameters", "command.sort") > 1);
    }
}

#[test]
fn the_same_service_gives_the_same_bytes() {
    let service = recorded("generated-example");
    let text = || serde_json::to_string(&openapi(&Api::of(&service), ContractOptions::default())).unwrap();
    assert_eq!(text(), text());
}

/// A service with one resource less; `None` where others need it.
fn without(service: &Checked, index: usize) -> Option<Checked> {
    let mut fewer: Service = (**service).clone();
    fewer.resources.remove(index);
    Checked::new(fewer).ok()
}

/// Clients that are generated again keep their names: no name of a component depends on what else is in the document.
#[test]
fn another_resource_changes_no_names() {
    let mut compared = 0;
    for service in services() {
        let both = |service: &Checked| [whole(service), serde_json::to_value(asyncapi(&Api::of(service))).unwrap()];
        let with_all = both(&service);
        for fewer in (0..service.resources.len()).filter_map(|index| without(&service, index)) {
            for (before, after) in both(&fewer).iter().zip(&with_all) {
                for (kind, parts) in before["components"].as_object().unwrap() {
                    for (name, part) in parts.as_object().unwrap() {
                        let now = &after["components"][kind][name];
                        // an entity may now be held by another one: then its deletion has another response
                        assert!(kind == "responses" && now.is_null() || now == part, "{kind} {name}: {part} {now}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
