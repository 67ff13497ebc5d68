//! Random requests by the thousand against one process: bytes that are nearly HTTP, good requests with anything
//! changed, broken chunks, pipelines, clients that hang up. The process answers all that can be answered, by the
//! conventions and in bounded time, keeps no connection, and does not grow.
//!
//! `RESTWELL_SEED` repeats a run, `RESTWELL_STORE=postgres` chooses the store.

mod process;
mod requests;
mod shots;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use requests::Targets;
use restwell_testkit::effort::{by_effort, seed_or};
use restwell_testkit::http::{Connection, Reply};
use restwell_testkit::market::{self, Owner};
use restwell_testkit::process::{Service, folder};
use restwell_tests::scopes::{marketplace_model, scopes};
use shots::{End, Shot};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Requests, by effort.
const REQUESTS: (usize, usize, usize) = (2_000, 5_000, 1_000_000);
/// Clients at a time.
const CLIENTS: usize = 8;
/// How long an answer may take that must come: far more than any needs, far less than a hang.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long an answer is waited for that need not come.
const GLANCE: Duration = Duration::from_millis(15);
/// What the process may grow by in the second half of the requests: its caches fill up, and what was created is kept.
const GROWTH: u64 = 48 << 20;
/// What some of the requests must come to: they reach all parts of the service.
const REACHED: [u16; 14] = [200, 201, 204, 400, 401, 403, 404, 405, 406, 410, 412, 415, 422, 501];

#[test]
fn random_requests() {
    let folder = folder();
    let service = Service::start(folder.path());
    let model = marketplace_model();
    let Owner { id: caller, token, ids } = Owner::create(&service, "caller", &scopes(&model));
    let other = service.token(&market::user(service.address(), "other"), "");
    let targets = Targets::of(&model, &ids, &caller, [&token, &other]);
    let count = by_effort(REQUESTS);
    let begun = Instant::now();
    fire(service.address(), &targets, 0, count / 2);
    let halfway = process::memory(service.pid());
    fire(service.address(), &targets, 1, count - count / 2);
    let took = begun.elapsed();
    process::is_idle(&service);
    let end = process::memory(service.pid());
    println!("{count} requests in {took:.1?}: {} MiB after half of them, {} MiB at the end", halfway >> 20, end >> 20);
    let answered = process::answered(&service);
    println!("answers by status: {answered:?}");
    let missing: Vec<_> = REACHED.into_iter().filter(|status| !answered.contains_key(status)).collect();
    assert!(missing.is_empty(), "these were not reached: {missing:?}");
    assert!(end < halfway + GROWTH, "{} MiB after half of them, {} MiB at the end", halfway >> 20, end >> 20);
    service.get("/offers?limit=1").is(200);
    let log = service.stop();
    assert!(!log.iter().any(|line| line.contains("panicked")), "{log:#?}");
}

/// Sends a number of requests, from all clients concurrently.
fn fire(address: SocketAddr, targets: &Targets, round: u8, count: usize) {
    let failures: Vec<_> = std::thread::scope(|scope| {
        let client = |number: usize| {
            scope.spawn(move || {
                let seed = seed_or(0);
                let mut runner = runner(seed, &[round, number as u8]);
                let shots = shots::shots(targets);
                let mut shot = || shots.new_tree(&mut runner).expect("shots are never rejected").current();
                (0..count.div_ceil(CLIENTS)).find_map(|_| failure(address, &shot()))
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(client).collect();
        clients.into_iter().filter_map(|client| client.join().expect("a client does not panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What a client draws its requests with: the same ones whenever it runs.
fn runner(seed: u64, client: &[u8]) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..8 + client.len()].copy_from_slice(client);
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// What is wrong with what the service makes of a shot.
fn failure(address: SocketAddr, shot: &Shot) -> Option<String> {
    let begun = Instant::now();
    let fault = shoot(address, shot).err()?;
    let sent = String::from_utf8_lossy(&shot.bytes).chars().take(3_000).collect::<String>();
    Some(format!("{fault} after {:.1?}, {:?}, to:\n{sent}", begun.elapsed(), shot.end))
}

fn shoot(address: SocketAddr, shot: &Shot) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{error}");
    let mut connection = Connection::open(address).map_err(told)?;
    let written = connection.write(&shot.bytes);
    match &shot.end {
        End::HangUp => Ok(()),
        End::Anything => {
            connection.wait_for(GLANCE).map_err(told)?;
            // it may have hung up already, or be waiting for more
            is_http(&connection.drain_some())
        }
        End::Answers(to_heads) => {
            written.map_err(told)?;
            connection.wait_for(PATIENCE).map_err(told)?;
            for to_head in to_heads {
                let reply = connection.receive(*to_head).map_err(told)?;
                is_civil(&reply, *to_head)?;
                if reply.header("connection") == Some("close") {
                    break;
                }
            }
            Ok(())
        }
    }
}

/// An answer that the conventions allow to a request that is HTTP.
fn is_civil(reply: &Reply, to_head: bool) -> Result<(), String> {
    let fault = |what: &str| Err(format!("{what}: {} {}", reply.status, reply.text()));
    if reply.status >= 500 && ![501, 503].contains(&reply.status) {
        return fault("a failure");
    }
    if reply.header("trace-id").is_none() {
        return fault("no trace id");
    }
    if reply.status >= 400 && !to_head && reply.error_codes().is_none() {
        return fault("no errors");
    }
    Ok(())
}

/// What came back to something that may be no HTTP: nothing, or answers that are no failures.
fn is_http(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let status = text.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)).and_then(|code| code.parse::<u16>().ok());
    match status {
        None if bytes.is_empty() => Ok(()),
        Some(status) if status < 500 || [501, 503].contains(&status) => Ok(()),
        _ => Err(format!("no answer to that: {}", text.chars().take(500).collect::<String>())),
    }
}
