//! Fields (in an object, an array and a command as well), a resource, a view and a command are renamed in two releases, while clients of both
//! names go on. Between releases the program is exchanged as `docs/operate/upgrades.md` says: it is asked to end, `migrate`
//! runs, and the next one inherits the same listening socket. Clients notice that a response takes longer, and nothing
//! else: none is refused, and none gets a 503.

use crate::persistent::{Habit, PersistentClient};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_model::compatibility::{Procedure, judge};
use restwell_testkit::http::Reply;
use restwell_testkit::process::{Service, inheriting, other_program};
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};
use uuid::Uuid;

const RELEASES: usize = 3;
/// When the former names go.
const SUNSET: &str = "2027-06-30";
/// The days on which the second and the third release come.
const DAYS: [&str; 2] = ["2027-01-01", "2027-07-01"];
/// Clients of each name, by what they do with their connections.
const CLIENTS: [Habit; 4] = [Habit::Close, Habit::Keep, Habit::Close, Habit::Keep];
/// Rounds of the clients of a name in a release, at least.
const ROUNDS: usize = 2 * CLIENTS.len();
/// Those rounds are done by then.
const PATIENCE: Duration = Duration::from_secs(60);
/// The release that this program is to be.
const RELEASE: &str = "RESTWELL_TESTS_RELEASE";

/// What a client calls things.
struct Names {
    offers: &'static str,
    offer: &'static str,
    title: &'static str,
    city: &'static str,
    code: &'static str,
    reason: &'static str,
    open: &'static str,
    end: &'static str,
}

const OLD: Names = Names {
    offers: "offers",
    offer: "offer",
    title: "title",
    city: "city",
    code: "code",
    reason: "reason",
    open: "open",
    end: "end",
};
const NEW: Names = Names {
    offers: "listings",
    offer: "listing",
    title: "heading",
    city: "town",
    code: "key",
    reason: "cause",
    open: "fresh",
    end: "finish",
};

/// The first release, the one that has both names, and the one after the day.
fn model(release: usize) -> Checked {
    let Names { title, city, code, reason, open, end, .. } = if release == 0 { OLD } else { NEW };
    let former = |name: &str, before: &str| match release {
        1 => format!("{before}formerly: {{ name: {name}, sunset: \"{SUNSET}\" }}"),
        _ => String::new(),
    };
    let anyone = "{ access: anyone }";
    let offer = format!(
        "resource: {}\n{}\nsearch: true\n\
         operations: {{ create: {anyone}, list: , get: , update: {anyone}, patch: {anyone} }}\n\
         views:\n  {open}:\n    operations: [list, get]\n{}\n\
         commands:\n  {end}:\n    access: anyone\n{}    input: {{ {reason}: {{ type: string, required: true{} }} }}\n\
         lifecycle:\n  field: status\n  initial: ACTIVE\n  final: [ENDED]\n  transitions:\n    \
         {end}: {{ from: ACTIVE, to: ENDED }}\n\
         fields:\n  key: {{ type: string, required: true, unique: true, filter: true }}\n  \
         {title}: {{ type: string, required: true, filter: true, sort: true{} }}\n  \
         place:\n    type: object\n    fields:\n      \
         {city}: {{ type: string, required: true, filter: true, sort: true{} }}\n      street: {{ type: string }}\n  \
         lines:\n    type: array\n    items:\n      type: object\n      fields:\n        \
         {code}: {{ type: string, required: true{} }}\n  \
         status: {{ type: enum, values: [ACTIVE, ENDED], readOnly: true, filter: true }}\n",
        if release == 0 { "Offer" } else { "Listing" },
        former("Offer", ""),
        former(OLD.open, "    "),
        former(OLD.end, "    ") + "\n",
        former(OLD.reason, ", "),
        former(OLD.title, ", "),
        former(OLD.city, ", "),
        former(OLD.code, ", "),
    );
    let compiled = compile(&[File::new("service.yaml", "service: market\n"), File::new("offer.yaml", offer)]);
    compiled.service.unwrap_or_else(|| panic!("the schemas are wrong: {:?}", compiled.diagnostics)).0
}

/// The program of a release, where the environment says that this one is it.
pub(crate) fn program() -> Option<ExitCode> {
    let release = std::env::var(RELEASE).ok()?.parse().ok()?;
    Some(restwell::main(Builder::interpreted(Interpreted { mock_commands: true, ..Interpreted::of(model(release)) })))
}

/// Where the service is, whichever release it is.
struct Deployment<'a> {
    folder: &'a Path,
    database: String,
    /// Open as long as the test: what systemd does for a service.
    listener: TcpListener,
}

impl Deployment<'_> {
    fn command(&self, release: usize, arguments: &[&str]) -> Command {
        let this = std::env::current_exe().expect("a test is a program");
        let mut command = other_program(&this, self.folder);
        command.env(RELEASE, release.to_string()).args(arguments).arg(&self.database);
        command
    }

    fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a socket has an address")
    }

    fn start(&self, release: usize) -> Service {
        let service = Service::spawn(&mut inheriting(&self.command(release, &[]), &self.listener), self.folder);
        assert_eq!(service.address(), self.address());
        service
    }

    fn migrate(&self, release: usize, options: &[&str]) -> String {
        let arguments = [&["migrate"], options].concat();
        let output = self.command(release, &arguments).output().expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A release takes the place of the one before. These clients wait meanwhile.
    fn exchange(&self, running: Service, release: usize, clients: &Clients<'_>) -> Service {
        let planned = self.migrate(release, &["--dry-run"]);
        running.stop();
        clients.wait_until_all_wait();
        let done = self.migrate(release, &[]);
        assert_ne!(planned, done, "the first one said what it would do");
        self.start(release)
    }
}

/// What was acknowledged to a client.
struct Stored {
    id: String,
    key: String,
    title: String,
    city: String,
    /// By a field that is not renamed, and by one that is.
    searches: [String; 2],
    command: Uuid,
}

/// A client that knows these names makes an offer, and goes on with it until it ends.
fn round(client: &mut PersistentClient<'_>, names: &'static Names) -> Stored {
    let Names { offers, offer, title, city, code, reason, open, end } = names;
    let key = Uuid::now_v7().to_string();
    let [titles, cities] = ["title", "city"].map(|kind| [0, 1, 2].map(|number| format!("{kind}-{number}-{key}")));
    let body = |number: usize| {
        let place = json!({ (*city): cities[number], "street": "Long" });
        let lines = json!([{ (*code): titles[number] }, { (*code): key }]);
        json!({ "key": key, (*title): titles[number], "place": place, "lines": lines })
    };
    let is_as = |reply: &Reply, number: usize| {
        let found = reply.json();
        let expected = (&json!(titles[number]), &json!(cities[number]), &json!("Long"));
        let place = &found["place"];
        assert_eq!((&found[title], &place[city], &place["street"]), expected, "{found}");
        let lines = [0, 1].map(|line| &found["lines"][line][code]);
        assert_eq!(lines, [&json!(titles[number]), &json!(key)], "{found}");
    };
    let id = client.post(&format!("/{offers}"), &body(0)).is(201).id();
    let path = format!("/{offers}/{id}");
    is_as(&client.get(&path).is(200), 0);
    is_as(&client.put(&path, &body(1)).is(200), 1);
    is_as(&client.get(&path).is(200), 1);
    let operation = |path: String, value: &str| json!({ "op": "replace", "path": path, "value": value });
    let operations = [
        operation(format!("/{title}"), &titles[2]),
        operation(format!("/place/{city}"), &cities[2]),
        operation(format!("/lines/0/{code}"), &titles[2]),
    ];
    is_as(&client.patch(&path, &json!(operations)).is(200), 2);
    let criteria = [json!({ "key": key }), json!({ "place": { (*city): cities[2] }, "lines": [{ (*code): key }] })];
    let searches = criteria.map(|it| client.post(&format!("/{offer}-searches"), &it).is(201).id());
    for list in [
        format!("/{offers}?{title}={}&place.{city}={}&sort=-{title},place.{city}", titles[2], cities[2]),
        format!("/{open}/{offers}?{title}={}", titles[2]),
        format!("/{offers}?search.id={}", searches[0]),
        format!("/{open}/{offers}?search.id={}", searches[1]),
    ] {
        let found = client.get(&list).is(200).json();
        assert_eq!((&found["count"], &found[offers][0]["id"]), (&json!(1), &json!(id)), "{list}: {found}");
    }
    is_as(&client.get(&format!("/{open}/{offers}/{id}")).is(200), 2);
    let command = run(client, &format!("{path}/{end}-commands"), end, (reason, &key));
    assert_eq!(client.get(&path).is(200).json()["status"], "ENDED");
    let [.., title] = titles;
    let [.., city] = cities;
    Stored { id, key, title, city, searches, command }
}

/// Runs a command to its end, under an id of the client's own, which it sends twice.
fn run(client: &mut PersistentClient<'_>, commands: &str, end: &str, (reason, cause): (&str, &str)) -> Uuid {
    let command = Uuid::now_v7();
    let path = format!("{commands}/{command}");
    for _ in 0..2 {
        assert_eq!(client.put(&path, &json!({ reason: cause })).is(201).id(), command.to_string());
    }
    let start = Instant::now();
    loop {
        let found = client.get(&path).is(200).json();
        assert_eq!(found[reason], cause, "{found}");
        match found["status"].as_str() {
            Some("SUCCESSFUL") => break,
            status => assert_eq!(status, Some("RUNNING"), "{found}"),
        }
        assert!(start.elapsed() < PATIENCE, "the command ends: {found}");
        thread::sleep(Duration::from_millis(5));
    }
    let list = client.get(commands).is(200).json();
    let listed = (&list["count"], &list[format!("{end}Commands")][0]["id"]);
    assert_eq!(listed, (&json!(1), &json!(command.to_string())), "{list}");
    command
}

/// The clients of a name. They stop when this is dropped, so that a failure ends the test.
struct Clients<'scope> {
    handles: Vec<ScopedJoinHandle<'scope, Vec<Stored>>>,
    state: &'scope State,
}

/// What clients of a name share.
#[derive(Default)]
struct State {
    is_over: AtomicBool,
    rounds: AtomicUsize,
    waiting: AtomicUsize,
}

impl<'scope> Clients<'scope> {
    fn start<'env>(
        scope: &'scope thread::Scope<'scope, 'env>,
        address: SocketAddr,
        names: &'static Names,
        state: &'scope State,
    ) -> Self {
        let work = move |habit| {
            let (mut client, mut stored) = (PersistentClient::of(address, habit, &state.waiting), Vec::new());
            while !state.is_over.load(Ordering::Relaxed) {
                stored.push(round(&mut client, names));
                state.rounds.fetch_add(1, Ordering::Relaxed);
            }
            stored
        };
        Self { handles: CLIENTS.map(|habit| scope.spawn(move || work(habit))).into(), state }
    }

    /// Waits until they have done their rounds in this release.
    fn wait(&self) {
        let (start, before) = (Instant::now(), self.state.rounds.load(Ordering::Relaxed));
        while self.state.rounds.load(Ordering::Relaxed) < before + ROUNDS {
            assert!(start.elapsed() < PATIENCE, "the clients go on");
            assert!(!self.handles.iter().any(ScopedJoinHandle::is_finished), "a client has failed");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until each has sent a request that nobody answers yet.
    fn wait_until_all_wait(&self) {
        let start = Instant::now();
        while self.state.waiting.load(Ordering::SeqCst) < CLIENTS.len() {
            assert!(start.elapsed() < PATIENCE, "each client sends a request");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn stop(mut self) -> Vec<Stored> {
        self.state.is_over.store(true, Ordering::Relaxed);
        std::mem::take(&mut self.handles)
            .into_iter()
            .flat_map(|client| client.join().expect("no request fails"))
            .collect()
    }
}

impl Drop for Clients<'_> {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
    }
}

/// `diff` calls the first release safe, and the second one announced.
fn is_announced() {
    let models: Vec<_> = (0..RELEASES).map(model).collect();
    for (pair, day) in models.windows(2).zip(DAYS) {
        let judgements = judge(&pair[0], &pair[1], day.parse().expect("a day"));
        assert!(judgements.len() >= 7, "the seven names: {judgements:?}");
        assert!(judgements.iter().all(|it| it.remaining() == Procedure::Safe), "{judgements:?}");
    }
}

/// The releases one after the other, on this database.
pub(crate) fn rename(url: &str) {
    is_announced();
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let deployment = Deployment { folder: folder.path(), database: format!("--database={url}"), listener };
    let running = deployment.start(0);
    let [old, new] = [State::default(), State::default()];
    let stored = thread::scope(|scope| {
        let olds = Clients::start(scope, deployment.address(), &OLD, &old);
        olds.wait();
        let running = deployment.exchange(running, 1, &olds);
        let news = Clients::start(scope, deployment.address(), &NEW, &new);
        olds.wait();
        news.wait();
        let mut stored = olds.stop();
        let running = deployment.exchange(running, 2, &news);
        news.wait();
        stored.extend(news.stop());
        is_there(&deployment, &stored);
        running.stop();
        stored
    });
    assert!(stored.len() >= 5 * ROUNDS, "{} rounds", stored.len());
}

/// What was acknowledged is there once, under its new name.
fn is_there(deployment: &Deployment<'_>, stored: &[Stored]) {
    let waiting = AtomicUsize::new(0);
    let mut client = PersistentClient::of(deployment.address(), Habit::Keep, &waiting);
    assert_eq!(client.get("/listings?limit=0").is(200).json()["count"], json!(stored.len()));
    for Stored { id, key, title, city, searches: [by_key, by_city], command } in stored {
        let path = format!("/listings/{id}");
        let found = client.get(&path).is(200).json();
        let expected = json!({ "town": city, "street": "Long" });
        let lines = json!([{ "key": title }, { "key": key }]);
        let found_values = (&found["heading"], &found["place"], &found["lines"]);
        assert_eq!(found_values, (&json!(title), &expected, &lines), "{found}");
        assert_eq!((found.get("title"), &found["status"]), (None, &json!("ENDED")), "{found}");
        for query in [format!("key={key}"), format!("heading={title}"), format!("search.id={by_key}")] {
            let list = client.get(&format!("/fresh/listings?{query}")).is(200).json();
            assert_eq!((&list["count"], &list["listings"]), (&json!(1), &json!([found])), "{query}: {list}");
        }
        let found = client.get(&format!("/listings?search.id={by_city}"));
        assert_eq!(found.is(200).json()["count"], 1, "whichever names it was made with");
        let list = client.get(&format!("{path}/finish-commands")).is(200).json();
        let first = &list["finishCommands"][0];
        let listed = (&list["count"], &first["id"], &first["status"]);
        assert_eq!(listed, (&json!(1), &json!(command.to_string()), &json!("SUCCESSFUL")), "{list}");
        assert_eq!((&first["cause"], first.get("reason")), (&json!(key), None), "{list}");
        for former in [format!("/offers/{id}"), format!("/open/listings/{id}"), format!("{path}/end-commands")] {
            client.get(&former).is(404);
        }
    }
}
