//! A described service, made ready: checked, compiled, with its store opened.

mod builder;
mod command_handlers;
pub(crate) mod interpreted;
mod users;

pub use builder::Builder;
pub use command_handlers::CommandHandlers;
pub use interpreted::Interpreted;

use crate::auth::authenticator::Authenticator;
use crate::clock::{self, Clock};
use crate::events::deciding::EventReading;
use crate::events::{Background, EventOptions, Feed};
use crate::ids::Ids;
use crate::logic::change_runner::ChangeRunner;
use crate::logic::clock_transitions::ClockTransitions;
use crate::logic::commands::{Executor, Handlers};
use crate::logic::hashing::Hasher;
use crate::logic::hooks::HookFinder;
use crate::logic::jobs::{Job, Jobs};
use crate::logic::rules::RuleBook;
use crate::logic::service_handle::Service;
use crate::messages::Messages;
use crate::migrations::{Migration, MigrationTarget};
use crate::observe::metrics::{CommandMetrics, EventMetrics, HashMetrics, Metrics, RequestMetrics, StoreMetrics};
use crate::plan::Plans;
use crate::serve::routes::{RouteTable, Routes};
use crate::serve::searches::search_limiter;
use crate::serve::shares::Shares;
use crate::serve::{Engine, Offload};
use crate::store::{Database, Outbox, Store, StoreOptions};
use interpreted::Interpretation;
use restwell_model::api::{CustomBody, CustomRoute, custom_route_faults};
use restwell_model::{Checked, Fault, FaultCode};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};
use users::UsersBySubject;

/// The default lifetime of a search (decisions, "Searches").
const SEARCH_TTL: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How long a start waits until the events are looked for that hooks are for.
const HOOKS_BEGIN: Duration = Duration::from_secs(10);

/// A checked service: its model, and its own code.
#[derive(Debug)]
pub(crate) struct ServiceDefinition {
    pub(crate) model: Checked,
    handlers: Handlers,
    rules: RuleBook,
    pub(crate) messages: Messages,
    pub(crate) routes: Routes,
    jobs: Vec<Job>,
    pub(crate) migrations: Vec<Migration>,
    /// The options of a service that is interpreted.
    pub(crate) interpretation: Option<Interpretation>,
    /// Whether pending migrations are run at the start.
    pub(crate) migrate: bool,
    /// The limits of its store.
    pub(crate) store_options: StoreOptions,
    /// Makes its ids.
    pub(crate) ids: Ids,
}

impl ServiceDefinition {
    /// The schema that it needs in its database.
    pub(crate) fn goal(&self) -> MigrationTarget<'_> {
        let consent = self.interpretation.as_ref().is_some_and(|interpretation| interpretation.allow_drop);
        MigrationTarget { model: &self.model, migrations: &self.migrations, migrate: self.migrate, consent }
    }

    /// The warnings of a model in Rust, each in a line. Those of an interpreted one have been reported with their
    /// places.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let contracts = self.routes.contracts();
        let warnings = self.model.warnings().iter().filter(|_| self.interpretation.is_none());
        let warnings = warnings.filter(|warning| !is_used_by_routes(warning, &contracts));
        warnings.map(|warning| format!("{} [{}]", fault_line(warning), warning.code)).collect()
    }

    /// The database file, if the command line names no database.
    pub(crate) fn database_file(&self) -> PathBuf {
        let own = self.interpretation.as_ref().and_then(|interpretation| interpretation.database.clone());
        own.unwrap_or_else(|| PathBuf::from(format!("{}.db", self.model.name)))
    }
}

/// Checks what the derives described. One line per mistake.
pub(crate) fn check(mut builder: Builder) -> Result<ServiceDefinition, String> {
    let (mut handlers, rules) = builder.take_code();
    let (routes, jobs) = builder.take_routes_and_jobs();
    let (messages, migrations) = (builder.take_messages(), builder.take_migrations());
    let interpretation = builder.take_interpretation();
    let model = match &interpretation {
        Some(interpretation) => interpretation.model.clone(),
        None => {
            let service = builder.model().map_err(|errors| lines(&errors))?;
            let contracts = routes.contracts();
            Checked::new(service).map_err(|faults| {
                let faults = faults.iter().filter(|fault| !is_used_by_routes(fault, &contracts));
                lines(&faults.map(fault_line).collect::<Vec<_>>())
            })?
        }
    };
    if interpretation.as_ref().is_some_and(|interpretation| interpretation.mock_commands) {
        handlers.mock(&model);
    }
    let messages = Messages::new(&model, &messages)?;
    let words =
        routes.entries.iter().flat_map(|(route, _)| route.faults.iter().map(move |it| format!("{route:?}: {it}")));
    let faults: Vec<_> = words.chain(custom_route_faults(&model, &routes.contracts())).collect();
    if !faults.is_empty() {
        return Err(lines(&faults));
    }
    Ok(ServiceDefinition {
        model,
        handlers,
        rules,
        messages,
        routes,
        jobs,
        migrations,
        migrate: interpretation.as_ref().is_some_and(|interpretation| interpretation.migrate),
        interpretation,
        store_options: StoreOptions::default(),
        ids: Ids::default(),
    })
}

/// Whether a fault says that a type is not used which a route takes or returns: the model knows nothing of routes.
fn is_used_by_routes(fault: &Fault, contracts: &[CustomRoute]) -> bool {
    let is_it =
        |body: &CustomBody| matches!(body, CustomBody::Described(name) if Some(name) == fault.at.definition.as_ref());
    let mut bodies = contracts
        .iter()
        .flat_map(|route| route.request.iter().chain(route.responses.iter().filter_map(|(_, body)| body.as_ref())));
    fault.code == FaultCode::UnusedDefinition && bodies.any(is_it)
}

fn fault_line(fault: &Fault) -> String {
    let help = fault.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}: {}{help}", fault.at, fault.message)
}

fn lines(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Compiles the plans while the tables are made ready: with many resources, both take long.
fn compile_and_open(
    model: Checked,
    goal: &MigrationTarget<'_>,
    database: Database,
    metrics: StoreMetrics,
    options: StoreOptions,
    clock: &Clock,
) -> Result<(Arc<Plans>, Arc<dyn Store>), String> {
    let dialect = database.dialect();
    thread::scope(|scope| {
        let compiling = scope.spawn(move || Arc::new(Plans::with_clock(model, dialect, clock)));
        let mut plans = None;
        let compiled = || {
            let compiled = compiling.join().unwrap_or_else(|panic| resume_unwind(panic));
            Arc::clone(plans.insert(compiled))
        };
        let store = database.open(goal, compiled, metrics, options)?;
        plans.map(|plans| (plans, store)).ok_or_else(|| "the database has opened without its plans".to_owned())
    })
}

/// Opens the database and puts everything together.
pub(crate) fn open(
    service: ServiceDefinition,
    database: Database,
    authenticator: Arc<dyn Authenticator>,
    clock: Clock,
    base_url: &str,
    settings: &EventOptions,
) -> Result<Engine, String> {
    clock::check(SystemTime::now())?;
    let (options, consent) = (service.store_options, service.goal().consent);
    let command_retention = options.command_retention;
    let metrics = Metrics::new();
    let (migrations, migrate) = (service.migrations.as_slice(), service.migrate);
    let goal = MigrationTarget { model: &service.model.clone(), migrations, migrate, consent };
    let (plans, store) =
        compile_and_open(service.model, &goal, database, StoreMetrics::new(&metrics), options, &clock)?;
    let outbox: Arc<dyn Outbox> = Arc::<dyn Store>::clone(&store);
    let (of_store, event_metrics) = (Arc::clone(&store), EventMetrics::new(&metrics));
    let deciding = EventReading { store: of_store, clock: clock.clone(), metrics: event_metrics.clone() };
    let feed = Feed::new(outbox, Arc::clone(&plans), settings, event_metrics).deciding(deciding);
    let feed = Arc::new(feed);
    let pruning = (clock.clone(), command_retention);
    let background = Background::start(Arc::clone(&store), Arc::clone(&plans), settings, pruning, metrics.clone());
    let background = Arc::new(background.map_err(|error| format!("cannot start a thread: {error}"))?);
    let hasher = Hasher::start(&plans, &HashMetrics::new(&metrics));
    let hasher = Arc::new(hasher.map_err(|error| format!("cannot start a thread: {error}"))?);
    let (now, ids) = (clock.clone(), service.ids.clone());
    let change_runner = ChangeRunner::new(Arc::clone(&store), Arc::clone(&plans), (now, ids), hasher, &service.rules);
    let change_runner = Arc::new(change_runner);
    let authenticator = UsersBySubject::wrap(authenticator, &plans, &store, &change_runner, &clock);
    let executor = Executor::start(
        Arc::clone(&store),
        Arc::clone(&plans),
        clock.clone(),
        Arc::clone(&change_runner),
        &service.handlers,
        CommandMetrics::new(&metrics),
    );
    let executor = Arc::new(executor.map_err(|error| format!("cannot start a thread: {error}"))?);
    let base_url = Arc::from(base_url.trim_end_matches('/'));
    let (search_ttl, messages) = (SEARCH_TTL, Arc::new(service.messages));
    let routes = Arc::new(RouteTable::compile(service.routes, &plans));
    let (handle, stop) = Service::new(Arc::clone(&change_runner), clock.clone());
    let mut jobs = service.jobs;
    if plans.has_clock_transitions() {
        let (store, plans, change_runner) = (Arc::clone(&store), Arc::clone(&plans), Arc::clone(&change_runner));
        let transitions = ClockTransitions { store, plans, change_runner, clock: clock.clone() };
        jobs.push(Job::new("lifecycles", move |service| transitions.clone().run(service)));
    }
    let mut has_begun = None;
    if !executor.hooked().is_empty() {
        let (finder, begun) = HookFinder::new(Arc::clone(&store), &plans, executor.hooked());
        jobs.push(Job::new("hooks", move |service| finder.clone().run(service)));
        has_begun = Some(begun);
    }
    let jobs = Jobs::start(jobs, &handle, stop);
    let jobs = Arc::new(jobs.map_err(|error| format!("cannot start a thread: {error}"))?);
    // hooks run for what is changed from now on
    if has_begun.is_some_and(|begun| begun.recv_timeout(HOOKS_BEGIN).is_err()) {
        tracing::warn!("the events that hooks are for are not looked for yet");
    }
    let requests = Arc::new(RequestMetrics::new(
        &metrics,
        plans.router.endpoints().iter().map(|endpoint| endpoint.pattern.clone()).chain(routes.patterns()),
    ));
    let shares = Arc::new(Shares::new(&plans.service, store.read_places()));
    Ok(Engine {
        plans,
        store,
        authenticator,
        change_runner,
        executor,
        messages,
        clock,
        ids: service.ids,
        base_url,
        search_ttl,
        command_retention,
        searches: Arc::new(search_limiter()),
        edge: Arc::default(),
        shares,
        probes: Arc::default(),
        offload: Arc::new(Offload::new()),
        contracts: None,
        has_page: false,
        explains: false,
        feed,
        routes,
        service: handle,
        jobs,
        background,
        metrics,
        requests,
        active: Arc::default(),
    })
}
