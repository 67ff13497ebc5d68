//! Statements that are sent one after the other without waiting for answers.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, maybe_done};
use std::pin::Pin;
use tokio_postgres::Error;

/// A statement that is sent when this is first polled, and its answer.
pub(super) type Sent<'a, T> = BoxFuture<'a, Result<T, Error>>;

/// Sends statements one after the other without waiting for answers, then waits for all. The first error counts: the
/// statements after it fail because of it.
pub(super) async fn in_order<T>(sent: Vec<Sent<'_, T>>) -> Result<Vec<T>, Error> {
    let mut sent: Vec<_> = sent.into_iter().map(maybe_done).collect();
    for one in &mut sent {
        // the first poll sends it
        let _ = one.now_or_never();
    }
    let mut answers = Vec::with_capacity(sent.len());
    let mut failed = None;
    for mut one in sent {
        (&mut one).await;
        match Pin::new(&mut one).take_output() {
            Some(Ok(answer)) => answers.push(answer),
            Some(Err(error)) => _ = failed.get_or_insert(error),
            None => {}
        }
    }
    failed.map_or(Ok(answers), Err)
}
