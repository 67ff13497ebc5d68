//! Counting in this process, by governor.

use super::{Allowance, ClientKey, Quota};
use governor::RateLimiter;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU32, Ordering};

/// Requests after which idle clients are forgotten.
const FORGET_EVERY: u32 = 65_536;

/// Tables that clients are spread over, so that few wait for each other, also while some are forgotten.
const SHARDS: usize = 32;

type Shard = RateLimiter<ClientKey, HashMapStateStore<ClientKey>, DefaultClock, StateInformationMiddleware>;

/// What each caller has left.
pub(super) struct LocalQuota {
    quota: Quota,
    shards: Vec<Shard>,
    hashing: RandomState,
    clock: DefaultClock,
    taken: AtomicU32,
}

impl LocalQuota {
    /// No request yet.
    pub(super) fn new(quota: Quota) -> Self {
        let of_governor = governor::Quota::with_period(quota.interval());
        let of_governor = of_governor.unwrap_or(governor::Quota::per_second(quota.requests));
        let shard = |_| RateLimiter::hashmap(of_governor.allow_burst(quota.requests)).with_middleware();
        Self {
            quota,
            shards: (0..SHARDS).map(shard).collect(),
            hashing: RandomState::new(),
            clock: DefaultClock::default(),
            taken: AtomicU32::new(0),
        }
    }

    /// Counts a request.
    pub(super) fn take(&self, who: ClientKey) -> Allowance {
        if self.taken.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            for shard in &self.shards {
                shard.retain_recent();
                shard.shrink_to_fit();
            }
        }
        match self.shard(who).check_key(&who) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                Allowance { is_allowed: true, remaining, wait: self.quota.until_full(remaining) }
            }
            Err(until) => Allowance { is_allowed: false, remaining: 0, wait: until.wait_time_from(self.clock.now()) },
        }
    }

    fn shard(&self, who: ClientKey) -> &Shard {
        &self.shards[self.hashing.hash_one(who) as usize % SHARDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn each_has_a_quota_of_their_own() {
        let local = LocalQuota::new("3/PT1H".parse().unwrap());
        let [ann, bob] = [ClientKey::Caller(Uuid::new_v4()), ClientKey::Caller(Uuid::new_v4())];
        let remaining: Vec<_> = (0..3).map(|_| local.take(ann)).map(|it| (it.is_allowed, it.remaining)).collect();
        assert_eq!(remaining, [(true, 2), (true, 1), (true, 0)]);
        let refused = local.take(ann);
        assert!(!refused.is_allowed && refused.wait.as_secs() > 1000, "{refused:?}");
        assert!(local.take(bob).is_allowed);
    }
}
