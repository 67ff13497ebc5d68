//! Commands while the service is killed again and again: each ends, and what it does is done once.

use crate::nats::Nats;
use crate::orders::{Command, Kind, Orders, STOCK, random};
use crate::published::{Published, stored};
use crate::senders::Senders;
use crate::service::{DATABASE, Service, folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

const CLIENTS: usize = 8;
/// Commands and kills, where nothing else is said.
const COMMANDS: usize = 60;
const KILLS: usize = 8;
/// Once it serves the service lives so long at most, in milliseconds.
const LIFE: usize = 25;

type Outcomes = BTreeMap<String, Value>;

pub(crate) fn commands_are_done_once() {
    let (commands, kills) = (number("RESTWELL_COMMANDS", COMMANDS), number("RESTWELL_KILLS", KILLS));
    let folder = folder();
    let nats = Nats::start();
    let arguments = [format!("--listen=127.0.0.1:{}", port()), DATABASE.to_owned(), format!("--nats={}", nats.url())];
    let start = || Service::start_with(folder.path(), &arguments.each_ref().map(String::as_str));
    let service = start();
    let orders = Orders::place(&service, commands / 2);
    let commands: Vec<_> = (0..commands).map(|_| orders.any_command()).collect();
    let senders = Senders::new(&orders, &commands);
    let address = service.address();
    let mut interrupted = 0;
    let service = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| senders.work(address))).collect();
        let mut service = service;
        for kill in 1..=kills {
            senders.allow(kill, kills + 1);
            // every other life ends amid answers, however slow the machine is
            if kill % 2 == 0 {
                senders.wait_for_answer();
            }
            thread::sleep(Duration::from_millis(random(LIFE) as u64));
            service.kill();
            interrupted += running(folder.path());
            service = start();
        }
        senders.allow(1, 1);
        for client in clients {
            client.join().expect("a client ends");
        }
        service
    });
    let outcomes = senders.outcomes();
    service.stop();

    let service = start();
    check_outcomes(&service, &commands, &outcomes);
    check_offers(&service, &orders, &commands, &outcomes);
    check_purchases(&service, &orders, &commands, &outcomes);
    let database = folder.path().join("test.db");
    let events = stored(&database).len();
    let published = Published::wait_for(&nats, "marketplace", events);
    service.stop();
    published.check_events(&database);
    check_told(&published, &commands, &outcomes);
    let failed = outcomes.values().filter(|outcome| outcome["status"] == "FAILED").count();
    eprintln!(
        "{} commands, {failed} of them FAILED; {kills} kills, with {interrupted} RUNNING in all; {events} events",
        commands.len()
    );
    assert!(kills == 0 || interrupted > 0, "a kill in the midst of commands");
}

fn number(variable: &str, otherwise: usize) -> usize {
    let Ok(text) = std::env::var(variable) else { return otherwise };
    text.parse().unwrap_or_else(|_| panic!("{variable} is a number"))
}

/// A free port that stays free while nobody listens: below those that are given to clients.
fn port() -> u16 {
    loop {
        let port = 20_000 + random(10_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Commands that a kill has left RUNNING: counted in a copy, for what is opened is repaired.
fn running(folder: &Path) -> usize {
    let copy = self::folder();
    for file in ["test.db", "test.db-wal"] {
        std::fs::copy(folder.join(file), copy.path().join(file)).expect("the database is there");
    }
    let database = rusqlite::Connection::open(copy.path().join("test.db")).expect("the database opens");
    let sql = "SELECT count(*) FROM \"_restwell_commands\" WHERE \"status\" = 0";
    let count: u32 = database.query_row(sql, [], |row| row.get(0)).expect("a count");
    count as usize
}

/// All have ended as they were seen to, with nothing but what they did or why they did not.
#[track_caller]
fn check_outcomes(service: &Service, commands: &[Command], outcomes: &Outcomes) {
    assert_eq!(outcomes.len(), commands.len());
    for command in commands {
        let outcome = &outcomes[&command.id];
        assert_eq!(service.send(&command.request).is(201).json(), *outcome);
        let codes: Vec<_> =
            outcome["errors"].as_array().expect("an array").iter().map(|error| &error["code"]).collect();
        match outcome["status"].as_str() {
            Some("SUCCESSFUL") => assert!(codes.is_empty(), "{outcome}"),
            Some("FAILED") => assert_eq!(codes, [command.kind.refusal()], "{outcome}"),
            _ => panic!("no end: {outcome}"),
        }
    }
}

/// How many commands to a target were sent, and how many succeeded.
fn sent(commands: &[Command], outcomes: &Outcomes, kind: Kind, target: &str) -> (usize, usize) {
    let all: Vec<_> = commands.iter().filter(|it| it.kind == kind && it.target == target).collect();
    let successful = all.iter().filter(|it| outcomes[&it.id]["status"] == "SUCCESSFUL").count();
    (all.len(), successful)
}

/// Nothing of an offer is lost or there twice, and it was ended and renewed by turns.
#[track_caller]
fn check_offers(service: &Service, orders: &Orders, commands: &[Command], outcomes: &Outcomes) {
    for id in &orders.offers {
        let offer = service.get(&format!("/offers/{id}")).is(200).json();
        let request = orders.get(&format!("/offers/{id}/transactions?limit=1000"));
        let page = service.send(&request).is(200).json();
        let purchases = page["transactions"].as_array().expect("a list of purchases");
        assert_eq!(page["count"], purchases.len(), "all of them");
        let bought = purchases.iter().filter(|purchase| purchase["status"] != "CANCELLED");
        let bought: i64 = bought.map(|purchase| purchase["quantity"].as_i64().expect("a number")).sum();
        assert_eq!(offer["stock"].as_i64().expect("a number") + bought, STOCK, "{id}");

        let (_, ended) = sent(commands, outcomes, Kind::End, id);
        let (_, renewed) = sent(commands, outcomes, Kind::Renew, id);
        let is_ended = offer["status"] == "ENDED";
        assert_eq!(ended, renewed + usize::from(is_ended), "{id}: ended {ended} times, renewed {renewed} times");
    }
}

/// Of several commands to the same end one has succeeded, and only what one has done is there.
#[track_caller]
fn check_purchases(service: &Service, orders: &Orders, commands: &[Command], outcomes: &Outcomes) {
    let status = |target: &str| service.send(&orders.get(target)).is(200).json()["status"].clone();
    for purchase in &orders.purchases {
        let (refunds, refunded) = sent(commands, outcomes, Kind::Refund, &purchase.payment);
        let (cancels, cancelled) = sent(commands, outcomes, Kind::Cancel, &purchase.id);
        assert_eq!(refunded, refunds.min(1), "{}", purchase.payment);
        // what is refunded is cancelled with it
        assert!(cancelled <= 1 && (cancelled == cancels.min(1) || refunded == 1), "{}", purchase.id);
        let is_refunded = status(&format!("/payments/{}", purchase.payment)) == "REFUNDED";
        let is_cancelled = status(&format!("/transactions/{}", purchase.id)) == "CANCELLED";
        assert_eq!(is_refunded, refunded == 1, "{}", purchase.payment);
        assert_eq!(is_cancelled, refunded + cancelled > 0, "{}", purchase.id);
    }
}

/// The bus tells of each command that it was accepted, then how it ended, and nothing else.
#[track_caller]
fn check_told(published: &Published, commands: &[Command], outcomes: &Outcomes) {
    let mut told: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for event in published.events() {
        let kind = event["type"].as_str().expect("a type");
        if kind.contains("-command.") {
            let id = event["data"]["id"].as_str().expect("a command's id");
            told.entry(id).or_default().push((kind, event["subject"].as_str().expect("a subject")));
        }
    }
    assert_eq!(told.len(), commands.len());
    for command in commands {
        let resource = match command.kind {
            Kind::Cancel => "transaction",
            Kind::Refund => "payment",
            Kind::End | Kind::Renew => "offer",
        };
        let end = outcomes[&command.id]["status"].as_str().expect("a status").to_lowercase();
        let kind = |status: &str| format!("marketplace.{resource}.{}-command.{status}", command.kind.name());
        let (first, last) = (kind("running"), kind(&end));
        let target = command.target.as_str();
        assert_eq!(told[command.id.as_str()], [(first.as_str(), target), (last.as_str(), target)]);
    }
}
