//! `restwell schema`.

use super::check::{checked, print_json};
use super::report::Report;
use super::{Failure, SchemaOptions};
use crate::json_schema::{json_schema, json_schema_for};

pub(super) fn run(options: &SchemaOptions, report: &Report) -> Result<(), Failure> {
    match &options.of {
        None => print_json(&json_schema()),
        Some(dir) => print_json(&json_schema_for(&checked(dir, None, report)?.0)),
    }
}
