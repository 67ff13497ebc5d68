//! The users of a service that are found by the subjects of their tokens (`users: { resource, subject }`), and made at
//! their first (`provision`).

use crate::auth::DEVELOPMENT_ISSUER;
use crate::auth::authenticator::{Authentication, AuthenticationResult, Authenticator, Credentials, Denied};
use crate::auth::caller::{Caller, Subject};
use crate::clock::Clock;
use crate::etag::Preconditions;
use crate::logic::change_runner::ChangeRunner;
use crate::logic::defaults::{self, Creation};
use crate::logic::rejection::Cause;
use crate::observe::trace::Trace;
use crate::plan::cell::Cell;
use crate::plan::permission::Permit;
use crate::plan::query::Query;
use crate::plan::viewer::Viewer;
use crate::plan::{ColumnIndex, Plans, ResourceIndex};
use crate::store::{Change, ChangeKind, Read, Refusal, RepresentationId, Store};
use restwell_model::tables::ID;
use restwell_model::{Problem, UserSubjects};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How long a user that was found is known without another look.
const KNOWN_FOR: Duration = Duration::from_secs(2);
/// Users that are known so at most. Beyond it they are looked for each time.
const MAX_KNOWN: usize = 10_000;

/// How often a user is looked for that another request is about to make.
const TRIES: u32 = 10;
/// The pause after the first look; each is as much longer.
const PAUSE: Duration = Duration::from_millis(5);

/// An authenticator, and the users that its callers are.
pub(crate) struct UsersBySubject {
    credentials: Arc<dyn Authenticator>,
    directory: Directory,
}

/// Finds and makes users.
struct Directory {
    store: Arc<dyn Store>,
    change_runner: Arc<ChangeRunner>,
    plans: Arc<Plans>,
    clock: Clock,
    users: ResourceIndex,
    subjects: UserSubjects,
    /// The column of the subjects.
    column: ColumnIndex,
    known: Mutex<HashMap<Subject, (Uuid, Instant)>>,
    /// Held while a user is created: SQLite commits concurrent writes together, and two with one id would fail all.
    making: tokio::sync::Mutex<()>,
}

impl UsersBySubject {
    /// Of a service whose users have subjects; otherwise the authenticator as it is.
    pub(crate) fn wrap(
        credentials: Arc<dyn Authenticator>,
        plans: &Arc<Plans>,
        store: &Arc<dyn Store>,
        change_runner: &Arc<ChangeRunner>,
        clock: &Clock,
    ) -> Arc<dyn Authenticator> {
        let service = &plans.service;
        let users = service.users.as_deref().and_then(|users| plans.resource(users));
        let Some(((users, plan), subjects)) = users.zip(service.user_subjects.clone()) else { return credentials };
        let Some(slot) = plan.table.slot(&subjects.subject) else { return credentials };
        let directory = Directory {
            store: Arc::clone(store),
            change_runner: Arc::clone(change_runner),
            plans: Arc::clone(plans),
            clock: clock.clone(),
            users,
            column: slot.columns.start.into(),
            subjects,
            known: Mutex::default(),
            making: tokio::sync::Mutex::default(),
        };
        Arc::new(Self { credentials, directory })
    }
}

impl Authenticator for UsersBySubject {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match self.credentials.authenticate(credentials) {
            Authentication::Known(Ok(Some(caller))) => match self.directory.known(&caller) {
                Some(id) => Ok(Some(Caller { id, ..caller })).into(),
                None => Authentication::waits(self.directory.identify(caller)),
            },
            Authentication::Known(found) => found.into(),
            Authentication::Waits(finding) => Authentication::waits(async {
                match finding.await? {
                    Some(caller) => self.directory.identify(caller).await,
                    None => Ok(None),
                }
            }),
        }
    }
}

impl Directory {
    /// The user that this caller was a moment ago. A caller without a subject is a user by the id. `None`: the user has
    /// to be looked for.
    fn known(&self, caller: &Caller) -> Option<Uuid> {
        let Some(subject) = &caller.subject else { return Some(caller.id) };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(subject).filter(|(_, since)| since.elapsed() < KNOWN_FOR).map(|(id, _)| *id)
    }

    fn learn(&self, subject: &Subject, id: Uuid) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.retain(|_, (_, since)| since.elapsed() < KNOWN_FOR);
        }
        if known.len() < MAX_KNOWN {
            known.insert(subject.clone(), (id, Instant::now()));
        }
    }

    /// The caller as the user that the subject is of.
    async fn identify(&self, mut caller: Caller) -> AuthenticationResult {
        if let Some(id) = self.known(&caller) {
            return Ok(Some(Caller { id, ..caller }));
        }
        let Some(subject) = caller.subject.clone() else { return Ok(Some(caller)) };
        let found = match self.find(&subject).await? {
            None => self.make(&subject, &caller).await?,
            found => found,
        };
        match found {
            Some(id) => {
                self.learn(&subject, id);
                caller.id = id;
            }
            // not a known user: a subject that is written like an id must not match the user with that id
            None => caller.id = subject.id(),
        }
        Ok(Some(caller))
    }

    /// The user with this subject. With the development key one can also be any user by the id.
    async fn find(&self, subject: &Subject) -> Result<Option<Uuid>, Denied> {
        let mut query = Query { limit: 1, ..Query::default() };
        query.allow(self.column, Cell::Text(subject.key()));
        if let Some(found) = self.look(Read::Many(self.users, query)).await? {
            return Ok(Some(found));
        }
        match subject.user_id().filter(|_| subject.issuer == DEVELOPMENT_ISSUER) {
            Some(id) => self.look(Read::One(self.users, id)).await,
            None => Ok(None),
        }
    }

    async fn look(&self, read: Read) -> Result<Option<Uuid>, Denied> {
        let found = self.store.look(read, Vec::new()).await.map_err(|error| unavailable(&error.into()))?;
        Ok(found.rows.first().and_then(|row| row.get(ID)?.uuid()))
    }

    /// Makes a user of the claims, where that is wanted.
    async fn make(&self, subject: &Subject, caller: &Caller) -> Result<Option<Uuid>, Denied> {
        let Some(provision) = &self.subjects.provision else { return Ok(None) };
        let _turn = self.making.lock().await;
        if let Some(found) = self.find(subject).await? {
            return Ok(Some(found));
        }
        let id = subject.id();
        if self.look(Read::One(self.users, id)).await?.is_some() {
            // another instance may have made the user since
            let found = self.find(subject).await?;
            let changed = || "the user that was made of this subject has another one now".to_owned();
            return found.map(Some).ok_or_else(|| Denied::InvalidBecause(changed()));
        }
        let mut values: Map<String, Json> =
            provision.iter().filter_map(|(field, claim)| Some((field.clone(), caller.claim(claim)?.clone()))).collect();
        values.insert(self.subjects.subject.clone(), subject.key().into());
        let plan = &self.plans.resources[self.users];
        let mut value = plan.repository.read(&Json::from(values).to_string()).map_err(|problems| refused(&problems))?;
        let caller = Caller { id, ..caller.clone() };
        let (now, blank) = (self.clock.now().millis(), plan.blank_defaults(&value));
        let creation = Creation { id, now, caller: Some(&caller) };
        let read = |read| async { self.store.look(read, Vec::new()).await };
        let filled = defaults::fill(&self.plans, (plan, &blank), creation, &mut value, read).await;
        let problems = filled.map_err(|error| unavailable(&error.into()))?;
        if !problems.is_empty() {
            return Err(refused(&problems));
        }
        let change = Change {
            at: RepresentationId::canonical(self.users),
            id,
            now,
            permit: Permit::All,
            viewer: Viewer::Everything,
            preconditions: Preconditions::default(),
            is_dry_run: false,
            trace: Trace::new().by(Some(id)),
            author: None,
            faulty: Vec::new(),
            given: Vec::new(),
            is_transition: false,
            kind: ChangeKind::Create(value),
        };
        match self.change_runner.change(change, Some(&caller)).await {
            Ok(_) => Ok(Some(id)),
            Err(cause) => match self.made_by_another(subject, &cause).await? {
                Some(found) => Ok(Some(found)),
                None => Err(failed(cause)),
            },
        }
    }

    /// The user, if a request of theirs to another instance was faster. It may not be committed yet.
    async fn made_by_another(&self, subject: &Subject, cause: &Cause) -> Result<Option<Uuid>, Denied> {
        let tries = if matches!(cause, Cause::Store(Refusal::Failed(_) | Refusal::Conflict)) { TRIES } else { 1 };
        for tries in 1..=tries {
            if let Some(found) = self.find(subject).await? {
                return Ok(Some(found));
            }
            tokio::time::sleep(PAUSE * tries).await;
        }
        Ok(None)
    }
}

fn unavailable(refusal: &Refusal) -> Denied {
    Denied::Unavailable(format!("the users: {refusal:?}"))
}

fn failed(cause: Cause) -> Denied {
    match cause {
        Cause::Problems(problems) | Cause::Store(Refusal::Invalid(problems)) => refused(&problems),
        Cause::Store(refusal) => unavailable(&refusal),
        Cause::Upstream(_, reason) | Cause::Unforeseen(reason) | Cause::RulesTooDeep(reason) => {
            Denied::Unavailable(format!("no user can be made of the token: {reason}"))
        }
    }
}

/// The claims do not make a user.
fn refused(problems: &[Problem]) -> Denied {
    let text = |problem: &Problem| format!("`{}` {}", problem.path.as_deref().unwrap_or_default(), problem.message());
    let problems: Vec<_> = problems.iter().map(text).collect();
    Denied::InvalidBecause(format!("no user can be made of the token: {}", problems.join(", ")))
}
