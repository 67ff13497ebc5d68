//! Numbers that look random and are the same in every run (SplitMix64).

/// A sequence of numbers that follows from its seed.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from the least to the greatest, both included.
    pub(super) fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let span = greatest.max(least).wrapping_sub(least) as u64;
        let number = self.next();
        let offset = span.checked_add(1).map_or(number, |count| number % count);
        least.wrapping_add(offset as i64)
    }

    /// An index below a length, which is not zero.
    pub(super) fn below(&mut self, length: usize) -> usize {
        (self.next() % length.max(1) as u64) as usize
    }

    /// True with this probability, in percent.
    pub(super) fn percent(&mut self, cases: u64) -> bool {
        self.next() % 100 < cases
    }

    /// One of some items.
    pub(super) fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
