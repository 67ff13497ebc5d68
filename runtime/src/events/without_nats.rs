//! In place of `nats`, where the program is built without the feature of that name: a server is refused.

use crate::built_without::built_without;
use crate::plan::Plans;
use crate::store::Store;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The address of a server: there is none.
#[derive(Debug, Clone)]
pub(crate) struct NatsUrl(Infallible);

impl NatsUrl {
    pub(crate) fn parse(_: &str) -> Result<Self, String> {
        Err(built_without("--nats", "nats"))
    }
}

pub(super) async fn publish(
    _: Arc<dyn Store>,
    _: Arc<Plans>,
    url: &NatsUrl,
    _: Duration,
    _: watch::Sender<Option<bool>>,
    _: watch::Receiver<bool>,
) {
    match url.0 {}
}

pub(crate) async fn reach(url: &NatsUrl) -> Result<(), String> {
    match url.0 {}
}
