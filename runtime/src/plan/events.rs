//! The names of a resource's events, made once: an event is written with each of them (§6).

use restwell_model::events::{EventKind, EventName, event_kinds, event_names};
use restwell_model::resource::Resource;
use std::borrow::Cow;

/// The names of all events of a resource, with its present words and its former ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventsPlan {
    /// In the order of [`event_kinds`].
    names: Vec<Vec<EventName>>,
}

impl EventsPlan {
    /// Of the events of a resource.
    pub(super) fn compile(resource: &Resource) -> Self {
        Self { names: event_kinds(resource).map(|kind| event_names(resource, kind)).collect() }
    }

    /// The names under which an event of the resource is published, the present one first. A command that ends after it
    /// has left the schema has its event, too.
    pub(crate) fn names_of(&self, resource: &Resource, kind: EventKind<'_>) -> Cow<'_, [EventName]> {
        let position = event_kinds(resource).position(|known| known == kind);
        match position.and_then(|position| self.names.get(position)) {
            Some(names) => names.into(),
            None => event_names(resource, kind).into(),
        }
    }

    /// Whether a word in an event's type is the resource's present name or its former one.
    pub(crate) fn have_word(&self, word: &str) -> bool {
        self.names.iter().flatten().any(|name| name.resource == word)
    }
}
