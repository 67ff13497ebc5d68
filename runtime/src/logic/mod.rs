//! The interface for a team's own code: commands, rules, transactions; and the code that runs it.

mod change_all;
pub(crate) mod change_runner;
pub(crate) mod clock_transitions;
pub(crate) mod commands;
mod computed;
pub(crate) mod defaults;
pub(crate) mod hashing;
pub(crate) mod hooks;
pub(crate) mod jobs;
mod overlay;
pub(crate) mod rejection;
mod rule_chain;
mod rule_runner;
pub(crate) mod rules;
pub(crate) mod service_handle;
pub(crate) mod steps;
pub(crate) mod transaction;
pub(crate) mod transactions;
pub(crate) mod transitions;
