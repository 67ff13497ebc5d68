//! The targets, a file each.

pub(crate) mod accept;
pub(crate) mod body;
pub(crate) mod cursor;
pub(crate) mod headers;
pub(crate) mod patch;
pub(crate) mod query;
pub(crate) mod search;
pub(crate) mod token;
pub(crate) mod yaml;
