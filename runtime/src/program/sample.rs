//! Sample data: what a new database of an example starts with, through the same checks as requests.

use crate::etag::Preconditions;
use crate::logic::defaults::{self, Creation};
use crate::observe::trace::Trace;
use crate::plan::IndexedBy;
use crate::plan::permission::Permit;
use crate::plan::viewer::Viewer;
use crate::serve::Engine;
use crate::store::{Change, ChangeKind, Refusal, RepresentationId};
use restwell_model::Problem;
use restwell_model::input::{Body, Malformed, Reading};
use serde::Deserialize;
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
        create_one(engine, &entry).await.map_err(|reason| format!("an entity of {}: {reason}", entry.resource))?;
    }
    Ok(())
}

fn entries(text: &str) -> Result<Vec<SampleEntry>, String> {
    serde_json::from_str(text).map_err(|error| format!("the sample data: {error}"))
}

/// Creates at most this number of entities of each resource, with values that the model's types suggest.
pub(crate) async fn create_from_model(engine: &Engine, each: usize) -> Result<usize, String> {
    let entities = restwell_model::sample::entities(&engine.plans.service, each, Uuid::now_v7).into_iter();
    let entries = entities.map(|it| SampleEntry { resource: it.resource, id: Some(it.id), body: it.body });
    Ok(create_all(engine, &entries.collect::<Vec<_>>()).await)
}

async fn create_all(engine: &Engine, entries: &[SampleEntry]) -> usize {
    let mut created = 0;
    for entry in entries {
        match create_one(engine, entry).await {
            Ok(()) => created += 1,
            Err(reason) => {
                tracing::warn!(resource = entry.resource, reason, "an entity of the sample data was left out");
            }
        }
    }
    created
}

async fn create_one(engine: &Engine, entry: &SampleEntry) -> Result<(), String> {
    let path = format!("/{}", entry.resource);
    let (resource, plan) = engine
        .plans
        .resources
        .indexed()
        .find(|(_, plan)| plan.path == path)
        .ok_or_else(|| "there is no such resource".to_owned())?;
    let at = RepresentationId::canonical(resource);
    let shape = &engine.plans.representation(at).shape;
    let read = shape.read(entry.body.to_string().as_bytes(), Reading::Create, &[]);
    let Body { value, problems, .. } = read.map_err(|Malformed(reason)| reason)?;
    if !problems.is_empty() {
        return Err(message(&problems));
    }
    let omitted = plan.omitted_defaults(&value);
    let mut value = shape.complete(value);
    let id = entry.id.unwrap_or_else(Uuid::now_v7);
    let creation = Creation { id, now: engine.clock.now().millis(), caller: None };
    let read = |read| async { engine.store.look(read, Vec::new()).await };
    // what only a caller could give stays null
    let filled = defaults::fill(&engine.plans, (plan, &omitted), creation, &mut value, read).await;
    filled.map_err(|error| error.to_string())?;
    let hashed = engine.change_runner.hasher().replace(&plan.secrets, &mut value).await;
    hashed.map_err(|error| error.to_string())?;
    let kind = ChangeKind::Create(value);
    let (now, trace) = (creation.now, Trace::new());
    let change = Change {
        at,
        id,
        now,
        permit: Permit::All,
        viewer: Viewer::Everything,
        preconditions: Preconditions::default(),
        is_dry_run: false,
        trace,
        author: None,
        faulty: Vec::new(),
        given: Vec::new(),
        is_transition: false,
        kind,
    };
    match engine.store.write(change).await {
        Ok(_) => Ok(()),
        Err(Refusal::Invalid(problems)) => Err(message(&problems)),
        Err(Refusal::Failed(error)) => Err(error.to_string()),
        Err(_) => Err("it was refused".to_owned()),
    }
}

fn message(problems: &[Problem]) -> String {
    let text = |problem: &Problem| format!("{} {}", problem.path.as_deref().unwrap_or_default(), problem.message());
    problems.iter().map(text).collect::<Vec<_>>().join("; ")
}
