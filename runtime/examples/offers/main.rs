//! A service of one hand-written resource, to measure: `LISTEN=127.0.0.1:8080 DATABASE_URL=sqlite://offers.db offers`.

mod model;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: restwell::Allocator = restwell::Allocator;

fn main() -> ExitCode {
    restwell::main(model::service())
}
