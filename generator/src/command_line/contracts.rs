//! `restwell openapi`, `restwell asyncapi`.

use super::check::{checked, print_json};
use super::report::Report;
use super::{Failure, OpenApi};
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, asyncapi, openapi};
use std::path::Path;

pub(super) fn print_openapi(options: &OpenApi, report: &Report) -> Result<(), Failure> {
    let (service, ..) = checked(&options.schemas.dir, None, report)?;
    print_json(&openapi(&Api::of(&service), ContractOptions { only: options.only, server: None }))
}

pub(super) fn print_asyncapi(dir: &Path, report: &Report) -> Result<(), Failure> {
    let (service, ..) = checked(dir, None, report)?;
    print_json(&asyncapi(&Api::of(&service)))
}
