//! Changes that the new schema allows, at the place of the change or above it: `allow: { field-dropped: "a reason" }`.
//!
//! An exemption belongs to the change that it came with: one that the old schema already had allows nothing, so that it
//! cannot hide a later change.

use super::Judgement;
use crate::changes::ChangeKind;
use crate::check::{ModelPath, each_allow};
use crate::service::Service;
use std::collections::{BTreeMap, BTreeSet};

/// The exemptions that are new, by their places.
pub(super) struct Allowances(BTreeMap<(ModelPath, ChangeKind), String>);

impl Allowances {
    pub(super) fn between(old: &Service, new: &Service) -> Self {
        let before: BTreeSet<_> = of(old).into_iter().collect();
        Self(of(new).into_iter().filter(|exemption| !before.contains(exemption)).collect())
    }

    /// A judgement with the reason for which its change is allowed, if there is one.
    pub(super) fn applied(&self, judgement: Judgement) -> Judgement {
        let mut place = judgement.place.clone();
        loop {
            let key = (place, judgement.kind);
            if let Some(reason) = self.0.get(&key) {
                return Judgement { allowed: Some(reason.clone()), ..judgement };
            }
            place = key.0;
            if place.keys.pop().is_none() {
                return judgement;
            }
        }
    }
}

fn of(service: &Service) -> Vec<((ModelPath, ChangeKind), String)> {
    let mut found = Vec::new();
    each_allow(service, &mut |allow, place| {
        let given = allow.iter().filter(|(_, reason)| !reason.trim().is_empty());
        let kinds = given.filter_map(|(kind, reason)| Some((kind.parse().ok()?, reason)));
        found.extend(kinds.map(|(kind, reason)| ((place.path(), kind), reason.clone())));
    });
    found
}
