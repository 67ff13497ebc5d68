//! A described service, made ready: checked, compiled, with its store opened.

use crate::config::Database;
use crate::events::{Background, Feed, Settings};
use crate::plan::Plans;
use crate::serve::Engine;
use crate::serve::caller::Authenticator;
use crate::store::{Sqlite, SqliteLocation, Store};
use crate::typed::Builder;
use restwell_model::{Checked, Fault};
use std::sync::Arc;
use std::time::Duration;

/// How long a search can be used, where nobody says (rulings, "Searches").
const SEARCH_TTL: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Checks what the derives described. One line per mistake.
pub(crate) fn check(builder: Builder) -> Result<Checked, String> {
    let service = builder.model().map_err(|errors| lines(&errors))?;
    Checked::new(service).map_err(|faults| lines(&faults.iter().map(fault_line).collect::<Vec<_>>()))
}

fn fault_line(fault: &Fault) -> String {
    let help = fault.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}: {}{help}", fault.at, fault.message)
}

fn lines(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Opens the database and puts everything together.
pub(crate) fn open(
    service: Checked,
    database: Database,
    authenticator: Arc<dyn Authenticator>,
    base_url: &str,
    settings: &Settings,
) -> Result<Engine, String> {
    let plans = Arc::new(Plans::compile(service));
    let location = match database {
        Database::File(path) => SqliteLocation::File(path),
        Database::Memory => SqliteLocation::memory(),
    };
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(location, Arc::clone(&plans))?);
    let feed = Arc::new(Feed::new(Arc::clone(&store), Arc::clone(&plans), settings));
    let background = Background::start(Arc::clone(&store), Arc::clone(&plans), settings);
    let background = Arc::new(background.map_err(|error| format!("cannot start a thread: {error}"))?);
    let base_url = Arc::from(base_url.trim_end_matches('/'));
    Ok(Engine { plans, store, authenticator, base_url, search_ttl: SEARCH_TTL, feed, background })
}
