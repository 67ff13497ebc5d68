//! Names of packages and files that are made from the name of a service, which keeps its word everywhere else.

use super::{rust, snake};

/// What the package of a service cannot be called, beside the keywords of Rust.
const TAKEN: [&str; 27] = [
    // folders of cargo's own
    "build",
    "deps",
    "examples",
    "incremental",
    // crates that come with Rust
    "alloc",
    "core",
    "proc-macro",
    "std",
    "test",
    // what the package depends on, and what its profiles name
    "argon2",
    "blake2",
    "proc-macro2",
    "quote",
    "restwell",
    "restwell-features",
    "restwell-generator",
    "restwell-macros",
    "restwell-model",
    "restwell-testkit",
    "restwell-tests",
    "serde-json",
    // the containers beside its own
    "nats",
    "postgres",
    // files that Windows cannot have, whatever their extension
    "aux",
    "con",
    "nul",
    "prn",
];

/// The longest name that npm takes.
const MAX_NPM_NAME: usize = 214;

/// The package of a service: called like the service. One that cargo refuses ends in `-service`.
#[must_use]
pub fn service_package(service: &str) -> String {
    // a package without a dash is a crate of the same name
    let is_keyword = rust::escaped(&snake(service)) != snake(service);
    if TAKEN.contains(&service) || is_device(service) || is_keyword {
        format!("{service}-service")
    } else {
        service.to_owned()
    }
}

/// The package of a client, for cargo and for npm: `marketplace-client`. No keyword, folder of cargo or module of Node
/// is called so.
#[must_use]
pub fn client_package(service: &str) -> String {
    const ENDING: &str = "-client";
    let kept = service.get(..MAX_NPM_NAME - ENDING.len()).unwrap_or(service);
    format!("{}{ENDING}", kept.trim_end_matches('-'))
}

/// Whether Windows takes a file of this name, with any extension, for a device.
#[must_use]
pub fn is_device(stem: &str) -> bool {
    let numbered = stem.strip_suffix(|last: char| last.is_ascii_digit());
    ["aux", "con", "nul", "prn"].contains(&stem) || matches!(numbered, Some("com" | "lpt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_refuses_gets_an_ending() {
        for name in TAKEN.iter().chain(&["async", "become", "com1", "crate", "gen", "lpt9", "self", "super", "type"]) {
            assert_eq!(service_package(name), format!("{name}-service"));
        }
        for name in ["marketplace", "build-service", "asyncs", "tokio", "comma", "http", "self-service"] {
            assert_eq!(service_package(name), name);
        }
    }

    #[test]
    fn a_client_has_a_name_that_npm_takes() {
        assert_eq!(client_package("http"), "http-client");
        let long = format!("{}-{}", "a".repeat(206), "b".repeat(50));
        assert_eq!(client_package(&long), format!("{}-client", "a".repeat(206)));
        assert!(client_package(&"a".repeat(300)).len() <= MAX_NPM_NAME);
    }
}
