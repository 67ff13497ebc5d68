//! What a service says of itself in the `info` of a document.

use super::json_tree::{JsonTree, object};
use crate::service::{License, Service};

/// The documents that have an `info`, each with its form of a license.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contract {
    OpenApi,
    AsyncApi,
}

/// The `info` of a document: its title, its version, and what the service says of itself before the introduction to
/// the document.
pub(super) fn info(service: &Service, title: String, introduction: String, contract: Contract) -> JsonTree {
    let description = match &service.description {
        Some(description) => format!("{}\n\n{introduction}", description.trim_end()),
        None => introduction,
    };
    let contact = service.contact.as_ref().map(|contact| {
        let texts = [("name", &contact.name), ("url", &contact.url), ("email", &contact.email)];
        texts.into_iter().fold(object([]), |tree, (name, text)| tree.with_some(name, text.as_deref()))
    });
    object([("title", title.into()), ("version", "1".into()), ("description", description.into())])
        .with_some("termsOfService", service.terms_of_service.as_deref())
        .with_some("contact", contact)
        .with_some("license", service.license.as_ref().map(|license| licensed(license, contract)))
}

/// OpenAPI has either the identifier or the URL, AsyncAPI only the URL.
fn licensed(license: &License, contract: Contract) -> JsonTree {
    let tree = object([("name", license.name.as_str().into())]);
    match (&license.identifier, contract) {
        (Some(identifier), Contract::OpenApi) => tree.with("identifier", identifier.as_str()),
        (Some(identifier), Contract::AsyncApi) if license.url.is_none() => {
            tree.with("url", format!("https://spdx.org/licenses/{identifier}.html"))
        }
        _ => tree.with_some("url", license.url.as_deref()),
    }
}
