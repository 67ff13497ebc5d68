//! The documentation for people: the files of `runtime/page/`, as they are, and the way in (`/`), which is the page for
//! a browser and links for a program.
//!
//! The page reads what every client can read, with the rights of the token that it is given. The policy lets it load
//! nothing from other hosts, and nothing be loaded from it by a page of another.

use super::failure::Failure;
use super::fixed_document::FixedDocument;
use super::payload::Payload;
use super::{Engine, negotiate};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, header, request};
use restwell_model::ErrorCode;
use restwell_model::api::SystemEndpoint;
use serde_json::json;
use std::sync::OnceLock;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const JSON: HeaderValue = HeaderValue::from_static("application/json");

const HEADERS: [(HeaderName, HeaderValue); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// A file of the page.
struct PageFile {
    /// Below `/docs/`; that of the page itself is empty.
    name: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
    document: OnceLock<Option<FixedDocument>>,
}

macro_rules! files {
    ($($name:literal $media_type:ident $path:literal,)+) => {
        [$(PageFile {
            name: $name,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../../page/", $path)),
            document: OnceLock::new(),
        },)+]
    };
}

static FILES: [PageFile; 44] = files![
    "" HTML "index.html",
    "base.css" STYLE "base.css",
    "frame.css" STYLE "frame.css",
    "parts.css" STYLE "parts.css",
    "forms.css" STYLE "forms.css",
    "answers.css" STYLE "answers.css",
    "icon.svg" IMAGE "icon.svg",
    "vendor/lit-html.js" SCRIPT "vendor/lit-html.js",
    "answer.js" SCRIPT "answer.js",
    "app.js" SCRIPT "app.js",
    "client.js" SCRIPT "client.js",
    "command.js" SCRIPT "command.js",
    "curl.js" SCRIPT "curl.js",
    "draft.js" SCRIPT "draft.js",
    "dry_run.js" SCRIPT "dry_run.js",
    "entity.js" SCRIPT "entity.js",
    "errors.js" SCRIPT "errors.js",
    "event_list.js" SCRIPT "event_list.js",
    "events.js" SCRIPT "events.js",
    "fields.js" SCRIPT "fields.js",
    "form.js" SCRIPT "form.js",
    "home.js" SCRIPT "home.js",
    "inputs.js" SCRIPT "inputs.js",
    "interface.js" SCRIPT "interface.js",
    "json.js" SCRIPT "json.js",
    "lifecycle.js" SCRIPT "lifecycle.js",
    "list.js" SCRIPT "list.js",
    "memory.js" SCRIPT "memory.js",
    "nav.js" SCRIPT "nav.js",
    "numbers.js" SCRIPT "numbers.js",
    "operation.js" SCRIPT "operation.js",
    "picker.js" SCRIPT "picker.js",
    "reference.js" SCRIPT "reference.js",
    "resource.js" SCRIPT "resource.js",
    "router.js" SCRIPT "router.js",
    "settings.js" SCRIPT "settings.js",
    "store.js" SCRIPT "store.js",
    "stream.js" SCRIPT "stream.js",
    "texts.js" SCRIPT "texts.js",
    "times.js" SCRIPT "times.js",
    "try_form.js" SCRIPT "try_form.js",
    "texts_en.js" SCRIPT "texts_en.js",
    "texts_pl.js" SCRIPT "texts_pl.js",
    "values.js" SCRIPT "values.js",
];

/// The file at a path.
fn find(path: &str) -> Option<&'static PageFile> {
    let rest = path.strip_prefix(SystemEndpoint::Docs.path())?;
    let name = if rest.is_empty() { "" } else { rest.strip_prefix('/').filter(|name| !name.is_empty())? };
    FILES.iter().find(|file| file.name == name)
}

/// Whether there is a file at a path.
pub(super) fn has(path: &str) -> bool {
    find(path).is_some()
}

/// Responds with a file.
pub(super) fn file(head: &request::Parts) -> Result<Response<Payload>, Failure> {
    find(head.uri.path()).ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?.response(head)
}

impl PageFile {
    fn response(&self, head: &request::Parts) -> Result<Response<Payload>, Failure> {
        let make = || FixedDocument::new(HeaderValue::from_static(self.media_type), Bytes::from_static(self.bytes));
        let document = self.document.get_or_init(make).as_ref();
        let mut response = document.ok_or_else(|| Failure::new(ErrorCode::InternalError))?.response(&head.headers);
        response.headers_mut().extend(HEADERS);
        Ok(response)
    }
}

impl Engine {
    /// Responds to a request for the way in.
    pub(super) fn root(&self, head: &request::Parts) -> Result<Response<Payload>, Failure> {
        if negotiate::prefers_page(&head.headers) {
            let page = FILES.iter().find(|file| file.name.is_empty());
            return page.ok_or_else(|| Failure::new(ErrorCode::InternalError))?.response(head);
        }
        let links = FixedDocument::new(JSON, Bytes::from(self.links()));
        Ok(links.ok_or_else(|| Failure::new(ErrorCode::InternalError))?.response(&head.headers))
    }

    /// The links to the descriptions of the service, for programs.
    fn links(&self) -> String {
        let service = &self.plans.service;
        let at = |endpoint: SystemEndpoint| format!("{}{}", self.base_url, endpoint.path());
        json!({
            "name": service.name,
            "title": service.title.as_deref().unwrap_or(&service.name),
            "links": {
                "docs": at(SystemEndpoint::Docs),
                "openapi": at(SystemEndpoint::OpenApi),
                "asyncapi": at(SystemEndpoint::AsyncApi),
                "model": at(SystemEndpoint::Model),
                "events": at(SystemEndpoint::Events),
            },
        })
        .to_string()
    }
}
