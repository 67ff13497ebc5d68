//! The `restwell` command.

use restwell_generator::command_line::CommandLine;
use std::io::Write;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match CommandLine::read() {
        Ok(command_line) => command_line.run(),
        Err(problem) => {
            // if even this fails, there is no way left to report it
            let _ = writeln!(std::io::stderr(), "error: {problem}");
            ExitCode::FAILURE
        }
    }
}
