//! Truth, not opinion: what `restwell diff` says of a change is what a client of the old model sees of the new service.
//!
//! For each pair of models of `generator/tests/changes`, a service of the old model is filled; a copy of its database is
//! migrated to the new model. A client that knows the old model alone sends the same calls to both. What succeeded
//! before must go on, with the same values, where every change is `safe`; where one is `deprecation` or `breaking`, some
//! call fails.

mod calls;
mod compare;
mod data;
mod pairs;
mod world;

use pairs::{Outcome, outcomes};
use restwell_model::compatibility::Procedure;
use std::collections::BTreeSet;

/// Changes that may break a client and do not here: the folder, and why.
const UNSEEN: &[(&str, &str)] = &[
    ("named-conditions/of-the-service", "no caller has the claim that the old or the new condition asks for"),
    ("named-conditions/role-becomes-a-condition", "the condition asks for what the role asked for"),
    (
        "operations/condition-changed",
        "the old condition holds for no entity: nothing was accepted that could be refused",
    ),
    ("operations/visible-added", "the new condition holds for every entity; `diff` does not evaluate it"),
    ("service/role-changed", "no caller has what the old role asks for"),
    ("service/users-changed", "callers have the ids of both resources' users"),
    ("views/where-changed", "for no entity do the two conditions differ"),
];

/// Safe changes that allow more than before, so that later answers differ: the folder, and what.
const ALLOWED_MORE: &[(&str, &str)] = &[
    ("lifecycles/transition-added", "a command that ended as refused has an effect"),
    ("operations/visible-removed", "entities of others are shown, and counted"),
];

#[test]
fn a_client_of_the_old_model_does_not_notice_safe_changes() {
    let allows_more = |pair: &Outcome| ALLOWED_MORE.iter().any(|(name, _)| *name == pair.name);
    let noticed = outcomes().iter().filter(|pair| pair.procedure == Procedure::Safe && !pair.failed.is_empty());
    let noticed: Vec<_> = noticed.filter(|pair| !allows_more(pair)).map(Outcome::to_string).collect();
    assert!(noticed.is_empty(), "{}", noticed.join("\n"));
}

#[test]
fn some_call_of_the_old_model_fails_after_what_is_judged_as_breaking() {
    let breaking = outcomes().iter().filter(|pair| pair.procedure >= Procedure::Deprecation);
    let unseen: BTreeSet<_> = breaking.filter(|pair| pair.failed.is_empty()).map(|pair| pair.name.as_str()).collect();
    let known: BTreeSet<_> = UNSEEN.iter().map(|(name, _)| *name).collect();
    assert_eq!(unseen, known);
}

/// A pair without calls would show nothing.
#[test]
fn each_pair_has_calls_that_succeed_before() {
    let silent: Vec<_> = outcomes().iter().filter(|pair| pair.succeeded == 0).map(|pair| &pair.name).collect();
    assert!(silent.is_empty(), "{silent:?}");
}
