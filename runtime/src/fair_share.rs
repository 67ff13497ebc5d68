//! Fair shares of what is limited: no single caller or address can take all places of lists, streams, bodies, answers
//! or connections.
//!
//! The rule is the dynamic threshold of shared buffers (Choudhury and Hahne, 1998): a client may hold at most as much
//! as remains free. One greedy client alone gets half, two get a third each, and there is always room for the next one.

use crate::limits::ClientKey;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A limited amount (of places, or of KiB) that clients share.
#[derive(Debug)]
pub(crate) struct FairShare {
    total: usize,
    /// The most that one client may hold; `None`: as much as remains free.
    cap: Option<usize>,
    /// What all clients hold together. It changes under the lock of `held` only, and is read without it.
    used: AtomicUsize,
    /// By client; those who hold nothing are not in it, so it is bounded by what is held.
    held: Mutex<HashMap<ClientKey, usize>>,
}

/// What a client holds; given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    of: Arc<FairShare>,
    client: ClientKey,
    amount: usize,
}

impl FairShare {
    /// All of it is free.
    pub(crate) fn new(total: usize) -> Arc<Self> {
        Self::of(total, None)
    }

    /// The same, but a client may hold up to `cap`, however much is free.
    pub(crate) fn capped(total: usize, cap: usize) -> Arc<Self> {
        Self::of(total, Some(cap))
    }

    fn of(total: usize, cap: Option<usize>) -> Arc<Self> {
        Arc::new(Self { total, cap, used: AtomicUsize::new(0), held: Mutex::default() })
    }

    /// Takes an amount for a client; `None` if that would be more than remains free.
    pub(crate) fn take(self: &Arc<Self>, client: ClientKey, amount: usize) -> Option<Share> {
        let mut share = Share { of: Arc::clone(self), client, amount: 0 };
        share.grow(amount).then_some(share)
    }

    /// Takes an amount for what exists already and cannot be refused any more, even where that is more than is free.
    pub(crate) fn exceed(self: &Arc<Self>, client: ClientKey, amount: usize) -> Share {
        *self.clients().entry(client).or_default() += amount;
        self.used.fetch_add(amount, Ordering::Relaxed);
        Share { of: Arc::clone(self), client, amount }
    }

    /// The most that one client holds, if the others hold nothing.
    pub(crate) fn most(&self) -> usize {
        self.cap.map_or(self.total / 2, |cap| cap.min(self.total))
    }

    /// Whether a client may take anything more. While less than half is used everyone may, and no lock is needed.
    pub(crate) fn has_room(&self, client: ClientKey) -> bool {
        let is_plenty = self.cap.is_none() && self.held() < self.total / 2;
        is_plenty || self.fits(&self.clients(), client, 1)
    }

    /// How much all clients hold together.
    pub(crate) fn held(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn fits(&self, held: &HashMap<ClientKey, usize>, client: ClientKey, more: usize) -> bool {
        let Some(left) = self.total.saturating_sub(self.held()).checked_sub(more) else { return false };
        held.get(&client).copied().unwrap_or_default() + more <= self.cap.unwrap_or(left)
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<ClientKey, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Takes more for the same client. Where that would be more than stays free it keeps what it has, and answers
    /// false.
    #[must_use]
    pub(crate) fn grow(&mut self, more: usize) -> bool {
        let mut held = self.of.clients();
        let fits = self.of.fits(&held, self.client, more);
        if fits && more > 0 {
            *held.entry(self.client).or_default() += more;
            self.of.used.fetch_add(more, Ordering::Relaxed);
            self.amount += more;
        }
        fits
    }

    /// The same, up to this amount.
    #[must_use]
    pub(crate) fn grow_to(&mut self, amount: usize) -> bool {
        self.grow(amount.saturating_sub(self.amount))
    }

    /// Gives back all above an amount.
    pub(crate) fn shrink_to(&mut self, amount: usize) {
        let back = self.amount.saturating_sub(amount);
        let mut held = self.of.clients();
        self.of.used.fetch_sub(back, Ordering::Relaxed);
        self.amount -= back;
        match held.get_mut(&self.client) {
            Some(held) if *held > back => *held -= back,
            _ => _ = held.remove(&self.client),
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn client(number: u128) -> ClientKey {
        ClientKey::Caller(Uuid::from_u128(number))
    }

    /// As many places as a client gets, one by one.
    fn greedy(share: &Arc<FairShare>, number: u128) -> Vec<Share> {
        std::iter::from_fn(|| share.take(client(number), 1)).collect()
    }

    #[test]
    fn a_greedy_client_gets_half_and_the_next_still_gets_some() {
        let share = FairShare::new(1000);
        let first = greedy(&share, 1);
        assert_eq!(first.len(), 500);
        let second = greedy(&share, 2);
        assert_eq!(second.len(), 250);
        assert_eq!(share.held(), 750);
        drop(first);
        assert_eq!(greedy(&share, 3).len(), 375);
        drop(second);
        assert_eq!(share.held(), 0);
        assert!(share.clients().is_empty());
    }

    #[test]
    fn a_share_that_cannot_grow_keeps_what_it_has() {
        let share = FairShare::new(100);
        let mut held = share.take(client(1), 40).expect("there is room");
        assert!(!held.grow(11));
        assert!(held.grow(10));
        assert_eq!(share.held(), 50);
        assert!(share.take(client(2), 100).is_none());
    }

    #[test]
    fn what_cannot_be_refused_goes_beyond_and_is_given_back() {
        let share = FairShare::new(100);
        let over = share.exceed(client(1), 150);
        assert_eq!(share.held(), 150);
        assert!(!share.has_room(client(1)) && !share.has_room(client(2)));
        drop(over);
        assert!(share.clients().is_empty() && share.has_room(client(1)));
    }

    #[test]
    fn who_holds_half_has_no_room_and_others_have() {
        let share = FairShare::new(100);
        let mut held = share.take(client(1), 50).expect("there is room");
        assert!(!share.has_room(client(1)) && share.has_room(client(2)));
        held.shrink_to(10);
        assert!(share.has_room(client(1)));
        assert_eq!(share.held(), 10);
    }

    #[test]
    fn a_cap_holds_however_much_is_free() {
        let share = FairShare::capped(4, 3);
        let first = greedy(&share, 1);
        assert_eq!(first.len(), 3);
        assert_eq!(greedy(&share, 2).len(), 1);
        assert_eq!(greedy(&FairShare::capped(2, 2), 1).len(), 2);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_newcomers_find_room(steps in vec((0..4_u128, 1..40_usize, any::<bool>()), 0..200)) {
            let share = FairShare::new(1000);
            let mut held: Vec<Share> = Vec::new();
            for (number, amount, gives_back) in steps {
                if gives_back && !held.is_empty() {
                    held.swap_remove(amount % held.len());
                } else {
                    held.extend(share.take(client(number), amount));
                }
                prop_assert_eq!(share.held(), held.iter().map(|share| share.amount).sum::<usize>());
                prop_assert!(share.take(client(99), 1).is_some());
            }
        }
    }
}
