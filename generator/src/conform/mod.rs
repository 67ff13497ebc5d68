//! Whether a running service keeps the conventions: a client that asks it, and judges what it says. Any service that
//! claims them can be asked, whatever it is made with.
//!
//! ```text
//! model ── Api ── sections ──► cases ── session ──► endings ──► report
//!                                         └── every response: its rules
//! ```
//!
//! What a response must be follows from the interface (`model::api`) and its order of checks; values come from
//! `model::sample`. A run is bounded in time and in requests, deletes what it has created, and lists what it cannot.

mod access;
mod body;
mod callers;
mod case;
mod cleaning;
mod every_response;
mod exchange;
mod provision;
mod report;
mod section;
mod sections;
mod served;
mod session;
#[cfg_attr(not(feature = "tls"), path = "without_tls.rs")]
mod tls;
mod token_command;
mod wire;
mod world;

pub use callers::{TokenRequest, TokenSource};
pub use case::BrokenRule;
pub use cleaning::Remaining;
pub use report::{CaseReport, ConformReport, Outcome};
pub use section::Section;
pub use token_command::token_command;

use callers::Callers;
use case::Ending;
use exchange::Request;
use restwell_model::Checked;
use restwell_model::api::{Api, SystemEndpoint};
use session::{Limits, Session};
use std::time::{Duration, Instant};
use wire::{BaseUrl, Wire};

/// Requests of a run, if no other number is chosen.
pub const DEFAULT_MAX_REQUESTS: usize = 20_000;
/// How long a run may take, if nothing else is chosen.
pub const DEFAULT_MAX_TIME: Duration = Duration::from_secs(15 * 60);
/// How long a response may take, if nothing else is chosen.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// What a run may do.
#[derive(Debug, Clone)]
pub struct ConformOptions {
    /// Sends GET, HEAD and OPTIONS alone.
    pub is_read_only: bool,
    /// Requests at most; what deletes the created entities at the end comes on top.
    pub max_requests: usize,
    /// How long the cases may take together.
    pub max_time: Duration,
    /// How long a response may take.
    pub timeout: Duration,
    /// What values follow from. Two runs with one seed send the same values, which may then be taken.
    pub seed: u64,
    /// The ids of two users of the service, if it has users that a run cannot create.
    pub users: Vec<String>,
    /// Certificates in PEM that are trusted besides those of the system: of authorities, or a self-signed one.
    pub authorities: Option<Vec<u8>>,
    /// The sections whose cases run; all of them if there is none here. Creation is always one of them: it makes what
    /// the others ask about.
    pub sections: Vec<Section>,
}

impl Default for ConformOptions {
    fn default() -> Self {
        Self {
            is_read_only: false,
            max_requests: DEFAULT_MAX_REQUESTS,
            max_time: DEFAULT_MAX_TIME,
            timeout: DEFAULT_TIMEOUT,
            seed: 1,
            users: Vec::new(),
            authorities: None,
            sections: Vec::new(),
        }
    }
}

impl ConformOptions {
    fn includes(&self, section: Section) -> bool {
        section == Section::Creation || self.sections.is_empty() || self.sections.contains(&section)
    }
}

/// The model that a service shows of itself (`GET /model.json`).
///
/// # Errors
///
/// The service does not respond with a model.
pub fn model_of(url: &str, options: &ConformOptions) -> Result<Checked, String> {
    let mut wire = Wire::new(BaseUrl::parse(url)?, options.timeout, options.authorities.as_deref())?;
    let path = SystemEndpoint::Model.path();
    let response = wire.exchange(&Request::new("GET", path), None)?;
    if response.status != 200 {
        return Err(format!("GET {path} responds with {}: name the schemas with `--schemas`", response.status));
    }
    let service = serde_json::from_slice(&response.body).map_err(|error| format!("GET {path}: {error}"))?;
    Checked::published(service).map_err(|faults| match faults.first() {
        Some(fault) => format!("GET {path}: {}", fault.message),
        None => format!("GET {path}: the model has faults"),
    })
}

/// Runs the cases of a service.
///
/// # Errors
///
/// The URL is not one, or the system has no resources left for a client.
pub fn conform(
    model: &Checked,
    url: &str,
    tokens: Option<TokenSource<'_>>,
    options: &ConformOptions,
) -> Result<ConformReport, String> {
    let api = Api::of(model);
    let wire = Wire::new(BaseUrl::parse(url)?, options.timeout, options.authorities.as_deref())?;
    let end = Instant::now() + options.max_time;
    let limits = Limits { is_read_only: options.is_read_only, requests: options.max_requests, end };
    let callers = Callers::new(&api, tokens, &options.users, options.is_read_only);
    let mut session = Session::new(&api, callers, wire, limits, options.seed);
    let mut cases = Vec::new();
    let mut stopped = None;
    for case in sections::cases(&api).into_iter().filter(|case| options.includes(case.section)) {
        let outcome = match &stopped {
            Some(reason) => Outcome::NotApplicable(format!("the run has stopped: {reason}")),
            None => match (case.run)(&mut session) {
                Ok(()) => Outcome::Passed,
                Err(Ending::Failed(failure)) => Outcome::Failed(vec![*failure]),
                Err(Ending::NotApplicable(reason)) => Outcome::NotApplicable(reason),
                Err(Ending::Stopped(reason)) => {
                    stopped = Some(reason.clone());
                    Outcome::NotApplicable(reason)
                }
            },
        };
        cases.push(CaseReport { section: case.section, title: case.title, rule: case.rule, outcome });
    }
    let remains = cleaning::clean(&mut session);
    session.rules.retain(|(section, _), _| options.includes(*section));
    Ok(ConformReport::of(&session, url, options.seed, cases, remains, stopped))
}
