//! A change while it is being described: `Finding::new(…).rows(…).values(…).in_code()`.

use super::{ChangeDirection, ChangeKind, Effect, Impact};
use crate::check::ModelPath;
use crate::field::Deprecation;

/// A change, without what follows from where it was found.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) kind: ChangeKind,
    pub(super) at: ModelPath,
    pub(super) removed: bool,
    pub(super) message: String,
    pub(super) effect: Effect,
    /// What the change means for rows, for the end of the message.
    pub(super) note: &'static str,
    pub(super) impact: Impact,
    /// Whether it is about the values of the place, not about calls and parameters.
    pub(super) is_of_values: bool,
    /// What the old model announces of the place, beside what is announced of the places above it.
    pub(super) notice: Option<Deprecation>,
}

impl Finding {
    /// A change that neither rows nor clients notice.
    pub(super) fn new(kind: ChangeKind, at: &ModelPath, message: impl Into<String>) -> Self {
        Self {
            kind,
            at: at.clone(),
            removed: false,
            message: message.into(),
            effect: Effect::Safe,
            note: "",
            impact: Impact::default(),
            is_of_values: false,
            notice: None,
        }
    }

    /// Something that only the new model has.
    pub(super) fn added(kind: ChangeKind, at: &ModelPath) -> Self {
        Self::new(kind, at, "is new").calls(ChangeDirection::New)
    }

    /// Something that only the old model has, and that clients call.
    pub(super) fn dropped(kind: ChangeKind, at: &ModelPath) -> Self {
        Self { removed: true, ..Self::new(kind, at, "was removed").calls(ChangeDirection::Gone).in_code() }
    }

    /// What the change means for stored rows.
    pub(super) fn rows(self, effect: Effect, note: &'static str) -> Self {
        Self { effect, note, ..self }
    }

    /// What it does to each side, wherever values are seen.
    pub(super) fn sides(self, requests: ChangeDirection, responses: ChangeDirection, events: ChangeDirection) -> Self {
        let impact = Impact { requests, responses, events, ..self.impact };
        Self { impact, is_of_values: true, ..self }
    }

    /// What it does to the values at the place, the same on each side.
    pub(super) fn values(self, direction: ChangeDirection) -> Self {
        self.sides(direction, direction, direction)
    }

    /// What it does to requests and their responses.
    pub(super) fn calls(self, direction: ChangeDirection) -> Self {
        self.everywhere(direction, direction, ChangeDirection::Unchanged)
    }

    /// What it does to each side, whatever the resource reads and returns.
    pub(super) fn everywhere(
        self,
        requests: ChangeDirection,
        responses: ChangeDirection,
        events: ChangeDirection,
    ) -> Self {
        let impact = Impact { requests, responses, events, ..self.impact };
        Self { impact, is_of_values: false, ..self }
    }

    /// What the old model announces of the place.
    pub(super) fn announced(self, notice: Option<Deprecation>) -> Self {
        Self { notice, ..self }
    }

    /// Generated code changes with it.
    pub(super) fn in_code(mut self) -> Self {
        self.impact.code = true;
        self
    }

    /// Stored searches, commands or events keep the old form.
    pub(super) fn kept(mut self) -> Self {
        self.impact.kept = true;
        self
    }
}
