//! `restwell dev`: a service whose model changes while it is served.

use super::current_engine::CurrentEngine;
use super::interpreted::ProgramOptions;
use super::serving::{EngineOpener, serve_changing};
use crate::migrations::DatabaseState;
use crate::program_name::set_program_name;
use crate::service::{self, Builder, Interpreted, ServiceDefinition};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Serves an interpreted service, and each next one from when it comes, in its place. `told` gets what became of it:
/// how long it took, or why the one before goes on.
///
/// # Errors
///
/// A sentence for people: the first one cannot be served.
pub fn serve_in_development(
    first: Interpreted,
    options: &ProgramOptions,
    program: &str,
    changes: Receiver<Interpreted>,
    told: impl Fn(Result<std::time::Duration, String>) + Send + 'static,
) -> Result<(), String> {
    set_program_name(program);
    let last = Mutex::new(first.clone());
    serve_changing(Builder::interpreted(first), options.serving(), move |current, opener| {
        while let Ok(next) = changes.recv() {
            let started = Instant::now();
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let done = change(&current, &opener, &last, &next);
            if done.is_ok() {
                *last = next;
            }
            told(done.map(|()| started.elapsed()));
        }
    })
}

fn change(
    current: &Arc<CurrentEngine>,
    opener: &EngineOpener,
    last: &Interpreted,
    next: &Interpreted,
) -> Result<(), String> {
    let definition = |it: &Interpreted| service::check(Builder::interpreted(it.clone()));
    let (before, now) = (definition(last)?, definition(next)?);
    check_rows(opener, &now)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    runtime.block_on(current.change(|| opener.open(now), || opener.open(before)))
}

/// Whether the rows can be brought along, before anything ends.
fn check_rows(opener: &EngineOpener, service: &ServiceDefinition) -> Result<(), String> {
    match opener.database(service)?.find(&service.goal())? {
        DatabaseState::Empty | DatabaseState::UpToDate | DatabaseState::Behind(_) => Ok(()),
    }
}
