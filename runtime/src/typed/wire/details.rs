//! What a response says beside the fields of its entity, kept so that the entity is written as it was read.

use super::shown::ShownValue;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The details of a response.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::typed) struct ResponseDetails {
    /// What is shown beside references: by the path of the field, and by the id.
    shown: BTreeMap<String, BTreeMap<Uuid, Vec<(String, ShownValue)>>>,
    /// The paths of fields that its version or view does not have.
    absent: BTreeSet<String>,
}

impl ResponseDetails {
    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.absent.is_empty()
    }

    pub(super) fn show(&mut self, path: &str, id: Uuid, fields: Vec<(String, ShownValue)>) {
        if !fields.is_empty() {
            self.shown.entry(path.to_owned()).or_default().insert(id, fields);
        }
    }

    /// The fields that a reference shows.
    pub(in crate::typed) fn shown(&self, path: &str, id: Uuid) -> &[(String, ShownValue)] {
        self.shown.get(path).and_then(|ids| ids.get(&id)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn lack(&mut self, path: &str) {
        if !self.absent.contains(path) {
            self.absent.insert(path.to_owned());
        }
    }

    pub(super) fn lacks(&self, path: &str) -> bool {
        self.absent.contains(path)
    }
}
