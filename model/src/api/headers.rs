//! The headers of requests and responses (§4.1, §4.9, §4.10).

use super::operation::HttpOperation;
use crate::resource::OperationKind;
use crate::routes::Action;

/// A header that a request may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHeader {
    /// As it is usually spelled.
    pub name: &'static str,
    /// Whether a request without it is refused.
    pub is_required: bool,
    /// One sentence for documentation.
    pub meaning: &'static str,
}

/// A header of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseHeader {
    /// As it is usually spelled.
    pub name: &'static str,
    /// When it is there.
    pub presence: Presence,
    /// One sentence for documentation.
    pub meaning: &'static str,
}

/// When a response has a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// In every response of this status.
    Always,
    /// Where this condition holds, in words.
    If(&'static str),
}

const fn request(name: &'static str, is_required: bool, meaning: &'static str) -> RequestHeader {
    RequestHeader { name, is_required, meaning }
}

const fn always(name: &'static str, meaning: &'static str) -> ResponseHeader {
    ResponseHeader { name, presence: Presence::Always, meaning }
}

const fn when(name: &'static str, condition: &'static str, meaning: &'static str) -> ResponseHeader {
    ResponseHeader { name, presence: Presence::If(condition), meaning }
}

const USER_AGENT: RequestHeader = request("User-Agent", true, "Identifies the client (§4.1).");
const ACCEPT_LANGUAGE: RequestHeader =
    request("Accept-Language", false, "The languages of messages for users (§4.9); en-US without it.");
const ACCEPT_ENCODING: RequestHeader =
    request("Accept-Encoding", false, "With `gzip` a response with a body is compressed (§4.10).");
const TRACEPARENT: RequestHeader =
    request("traceparent", false, "A W3C trace that the request is part of; its id becomes the Trace-Id.");
const IF_MATCH: RequestHeader =
    request("If-Match", false, "Entity tags: 412 unless the entity has one of them, in any version.");
const IF_NONE_MATCH: RequestHeader =
    request("If-None-Match", false, "Entity tags: 304 without a body if the representation has one of them.");
const IF_NONE_MATCH_OF_CHANGE: RequestHeader =
    request("If-None-Match", false, "Entity tags: 412 if the entity has one of them, in any version.");
const LAST_EVENT_ID: RequestHeader =
    request("Last-Event-ID", false, "The last `id:` that the client got: the stream continues after it, or is 410.");

const fn authorization(is_required: bool) -> RequestHeader {
    request("Authorization", is_required, "`Bearer` and a token (§5). A bad token is 401 with every operation.")
}

impl HttpOperation<'_> {
    /// Whether this header of a request matters.
    #[must_use]
    pub fn takes_header(&self, name: &str) -> bool {
        takes(&self.headers, name)
    }

    /// Whether a request without this header is refused.
    #[must_use]
    pub fn requires_header(&self, name: &str) -> bool {
        requires(&self.headers, name)
    }

    /// Whether a request without a body is refused: then it needs its media type.
    #[must_use]
    pub fn requires_body(&self) -> bool {
        self.requires_header(CONTENT_TYPE.name)
    }
}

/// Whether a header is among these.
pub(super) fn takes(headers: &[RequestHeader], name: &str) -> bool {
    headers.iter().any(|header| header.name.eq_ignore_ascii_case(name))
}

/// Whether a header is among those of these that are required.
pub(super) fn requires(headers: &[RequestHeader], name: &str) -> bool {
    headers.iter().any(|header| header.is_required && header.name.eq_ignore_ascii_case(name))
}

/// The headers of a request for an action. `requires_body`: one without a body is refused, if it takes one.
pub(super) fn of_action(action: Action, requires_credentials: bool, requires_body: bool) -> Vec<RequestHeader> {
    let mut headers = vec![USER_AGENT];
    if action.requires_accept() || action.has_body() {
        let meaning = "The versions of the response (§9.2); ranges such as `*/*` match.";
        headers.push(request("Accept", action.requires_accept(), meaning));
    }
    if action.has_body() {
        let (with_body, if_given) =
            ("The version of the body (§9.2).", "The version of the body (§9.2), if there is one.");
        headers.push(request("Content-Type", requires_body, if requires_body { with_body } else { if_given }));
    }
    headers.push(authorization(requires_credentials));
    match action {
        Action::Operation(OperationKind::Get) | Action::GetSearch | Action::GetCommand(_) => {
            headers.extend([IF_MATCH, IF_NONE_MATCH]);
        }
        Action::Operation(OperationKind::Update | OperationKind::Patch | OperationKind::Delete) => {
            headers.extend([IF_MATCH, IF_NONE_MATCH_OF_CHANGE]);
        }
        Action::Operation(OperationKind::Create | OperationKind::List)
        | Action::CreateSearch
        | Action::PutCommand(_)
        | Action::ListCommands(_) => {}
    }
    headers.extend([ACCEPT_LANGUAGE, ACCEPT_ENCODING, TRACEPARENT]);
    headers
}

/// The headers of a request for the event stream.
pub(super) fn of_events() -> Vec<RequestHeader> {
    let accept = request("Accept", true, "Must match `text/event-stream`.");
    vec![USER_AGENT, accept, authorization(false), LAST_EVENT_ID, ACCEPT_LANGUAGE, ACCEPT_ENCODING, TRACEPARENT]
}

/// The headers of a request for a description of the service.
pub(super) fn of_contracts() -> Vec<RequestHeader> {
    vec![USER_AGENT, IF_NONE_MATCH, ACCEPT_LANGUAGE, ACCEPT_ENCODING, TRACEPARENT]
}

/// The headers of a request for the way in, which is for browsers and programs.
pub(super) fn of_root() -> Vec<RequestHeader> {
    let accept = request("Accept", false, "With `text/html`, as browsers send it, the response is a page.");
    std::iter::once(accept).chain(of_contracts()).collect()
}

pub(super) const CONTENT_TYPE: ResponseHeader = always("Content-Type", "The media type of the body.");
pub(super) const ETAG: ResponseHeader =
    always("ETag", "A strong tag of the representation; of a compressed body it ends in `-gzip`.");
pub(super) const LOCATION: ResponseHeader = always("Location", "Where the new entity, search or command is.");
pub(super) const ALLOW: ResponseHeader = always("Allow", "The methods of the path.");
pub(super) const CONTENT_LANGUAGE: ResponseHeader =
    always("Content-Language", "The language of the messages for users.");
pub(super) const COMMAND_LANGUAGE: ResponseHeader =
    when("Content-Language", "a command is FAILED", "The language of the messages for users.");
pub(super) const IGNORED_PROPERTIES: ResponseHeader = when(
    "Ignored-Properties",
    "the body has an `id`",
    "`id`: the service makes the ids, so the entity has another one. Use that of `Location`.",
);
pub(super) const RETRY_AFTER: ResponseHeader = always("Retry-After", "Seconds to wait before another attempt.");
pub(super) const WWW_AUTHENTICATE: ResponseHeader = always("WWW-Authenticate", "The scheme of credentials: `Bearer`.");
pub(super) const NO_STORE: ResponseHeader = always("Cache-Control", "`no-store`: caches must not keep it.");
pub(super) const REVALIDATED: ResponseHeader = always("Cache-Control", "`no-cache`: to be revalidated.");
/// Of the documentation for people.
pub(super) const OF_PAGE: [ResponseHeader; 2] = [
    when("Content-Security-Policy", "the body is a page", "The page loads nothing from other hosts."),
    when("Referrer-Policy", "the body is a page", "`no-referrer`."),
];
const DEPRECATION: ResponseHeader = when(
    "Deprecation",
    "the request uses something deprecated",
    "RFC 9745. Always `@0`: the model does not say since when.",
);
const SUNSET: ResponseHeader =
    when("Sunset", "the day of its removal is known", "RFC 8594: the day from which it may be gone.");
const PRIVATE: ResponseHeader = when(
    "Cache-Control",
    "the request has credentials",
    "`private, no-cache`: only for this caller, and to be revalidated.",
);
pub(super) const CONTENT_ENCODING: ResponseHeader =
    when("Content-Encoding", "the request accepts gzip, and there is a body", "`gzip` (§4.10).");
const RATE_LIMIT: [ResponseHeader; 2] = [
    when("RateLimit-Policy", "rate limits are configured", "`\"default\";q=<requests>;w=<seconds>`: the quota (§8)."),
    when(
        "RateLimit",
        "rate limits are configured",
        "`\"default\";r=<requests>;t=<seconds>`: the requests that remain (§8).",
    ),
];

/// The headers of every response of the service. `is_counted`: the rate limit counts the request.
pub(super) fn of_every_response(is_counted: bool) -> Vec<ResponseHeader> {
    let mut headers = vec![
        always("Trace-Id", "A UUID that identifies the request in logs and on events."),
        always("Vary", "`Accept, Accept-Encoding, Accept-Language`, and what else responses depend on."),
        always("X-Content-Type-Options", "`nosniff`."),
        when(
            "Access-Control-Allow-Origin",
            "the request has an origin that the operator permits",
            "The origin: its scripts may read the response.",
        ),
        when(
            "Access-Control-Expose-Headers",
            "the request has an origin that the operator permits",
            "The headers that its scripts may read.",
        ),
        when("Strict-Transport-Security", "the service itself serves HTTPS", "Browsers keep to HTTPS."),
    ];
    if is_counted {
        headers.extend(RATE_LIMIT);
    }
    headers
}

/// The headers that every response has, whatever the operation; one that has another header of the same name has that
/// one in its place. Documents list them once.
#[must_use]
pub fn common_headers() -> Vec<ResponseHeader> {
    of_every_response(true).into_iter().chain([PRIVATE, CONTENT_ENCODING]).collect()
}

/// The headers that every error has beside [`common_headers`].
pub const ERROR_HEADERS: [ResponseHeader; 3] = [CONTENT_LANGUAGE, DEPRECATION, SUNSET];

/// The headers that every request may have, whatever the operation. Documents list them once.
pub const COMMON_REQUEST_HEADERS: [RequestHeader; 2] = [ACCEPT_LANGUAGE, TRACEPARENT];

/// The headers of a response with a body of the conventions.
pub(super) fn of_body() -> Vec<ResponseHeader> {
    vec![CONTENT_TYPE, CONTENT_ENCODING]
}

/// The headers of a response that may depend on credentials.
pub(super) fn of_credentials() -> Vec<ResponseHeader> {
    vec![PRIVATE]
}

/// The headers of a response to a request that may use something deprecated.
pub(super) fn of_deprecation() -> Vec<ResponseHeader> {
    vec![DEPRECATION, SUNSET]
}
