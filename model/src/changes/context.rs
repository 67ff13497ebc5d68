//! Where the comparison is: who sees the values there, in which versions, and how they are stored.

use super::{ChangeDirection, Impact};
use crate::field::{Deprecation, Field};
use crate::resource::{OperationKind, Resource, Version};

/// What holds for the values at a place, and for all values below it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) storage: Storage,
    pub(super) requests: Requests,
    /// Whether responses have the values.
    pub(super) responses: bool,
    /// Whether events have the values.
    pub(super) events: bool,
    /// The version in which events have entities.
    pub(super) event_version: Option<Version>,
    /// Whether a PUT that omits a value resets it.
    pub(super) is_reset: bool,
    /// The versions that have the place in both models; `None` if the place does not depend on versions.
    pub(super) versions: Option<Vec<Version>>,
    /// The deprecation of the place, or of a place above it, in the old model.
    pub(super) announced: Option<Deprecation>,
}

/// How the values of a field are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Storage {
    /// In its own columns.
    Column,
    /// In the JSON of an array, which migrations do not rewrite.
    Json,
    /// In the JSON of a command, which nobody reads once the command is finished.
    Command,
}

/// What requests do with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Requests {
    /// No request can have it.
    Absent,
    /// It is ignored, but its name is known: what was read can be sent back.
    Ignored,
    /// It is read.
    Read,
}

impl Context {
    /// Outside of all resources.
    pub(super) fn of_service() -> Self {
        Self {
            storage: Storage::Column,
            requests: Requests::Read,
            responses: true,
            events: true,
            event_version: None,
            is_reset: false,
            versions: None,
            announced: None,
        }
    }

    /// Of a resource that both models have. It is what the clients of the old model do with it that counts.
    pub(super) fn of_resource(old: &Resource, new: &Resource) -> Self {
        use OperationKind::{Create, Delete, Patch, Update};
        let kinds = old.operations.iter().chain(old.views.iter().flat_map(|view| &view.operations));
        let kinds: Vec<_> = kinds.map(|operation| operation.kind).collect();
        let is_written = kinds.iter().any(|kind| matches!(kind, Create | Update | Patch));
        Self {
            requests: if is_written { Requests::Read } else { Requests::Absent },
            responses: kinds.iter().any(|kind| *kind != Delete),
            event_version: old.versions_by_preference().first().copied(),
            is_reset: kinds.contains(&Update),
            versions: Some(old.versions.iter().copied().filter(|version| new.versions.contains(version)).collect()),
            announced: old.deprecation(),
            ..Self::of_service()
        }
    }

    /// Of the values of a field, by the keys that it has in the model.
    pub(super) fn of_field(&self, field: &Field) -> Self {
        let requests = match self.requests {
            Requests::Read if field.is_ignored_in_requests() => Requests::Ignored,
            outer => outer,
        };
        let versions = self.versions.as_ref().map(|versions| common(versions, field.versions.as_deref()));
        Self {
            requests,
            responses: self.responses && !field.write_only,
            events: self.events && !field.write_only && self.is_in_events(field),
            is_reset: self.is_reset && !field.immutable && !field.write_only && !field.is_ignored_in_requests(),
            versions,
            announced: Deprecation::together(self.announced, field.deprecation()),
            ..self.clone()
        }
    }

    /// Events have what GET returns in the preferred version of the resource itself.
    fn is_in_events(&self, field: &Field) -> bool {
        self.event_version.is_none_or(|version| field.is_in(version, None))
    }

    /// Of the values of a field that both models have: what either of them does not read, send or have.
    pub(super) fn of_fields(&self, old: &Field, new: &Field) -> Self {
        let outer = self.of_field(old);
        Self { announced: outer.announced, ..outer.of_field(new) }
    }

    /// Of what is also announced by itself.
    pub(super) fn announcing(&self, notice: Option<Deprecation>) -> Self {
        Self { announced: Deprecation::together(self.announced, notice), ..self.clone() }
    }

    /// The direction in which requests see a change of values.
    fn seen_by_requests(&self, direction: ChangeDirection) -> ChangeDirection {
        match self.requests {
            Requests::Absent => ChangeDirection::Unchanged,
            // a name that is no longer known is refused, even where its value was ignored
            Requests::Ignored if direction != ChangeDirection::Gone => ChangeDirection::Unchanged,
            Requests::Ignored | Requests::Read => direction,
        }
    }

    /// What is seen of a change of values.
    pub(super) fn of_values(&self, impact: Impact) -> Impact {
        use ChangeDirection::{Demanded, Gone, Narrower, Replaced, Shifted};
        let seen = |is_seen: bool, direction| if is_seen { direction } else { ChangeDirection::Unchanged };
        let requests = self.seen_by_requests(impact.requests);
        let is_input = self.storage == Storage::Command && self.requests == Requests::Read;
        // the response repeats an input: it has no other values than the client has sent
        let responses = match impact.responses {
            Gone | Replaced => impact.responses,
            direction => seen(!is_input, direction),
        };
        // a command that is running is a stored request
        let is_refused = matches!(requests, Demanded | Narrower | Shifted | Gone | Replaced);
        Impact {
            requests,
            responses: seen(self.responses, responses),
            events: seen(self.events, impact.events),
            kept: impact.kept || is_input && is_refused,
            ..impact
        }
    }
}

/// The versions of a list; `None` is all of them.
pub(super) fn common(versions: &[Version], list: Option<&[Version]>) -> Vec<Version> {
    versions.iter().copied().filter(|version| list.is_none_or(|list| list.contains(version))).collect()
}
