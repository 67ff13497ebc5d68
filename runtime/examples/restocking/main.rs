//! The service of `offers` with a command, to measure commands.

#[path = "../offers/model.rs"]
mod model;
#[path = "../offers/restock.rs"]
mod restock;

use restock::{Restock, restock};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: restwell::Allocator = restwell::Allocator;

fn main() -> ExitCode {
    restwell::main(model::service().handle::<Restock, _, _>(restock))
}
