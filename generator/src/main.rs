//! The `restwell` command.

use clap::Parser;
use restwell_generator::command_line::CommandLine;
use std::process::ExitCode;

fn main() -> ExitCode {
    CommandLine::parse().run()
}
