//! The handlers of a resource's commands, as the methods of one type.

use super::Builder;
use crate::typed::Resource;
use std::sync::Arc;

/// A type whose methods handle the commands of a resource. [`handlers`](macro@crate::handlers) implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not handle the commands of `{R}`",
    label = "without handlers of the commands of `{R}`",
    note = "write `#[restwell::handlers]` above the impl with its methods"
)]
pub trait CommandHandlers<R: Resource>: Send + Sync + 'static {
    /// Registers each method as the handler of its command.
    #[doc(hidden)]
    fn register(handlers: &Arc<Self>, builder: Builder) -> Builder;
}
