//! `restwell check`, `restwell model`.

use super::report::Report;
use super::{Check, Failure, files};
use crate::compile::{Before, Compiled, Origins, compile_after};
use crate::diagnostic::Diagnostic;
use crate::messages::LanguageMessages;
use restwell_model::Checked;
use restwell_model::check::Severity;
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;

pub(super) fn run(options: &Check, report: &Report) -> Result<(), Failure> {
    let dir = &options.schemas.dir;
    let mut compiled = compile_after(&files::read_schemas(dir)?, None);
    if options.deny_warnings {
        compiled.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Error);
    }
    report.diagnostics(&compiled);
    let is_refused = compiled.diagnostics.iter().any(Diagnostic::is_error);
    let (service, _) = compiled.service.filter(|_| !is_refused).ok_or(Failure::Reported)?;
    let (resources, objects, enums) = (service.resources.len(), service.objects.len(), service.enums.len());
    report.done(&format!("{}: {resources} resources, {objects} objects, {enums} enums, no errors", dir.display()));
    Ok(())
}

pub(super) fn print_model(dir: &Path, report: &Report) -> Result<(), Failure> {
    let (service, ..) = checked(dir, None, report)?;
    print_json(&*service)
}

/// Writes indented JSON to stdout.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::Other(error.to_string()))?;
    match writeln!(std::io::stdout(), "{json}") {
        // `| head` has read all that it wants
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// The checked service and messages of a folder. Faults are reported.
pub(super) fn checked(
    dir: &Path,
    before: Option<Before<'_>>,
    report: &Report,
) -> Result<(Checked, Origins, Vec<LanguageMessages>), Failure> {
    let compiled: Compiled = compile_after(&files::read_schemas(dir)?, before);
    report.diagnostics(&compiled);
    let (service, origins) = compiled.service.ok_or(Failure::Reported)?;
    Ok((service, origins, compiled.messages))
}
