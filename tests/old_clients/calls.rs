//! The calls of a client that knows one model: every operation of its interface in each version, with values of its
//! types, also at the limits of these.

use crate::old_clients::data::{Data, Entity};
use restwell_model::api::{
    Api, FilterOperator, HttpOperation, OperationRole, ParameterKind, PathItem, PathSubject, QueryParameter, ValueType,
};
use restwell_model::resource::{OperationKind, Version, View};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::sample::{BodyMaker, example, in_order};
use restwell_model::{Field, Resource, Type};
use serde_json::{Value, json};
use uuid::Uuid;

/// What values follow from.
const SEED: u64 = 21;
/// The id of a command; the number of the call is added.
const FIRST_COMMAND: u128 = 0x0189_0a5d_eeee_7000_8000_0000_0000_0000;
/// The length of a text, and the size of a number, where the model has no limit.
const LONG: usize = 100;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    Nobody,
    First,
    Second,
    /// The first user, with every scope.
    Master,
}

const CALLERS: [Caller; 4] = [Caller::Master, Caller::First, Caller::Second, Caller::Nobody];

/// What is sent as the body.
#[derive(Debug, Clone)]
pub(crate) enum Sent {
    Nothing,
    Json(Value),
    /// What GET of the target shows, as far as the client knows it.
    ReadBack {
        target: String,
        known: Vec<String>,
    },
}

/// A call. Ids that a service makes are words.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) caller: Caller,
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) media_type: String,
    pub(crate) sent: Sent,
    /// The word for the id that the service makes.
    pub(crate) makes: Option<String>,
}

/// Every call, in their order.
pub(crate) fn calls<'a>(api: &'a Api<'a>, data: &'a Data) -> Vec<Call> {
    let mut maker = BodyMaker::new(api.service, SEED);
    for entity in &data.entities {
        let resource = api.service.resources.iter().find(|it| it.plural == entity.resource);
        maker.add(resource.map_or("", |it| &it.name), entity.id);
    }
    let mut client = OldClient { api, data, maker, calls: Vec::new(), number: 100 };
    let places = |resource: &Resource| {
        let index = api.service.resources.iter().position(|it| it.name == resource.name);
        api.paths.iter().filter(move |path| path.subject_resource() == index)
    };
    let ordered = in_order(api.service);
    for resource in &ordered {
        let all = places(resource).flat_map(|path| path.operations.iter().map(move |operation| (path, operation)));
        // what is there is read, then changed; what others refer to is deleted last
        let (changes, reads): (Vec<_>, Vec<_>) = all.partition(|(_, operation)| operation.method != "GET");
        reads.iter().for_each(|(path, operation)| client.operation(path, operation, resource));
        let changes = changes.iter().filter(|(_, operation)| operation.method != "DELETE");
        changes.for_each(|(path, operation)| client.operation(path, operation, resource));
    }
    for resource in ordered.iter().rev() {
        let all = places(resource).flat_map(|path| path.operations.iter().map(move |operation| (path, operation)));
        let deletions = all.clone().filter(|(_, operation)| operation.method == "DELETE");
        deletions.for_each(|(path, operation)| client.operation(path, operation, resource));
    }
    for resource in &ordered {
        let all = places(resource).flat_map(|path| path.operations.iter().map(move |operation| (path, operation)));
        let reads = all.filter(|(_, operation)| operation.method == "GET");
        reads.for_each(|(path, operation)| client.operation(path, operation, resource));
    }
    client.calls
}

struct OldClient<'a> {
    api: &'a Api<'a>,
    data: &'a Data,
    maker: BodyMaker<'a>,
    calls: Vec<Call>,
    number: usize,
}

/// An operation in a version, at a path whose ids are filled in.
#[derive(Clone)]
struct Place<'a> {
    operation: &'a HttpOperation<'a>,
    version: Version,
    view: Option<&'a View>,
    resource: &'a Resource,
    target: String,
    /// The entity that it is about.
    entity: Option<&'a Entity>,
    /// What sets a field of a scoped creation.
    scope: Option<(&'a Field, Uuid)>,
}

impl<'a> OldClient<'a> {
    fn operation(&mut self, path: &'a PathItem<'a>, operation: &'a HttpOperation<'a>, resource: &'a Resource) {
        let (OperationRole::Action(action), PathSubject::Resource { target, .. }) = (operation.role, path.subject)
        else {
            return;
        };
        for (at, version) in operation.versions.iter().enumerate() {
            let Some(place) = self.place(path, operation, resource, target, (*version, at)) else { return };
            match action {
                Action::Operation(OperationKind::List) => self.list(&place),
                // one that is only announced may go without notice, and its empty list with it
                Action::ListCommands(command) if !resource.commands[command].ready => {}
                Action::ListCommands(_) => self.list(&place),
                Action::Operation(OperationKind::Get) => self.by_each(&place),
                Action::Operation(OperationKind::Create) => self.create(&place),
                Action::Operation(OperationKind::Update) => self.update(&place),
                Action::Operation(OperationKind::Patch) => self.patch(&place),
                Action::Operation(OperationKind::Delete) => {
                    self.attempts(&place, &Sent::Nothing);
                    self.change(&place, &Sent::Nothing, None);
                }
                Action::CreateSearch => self.search(&place),
                // with the list that it selects
                Action::GetSearch | Action::GetCommand(_) => {}
                Action::PutCommand(command) => self.command(&place, command),
            }
        }
    }

    fn place(
        &self,
        path: &'a PathItem<'a>,
        operation: &'a HttpOperation<'a>,
        resource: &'a Resource,
        target: Target,
        (version, at): (Version, usize),
    ) -> Option<Place<'a>> {
        let view = match target {
            Target::Collection { view } | Target::Entity { view } => view.and_then(|view| resource.views.get(view)),
            _ => None,
        };
        let entities: Vec<_> = self.data.of_resource(resource).collect();
        let is_deletion = operation.method == "DELETE";
        // the first one is the first user's; the last ones are deleted
        let entity = if is_deletion { entities.iter().rev().nth(at) } else { entities.first() };
        let mut place =
            Place { operation, version, view, resource, target: path.pattern.clone(), entity: None, scope: None };
        match target {
            Target::Scoped { field } => {
                let field = &resource.fields[field];
                let Type::Ref { to, .. } = &field.ty else { return None };
                let id = self.data.of_resource(self.api.service.resource(to)?).next()?.id;
                place.scope = Some((field, id));
                place.target = place.target.replacen(VARIABLE, &id.to_string(), 1);
            }
            Target::Entity { .. } | Target::Command { .. } | Target::Commands { .. } => {
                place.entity = entity.copied();
                place.target = place.target.replacen(VARIABLE, &place.entity?.id.to_string(), 1);
            }
            Target::Collection { .. } | Target::Searches | Target::Search => {}
        }
        Some(place)
    }

    fn add(&mut self, place: &Place<'_>, caller: Caller, target: &str, sent: &Sent, makes: Option<String>) {
        let media_type = place.version.media_type(&self.api.service.vendor);
        let method = place.operation.method;
        let name = match sent {
            Sent::Json(body) => format!("{caller:?} {method} {target} {} {body}", place.version),
            Sent::Nothing | Sent::ReadBack { .. } => format!("{caller:?} {method} {target} {}", place.version),
        };
        let (target, sent) = (target.to_owned(), sent.clone());
        self.calls.push(Call { name, caller, method, target, media_type, sent, makes });
    }

    fn by_each(&mut self, place: &Place<'_>) {
        CALLERS.into_iter().for_each(|caller| self.add(place, caller, &place.target, &Sent::Nothing, None));
    }

    /// A change by the caller who may do most.
    fn change(&mut self, place: &Place<'_>, sent: &Sent, makes: Option<String>) {
        self.add(place, Caller::Master, &place.target, sent, makes);
    }

    /// The others only try it.
    fn attempts(&mut self, place: &Place<'_>, sent: &Sent) {
        let target = format!("{}?dryRun=true", place.target);
        CALLERS.into_iter().for_each(|caller| self.add(place, caller, &target, sent, None));
    }

    fn list(&mut self, place: &Place<'a>) {
        self.by_each(place);
        let operation = place.operation;
        for parameter in operation.query.iter().filter(|it| has(&it.versions, place.version)) {
            for query in self.queries(place, parameter) {
                self.add(place, Caller::Master, &format!("{}?{query}", place.target), &Sent::Nothing, None);
            }
        }
    }

    fn queries(&self, place: &Place<'_>, parameter: &QueryParameter<'_>) -> Vec<String> {
        let one = |value: &str| vec![format!("{}={value}", parameter.name)];
        match &parameter.kind {
            ParameterKind::Filter { field, value, operator } => {
                let own = self.data.of_resource(place.resource).filter_map(|entity| text(at(&entity.body, field)));
                let mut values: Vec<_> = own.take(2).chain(example_of(value).as_ref().and_then(text)).collect();
                if *operator == FilterOperator::Equal {
                    values.extend(everything(value));
                }
                values.into_iter().flat_map(|value| one(&value)).collect()
            }
            ParameterKind::Sort(names) => {
                let names = names.iter().filter(|name| has(&name.versions, place.version));
                names.flat_map(|name| ["", "-"].map(|sign| format!("sort={sign}{}", name.name))).collect()
            }
            ParameterKind::Limit { .. } => one("2"),
            ParameterKind::Offset { .. } => one("1"),
            _ => Vec::new(),
        }
    }

    /// Searches, each with the list that it selects.
    fn search(&mut self, place: &Place<'a>) {
        let Some(properties) = self.properties(place) else { return };
        let mut bodies = vec![json!({}), json!({ "limit": 2 })];
        for (name, value) in properties {
            let ValueType::Criterion { value, bounds, .. } = value else { continue };
            let own = self.data.of_resource(place.resource).map(|entity| at(&entity.body, &name).clone());
            let own = own.filter(|value| text(value).is_some()).take(1);
            for value in own.chain(example_of(&value)) {
                bodies.push(json!({ name.as_str(): value }));
                let bounded = bounds.iter().map(|bound| json!({ name.as_str(): { bound.word(): value } }));
                bodies.extend(bounded);
            }
        }
        for body in bodies {
            let word = self.word();
            self.change(place, &Sent::Json(body), Some(word.clone()));
            let collections = self.api.operations().filter(|(path, operation)| {
                let is_list = operation.role == OperationRole::Action(Action::Operation(OperationKind::List));
                is_list && path.subject_resource() == self.index(place.resource) && !path.pattern.contains(VARIABLE)
            });
            let gets = self.api.operations().filter(|(path, operation)| {
                operation.role == OperationRole::Action(Action::GetSearch)
                    && path.subject_resource() == self.index(place.resource)
            });
            let lists = collections.map(|(path, it)| (it, format!("{}?search.id={word}", path.pattern)));
            let gets = gets.map(|(path, it)| (it, path.pattern.replacen(VARIABLE, &word, 1)));
            for (operation, target) in lists.chain(gets).collect::<Vec<_>>() {
                let place = Place { operation, ..place.clone() };
                self.add(&place, Caller::Master, &target, &Sent::Nothing, None);
            }
        }
    }

    fn index(&self, resource: &Resource) -> Option<usize> {
        self.api.service.resources.iter().position(|it| it.name == resource.name)
    }

    /// New entities: whole, as small as possible, and with each value at its limits.
    fn create(&mut self, place: &Place<'a>) {
        for (at, body) in self.bodies(place).into_iter().enumerate() {
            let (word, sent) = (self.word(), Sent::Json(body));
            if at == 0 {
                self.attempts(place, &sent);
            }
            self.change(place, &sent, Some(word));
        }
        // what came of it
        let lists = self.api.operations().filter(|(path, operation)| {
            let is_list = operation.role == OperationRole::Action(Action::Operation(OperationKind::List));
            is_list && path.pattern == place.resource.path()
        });
        for (_, operation) in lists.collect::<Vec<_>>() {
            let place = Place { operation, ..place.clone() };
            self.add(&place, Caller::Master, &place.resource.path(), &Sent::Nothing, None);
        }
    }

    /// An entity is sent back as it was read, then replaced by another one.
    fn update(&mut self, place: &Place<'a>) {
        let Some(properties) = self.properties(place) else { return };
        let known = properties.into_iter().map(|(name, _)| name).collect();
        let sent = Sent::ReadBack { target: place.target.clone(), known };
        self.attempts(place, &sent);
        self.change(place, &sent, None);
        for body in self.bodies(place) {
            self.change(place, &Sent::Json(body), None);
        }
    }

    fn patch(&mut self, place: &Place<'a>) {
        let Some(body) = self.bodies(place).into_iter().next() else { return };
        for (name, value) in body.as_object().into_iter().flatten() {
            let operation = json!([{ "op": "add", "path": format!("/{name}"), "value": value }]);
            self.change(place, &Sent::Json(operation), None);
        }
    }

    fn command(&mut self, place: &Place<'a>, command: usize) {
        let definition = &place.resource.commands[command];
        let number = self.number();
        let Some(whole) = self.maker.input(definition, number) else { return };
        let required = |name: &str| definition.input.iter().any(|it| it.name == name && it.required);
        let bodies = with_limits(&whole, &definition.input, required);
        let entities: Vec<_> = self.data.of_resource(place.resource).collect();
        for (at, body) in bodies.into_iter().enumerate() {
            // a lifecycle may take only one of these
            let Some(entity) = entities.get(at % entities.len().max(1)) else { return };
            let path = place
                .target
                .replace(&place.entity.map_or(String::new(), |it| it.id.to_string()), &entity.id.to_string());
            let id = Uuid::from_u128(FIRST_COMMAND + self.number() as u128).to_string();
            let place = Place { target: path.replacen(VARIABLE, &id, 1), ..place.clone() };
            let sent = Sent::Json(body);
            if at == 0 {
                self.attempts(&place, &sent);
            }
            self.change(&place, &sent, None);
            let get = self.api.operations().find(|(path, operation)| {
                operation.role == OperationRole::Action(Action::GetCommand(command))
                    && path.subject_resource() == self.index(place.resource)
            });
            let Some((_, operation)) = get else { return };
            let get = Place { operation, ..place };
            self.add(&get, Caller::Master, &get.target, &Sent::Nothing, None);
        }
    }

    /// The properties of the body of a request.
    fn properties(&self, place: &Place<'_>) -> Option<Vec<(String, ValueType<'a>)>> {
        let content = place.operation.request.iter().find(|content| content.version == Some(place.version))?;
        let ValueType::Object { properties, .. } = self.api.schema(content.schema?)? else { return None };
        let own = properties.iter().filter(|property| !property.is_ignored);
        Some(own.map(|property| (property.name.to_string(), property.value.clone())).collect())
    }

    fn required(&self, place: &Place<'_>) -> Vec<String> {
        let content = place.operation.request.iter().find(|content| content.version == Some(place.version));
        let schema = content.and_then(|content| self.api.schema(content.schema?));
        let Some(ValueType::Object { properties, .. }) = schema else { return Vec::new() };
        properties.iter().filter(|property| property.is_required).map(|property| property.name.to_string()).collect()
    }

    fn bodies(&mut self, place: &Place<'a>) -> Vec<Value> {
        let number = self.number();
        let made = self.maker.entity(place.resource, (place.version, place.view), number, true);
        let Some(mut whole) = made else { return Vec::new() };
        let known: Vec<_> = self.properties(place).unwrap_or_default().into_iter().map(|(name, _)| name).collect();
        if let Some(body) = whole.as_object_mut() {
            body.retain(|name, _| known.contains(name));
        }
        if let Some(owner) = place.resource.owner_field().filter(|owner| known.iter().any(|name| name == owner)) {
            whole[owner] = json!({ "id": self.data.users[0] });
        }
        if let Some((field, id)) = place.scope {
            whole[&field.name] = json!({ "id": id });
        }
        let required = self.required(place);
        with_limits(&whole, &place.resource.fields, |name| required.iter().any(|it| it == name))
    }

    fn number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    /// A word for an id that a service will make.
    fn word(&mut self) -> String {
        format!("id-made-by-call-{}.", self.number())
    }
}

fn has(versions: &[Version], version: Version) -> bool {
    versions.is_empty() || versions.contains(&version)
}

fn at<'v>(body: &'v Value, name: &str) -> &'v Value {
    name.split('.').fold(body, |value, word| &value[word])
}

/// A value in a query string.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(form_urlencoded::byte_serialize(text.as_bytes()).collect()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_so) => Some(is_so.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn example_of(ty: &ValueType<'_>) -> Option<Value> {
    match ty {
        ValueType::Scalar(ty) => example(ty),
        ValueType::Enum(known) => known.values.first().map(|value| json!(value)),
        ValueType::Words(words) => words.first().map(|word| json!(word)),
        ValueType::Amount => Some(json!("12.30")),
        _ => None,
    }
}

/// Every value of an enum.
fn everything(ty: &ValueType<'_>) -> Vec<String> {
    match ty {
        ValueType::Enum(known) => known.values.clone(),
        _ => Vec::new(),
    }
}

/// A body, the same without what may be omitted, and one for each limit of each of its values.
fn with_limits(whole: &Value, fields: &[Field], is_required: impl Fn(&str) -> bool) -> Vec<Value> {
    let mut least = whole.clone();
    if let Some(body) = least.as_object_mut() {
        body.retain(|name, _| is_required(name));
    }
    let mut bodies = vec![whole.clone(), least];
    for field in fields.iter().filter(|field| whole.get(&field.name).is_some()) {
        for value in limits(&field.ty) {
            let mut body = whole.clone();
            body[&field.name] = value;
            bodies.push(body);
        }
    }
    bodies
}

/// Values at the limits of a type, and those that a narrower one may refuse.
fn limits(ty: &Type) -> Vec<Value> {
    match ty {
        Type::String { pattern: None, format: None, min_length, max_length } => {
            let least = min_length.map_or(1, |length| length as usize);
            let most = max_length.map_or(LONG, |length| length as usize);
            vec![json!("y".repeat(least)), json!("z".repeat(most))]
        }
        Type::Integer { minimum, maximum } => {
            vec![json!(minimum.unwrap_or(-(LONG as i64))), json!(maximum.unwrap_or(LONG as i64))]
        }
        Type::Array { items, min_items, max_items, unique_items: false } => {
            let Some(item) = example(items) else { return Vec::new() };
            let counts = [min_items.unwrap_or(0), max_items.unwrap_or(3)];
            counts.into_iter().map(|count| json!(vec![item.clone(); count as usize])).collect()
        }
        Type::Price { minimum: None, maximum: None, currencies } => {
            let known = currencies.iter().map(String::as_str).chain(currencies.is_empty().then_some("JPY"));
            known.map(|currency| json!({ "amount": "7.00", "currency": currency })).collect()
        }
        _ => Vec::new(),
    }
}
