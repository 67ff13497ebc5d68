//! `restwell conform`: asks a running service whether it keeps the conventions.

use super::report::Report;
use super::{Failure, Format, check, files};
use crate::conform::{
    ConformOptions, DEFAULT_MAX_REQUESTS, DEFAULT_MAX_TIME, DEFAULT_TIMEOUT, Section, conform, model_of, token_command,
};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The service breaks a rule.
const BROKEN: u8 = 1;
/// The run has stopped before its last case, or there was nothing to ask.
const INCOMPLETE: u8 = 3;

/// The options of `restwell conform`.
#[derive(Debug, Args)]
pub(super) struct Conform {
    /// URL of the service: http://localhost:8080
    #[arg(value_name = "URL")]
    url: String,
    /// Folder with the schemas of the service; without it, the service is asked for its model (GET /model.json)
    #[arg(long, value_name = "DIR")]
    schemas: Option<PathBuf>,
    /// Program that prints a token: `marketplace token --sub {user} --scope '{scopes}' --claims '{claims}'`. `{user}`
    /// is the id of a user, `{number}` is 1 or 2. Without it, cases that need credentials are not applicable
    #[arg(long, value_name = "COMMAND")]
    token_command: Option<String>,
    /// Id of a user of the service, if the run cannot create users; twice, for the second one
    #[arg(long, value_name = "ID")]
    user: Vec<String>,
    /// File with certificates in PEM that are trusted besides those of the system: of an authority, or a self-signed
    /// one of the service
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Run only the cases of this section, and creation, which makes what they ask about; may be repeated
    #[arg(long, value_name = "SECTION", value_parser = sections())]
    section: Vec<Section>,
    /// Send only GET, HEAD and OPTIONS
    #[arg(long)]
    read_only: bool,
    /// Requests at most; the deletion of what was created comes on top
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_MAX_REQUESTS)]
    max_requests: usize,
    /// Seconds that the cases may take together
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MAX_TIME.as_secs())]
    max_time: u64,
    /// Seconds that a response may take
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// What the values follow from; by default the time
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// The sections by their words.
fn sections() -> impl TypedValueParser<Value = Section> {
    let of = |word: String| Section::ALL.into_iter().find(|section| section.word() == word);
    PossibleValuesParser::new(Section::ALL.map(Section::word)).try_map(move |word| of(word).ok_or("no section"))
}

pub(super) fn run(options: &Conform, format: Format, report: &Report) -> Result<ExitCode, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    let settings = ConformOptions {
        authorities: options.ca.as_ref().map(|file| files::read(file)).transpose()?,
        is_read_only: options.read_only,
        max_requests: options.max_requests,
        max_time: Duration::from_secs(options.max_time),
        timeout: Duration::from_secs(options.timeout),
        seed: options.seed.unwrap_or(now),
        users: options.user.clone(),
        sections: options.section.clone(),
    };
    let model = match &options.schemas {
        Some(folder) => check::checked(folder, None, report)?.0,
        None => match model_of(&options.url, &settings) {
            Ok(model) => model,
            Err(problem) => {
                report.failure(&problem);
                return Ok(ExitCode::from(INCOMPLETE));
            }
        },
    };
    let tokens = options.token_command.as_deref().map(token_command).transpose().map_err(Failure::Other)?;
    let done = conform(&model, &options.url, tokens, &settings).map_err(Failure::Other)?;
    let text = match format {
        Format::Text => done.text(),
        Format::Json => format!("{}\n", done.json()),
        Format::Junit => done.junit(),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // `| head` has read all that it wants
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            return Err(Failure::Other(format!("cannot write to stdout: {error}")));
        }
        _ => {}
    }
    Ok(match (done.failed().next(), &done.stopped) {
        (Some(_), _) => ExitCode::from(BROKEN),
        (None, Some(_)) => ExitCode::from(INCOMPLETE),
        (None, None) => ExitCode::SUCCESS,
    })
}
