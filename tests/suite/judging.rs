//! Every exchange of the suite is judged by the OpenAPI document of the service that it is with.

use restwell::Builder;
use restwell_model::Checked;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use restwell_testkit::openapi::Judge;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The judges so far. Reading a document takes longer than most tests, and the forms of a service have the same one.
#[derive(Default)]
struct Judges {
    by_service: HashMap<usize, Arc<Judge>>,
    by_document: HashMap<String, Arc<Judge>>,
}

static JUDGES: LazyLock<Mutex<Judges>> = LazyLock::new(Mutex::default);

/// The model of a service.
pub(crate) fn model(service: fn() -> Builder) -> Checked {
    let model = service().model().expect("the types fit together");
    Checked::new(model).expect("no rule is broken")
}

/// The document of a service.
pub(crate) fn document(model: &Checked) -> Value {
    let document = openapi(&Api::of(model), ContractOptions::default());
    serde_json::to_value(document).expect("a document is JSON")
}

/// The judge of a service.
pub(crate) fn judge(service: fn() -> Builder) -> Arc<Judge> {
    let mut judges = JUDGES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = service as usize;
    if let Some(known) = judges.by_service.get(&key) {
        return Arc::clone(known);
    }
    let document = document(&model(service));
    let read = || Arc::new(Judge::of(&document).expect("the document can be read"));
    let judge = Arc::clone(judges.by_document.entry(document.to_string()).or_insert_with(read));
    judges.by_service.insert(key, Arc::clone(&judge));
    judge
}
