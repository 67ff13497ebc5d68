//! The refusal of an option that needs a feature of cargo which the program was built without.
//!
//! Each of these features is one module with two bodies: the real one, and one beside it, `without_…`, whose types have
//! no values, so that nothing but the refusal is left to write. Every option stays in `--help`.

/// A message for the operator: which feature an option needs.
#[allow(dead_code, reason = "with all features, nothing is refused")]
pub(crate) fn built_without(option: &str, feature: &str) -> String {
    format!("{option}: this program was built without `{feature}`; build it with `--features {feature}`")
}
