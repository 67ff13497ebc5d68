//! `restwell schema`.

use super::Failure;
use super::check::print_json;
use crate::json_schema::json_schema;

pub(super) fn run() -> Result<(), Failure> {
    print_json(&json_schema())
}
