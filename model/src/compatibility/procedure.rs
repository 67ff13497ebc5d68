//! The procedures, and the table from directions to procedures.

use crate::changes::{ChangeDirection, Impact};
use ChangeDirection::{Changed, Demanded, Gone, Narrower, New, Replaced, Shifted, Tolerated, Unchanged, Wider};
use Procedure::{Adoption, Breaking, Deprecation, Safe};
use serde::Serialize;

/// How a change is made without breaking anyone (§9.4), from harmless to severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Procedure {
    /// At any time: clients that follow the conventions notice nothing.
    Safe,
    /// Clients are told in advance, and adapt without breaking against the old model.
    Adoption,
    /// It is announced by `deprecated` and `sunset`, and made after that day.
    Deprecation,
    /// Clients cannot be right for both models: by a beta version, or in several steps of the other procedures.
    Breaking,
}

/// Who may be broken by a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Clients that send requests.
    Writers,
    /// Clients that read responses.
    Readers,
    /// Those who get the events.
    Subscribers,
    /// What is stored.
    Rows,
    /// Code that was generated from the old model.
    Code,
}

/// The table: for each direction, the procedure if it is what may be sent, and if it is what is returned.
const fn row(direction: ChangeDirection) -> (Procedure, Procedure) {
    match direction {
        Unchanged | New | Tolerated => (Safe, Safe),
        Demanded => (Breaking, Safe),
        Wider => (Safe, Adoption),
        Narrower => (Adoption, Safe),
        Shifted | Changed => (Adoption, Adoption),
        Gone => (Deprecation, Deprecation),
        Replaced => (Breaking, Breaking),
    }
}

/// The gravest procedure of the three sides, and those that the change may break.
pub(super) fn of(impact: &Impact) -> (Procedure, Vec<Side>) {
    let sides = [
        (Side::Writers, impact.requests, row(impact.requests).0),
        (Side::Readers, impact.responses, row(impact.responses).1),
        (Side::Subscribers, impact.events, row(impact.events).1),
    ];
    let gravest = sides.iter().map(|(.., procedure)| *procedure).max().unwrap_or(Safe);
    let may_break = |direction, procedure| procedure != Safe || direction == Tolerated;
    let broken = sides.into_iter().filter(|(_, direction, procedure)| may_break(*direction, *procedure));
    (gravest, broken.map(|(side, ..)| side).collect())
}
