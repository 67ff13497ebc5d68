//! Credentials (§5; decisions, "Credentials"): tokens of an issuer that the tests are themselves, sent to a real service,
//! and schemes of a team's own.

mod api;
mod identities;
mod issuer;
mod mutation;
mod own;
mod recipe;
mod rotation;
mod table;
mod tokens;
