//! Whole requests through the axum router: the service beside a bare handler that answers the same bytes. What the
//! service costs is the ratio of the two, in one run.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::routing::get;
use criterion::{Criterion, criterion_group, criterion_main};
use http::{Method, Request, Response, header};
use std::hint::black_box;
use tokio::runtime::Runtime;
use tower::ServiceExt;

#[path = "../examples/offers/model.rs"]
mod model;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
const OFFERS: usize = 10_000;
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

fn serve(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let url = format!("sqlite://{}", folder.path().join("offers.db").display());
    std::env::set_current_dir(folder.path()).expect("the folder is there");
    let service = restwell::router(model::service(), &url).expect("the service opens");
    let location = runtime.block_on(async {
        let mut location = String::new();
        for _ in 0..OFFERS / 100 {
            let creations = (0..100).map(|_| call(&service, Method::POST, "/offers", BODY));
            for creation in creations.map(Box::pin).collect::<Vec<_>>() {
                let (head, _) = creation.await;
                location = head.headers[header::LOCATION].to_str().expect("a path").to_owned();
            }
        }
        location
    });
    compare(c, "read one", &runtime, &service, (Method::GET, &location), "");
    compare(c, "list 50", &runtime, &service, (Method::GET, "/offers?limit=50"), "");
    // one at a time: each waits for its own sync to disk, which is what it measures
    compare(c, "create, synced", &runtime, &service, (Method::POST, "/offers"), BODY);
}

criterion_group!(benches, serve);
criterion_main!(benches);
