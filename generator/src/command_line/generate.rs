//! `restwell generate`.

use super::drafts::{self, DraftState};
use super::library::ProjectLibrary;
use super::report::Report;
use super::{Failure, Generate, check, crate_root, diff, files};
use crate::compile::{Before, Origins};
use crate::emit::{self, COMMANDS_ROOT, OUTPUT_FOLDER, emit};
use crate::messages::LanguageMessages;
use crate::migrations::{self, Migrations, NextMigration};
use crate::output::{self, FileChange, FileState, OutputPlan};
use crate::project::{self, Library, Starter};
use restwell_model::Checked;
use restwell_model::compatibility::judge;
use std::path::Path;
use std::process::{Command, Stdio};

pub(super) fn run(options: &Generate, report: &Report) -> Result<(), Failure> {
    let prepared = prepare(&options.schemas, &options.out, options.allow_drop, report)?;
    if options.check {
        return compare(&prepared, &options.out, report);
    }
    let library = ProjectLibrary::find(options.restwell.as_deref())?;
    let is_new = prepared.manifest.is_none();
    if options.restwell.is_some() && !is_new {
        let manifest = options.out.join("Cargo.toml");
        return Err(Failure::Other(format!(
            "`{}` is there already: `--restwell` is for a new one; change its dependency `restwell`, or delete it",
            manifest.display()
        )));
    }
    carry_out(&prepared, &options.out, &library.dependency(), report)?;
    if is_new {
        let again = format!("delete `{}`, then run `restwell generate", options.out.join("Cargo.toml").display());
        library.complete(&options.out, &again, report)?;
    }
    Ok(())
}

/// A checked service, and the files to write for it.
pub(super) struct PreparedOutput {
    service: Checked,
    plan: OutputPlan,
    /// The migrations.
    next: NextMigration,
    /// A migration that was replaced by one with another name.
    dropped: Option<String>,
    /// The Cargo.toml, if there is one.
    manifest: Option<String>,
    /// The starter files for command handlers that are missing, and the module that contains all of them.
    commands: Vec<Starter>,
    /// What the changes since the last migration ask of clients, in a line.
    judged: Option<String>,
}

/// The checked service of a folder, and what generating it would change.
pub(super) fn prepare(schemas: &Path, out: &Path, consent: bool, report: &Report) -> Result<PreparedOutput, Failure> {
    let MigratedService { service, origins, messages, next, dropped, judged } = migrate(schemas, out, consent, report)?;
    let generated =
        emit(&service, &origins, &messages, &next.names).map_err(|error| Failure::Other(error.to_string()))?;
    let is_missing = |path: &str| !out.join(path).exists();
    let commands = emit::starters(&service, &origins, is_missing).map_err(|error| Failure::Other(error.to_string()))?;
    let present = files::read_present(&out.join(OUTPUT_FOLDER))?;
    let plan = output::plan(&generated, &present);
    let manifest = files::read_text(&out.join("Cargo.toml")).ok();
    Ok(PreparedOutput { service, plan, next, dropped, manifest, commands, judged })
}

/// A checked service, and what leads to it from the last migration.
struct MigratedService {
    service: Checked,
    origins: Origins,
    messages: Vec<LanguageMessages>,
    next: NextMigration,
    dropped: Option<String>,
    judged: Option<String>,
}

/// The checked service of a folder with its migrations. The models before it are not kept.
fn migrate(schemas: &Path, out: &Path, consent: bool, report: &Report) -> Result<MigratedService, Failure> {
    let kept = files::read_present(&out.join(migrations::MIGRATIONS_FOLDER))?;
    let migrations = Migrations::read(&kept).map_err(Failure::Other)?;
    let draft = migrations.names.last().map(|last| drafts::state(out, last, migrations.names.len() == 1));
    let anew = match &draft {
        Some(DraftState::Draft(before)) => migrations.without_last(&kept, before.as_deref()),
        _ => None,
    };
    let base = anew.as_ref().unwrap_or(&migrations);
    let again = migrations.model.as_ref().filter(|_| anew.is_some());
    let before = base.model.as_ref().map(|model| Before { model, consent, draft: again });
    let checked = check::checked(schemas, before, report);
    if let (Err(_), Some(DraftState::HasRun(database)), Some(last)) = (&checked, draft, migrations.names.last()) {
        let cure = "if the data there is not needed, delete the database: the migration is then written again";
        report.done(&format!("note: {database} has run {last}; {cure}"));
    }
    let (service, origins, messages) = checked?;
    let today = diff::today()?;
    let judged = base.model.as_ref().and_then(|before| diff::summary(&judge(before, &service, today)));
    let mut next = base.next(&service);
    next.writes.retain(|path, text| kept.get(path).is_none_or(|kept| kept != text.as_bytes()));
    let dropped = migrations.names.last().filter(|last| !next.names.contains(last)).cloned();
    Ok(MigratedService { service, origins, messages, next, dropped, judged })
}

/// Reports the files that are not up to date.
fn compare(
    PreparedOutput { plan, next, dropped, .. }: &PreparedOutput,
    out: &Path,
    report: &Report,
) -> Result<(), Failure> {
    if plan.changes.is_empty() && next.writes.is_empty() && dropped.is_none() {
        report.done("the generated code is up to date");
        return Ok(());
    }
    for change in &plan.changes {
        report.failure(&format!("{}: {}", change.state, shown(out, change)));
    }
    for path in next.writes.keys() {
        let path = out.join(migrations::MIGRATIONS_FOLDER).join(path);
        let state = if path.exists() { FileState::Stale } else { FileState::Missing };
        report.failure(&format!("{state}: {}", path.display()));
    }
    if let Some(name) = dropped {
        let path = out.join(migrations::MIGRATIONS_FOLDER).join(name);
        report.failure(&format!("{}: {}", FileState::Leftover, path.display()));
    }
    let cure = "run `restwell generate` and commit the result";
    Err(Failure::Other(format!("the generated code is not up to date: {cure}")))
}

/// Writes the generated code, the migration and missing starter files.
pub(super) fn carry_out(
    PreparedOutput { service, plan, next, dropped, manifest, commands, judged }: &PreparedOutput,
    out: &Path,
    library: &Library,
    report: &Report,
) -> Result<(), Failure> {
    let output = out.join(OUTPUT_FOLDER);
    refuse(plan, &output, report)?;
    // migrations come first: the generated code includes them
    let migrations = out.join(migrations::MIGRATIONS_FOLDER);
    files::write_all(&migrations, next.writes.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    if let Some(dropped) = dropped {
        files::delete_folder(&migrations.join(dropped))?;
    }
    files::write_all(&output, plan.writes.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    plan.deletions.iter().try_for_each(|path| files::delete(&output.join(path)))?;

    let starters = project::crate_files(service, library, manifest.as_deref(), !commands.is_empty());
    let starters = starters.map_err(|error| Failure::Other(error.to_string()))?;
    let starters: Vec<_> = starters.into_iter().filter(|starter| !is_decided(out, starter)).collect();
    write_missing(out, &starters)?;
    begin_commands(out, service, commands, report)?;
    crate_root::follow(out, service, !commands.is_empty(), report)?;
    report.done(&format!("{}: {}", output.display(), summary(plan)));
    if let Some(name) = next.names.last().filter(|_| next.writes.len() > 1) {
        report.done(&format!("{}: new migration; review it and commit it", migrations.join(name).display()));
    }
    if let Some(judged) = judged {
        report.done(&format!("{judged}; `restwell diff HEAD` shows what they break and how to make them"));
    }
    Ok(())
}

/// Writes the missing starter files for command handlers, and reports what remains to do.
fn begin_commands(out: &Path, service: &Checked, starters: &[Starter], report: &Report) -> Result<(), Failure> {
    let had_root = out.join(COMMANDS_ROOT).exists();
    let missing: Vec<_> = starters.iter().filter(|starter| !out.join(&starter.path).exists()).collect();
    write_missing(out, starters)?;
    for handlers in missing.iter().filter(|starter| starter.path != COMMANDS_ROOT) {
        format(&out.join(&handlers.path));
    }
    for starter in missing.iter().filter(|_| had_root) {
        report.done(&format!("{}: new file with the handlers to write", out.join(&starter.path).display()));
    }
    match starters.iter().find(|starter| starter.path == COMMANDS_ROOT) {
        Some(root) => crate_root::follow_modules(out, root, service, report),
        None => Ok(()),
    }
}

/// Gives a file that belongs to a team from now on the form of its project. Without rustfmt it keeps the generator's.
fn format(file: &Path) {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024"]).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // a file that rustfmt cannot format is as good as before
    let _ = rustfmt.status();
}

/// Refuses to overwrite files that people wrote, in a folder that belongs to the generator.
pub(super) fn refuse(plan: &OutputPlan, folder: &Path, report: &Report) -> Result<(), Failure> {
    for change in plan.refused() {
        let (path, folder) = (folder.join(&change.path), folder.display());
        let path = path.display();
        report.failure(&match change.state {
            FileState::Foreign => {
                format!("the generator did not write `{path}`; move it out of {folder}/ or delete it")
            }
            _ => format!(
                "`{path}` was edited by hand; move your changes out of {folder}/, then delete the file or \
                 restore it with \
                 `git checkout -- {path}`, and generate again"
            ),
        });
    }
    match plan.refused().count() {
        0 => Ok(()),
        _ => Err(Failure::Other("no file was written".to_owned())),
    }
}

/// The first of `lib.rs` and `main.rs` decides whether a crate is a library or a program; the other one is not added
/// later.
fn is_decided(out: &Path, starter: &Starter) -> bool {
    const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];
    ROOTS.contains(&starter.path.as_str()) && ROOTS.iter().any(|root| out.join(root).exists())
}

/// Writes the files that are not there yet.
pub(super) fn write_missing(out: &Path, starters: &[Starter]) -> Result<(), Failure> {
    let missing = starters.iter().filter(|starter| !out.join(&starter.path).exists());
    files::write_all(out, missing.map(|starter| (starter.path.as_str(), starter.text.as_str())))
}

fn shown(out: &Path, change: &FileChange) -> String {
    out.join(OUTPUT_FOLDER).join(&change.path).display().to_string()
}

pub(super) fn summary(plan: &OutputPlan) -> String {
    match (plan.writes.len(), plan.deletions.len()) {
        (0, 0) => "no changes".to_owned(),
        (written, 0) => format!("{written} files written"),
        (written, deleted) => format!("{written} files written, {deleted} deleted"),
    }
}
