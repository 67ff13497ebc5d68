//! What is generated compiles, and says of itself exactly what the schemas say: YAML and Rust are two ways to write one
//! model.

use super::common;

/// The generated code of the goldens, as a service would have it.
#[allow(dead_code, unreachable_pub, unused_imports, reason = "only the descriptions are asked for")]
#[path = "../golden"]
pub(crate) mod golden {
    #[path = "awkward-names/expected/mod.rs"]
    pub(crate) mod awkward_names;
    #[path = "every-key/expected/mod.rs"]
    pub(crate) mod every_key;
    #[path = "nothing-yet/expected/mod.rs"]
    pub(crate) mod nothing_yet;
    // an enum `Err` with the value `ERR`
    #[allow(clippy::enum_variant_names)]
    #[path = "taken-names/expected/mod.rs"]
    pub(crate) mod taken_names;
}

/// Commands without handlers.
struct Unwritten;

#[restwell::handlers]
impl golden::every_key::offer::OfferCommands for Unwritten {
    async fn renew(
        &self,
        call: restwell::Call<golden::every_key::offer::Renew>,
    ) -> Result<golden::every_key::offer::RenewOutput, restwell::Rejection> {
        restwell::not_ready!(call)
    }
}

#[restwell::handlers]
impl golden::awkward_names::r#match::MatchCommands for Unwritten {
    async fn r#match(
        &self,
        call: restwell::Call<golden::awkward_names::r#match::MatchCommand>,
    ) -> Result<(), restwell::Rejection> {
        restwell::not_ready!(call)
    }

    async fn price(
        &self,
        call: restwell::Call<golden::awkward_names::r#match::PriceCommand>,
    ) -> Result<golden::awkward_names::r#match::PriceCommandOutput, restwell::Rejection> {
        restwell::not_ready!(call)
    }

    async fn match_status(
        &self,
        call: restwell::Call<golden::awkward_names::r#match::MatchStatusCommand>,
    ) -> Result<(), restwell::Rejection> {
        restwell::not_ready!(call)
    }

    async fn send(
        &self,
        call: restwell::Call<golden::awkward_names::r#match::Send>,
    ) -> Result<(), restwell::Rejection> {
        restwell::not_ready!(call)
    }

    async fn clone(
        &self,
        call: restwell::Call<golden::awkward_names::r#match::Clone>,
    ) -> Result<golden::awkward_names::r#match::CloneOutput, restwell::Rejection> {
        restwell::not_ready!(call)
    }
}

/// Both models as JSON, so that a difference is shown where it is.
fn assert_same(golden: &str, generated: restwell::Builder) {
    let compiled = restwell_generator::compile(&common::schemas(&common::tests("golden").join(golden)));
    assert!(compiled.diagnostics.is_empty(), "{}", common::report(&compiled));
    let (described, _) = compiled.service.unwrap();
    let assembled = generated.model().unwrap();
    assert_same_lines(
        &serde_json::to_string_pretty(&assembled).unwrap(),
        &serde_json::to_string_pretty(&*described).unwrap(),
    );
}

/// Equal, or the first line that is not.
fn assert_same_lines(assembled: &str, described: &str) {
    for (number, (left, right)) in assembled.lines().zip(described.lines()).enumerate() {
        assert_eq!(left, right, "line {number}");
    }
    assert_eq!(assembled, described);
}

#[test]
fn every_key_of_the_language_survives() {
    assert_same("every-key", golden::every_key::service(Unwritten));
}

#[test]
fn names_that_rust_has_survive() {
    assert_same("awkward-names", golden::awkward_names::service(Unwritten));
}

#[test]
fn names_that_types_of_rust_and_of_the_library_have_survive() {
    assert_same("taken-names", golden::taken_names::service(super::taken_names::starters::Commands::default()));
}

#[test]
fn an_empty_service_survives() {
    assert_same("nothing-yet", golden::nothing_yet::service());
}
