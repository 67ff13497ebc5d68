//! The services on both stores: they start and answer.

use crate::bundle::Bundle;
use crate::draw::Draw;
use crate::exchange;
use crate::failures::{Failures, culprits};
use restwell::testing::Setup;
use restwell::{Builder, Caller, Interpreted, Uuid};
use restwell_testkit::postgres::Server;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the stores do not bear.
pub(crate) fn failures(bundles: &[Bundle], server: Option<&Server>) -> Failures {
    let output = if server.is_some() { "PostgreSQL" } else { "SQLite" };
    let mut failures = Failures::default();
    for bundle in bundles {
        if run(bundle, server).is_err() {
            let part = |draws: &[Draw]| run(&Bundle::of_part(draws, &bundle.name)?, server);
            culprits(&mut failures, output, &bundle.draws, &part);
        }
    }
    failures
}

/// Starts a service and asks it everything.
fn run(bundle: &Bundle, server: Option<&Server>) -> Result<(), String> {
    let run = AssertUnwindSafe(|| start_and_ask(bundle, server));
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default())
    })
}

fn start_and_ask(bundle: &Bundle, server: Option<&Server>) -> Result<(), String> {
    let messages = bundle.messages.iter().map(|own| (own.language.clone(), own.text.clone())).collect();
    let interpreted = Interpreted { messages, mock_commands: true, ..Interpreted::of(bundle.service.clone()) };
    let keeper = Uuid::now_v7();
    let data = json!([{ "resource": "zookeepers", "id": keeper, "body": { "stripe": "Ann" } }]);
    let caller = move |_: &str| Some(Caller::new(keeper));
    let setup = Setup::of(Builder::interpreted(interpreted)).data(&data.to_string()).authenticator(caller);
    let setup = match server {
        Some(server) => setup.own_database(&format!("{}/postgres", server.url())),
        None => setup,
    };
    let running = setup.start();
    exchange::ask(&bundle.service, running.address())
}
