//! A service from one hand-written struct: `cargo run -p restwell --example articles`, then
//! `curl -A me http://127.0.0.1:8080/articles`.

use restwell::{Builder, Resource};
use std::process::ExitCode;

/// Something to read.
#[derive(Debug, Clone, Resource)]
pub struct Article {
    /// The title, as it is printed.
    #[field(max_length = 120, filter, sort)]
    pub title: String,
    /// The text, in Markdown.
    pub body: Option<String>,
}

fn main() -> ExitCode {
    restwell::main(Builder::new("articles").resource::<Article>())
}
