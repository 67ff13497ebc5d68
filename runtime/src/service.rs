//! A described service, made ready: checked, compiled, with its store opened.

use crate::actor::Actor;
use crate::clock::Clock;
use crate::commands::{Executor, Handlers};
use crate::config::Database;
use crate::events::{Background, Feed, Settings};
use crate::messages::Messages;
use crate::metrics::{CommandMetrics, Metrics, RequestMetrics, StoreMetrics};
use crate::migrations::{Goal, Migration};
use crate::plan::Plans;
use crate::rules::RuleBook;
use crate::serve::Engine;
use crate::serve::authenticator::Authenticator;
use crate::serve::body::MAX_BODIES_KIB;
use crate::store::{Postgres, Sqlite, SqliteLocation, Store};
use crate::typed::Builder;
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Fault};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a search can be used, where nobody says (rulings, "Searches").
const SEARCH_TTL: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A service that fits together: its model, and what its own code does.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) model: Checked,
    handlers: Handlers,
    rules: RuleBook,
    messages: Messages,
    pub(crate) migrations: Vec<Migration>,
    /// What its database lacks is run at once.
    pub(crate) migrate: bool,
}

impl Described {
    /// What it wants of its database.
    pub(crate) fn goal(&self) -> Goal<'_> {
        Goal { model: &self.model, migrations: &self.migrations, migrate: self.migrate, consent: false }
    }
}

/// Checks what the derives described. One line per mistake.
pub(crate) fn check(mut builder: Builder) -> Result<Described, String> {
    let (handlers, rules) = builder.take_code();
    let (messages, migrations) = (builder.take_messages(), builder.take_migrations());
    let service = builder.model().map_err(|errors| lines(&errors))?;
    let model = Checked::new(service);
    let model = model.map_err(|faults| lines(&faults.iter().map(fault_line).collect::<Vec<_>>()))?;
    let messages = Messages::new(&model, &messages)?;
    Ok(Described { model, handlers, rules, messages, migrations, migrate: false })
}

fn fault_line(fault: &Fault) -> String {
    let help = fault.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}: {}{help}", fault.at, fault.message)
}

fn lines(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn store(
    database: Database,
    goal: &Goal<'_>,
    plans: &Arc<Plans>,
    metrics: StoreMetrics,
) -> Result<Arc<dyn Store>, String> {
    let plans = Arc::clone(plans);
    Ok(match database {
        Database::File(path) => Arc::new(Sqlite::open(SqliteLocation::File(path), goal, plans, metrics)?),
        Database::Memory => Arc::new(Sqlite::open(SqliteLocation::memory(), goal, plans, metrics)?),
        Database::Postgres(location, size) => Arc::new(Postgres::open(*location, goal, plans, metrics, size)?),
    })
}

/// Opens the database and puts everything together.
pub(crate) fn open(
    service: Described,
    database: Database,
    authenticator: Arc<dyn Authenticator>,
    clock: Clock,
    base_url: &str,
    settings: &Settings,
) -> Result<Engine, String> {
    let dialect = match &database {
        Database::File(_) | Database::Memory => Dialect::Sqlite,
        Database::Postgres(..) => Dialect::Postgres,
    };
    let plans = Arc::new(Plans::compile(service.model, dialect));
    let metrics = Metrics::new();
    let (migrations, migrate) = (service.migrations.as_slice(), service.migrate);
    let goal = Goal { model: &plans.service, migrations, migrate, consent: false };
    let store = store(database, &goal, &plans, StoreMetrics::new(&metrics))?;
    let feed = Arc::new(Feed::new(Arc::clone(&store), Arc::clone(&plans), settings));
    let background = Background::start(Arc::clone(&store), Arc::clone(&plans), settings, metrics.clone());
    let background = Arc::new(background.map_err(|error| format!("cannot start a thread: {error}"))?);
    let actor = Arc::new(Actor::new(Arc::clone(&store), Arc::clone(&plans), clock.clone(), &service.rules));
    let executor = Executor::start(
        Arc::clone(&store),
        Arc::clone(&plans),
        clock.clone(),
        Arc::clone(&actor),
        &service.handlers,
        CommandMetrics::new(&metrics),
    );
    let executor = Arc::new(executor.map_err(|error| format!("cannot start a thread: {error}"))?);
    let base_url = Arc::from(base_url.trim_end_matches('/'));
    let (search_ttl, messages) = (SEARCH_TTL, Arc::new(service.messages));
    let requests = Arc::new(RequestMetrics::new(&metrics, plans.router.patterns().into_iter()));
    Ok(Engine {
        plans,
        store,
        authenticator,
        actor,
        executor,
        messages,
        clock,
        base_url,
        search_ttl,
        edge: Arc::default(),
        bodies: Arc::new(Semaphore::new(MAX_BODIES_KIB)),
        feed,
        background,
        metrics,
        requests,
        active: Arc::default(),
    })
}
