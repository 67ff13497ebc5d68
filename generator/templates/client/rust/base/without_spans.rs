//! Without the feature `tracing`: no spans.

use super::client::{Call, Success};
use super::error::Error;

pub(super) const fn in_span<F>(_: &Call, future: F) -> F {
    future
}

pub(super) const fn responded(_: &Success) {}

pub(super) const fn sent_again(_: u32, _: &Error) {}
