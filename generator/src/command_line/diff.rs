//! `restwell diff`: what changes between two models, and how to make each change without breaking clients.

use super::report::Report;
use super::{Failure, Format, check, files, git};
use crate::compile::compile;
use crate::source::File;
use clap::{Args, ValueEnum};
use restwell_model::compatibility::{Followed, Judgement, Procedure, judge};
use restwell_model::scalar::Date;
use restwell_model::{Checked, Service};
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// Old model: a folder with schemas, a file like migrations/model.json, or a git revision
    old: String,
    /// New model, in one of these forms
    #[arg(default_value = "schemas")]
    new: String,
    /// Folder of the schemas in a git revision, relative to the current folder
    #[arg(long, value_name = "DIR", default_value = "schemas")]
    schemas: PathBuf,
    /// Mildest procedure that fails, unless it was followed or is allowed in the schemas. The exit code is that of the
    /// gravest change: 10 for adoption, 20 for deprecation, 30 for breaking
    #[arg(long, value_enum, value_name = "PROCEDURE", default_value_t = FailOn::Adoption)]
    fail_on: FailOn,
    /// Day as of which a `sunset` has come [default: today, in UTC]
    #[arg(long, value_name = "DATE")]
    today: Option<Date>,
}

/// The procedures that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Changes that clients have to know of in advance
    Adoption,
    /// Removals
    Deprecation,
    /// Changes for which clients cannot be prepared
    Breaking,
}

impl FailOn {
    fn procedure(self) -> Procedure {
        match self {
            Self::Adoption => Procedure::Adoption,
            Self::Deprecation => Procedure::Deprecation,
            Self::Breaking => Procedure::Breaking,
        }
    }
}

pub(super) fn run(options: &Diff, format: Format, report: &Report) -> Result<ExitCode, Failure> {
    let old = model(&options.old, &options.schemas, report)?;
    let new = model(&options.new, &options.schemas, report)?;
    let today = options.today.map_or_else(today, Ok)?;
    let judgements = judge(&old, &new, today);
    match format {
        Format::Json => check::print_json(&judgements)?,
        Format::Text | Format::Junit => print(&judgements.iter().map(shown).collect::<String>())?,
    }
    report.done(&summary(&judgements).unwrap_or_else(|| "no changes".to_owned()));
    Ok(exit_code(&judgements, options.fail_on.procedure()))
}

/// The day, in UTC.
pub(super) fn today() -> Result<Date, Failure> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = i64::try_from(seconds / 86_400).ok().and_then(Date::from_days);
    days.ok_or_else(|| Failure::Other("the clock of this machine is past the year 9999: set --today".to_owned()))
}

/// The model that a folder, a file or a revision describes.
fn model(source: &str, schemas: &Path, report: &Report) -> Result<Checked, Failure> {
    let path = Path::new(source);
    if path.is_dir() {
        return compiled(&files::read_schemas(path)?, report);
    }
    if path.is_file() {
        let text = files::read(path)?;
        let service: Service = serde_json::from_slice(&text).map_err(|error| {
            let cure = "it should be the output of `restwell model` or a `migrations/model.json`";
            Failure::Other(format!("`{source}` is not a model ({error}): {cure}"))
        })?;
        return Ok(Checked::recorded(service));
    }
    compiled(&git::read_schemas(source, schemas)?, report)
}

/// The model of schemas. Warnings are for `check` to report.
fn compiled(files: &[File], report: &Report) -> Result<Checked, Failure> {
    let mut compiled = compile(files);
    match compiled.service.take() {
        Some((service, _)) => Ok(service),
        None => {
            report.diagnostics(&compiled);
            Err(Failure::Reported)
        }
    }
}

/// 0 if no change is as grave as one that fails; otherwise that of the gravest change.
fn exit_code(judgements: &[Judgement], fail_on: Procedure) -> ExitCode {
    let gravest = judgements.iter().map(Judgement::remaining).max().unwrap_or(Procedure::Safe);
    match gravest {
        _ if gravest < fail_on => ExitCode::SUCCESS,
        Procedure::Safe => ExitCode::SUCCESS,
        Procedure::Adoption => ExitCode::from(10),
        Procedure::Deprecation => ExitCode::from(20),
        Procedure::Breaking => ExitCode::from(30),
    }
}

/// A change for people: what it is, whom it breaks, and the steps to take instead.
fn shown(judgement: &Judgement) -> String {
    let Judgement { place, procedure, breaks, followed, message, instead, allowed, .. } = judgement;
    let notice = match followed {
        None => "",
        Some(Followed::Done) => " (announced)",
        Some(Followed::TooEarly) => " (too early)",
        Some(Followed::NeverAnnounced) => " (never announced)",
    };
    let mut text = format!("{}{notice}: `{place}` {message}\n", word(*procedure));
    let mut line = |name: &str, value: &str| _ = writeln!(text, "  {name}: {value}");
    if !breaks.is_empty() {
        let sides: Vec<_> = breaks.iter().filter_map(|side| serde_json::to_value(side).ok()).collect();
        line("may break", &sides.iter().filter_map(|side| side.as_str()).collect::<Vec<_>>().join(", "));
    }
    match allowed {
        Some(reason) => line("allowed", reason),
        None => instead.iter().for_each(|step| line("instead", step)),
    }
    text
}

/// "3 changes for clients: 1 breaking, 2 safe"; `None` without changes.
pub(super) fn summary(judgements: &[Judgement]) -> Option<String> {
    const PROCEDURES: [Procedure; 4] =
        [Procedure::Breaking, Procedure::Deprecation, Procedure::Adoption, Procedure::Safe];
    let count = |procedure| judgements.iter().filter(|it| it.procedure == procedure).count();
    let counts = PROCEDURES.into_iter().map(|procedure| (count(procedure), word(procedure)));
    let counts: Vec<_> =
        counts.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let changes = match judgements.len() {
        0 => return None,
        1 => "1 change".to_owned(),
        many => format!("{many} changes"),
    };
    Some(format!("{changes}: {}", counts.join(", ")))
}

fn word(procedure: Procedure) -> &'static str {
    match procedure {
        Procedure::Safe => "safe",
        Procedure::Adoption => "adoption",
        Procedure::Deprecation => "deprecation",
        Procedure::Breaking => "breaking",
    }
}

fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        // `| head` has read all that it wants
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
