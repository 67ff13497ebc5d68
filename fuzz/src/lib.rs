//! What a client or a team can send, read as fast as a fuzzer can make it up.
//!
//! A [`Target`] takes bytes, calls what the service or the generator calls with them, and panics where the outcome is
//! wrong. libFuzzer drives it (`src/main.rs`, `.ci/fuzz`); the kept inputs of `corpus/` go through the same function in
//! an ordinary test (`tests/corpus.rs`), without libFuzzer and without instrumentation.
//!
//! Beside "no panic" each target holds what was read to something: what is accepted is accepted again once it is
//! written out, problems are bounded and can be shown, SQL binds as many values as it has marks, and nothing allocates
//! more than its input may cost.

#![forbid(unsafe_code)]

mod judge;
mod targets;
mod world;

use allocation_counter::AllocationInfo;

/// Something to fuzz.
pub struct Target {
    /// Its name: that of the folder in `corpus/`, and of the dictionary.
    pub name: &'static str,
    /// Bytes of an input at most; longer ones are not tried.
    pub max_bytes: usize,
    /// Bytes that an empty input may allocate, in KiB.
    base_kib: u64,
    /// Bytes that each byte of an input may allocate besides.
    per_byte: u64,
    judge: fn(&[u8]),
}

/// Bytes of an input of most targets: more than a URI or a head may have is not read by them.
const MAX_TEXT_BYTES: usize = 8 * 1024;
/// Bytes of a body or a document that is tried: fuzzers find more in short ones.
const MAX_DOCUMENT_BYTES: usize = 64 * 1024;

/// All of them.
pub static TARGETS: [Target; 9] = [
    Target::new("yaml", MAX_DOCUMENT_BYTES, 16 * 1024, 64 * 1024, targets::yaml::judge),
    Target::new("body", MAX_DOCUMENT_BYTES, 1024, 4096, targets::body::judge),
    Target::new("query", MAX_TEXT_BYTES, 2048, 4096, targets::query::judge),
    Target::new("search", MAX_DOCUMENT_BYTES, 2048, 4096, targets::search::judge),
    Target::new("patch", MAX_DOCUMENT_BYTES, 16 * 1024, 4096, targets::patch::judge),
    Target::new("accept", MAX_TEXT_BYTES, 256, 1024, targets::accept::judge),
    Target::new("token", 2 * MAX_TEXT_BYTES, 256, 256, targets::token::judge),
    Target::new("cursor", MAX_TEXT_BYTES, 64, 64, targets::cursor::judge),
    Target::new("headers", MAX_TEXT_BYTES, 256, 256, targets::headers::judge),
];

impl Target {
    const fn new(name: &'static str, max_bytes: usize, base_kib: u64, per_byte: u64, judge: fn(&[u8])) -> Self {
        Self { name, max_bytes, base_kib, per_byte, judge }
    }

    /// The target of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Tries an input. Returns what it allocated.
    ///
    /// # Panics
    ///
    /// The outcome is wrong, or it cost more than the input may.
    pub fn run(&self, data: &[u8]) -> AllocationInfo {
        if data.len() > self.max_bytes {
            return AllocationInfo::default();
        }
        // what is made once is not counted
        world::prepare();
        let used = allocation_counter::measure(|| (self.judge)(data));
        let allowed = self.base_kib * 1024 + self.per_byte * data.len() as u64;
        assert!(used.bytes_total <= allowed, "{} bytes allocate {}: {allowed} at most", data.len(), used.bytes_total);
        used
    }
}
