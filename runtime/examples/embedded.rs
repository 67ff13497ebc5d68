//! A service inside a larger axum application, with a route of its own.
//! `cargo run -p restwell --example embedded`, then `curl -A me http://127.0.0.1:8080/hello`.

use axum::routing::get;
use restwell::{Builder, Resource};

/// A note.
#[derive(Debug, Clone, Resource)]
pub struct Note {
    /// What to remember.
    #[field(max_length = 500)]
    pub text: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let notes = restwell::router(Builder::new("notes").resource::<Note>(), "sqlite://notes.db")?;
    let app = notes.route("/hello", get(|| async { "hello" }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, app).await?;
    Ok(())
}
