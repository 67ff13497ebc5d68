//! In place of `shared`, where the program is built without the feature `redis`: a Redis server is refused.

use super::{Allowance, ClientKey, Quota};
use crate::built_without::built_without;
use std::convert::Infallible;

/// What each caller has left, on a Redis server: there is none.
pub(super) struct SharedQuota(Infallible);

impl SharedQuota {
    pub(super) fn new(_: Quota, _: &str, _: &str) -> Result<Self, String> {
        Err(built_without("--rate-limit-redis", "redis"))
    }

    pub(super) async fn take(&self, _: ClientKey) -> Option<Allowance> {
        match self.0 {}
    }
}
