//! A client for tests: sends what a well-behaved client sends, and waits for the response.

use super::{Running, token_of};
use crate::auth::DevelopmentKey;
use crate::observe::reasons::Reasons;
use crate::observe::trace::TRACE_ID;
use bytes::Bytes;
use http::request::Builder as RequestBuilder;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
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
    http: Client<HttpConnector, Full<Bytes>>,
    runtime: Runtime,
    base: String,
    media_type: String,
    key: DevelopmentKey,
    token: Option<String>,
    headers: Vec<(String, String)>,
    reasons: Arc<Reasons>,
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
    /// What the service logged of a 5xx response, or of a command that has failed by a mistake of its own: clients are
    /// not told.
    pub reason: Option<String>,
}

impl Running {
    /// A client without credentials.
    ///
    /// # Panics
    ///
    /// The system has no resources left for it.
    #[must_use]
    pub fn client(&self) -> TestClient {
        match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => {
                let http = Client::builder(TokioExecutor::new()).build_http();
                let (base, media_type, key) = (self.url(""), self.media_type.clone(), self.key.clone());
                let reasons = Arc::clone(&self.reasons);
                TestClient { http, runtime, base, media_type, key, token: None, headers: Vec::new(), reasons }
            }
            Err(error) => panic!("the client cannot be made: {error}"),
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
    /// The client with the credentials of a user: an id, a reference, or an entity.
    ///
    /// ```no_run
    /// # use restwell::{Resource, Stored, testing};
    /// # use serde_json::json;
    /// # #[derive(Debug, Clone, Resource)]
    /// # pub struct User { pub name: String }
    /// # let service = testing::start(restwell::Builder::new("house").users::<User>());
    /// let ann = service.seed(|transaction| async move { transaction.create(User { name: "Ann".to_owned() }).await });
    /// let bob: Stored<User> = service.client().as_user(&ann).post("/users", json!({ "name": "Bob" })).is(201).read();
    /// ```
    #[must_use]
    pub fn as_user(self, user: impl Into<Uuid>) -> Self {
        self.as_user_with(user, &[])
    }

    /// The client with the credentials of a user whose token has scopes.
    #[must_use]
    pub fn as_user_with(self, user: impl Into<Uuid>, scopes: &[&str]) -> Self {
        let token = token_of(&self.key, &user.into().to_string(), scopes, &[]);
        Self { token: Some(token), ..self }
    }

    /// The client with the credentials of a user whose token has these claims, `{ "roles": ["support"] }`, and the
    /// scopes in `scope`.
    ///
    /// # Panics
    ///
    /// The claims are no JSON object.
    #[must_use]
    #[track_caller]
    pub fn as_user_with_claims(self, user: impl Into<Uuid>, claims: Value) -> Self {
        let Value::Object(mut claims) = claims else { panic!("claims are a JSON object: {claims}") };
        let scope = claims.remove("scope");
        let scopes = scope.as_ref().and_then(Value::as_str).unwrap_or_default();
        let scopes: Vec<_> = scopes.split_whitespace().collect();
        let claims: Vec<_> = claims.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let token = token_of(&self.key, &user.into().to_string(), &scopes, &claims);
        Self { token: Some(token), ..self }
    }

    /// The client with this in its `Authorization: Bearer`: a token of the service's own.
    #[must_use]
    pub fn with_token(self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self }
    }

    /// The client with another header in each of its requests: `with_header("Accept-Language", "pl-PL")`.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// GET.
    #[must_use]
    pub fn get(&self, path: &str) -> TestResponse {
        self.send(&Method::GET, path, None)
    }

    /// POST of a body.
    pub fn post(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.send(&Method::POST, path, Some(json_of(&body)))
    }

    /// PUT of a body.
    pub fn put(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.send(&Method::PUT, path, Some(json_of(&body)))
    }

    /// PATCH with a list of operations.
    pub fn patch(&self, path: &str, operations: impl Serialize) -> TestResponse {
        self.send(&Method::PATCH, path, Some(json_of(&operations)))
    }

    /// OPTIONS: the methods in `Allow` are those that the caller may use.
    #[must_use]
    pub fn options(&self, path: &str) -> TestResponse {
        self.send(&Method::OPTIONS, path, None)
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

    /// Sends a new command to an entity, and waits for its end: `client.command("/tasks/018f…", "postpone", &input)`.
    /// The response is the command as it is then, or the refusal of the request.
    ///
    /// # Panics
    ///
    /// It does not end within thirty seconds.
    #[track_caller]
    pub fn command(&self, entity: &str, command: &str, input: impl Serialize) -> TestResponse {
        let path = format!("{entity}/{command}-commands/{}", Uuid::now_v7());
        let mut response = self.put(&path, input);
        if response.status != StatusCode::CREATED.as_u16() {
            return response;
        }
        let (sent, start) = (response.clone(), std::time::Instant::now());
        while response.json["status"] == "RUNNING" {
            assert!(start.elapsed() < COMMAND_PATIENCE, "{path} does not end: {}", response.json);
            std::thread::sleep(PAUSE);
            response = self.get(&path).is(StatusCode::OK.as_u16());
        }
        TestResponse { reason: self.reason_of(&sent), ..response }
    }

    fn send(&self, method: &Method, path: &str, body: Option<String>) -> TestResponse {
        let path = utf8_percent_encode(path, UNSENDABLE);
        let request = self.request().method(method).uri(format!("{}{path}", self.base));
        let request = match body {
            Some(body) => request.header(header::CONTENT_TYPE, &self.media_type).body(body.into()),
            None => request.body(Full::default()),
        };
        let exchanged = request.map_err(Into::into).map(|request| self.runtime.block_on(self.exchange(request)));
        match exchanged.and_then(|response| response) {
            Ok(response) => response,
            Err(error) => panic!("{method} {path} is not answered: {error}"),
        }
    }

    /// What the service logged in the trace of a response.
    fn reason_of(&self, response: &TestResponse) -> Option<String> {
        let trace = response.headers.get(TRACE_ID.as_str())?;
        let reason = self.reasons.of(trace.parse().ok()?)?;
        // cargo shows it with a test that fails
        eprintln!("the service logged: {reason}");
        Some(reason)
    }

    fn request(&self) -> RequestBuilder {
        let mut request = Request::builder().header(header::USER_AGENT, "restwell-testing");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.header(header::ACCEPT, &self.media_type);
        match &self.token {
            Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<TestResponse, Box<dyn Error>> {
        let (head, body) = self.http.request(request).await?.into_parts();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let body = body.collect().await?.to_bytes();
        let json = serde_json::from_slice(&body).unwrap_or_default();
        let response = TestResponse { status: head.status.as_u16(), headers, json, reason: None };
        let reason = self.reason_of(&response).filter(|_| head.status.is_server_error());
        Ok(TestResponse { reason, ..response })
    }
}

impl TestResponse {
    /// The response, which must have this status.
    ///
    /// # Panics
    ///
    /// It has another one; the message has the body, and the [reason](Self::reason).
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.told());
        self
    }

    /// The body, and the reason of a failure.
    fn told(&self) -> String {
        let reason = self.reason.as_ref().map(|reason| format!("\nthe service logged: {reason}"));
        format!("{}{}", self.json, reason.unwrap_or_default())
    }

    /// The response to a [command](TestClient::command), which must have succeeded.
    ///
    /// # Panics
    ///
    /// It has not, or it is not a command.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.json["status"], "SUCCESSFUL", "{}", self.told());
        self
    }

    /// The response to a [command](TestClient::command), which must have failed: [`errors`](Self::errors) say why.
    ///
    /// # Panics
    ///
    /// It has not, or it is not a command.
    #[track_caller]
    pub fn failed(self) -> Self {
        assert_eq!(self.json["status"], "FAILED", "{}", self.told());
        self
    }

    /// The body as a value of its type: a `Stored<Offer>`, an object, the output of a command.
    ///
    /// # Panics
    ///
    /// It is of another type.
    #[must_use]
    #[track_caller]
    pub fn read<T: DeserializeOwned>(&self) -> T {
        T::deserialize(&self.json).unwrap_or_else(|error| panic!("{error}: {}", self.json))
    }

    /// The members of a collection, as values of their type.
    ///
    /// # Panics
    ///
    /// It is not a collection, or its members are of another type.
    #[must_use]
    #[track_caller]
    pub fn list<T: DeserializeOwned>(&self) -> Vec<T> {
        let lists = self.json.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_array());
        let Some(list) = lists.into_iter().next() else { panic!("it is not a collection: {}", self.json) };
        list.iter().map(|item| T::deserialize(item).unwrap_or_else(|error| panic!("{error}: {item}"))).collect()
    }

    /// The codes of its errors, and where they are: `[("Required", Some("name"))]`.
    #[must_use]
    pub fn errors(&self) -> Vec<(&str, Option<&str>)> {
        let errors = self.json["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
        errors.iter().map(|error| (error["code"].as_str().unwrap_or_default(), error["path"].as_str())).collect()
    }
}

fn json_of(body: &impl Serialize) -> String {
    match serde_json::to_string(body) {
        Ok(text) => text,
        Err(error) => panic!("the body cannot be sent: {error}"),
    }
}

/// What a test may write in a path, and a URL has only in its encoded form.
const UNSENDABLE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');
/// How long a response may take to be as a test expects it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
/// How long a command may take: as long as one without a `timeout` may.
const COMMAND_PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
/// Between two requests for it.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
