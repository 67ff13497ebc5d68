//! The steps to take instead of a change, in the words of the schema language.

use super::{Followed, Procedure};
use crate::changes::{Change, ChangeDirection, ChangeKind};
use crate::field::Deprecation;
use crate::resource::Version;

/// The steps; none for a change that can be made as it is.
pub(super) fn instead(
    change: &Change,
    procedure: Procedure,
    followed: Option<Followed>,
    beta: Option<Version>,
) -> Vec<String> {
    let steps = match (procedure, followed, beta) {
        (_, Some(Followed::Done), _) => Vec::new(),
        (_, Some(Followed::TooEarly), _) => vec![wait(change.announced)],
        (Procedure::Breaking, _, Some(Version::Beta(number))) => {
            vec![format!("make the change in `beta.v{}`, and put `beta.v{number}` in `retired`", u32::from(number) + 1)]
        }
        (Procedure::Deprecation, None, _) => {
            words(&["tell the clients of the beta version, or serve it for a while longer"])
        }
        (Procedure::Deprecation, ..) => words(removal(change.kind)),
        (Procedure::Breaking, ..) => words(replacement(change)),
        (Procedure::Adoption, ..) => words(&[adoption(change)]),
        (Procedure::Safe, ..) => words(caution(change)),
    };
    steps.into_iter().chain(exposure(change)).collect()
}

fn words(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|step| (*step).to_owned()).collect()
}

fn wait(announced: Option<Deprecation>) -> String {
    match announced.and_then(|announced| announced.sunset) {
        Some(day) => format!("keep it until {day}, its `sunset`"),
        None => "give it a `sunset`, and keep it until that day".to_owned(),
    }
}

fn removal(kind: ChangeKind) -> &'static [&'static str] {
    match kind {
        ChangeKind::FieldDropped | ChangeKind::ResourceDropped | ChangeKind::CommandDropped => {
            &["keep it with `deprecated: true` and a `sunset`", "remove it after that day"]
        }
        ChangeKind::FieldRenamed | ChangeKind::CommandRenamed | ChangeKind::ResourceRenamed => &[
            "serve the old name beside the new one: `formerly: { name: …, sunset: … }`",
            "remove `formerly` after that day",
        ],
        ChangeKind::FormerName => &["keep `formerly` until its `sunset`"],
        ChangeKind::ReadOnly => &[
            "announce its `readOnly` in `deprecations`, with the `sunset` from which it is ignored in requests",
            "make it `readOnly` after that day",
        ],
        ChangeKind::PluralChanged => &[
            "serve the old path beside the new one: `formerly: { name: …, plural: …, sunset: … }`",
            "remove `formerly` after that day",
        ],
        ChangeKind::ViewPath => &[
            "serve the old path beside the new one: `formerly: { name: …, path: …, sunset: … }`",
            "remove `formerly` after that day",
        ],
        ChangeKind::OperationDropped
        | ChangeKind::ViewDropped
        | ChangeKind::UnderDropped
        | ChangeKind::VersionDropped
        | ChangeKind::Filter
        | ChangeKind::Sort
        | ChangeKind::Search
        | ChangeKind::Count
        | ChangeKind::ShowDropped => {
            &["announce it in `deprecations`, by its path and a `sunset`", "remove it after that day"]
        }
        _ => &[
            "tell clients the day from which it is gone",
            "make the change after that day, with the announcement as the reason in `allow`",
        ],
    }
}

fn replacement(change: &Change) -> &'static [&'static str] {
    use ChangeKind::{Target, TypeNarrowed, TypeReplaced, TypeWidened};
    match change.kind {
        _ if change.impact.requests == ChangeDirection::Demanded => &[
            "add it without `required`, or with a `default`",
            "tell clients the day from which they have to send it",
            "make it required after that day",
        ],
        Target | TypeNarrowed | TypeReplaced | TypeWidened => &[
            "add a field of the new type beside this one",
            "give this one `deprecated: true` and a `sunset`",
            "remove it after that day",
        ],
        _ => &[
            "serve the change in a beta version first, or beside what there is",
            "agree with clients on the day on which they switch",
        ],
    }
}

fn adoption(change: &Change) -> &'static str {
    let (sent, returned) = (change.impact.requests, change.impact.responses);
    match (sent, returned) {
        (ChangeDirection::Narrower, _) => "tell clients the day from which other requests are refused",
        (_, ChangeDirection::Wider) => "tell clients what responses may have, and make the change once they accept it",
        _ => "tell clients what it means for them, and make the change once they are prepared",
    }
}

fn caution(change: &Change) -> &'static [&'static str] {
    match (change.kind, change.impact.requests) {
        (ChangeKind::FieldAdded | ChangeKind::FieldVersions, ChangeDirection::Tolerated) => &[
            "a client that does not know the field resets it by PUT: clients should use PATCH, or send all that they read",
        ],
        (ChangeKind::Required, _) => &["an explicit null is refused from now on: tell clients that send one"],
        (ChangeKind::ValueAdded, _) => &["announce the value: clients may list all values that they know"],
        _ => &[],
    }
}

/// What shows more than before has to be meant.
fn exposure(change: &Change) -> Option<String> {
    let is_shown = match change.kind {
        ChangeKind::Access | ChangeKind::WriteOnly => change.impact.responses == ChangeDirection::New,
        ChangeKind::Owner => true,
        _ => false,
    };
    is_shown.then(|| "check that everyone who has access now is meant to have it".to_owned())
}
