//! The program of Marketplace API: `serve` (the default), and whatever else `--help` tells.

#[global_allocator]
static ALLOCATOR: restwell::Allocator = restwell::Allocator;

fn main() -> std::process::ExitCode {
    restwell::main(marketplace::service())
}
