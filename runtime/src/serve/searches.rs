//! Searches (§2.5, §4.5): made by POST, shown by GET, used by the lists of their resource.
//!
//! A search is stored as JSON, with only what was given. To show or use it, that is read along the
//! criteria that the version, and the view, asked for has.

use super::Admitted;
use super::body::ReceivedBody;
use super::caller;
use super::changes::no_content;
use super::failure::Failure;
use super::operations::ServeResult;
use super::parameters::DryRun;
use super::response_meta::ResponseMeta;
use crate::limits::{Limiter, Quota};
use crate::plan::VersionIndex;
use crate::plan::criteria;
use crate::plan::field_access::FieldAccess;
use crate::plan::query::Query;
use crate::store::{Entity, NewSearch, StoredSearch};
use restwell_model::api::{LIMIT, OFFSET, SEARCH_ID};
use restwell_model::input::{Criteria, MAX_PROBLEMS, Search};
use restwell_model::{ErrorCode, Problem};
use std::num::NonZeroU32;
use std::sync::Arc;
use uuid::Uuid;

/// Bytes of JSON that a stored search may have: 413 `BodyTooLarge` beyond.
const MAX_SEARCH_BYTES: usize = 64 * 1024;
/// Searches that a client may create in a day, all of them at once or one by one: 429 `RateLimited` beyond.
const SEARCH_RATE: Quota = Quota::per_day(NonZeroU32::new(10_000).expect("it is not zero"));

/// What counts the searches that clients create.
pub(crate) fn search_limiter() -> Limiter {
    Limiter::local(SEARCH_RATE)
}

impl Admitted<'_> {
    /// POST of a search.
    pub(super) async fn create_search(&self, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        let criteria = self.criteria(self.body_at.version)?;
        let search = self.read_search(body, criteria).await?;
        meta.uses(search.deprecation);
        caller::permit(&self.permission)?;
        let (dry_run, mut problems) = DryRun::read(&self.query, |path| criteria.has(path));
        problems.extend(search.problems.iter().filter(|problem| dry_run.covers(problem)).cloned());
        if !problems.is_empty() {
            problems.truncate(MAX_PROBLEMS);
            return Err(Failure::invalid(problems));
        }
        let data = criteria::kept(criteria, &search);
        if data.len() > MAX_SEARCH_BYTES {
            return Err(Problem::new(ErrorCode::BodyTooLarge).with("maxBytes", MAX_SEARCH_BYTES).into());
        }
        if dry_run.is_asked {
            return Ok(no_content());
        }
        let allowance = self.engine.searches.take(self.client).await;
        if !allowance.is_allowed {
            return Err(Failure::too_many(allowance.wait));
        }
        let stored = StoredSearch {
            id: self.engine.ids.entity(),
            resource: self.plan.stored_names.of(self.operation.former.resource).to_owned(),
            version: self.representation().version.to_string(),
            created_at: self.engine.clock.now().millis(),
            creator: self.caller.as_ref().map(|caller| caller.id),
            data,
        };
        let shown = self.shown(&stored, self.at.version)?;
        // for as long again as it can be used, it says that it has expired
        let forgotten = stored.created_at.saturating_sub(self.ttl().saturating_mul(2));
        let new = NewSearch { search: stored, share: self.client.stored_name(), forgotten };
        self.engine.store.create_search(new).await?;
        self.created(&self.operation.home, shown)
    }

    /// Reads the body of a search.
    async fn read_search(&self, body: &ReceivedBody, criteria: &Criteria) -> Result<Search, Failure> {
        if body.is_small() {
            return Ok(criteria.read(&body.bytes)?);
        }
        let (plans, at, bytes) = (Arc::clone(&self.engine.plans), self.body_at, body.bytes.clone());
        let work = move || plans.resources[at.resource].search(at.version).map(|criteria| criteria.read(&bytes));
        let read = self.engine.offload.run(self.client, work).await?;
        Ok(read.ok_or_else(|| Failure::new(ErrorCode::InternalError))??)
    }

    /// GET of a search.
    pub(super) async fn get_search(&self, id: Uuid) -> ServeResult {
        let stored = self.stored(id).await?.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        caller::permit(&self.permission)?;
        let shown = self.shown(&stored, self.at.version)?;
        let mut others = Vec::new();
        if self.asks_for_tags() {
            for version in self.other_versions() {
                others.push((version, self.shown(&stored, version)?.body));
            }
        }
        self.found(shown, &others)
    }

    /// Restricts a list to what a search asks for, and answers what is wrong with that, such as criteria of fields that
    /// the caller never sees. Where the list says nothing of paging, the search does.
    pub(super) async fn use_search(
        &self,
        id: Uuid,
        never_seen: &[&FieldAccess],
        query: &mut Query,
    ) -> Result<Vec<Problem>, Failure> {
        let searchable = self.representation().searchable.as_ref();
        let (Some(stored), Some(searchable)) = (self.stored(id).await?, searchable) else {
            return Ok(vec![Problem::at(ErrorCode::NotFound, SEARCH_ID)]);
        };
        let search = read(&searchable.criteria, &stored)?;
        query.uses(search.deprecation);
        searchable.apply(&search, query);
        let says = |name: &str| self.query.parameters.iter().any(|(given, _)| given == name);
        if let Some(limit) = search.limit.filter(|_| !says(LIMIT)) {
            query.limit = limit;
        }
        if let Some(offset) = search.offset.filter(|_| !says(OFFSET)) {
            query.offset = offset;
        }
        // what is never seen is like what is not there
        let is_given = |name: &str| {
            let criteria = searchable.criteria.iter().zip(&search.conditions);
            criteria.into_iter().any(|(criterion, test)| criterion.name() == name && test.is_given())
        };
        let hidden = never_seen.iter().filter(|field| is_given(&field.name));
        let hidden: Vec<_> = hidden.map(|field| Problem::at(ErrorCode::UnknownParameter, &field.name)).collect();
        Ok(search.problems.into_iter().map(of_parameter).chain(hidden).collect())
    }

    /// The search with this id: none, or 410 once it has expired.
    async fn stored(&self, id: Uuid) -> Result<Option<StoredSearch>, Failure> {
        let stored = self.engine.store.search(id).await?;
        let stored = stored.filter(|stored| self.plan.stored_names.contains(&stored.resource));
        let age = |stored: &StoredSearch| self.engine.clock.now().millis().saturating_sub(stored.created_at);
        match stored {
            Some(stored) if age(&stored) > self.ttl() => Err(Failure::new(ErrorCode::SearchExpired)),
            stored => Ok(stored),
        }
    }

    /// A search in a version, which may lack some of its criteria.
    fn shown(&self, stored: &StoredSearch, version: VersionIndex) -> Result<Entity, Failure> {
        let criteria = self.criteria(version)?;
        let search = read(criteria, stored)?;
        let mut body = Vec::new();
        criteria::write_search(stored.id, stored.created_at, criteria, &search, &mut body);
        Ok(Entity { id: stored.id, owner: None, body })
    }

    fn criteria(&self, version: VersionIndex) -> Result<&Criteria, Failure> {
        self.plan.search(version).ok_or_else(|| Failure::new(ErrorCode::InternalError))
    }

    /// How long a search can be used, in milliseconds.
    fn ttl(&self) -> i64 {
        i64::try_from(self.engine.search_ttl.as_millis()).unwrap_or(i64::MAX)
    }
}

fn read(criteria: &Criteria, stored: &StoredSearch) -> Result<Search, Failure> {
    // it was written by this service
    criteria.read(stored.data.as_bytes()).map_err(|_| Failure::new(ErrorCode::InternalError))
}

/// A list knows its criteria as parameters: one that it lacks is an unknown parameter.
fn of_parameter(problem: Problem) -> Problem {
    match problem.code {
        ErrorCode::UnknownProperty => Problem { code: ErrorCode::UnknownParameter, ..problem },
        _ => problem,
    }
}
