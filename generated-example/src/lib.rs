//! Marketplace API.
//!
//! `generated` is written by `restwell generate`; everything else here is yours.

pub mod commands;
pub mod generated;
pub mod rules;

/// The service, put together.
pub fn service() -> restwell::Builder {
    generated::service(commands::Commands::from_environment())
        .rules(rules::TransactionRules)
        .sample_data(include_str!("../sample-data.json"))
}
