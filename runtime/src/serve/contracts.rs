//! The descriptions of the service for programs: `/openapi.json`, `/asyncapi.json`, `/model.json`.
//!
//! Each is made when it is first requested, on a thread of its own, and kept: responses share its bytes, plain and
//! compressed.

use super::failure::Failure;
use super::payload::Payload;
use super::{Engine, compression, parameters};
use crate::etag::{self, Tags};
use crate::plan::Plans;
use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header, request};
use restwell_model::ErrorCode;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, asyncapi, model_document, openapi};
use std::sync::{Arc, OnceLock};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Kept by caches, and revalidated with the tag.
const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");

/// A description of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContractKind {
    /// Its HTTP interface.
    OpenApi,
    /// Its events.
    AsyncApi,
    /// What it was made from.
    Model,
}

/// The descriptions that were requested so far.
#[derive(Debug)]
pub(crate) struct Contracts {
    plans: Arc<Plans>,
    base_url: Arc<str>,
    documents: [OnceLock<Option<ContractDocument>>; 3],
}

/// A document in the forms in which it is sent.
#[derive(Debug, Clone)]
struct ContractDocument {
    plain: Bytes,
    compressed: Option<Bytes>,
    tag: HeaderValue,
}

impl Contracts {
    fn slot(&self, kind: ContractKind) -> &OnceLock<Option<ContractDocument>> {
        let [of_http, of_events, of_model] = &self.documents;
        match kind {
            ContractKind::OpenApi => of_http,
            ContractKind::AsyncApi => of_events,
            ContractKind::Model => of_model,
        }
    }

    fn make(&self, kind: ContractKind) -> Option<ContractDocument> {
        let service = &self.plans.service;
        let text = match kind {
            ContractKind::OpenApi => {
                let options = ContractOptions { only: None, server: Some(&*self.base_url) };
                serde_json::to_vec(&openapi(&Api::of(service), options))
            }
            ContractKind::AsyncApi => serde_json::to_vec(&asyncapi(&Api::of(service))),
            ContractKind::Model => serde_json::to_vec(&model_document(service)),
        };
        let plain = Bytes::from(text.ok()?);
        let tag = HeaderValue::try_from(etag::tag(&JSON, &plain)).ok()?;
        Some(ContractDocument { compressed: compression::gzip(&plain), plain, tag })
    }
}

impl Engine {
    /// The descriptions of its service.
    pub(crate) fn new_contracts(&self) -> Arc<Contracts> {
        Arc::new(Contracts {
            plans: Arc::clone(&self.plans),
            base_url: Arc::clone(&self.base_url),
            documents: Default::default(),
        })
    }

    /// Responds with a description.
    pub(super) async fn contract(
        &self,
        kind: ContractKind,
        head: &request::Parts,
    ) -> Result<Response<Payload>, Failure> {
        let problems = parameters::refuse_all(&parameters::parse(head.uri.query()));
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        let contracts = self.contracts.clone().ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        let document = match contracts.slot(kind).get() {
            Some(document) => document.clone(),
            None => {
                let making = move || contracts.slot(kind).get_or_init(|| contracts.make(kind)).clone();
                tokio::task::spawn_blocking(making).await.ok().flatten()
            }
        };
        let document = document.ok_or_else(|| Failure::new(ErrorCode::InternalError))?;
        Ok(document.response(head))
    }
}

impl ContractDocument {
    fn response(self, head: &request::Parts) -> Response<Payload> {
        let plain_tag = self.tag.to_str().unwrap_or_default();
        let known = Tags::read(&head.headers, header::IF_NONE_MATCH);
        let is_known = known.is_some_and(|tags| tags.match_weakly(plain_tag));
        let compressed = self.compressed.filter(|_| !is_known && compression::is_asked(&head.headers));
        let tag = compressed.as_ref().and_then(|_| etag::compressed(&self.tag));
        let mut response = Response::new(Payload::Whole(match (is_known, &compressed) {
            (true, _) => Bytes::new(),
            (false, Some(compressed)) => compressed.clone(),
            (false, None) => self.plain,
        }));
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag.unwrap_or(self.tag));
        headers.insert(header::CACHE_CONTROL, REVALIDATED);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, JSON);
        if compressed.is_some() {
            headers.insert(header::CONTENT_ENCODING, compression::GZIP);
        }
        response
    }
}
