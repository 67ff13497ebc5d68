//! The command handlers of taken: one file for each resource, one method for each command.

mod command;
mod result;

/// The shared state of the handlers: clients of other services, settings.
#[derive(Debug, Default)]
pub struct Commands {}
