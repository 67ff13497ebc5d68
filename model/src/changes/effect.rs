//! A change: what it means for stored rows, and what it does to the interface.

use super::{ChangeKind, Impact};
use crate::check::ModelPath;
use crate::field::Deprecation;
use crate::resource::Version;

/// One difference between the old and the new model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The place: in the new model, or in the old model if the place was `removed`.
    pub at: ModelPath,
    /// Whether only the old model has the place.
    pub removed: bool,
    /// The effect on stored rows.
    pub effect: Effect,
    /// What it does to requests, responses, events and generated code.
    pub impact: Impact,
    /// The versions that have the place in both models; `None` if the place does not depend on versions.
    pub versions: Option<Vec<Version>>,
    /// The deprecation of the place, or of a place above it, in the old model.
    pub announced: Option<Deprecation>,
    /// What changed: a sentence without its subject, which is the place, and without a full stop.
    pub message: String,
}

/// The effect of a change on stored rows, from harmless to severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Rows stay, or become what the new model says, and nothing is lost.
    Safe,
    /// Nothing is lost, but the migration fails if the stored rows do not satisfy a check.
    Verified,
    /// Values are lost, or rows remain that the new model would refuse. This needs consent (`--allow-drop`).
    Consent,
    /// Stored rows need a value, which only a `default` can give them.
    Default,
}
