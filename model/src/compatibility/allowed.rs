//! Changes that the new schema allows, at the place of the change or above it: `allow: { field-dropped: "a reason" }`.
//!
//! An exemption belongs to the change that it came with: one that the old schema already had allows nothing, so that it
//! cannot hide a later change. The document of the service has those of its own changes, and those of removed
//! resources, which have no document: `Offer.resource-dropped`.

use super::Judgement;
use crate::changes::ChangeKind;
use crate::check::{ModelPath, each_allow};
use crate::names;
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
    let of_service = service.allow.iter().filter(|(_, reason)| !reason.trim().is_empty());
    found.extend(of_service.filter_map(|(key, reason)| Some((service_change(key)?, reason.clone()))));
    found
}

/// The change that a key of the service's `allow` names: one of its document by the kind, or a removed resource.
pub(crate) fn service_change(key: &str) -> Option<(ModelPath, ChangeKind)> {
    match key.split_once('.') {
        None => Some((ModelPath::service(), key.parse().ok()?)),
        Some((resource, kind)) => {
            let kind = kind.parse().ok().filter(|kind| *kind == ChangeKind::ResourceDropped)?;
            names::is_pascal(resource).then(|| (ModelPath::definition(resource), kind))
        }
    }
}
