//! PATCH (§4.2): the operations of RFC 6902 are applied to a copy of what GET shows, and the result is treated as a
//! PUT's body.
//!
//! The copy is read before the transaction, and the write succeeds only if the entity is unchanged; otherwise all of it
//! is repeated. So no change is lost, and concurrent patches have the effect of one after the other.

mod document;
mod measure;
mod operations;

use super::Admitted;
use super::body::{ReceivedBody, SMALL_WORK_BYTES};
use super::caller;
use super::changes::ChangeRequest;
use super::failure::Failure;
use super::operations::ServeResult;
use super::response_meta::ResponseMeta;
use super::secrets::Hashes;
use crate::backoff;
use crate::etag::Tags;
use crate::plan::Plans;
use crate::store::{ChangeKind, Entity, Refusal, RepresentationId};
use document::{Document, MAX_PATCH_WORK};
use operations::Operation;
use restwell_model::input::{Body, Malformed, Shape, well_formed};
use restwell_model::{Deprecation, ErrorCode, Problem, Value};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How often a patch is retried because others changed the entity meanwhile: 503 `Unavailable` beyond. All attempts
/// together may cost [`MAX_PATCH_WORK`]; then there are no more.
const TRIES: u32 = 50;
/// The longest pause before the second attempt; each further one may be longer by as much. Pauses are random, so that
/// concurrent patches do not conflict again.
const PAUSE: Duration = Duration::from_millis(2);

/// The operations of a patch, or all that is wrong with them.
type Operations = Result<Arc<[Operation]>, Vec<Problem>>;

/// A patched entity, read as a PUT's body.
struct Patched {
    value: Value,
    problems: Vec<Problem>,
    /// Whether anything that was touched, and is not null now, is going away.
    deprecation: Option<Deprecation>,
    /// What it cost.
    work: usize,
}

impl Admitted<'_> {
    /// PATCH on an entity.
    pub(super) async fn patch(&self, id: Uuid, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        let operations = self.read_patch(body).await?;
        let (mut known, mut work): (Option<Tags>, usize) = (None, 0);
        let mut hashes = Hashes::default();
        for tries in 1..=TRIES {
            let entity = self.find_in(self.body_at, id).await?;
            let tags = Tags::These(vec![self.read().tag(&entity.body)]);
            // it is unchanged: so it does not meet the client's own preconditions
            if known.as_ref() == Some(&tags) {
                return Err(Failure::new(ErrorCode::PreconditionFailed));
            }
            let permit = caller::permit(&self.permission)?;
            let patched = match &operations {
                Ok(operations) => self.apply(entity, operations, body.is_small()).await?,
                Err(problems) => Err(problems.clone()),
            };
            let patched = patched.map_err(|problems| self.refused(problems))?;
            meta.uses(patched.deprecation);
            work += patched.work;
            let (now, unchanged, given) = (self.now(), Some(tags.clone()), Vec::new());
            let request = ChangeRequest { id, now, permit, unchanged, given, hashes: &mut hashes };
            match self.change(request, ChangeKind::Update(patched.value), patched.problems).await {
                Err(failure) if failure.is(ErrorCode::PreconditionFailed) && work <= MAX_PATCH_WORK => {
                    known = Some(tags);
                    tokio::time::sleep(backoff::full_jitter(PAUSE * tries)).await;
                }
                Err(failure) if failure.is(ErrorCode::PreconditionFailed) => break,
                outcome => return self.updated(outcome?),
            }
        }
        Err(Refusal::Conflict.into())
    }

    /// PUT of a body that has two values for a field, under its two names: as with PATCH, what is stored is read first,
    /// and the write succeeds only if it is unchanged.
    pub(super) async fn update_beside(&self, id: Uuid, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        let (mut known, mut hashes): (Option<Tags>, _) = (None, Hashes::default());
        for tries in 1..=TRIES {
            let entity = self.find_in(self.body_at, id).await?;
            let tags = Tags::These(vec![self.read().tag(&entity.body)]);
            // it is unchanged: so it does not meet the client's own preconditions
            if known.as_ref() == Some(&tags) {
                return Err(Failure::new(ErrorCode::PreconditionFailed));
            }
            let permit = caller::permit(&self.permission)?;
            let Body { value, problems, deprecation, .. } = self.read_beside(body, entity).await?;
            meta.uses(deprecation);
            let (now, unchanged, given) = (self.now(), Some(tags.clone()), Vec::new());
            let request = ChangeRequest { id, now, permit, unchanged, given, hashes: &mut hashes };
            match self.change(request, ChangeKind::Update(value), problems).await {
                Err(failure) if failure.is(ErrorCode::PreconditionFailed) => {
                    known = Some(tags);
                    tokio::time::sleep(backoff::full_jitter(PAUSE * tries)).await;
                }
                outcome => return self.updated(outcome?),
            }
        }
        Err(Refusal::Conflict.into())
    }

    /// The operations of a body.
    async fn read_patch(&self, body: &ReceivedBody) -> Result<Operations, Failure> {
        let read = |body: &[u8]| {
            well_formed(body)?;
            Ok::<_, Malformed>(operations::read(body).map(Arc::from))
        };
        if body.is_small() {
            return Ok(read(&body.bytes)?);
        }
        let bytes = body.bytes.clone();
        Ok(self.engine.offload.run(self.client, move || read(&bytes)).await??)
    }

    /// Reads a PUT's body beside what is stored.
    async fn read_beside(&self, body: &ReceivedBody, entity: Entity) -> Result<Body, Failure> {
        if body.is_small() && entity.body.len() <= SMALL_WORK_BYTES {
            return Ok(self.shape().read_beside(&body.bytes, &entity.body, false)?);
        }
        let (plans, at, bytes) = (Arc::clone(&self.engine.plans), self.body_at, body.bytes.clone());
        let work = move || shape(&plans, at).read_beside(&bytes, &entity.body, false);
        Ok(self.engine.offload.run(self.client, work).await??)
    }

    /// Does the operations to an entity.
    async fn apply(
        &self,
        entity: Entity,
        operations: &Arc<[Operation]>,
        is_small: bool,
    ) -> Result<Result<Patched, Vec<Problem>>, Failure> {
        if is_small && entity.body.len() <= SMALL_WORK_BYTES {
            return Ok(patched(shape(&self.engine.plans, self.body_at), &entity.body, operations));
        }
        let (plans, at, operations) = (Arc::clone(&self.engine.plans), self.body_at, Arc::clone(operations));
        let work = move || patched(shape(&plans, at), &entity.body, &operations);
        self.engine.offload.run(self.client, work).await
    }
}

fn shape(plans: &Plans, at: RepresentationId) -> &Shape {
    &plans.representation(at).shape
}

/// The entity with the operations done, one after the other; the first that cannot be done ends it. Its text comes with
/// it.
fn document<'a>(
    shape: &'a Shape,
    entity: &[u8],
    operations: &[Operation],
) -> Result<(Document<'a>, Vec<u8>), Vec<Problem>> {
    let mut document = Document::of(shape, entity)?;
    for (index, operation) in operations.iter().enumerate() {
        document.apply(index, operation)?;
    }
    let text = document.text(operations.len().saturating_sub(1))?;
    Ok((document, text))
}

/// What a patch makes of an entity.
fn patched(shape: &Shape, entity: &[u8], operations: &[Operation]) -> Result<Patched, Vec<Problem>> {
    let (document, text) = document(shape, entity, operations)?;
    let unreadable = |Malformed(reason)| vec![Problem::new(ErrorCode::MalformedJson).with("reason", reason)];
    let (touched, used, work) = (document.touched(), document.used(), document.work());
    // the reading takes memory, too
    drop(document);
    let touched = shape.deprecation_of_touched(&touched).map_err(unreadable)?;
    let deprecation = Deprecation::together(touched, used);
    let Body { value, problems, .. } = shape.read_beside(&text, entity, true).map_err(unreadable)?;
    Ok(Patched { value, problems, deprecation, work })
}

/// The text that a patch makes of an entity, and what is wrong with that, for fuzzers.
#[cfg(feature = "fuzzing")]
pub(super) fn fuzzed(shape: &Shape, entity: &[u8], body: &[u8]) -> Result<(Vec<u8>, Vec<Problem>), Vec<Problem>> {
    let operations = operations::read(body)?;
    let (_, text) = document(shape, entity, &operations)?;
    Ok((text, patched(shape, entity, &operations)?.problems))
}

#[cfg(test)]
mod tests;
