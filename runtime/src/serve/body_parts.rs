//! The bytes of a body as they arrive: in memory once, in steps in which its share grows.

use super::body::{BODY_STEP_KIB, SMALL_BODY_BYTES, SMALL_BODY_STEP_KIB};
use bytes::Bytes;

/// The bytes that have come. Most bodies come in one part, which is not copied.
#[derive(Debug, Default)]
pub(super) struct Parts {
    first: Bytes,
    /// The first with all others, once there are others.
    all: Vec<u8>,
}

impl Parts {
    pub(super) fn len(&self) -> usize {
        self.first.len().max(self.all.len())
    }

    pub(super) fn add(&mut self, data: Bytes) {
        if self.len() == 0 {
            self.first = data;
            return;
        }
        let needed = self.len() + data.len();
        if self.all.capacity() < needed {
            // in the steps in which the share grows, so that what is held is what is taken
            let step = if needed > SMALL_BODY_BYTES { BODY_STEP_KIB } else { SMALL_BODY_STEP_KIB };
            let room = needed.next_multiple_of(step * 1024);
            self.all.reserve_exact(room - self.all.len());
        }
        if self.all.is_empty() {
            self.all.extend_from_slice(&std::mem::take(&mut self.first));
        }
        self.all.extend_from_slice(&data);
    }

    pub(super) fn take_bytes(&mut self) -> Bytes {
        if self.all.is_empty() { std::mem::take(&mut self.first) } else { Bytes::from(std::mem::take(&mut self.all)) }
    }
}
