//! Sample data: what a new database of an example starts with, through the same checks as requests.

mod search;
mod states;

pub(crate) use search::create_from_model;

use crate::etag::Preconditions;
use crate::logic::defaults::{self, Creation};
use crate::observe::trace::Trace;
use crate::plan::permission::Permit;
use crate::plan::viewer::Viewer;
use crate::plan::{IndexedBy, ResourceIndex};
use crate::serve::Engine;
use crate::store::{Change, ChangeKind, Refusal, RepresentationId, StoreError};
use restwell_model::input::{Body, Malformed, Reading};
use restwell_model::{Problem, Value};
use serde::Deserialize;
use std::fmt;
use uuid::Uuid;

#[derive(Deserialize)]
struct SampleEntry {
    resource: String,
    #[serde(default)]
    id: Option<Uuid>,
    body: serde_json::Value,
}

/// Creates the entities of a JSON array of `{"resource": "users", "id": "…", "body": {…}}`, in order. One that the
/// model refuses is left out and reported.
pub(crate) async fn create(engine: &Engine, text: &str) -> Result<usize, String> {
    Ok(create_all(engine, &entries(text)?).await)
}

/// The same where each of them must be taken.
pub(crate) async fn create_strictly(engine: &Engine, text: &str) -> Result<(), String> {
    for entry in entries(text)? {
        create_one(engine, &entry).await.map_err(|refused| format!("an entity of {}: {refused}", entry.resource))?;
    }
    Ok(())
}

fn entries(text: &str) -> Result<Vec<SampleEntry>, String> {
    serde_json::from_str(text).map_err(|error| format!("the sample data: {error}"))
}

async fn create_all(engine: &Engine, entries: &[SampleEntry]) -> usize {
    let mut created = 0;
    for entry in entries {
        match create_one(engine, entry).await {
            Ok(()) => created += 1,
            Err(refused) => {
                let reason = refused.to_string();
                tracing::warn!(resource = entry.resource, reason, "an entity of the sample data was left out");
            }
        }
    }
    created
}

/// Why an entity was not created.
#[derive(Debug)]
enum NotCreated {
    /// Its values break these rules.
    Invalid(Vec<Problem>),
    /// Others would be refused as well.
    Failed(String),
}

impl fmt::Display for NotCreated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problems) => f.write_str(&message(problems)),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

async fn create_one(engine: &Engine, entry: &SampleEntry) -> Result<(), NotCreated> {
    let path = format!("/{}", entry.resource);
    let found = engine.plans.resources.indexed().find(|(_, plan)| plan.path == path);
    let (resource, _) = found.ok_or_else(|| NotCreated::Failed("there is no such resource".to_owned()))?;
    create_entity(engine, resource, entry.id.unwrap_or_else(Uuid::now_v7), &entry.body).await
}

/// Creates an entity through the checks of requests.
async fn create_entity(
    engine: &Engine,
    resource: ResourceIndex,
    id: Uuid,
    body: &serde_json::Value,
) -> Result<(), NotCreated> {
    let plan = &engine.plans.resources[resource];
    let at = RepresentationId::canonical(resource);
    let shape = &engine.plans.representation(at).shape;
    let read = shape.read(body.to_string().as_bytes(), Reading::Create, &[]);
    let Body { value, problems, .. } = read.map_err(|Malformed(reason)| NotCreated::Failed(reason))?;
    if !problems.is_empty() {
        return Err(NotCreated::Invalid(problems));
    }
    let failed = |error: StoreError| NotCreated::Failed(error.to_string());
    let omitted = plan.omitted_defaults(&value);
    let mut value = shape.complete(value);
    let creation = Creation { id, now: engine.clock.now().millis(), caller: None };
    let read = |read| async { engine.store.look(read, Vec::new()).await };
    // what only a caller could give stays null
    defaults::fill(&engine.plans, (plan, &omitted), creation, &mut value, read).await.map_err(failed)?;
    // hashes cost much: they are made for what is taken
    if !plan.secrets.is_empty() {
        write(engine, (at, creation), value.clone(), true).await?;
        let hashed = engine.change_runner.hasher().replace(&plan.secrets, &mut value).await;
        hashed.map_err(|error| NotCreated::Failed(error.to_string()))?;
    }
    write(engine, (at, creation), value, false).await
}

async fn write(
    engine: &Engine,
    (at, creation): (RepresentationId, Creation<'_>),
    value: Value,
    is_dry_run: bool,
) -> Result<(), NotCreated> {
    let change = Change {
        at,
        id: creation.id,
        now: creation.now,
        permit: Permit::All,
        viewer: Viewer::Everything,
        preconditions: Preconditions::default(),
        is_dry_run,
        trace: Trace::new(),
        author: None,
        faulty: Vec::new(),
        given: Vec::new(),
        is_transition: false,
        kind: ChangeKind::Create(value),
    };
    match engine.store.write(change).await {
        Ok(_) => Ok(()),
        Err(Refusal::Invalid(problems)) => Err(NotCreated::Invalid(problems)),
        Err(Refusal::Failed(error)) => Err(NotCreated::Failed(error.to_string())),
        Err(_) => Err(NotCreated::Failed("it was refused".to_owned())),
    }
}

fn message(problems: &[Problem]) -> String {
    let text = |problem: &Problem| format!("{} {}", problem.path.as_deref().unwrap_or_default(), problem.message());
    problems.iter().map(text).collect::<Vec<_>>().join("; ")
}
