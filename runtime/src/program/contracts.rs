//! `openapi`, `asyncapi`: the descriptions of the service, printed.

use super::config::OpenApiArguments;
use super::print;
use crate::service::{self, Builder};
use restwell_model::api::Api;
use restwell_model::contracts::{self, ContractOptions, JsonTree};

pub(super) fn openapi(builder: Builder, arguments: &OpenApiArguments) -> Result<(), String> {
    let service = service::check(builder)?;
    let options = ContractOptions { only: arguments.only, server: None };
    let routes = service.routes.contracts();
    print_tree(&contracts::openapi_with_routes(&Api::of(&service.model), options, &routes))
}

pub(super) fn asyncapi(builder: Builder) -> Result<(), String> {
    let service = service::check(builder)?;
    print_tree(&contracts::asyncapi(&Api::of(&service.model)))
}

fn print_tree(tree: &JsonTree) -> Result<(), String> {
    print(&serde_json::to_string_pretty(tree).map_err(|error| error.to_string())?)
}
