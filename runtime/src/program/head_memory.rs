//! The memory that heads take while they arrive: a share of that for unfinished requests, beyond what every connection
//! has.
//!
//! hyper keeps what it has read of a head, and has no hook that could refuse more. So the bytes that it reads are
//! counted below it, and it reads few at a time, so that little of them belongs to the next request.

use super::request_progress::RequestProgress;
use crate::fair_share::FairShare;
use crate::limits::ClientKey;
use crate::serve::answers::kib;
use std::sync::Arc;

/// Bytes of a head that take no share: hyper has a buffer of this size for each connection in any case.
const SMALL_HEAD_BYTES: usize = 8 * 1024;
/// KiB by which the share of a head that arrives grows.
const HEAD_STEP_KIB: usize = 16;
/// Bytes that are read at a time while no body is expected. hyper reserves more at a time only once it was given all
/// that it had room for.
const HEAD_PART: usize = SMALL_HEAD_BYTES - 1;
/// Bytes that are read at a time of a body.
const BODY_PART: usize = 2 * SMALL_HEAD_BYTES - 1;

/// Counts what a connection reads of heads.
pub(super) struct HeadMemory {
    progress: RequestProgress,
    memory: Arc<FairShare>,
    client: ClientKey,
    /// Which request is being counted: the requests that had begun before it.
    request: usize,
    /// Bytes that were read for it.
    received: usize,
    /// Bytes of the last read. They may have the end of one request and the beginning of the next.
    last: usize,
}

impl HeadMemory {
    /// Of a connection of this client, in this memory.
    pub(super) fn new(progress: RequestProgress, memory: Arc<FairShare>, client: ClientKey) -> Self {
        Self { progress, memory, client, request: 0, received: 0, last: 0 }
    }

    /// The bytes that may be read next.
    pub(super) fn most(&self) -> usize {
        if self.progress.is_served() { BODY_PART } else { HEAD_PART }
    }

    /// Counts bytes that were read; false where they are more than the client may have in memory.
    #[must_use]
    pub(super) fn takes(&mut self, bytes: usize) -> bool {
        let begun = self.progress.begun();
        if begun != self.request {
            self.request = begun;
            self.received = self.last.min(SMALL_HEAD_BYTES);
        }
        self.last = bytes;
        // a body takes its own share, and of the next head no more than one part is read meanwhile
        if self.progress.is_served() {
            self.received = bytes.min(SMALL_HEAD_BYTES);
            return true;
        }
        self.received += bytes;
        let needed = kib(self.received).next_multiple_of(HEAD_STEP_KIB);
        self.received <= SMALL_HEAD_BYTES || self.progress.hold_head(needed, &self.memory, self.client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heads that arrive part by part, each on a connection of its own: those that were not refused.
    fn greedy(memory: &Arc<FairShare>, connections: usize) -> Vec<HeadMemory> {
        let client = ClientKey::of(None, None);
        let connect = |_| HeadMemory::new(RequestProgress::default(), Arc::clone(memory), client);
        let mut heads: Vec<_> = (0..connections).map(connect).collect();
        let arrive = |head: &mut HeadMemory| (0..16).all(|_| head.takes(HEAD_PART));
        heads.retain_mut(arrive);
        heads
    }

    #[test]
    fn one_address_fills_half_of_the_memory_with_heads() {
        let memory = FairShare::new(1024);
        // 128 KiB each; what is refused holds what it has until its connection ends
        let whole = greedy(&memory, 100);
        assert_eq!(whole.len(), 4);
        assert_eq!(memory.held(), 512);
        drop(whole);
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn small_heads_take_nothing_however_many_follow_each_other() {
        let memory = FairShare::new(1024);
        let progress = RequestProgress::default();
        let mut head = HeadMemory::new(progress.clone(), Arc::clone(&memory), ClientKey::of(None, None));
        for _ in 0..100 {
            assert!(head.takes(4000));
            assert_eq!(memory.held(), 0);
            drop(progress.begin());
        }
    }

    #[test]
    fn a_head_is_held_until_its_request_is_served_and_a_body_is_counted_elsewhere() {
        let memory = FairShare::new(1024);
        let progress = RequestProgress::default();
        let mut head = HeadMemory::new(progress.clone(), Arc::clone(&memory), ClientKey::of(None, None));
        assert!(head.takes(HEAD_PART) && head.takes(HEAD_PART));
        assert_eq!(memory.held(), HEAD_STEP_KIB);
        let served = progress.begin();
        for _ in 0..1000 {
            assert!(head.takes(BODY_PART));
        }
        assert_eq!(memory.held(), HEAD_STEP_KIB);
        drop(served);
        assert_eq!(memory.held(), 0);
        // of what was read last, a part may belong to the next head
        assert!(head.takes(1));
        assert_eq!(memory.held(), HEAD_STEP_KIB);
    }
}
