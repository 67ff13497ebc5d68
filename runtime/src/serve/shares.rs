//! What clients share while their requests are served: memory for bodies and answers, and places for lists.

use super::body::BodyMemory;
use crate::fair_queue::FairQueue;
use crate::fair_share::FairShare;
use crate::store::READ_QUEUE;
use restwell_model::Service;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// KiB of bodies, and of what they are parsed into, in memory at a time. Beyond it, or beyond a client's share: 503.
const MAX_BODIES_KIB: usize = 96 * 1024;
/// KiB of heads that arrive, and of small requests whose bodies are waited for. Beyond it, or beyond a client's share:
/// 503.
const MAX_UNFINISHED_KIB: usize = 48 * 1024;
/// KiB of answers in memory until they are sent. Beyond it, or beyond a client's share: 503.
pub(super) const MAX_ANSWERS_KIB: usize = 96 * 1024;
/// KiB of small answers, and of the ends of others, that their clients do not read. Beyond it, or beyond the share of
/// an address, the connection is closed. Answers that were admitted are not cut because their client has others.
const MAX_UNREAD_KIB: usize = 64 * 1024;
/// Lists that run or wait and may be long. Beyond it: 503, so that any number of clients leave places to plain lists.
const LONG_LISTS_QUEUE: usize = 192;
/// Large answers that are compressed at a time. Beyond it they are sent as they are.
const MAX_COMPRESSION_THREADS: usize = 4;

/// The budgets of a service.
#[derive(Debug)]
pub(crate) struct Shares {
    pub(crate) bodies: BodyMemory,
    /// In KiB.
    pub(crate) answers: Arc<FairShare>,
    /// In KiB: of small answers that a client lets the service wait with, by its address.
    pub(crate) unread: Arc<FairShare>,
    /// Reads that a thread or connection of their own does.
    pub(crate) lists: Arc<FairShare>,
    /// Those of them that may be long: the other places are for plain lists, and for clients known for short ones.
    pub(crate) long_lists: Arc<FairShare>,
    /// Those of them that run: the others wait for their turn.
    pub(crate) running_lists: Arc<FairQueue>,
    /// Compressions away from the threads that serve.
    pub(crate) compressions: Arc<Semaphore>,
}

impl Shares {
    /// Nothing is taken. `read_places`: reads that the store runs at a time.
    pub(crate) fn new(service: &Service, read_places: usize) -> Self {
        Self {
            bodies: BodyMemory::new([MAX_BODIES_KIB, MAX_UNFINISHED_KIB], service),
            answers: FairShare::new(MAX_ANSWERS_KIB),
            unread: FairShare::new(MAX_UNREAD_KIB),
            lists: FairShare::new(READ_QUEUE),
            long_lists: FairShare::new(LONG_LISTS_QUEUE),
            running_lists: FairQueue::new(read_places),
            compressions: Arc::new(Semaphore::new(MAX_COMPRESSION_THREADS)),
        }
    }
}
