//! The reason of a command that FAILED: hidden from clients, shown to tests, with its causes.

use crate::routes::{Store, Test};
use restwell::testing::{Running, TestResponse};
use restwell::{Builder, Call, Command, Rejection, Resource, handlers};
use serde_json::json;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

pub(crate) const TESTS: &[Test] = &[
    ("a_reason_has_its_causes", a_reason_has_its_causes),
    ("a_panic_is_a_reason", a_panic_is_a_reason),
    ("what_clients_are_told_is_no_reason", what_clients_are_told_is_no_reason),
];

/// What a command is sent to.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone), get), commands(Fail))]
pub(crate) struct Pump {
    name: String,
}

/// Fails in one way or another.
#[derive(Debug, Clone, Command)]
#[command(on = Pump)]
pub(crate) struct Fail {
    how: String,
}

/// An error with causes, the last of which has none.
#[derive(Debug)]
struct Caused(&'static str, Option<Box<Caused>>);

impl fmt::Display for Caused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Caused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

struct Failing;

#[handlers]
impl Failing {
    async fn fail(&self, call: Call<Fail>) -> Result<(), Rejection> {
        match call.input.how.as_str() {
            "causes" => {
                let cause = Caused("the valve is shut", Some(Box::new(Caused("the key is lost", None))));
                Err(Caused("the pump stands still", Some(Box::new(cause))))?;
                Ok(())
            }
            "panic" => panic!("no water"),
            _ => Err(Rejection::new("Dry", "the well is dry").at("how")),
        }
    }
}

fn failed(store: Store, how: &str) -> (Running, TestResponse) {
    let builder = Builder::new("wells").resource::<Pump>().commands::<Pump>(&Arc::new(Failing));
    let service = store.start(builder);
    let pump = service.seed(|transaction| async move { transaction.create(Pump { name: "one".to_owned() }).await });
    let failed = service.client().command(&format!("/pumps/{}", pump.id), "fail", json!({ "how": how })).failed();
    (service, failed)
}

/// What a test shows that expected the command to succeed.
fn shown(failed: TestResponse) -> String {
    let panicked = std::panic::catch_unwind(move || failed.succeeded()).expect_err("it failed");
    panicked.downcast_ref::<String>().expect("a text").clone()
}

fn a_reason_has_its_causes(store: Store) {
    let (_service, failed) = failed(store, "causes");
    assert_eq!(failed.errors(), [("InternalError", None)]);
    let reason = "the pump stands still: the valve is shut: the key is lost";
    assert_eq!(failed.reason.as_deref(), Some(reason));
    assert!(!failed.json.to_string().contains("valve"), "clients learn nothing of it: {}", failed.json);
    let shown = shown(failed);
    assert!(shown.contains(&format!("the service logged: {reason}")), "{shown}");
}

fn a_panic_is_a_reason(store: Store) {
    let (_service, failed) = failed(store, "panic");
    assert_eq!(failed.errors(), [("InternalError", None)]);
    assert_eq!(failed.reason.as_deref(), Some("it panicked: no water"));
    let shown = shown(failed);
    assert!(shown.contains("the service logged: it panicked: no water"), "{shown}");
}

fn what_clients_are_told_is_no_reason(store: Store) {
    let (_service, failed) = failed(store, "otherwise");
    assert_eq!((failed.errors(), failed.reason.as_deref()), (vec![("Dry", Some("how"))], None));
    assert!(!shown(failed).contains("the service logged"));
}
