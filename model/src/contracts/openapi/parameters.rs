//! Parameters in paths, query strings and headers. Names with dots are plain names, lists are repeated parameters, and
//! `sort` is one text: clients would write a list as repeated parameters.

use super::{Emitter, wording};
use crate::api::ValueType;
use crate::api::{
    COMMON_REQUEST_HEADERS, FilterOperator, HttpOperation, ParameterKind, PathId, PathIdKind, PathItem, PathSubject,
    QueryParameter, RequestHeader, VersionedName,
};
use crate::contracts::json_tree::{JsonTree, object, texts};
use crate::contracts::schemas::{deprecated, goes_away, type_name};
use crate::field::Type;
use crate::names::{self, COMMON_FIELDS};
use crate::routes::Target;
use crate::sample::EXAMPLE_ID;

/// Headers that clients set by themselves, or that OpenAPI describes in another way.
const IMPLIED_HEADERS: [&str; 5] = ["User-Agent", "Accept", "Content-Type", "Authorization", "Accept-Encoding"];

impl Emitter<'_, '_> {
    pub(super) fn path_id(&mut self, id: &PathId) -> JsonTree {
        let description = match id.kind {
            PathIdKind::Entity(resource) => format!("The id of the {}.", self.api.service.resources[resource].name),
            PathIdKind::Search => "The id of the search.".to_owned(),
            PathIdKind::Command => "The id of the command: a new UUID that the client makes.".to_owned(),
        };
        let schema = self.schemas.parameter(&ValueType::Scalar(&Type::Uuid));
        let parameter = object([
            ("name", id.name.as_str().into()),
            ("in", "path".into()),
            ("required", true.into()),
            ("description", description.into()),
            ("schema", schema),
            ("example", EXAMPLE_ID.into()),
        ]);
        let parameter = match id.kind {
            PathIdKind::Entity(resource) => {
                parameter.with("x-resource", self.api.service.resources[resource].name.as_str())
            }
            PathIdKind::Search | PathIdKind::Command => parameter,
        };
        self.parameters.share(&[names::pascal(&id.name)], parameter)
    }

    pub(super) fn query_and_headers(&mut self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> Vec<JsonTree> {
        let kept: Vec<_> = operation.query.iter().filter(|parameter| self.has(&parameter.versions)).collect();
        let mut all: Vec<_> = kept.into_iter().map(|parameter| self.query(path, operation, parameter)).collect();
        let is_listed = |header: &RequestHeader| COMMON_REQUEST_HEADERS.contains(header);
        let headers =
            operation.headers.iter().filter(|header| !IMPLIED_HEADERS.contains(&header.name) && !is_listed(header));
        all.extend(headers.map(|header| self.header_parameter(header)));
        all
    }

    fn header_parameter(&mut self, header: &RequestHeader) -> JsonTree {
        let parameter = object([
            ("name", header.name.into()),
            ("in", "header".into()),
            ("required", header.is_required.into()),
            ("description", header.meaning.into()),
            ("schema", object([("type", "string".into())])),
        ]);
        self.parameters.share(&[names::pascal(header.name)], parameter)
    }

    pub(super) fn query(
        &mut self,
        path: &PathItem<'_>,
        operation: &HttpOperation<'_>,
        parameter: &QueryParameter<'_>,
    ) -> JsonTree {
        let (schema, description) = self.values(&parameter.kind);
        let is_partial = !parameter.versions.is_empty() && parameter.versions != operation.versions;
        let versions = texts(parameter.versions.iter().map(ToString::to_string));
        let description = if is_partial && self.only.is_none() {
            let versions: Vec<_> = parameter.versions.iter().map(ToString::to_string).collect();
            format!("{description} Only in {}.", versions.join(", "))
        } else {
            description
        };
        let tree = object([("name", parameter.name.as_str().into()), ("in", "query".into())]);
        let tree = tree.with("description", description);
        let tree = if parameter.is_repeatable {
            let list = object([("type", "array".into()), ("items", schema)]);
            tree.with("style", "form").with("explode", true).with("schema", list)
        } else {
            tree.with("schema", schema)
        };
        let tree = if is_partial && self.only.is_none() { tree.with("x-versions", versions) } else { tree };
        let tree = match &parameter.kind {
            ParameterKind::Sort(fields) => tree.with("x-sortable", texts(self.kept(fields))),
            _ => tree,
        };
        let tree = deprecated(tree, parameter.deprecation);
        let is_special = is_partial && self.only.is_none() || parameter.deprecation.is_some();
        match (&parameter.kind, path.subject) {
            (kind, _) if is_shared(kind) => self.parameters.share(&[shared_name(parameter)], tree),
            // equal filters of all resources are one
            (ParameterKind::Filter { value, .. }, _) if !is_special => {
                self.parameters.share_repeated(&[format!("{}.{}", parameter.name, type_name(value))], tree)
            }
            (_, PathSubject::Resource { resource, target }) => {
                self.parameters.share_repeated(&self.names_in_resource(resource, target, &parameter.name), tree)
            }
            (_, PathSubject::System(_)) => tree,
        }
    }

    /// What a parameter is called that operations of a resource share: `Offer.sort`; where another one of the resource
    /// has that name, after the view as well: `Offer.sale.sort`. The lists of all commands have the same parameters:
    /// `command.sort`.
    fn names_in_resource(&self, resource: usize, target: Target, name: &str) -> Vec<String> {
        let resource = &self.api.service.resources[resource];
        let own = || format!("{}.{name}", resource.name);
        let of = |part: &str| format!("{}.{part}.{name}", resource.name);
        match target {
            Target::Collection { view: None } | Target::Entity { view: None } => vec![own()],
            Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
                vec![own(), of(&resource.views[view].name)]
            }
            Target::Scoped { field } => vec![own(), of(&resource.fields[field].name)],
            Target::Searches | Target::Search => vec![of("search")],
            Target::Commands { .. } => vec![format!("command.{name}")],
            Target::Command { command } => vec![of(&resource.commands[command].name)],
        }
    }

    /// The schema of one value, and what the parameter does.
    fn values(&mut self, kind: &ParameterKind<'_>) -> (JsonTree, String) {
        let integer = |maximum: u32, default: u32| {
            object([
                ("type", "integer".into()),
                ("format", "int64".into()),
                ("minimum", 0_u32.into()),
                ("maximum", maximum.into()),
                ("default", default.into()),
            ])
        };
        let text = || object([("type", "string".into())]);
        match kind {
            ParameterKind::Filter { operator, value, .. } => {
                let takes_empty = match operator {
                    FilterOperator::Equal => true,
                    FilterOperator::Match(it) => !it.is_of_texts(),
                    FilterOperator::Bound(_) => false,
                };
                let schema =
                    if takes_empty { self.schemas.value_or_empty(value) } else { self.schemas.parameter(value) };
                (schema, wording::filter(*operator).to_owned())
            }
            ParameterKind::Sort(fields) => {
                let announced = fields.iter().filter_map(|it| Some((it.name.as_str(), it.deprecation?)));
                let fields: Vec<_> = self.kept(fields).collect();
                let one =
                    format!("-?({})", fields.iter().map(|name| name.replace('.', "\\.")).collect::<Vec<_>>().join("|"));
                let description = "Fields, separated by commas; `-` before a field: descending.";
                let going = announced.map(|(name, notice)| goes_away(name, notice));
                let description = std::iter::once(description.to_owned()).chain(going).collect::<Vec<_>>().join(" ");
                (text().with("pattern", format!("^{one}(,{one})*$")), description)
            }
            ParameterKind::Limit { default, maximum } => {
                (integer(*maximum, *default), "The greatest number of entities.".to_owned())
            }
            ParameterKind::Offset { maximum } => {
                (integer(*maximum, 0), "The number of entities before the first one.".to_owned())
            }
            ParameterKind::SearchId => (
                self.schemas.parameter(&ValueType::Scalar(&Type::Uuid)),
                "The id of a search, whose criteria must hold. Filters cannot be beside it.".to_owned(),
            ),
            ParameterKind::DryRun => (
                object([("type", "boolean".into()), ("default", false.into())]),
                "Checks everything and writes nothing: 204 if the request is valid.".to_owned(),
            ),
            ParameterKind::Include(fields) => (
                text().with("enum", texts(self.kept(fields))),
                "Only with `dryRun=true`: only this field and what is under it is checked.".to_owned(),
            ),
            ParameterKind::EventResource(names) => {
                (text().with("enum", texts(names.iter().map(String::as_str))), "Events of these resources.".to_owned())
            }
            ParameterKind::EventType(types) => {
                (text().with("enum", texts(types.iter().map(String::as_str))), "Events of these types.".to_owned())
            }
        }
    }

    fn kept<'n>(&self, names: &'n [VersionedName]) -> impl Iterator<Item = &'n str> {
        let only = self.only;
        let has = move |name: &&VersionedName| {
            only.is_none_or(|only| name.versions.is_empty() || name.versions.contains(&only))
        };
        names.iter().filter(has).map(|name| name.name.as_str())
    }
}

/// Headers that requests have, whatever the operation.
pub(super) fn listed_headers(headers: &[RequestHeader]) -> JsonTree {
    JsonTree::Object(headers.iter().map(|header| (header.name.to_owned(), described_header(header))).collect())
}

fn described_header(header: &RequestHeader) -> JsonTree {
    object([
        ("required", header.is_required.into()),
        ("description", header.meaning.into()),
        ("schema", object([("type", "string".into())])),
    ])
}

/// The name of a parameter that operations share. That of a search's id is not the id in a search's path.
fn shared_name(parameter: &QueryParameter<'_>) -> String {
    let name = names::pascal(&parameter.name.replace('.', "-"));
    if parameter.kind == ParameterKind::SearchId { format!("By{name}") } else { name }
}

/// Whether a parameter is the same with every resource.
fn is_shared(kind: &ParameterKind<'_>) -> bool {
    match kind {
        ParameterKind::Filter { field, .. } => COMMON_FIELDS.contains(&field.as_str()),
        ParameterKind::Limit { .. }
        | ParameterKind::Offset { .. }
        | ParameterKind::SearchId
        | ParameterKind::DryRun => true,
        ParameterKind::Sort(_)
        | ParameterKind::Include(_)
        | ParameterKind::EventResource(_)
        | ParameterKind::EventType(_) => false,
    }
}
