//! What patches cost in memory: bytes allocated are counted, not time.
//!
//! One test function: the counts are the process's.

use axum::Router;
use axum::body::{Body, to_bytes};
use http::{Method, Request, header};
use restwell::{Builder, Resource};
use serde_json::{Value, json};
use tower::ServiceExt;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
const MIB: u64 = 1024 * 1024;
/// Operations of a patch at most.
const MAX_OPERATIONS: usize = 1000;

/// A thing with lists that have no bound of their own.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone), get(access = anyone), patch(access = anyone)))]
struct Gauge {
    name: String,
    readings: Vec<i64>,
}

async fn send(router: &Router, method: Method, uri: &str, body: String) -> (u16, String, Value) {
    let request = Request::builder().method(method).uri(uri).header(header::USER_AGENT, "cost");
    let request = request.header(header::ACCEPT, MEDIA_TYPE).header(header::CONTENT_TYPE, MEDIA_TYPE);
    let request =
        request.header(header::CONTENT_LENGTH, body.len()).body(Body::from(body)).expect("a request of constants");
    let (head, body) = router.clone().oneshot(request).await.expect("a router never fails").into_parts();
    let location = head.headers.get(header::LOCATION).map(|path| path.to_str().expect("a path").to_owned());
    let body = to_bytes(body, usize::MAX).await.expect("a body in memory");
    (head.status.as_u16(), location.unwrap_or_default(), serde_json::from_slice(&body).unwrap_or_default())
}

/// The status and the first problem of a patch, and the bytes that were allocated for it in all.
async fn cost(router: &Router, uri: &str, patch: &Value) -> (u16, String, u64) {
    let body = patch.to_string();
    let before = dhat::HeapStats::get().total_bytes;
    let (status, _, answer) = send(router, Method::PATCH, uri, body).await;
    let allocated = dhat::HeapStats::get().total_bytes - before;
    let problem = &answer["errors"][0];
    (status, format!("{} {}", problem["code"].as_str().unwrap_or_default(), problem["path"]), allocated)
}

/// An addition of a number of items, and as many removals below it as a patch may have.
fn add_and_remove(property: &str, numbers: usize) -> Value {
    let mut operations = vec![json!({ "op": "add", "path": format!("/{property}"), "value": vec![0; numbers] })];
    let removal = json!({ "op": "remove", "path": format!("/{property}/0") });
    operations.resize(MAX_OPERATIONS, removal);
    json!(operations)
}

#[tokio::test]
async fn a_patch_allocates_in_proportion_to_what_it_holds() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let router =
        restwell::router(Builder::new("gauges").resource::<Gauge>(), "sqlite::memory:").expect("the service opens");
    let gauge = json!({ "name": "north", "readings": [1, 2, 3] }).to_string();
    let (status, uri, _) = send(&router, Method::POST, "/gauges", gauge).await;
    assert_eq!(status, 201);

    let (status, problem, small) = cost(&router, &uri, &add_and_remove("nowhere", 20_000)).await;
    assert_eq!((status, problem.as_str()), (422, "UnknownProperty \"nowhere\""));
    assert!(small < 4 * MIB, "{small} bytes for 20,000 numbers under an unknown property");

    // the largest that fits into a body
    let (status, problem, large) = cost(&router, &uri, &add_and_remove("nowhere", 450_000)).await;
    assert_eq!((status, problem.as_str()), (422, "UnknownProperty \"nowhere\""));
    assert!(large < 16 * MIB, "{large} bytes for 450,000 numbers under an unknown property");

    // each removal would move all that is behind it
    let (status, problem, moved) = cost(&router, &uri, &add_and_remove("readings", 450_000)).await;
    assert_eq!((status, problem.as_str()), (422, "InvalidPatch \"readings.0\""));
    assert!(moved < 64 * MIB, "{moved} bytes for numbers that are removed one by one");

    // what takes a hundred times as much memory as its text
    let objects = json!([{ "op": "add", "path": "/readings", "value": vec![json!({ "": 0 }); 130_000] }]);
    let (status, problem, blown) = cost(&router, &uri, &objects).await;
    assert_eq!((status, problem.as_str()), (422, "InvalidPatch \"readings\""));
    assert!(blown < 24 * MIB, "{blown} bytes for objects that do not fit");

    // what is meant well
    let many = json!([{ "op": "replace", "path": "/readings", "value": vec![7; 300_000] }]);
    let (status, _, held) = cost(&router, &uri, &many).await;
    assert_eq!(status, 200);
    assert!(held < 256 * MIB, "{held} bytes for 300,000 numbers");
    let one = json!([{ "op": "test", "path": "/readings/299999", "value": 7 }, { "op": "remove", "path": "/readings/299999" }]);
    let (status, _, again) = cost(&router, &uri, &one).await;
    assert_eq!(status, 200);
    assert!(again < 256 * MIB, "{again} bytes to remove one of them");
}
