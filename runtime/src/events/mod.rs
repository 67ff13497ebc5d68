//! Events (§6; decisions, "Events"): read from the outbox, sent to event streams and to the bus.
//!
//! The store writes an event with its change (`store/outbox.rs`). From there it goes two ways, neither of which a
//! request ever waits for: to the readers of `GET /events`, and to NATS JetStream where that is configured.

mod background;
pub(crate) mod cloud_event;
pub(crate) mod cursor;
pub(crate) mod deciding;
pub(crate) mod feed;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
#[cfg(feature = "nats")]
mod nats;
#[cfg(not(feature = "nats"))]
#[path = "without_nats.rs"]
mod nats;
mod needs;
mod retention;
mod tail;
pub(crate) mod visibility;

pub(crate) use background::Background;
pub(crate) use feed::Feed;
pub(crate) use nats::{NatsUrl, reach};

use std::time::Duration;

/// The options of events.
#[derive(Debug, Clone)]
pub(crate) struct EventOptions {
    /// How long a stream is silent before it shows that it is alive.
    pub(crate) heartbeat: Duration,
    /// How long events are kept.
    pub(crate) retention: Duration,
    /// The NATS server, with credentials where it takes some.
    pub(crate) nats: Option<NatsUrl>,
}

impl Default for EventOptions {
    fn default() -> Self {
        Self { heartbeat: Duration::from_secs(15), retention: Duration::from_secs(7 * 24 * 60 * 60), nats: None }
    }
}
