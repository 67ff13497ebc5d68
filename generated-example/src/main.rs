//! Marketplace.
fn main() {}
