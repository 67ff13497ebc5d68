//! One kind of request, sent a given number of times in process: what `.ci/instructions` runs under callgrind.
//!
//! `instructions fill DATABASE` makes the database that the others start from, `instructions SCENARIO COUNT DATABASE`
//! sends `COUNT` requests, one after the other, through the axum router, after some that warm up. The work per request is
//! the same in every run: offers and bodies come from a fixed seed, there is one thread beside the store's own, and the
//! allocator is the system's, whose work does not depend on time. Callgrind begins a new file where `counting_begins` and
//! `counting_ends` are called; what all threads did between the two is what the requests cost.

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use futures_util::StreamExt;
use http::{Method, Request, header};
use restock::{Restock, restock};
use std::process::ExitCode;
use std::time::Duration;
use tokio::sync::mpsc;
use tower::ServiceExt;
use uuid::Uuid;

#[path = "../offers/model.rs"]
mod model;
#[path = "../offers/restock.rs"]
mod restock;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
const ROWS: u64 = 10_000;
/// Creations that share a commit while the database is filled.
const TOGETHER: u64 = 50;
/// Entities that single requests take turns with: few, so that their pages are in SQLite's cache after the warm-up.
const ENTITIES: usize = 100;
/// How often a request is sent that is not taken, and the pause between.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(200);
const SEED: u64 = 0x2545_f491_4f6c_dd1d;
const USAGE: &str = "instructions fill DATABASE | (read|page|list|create|replace|command) COUNT DATABASE";

/// Requests that warm up, for each hundred that count.
const WARM_UP: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    // one worker, and blocking threads that do not end between two lists
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().thread_keep_alive(Duration::MAX).build();
    let runtime = runtime.expect("a runtime");
    let service = |scenario: &str, database: &str| {
        // a service with commands looks for unfinished ones every second: only where they are what is counted
        let service = match scenario {
            "command" => model::service().handle::<Restock, _, _>(restock),
            _ => model::service(),
        };
        restwell::router(service, database).expect("the service opens")
    };
    match *arguments.as_slice() {
        ["fill", database] => {
            runtime.block_on(async { fill(&service("", database)).await });
            // the runs begin with all of it in the file, however the service treats its log
            if let Some(file) = database.strip_prefix("sqlite://") {
                let connection = rusqlite::Connection::open(file).expect("the file is there");
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("nobody uses it");
            }
        }
        [scenario, count, database] => {
            let count = count.parse().expect(USAGE);
            runtime.block_on(async { run(&service(scenario, database), scenario, count).await });
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    // the threads of the store end with the process
    ExitCode::SUCCESS
}

async fn run(router: &Router, scenario: &str, count: usize) {
    let mut client = Client { router, paths: paths(router).await, ends: None, random: SEED };
    if scenario == "command" {
        client.ends = Some(ends(router).await);
    }
    for number in 0..count * WARM_UP / 100 {
        client.request(scenario, number).await;
    }
    counting_begins();
    for number in 0..count {
        client.request(scenario, number).await;
    }
    counting_ends();
}

/// Callgrind finds this by its name, as it does the other; they differ so that they are not made into one.
#[inline(never)]
fn counting_begins() {
    eprintln!("counting begins");
}

#[inline(never)]
fn counting_ends() {
    eprintln!("counting ends");
}

/// Who sends the requests.
struct Client<'a> {
    router: &'a Router,
    paths: Vec<String>,
    /// A message for each command that has ended, where commands are sent.
    ends: Option<mpsc::UnboundedReceiver<()>>,
    random: u64,
}

impl Client<'_> {
    async fn request(&mut self, scenario: &str, number: usize) {
        let (router, path) = (self.router, self.paths[number % self.paths.len()].as_str());
        let nothing = String::new();
        match scenario {
            "read" => send(router, Method::GET, path, nothing).await,
            "page" => send(router, Method::GET, "/offers?limit=50", nothing).await,
            "list" => {
                let list = "/offers?category=BOOKS&stock.gt=50&sort=-buyNow,createdAt&limit=50";
                send(router, Method::GET, list, nothing).await
            }
            "create" => send(router, Method::POST, "/offers", body(number as u64, &mut self.random)).await,
            "replace" => send(router, Method::PUT, path, body(number as u64, &mut self.random)).await,
            "command" => {
                let command = format!("{path}/restock-commands/{}", Uuid::now_v7());
                let accepted = send(router, Method::PUT, &command, "{}".to_owned()).await;
                let ends = self.ends.as_mut().expect("the stream is open");
                ends.recv().await.expect("the stream goes on");
                accepted
            }
            _ => panic!("{USAGE}"),
        };
    }
}

async fn fill(router: &Router) {
    let mut random = SEED;
    for first in (0..ROWS).step_by(TOGETHER as usize) {
        let create = |number| {
            let (router, body) = (router.clone(), body(number, &mut random));
            async move { send(&router, Method::POST, "/offers", body).await }
        };
        futures_util::future::join_all((first..first + TOGETHER).map(create)).await;
    }
}

/// An offer of any kind, the same ones in every run.
fn body(number: u64, random: &mut u64) -> String {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    let category = ["BOOKS", "MUSIC", "GARDEN", "TOYS"][(*random >> 8) as usize % 4];
    let (price, stock) = (100 + (*random >> 16) % 900, (*random >> 40) % 100);
    format!(
        r#"{{"name":"Offer {number:06}, a quiet garden bench","description":"Wood, two seats, once painted green.",
    "category":"{category}","buyNow":{{"amount":"{price}.90","currency":"PLN"}},"active":true,"stock":{stock},
    "address":{{"city":"Poznań","countryCode":"PL"}}}}"#
    )
}

/// Sends a request until it is taken: on a busy machine a disk may be slow for a moment while the database is filled.
async fn send(router: &Router, method: Method, path: &str, body: String) -> Vec<u8> {
    for _ in 0..TRIES {
        let request = Request::builder().method(&method).uri(path).header(header::USER_AGENT, "b/1");
        let request = request.header(header::ACCEPT, MEDIA_TYPE).header(header::CONTENT_TYPE, MEDIA_TYPE);
        let request = request.body(Body::from(body.clone())).expect("a request of constants");
        let answer = router.clone().oneshot(request).await.expect("a router never fails");
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body in memory").to_vec();
        if status.is_success() {
            return body;
        }
        eprintln!("{path}: {status}: {}", String::from_utf8_lossy(&body));
        tokio::time::sleep(PAUSE).await;
    }
    panic!("{path} is not taken");
}

/// The paths of the entities that single requests are about.
async fn paths(router: &Router) -> Vec<String> {
    let page = send(router, Method::GET, &format!("/offers?limit={ENTITIES}"), String::new()).await;
    let page: serde_json::Value = serde_json::from_slice(&page).expect("a page is JSON");
    let offers = page["offers"].as_array().expect("a page has offers").iter();
    let paths: Vec<_> = offers.map(|offer| format!("/offers/{}", offer["id"].as_str().expect("an id"))).collect();
    assert_eq!(paths.len(), ENTITIES, "the database is not filled");
    paths
}

/// A message for each command that is SUCCESSFUL, from the stream of events.
async fn ends(router: &Router) -> mpsc::UnboundedReceiver<()> {
    let (tell, ends) = mpsc::unbounded_channel();
    let (mut events, router) = (open(router, "").await, router.clone());
    tokio::spawn(async move {
        let mut last = String::new();
        loop {
            while let Some(Ok(bytes)) = events.next().await {
                // whole events come in a chunk
                for line in String::from_utf8_lossy(&bytes).lines() {
                    match line.split_once(':') {
                        Some(("id", id)) => last = id.trim().to_owned(),
                        Some(("data", _)) => drop(tell.send(())),
                        _ => {}
                    }
                }
            }
            // the machine is so busy that a read was given up: as clients do, it goes on where it was
            events = open(&router, &last).await;
        }
    });
    ends
}

async fn open(router: &Router, last: &str) -> BodyDataStream {
    for _ in 0..TRIES {
        let request = Request::builder().uri("/events?type=offers.offer.restock-command.successful");
        let request = request.header(header::USER_AGENT, "b/1").header(header::ACCEPT, "text/event-stream");
        let request = if last.is_empty() { request } else { request.header("last-event-id", last) };
        let request = request.body(Body::empty()).expect("a request of constants");
        let answer = router.clone().oneshot(request).await.expect("a router never fails");
        if answer.status() == 200 {
            return answer.into_body().into_data_stream();
        }
        tokio::time::sleep(PAUSE).await;
    }
    panic!("there is no stream of events");
}
