//! What reads the parts of a request, for the fuzzers of this workspace (feature `fuzzing`). No part of the interface.
//!
//! Each function calls what serving calls and returns what a fuzzer needs to judge it; nothing is decided here.

use super::failure::write_problem;
use super::negotiate::negotiate;
use super::response_meta::ResponseMeta;
use super::{compression, parameters, patch};
use crate::etag::Tags;
use crate::messages::{Messages, Reader};
use crate::observe::trace::Trace;
use crate::plan::criteria::{kept, write_search};
use crate::plan::form::{FieldForms, sequence};
use crate::plan::query::Query;
use crate::plan::{BodyNeed, Needs, Plans, Representation, ResourcePlan, VersionIndex, ViewIndex};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use restwell_model::input::{Malformed, Search, Shape};
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Problem, Value};
use uuid::Uuid;

pub use crate::auth::fuzzing::TokenChecker;
pub use crate::events::fuzzing::read_cursor;

/// A compiled service whose first resource is fuzzed, in its preferred version.
pub struct FuzzedService {
    plans: Plans,
    messages: Messages,
    fields: FieldForms,
}

/// A question to the database, and what is wrong with the request for it.
#[derive(Debug, Clone, PartialEq)]
pub struct FuzzedQuery {
    /// All that is wrong.
    pub problems: Vec<Problem>,
    /// The SQL of the ids that it is about.
    pub sql: String,
    /// How many values the SQL binds.
    pub values: usize,
    /// Entities on the page.
    pub limit: u32,
    /// Where the page begins.
    pub offset: u32,
}

/// The data of a search, and the question that it leads to.
#[derive(Debug)]
pub struct FuzzedSearch {
    /// What was read.
    pub search: Search,
    /// As it is stored.
    pub kept: String,
    /// As it is shown.
    pub shown: Vec<u8>,
    /// The list by this search.
    pub query: FuzzedQuery,
}

impl FuzzedService {
    /// Compiles a service for SQLite. The resource of this name is the one that is fuzzed.
    ///
    /// # Errors
    ///
    /// The service has no such resource, or the built-in messages do not fit it.
    pub fn new(service: Checked, resource: &str) -> Result<Self, String> {
        let messages = Messages::new(&service, &[])?;
        let resource = service.resource(resource).ok_or("no such resource")?;
        let (fields, name) = (FieldForms::of(&service, &resource.fields), resource.name.clone());
        let mut plans = Plans::compile(service, Dialect::Sqlite);
        plans.resources.retain(|plan| plan.name == name);
        Ok(Self { plans, messages, fields })
    }

    fn plan(&self) -> &ResourcePlan {
        &self.plans.resources[0]
    }

    fn shown(&self) -> &Representation {
        self.plan().view(ViewIndex::RESOURCE).in_version(VersionIndex::PREFERRED)
    }

    /// How bodies are read.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shown().shape
    }

    /// A body with these values.
    #[must_use]
    pub fn write(&self, value: &Value) -> String {
        self.fields.to_json(value)
    }

    /// The errors of an answer to a request with these headers, and the language that they are in.
    #[must_use]
    pub fn errors(&self, problems: &[Problem], headers: &HeaderMap) -> (Vec<u8>, HeaderValue) {
        let mut reader = Reader::new(&self.messages, headers, Some(&self.plan().name));
        let mut body = Vec::new();
        sequence(&mut body, b'[', b']', problems, |problem, out| write_problem(problem, &mut reader, out));
        (body, reader.content_language())
    }

    /// Reads the query string of a list: its parameters, and the question.
    #[must_use]
    pub fn query(&self, text: &str) -> (Vec<(String, String)>, FuzzedQuery) {
        let given = parameters::parse(Some(text));
        let (query, problems) = self.shown().parameters.read(&given.parameters);
        let problems = given.refuse(problems);
        let query = self.question(&query, problems);
        (given.parameters, query)
    }

    /// Reads the data of a search.
    ///
    /// # Errors
    ///
    /// It is not JSON.
    pub fn search(&self, body: &[u8]) -> Result<Option<FuzzedSearch>, Malformed> {
        let Some(searchable) = &self.shown().searchable else { return Ok(None) };
        let search = searchable.criteria.read(body)?;
        let mut query = Query::default();
        searchable.apply(&search, &mut query);
        let (kept, mut shown) = (kept(&searchable.criteria, &search), Vec::new());
        write_search(Uuid::nil(), 0, &searchable.criteria, &search, &mut shown);
        let query = self.question(&query, search.problems.clone());
        Ok(Some(FuzzedSearch { search, kept, shown, query }))
    }

    fn question(&self, query: &Query, problems: Vec<Problem>) -> FuzzedQuery {
        let table = &self.plan().table;
        let mut sql = format!("SELECT t.\"id\" FROM \"{}\" t", table.name);
        query.conditions(table, &mut sql);
        query.write_order(&query.order(), table, &mut sql);
        FuzzedQuery { problems, sql, values: query.values().count(), limit: query.limit, offset: query.offset }
    }

    /// Applies a patch to an entity: its text then, and what is wrong with that.
    ///
    /// # Errors
    ///
    /// What is wrong with the patch.
    pub fn patch(&self, entity: &[u8], body: &[u8]) -> Result<(Vec<u8>, Vec<Problem>), Vec<Problem>> {
        patch::fuzzed(self.shape(), entity, body)
    }

    /// The versions that answer: of the answer and of the body, by their media types.
    ///
    /// # Errors
    ///
    /// What is wrong with the headers.
    pub fn negotiate(&self, headers: &HeaderMap, has_body: bool) -> Result<(HeaderValue, HeaderValue), Vec<Problem>> {
        let served = self.plan().view(ViewIndex::RESOURCE);
        let needs = Needs { accept: true, body: if has_body { BodyNeed::Required } else { BodyNeed::None } };
        let mut meta = ResponseMeta::new(&self.plans.public);
        match negotiate(headers, self.plan(), served, (needs, has_body), &mut meta) {
            Ok(found) => {
                let media_type = |version| served.in_version(version).media_type.clone();
                Ok((media_type(found.version), media_type(found.body_version)))
            }
            Err(failure) => Err(failure.problems().to_vec()),
        }
    }
}

/// The entity tags that an `If-Match` names, and which of them match this tag strongly and weakly.
#[must_use]
pub fn read_tags(headers: &HeaderMap, name: HeaderName, tag: &str) -> Option<(Vec<String>, bool, bool)> {
    let tags = Tags::read(headers, name)?;
    Some((tags.given(), tags.match_strongly(tag), tags.match_weakly(tag)))
}

/// The trace that a `traceparent` continues, and as much of it as is passed on.
#[must_use]
pub fn read_trace(headers: &HeaderMap) -> Option<(Uuid, String)> {
    let trace = Trace::of(headers, Uuid::new_v4);
    Some((trace.id, trace.parent?))
}

/// Whether `Accept-Encoding` asks for gzip.
#[must_use]
pub fn asks_for_gzip(value: &HeaderValue) -> bool {
    let headers = [(header::ACCEPT_ENCODING, value.clone())].into_iter().collect();
    compression::is_asked(&headers)
}
