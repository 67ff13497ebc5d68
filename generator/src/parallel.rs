//! Work on the items of a list, on all processors.

use std::num::NonZero;
use std::thread;

/// Fewer items than this are not worth a thread.
const ITEMS_OF_A_THREAD: usize = 32;

/// Maps items, each on its own; the results are in the order of the items.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], of_one: impl Fn(&T) -> R + Sync) -> Vec<R> {
    indexed(items, |_, item| of_one(item))
}

/// The same with the index of each item.
pub(crate) fn indexed<T: Sync, R: Send>(items: &[T], of_one: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let length = items.len().div_ceil(processors).max(ITEMS_OF_A_THREAD);
    let of_part = |(part, items): (usize, &[T])| -> Vec<R> {
        items.iter().enumerate().map(|(index, item)| of_one(part * length + index, item)).collect()
    };
    let mut parts = items.chunks(length).enumerate();
    let Some(first) = parts.next() else { return Vec::new() };
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || of_part(part))).collect();
        let mut results = of_part(first);
        for other in others {
            match other.join() {
                Ok(part) => results.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
