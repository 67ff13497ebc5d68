//! Random models, served one after the other: none of them gives a false alarm.

use crate::conform::services::run;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use restwell::testing::Setup;
use restwell::{Builder, Interpreted};
use restwell_generator::conform::ConformOptions;
use restwell_model::Checked;
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::effort::{by_effort, repeated, seed_or};

/// Models that are served, by effort.
const MODELS: (u32, u32, u32) = (4, 12, 100);
/// What the models follow from by default.
const SEED: u64 = 300;
/// Models that a failure is reduced by, at most.
const MAX_SHRINKS: u32 = 30;

#[test]
fn random_models_give_no_false_alarm() {
    let (models, seed) = (by_effort(MODELS), seed_or(SEED));
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: MAX_SHRINKS,
        ..ProptestConfig::with_cases(models)
    };
    let done = TestRunner::new(config).run(&any_service(), |service| {
        let model = Checked::new(repaired(service)).expect("repaired");
        let interpreted = Interpreted { mock_commands: true, ..Interpreted::of(model) };
        let running = Setup::of(Builder::interpreted(interpreted)).start();
        let report = run(&running, &ConformOptions::default());
        prop_assert!(report.is_conforming(), "{}", report.text());
        Ok(())
    });
    if let Err(error) = done {
        // a report has many lines, which `Debug` would put into one
        panic!("{}\n{error}", repeated(seed));
    }
}
