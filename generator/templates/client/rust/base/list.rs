//! Pages of a collection, and the walk over all of it (§4.4 to §4.6).

use super::commands::CommandStatus;
use std::borrow::Cow;
use std::fmt::Display;
use uuid::Uuid;

/// Entities of a page of their collection: those that a query leaves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The entities, in the order that was asked for.
    pub items: Vec<T>,
    /// How many entities match, on all pages; `None` where the resource does not count.
    pub count: Option<u64>,
}

/// The parameters of a list. Typed queries (`OfferQuery`) collect them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    filters: Vec<(Cow<'static, str>, String)>,
    sort: Vec<String>,
    offset: Option<u32>,
    limit: Option<u32>,
}

/// A typed query: the parameters of one list.
pub trait ListQuery {
    /// Its parameters.
    fn into_parameters(self) -> Parameters;
}

/// How many entities a page of a walk has.
const WALK_LIMIT: u32 = 1000;

impl Parameters {
    /// One more condition.
    pub fn filter(&mut self, name: &'static str, value: impl Display) {
        self.filters.push((Cow::Borrowed(name), value.to_string()));
    }

    /// One more field to sort by: later ones order ties of earlier ones.
    pub fn sort(&mut self, name: &str, is_descending: bool) {
        self.sort.push(format!("{}{name}", if is_descending { "-" } else { "" }));
    }

    /// Where the page begins.
    pub fn offset(&mut self, offset: u32) {
        self.offset = Some(offset);
    }

    /// How many entities the page has at most.
    pub fn limit(&mut self, limit: u32) {
        self.limit = Some(limit);
    }

    /// The query string.
    pub(super) fn query_string(&self) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(&self.filters);
        if !self.sort.is_empty() {
            text.append_pair("sort", &self.sort.join(","));
        }
        for (name, number) in [("offset", self.offset), ("limit", self.limit)] {
            if let Some(number) = number {
                text.append_pair(name, &number.to_string());
            }
        }
        // a comma has no meaning of its own in a query string, and readers like it
        text.finish().replace("%2C", ",")
    }
}

/// Lists of commands: which of an entity's commands of one type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandQuery(Parameters);

impl CommandQuery {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only those that are so far; several calls match any of their values.
    #[must_use]
    pub fn status(mut self, status: CommandStatus) -> Self {
        self.0.filter("status", status);
        self
    }

    /// How many commands a page has at most.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.0.limit(limit);
        self
    }
}

impl ListQuery for CommandQuery {
    fn into_parameters(self) -> Parameters {
        self.0
    }
}

/// Where a walk is.
pub(super) struct Walk {
    parameters: Parameters,
    limit: u32,
    /// The bound that each page begins after. With an order of one's own, or a search, which takes no filter beside
    /// it, each page has an offset.
    bound: Option<&'static str>,
    is_done: bool,
}

impl Walk {
    pub(super) fn new(mut parameters: Parameters) -> Self {
        let limit = *parameters.limit.get_or_insert(WALK_LIMIT);
        let has_search = parameters.filters.iter().any(|(name, _)| name == "search.id");
        let bound = match parameters.sort.as_slice() {
            _ if has_search || parameters.offset.is_some() => None,
            [] => {
                parameters.sort("id", false);
                Some("id.gt")
            }
            [only] if only == "id" => Some("id.gt"),
            [only] if only == "-id" => Some("id.lt"),
            _ => None,
        };
        Self { parameters, limit, bound, is_done: limit == 0 }
    }

    /// The query string of the next page; `None` at the end.
    pub(super) fn next(&self) -> Option<String> {
        (!self.is_done).then(|| self.parameters.query_string())
    }

    /// Goes on after a page.
    pub(super) fn after(&mut self, length: usize, last: Option<Uuid>) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.is_done = length < self.limit;
        match (self.bound, last) {
            (Some(bound), Some(last)) => {
                self.parameters.filters.retain(|(name, _)| name != bound);
                self.parameters.filter(bound, last);
            }
            _ => self.parameters.offset = Some(self.parameters.offset.unwrap_or(0).saturating_add(length)),
        }
    }
}
