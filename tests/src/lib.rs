//! One service in two forms: hand-written structs, and what the generator made of `schemas/`. The suite beside this
//! library runs on both, through HTTP, and so shows that a derive and a YAML document mean the same. Other tests beside it
//! start the marketplace as a process (`marketplace.rs`).

pub mod by_hand;
pub mod commands;
pub mod generated;
pub mod long_conditions;
pub mod scopes;
mod treating;

/// The service that was generated.
pub fn generated_service() -> restwell::Builder {
    generated::service(commands::Commands::default())
}

/// The Rust in the documentation, compiled and run.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../../README.md")]
    mod readme {}
    #[doc = include_str!("../../docs/rust/attributes.md")]
    mod attributes {}
    #[doc = include_str!("../../docs/rust/authentication.md")]
    mod authentication {}
    #[doc = include_str!("../../docs/rust/commands.md")]
    mod commands {}
    #[doc = include_str!("../../docs/rust/hooks.md")]
    mod hooks {}
    #[doc = include_str!("../../docs/rust/jobs.md")]
    mod jobs {}
    #[doc = include_str!("../../docs/rust/json.md")]
    mod json {}
    #[doc = include_str!("../../docs/rust/queries.md")]
    mod queries {}
    #[doc = include_str!("../../docs/rust/routes.md")]
    mod routes {}
    #[doc = include_str!("../../docs/rust/rules.md")]
    mod rules {}
    #[doc = include_str!("../../docs/rust/structs.md")]
    mod structs {}
    #[doc = include_str!("../../docs/rust/testing.md")]
    mod testing {}
    #[doc = include_str!("../../docs/rust/transactions.md")]
    mod transactions {}
    #[doc = include_str!("../../docs/schema/messages.md")]
    mod messages {}
    #[doc = include_str!("../../docs/tutorial/from-code.md")]
    mod from_code {}
}
