//! A client for tests: sends what a well-behaved client sends, and waits for the response.

use super::Running;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use std::collections::BTreeMap;
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

/// A client of a running service, in its public version. A test calls it without `async`.
///
/// ```no_run
/// # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
/// let service = restwell::testing::start(service());
/// let response = service.client().get("/offers");
/// assert_eq!(response.status, 200);
/// assert_eq!(response.json["count"], 0);
/// ```
#[derive(Debug)]
pub struct TestClient {
    http: Client,
    runtime: Runtime,
    base: String,
    media_type: String,
    token: Option<String>,
}

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct TestResponse {
    /// The status.
    pub status: u16,
    /// The headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body; null if it is empty or not JSON.
    pub json: Value,
}

impl Running {
    /// A client without credentials.
    ///
    /// # Panics
    ///
    /// The system has no resources left for it.
    #[must_use]
    pub fn client(&self) -> TestClient {
        let runtime = Builder::new_current_thread().enable_all().build();
        let http = Client::builder().user_agent("restwell-testing").no_proxy().build();
        match (http, runtime) {
            (Ok(http), Ok(runtime)) => {
                TestClient { http, runtime, base: self.url(""), media_type: self.media_type.clone(), token: None }
            }
            (Err(error), _) => panic!("the client cannot be made: {error}"),
            (_, Err(error)) => panic!("the client cannot be made: {error}"),
        }
    }

    /// A client with the credentials of a caller.
    ///
    /// # Panics
    ///
    /// As [`client`](Self::client).
    #[must_use]
    pub fn client_of(&self, caller: Uuid, scopes: &[&str]) -> TestClient {
        TestClient { token: Some(self.token(caller, scopes)), ..self.client() }
    }
}

impl TestClient {
    /// GET.
    #[must_use]
    pub fn get(&self, path: &str) -> TestResponse {
        self.send(&Method::GET, path, None)
    }

    /// POST of a body.
    pub fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.send(&Method::POST, path, Some(body))
    }

    /// PUT of a body.
    pub fn put(&self, path: &str, body: &Value) -> TestResponse {
        self.send(&Method::PUT, path, Some(body))
    }

    /// PATCH with a list of operations.
    pub fn patch(&self, path: &str, operations: &Value) -> TestResponse {
        self.send(&Method::PATCH, path, Some(operations))
    }

    /// DELETE.
    pub fn delete(&self, path: &str) -> TestResponse {
        self.send(&Method::DELETE, path, None)
    }

    /// GET until the response is as a test expects it: what a command does is done a little later.
    ///
    /// # Panics
    ///
    /// It is not so within ten seconds.
    #[track_caller]
    pub fn get_until(&self, path: &str, is_expected: impl Fn(&Value) -> bool) -> Value {
        let start = std::time::Instant::now();
        loop {
            let response = self.get(path);
            if is_expected(&response.json) {
                return response.json;
            }
            assert!(start.elapsed() < PATIENCE, "GET {path} stays {}: {}", response.status, response.json);
            std::thread::sleep(PAUSE);
        }
    }

    fn send(&self, method: &Method, path: &str, body: Option<&Value>) -> TestResponse {
        let request =
            self.http.request(method.clone(), format!("{}{path}", self.base)).header("accept", &self.media_type);
        let request = match body {
            Some(body) => request.header("content-type", &self.media_type).body(body.to_string()),
            None => request,
        };
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        match self.runtime.block_on(exchange(request)) {
            Ok(response) => response,
            Err(error) => panic!("{method} {path} is not answered: {error}"),
        }
    }
}

/// How long a response may take to be as a test expects it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
/// Between two requests for it.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);

async fn exchange(request: RequestBuilder) -> reqwest::Result<TestResponse> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    let text = |value: &reqwest::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    let body = response.bytes().await?;
    Ok(TestResponse { status, headers, json: serde_json::from_slice(&body).unwrap_or_default() })
}
