//! A database of an earlier version, migrated and served by today's program.

use crate::upgrade::events::{EventStream, Told};
use crate::upgrade::fill::SCOPES;
use crate::upgrade::fixture::Fixture;
use crate::upgrade::{COMMANDS_LASTING, LASTING};
use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::postgres::Server;
use restwell_testkit::process::{LISTEN, Service, run};
use serde_json::{Value, json};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// No command takes so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// The greatest number of events between the end of a command and its own event.
const MAX_EVENTS: usize = 10;

pub(crate) fn on_sqlite(fixture: &Fixture) {
    let folder = tempfile::tempdir().expect("a folder");
    fixture.load_sqlite(&folder.path().join("marketplace.db"));
    goes_on(folder.path(), "sqlite://marketplace.db", &fixture.seen("sqlite"));
}

pub(crate) fn on_postgres(fixture: &Fixture, server: &Server) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = server.database();
    fixture.load_postgres(&database);
    goes_on(folder.path(), database.url(), &fixture.seen("postgres"));
}

/// The database is migrated and served, with all that was seen; a second start finds it the same.
#[track_caller]
fn goes_on(folder: &Path, url: &str, seen: &Value) {
    let database = format!("--database={url}");
    let migrated = run(folder, ["migrate", &database]);
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));

    let served = Served::start(folder, &database, seen);
    served.check_entities();
    served.check_searches();
    served.check_commands();
    served.check_running();
    served.check_events();
    served.check_writes();
    served.service.stop();

    let again = Served::start(folder, &database, seen);
    again.check_searches();
    again.check_commands();
    again.check_running();
    again.check_events();
    again.service.stop();
}

/// A search as it is shown today: criteria that were not given are null, nested ones, too. Earlier versions showed these
/// as objects of nulls.
fn given(search: &Value) -> Value {
    match search {
        Value::Object(members) => {
            let members: serde_json::Map<_, _> =
                members.iter().map(|(name, value)| (name.clone(), given(value))).collect();
            if members.values().all(Value::is_null) { Value::Null } else { Value::Object(members) }
        }
        value => value.clone(),
    }
}

/// Today's service on a database of the fixture.
struct Served<'a> {
    service: Service,
    token: String,
    seen: &'a Value,
}

impl<'a> Served<'a> {
    #[track_caller]
    fn start(folder: &Path, database: &str, seen: &'a Value) -> Self {
        let service = Service::start_with(folder, &[LISTEN, database, LASTING[0], LASTING[1], COMMANDS_LASTING]);
        let token = service.token(text(&seen["user"]), SCOPES);
        Self { service, token, seen }
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.service.send(&Request::new("GET", path).bearer(&self.token)).is(200).json()
    }

    /// All are there, as they were.
    #[track_caller]
    fn check_entities(&self) {
        let entities = self.seen["entities"].as_object().expect("paths and bodies");
        assert!(entities.len() > 10, "there is something of everything");
        for (path, body) in entities {
            let found = self.get(path);
            assert!(has(&found, body), "{path}: {found}, which was {body}");
        }
    }

    /// Stored searches are there, and find what they found.
    #[track_caller]
    fn check_searches(&self) {
        let searches = self.seen["searches"].as_array().expect("searches");
        assert!(!searches.is_empty());
        for search in searches {
            let (path, list) = (text(&search["path"]), text(&search["list"]));
            let stored = self.get(path);
            assert!(has(&stored, &given(&search["body"])), "{path}: {stored}");
            let page = self.get(list);
            let found = page[text(&search["collection"])].as_array().expect("a list");
            let found: Vec<_> = found.iter().map(|entity| &entity["id"]).collect();
            assert_eq!(json!(found), search["found"], "{list}");
        }
    }

    /// Commands that had ended have the same end.
    #[track_caller]
    fn check_commands(&self) {
        let commands = self.seen["commands"].as_object().expect("paths and outcomes");
        assert!(!commands.is_empty());
        for (path, outcome) in commands {
            let found = self.get(path);
            assert!(has(&found, outcome), "{path}: {found}, which was {outcome}");
        }
    }

    /// The command that a kill interrupted is executed.
    #[track_caller]
    fn check_running(&self) {
        let path = text(&self.seen["running"]["path"]);
        let begun = Instant::now();
        let ended = loop {
            let found = self.get(path);
            if found["status"] != "RUNNING" {
                break found;
            }
            assert!(begun.elapsed() < PATIENCE, "it is never executed: {found}");
            thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
        let shipment = self.get(text(&self.seen["running"]["target"]));
        assert_eq!(shipment["status"], "DISPATCHED");
        assert_eq!(shipment["dispatchedAt"], ended["dispatchedAt"], "{ended}");
    }

    /// A client that comes back with its cursor gets the events that follow it, then those of the command, once.
    #[track_caller]
    fn check_events(&self) {
        let events = &self.seen["events"];
        let mut stream = EventStream::after(self.service.address(), text(&events["cursor"]), &self.token);
        let mut last = String::new();
        for known in events["following"].as_array().expect("events") {
            let Told { cursor, event } = stream.next();
            assert!(has(&event, known), "{event}, which was {known}");
            last = cursor;
        }
        let target = text(&self.seen["running"]["target"]).rsplit('/').next().expect("an id");
        // the cursor of today's stream leads on as well
        let mut stream = EventStream::after(self.service.address(), &last, &self.token);
        let mut is_changed = false;
        for _ in 0..MAX_EVENTS {
            let event = stream.next().event;
            assert_eq!(event["subject"], target, "{event}");
            match text(&event["type"]) {
                "marketplace.shipment.updated" => is_changed = true,
                "marketplace.shipment.dispatch-command.successful" => return assert!(is_changed, "its effect is told"),
                other => panic!("{other} is unexpected"),
            }
        }
        panic!("the end of the command has no event");
    }

    /// Stored entities keep their constraints and can be changed; the events of these changes follow the others.
    #[track_caller]
    fn check_writes(&self) {
        let user = text(&self.seen["user"]);
        let taken = self.get(&format!("/users/{user}"));
        let double = json!({ "name": "double", "email": taken["email"] });
        let refused = self.service.send(&Request::post("/users", &double)).is(422);
        assert_eq!(refused.codes(), ["NotUnique"], "the address is taken");
        let referred = Request::new("DELETE", &format!("/users/{user}")).bearer(&self.token);
        assert_eq!(self.service.send(&referred).is(422).codes(), ["StillReferenced"]);

        let paths = self.seen["entities"].as_object().expect("paths").keys();
        let offer = paths.clone().find(|path| path.starts_with("/offers/")).expect("an offer");
        let body = market::offer(user, "changed today");
        self.service.send(&Request::new("PUT", offer).json(&body).bearer(&self.token)).is(200);
        assert_eq!(self.get(offer)["name"], "changed today");
        let created = self.service.send(&market::sell(&body).bearer(&self.token)).is(201).id();

        let mut stream = EventStream::after(self.service.address(), text(&self.seen["events"]["cursor"]), &self.token);
        let known = self.seen["events"]["following"].as_array().expect("events").len();
        let later: Vec<_> = (0..known + MAX_EVENTS)
            .map(|_| stream.next().event)
            .skip(known)
            .take_while(|event| event["subject"] != created.as_str())
            .collect();
        assert!(later.iter().any(|event| event["data"]["name"] == "changed today"), "{later:?}");
    }
}

/// Whether today's value has all that the recorded one has: a later version may add members.
fn has(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            then.iter().all(|(name, then)| now.get(name).is_some_and(|now| has(now, then)))
        }
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| has(now, then))
        }
        _ => now == then,
    }
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text"))
}
