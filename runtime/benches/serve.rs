//! Whole requests through the axum router: the service beside a bare handler that answers the same bytes. What the
//! service costs is the ratio of the two, in one run.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::routing::get;
use criterion::{Criterion, criterion_group, criterion_main};
use http::{Method, Request, Response, header};
use std::hint::black_box;
use std::path::Path;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tower::ServiceExt;

#[path = "../examples/offers/model.rs"]
mod model;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
/// Creations that wait for one sync together.
const TOGETHER: usize = 500;
const BODY: &str = r#"{"name":"A quiet garden bench","description":"Wood, two seats, once painted green.",
    "category":"GARDEN","buyNow":{"amount":"129.90","currency":"PLN"},"active":true,"stock":3,
    "address":{"city":"Poznań","countryCode":"PL"}}"#;

fn request(method: Method, uri: &str, body: Body) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri);
    let headers =
        [header::USER_AGENT, header::ACCEPT, header::CONTENT_TYPE].into_iter().zip(["b/1", MEDIA_TYPE, MEDIA_TYPE]);
    let request = headers.fold(request, |request, (name, value)| request.header(name, value));
    request.body(body).expect("a request of constants")
}

async fn call(router: &Router, method: Method, uri: &str, body: &'static str) -> (http::response::Parts, Vec<u8>) {
    let answer = router.clone().oneshot(request(method, uri, Body::from(body))).await.expect("a router never fails");
    let (head, body) = answer.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body in memory");
    assert!(head.status.is_success(), "{method_and_uri}: {}", head.status, method_and_uri = uri);
    (head, body.to_vec())
}

/// A handler that does nothing but answer.
fn bare(body: Vec<u8>) -> Router {
    let answer = move || {
        let body = body.clone();
        async move {
            Response::builder().header(header::CONTENT_TYPE, MEDIA_TYPE).body(Body::from(body)).expect("constants")
        }
    };
    Router::new().route("/offers", get(answer.clone()).post(answer.clone())).route("/offers/{id}", get(answer))
}

fn compare(
    c: &mut Criterion,
    name: &str,
    runtime: &Runtime,
    service: &Router,
    (method, uri): (Method, &str),
    body: &'static str,
) {
    let (_, bytes) = runtime.block_on(call(service, method.clone(), uri, body));
    let bare = bare(bytes);
    let mut group = c.benchmark_group(name);
    for (who, router) in [("bare", &bare), ("restwell", service)] {
        group.bench_function(who, |b| b.iter(|| black_box(runtime.block_on(call(router, method.clone(), uri, body)))));
    }
    group.finish();
}

/// A service with this number of offers, and the path of one in the middle.
fn filled(folder: &Path, runtime: &Runtime, offers: usize) -> (Router, String) {
    let url = format!("sqlite://{}", folder.join(format!("{offers}.db")).display());
    let service = restwell::router(model::service(), &url).expect("the service opens");
    let path = runtime.block_on(async {
        let mut paths = Vec::with_capacity(offers);
        while paths.len() < offers {
            let mut creations = JoinSet::new();
            for _ in 0..TOGETHER.min(offers - paths.len()) {
                let service = service.clone();
                creations.spawn(async move { call(&service, Method::POST, "/offers", BODY).await.0 });
            }
            paths.extend(creations.join_all().await.iter().map(location));
        }
        paths.swap_remove(offers / 2)
    });
    (service, path)
}

fn location(head: &http::response::Parts) -> String {
    head.headers[header::LOCATION].to_str().expect("a path").to_owned()
}

fn serve(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::env::set_current_dir(folder.path()).expect("the folder is there");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    for offers in [200, 200_000] {
        let (service, path) = filled(folder.path(), &runtime, offers);
        compare(c, &format!("read one of {offers}"), &runtime, &service, (Method::GET, &path), "");
    }
    let (service, _) = filled(folder.path(), &runtime, 10_000);
    compare(c, "list 50 of 10000", &runtime, &service, (Method::GET, "/offers?limit=50"), "");
    // one at a time: each waits for its own sync to disk, which is what it measures
    compare(c, "create, synced", &runtime, &service, (Method::POST, "/offers"), BODY);
}

criterion_group!(benches, serve);
criterion_main!(benches);
