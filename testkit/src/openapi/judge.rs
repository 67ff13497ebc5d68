//! The judge: each exchange against the document, and what of the document was seen.

use super::document::{Document, DocumentedAnswer, DocumentedPath};
use super::elsewhere::{self, CONDITIONS, OF_HTTP, OF_PREFLIGHT};
use super::exchange::Exchange;
use super::schemas::Schemas;
use restwell_model::ErrorCode;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Judges exchanges by a document, and remembers which statuses it saw.
#[derive(Debug)]
pub struct Judge {
    document: Arc<Document>,
    schemas: Arc<Schemas>,
    /// Operations with statuses.
    seen: Mutex<BTreeSet<(String, String)>>,
}

impl Judge {
    /// Reads a document. It fails with what it cannot read.
    pub fn of(document: &Value) -> Result<Self, String> {
        let (document, schemas) = (Document::read(document)?, Schemas::of(document)?);
        Ok(Self { document: Arc::new(document), schemas: Arc::new(schemas), seen: Mutex::default() })
    }

    /// The same judge, who has seen nothing yet.
    pub fn with_new_record(&self) -> Self {
        let (document, schemas) = (Arc::clone(&self.document), Arc::clone(&self.schemas));
        Self { document, schemas, seen: Mutex::default() }
    }

    /// What an answer has that the document does not say, and what it lacks of what the document says.
    pub fn faults(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let path = exchange.path();
        if elsewhere::is_left_out(path) {
            return Vec::new();
        }
        let Some(documented) = self.document.find(path) else {
            return self.edge(exchange, ErrorCode::ResourceNotFound);
        };
        let Some(operation) = documented.operations.get(exchange.documented_method()) else {
            return self.other_method(exchange, documented);
        };
        let Some(answer) = operation.answer(exchange.status) else {
            return vec![format!("{} is not documented for {}", exchange.status, operation.id)];
        };
        let seen = (operation.id.clone(), exchange.status.to_string());
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(seen);
        let codes = answer.codes.iter().map(String::as_str).collect();
        let asked = asked(exchange, &operation.parameters);
        [asked, self.headers(exchange, answer, &[]), self.body(exchange, answer, &codes)].concat()
    }

    /// The operations and their statuses that the document has.
    pub fn documented(&self) -> BTreeSet<(String, String)> {
        let statuses = self
            .document
            .operations()
            .flat_map(|operation| operation.answers.keys().map(|status| (operation.id.clone(), status.clone())));
        statuses.collect()
    }

    /// Those that no exchange had so far.
    pub fn unseen(&self) -> BTreeSet<(String, String)> {
        &self.documented() - &*self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to OPTIONS, or to a method that the path does not have, which the document tells of in words.
    fn other_method(&self, exchange: &Exchange<'_>, path: &DocumentedPath) -> Vec<String> {
        let allow: Option<BTreeSet<_>> = exchange.header("allow").map(|allow| allow.split(", ").collect());
        let mut methods: BTreeSet<_> = path.operations.keys().map(String::as_str).chain(["OPTIONS"]).collect();
        if methods.contains("GET") {
            methods.insert("HEAD");
        }
        let expects_allow = matches!((exchange.method, exchange.status), ("OPTIONS", 204) | (_, 405));
        let mut faults = match (expects_allow, &allow) {
            (true, Some(allow)) if *allow == methods => Vec::new(),
            // of a caller with credentials those that the caller may use
            (true, Some(allow)) if exchange.method == "OPTIONS" && allow.is_subset(&methods) => Vec::new(),
            (false, None) => Vec::new(),
            _ => vec![format!("Allow is {allow:?}, and the path has {methods:?}")],
        };
        if exchange.method == "OPTIONS" && exchange.status == 204 {
            let own: Vec<_> = ["allow"].into_iter().chain(OF_PREFLIGHT).collect();
            let bare = &self.document.bare;
            return [faults, self.headers(exchange, bare, &own), self.body(exchange, bare, &BTreeSet::new())].concat();
        }
        // a path whose id is not one is not there
        let own = match (exchange.method, exchange.status) {
            (_, 404) => ErrorCode::ResourceNotFound,
            ("OPTIONS", 401) => ErrorCode::Unauthenticated,
            ("OPTIONS", 403) => ErrorCode::Forbidden,
            _ => ErrorCode::MethodNotAllowed,
        };
        faults.extend(self.edge(exchange, own));
        faults
    }

    /// An error that needs no operation: it looks like that of any.
    fn edge(&self, exchange: &Exchange<'_>, own: ErrorCode) -> Vec<String> {
        let codes = elsewhere::codes(own);
        let of_status =
            |code: &&str| ErrorCode::ALL.iter().any(|it| it.name() == *code && it.status() == exchange.status);
        let codes: BTreeSet<_> = codes.into_iter().filter(|code| of_status(code)).collect();
        if codes.is_empty() {
            return vec![format!("{} where {} is expected", exchange.status, own.name())];
        }
        let of_status = self.document.operations().find_map(|operation| operation.answer(exchange.status));
        let any = of_status.or_else(|| self.error_with(&ErrorCode::ResourceNotFound));
        let Some(any) = any else { return vec!["no operation has errors".to_owned()] };
        let own: &[&str] = if own == ErrorCode::MethodNotAllowed { &["allow"] } else { &[] };
        [self.headers(exchange, any, own), self.body(exchange, any, &codes)].concat()
    }

    /// An answer of some operation with this code.
    fn error_with(&self, code: &ErrorCode) -> Option<&DocumentedAnswer> {
        let mut operations = self.document.operations();
        operations.find_map(|operation| operation.answer(code.status()).filter(|it| it.codes.contains(code.name())))
    }

    /// Every header is documented, and every one that is always there is there. `own`: others that may be.
    fn headers(&self, exchange: &Exchange<'_>, answer: &DocumentedAnswer, own: &[&str]) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, value) in exchange.headers {
            match answer.headers.get(name) {
                Some(header) => {
                    let value = typed(value, &header.schema);
                    faults.extend(self.schemas.faults(&header.schema, &value).iter().map(|it| format!("{name}{it}")));
                }
                None if OF_HTTP.contains(&name.as_str()) || own.contains(&name.as_str()) => {}
                None => faults.push(format!("{name} is not documented with {}", exchange.status)),
            }
        }
        let required = answer.headers.iter().filter(|(_, header)| header.is_required);
        let missing = required.filter(|(name, _)| exchange.header(name).is_none());
        faults.extend(missing.map(|(name, _)| format!("{name} is missing")));
        faults
    }

    /// The body is of a documented media type, valid by its schema, with documented codes.
    fn body(&self, exchange: &Exchange<'_>, answer: &DocumentedAnswer, codes: &BTreeSet<&str>) -> Vec<String> {
        let media_type = exchange.header("content-type");
        let Some(schema) = media_type.and_then(|media_type| answer.contents.get(media_type)) else {
            if answer.contents.is_empty() && media_type.is_none() {
                let is_empty = exchange.body.is_none_or(<[u8]>::is_empty);
                return if is_empty { Vec::new() } else { vec!["a body is not documented".to_owned()] };
            }
            let known: Vec<_> = answer.contents.keys().collect();
            return vec![format!("the media type is {media_type:?}, and {known:?} are documented")];
        };
        let Some(body) = exchange.body.filter(|_| !exchange.is_head()) else { return Vec::new() };
        let is_json = media_type.is_some_and(|media_type| media_type.ends_with("json"));
        let value = match is_json {
            true => match serde_json::from_slice(body) {
                Ok(value) => value,
                Err(error) => return vec![format!("the body: {error}")],
            },
            false => Value::String(String::from_utf8_lossy(body).into_owned()),
        };
        let mut faults = self.schemas.faults(schema, &value);
        if exchange.status >= 400 {
            faults.extend(code_faults(&value, codes));
        }
        faults
    }
}

/// The errors have documented codes; a service's own stand in the place of those of rejections.
fn code_faults(body: &Value, codes: &BTreeSet<&str>) -> Vec<String> {
    let is_known = |code: &str| ErrorCode::ALL.iter().any(|known| known.name() == code);
    let has_own = ErrorCode::REJECTIONS.iter().any(|code| codes.contains(code.name()));
    let is_documented = |code: &str| codes.contains(code) || (has_own && !is_known(code));
    let errors = body["errors"].as_array().into_iter().flatten();
    let found = errors.filter_map(|error| error["code"].as_str()).filter(|code| !is_documented(code));
    found.map(|code| format!("the code {code} is not documented")).collect()
}

/// The value of a header as its schema has it.
fn typed(value: &str, schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer") => value.parse::<i64>().map_or_else(|_| Value::from(value), Value::from),
        _ => Value::from(value),
    }
}

/// What a request asked for that the document does not know, where it was heard: a parameter that was not refused, a
/// header that decided the status.
fn asked(exchange: &Exchange<'_>, documented: &BTreeSet<String>) -> Vec<String> {
    let parameters = exchange.parameters().filter(|_| exchange.status < 400);
    let headers = CONDITIONS.iter().filter(|(status, _)| *status == exchange.status).map(|(_, header)| *header);
    let unknown = parameters.chain(headers).filter(|name| !documented.contains(*name));
    unknown.map(|name| format!("{name} is heard, and not documented")).collect()
}
