//! Documents that describe a service to programs: [`openapi`] for its HTTP interface, [`asyncapi`] for its events.
//!
//! Both are made from an [`Api`](crate::api::Api) alone, with the same schemas, and the same service always gives the
//! same bytes. They repeat no rule of the conventions: a fact that is missing here is missing in `api`.

mod about;
mod asyncapi;
mod components;
mod json_tree;
mod model_document;
mod openapi;
mod samples;
mod scalars;
mod schema_names;
mod schemas;
#[cfg(test)]
mod tests;

pub use asyncapi::asyncapi;
pub use json_tree::JsonTree;
pub use model_document::{ModelDocument, model_document};
pub use openapi::{ContractOptions, openapi, openapi_with_routes};
