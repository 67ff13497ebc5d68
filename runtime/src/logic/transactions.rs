//! Transactions of code that is neither a command's handler nor a rule: of routes, background jobs and tests.

use super::change_runner::ChangeRunner;
use super::rejection::Rejection;
use super::transaction::Transaction;
use crate::auth::caller::Caller;
use crate::observe::trace::Trace;
use std::fmt;
use std::sync::Arc;

/// Begins transactions: for a route as an extractor, elsewhere by [`Service::transactions`](crate::Service).
///
/// ```
/// use restwell::{Ref, Rejection, Resource, Transactions};
///
/// #[derive(Debug, Clone, Resource)]
/// pub struct Counter {
///     pub number: i64,
/// }
///
/// async fn count(transactions: &Transactions, counter: Ref<Counter>) -> Result<i64, Rejection> {
///     transactions
///         .run(|transaction| async move {
///             let mut counter = transaction.find(counter).await?;
///             counter.number += 1;
///             let number = counter.number;
///             transaction.update(counter).await?;
///             Ok(number)
///         })
///         .await
/// }
/// ```
#[derive(Clone)]
pub struct Transactions {
    runner: Arc<ChangeRunner>,
    trace: Trace,
    caller: Option<Caller>,
}

impl fmt::Debug for Transactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transactions").field("trace", &self.trace.id).finish_non_exhaustive()
    }
}

impl Transactions {
    /// Those of a request, or of a job.
    pub(crate) fn new(runner: Arc<ChangeRunner>, trace: Trace, caller: Option<Caller>) -> Self {
        Self { runner, trace, caller }
    }

    /// Runs code in a transaction, and commits what it did: all of it or nothing. If something that it read has been
    /// changed meanwhile, nothing is written and it runs again, as a command's handler does; so effects elsewhere may
    /// happen more than once.
    ///
    /// # Errors
    ///
    /// What the code returned; what the store says of its changes; that others kept changing what it read: 503.
    pub fn run<T, W, D>(&self, work: W) -> impl Future<Output = Result<T, Rejection>> + use<T, W, D>
    where
        W: Fn(Transaction) -> D,
        D: Future<Output = Result<T, Rejection>>,
    {
        let Self { runner, trace, caller } = self.clone();
        async move { runner.run(&trace, caller.as_ref(), work).await }
    }
}
