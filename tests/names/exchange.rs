//! What a service is asked: each resource by every method, each list by every filter and sort, searches, commands,
//! views.

use restwell::Uuid;
use restwell_model::api::{Api, FilterOperator, HttpOperation, ParameterKind, PathId, PathIdKind, PathItem};
use restwell_model::sample::BodyMaker;
use restwell_model::{Checked, Resource, Version};
use restwell_testkit::wire::Wire;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;

/// What is known of a resource while its service is asked.
#[derive(Default)]
struct Known {
    entity: Option<Uuid>,
    body: Value,
    search: Option<String>,
    commands: BTreeMap<String, String>,
}

/// A service that runs.
struct Asked<'a> {
    api: &'a Api<'a>,
    wire: Wire,
    media_type: String,
    known: Vec<Known>,
}

/// Asks everything once.
///
/// # Errors
///
/// A request is answered with another status, or an answer has a name twice.
pub(crate) fn ask(model: &Checked, address: SocketAddr) -> Result<(), String> {
    let api = Api::of(model);
    let known = model.resources.iter().map(|_| Known::default()).collect();
    let media_type = Version::Public.media_type(&model.vendor);
    let mut asked = Asked { api: &api, wire: Wire::to(address), media_type, known };
    asked.create()?;
    for index in 0..model.resources.len() {
        asked.search(index)?;
        asked.command(index)?;
    }
    asked.read()?;
    (0..model.resources.len()).try_for_each(|index| asked.change(index))?;
    asked.describe()
}

impl Asked<'_> {
    /// The body of an answer of this status.
    fn send(&mut self, method: &str, target: &str, body: Option<&Value>, status: u16) -> Result<Value, String> {
        let answer = self.wire.send(method, target.as_bytes(), &self.media_type, Some("token"), body);
        if answer.status != status {
            let body = body.map(Value::to_string).unwrap_or_default();
            return Err(format!("{method} {target} is {}: {}\nafter {body}", answer.status, answer.body));
        }
        if answer.body.is_empty() {
            return Ok(Value::Null);
        }
        unique_members(&answer.body).map_err(|reason| format!("{method} {target}: {reason}: {}", answer.body))
    }

    /// Two entities of each resource, the second with references.
    fn create(&mut self) -> Result<(), String> {
        let api = self.api;
        let mut maker = BodyMaker::new(api.service, 7);
        let mut waiting: BTreeSet<usize> = (0..api.service.resources.len()).collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            for index in waiting.clone() {
                let resource = &api.service.resources[index];
                for number in [2 * index, 2 * index + 1] {
                    let Some(body) = maker.entity(resource, (Version::Public, None), number, true) else { continue };
                    let created = self.send("POST", &resource.path(), Some(&body), 201)?;
                    let id: Uuid =
                        created["id"].as_str().and_then(|id| id.parse().ok()).ok_or("an entity has an id")?;
                    maker.add(&resource.name, id);
                    (self.known[index].entity, self.known[index].body) = (Some(id), created);
                    waiting.remove(&index);
                }
            }
            if waiting.len() == before {
                let names: Vec<_> = waiting.iter().map(|index| &api.service.resources[*index].name).collect();
                return Err(format!("{names:?} refer to what nobody creates"));
            }
        }
        Ok(())
    }

    /// A search by everything that the entity has.
    fn search(&mut self, index: usize) -> Result<(), String> {
        let api = self.api;
        let paths = || api.paths.iter().filter(|path| path.subject_resource() == Some(index));
        let is_search = |path: &&PathItem<'_>| {
            path.operations.iter().any(|it| it.name.starts_with("create") && it.name.ends_with("Search"))
        };
        let Some(path) = paths().find(is_search) else { return Ok(()) };
        let Some(list) = paths().find(|path| path.path == api.service.resources[index].path()) else { return Ok(()) };
        let mut criteria = Map::new();
        for (field, operator) in list.operations.iter().filter(|it| it.method == "GET").flat_map(filters) {
            let value = at(&self.known[index].body, &field);
            let is_common = ["id", "createdAt", "updatedAt"].contains(&field.as_str());
            if operator == FilterOperator::Equal && !is_common && !value.is_null() {
                put(&mut criteria, &field, value.clone());
            }
        }
        let entity = self.known[index].body.as_object().cloned().unwrap_or_default();
        criteria
            .extend(entity.into_iter().filter(|(_, value)| value.as_array().is_some_and(|items| !items.is_empty())));
        let stored = self.send("POST", &path.path, Some(&Value::Object(criteria)), 201)?;
        self.known[index].search = stored["id"].as_str().map(str::to_owned);
        Ok(())
    }

    /// Each command once.
    fn command(&mut self, index: usize) -> Result<(), String> {
        let api = self.api;
        let resource = &api.service.resources[index];
        let Some(id) = self.known[index].entity else { return Ok(()) };
        let mut maker = BodyMaker::new(api.service, 8);
        for (number, command) in resource.commands.iter().enumerate() {
            let command_id = Uuid::now_v7().to_string();
            let target = format!("{}/{id}/{}-commands/{command_id}", resource.path(), command.name);
            let body = maker.input(command, number).ok_or("a command has an input")?;
            let is_transition = resource.lifecycle.is_some();
            match self.send("PUT", &target, Some(&body), 201) {
                // the entity is in another state
                Err(reason) if is_transition && reason.contains("WrongState") => {}
                answer => {
                    answer?;
                    self.known[index].commands.insert(command.name.clone(), command_id);
                }
            }
        }
        Ok(())
    }

    /// Every path that can be read, lists by every filter and sort.
    fn read(&mut self) -> Result<(), String> {
        let api = self.api;
        for path in &api.paths {
            let Some(index) = path.subject_resource() else { continue };
            let Some(operation) = path.operations.iter().find(|operation| operation.method == "GET") else { continue };
            let Some(target) = self.target(path, index) else { continue };
            self.send("GET", &target, None, 200)?;
            if path.path.contains("-commands") {
                continue;
            }
            for (field, operator) in filters(operation) {
                let value = at(&self.known[index].body, &field).clone();
                let suffix = operator.suffix().map(|suffix| format!(".{suffix}")).unwrap_or_default();
                match (text(&value), operator) {
                    (Some(value), _) => self.send("GET", &format!("{target}?{field}{suffix}={value}"), None, 200)?,
                    (None, FilterOperator::Equal) => self.send("GET", &format!("{target}?{field}="), None, 200)?,
                    (None, _) => continue,
                };
            }
            for parameter in &operation.query {
                match &parameter.kind {
                    ParameterKind::Sort(names) => {
                        for name in names {
                            self.send("GET", &format!("{target}?sort=-{}", name.name), None, 200)?;
                        }
                    }
                    ParameterKind::SearchId => {
                        if let Some(search) = self.known[index].search.clone() {
                            self.send("GET", &format!("{target}?search.id={search}&limit=5&offset=0"), None, 200)?;
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// What was read is written: as a whole, and field by field.
    fn change(&mut self, index: usize) -> Result<(), String> {
        let api = self.api;
        let resource: &Resource = &api.service.resources[index];
        let Some(id) = self.known[index].entity else { return Ok(()) };
        let target = format!("{}/{id}", resource.path());
        let has = |method: &str| {
            let mut operations =
                api.operations().filter(|(path, _)| path.subject_resource() == Some(index) && path.is_entity());
            operations.any(|(_, operation)| operation.method == method)
        };
        if !has("GET") {
            return Ok(());
        }
        let entity = self.send("GET", &target, None, 200)?;
        if has("PATCH") {
            let fields = resource.fields.iter().filter(|field| !entity[&field.name].is_null() && !field.read_only);
            let replace = |name: &String| json!({ "op": "replace", "path": format!("/{name}"), "value": entity[name] });
            let operations: Vec<_> =
                fields.filter(|field| field.computed.is_none()).map(|field| replace(&field.name)).collect();
            self.send("PATCH", &target, Some(&Value::Array(operations)), 200)?;
        }
        if has("PUT") {
            self.send("PUT", &target, Some(&entity), 200)?;
        }
        Ok(())
    }

    /// The documents have each name once, and what they refer to.
    fn describe(&mut self) -> Result<(), String> {
        for path in ["/openapi.json", "/asyncapi.json", "/model.json"] {
            let answer = self.wire.send("GET", path.as_bytes(), "application/json", None, None);
            if answer.status != 200 {
                return Err(format!("GET {path} is {}: {}", answer.status, answer.body));
            }
            let document = unique_members(&answer.body).map_err(|reason| format!("{path}: {reason}"))?;
            if let Some(reference) = dangling(&document, &document) {
                return Err(format!("{path} has no {reference}"));
            }
        }
        Ok(())
    }

    /// A path with ids of what is known; `None`: nothing is.
    fn target(&self, path: &PathItem<'_>, index: usize) -> Option<String> {
        let mut target = path.path.clone();
        for PathId { name, kind } in &path.ids {
            let id = match kind {
                PathIdKind::Entity(of) => self.known[*of].entity?.to_string(),
                PathIdKind::Search => self.known[index].search.clone()?,
                PathIdKind::Command => self.known[index].commands.iter().find_map(|(command, id)| {
                    let names = self.api.service.resources[index].commands.iter().find(|it| it.name == *command);
                    let former = names.and_then(|it| it.formerly.as_ref()).map(|it| format!("/{}-commands/", it.name));
                    let is_of = path.path.contains(&format!("/{command}-commands/"));
                    (is_of || former.is_some_and(|former| path.path.contains(&former))).then(|| id.clone())
                })?,
            };
            target = target.replace(&format!("{{{name}}}"), &id);
        }
        Some(target)
    }
}

/// The fields that an operation filters by, and how.
fn filters<'a>(operation: &'a HttpOperation<'_>) -> impl Iterator<Item = (String, FilterOperator)> + 'a {
    operation.query.iter().filter_map(|parameter| match &parameter.kind {
        ParameterKind::Filter { operator, .. } => {
            let suffix = operator.suffix().map(|suffix| format!(".{suffix}")).unwrap_or_default();
            let name = parameter.name.strip_suffix(&suffix).unwrap_or(&parameter.name);
            Some((name.to_owned(), *operator))
        }
        _ => None,
    })
}

/// A value inside another one.
fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, name| &value[name])
}

/// Sets a value inside an object.
fn put(object: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(object.insert(path.to_owned(), value)),
        Some((first, rest)) => {
            let inner = object.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A value as a query string has it.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        _ => return None,
    };
    Some(form_urlencoded::byte_serialize(text.as_bytes()).collect())
}

/// The first `$ref` of a document that leads to nothing in it.
fn dangling(value: &Value, document: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members.iter().find_map(|(name, value)| match value.as_str() {
            Some(reference) if name == "$ref" && reference.starts_with("#/") => {
                document.pointer(&reference[1..]).is_none().then(|| reference.to_owned())
            }
            _ => dangling(value, document),
        }),
        Value::Array(items) => items.iter().find_map(|item| dangling(item, document)),
        _ => None,
    }
}

/// The value of a text whose objects have each name once.
fn unique_members(text: &str) -> Result<Value, String> {
    serde_json::from_str::<Unique>(text).map(|unique| unique.0).map_err(|error| error.to_string())
}

/// JSON without an object that has a name twice.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Unique, A::Error> {
        let mut array = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Unique(Value::Array(array)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Unique, A::Error> {
        let mut object = Map::new();
        while let Some((name, Unique(value))) = members.next_entry::<String, Unique>()? {
            if object.insert(name.clone(), value).is_some() {
                return Err(serde::de::Error::custom(format!("`{name}` is there twice")));
            }
        }
        Ok(Unique(Value::Object(object)))
    }
}
