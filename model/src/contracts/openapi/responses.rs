//! Responses and their headers. Equal ones are written once, and the headers of the transport once for all responses.

use super::{Emitter, wording};
use crate::api::{
    EDGE_CODES, ERROR_HEADERS, HttpResponse, Presence, ResponseCase, ResponseHeader, ValueType, common_headers,
};
use crate::contracts::json_tree::{JsonTree, object, texts};
use crate::contracts::schema_names::version_name;
use crate::contracts::schemas::sentence;
use crate::error::ErrorCode;
use crate::field::Type;
use crate::names;
use crate::resource::Version;

impl Emitter<'_, '_> {
    pub(super) fn response(&mut self, response: &HttpResponse, links: JsonTree) -> JsonTree {
        let headers = own_headers(response).map(|header| (header.name.to_owned(), self.header(header))).collect();
        let content = self.contents(&response.content);
        let codes: Vec<_> = response.codes.iter().map(|code| code.name()).collect();
        let tree = object([("description", wording::outcome(response).into())])
            .with_filled("headers", JsonTree::Object(headers))
            .with_filled("content", content)
            .with_filled("links", links)
            .with_filled("x-error-codes", texts(codes));
        match response.case {
            ResponseCase::Done | ResponseCase::Accepted => tree,
            ResponseCase::Valid | ResponseCase::NotModified | ResponseCase::Failed => {
                self.responses.share_repeated(&[self.name(response)], tree)
            }
        }
    }

    /// The errors that every operation can have as the response for other statuses, with the response for each; `None`
    /// if these are not such errors.
    pub(super) fn common_errors(&mut self, responses: &[&HttpResponse]) -> Option<JsonTree> {
        let content = self.contents(&responses.first()?.content);
        let codes: Vec<_> = responses.iter().flat_map(|response| &response.codes).collect();
        let statuses = responses.iter().map(|response| {
            let headers: Vec<_> = own_headers(response).copied().collect();
            let tree = object([("description", wording::outcome(response).into())])
                .with_filled("headers", self.listed_headers(&headers))
                .with("x-error-codes", texts(response.codes.iter().map(|code| code.name())));
            (response.status.to_string(), tree)
        });
        let statuses = JsonTree::Object(statuses.collect());
        let tree = object([("description", wording::COMMON_ERRORS.into()), ("content", content)])
            .with("x-error-codes", texts(codes.iter().map(|code| code.name())))
            .with("x-statuses", statuses);
        let with = if codes.contains(&&ErrorCode::TooCostly) { "" } else { "WithoutTooCostly" };
        let name = format!("CommonErrors{with}{}", self.version_suffix(responses.first()?));
        Some(self.responses.share(&[name], tree))
    }

    /// The name of a response that operations share: `NotFound`, `ForbiddenOrRejectedForbidden`,
    /// `NotAcceptableWithBetaV2`, `ValidWithDeprecation`. It follows from what the response is, and not from what else
    /// is in the document: another resource changes no names.
    fn name(&self, response: &HttpResponse) -> String {
        let status = wording::status_name(response.status);
        let others: Vec<_> = response.codes.iter().filter(|code| !USUAL_CODES.contains(code)).collect();
        let has_usual = others.len() < response.codes.len();
        let case = if others.len() > MAX_CODES_IN_NAME {
            let codes: Vec<_> = response.codes.iter().map(|code| code.name()).collect();
            format!("{status}_{:06x}", fingerprint(&codes) & 0xff_ffff)
        } else {
            let status = (has_usual || others.is_empty()).then_some(status);
            let others = others.into_iter().map(|code| code.name().to_owned());
            status.into_iter().chain(others).collect::<Vec<_>>().join("Or")
        };
        let versions = self.version_suffix(response);
        let headers = own_headers(response).filter(|header| !USUAL_HEADERS.contains(&header.name));
        let headers: String = headers.map(|header| format!("With{}", names::pascal(header.name))).collect();
        format!("{case}{versions}{headers}")
    }

    /// The end of a name for the versions of a body, which are usually the public one alone: `WithBetaV2`, `BetaV2`.
    fn version_suffix(&self, response: &HttpResponse) -> String {
        let versions = response.content.iter().filter_map(|content| content.version);
        let versions: Vec<_> = versions.filter(|version| self.has(&[*version])).collect();
        let with = if versions.len() > 1 && versions.contains(&Version::Public) { "With" } else { "" };
        let versions: String = versions.into_iter().map(version_name).collect();
        format!("{with}{versions}")
    }

    /// The headers that every response has, or that errors have beside them.
    pub(super) fn listed_headers(&mut self, headers: &[ResponseHeader]) -> JsonTree {
        JsonTree::Object(headers.iter().map(|it| (it.name.to_owned(), self.described_header(it))).collect())
    }

    fn header(&mut self, header: &ResponseHeader) -> JsonTree {
        let name = names::pascal(header.name);
        let name = if header.presence == Presence::Always { name } else { format!("Optional{name}") };
        let tree = self.described_header(header);
        self.headers.share(&[name], tree)
    }

    fn described_header(&mut self, header: &ResponseHeader) -> JsonTree {
        let (is_always, description) = match header.presence {
            Presence::Always => (true, sentence(header.meaning)),
            Presence::If(condition) => (false, format!("If {condition}. {}", sentence(header.meaning))),
        };
        let schema = match header.name {
            "Trace-Id" => self.schemas.parameter(&ValueType::Scalar(&Type::Uuid)),
            "Retry-After" => object([("type", "integer".into()), ("minimum", 0_u32.into())]),
            "Location" => object([("type", "string".into()), ("format", "uri-reference".into())]),
            _ => object([("type", "string".into())]),
        };
        object([("description", description.into()), ("required", is_always.into()), ("schema", schema)])
    }
}

/// Whether every operation can respond with this, for the same reasons.
pub(super) fn is_common_error(response: &HttpResponse) -> bool {
    let is_common = |code: &ErrorCode| EDGE_CODES.contains(code) || *code == ErrorCode::TooCostly;
    // a bad request has more reasons where there is a body
    response.status > 400 && response.codes.iter().all(is_common)
}

/// The codes that the name of a status stands for.
const USUAL_CODES: [ErrorCode; 19] = [
    ErrorCode::MissingUserAgent,
    ErrorCode::MalformedRequest,
    ErrorCode::Unauthenticated,
    ErrorCode::Forbidden,
    ErrorCode::ResourceNotFound,
    ErrorCode::NotAcceptable,
    ErrorCode::RejectedConflict,
    ErrorCode::PreconditionFailed,
    ErrorCode::BodyTooLarge,
    ErrorCode::UriTooLong,
    ErrorCode::UnsupportedMediaType,
    ErrorCode::UnsupportedEncoding,
    ErrorCode::RateLimited,
    ErrorCode::HeadTooLarge,
    ErrorCode::InternalError,
    ErrorCode::NotReady,
    ErrorCode::BadGateway,
    ErrorCode::Unavailable,
    ErrorCode::GatewayTimeout,
];
/// The headers that the name of a status stands for, and the one that is never without another.
const USUAL_HEADERS: [&str; 4] = ["ETag", "Retry-After", "WWW-Authenticate", "Sunset"];
/// A response with more codes is called after a number that follows from them.
const MAX_CODES_IN_NAME: usize = 3;

/// The headers of a response that are not listed once for all. OpenAPI ignores a description of `Content-Type`.
fn own_headers(response: &HttpResponse) -> impl Iterator<Item = &ResponseHeader> {
    let mut listed = common_headers();
    if response.case == ResponseCase::Failed {
        listed.extend(ERROR_HEADERS);
    }
    response.headers.iter().filter(move |header| header.name != "Content-Type" && !listed.contains(header))
}

/// A number that follows from texts alone, the same on every machine (FNV-1a).
fn fingerprint(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
