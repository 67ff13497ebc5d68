//! The limits of a page (§4.6; decisions, "Paging").

/// Entities on a page without `limit`.
pub const DEFAULT_LIMIT: u32 = 100;
/// The largest `limit`.
pub const MAX_LIMIT: u32 = 1000;
/// The largest `offset`.
pub const MAX_OFFSET: u32 = 1 << 31;
