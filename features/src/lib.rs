//! Empty on purpose: what counts is the list of dependencies in `Cargo.toml`.
