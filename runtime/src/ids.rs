//! New ids: random ones, or, for tests, those that follow from a seed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Builder, Uuid};

/// Makes ids. The default makes random ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ids(Option<Arc<Seeded>>);

/// What makes the same ids in each run, as long as they are asked for in the same order.
#[derive(Debug)]
struct Seeded {
    seed: u64,
    entities: AtomicU64,
    traces: AtomicU64,
}

impl Ids {
    /// Ids that follow from a seed.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(Some(Arc::new(Seeded { seed, entities: AtomicU64::new(0), traces: AtomicU64::new(0) })))
    }

    /// For an entity, a search or a command. Version 7: the order of ids is that of creation.
    pub(crate) fn entity(&self) -> Uuid {
        let Some(seeded) = &self.0 else { return version_7(SystemTime::now()) };
        let number = seeded.entities.fetch_add(1, Ordering::Relaxed);
        let (high, low) = (mixed(seeded.seed, number), mixed(!seeded.seed, number));
        let mut random = [0; 10];
        random[..8].copy_from_slice(&high.to_be_bytes());
        random[8..].copy_from_slice(&low.to_be_bytes()[..2]);
        Builder::from_unix_timestamp_millis(FIRST_MILLISECOND + number, &random).into_uuid()
    }

    /// For the trace of a request.
    pub(crate) fn trace(&self) -> Uuid {
        let Some(seeded) = &self.0 else { return Uuid::new_v4() };
        let number = seeded.traces.fetch_add(1, Ordering::Relaxed);
        let (high, low) = (mixed(seeded.seed, number), mixed(!seeded.seed, number));
        Builder::from_random_bytes((u128::from(high) << 64 | u128::from(low)).to_be_bytes()).into_uuid()
    }
}

/// A new id of version 7. Before 1970, which version 7 does not know, it is one of the first millisecond: requests are
/// refused then, but what goes on in the background must not end.
pub(crate) fn version_7(now: SystemTime) -> Uuid {
    if now >= UNIX_EPOCH {
        return Uuid::now_v7();
    }
    let mut random = [0; 10];
    random.copy_from_slice(&Uuid::new_v4().as_bytes()[..10]);
    Builder::from_unix_timestamp_millis(0, &random).into_uuid()
}

/// The time in the first seeded id: 2027.
const FIRST_MILLISECOND: u64 = 1_800_000_000_000;

/// The finalizer of SplitMix64: neighbours come out far apart.
fn mixed(seed: u64, number: u64) -> u64 {
    let value = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_ids_and_they_ascend() {
        let [one, same, other] = [7, 7, 8].map(Ids::seeded);
        let ids = |ids: &Ids| (0..100).map(|_| ids.entity()).collect::<Vec<_>>();
        let (made, again) = (ids(&one), ids(&same));
        assert_eq!(made, again);
        assert!(made.is_sorted() && made.iter().all(|id| id.get_version_num() == 7));
        assert_ne!(made, ids(&other));
        assert_eq!((one.trace(), one.trace()), (same.trace(), same.trace()));
        assert_ne!(one.trace(), other.trace());
        assert_eq!(one.trace().get_version_num(), 4);
    }

    #[test]
    fn before_1970_ids_are_made_all_the_same() {
        let before = UNIX_EPOCH - std::time::Duration::from_secs(1);
        let ids = [before; 2].map(version_7);
        assert!(ids[0] != ids[1] && ids.iter().all(|id| id.get_version_num() == 7));
        assert!(ids.iter().all(|id| *id < version_7(SystemTime::now())));
    }

    #[test]
    fn without_a_seed_ids_are_random() {
        let ids = Ids::default();
        assert_ne!(ids.entity(), Ids::default().entity());
        assert_ne!(ids.trace(), ids.trace());
    }
}
