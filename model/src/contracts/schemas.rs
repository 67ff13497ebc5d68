//! JSON Schemas of what bodies and parameters hold.
//!
//! Requests and responses have separate schemas. Those of requests are closed; those of responses are open and have
//! every property, and their enums may grow (§2.4.8). No schema has a `default`: generators then take the property for
//! one that is always there.

use super::components::Components;
use super::json_tree::{JsonTree, object, texts};
use super::openapi::{access_list, printed};
use super::scalars::{self, SchemaUsage};
use super::schema_names::{is_request, name_of};
use crate::api::{Api, ArrayBounds, FilledBy, MapBounds, Property, Representation, SchemaKey, ValueType};
use crate::events::CommandStatus;
use crate::field::{Deprecation, Field, Match, Type};
use crate::input::{Bound, MAX_MAP_NAME};
use crate::names;
use crate::pattern::Pattern;
use crate::service::Enum;
use std::collections::BTreeMap;

/// The schemas of a document: each is made when something refers to it.
pub(super) struct Schemas<'e, 'a> {
    pub(super) api: &'e Api<'a>,
    names: BTreeMap<SchemaKey, String>,
    pub(super) parts: Components,
}

/// Where a value is.
#[derive(Debug, Clone)]
struct Position {
    usage: SchemaUsage,
    /// What a schema of its own would be called.
    name: String,
    /// Whether the bounds of an array hold for an empty one too.
    is_required: bool,
}

impl Position {
    fn under(&self, property: &str, is_required: bool) -> Self {
        let usage = match self.usage {
            SchemaUsage::Sent { .. } => SchemaUsage::Sent { is_not_blank: is_required },
            other => other,
        };
        Self { usage, name: format!("{}{}", self.name, names::pascal(property)), is_required }
    }

    /// An item is never null.
    fn of_items(&self) -> Self {
        Self { is_required: true, ..self.under("item", true) }
    }

    /// The end of the names of schemas that requests have for themselves.
    fn suffix(&self) -> &'static str {
        if self.usage.is_request() { "Input" } else { "" }
    }
}

impl<'e, 'a> Schemas<'e, 'a> {
    pub(super) fn new(api: &'e Api<'a>) -> Self {
        let mut parts = Components::new("#/components/schemas/");
        let is_entity = |key: &&SchemaKey| matches!(key, SchemaKey::Entity(_));
        // entities first, because their names matter most
        let entities = api.schemas.keys().filter(is_entity);
        let others = api.schemas.keys().filter(|key| !is_entity(key));
        let names = entities.chain(others).map(|key| (*key, parts.reserve(&name_of(api.service, *key)))).collect();
        Self { api, names, parts }
    }

    /// The name of a body's schema.
    pub(super) fn name(&self, key: SchemaKey) -> &str {
        self.names.get(&key).map_or("", String::as_str)
    }

    /// A reference to the schema of a body.
    pub(super) fn body(&mut self, key: SchemaKey) -> JsonTree {
        let name = self.name(key).to_owned();
        let api = self.api;
        if !self.parts.has(&name)
            && let Some(value) = api.schema(key)
        {
            let usage = if is_request(key) { SchemaUsage::Sent { is_not_blank: true } } else { SchemaUsage::Received };
            let position = Position { usage, name: name.clone(), is_required: true };
            let schema = match value {
                ValueType::Object { properties, .. } => self.object(properties, &position),
                other => self.value(other, &position),
            };
            let schema = self.equal_to(key, &schema).unwrap_or(schema);
            self.parts.insert(&name, schema);
        }
        self.parts.reference(&name)
    }

    /// A reference to the schema of another body of the resource that is the same: replacements are often like
    /// creations, and views like the resource itself. Each keeps its own name.
    fn equal_to(&mut self, key: SchemaKey, schema: &JsonTree) -> Option<JsonTree> {
        let whole = |it: Representation| it.view.map(|_| Representation { view: None, ..it });
        let creation = |representation| SchemaKey::Creation { representation, scope: None };
        let likes = match key {
            SchemaKey::Replacement(it) => [Some(creation(it)), whole(it).map(SchemaKey::Replacement)],
            SchemaKey::Creation { representation, scope: Some(_) } => [Some(creation(representation)), None],
            SchemaKey::Creation { representation, scope: None } => [whole(representation).map(creation), None],
            SchemaKey::Entity(it) => [whole(it).map(SchemaKey::Entity), None],
            _ => [None, None],
        };
        let api = self.api;
        likes.into_iter().flatten().filter(|like| api.schema(*like).is_some()).find_map(|like| {
            self.body(like);
            // that may be like a third one itself
            let (name, known) = self.parts.resolve(self.name(like))?;
            (known == schema).then(|| self.parts.reference(name))
        })
    }

    /// Whether a body has the schema of another one.
    pub(super) fn is_like_another(&self, key: SchemaKey) -> bool {
        self.parts.resolve(self.name(key)).is_some_and(|(name, _)| name != self.name(key))
    }

    /// The schema of a body of a custom route, called after its type.
    pub(super) fn custom(&mut self, name: &str, value: &ValueType<'_>, is_request: bool) -> JsonTree {
        let usage = if is_request { SchemaUsage::Sent { is_not_blank: true } } else { SchemaUsage::Received };
        self.value(value, &Position { usage, name: name.to_owned(), is_required: true })
    }

    /// The schema of a value in a query string.
    pub(super) fn parameter(&mut self, value: &ValueType<'_>) -> JsonTree {
        self.value(value, &Position { usage: SchemaUsage::Compared, name: "Parameter".to_owned(), is_required: true })
    }

    /// The same, or the empty text, which stands for null in filters. It is called after the type of the value.
    pub(super) fn value_or_empty(&mut self, value: &ValueType<'_>) -> JsonTree {
        let schema = self.parameter(value);
        let text = object([("type", "string".into())]);
        if schema == text {
            return schema;
        }
        let schema = object([("anyOf", JsonTree::List(vec![schema, text.with("maxLength", 0_u32)]))]);
        match type_name(value) {
            kind if kind.is_empty() => schema,
            kind => self.parts.share_repeated(&[format!("{kind}OrEmpty")], schema),
        }
    }

    /// The schema of a value in an event's envelope.
    pub(super) fn attribute(&mut self, name: &str, value: &ValueType<'_>) -> JsonTree {
        let name = format!("CloudEvent{}", names::pascal(name));
        self.value(value, &Position { usage: SchemaUsage::Received, name, is_required: true })
    }

    fn object(&mut self, properties: &[Property<'_>], position: &Position) -> JsonTree {
        let required = properties.iter().filter(|property| property.is_required && !property.or_former);
        let required = texts(required.map(|property| property.name.to_string()));
        let members = properties.iter().map(|it| (it.name.to_string(), self.property(it, position))).collect();
        let schema = object([("type", "object".into()), ("properties", JsonTree::Object(members))]);
        let schema = schema.with_filled("required", required);
        if position.usage.is_request() { schema.with("additionalProperties", false) } else { schema }
    }

    fn property(&mut self, property: &Property<'_>, position: &Position) -> JsonTree {
        if property.is_ignored {
            let is_computed = property.field.is_some_and(|field| field.computed.is_some());
            let why = if is_computed { "Computed; ignored here." } else { "Ignored here." };
            return object([("description", why.into())]);
        }
        // texts that every service has may be empty: the `path` of a patch
        let at = position.under(&property.name, !property.is_nullable && property.field.is_some());
        let mut schema = self.value(&property.value, &at);
        if property.is_nullable {
            schema = nullable(schema);
        }
        schema = schema.with_filled_text("description", &describe(property, at.usage));
        if let Some(field) = property.field.filter(|_| !matches!(property.value, ValueType::Criterion { .. })) {
            let default = field.default.clone().filter(|_| at.usage.is_request());
            schema = schema.with_some("x-default", default);
            schema = schema.with_some("x-is", field.computed.as_ref().map(printed));
            schema = schema.with_filled("x-visible", access_list(&field.visible));
            if at.usage.is_request() {
                schema = schema.with_filled("x-writable", access_list(&field.writable));
                schema = schema.with_some("x-required-when", field.required_when.as_ref().map(printed));
                schema = schema.with_some("x-default-is", field.default_is.as_ref().map(printed));
            }
            if let Some(example) = field.example.clone().filter(|_| is_single(&property.value)) {
                schema = schema.with("examples", JsonTree::List(vec![example.into()]));
            }
        }
        deprecated(schema, property.deprecation)
    }

    fn value(&mut self, value: &ValueType<'_>, at: &Position) -> JsonTree {
        match value {
            ValueType::Scalar(ty) => self.scalar(ty, at),
            ValueType::Enum(values) => self.enumeration(values, at),
            ValueType::Words(words) => self.words(words, at),
            ValueType::Amount => scalars::amount(at.usage),
            ValueType::Price(ty) => self.price(ty, at),
            ValueType::Reference { to, properties } => self.reference(to, properties, at),
            ValueType::Object { name, properties } => {
                let schema = self.object(properties, &self.named(*name, at));
                let described = name.and_then(|name| self.api.service.object(name)?.description.clone());
                let schema = schema.with_some("description", described);
                let own = name.map_or_else(|| criteria_name(properties), |name| Some(name.to_owned()));
                let own = own.map(|name| format!("{name}{}", at.suffix()));
                let names: Vec<_> = own.into_iter().chain([at.name.clone()]).collect();
                self.parts.share(&names, schema)
            }
            ValueType::Array { items, bounds } => self.array(items, *bounds, at),
            ValueType::Map { values, bounds } => self.map(values, *bounds, at),
            ValueType::Criterion { value, bounds, matches, takes_bounds } => {
                let schema = self.criterion(value, bounds, matches, *takes_bounds, at);
                let kind = type_name(value);
                let of_items = if *takes_bounds { "" } else { "Values" };
                let of_matches: String = matches.iter().map(|it| names::pascal(it.word())).collect();
                let names = [format!("{kind}{of_items}{of_matches}Criterion{}", at.suffix()), at.name.clone()];
                self.parts.share(&names, schema)
            }
            ValueType::Schema(key) => self.body(*key),
            ValueType::Any => object([]),
        }
    }

    /// The position of what is in a named object: the names of its own schemas begin with the object's.
    fn named(&self, name: Option<&str>, at: &Position) -> Position {
        match name {
            Some(name) => Position { name: name.to_owned(), ..at.clone() },
            None => at.clone(),
        }
    }

    fn scalar(&mut self, ty: &Type, at: &Position) -> JsonTree {
        let found = scalars::scalar(ty, at.usage);
        match found.shared_as {
            Some(name) => self.parts.share(&[name.to_owned()], found.schema),
            None => found.schema,
        }
    }

    fn enumeration(&mut self, values: &Enum, at: &Position) -> JsonTree {
        let words = || texts(values.values.iter().map(String::as_str));
        let announced = values.notices.iter().map(|(value, notice)| goes_away(value, *notice));
        let described: Vec<_> = values.description.as_deref().map(sentence).into_iter().chain(announced).collect();
        let description = match values.notices.is_empty() {
            true => values.description.clone().unwrap_or_default(),
            false => described.join(" "),
        };
        let schema = object([("type", "string".into())]).with_filled_text("description", &description);
        let schema = schema.with("enum", words());
        let schema = if at.usage.is_request() { schema } else { schema.with("x-extensible-enum", words()) };
        self.parts.share(&[format!("{}{}", values.name, at.suffix())], schema)
    }

    fn words(&mut self, words: &[&'static str], at: &Position) -> JsonTree {
        let schema = object([("type", "string".into())]);
        match words {
            [word] => schema.with("const", *word),
            words if is_command_status(words) => {
                self.parts.share(&[COMMAND_STATUS.to_owned()], schema.with("enum", texts(words.iter().copied())))
            }
            words => {
                self.parts.share(std::slice::from_ref(&at.name), schema.with("enum", texts(words.iter().copied())))
            }
        }
    }

    fn price(&mut self, ty: &Type, at: &Position) -> JsonTree {
        let Type::Price { currencies, .. } = ty else { return object([]) };
        let is_limited = matches!(at.usage, SchemaUsage::Sent { .. }) && !currencies.is_empty();
        let (currency, kind) = if is_limited {
            let name = format!("Currency{}Input", currencies.iter().map(|it| names::pascal(it)).collect::<String>());
            let schema = object([("type", "string".into()), ("enum", texts(currencies.iter().map(String::as_str)))]);
            (self.parts.share(&[name], schema), currencies.iter().map(|it| names::pascal(it)).collect::<String>())
        } else {
            (self.scalar(&Type::Currency, at), String::new())
        };
        let members = object([("amount", scalars::amount(at.usage)), ("currency", currency)]);
        let schema = object([("type", "object".into()), ("properties", members)]);
        let schema = schema.with("required", texts(["amount", "currency"]));
        let schema = if at.usage.is_request() { schema.with("additionalProperties", false) } else { schema };
        self.parts.share(&[format!("Price{kind}{}", at.suffix())], schema)
    }

    /// A request needs only the id, and what stands beside it is ignored. Those of responses are named after what they
    /// show, so that they keep their names beside others.
    fn reference(&mut self, to: &str, properties: &[Property<'_>], at: &Position) -> JsonTree {
        if at.usage.is_request() {
            let id = self.scalar(&Type::Uuid, at);
            let schema = object([("type", "object".into()), ("properties", object([("id", id)]))]);
            return self.parts.share(&["ReferenceInput".to_owned()], schema.with("required", texts(["id"])));
        }
        let shown: String = properties.iter().filter(|it| it.name != "id").map(|it| names::pascal(&it.name)).collect();
        let name = if shown.is_empty() { format!("{to}Reference") } else { format!("{to}With{shown}") };
        let schema = self.object(properties, &Position { name: name.clone(), ..at.clone() });
        self.parts.share(&[name, at.name.clone()], schema)
    }

    fn array(&mut self, items: &ValueType<'_>, bounds: ArrayBounds, at: &Position) -> JsonTree {
        let schema = object([("type", "array".into()), ("items", self.value(items, &at.of_items()))]);
        if !at.usage.is_request() {
            return schema;
        }
        schema
            .with_some("minItems", bounds.min_items.filter(|_| at.is_required))
            .with_some("maxItems", bounds.max_items)
            .with_some("uniqueItems", bounds.unique_items.then_some(true))
    }

    /// Its names are not known: each has a value of one schema.
    fn map(&mut self, values: &ValueType<'_>, bounds: MapBounds<'_>, at: &Position) -> JsonTree {
        let at_value = Position { is_required: true, ..at.under("value", true) };
        let schema = object([("type", "object".into()), ("additionalProperties", self.value(values, &at_value))]);
        if !at.usage.is_request() {
            return schema;
        }
        let pattern = bounds.pattern.and_then(Pattern::portable);
        let names = object([("minLength", 1_u32.into()), ("maxLength", (MAX_MAP_NAME as u32).into())]);
        schema
            .with("propertyNames", names.with_some("pattern", pattern))
            .with_some("minProperties", bounds.min_items.filter(|_| at.is_required))
            .with("maxProperties", bounds.max_items)
    }

    fn criterion(
        &mut self,
        value: &ValueType<'_>,
        bounds: &[Bound],
        matches: &[Match],
        takes_bounds: bool,
        at: &Position,
    ) -> JsonTree {
        let usage = if at.usage.is_request() { SchemaUsage::Compared } else { SchemaUsage::Received };
        let at = Position { usage, ..at.clone() };
        let one = self.value(value, &at);
        let any = object([("type", "array".into()), ("items", one.clone())]);
        let mut ways = vec![one.clone(), any.clone()];
        if takes_bounds {
            let mut members: Vec<_> =
                bounds.iter().map(|bound| (bound.word().to_owned(), nullable(one.clone()))).collect();
            members.extend(matches.iter().map(|it| {
                let value = match it.is_repeatable() {
                    true => object([("anyOf", JsonTree::List(vec![one.clone(), any.clone()]))]),
                    false => one.clone(),
                };
                (it.word().to_owned(), nullable(value))
            }));
            let boolean = object([("type", texts(["boolean", "null"]))]);
            members.push(("isNull".to_owned(), boolean));
            let within = object([("type", "object".into()), ("properties", JsonTree::Object(members))]);
            ways.push(if usage.is_request() { within.with("additionalProperties", false) } else { within });
        }
        object([("anyOf", JsonTree::List(ways))])
    }
}

impl JsonTree {
    /// The object with a text, unless that is empty.
    pub(super) fn with_filled_text(self, name: &str, text: &str) -> Self {
        if text.is_empty() { self } else { self.with(name, text) }
    }
}

/// The schema of the same values and null.
fn nullable(schema: JsonTree) -> JsonTree {
    let null = || object([("type", "null".into())]);
    if let (Some(JsonTree::Text(word)), None) = (schema.get("type"), schema.get("const")) {
        let types = texts([word.as_str(), "null"]);
        return schema.with("type", types);
    }
    if let JsonTree::Object(members) = &schema
        && let Some((_, JsonTree::List(types))) = members.iter().find(|(name, _)| name == "type")
    {
        let types = types.iter().cloned().chain(["null".into()]).collect();
        return schema.with("type", JsonTree::List(types));
    }
    match schema {
        JsonTree::Object(members) if members.is_empty() => JsonTree::Object(members),
        JsonTree::Object(mut members) if members.len() == 1 && members[0].0 == "anyOf" => {
            if let (_, JsonTree::List(ways)) = &mut members[0] {
                ways.push(null());
            }
            JsonTree::Object(members)
        }
        other => object([("anyOf", JsonTree::List(vec![other, null()]))]),
    }
}

/// Marks what is going away.
pub(super) fn deprecated(tree: JsonTree, deprecation: Option<Deprecation>) -> JsonTree {
    match deprecation {
        None => tree,
        Some(Deprecation { sunset }) => {
            tree.with("deprecated", true).with_some("x-sunset", sunset.map(|day| day.to_string()))
        }
    }
}

/// The name of the schema of a command's status.
const COMMAND_STATUS: &str = "CommandStatus";

fn is_command_status(words: &[&str]) -> bool {
    words == CommandStatus::ALL.map(CommandStatus::value)
}

/// Whether the examples of a value are the same in requests and responses.
fn is_single(value: &ValueType<'_>) -> bool {
    match value {
        ValueType::Scalar(ty) => !matches!(ty, Type::Decimal { .. }),
        ValueType::Enum(_) => true,
        ValueType::Words(_)
        | ValueType::Amount
        | ValueType::Price(_)
        | ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => false,
    }
}

/// The name of the type of values that are compared; empty for a type that has none.
pub(super) fn type_name(value: &ValueType<'_>) -> String {
    match value {
        ValueType::Scalar(Type::Decimal { scale, .. }) => format!("Decimal{scale}"),
        ValueType::Scalar(ty) => names::pascal(ty.word()),
        ValueType::Enum(values) => values.name.clone(),
        ValueType::Amount => "Amount".to_owned(),
        ValueType::Words(words) if is_command_status(words) => COMMAND_STATUS.to_owned(),
        ValueType::Words(_)
        | ValueType::Price(_)
        | ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => String::new(),
    }
}

/// The name of the criteria inside a price or a reference; `None` for other objects.
fn criteria_name(properties: &[Property<'_>]) -> Option<String> {
    let of_type = match properties {
        [amount, currency] if amount.name == "amount" && currency.name == "currency" => "Price",
        [id] if id.name == "id" => "Reference",
        _ => return None,
    };
    match properties {
        [Property { field: None, value: ValueType::Criterion { matches, .. }, .. }, ..] => {
            let of_matches: String = matches.iter().map(|it| names::pascal(it.word())).collect();
            Some(format!("{of_type}{of_matches}Criteria"))
        }
        _ => None,
    }
}

/// What a field's description says, and what no keyword says.
fn describe(property: &Property<'_>, usage: SchemaUsage) -> String {
    let mut sentences: Vec<String> = Vec::new();
    if let Some(field) = property.field {
        sentences.extend(field.description.as_deref().map(sentence));
        if matches!(usage, SchemaUsage::Sent { .. }) && !matches!(property.value, ValueType::Criterion { .. }) {
            sentences.extend(scalars::limits(&field.ty));
            sentences.extend(default_text(field));
            if field.immutable {
                sentences.push("Taken at creation only.".to_owned());
            }
        }
        if field.write_only {
            sentences.push("Never shown.".to_owned());
        }
    }
    sentences.extend(property.filled_by.map(|filled_by| {
        match filled_by {
            FilledBy::Path => "May be omitted: the path names it.",
            FilledBy::Token => "May be omitted with credentials: the caller.",
        }
        .to_owned()
    }));
    if let Some(Deprecation { sunset: Some(day) }) = property.deprecation {
        sentences.push(format!("Goes away on {day}."));
    }
    sentences.join(" ")
}

fn default_text(field: &Field) -> Option<String> {
    let default = field.default.as_ref().filter(|_| !field.read_only)?;
    Some(format!("Omitted: `{default}`."))
}

/// A text that ends as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// That something goes away, and when.
pub(super) fn goes_away(what: &str, notice: Deprecation) -> String {
    match notice.sunset {
        Some(day) => format!("`{what}` goes away on {day}."),
        None => format!("`{what}` goes away."),
    }
}
