//! The parameters of query strings (§4.3 to §4.6). A parameter that an operation does not have is 422
//! `UnknownParameter`.

use super::filters::{self, FilterField, filter_fields};
use super::operation::Call;
use super::schemas::{self, SchemaKey};
use super::values::{Property, Selection, ValueType};
use crate::check::Checked;
use crate::events::event_types;
use crate::field::{Deprecation, Match};
use crate::input::{Bound, DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET};
use crate::resource::{OperationKind, Resource, Search, Version};
use crate::routes::Action;

/// The parameter that says how many entities are before a page (§4.6).
pub const OFFSET: &str = "offset";
/// The parameter that says how many entities a page may have (§4.6).
pub const LIMIT: &str = "limit";
/// The parameter that orders a collection (§4.6).
pub const SORT: &str = "sort";
/// The parameter that names a search (§4.5).
pub const SEARCH_ID: &str = "search.id";
/// The parameter of a change that is only checked (§4.3).
pub const DRY_RUN: &str = "dryRun";
/// The parameter that selects the fields that a dry run checks (§4.3).
pub const INCLUDE: &str = "include";

/// A parameter of a query string.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryParameter<'a> {
    /// As in the query string: `buyNow.amount.gte`.
    pub name: String,
    /// What it means, and its values.
    pub kind: ParameterKind<'a>,
    /// Whether it may be given more than once; otherwise 422 `RepeatedParameter`.
    pub is_repeatable: bool,
    /// The versions that have it; in others it is unknown. Empty: it does not depend on the version.
    pub versions: Vec<Version>,
    /// The announcement that it goes away.
    pub deprecation: Option<Deprecation>,
}

/// What a parameter means, and its values.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterKind<'a> {
    /// A condition on a field (§4.4). Conditions of different names must all hold.
    Filter {
        /// The field, dotted: `buyNow.amount`.
        field: String,
        /// How its value is compared.
        operator: FilterOperator,
        /// The type of the value. Constraints of the field do not apply. Empty means null, with
        /// [`FilterOperator::Equal`].
        value: ValueType<'a>,
    },
    /// A comma-separated list of these names, each at most once; `-` before a name means descending (§4.6). Nulls come
    /// last, ascending `id` breaks ties, and without the parameter the order is that of `id`.
    Sort(Vec<VersionedName>),
    /// How many entities a page may have (§4.6).
    Limit {
        /// Applies without the parameter, and without a `limit` in the search.
        default: u32,
        /// More is 422, as is anything but a whole number from 0.
        maximum: u32,
    },
    /// How many entities are before the page (§4.6); 0 without the parameter.
    Offset {
        /// More is 422, as is anything but a whole number from 0.
        maximum: u32,
    },
    /// The id of a stored search, whose criteria must hold. Filters beside it are 422 `SearchFiltersFixed` (§4.5).
    SearchId,
    /// `true`: everything is checked and nothing is written; 204 if the request is valid (§4.3). `false`: as without
    /// it.
    DryRun,
    /// In a dry run, only this field and what is under it are checked (§4.3). One of these names.
    Include(Vec<VersionedName>),
    /// Events of this resource, by the word of its path.
    EventResource(Vec<String>),
    /// Events of this type.
    EventType(Vec<String>),
}

/// How a filter compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterOperator {
    /// The value is equal; of repeated parameters, to any of them (§4.4.5).
    Equal,
    /// The value is within a bound (§4.4.4).
    Bound(Bound),
    /// The value is compared in a way that the field opts in to; of repeated `not`, it is none of them.
    Match(Match),
}

/// A name that some versions have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionedName {
    /// Dotted: `address.city`.
    pub name: String,
    /// The versions that have it.
    pub versions: Vec<Version>,
    /// The announcement that it goes away.
    pub deprecation: Option<Deprecation>,
}

impl FilterOperator {
    /// The word after the field's name and a dot: `gte`. Equality has none.
    #[must_use]
    pub const fn suffix(self) -> Option<&'static str> {
        match self {
            Self::Equal => None,
            Self::Bound(bound) => Some(bound.word()),
            Self::Match(matched) => Some(matched.word()),
        }
    }

    /// Whether its parameter may be given more than once.
    #[must_use]
    pub fn is_repeatable(self) -> bool {
        match self {
            Self::Equal => true,
            Self::Bound(_) => false,
            Self::Match(matched) => matched.is_repeatable(),
        }
    }
}

impl<'a> QueryParameter<'a> {
    fn new(name: &str, kind: ParameterKind<'a>) -> Self {
        Self { name: name.to_owned(), kind, is_repeatable: false, versions: Vec::new(), deprecation: None }
    }

    fn repeatable(self) -> Self {
        Self { is_repeatable: true, ..self }
    }
}

impl<'a> Call<'a> {
    pub(super) fn query(&self) -> Vec<QueryParameter<'a>> {
        match self.action {
            Action::Operation(OperationKind::List) => self.of_list(self.resource.search != Search::None),
            Action::ListCommands(_) => self.of_list(false),
            Action::Operation(OperationKind::Get) | Action::GetSearch | Action::GetCommand(_) => Vec::new(),
            Action::Operation(
                OperationKind::Create | OperationKind::Update | OperationKind::Patch | OperationKind::Delete,
            )
            | Action::CreateSearch
            | Action::PutCommand(_) => self.of_dry_run(),
        }
    }

    fn of_list(&self, has_searches: bool) -> Vec<QueryParameter<'a>> {
        let fields = self.filter_fields();
        let conditions = conditions(fields.iter().map(|(field, _)| field));
        let filters = conditions.map(|(index, operator)| filter(&fields[index].0, operator, &fields[index].1));
        let sorts = fields.iter().filter(|(field, _)| field.is_sort).map(|(field, versions)| VersionedName {
            name: field.name.clone(),
            versions: versions.clone(),
            deprecation: field.sort_deprecation,
        });
        let mut parameters: Vec<_> = filters.collect();
        parameters.push(QueryParameter::new(OFFSET, ParameterKind::Offset { maximum: MAX_OFFSET }));
        let limit = ParameterKind::Limit { default: DEFAULT_LIMIT, maximum: MAX_LIMIT };
        parameters.push(QueryParameter::new(LIMIT, limit));
        parameters.push(QueryParameter::new(SORT, ParameterKind::Sort(sorts.collect())));
        if has_searches {
            let search = QueryParameter::new(SEARCH_ID, ParameterKind::SearchId);
            parameters.push(QueryParameter { deprecation: self.resource.notices.search, ..search });
        }
        parameters
    }

    /// The fields of a list's parameters, each with the versions that have it.
    pub(super) fn filter_fields(&self) -> Vec<(FilterField<'a>, Vec<Version>)> {
        let versions = self.resource.versions_by_preference();
        if matches!(self.action, Action::ListCommands(_)) {
            return filters::command_filter_fields().into_iter().map(|field| (field, versions.clone())).collect();
        }
        let of = |version: &Version| filter_fields(self.service, self.resource, *version, self.view());
        let by_version: Vec<_> = versions.iter().map(of).collect();
        let within = Some((self.resource.versions.as_slice(), self.view()));
        let all = filters::fields(Selection { service: self.service, within }, self.resource).into_iter();
        let known = all.map(|field| {
            let has = |fields: &Vec<FilterField<'_>>| fields.iter().any(|known| known.name == field.name);
            let versions = versions.iter().zip(&by_version).filter(|(_, fields)| has(fields));
            let versions = versions.map(|(version, _)| *version).collect::<Vec<_>>();
            (field, versions)
        });
        known.filter(|(_, versions)| !versions.is_empty()).collect()
    }

    /// The parameters of every operation that changes something (§4.3). A command without input has nothing to include.
    fn of_dry_run(&self) -> Vec<QueryParameter<'a>> {
        let mut parameters = vec![QueryParameter::new(DRY_RUN, ParameterKind::DryRun)];
        let included = self.included();
        if !included.is_empty() {
            parameters.push(QueryParameter::new(INCLUDE, ParameterKind::Include(included)).repeatable());
        }
        parameters
    }

    /// The names that `include` takes: the properties of the body, at any depth; of a DELETE and a PATCH, which have
    /// none, those of the entity in a PUT.
    fn included(&self) -> Vec<VersionedName> {
        let mut names: Vec<VersionedName> = Vec::new();
        let mut versions = self.resource.versions_by_preference();
        if !self.negotiates() {
            versions.truncate(1);
        }
        for version in versions {
            let replacement = SchemaKey::Replacement(self.representation(version));
            let key = match self.action {
                Action::CreateSearch => SchemaKey::Criteria { resource: self.index, version },
                Action::PutCommand(command) => SchemaKey::CommandInput { resource: self.index, command },
                Action::Operation(_) | Action::GetSearch | Action::GetCommand(_) | Action::ListCommands(_) => {
                    replacement
                }
            };
            let mut paths = Vec::new();
            add_paths(&schemas::build(self.service, key), "", &mut paths);
            for name in paths {
                match names.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.versions.push(version),
                    None => names.push(VersionedName { name, versions: vec![version], deprecation: None }),
                }
            }
        }
        names
    }
}

/// The conditions that a list can have on these fields, each with the field's position: equality of each field, then
/// the bounds of each, then what each opts in to. This is the order in which the parameters are suggested.
fn conditions<'f, 'a: 'f>(
    fields: impl Iterator<Item = &'f FilterField<'a>> + Clone,
) -> impl Iterator<Item = (usize, FilterOperator)> {
    let filters = fields.enumerate().filter(|(_, field)| field.is_filter);
    let equalities = filters.clone().map(|(index, _)| (index, FilterOperator::Equal));
    let bounded = filters.clone().filter(|(_, field)| field.has_bounds);
    let bounds = bounded.flat_map(|(index, _)| Bound::ALL.map(|bound| (index, FilterOperator::Bound(bound))));
    let matched =
        filters.flat_map(|(index, field)| field.matches.iter().map(move |it| (index, FilterOperator::Match(*it))));
    equalities.chain(bounds).chain(matched)
}

/// The names of the parameters of a list that has these fields, in the order in which they are suggested.
#[must_use]
pub fn list_parameters(fields: &[FilterField<'_>], has_searches: bool) -> Vec<String> {
    let filters = conditions(fields.iter()).map(|(index, operator)| filter_name(&fields[index], operator));
    let others = [OFFSET, LIMIT, SORT].into_iter().chain(has_searches.then_some(SEARCH_ID));
    filters.chain(others.map(str::to_owned)).collect()
}

fn filter_name(field: &FilterField<'_>, operator: FilterOperator) -> String {
    let suffix = operator.suffix().map(|suffix| format!(".{suffix}"));
    format!("{}{}", field.name, suffix.unwrap_or_default())
}

fn filter<'a>(field: &FilterField<'a>, operator: FilterOperator, versions: &[Version]) -> QueryParameter<'a> {
    QueryParameter {
        name: filter_name(field, operator),
        kind: ParameterKind::Filter { field: field.name.clone(), operator, value: field.value.clone() },
        is_repeatable: operator.is_repeatable(),
        versions: versions.to_vec(),
        deprecation: field.deprecation,
    }
}

/// The dotted names of the properties in a value, without the indexes of arrays. A search's own `id` and times have
/// none.
fn add_paths(value: &ValueType<'_>, prefix: &str, paths: &mut Vec<String>) {
    let mut add = |properties: &[Property<'_>]| {
        let is_common = |property: &Property<'_>| property.is_ignored && property.field.is_none();
        for property in properties.iter().filter(|property| !is_common(property)) {
            let path = format!("{prefix}{}", property.name);
            let inner = format!("{path}.");
            paths.push(path);
            add_paths(&property.value, &inner, paths);
        }
    };
    match value {
        ValueType::Object { properties, .. } | ValueType::Reference { properties, .. } => add(properties),
        ValueType::Price(_) => add(&super::values::price_members()),
        ValueType::Array { items, .. } => add_paths(items, prefix, paths),
        // its names are those that clients choose
        ValueType::Map { .. }
        | ValueType::Scalar(_)
        | ValueType::Enum(_)
        | ValueType::Words(_)
        | ValueType::Amount
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => {}
    }
}

/// The parameters of `GET /events`; of several values of one, any may match.
pub(super) fn of_events(service: &Checked) -> Vec<QueryParameter<'_>> {
    let resources = service.resources.iter().flat_map(Resource::plurals).collect();
    let types = service.resources.iter().flat_map(|resource| event_types(service, resource)).collect();
    vec![
        QueryParameter::new("resource", ParameterKind::EventResource(resources)).repeatable(),
        QueryParameter::new("type", ParameterKind::EventType(types)).repeatable(),
    ]
}
