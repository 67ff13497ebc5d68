//! Marketplace API.
//!
//! `generated` is written by `restwell generate`; everything else here is yours.

pub mod commands;
pub mod generated;
pub mod rules;

use commands::Commands;

/// The service, put together, with what the environment names.
pub fn service() -> restwell::Builder {
    service_with(Commands::from_environment())
}

/// The same with these commands.
pub fn service_with(commands: Commands) -> restwell::Builder {
    generated::service(commands).rules(rules::TransactionRules).sample_data(include_str!("../sample-data.json"))
}
