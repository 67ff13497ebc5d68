//! A field is renamed in two releases, while clients of both names go on: no request fails, and no value is lost.
//!
//! Between releases the program is another one on the same database. Requests wait for that as they do at a proxy.

use restwell::testing::{Running, Setup, TestClient, bring_along};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use serde_json::{Value, json};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The field in the first release, in the one that has both names, and in the one after the day.
const RELEASES: [&str; 3] = [
    "title: { type: string, required: true, filter: true, sort: true }",
    "heading: { type: string, required: true, filter: true, sort: true, \
     formerly: { name: title, sunset: \"2027-06-30\" } }",
    "heading: { type: string, required: true, filter: true, sort: true }",
];
/// Clients of each name.
const CLIENTS: usize = 2;
/// Rounds of a client in a release, at least.
const ROUNDS: usize = 8;
/// The rounds are done by then.
const PATIENCE: Duration = Duration::from_secs(60);

fn model(release: usize) -> Checked {
    let anyone = "{ access: anyone }";
    let page = format!(
        "resource: Page\noperations: {{ create: {anyone}, list: , get: , update: {anyone}, patch: {anyone} }}\n\
         fields:\n  {}\n  note: {{ type: string }}\n",
        RELEASES[release]
    );
    let compiled = compile(&[File::new("service.yaml", "service: pages\n"), File::new("page.yaml", page)]);
    compiled.service.expect("the schemas are right").0
}

/// The service, whichever release it is.
struct Deployment<'a> {
    url: &'a str,
    running: RwLock<Option<Running>>,
}

impl Deployment<'_> {
    fn release(&self, release: usize) {
        let mut running = self.running.write().expect("no client fails");
        // dropped first: a database belongs to one program
        *running = None;
        bring_along(model(release).into_inner(), self.url).expect("the rows are kept");
        *running = Some(Setup::of(Builder::interpreted(Interpreted::of(model(release)))).database(self.url).start());
    }

    fn call<T>(&self, work: impl FnOnce(&TestClient) -> T) -> T {
        let running = self.running.read().expect("no client fails");
        work(&running.as_ref().expect("a release").client())
    }
}

/// A client that knows the field by one name, with a page of its own. Returns its page and the last value.
fn edit(
    service: &Deployment<'_>,
    name: &str,
    client: usize,
    stop: &AtomicBool,
    rounds: &AtomicUsize,
) -> (String, String) {
    let value = |round: usize| format!("{name} {client} {round}");
    let created = service.call(|it| it.post("/pages", json!({ name: value(0) })).is(201).json);
    let path = format!("/pages/{}", created["id"].as_str().expect("an id"));
    let mut round = 0;
    while !stop.load(Ordering::Relaxed) {
        let mut page = service.call(|it| it.get(&path).is(200).json);
        assert_eq!(page[name], value(round), "nothing is lost");
        round += 1;
        page[name] = json!(value(round));
        // one that changes what it has read, one that says what it knows, one that patches
        let changed = service.call(|it| match round % 3 {
            0 => it.patch(&path, json!([{ "op": "replace", "path": format!("/{name}"), "value": value(round) }])),
            1 => it.put(&path, json!({ name: value(round) })),
            _ => it.put(&path, known(&page, name)),
        });
        assert_eq!(changed.is(200).json[name], value(round));
        let query = format!("/pages?{name}={}&sort=-{name}", value(round));
        let found = service.call(|it| it.get(&query).is(200).json);
        assert_eq!((&found["count"], &found["pages"][0][name]), (&json!(1), &json!(value(round))), "{found}");
        rounds.fetch_add(1, Ordering::Relaxed);
    }
    (path, value(round))
}

/// What a client sends back of a page: in between, the release may have changed, so a name that was read may be gone.
fn known(page: &Value, name: &str) -> Value {
    json!({ name: page[name], "note": page["note"] })
}

/// Waits until a client of these has done its rounds in this release.
fn wait(rounds: &AtomicUsize) {
    let (start, before) = (Instant::now(), rounds.load(Ordering::Relaxed));
    while rounds.load(Ordering::Relaxed) < before + CLIENTS * ROUNDS {
        assert!(start.elapsed() < PATIENCE, "the clients go on");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The releases one after the other, on this database.
pub(crate) fn rename(url: &str) {
    let service = Deployment { url, running: RwLock::new(None) };
    let [stop_old, stop_new] = [const { AtomicBool::new(false) }; 2];
    let [old, new] = [const { AtomicUsize::new(0) }; 2];
    service.release(0);
    thread::scope(|scope| {
        let (service, stop_old, stop_new, old, new) = (&service, &stop_old, &stop_new, &old, &new);
        let start = |name: &'static str, stop, rounds| {
            let clients = (0..CLIENTS).map(|client| scope.spawn(move || edit(service, name, client, stop, rounds)));
            clients.collect::<Vec<_>>()
        };
        let olds = start("title", stop_old, old);
        wait(old);
        service.release(1);
        let news = start("heading", stop_new, new);
        wait(old);
        wait(new);
        // a whole page, sent back with one of the two names changed
        let page = service.call(|it| it.post("/pages", json!({ "title": "A" })).is(201).json);
        let path = format!("/pages/{}", page["id"].as_str().expect("an id"));
        for (name, value) in [("title", "B"), ("heading", "C")] {
            let mut page = service.call(|it| it.get(&path).is(200).json);
            page[name] = json!(value);
            let page = service.call(|it| it.put(&path, page).is(200).json);
            assert_eq!((&page["title"], &page["heading"]), (&json!(value), &json!(value)));
        }
        stop_old.store(true, Ordering::Relaxed);
        let mut written: Vec<_> = olds.into_iter().map(|client| client.join().expect("no request fails")).collect();
        service.release(2);
        wait(new);
        stop_new.store(true, Ordering::Relaxed);
        written.extend(news.into_iter().map(|client| client.join().expect("no request fails")));
        written.push((path, "C".to_owned()));
        assert_eq!(service.call(|it| it.get("/pages").is(200).json["count"].clone()), json!(written.len()));
        for (path, value) in written {
            let page = service.call(|it| it.get(&path).is(200).json);
            assert_eq!((&page["heading"], page.get("title")), (&json!(value), None));
        }
    });
}
