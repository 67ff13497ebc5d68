//! What the commands of Specimens do: a file for each resource, a method for each command.

mod specimen;

/// What the commands work with: clients of other services, settings.
#[derive(Debug, Default)]
pub struct Commands {}
