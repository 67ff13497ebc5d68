//! The descriptions of the service for programs: `/openapi.json`, `/asyncapi.json`, `/model.json`.
//!
//! Each is made when it is first requested, on a thread of its own, and kept: responses share its bytes, plain and
//! compressed.

use super::Engine;
use super::failure::Failure;
use super::fixed_document::FixedDocument;
use super::payload::Payload;
use crate::plan::Plans;
use crate::serve::routes::RouteTable;
use bytes::Bytes;
use http::{HeaderValue, Response, request};
use restwell_model::ErrorCode;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, asyncapi, model_document, openapi_with_routes};
use std::sync::{Arc, OnceLock};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

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
    routes: Arc<RouteTable>,
    base_url: Arc<str>,
    documents: [OnceLock<Option<FixedDocument>>; 3],
}

impl Contracts {
    fn slot(&self, kind: ContractKind) -> &OnceLock<Option<FixedDocument>> {
        let [of_http, of_events, of_model] = &self.documents;
        match kind {
            ContractKind::OpenApi => of_http,
            ContractKind::AsyncApi => of_events,
            ContractKind::Model => of_model,
        }
    }

    fn make(&self, kind: ContractKind) -> Option<FixedDocument> {
        let service = &self.plans.service;
        let text = match kind {
            ContractKind::OpenApi => {
                let options = ContractOptions { only: None, server: Some(&*self.base_url) };
                serde_json::to_vec(&openapi_with_routes(&Api::of(service), options, self.routes.contracts()))
            }
            ContractKind::AsyncApi => serde_json::to_vec(&asyncapi(&Api::of(service))),
            ContractKind::Model => serde_json::to_vec(&model_document(service, self.routes.contracts())),
        };
        FixedDocument::new(JSON, Bytes::from(text.ok()?))
    }
}

impl Engine {
    /// The descriptions of its service.
    pub(crate) fn new_contracts(&self) -> Arc<Contracts> {
        Arc::new(Contracts {
            plans: Arc::clone(&self.plans),
            routes: Arc::clone(&self.routes),
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
        let contracts = self.contracts.clone().ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        let document = match contracts.slot(kind).get() {
            Some(document) => document.clone(),
            None => {
                let making = move || contracts.slot(kind).get_or_init(|| contracts.make(kind)).clone();
                tokio::task::spawn_blocking(making).await.ok().flatten()
            }
        };
        let document = document.ok_or_else(|| Failure::new(ErrorCode::InternalError))?;
        Ok(document.response(&head.headers))
    }
}
