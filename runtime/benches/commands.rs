//! Durable commands beside plain creations, in one run: how many a second, and how long from PUT to SUCCESSFUL.
//!
//! A number of concurrent clients, on an SQLite file or on the empty database of `COMMANDS_DATABASE`, through the axum
//! router. A client of commands sends a PUT, is answered when the command is durable, and waits for the event that
//! tells its end before it sends the next; a client of creations is done with the answer. `COMMANDS_CLIENTS` and
//! `COMMANDS_SECONDS` set how many and how long.

use axum::Router;
use axum::body::{Body, to_bytes};
use futures_util::StreamExt;
use http::{Method, Request, header};
use restock::{Restock, restock};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tower::ServiceExt;
use uuid::Uuid;

#[path = "../examples/offers/model.rs"]
mod model;
#[path = "../examples/offers/restock.rs"]
mod restock;

// as the programs of services have it
#[global_allocator]
static ALLOCATOR: restwell::Allocator = restwell::Allocator;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
const BODY: &str = r#"{"name":"A quiet garden bench","category":"GARDEN","buyNow":{"amount":"129.90","currency":"PLN"},
    "active":true,"stock":3,"address":{"city":"Poznań","countryCode":"PL"}}"#;

fn main() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (clients, seconds) = (number("COMMANDS_CLIENTS", 64), number("COMMANDS_SECONDS", 5));
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::env::set_current_dir(folder.path()).expect("the folder is there");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let service = model::service().handle::<Restock, _, _>(restock);
    let database = std::env::var("COMMANDS_DATABASE").unwrap_or_else(|_| "sqlite://commands.db".to_owned());
    let router = restwell::router(service, &database).expect("the service opens");
    let length = Duration::from_secs(seconds as u64);
    runtime.block_on(async {
        println!("{clients} clients, {seconds} s each");
        println!("{:<34}{:>10}{:>12}{:>12}", "", "a second", "p50", "p99");
        // twice each and in turns: the first warms up
        for round in ["warm-up", "measured"] {
            let creations = together(&router, clients, length, create).await;
            print_times(&format!("creations ({round})"), &creations, length);
            let ends = Arc::new(Ends::default());
            let events = open_events(&router).await;
            let listening = tokio::spawn(listen(events, Arc::clone(&ends)));
            let offers = Arc::new(Mutex::new(Vec::new()));
            for _ in 0..clients {
                let offer = created(&router).await;
                offers.lock().expect("nobody panicked").push(offer);
            }
            let commands = together(&router, clients, length, {
                let (ends, offers) = (Arc::clone(&ends), Arc::clone(&offers));
                move |router| one_command(router, Arc::clone(&ends), Arc::clone(&offers))
            });
            print_times(&format!("commands, to SUCCESSFUL ({round})"), &commands.await, length);
            let accepted = std::mem::take(&mut *ends.accepted.lock().expect("nobody panicked"));
            print_times(&format!("commands, to the 201 ({round})"), &accepted, length);
            listening.abort();
        }
    });
}

/// Runs the clients concurrently for a time; each works sequentially. How long each of their steps took.
async fn together<F, D>(router: &Router, clients: usize, length: Duration, work: F) -> Vec<Duration>
where
    F: Fn(Router) -> D + Clone + Send + Sync + 'static,
    D: Future<Output = ()> + Send,
{
    let begun = Instant::now();
    let client = |_| {
        let (router, work) = (router.clone(), work.clone());
        tokio::spawn(async move {
            let mut took = Vec::new();
            while begun.elapsed() < length {
                let started = Instant::now();
                work(router.clone()).await;
                took.push(started.elapsed());
            }
            took
        })
    };
    let running: Vec<_> = (0..clients).map(client).collect();
    let mut all = Vec::new();
    for client in running {
        all.extend(client.await.expect("no client panicked"));
    }
    all
}

fn print_times(what: &str, took: &[Duration], length: Duration) {
    let mut sorted = took.to_vec();
    sorted.sort_unstable();
    let at = |share: f64| sorted.get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1)));
    let millis = |share| at(share).map_or(0.0, |took| took.as_secs_f64() * 1000.0);
    let rate = sorted.len() as f64 / length.as_secs_f64();
    println!("{what:<34}{rate:>10.0}{:>9.2} ms{:>9.2} ms", millis(0.5), millis(0.99));
}

async fn send(router: &Router, method: Method, path: &str, body: &'static str) -> http::Response<Body> {
    let request = Request::builder().method(method).uri(path).header(header::USER_AGENT, "b/1");
    let request = request.header(header::ACCEPT, MEDIA_TYPE).header(header::CONTENT_TYPE, MEDIA_TYPE);
    let request = request.body(Body::from(body)).expect("a request of constants");
    let answer = router.clone().oneshot(request).await.expect("a router never fails");
    assert_eq!(answer.status(), 201, "{path}");
    answer
}

async fn create(router: Router) {
    let answer = send(&router, Method::POST, "/offers", BODY).await;
    to_bytes(answer.into_body(), usize::MAX).await.expect("a body in memory");
}

/// The path of a new offer.
async fn created(router: &Router) -> String {
    let answer = send(router, Method::POST, "/offers", BODY).await;
    answer.headers()[header::LOCATION].to_str().expect("a path").to_owned()
}

/// Who waits for the end of which command.
#[derive(Default)]
struct Ends {
    waiting: Mutex<HashMap<String, oneshot::Sender<()>>>,
    /// How long it took until commands were accepted.
    accepted: Mutex<Vec<Duration>>,
}

async fn one_command(router: Router, ends: Arc<Ends>, offers: Arc<Mutex<Vec<String>>>) {
    // no other client commands this offer meanwhile
    let offer = offers.lock().expect("nobody panicked").pop().expect("an offer for each client");
    let id = Uuid::now_v7().to_string();
    let (sender, ended) = oneshot::channel();
    ends.waiting.lock().expect("nobody panicked").insert(id.clone(), sender);
    let started = Instant::now();
    let answer = send(&router, Method::PUT, &format!("{offer}/restock-commands/{id}"), "{}").await;
    to_bytes(answer.into_body(), usize::MAX).await.expect("a body in memory");
    ends.accepted.lock().expect("nobody panicked").push(started.elapsed());
    ended.await.expect("the stream goes on");
    offers.lock().expect("nobody panicked").push(offer);
}

/// Opens a stream of the events of commands that are SUCCESSFUL. It shows those from now on.
async fn open_events(router: &Router) -> Body {
    let request = Request::builder().uri("/events?type=offers.offer.restock-command.successful");
    let request = request.header(header::USER_AGENT, "b/1").header(header::ACCEPT, "text/event-stream");
    let request = request.body(Body::empty()).expect("a request of constants");
    let answer = router.clone().oneshot(request).await.expect("a router never fails");
    assert_eq!(answer.status(), 200);
    answer.into_body()
}

/// Reads these events.
async fn listen(events: Body, ends: Arc<Ends>) {
    let (mut body, mut rest) = (events.into_data_stream(), String::new());
    while let Some(Ok(bytes)) = body.next().await {
        rest.push_str(&String::from_utf8_lossy(&bytes));
        while let Some((event, after)) = rest.split_once("\n\n") {
            if let Some(id) = event.split_once("\"data\":{\"id\":\"").and_then(|(_, data)| data.split('"').next()) {
                let waiting = ends.waiting.lock().expect("nobody panicked").remove(id);
                // the client may have ended with the round
                let _ = waiting.map(|sender| sender.send(()));
            }
            rest = after.to_owned();
        }
    }
}
