//! `restwell generate`.

use super::report::Report;
use super::{Failure, Generate, check, files};
use crate::compile::Before;
use crate::emit::{self, FOLDER, ZONE, emit};
use crate::history::{self, History, Next};
use crate::project::{self, Library, Starter};
use crate::zone::{self, Change, Plan, State};
use restwell_model::Checked;
use std::path::Path;

pub(super) fn run(options: &Generate, report: &Report) -> Result<(), Failure> {
    let prepared = prepare(&options.schemas, &options.out, options.allow_drop, report)?;
    if options.check {
        return compare(&prepared, &options.out, report);
    }
    carry_out(&prepared, &options.out, &Library::Registry, report)
}

/// A checked service, and what is to be written for it.
pub(super) struct Prepared {
    service: Checked,
    plan: Plan,
    /// The migrations.
    next: Next,
    /// What people begin with where commands are to be written.
    commands: Vec<Starter>,
}

/// The checked service of a folder, and what generating it would change.
pub(super) fn prepare(schemas: &Path, out: &Path, consent: bool, report: &Report) -> Result<Prepared, Failure> {
    let history = History::read(&files::read_present(&out.join(history::FOLDER))?).map_err(Failure::Other)?;
    let before = history.model.as_ref().map(|model| Before { model, consent });
    let (service, origins, messages) = check::checked(schemas, before, report)?;
    let next = history.next(&service);
    let generated =
        emit(&service, &origins, &messages, &next.names).map_err(|error| Failure::Other(error.to_string()))?;
    let commands = emit::starters(&service, &origins).map_err(|error| Failure::Other(error.to_string()))?;
    let present = files::read_present(&out.join(ZONE))?;
    Ok(Prepared { service, plan: zone::plan(&generated, &present), next, commands })
}

/// Tells what is not up to date.
fn compare(Prepared { plan, next, .. }: &Prepared, out: &Path, report: &Report) -> Result<(), Failure> {
    if plan.changes.is_empty() && next.writes.is_empty() {
        report.done("the generated code is up to date");
        return Ok(());
    }
    for change in &plan.changes {
        report.failure(&format!("{}: {}", change.state, shown(out, change)));
    }
    for path in next.writes.keys() {
        let path = out.join(history::FOLDER).join(path);
        let state = if path.exists() { State::Stale } else { State::Missing };
        report.failure(&format!("{state}: {}", path.display()));
    }
    let cure = "run `restwell generate`, and commit what it writes";
    Err(Failure::Other(format!("the generated code is not up to date: {cure}")))
}

/// Writes the generated code, and what is missing around it.
pub(super) fn carry_out(
    Prepared { service, plan, next, commands }: &Prepared,
    out: &Path,
    library: &Library,
    report: &Report,
) -> Result<(), Failure> {
    refuse(plan, out, report)?;
    // first: the generated code takes them in
    let migrations = out.join(history::FOLDER);
    files::write_all(&migrations, next.writes.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    let zone = out.join(ZONE);
    files::write_all(&zone, plan.writes.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    plan.deletions.iter().try_for_each(|path| files::delete(&zone.join(path)))?;

    let starters = project::crate_files(service, library, !commands.is_empty());
    let starters = starters.map_err(|error| Failure::Other(error.to_string()))?;
    let starters: Vec<_> = starters.into_iter().filter(|starter| !is_decided(out, starter)).collect();
    write_missing(out, &starters)?;
    begin_commands(out, commands, report)?;
    report.done(&format!("{}: {}", zone.display(), summary(plan)));
    if let Some(name) = next.names.last().filter(|_| next.writes.len() > 1) {
        report.done(&format!("{}: new; look it through, and commit it", migrations.join(name).display()));
    }
    Ok(())
}

/// Writes what is missing of the service's own commands, and says what is left to do.
fn begin_commands(out: &Path, starters: &[Starter], report: &Report) -> Result<(), Failure> {
    let root = format!("{FOLDER}/mod.rs");
    let had_root = out.join(&root).exists();
    let missing: Vec<_> = starters.iter().filter(|starter| !out.join(&starter.path).exists()).collect();
    write_missing(out, starters)?;
    for starter in missing.iter().filter(|_| had_root) {
        let module = starter.path.trim_start_matches(FOLDER).trim_matches('/').trim_end_matches(".rs");
        report.done(&format!("{} is new: add `mod {module};` to {root}", out.join(&starter.path).display()));
    }
    Ok(())
}

/// Refuses to overwrite what people wrote.
fn refuse(plan: &Plan, out: &Path, report: &Report) -> Result<(), Failure> {
    for change in plan.refused() {
        let path = shown(out, change);
        report.failure(&match change.state {
            State::Foreign => format!(
                "`{path}` was not written by the generator; move it out of {ZONE}/, where your own code lives, or delete it"
            ),
            _ => format!(
                "`{path}` was edited by hand; take the edit to your own code outside {ZONE}/, then get the file back by \
                 deleting it or by `git checkout -- {path}`, and generate again"
            ),
        });
    }
    match plan.refused().count() {
        0 => Ok(()),
        _ => Err(Failure::Other("nothing was written".to_owned())),
    }
}

/// Whether a crate is a library, a program or both is decided with its first file: what it lacks then is not wanted.
fn is_decided(out: &Path, starter: &Starter) -> bool {
    const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];
    ROOTS.contains(&starter.path.as_str()) && ROOTS.iter().any(|root| out.join(root).exists())
}

/// Writes the files that are not there yet.
pub(super) fn write_missing(out: &Path, starters: &[Starter]) -> Result<(), Failure> {
    let missing = starters.iter().filter(|starter| !out.join(&starter.path).exists());
    files::write_all(out, missing.map(|starter| (starter.path.as_str(), starter.text.as_str())))
}

fn shown(out: &Path, change: &Change) -> String {
    out.join(ZONE).join(&change.path).display().to_string()
}

fn summary(plan: &Plan) -> String {
    match (plan.writes.len(), plan.deletions.len()) {
        (0, 0) => "nothing to do".to_owned(),
        (written, 0) => format!("{written} files written"),
        (written, deleted) => format!("{written} files written, {deleted} deleted"),
    }
}
