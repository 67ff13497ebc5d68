//! The marketplace's program, the same as in `generated-example/`: cargo builds it with the tests that start it as a process.

#[global_allocator]
static ALLOCATOR: restwell::Allocator = restwell::Allocator;

fn main() -> std::process::ExitCode {
    restwell::main(marketplace::service())
}
