//! `restwell dev`: a service that changes while it is served.
//!
//! Schemas are served by interpretation as soon as they are saved. A project with code of its own is also built; its
//! program takes over the port and the database once it is ready, and gives them back when the schemas change again:
//! a database file belongs to one engine at a time.

use super::current_engine::{Answering, CurrentEngine};
use super::interpreted::ProgramOptions;
use super::server::Server;
use super::serving::ReadyService;
use super::{check, handover};
use crate::migrations::followed;
use crate::program_name::set_program_name;
use crate::serve::Engine;
use crate::service::{self, Builder, Interpreted, ServiceDefinition};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two checks of a program that serves.
const INTERVAL: Duration = Duration::from_millis(250);

/// The next service to serve.
#[derive(Debug)]
pub enum DevelopmentChange {
    /// These schemas, interpreted.
    Schemas(Box<Interpreted>),
    /// The program that was built of the schemas that are served.
    Program(PathBuf),
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DevelopmentOutcome {
    /// It is served, after so long.
    Served(Duration),
    /// The reason why the service before continues.
    Refused(String),
}

/// Serves an interpreted service, and each change from when it comes, in its place. `told` gets what became of it. A
/// program is started with `arguments`.
///
/// # Errors
///
/// A sentence for people: the first one cannot be served.
pub fn serve_in_development(
    first: Interpreted,
    options: &ProgramOptions,
    (program, arguments): (&str, Vec<OsString>),
    changes: Receiver<DevelopmentChange>,
    told: impl Fn(DevelopmentOutcome) + Send + 'static,
) -> Result<(), String> {
    set_program_name(program);
    let options = options.serving();
    if options.check {
        return check::check(Builder::interpreted(first), options);
    }
    let (ready, engine, stop) = ReadyService::prepare(Builder::interpreted(first.clone()), options)?;
    let served = Served::interpreted(&ready, engine)?;
    if let Served::Interpreted { server, .. } = &served {
        ready.announce(server);
    }
    let development = Arc::new(Mutex::new(Some(Development { ready, arguments, last: first, served })));
    let changed = Arc::clone(&development);
    std::thread::spawn(move || {
        loop {
            let change = changes.recv_timeout(INTERVAL);
            let started = Instant::now();
            let mut development = changed.lock().unwrap_or_else(PoisonError::into_inner);
            // it ends
            let Some(development) = &mut *development else { return };
            let done = match change {
                Ok(change) => development.change(change),
                Err(RecvTimeoutError::Timeout) if development.has_ended() => Err(development.back_from_program()),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            told(match done {
                Ok(()) => DevelopmentOutcome::Served(started.elapsed()),
                Err(reason) => DevelopmentOutcome::Refused(reason),
            });
        }
    });
    stop.wait();
    let development = development.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Development { ready, served, .. }) = development {
        ready.finish(|| served.stop());
    }
    Ok(())
}

struct Development {
    ready: ReadyService,
    /// Of programs.
    arguments: Vec<OsString>,
    /// The schemas that were served last.
    last: Interpreted,
    served: Served,
}

enum Served {
    Interpreted {
        server: Server,
        current: Arc<CurrentEngine>,
    },
    Program(Child),
    /// While one takes the place of the other, and after both have failed.
    Nothing,
}

impl Served {
    fn interpreted(ready: &ReadyService, engine: Engine) -> Result<Self, String> {
        let current = Arc::new(CurrentEngine::new(engine));
        let server = ready.server(Answering::Current(Arc::clone(&current)))?;
        Ok(Self::Interpreted { server, current })
    }

    /// Waits for requests in flight and closes the database.
    fn stop(self) {
        match self {
            Self::Interpreted { server, .. } => server.stop(),
            Self::Program(child) => handover::stop(child),
            Self::Nothing => {}
        }
    }
}

impl Development {
    fn change(&mut self, change: DevelopmentChange) -> Result<(), String> {
        match change {
            DevelopmentChange::Schemas(next) => self.interpret(*next),
            DevelopmentChange::Program(program) => self.run(&program),
        }
    }

    /// Serves other schemas. Where they cannot be served, those before go on, interpreted.
    fn interpret(&mut self, next: Interpreted) -> Result<(), String> {
        let now = definition(&next)?;
        self.check_rows(&now)?;
        if let Served::Interpreted { current, .. } = &self.served {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let (opener, last) = (&self.ready.opener, &self.last);
            let again = || opener.open(definition(last)?);
            let changed = current.change(|| opener.open(now), again);
            runtime.map_err(|error| error.to_string())?.block_on(changed)?;
        } else {
            std::mem::replace(&mut self.served, Served::Nothing).stop();
            if let Err(reason) = self.open(now) {
                return Err(self.back(reason));
            }
        }
        self.last = next;
        Ok(())
    }

    /// Lets a program take over. Where it does not serve, the schemas are interpreted again.
    fn run(&mut self, program: &Path) -> Result<(), String> {
        let listener = self.ready.listener()?;
        let arguments = self.program_arguments()?;
        std::mem::replace(&mut self.served, Served::Nothing).stop();
        match handover::start(program, &arguments, listener) {
            Ok(child) => {
                self.served = Served::Program(child);
                Ok(())
            }
            Err(reason) => Err(self.back(reason)),
        }
    }

    fn open(&mut self, service: ServiceDefinition) -> Result<(), String> {
        let engine = self.ready.opener.open(service)?;
        self.served = Served::interpreted(&self.ready, engine)?;
        Ok(())
    }

    /// Whether a program serves no longer, without having been asked to end.
    fn has_ended(&mut self) -> bool {
        match &mut self.served {
            Served::Program(child) => !matches!(child.try_wait(), Ok(None)),
            Served::Interpreted { .. } | Served::Nothing => false,
        }
    }

    fn back_from_program(&mut self) -> String {
        self.served = Served::Nothing;
        self.back("the program has ended; the schemas are interpreted again".to_owned())
    }

    /// Interprets what was served last; why something else is not served, and this perhaps neither.
    fn back(&mut self, reason: String) -> String {
        match definition(&self.last).and_then(|last| self.open(last)) {
            Ok(()) => reason,
            Err(error) => format!("{reason}\n{error}"),
        }
    }

    /// Whether the rows can be brought along, before anything ends. The database has the model that was served last.
    fn check_rows(&self, service: &ServiceDefinition) -> Result<(), String> {
        let database = self.ready.opener.database(service)?.to_string();
        followed(&self.last.model, &service.goal(), &database).map(drop)
    }

    /// What a program is started with. Its database is that of the schemas, unless the command line names another.
    fn program_arguments(&self) -> Result<Vec<OsString>, String> {
        let mut arguments = vec!["serve".into(), "--under-dev".into()];
        arguments.extend(self.arguments.iter().cloned());
        if let Some(file) = self.ready.opener.own_file(&definition(&self.last)?) {
            arguments.extend(["--database".into(), format!("sqlite://{}", file.display()).into()]);
        }
        Ok(arguments)
    }
}

fn definition(interpreted: &Interpreted) -> Result<ServiceDefinition, String> {
    service::check(Builder::interpreted(interpreted.clone()))
}
