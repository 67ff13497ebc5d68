//! What a change asks of clients: the judgement of `restwell diff`.
//!
//! The public version is not versioned (§9.4): a change is made in it by the procedure that belongs to the change.
//!
//! ```text
//! changes ── direction × side ──► procedure ── announced? in betas only? allowed? ──► judgement
//! ```
//!
//! [`changes`](crate::changes) finds each change and says in which direction it moves requests, responses and events.
//! `procedure` has the table that the judgement follows from. What a change means for stored rows is its
//! [`Effect`], and nothing else.

mod allowed;
mod procedure;
mod steps;

pub use procedure::{Procedure, Side};

use crate::changes::{Change, ChangeKind, Effect, compare};
use crate::check::{Checked, ModelPath};
use crate::field::Deprecation;
use crate::resource::Version;
use crate::scalar::Date;
use allowed::Allowances;
pub(crate) use allowed::service_change;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A change, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The place: in the new model, or in the old one if only that has it.
    #[serde(serialize_with = "as_text")]
    pub place: ModelPath,
    /// The kind of change.
    pub kind: ChangeKind,
    /// How the change is made without breaking anyone.
    pub procedure: Procedure,
    /// Who may be broken by it.
    pub breaks: Vec<Side>,
    /// Whether the notice that the procedure asks for was given; `None` if it asks for none.
    pub followed: Option<Followed>,
    /// What changed: a sentence without its subject, which is the place.
    pub message: String,
    /// The steps to take instead, in their order.
    pub instead: Vec<String>,
    /// The reason in the new schema for which the change is allowed (`allow`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
}

/// Whether a removal was announced in the old model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Followed {
    /// It was `deprecated`, or in `deprecations`, and its `sunset` has come.
    Done,
    /// It is `deprecated`, and its `sunset` is to come or is not known.
    TooEarly,
    /// It is not `deprecated`.
    NeverAnnounced,
}

impl Judgement {
    /// The procedure that remains to be followed: nothing remains of one that was followed, or that is allowed.
    #[must_use]
    pub fn remaining(&self) -> Procedure {
        if self.allowed.is_some() || self.followed == Some(Followed::Done) { Procedure::Safe } else { self.procedure }
    }
}

/// The changes that lead from the old model to the new one, judged as of a day, in the order of definitions and
/// places, each once.
#[must_use]
pub fn judge(old: &Checked, new: &Checked, today: Date) -> Vec<Judgement> {
    let mut judgements = BTreeMap::new();
    for change in compare(old, new) {
        let judgement = judged(&change, today);
        let place = (change.at, change.removed, change.kind);
        let judgement = match judgements.remove(&place) {
            Some(known) => graver(known, judgement),
            None => judgement,
        };
        judgements.insert(place, judgement);
    }
    let allowances = Allowances::between(old, new);
    judgements.into_values().map(|judgement| allowances.applied(judgement)).collect()
}

fn judged(change: &Change, today: Date) -> Judgement {
    let betas: Vec<_> = change.versions.iter().flatten().copied().collect();
    let is_in_betas = !betas.is_empty() && !betas.contains(&Version::PUBLIC);
    // a version that only one of the models serves has no clients that could notice
    let is_served = change.versions.as_ref().is_none_or(|versions| !versions.is_empty());
    let (procedure, mut breaks) = if is_served { procedure::of(&change.impact) } else { (Procedure::Safe, Vec::new()) };
    if change.effect != Effect::Safe || is_served && change.impact.kept && procedure != Procedure::Safe {
        breaks.push(Side::Rows);
    }
    if change.impact.code {
        breaks.push(Side::Code);
    }
    let may_break_betas = matches!(change.kind, ChangeKind::VersionDropped | ChangeKind::ResourceDropped);
    let (procedure, followed) = match procedure {
        // a beta ends without notice (§9.5), but does not change under its number
        Procedure::Deprecation if is_in_betas && may_break_betas => (procedure, None),
        Procedure::Deprecation | Procedure::Breaking if is_in_betas => {
            (Procedure::Breaking, Some(Followed::NeverAnnounced))
        }
        Procedure::Deprecation => (procedure, Some(followed(change.announced, today))),
        // a value of an enum goes away like a part, where that was announced
        Procedure::Adoption if change.kind == ChangeKind::ValueDropped && change.announced.is_some() => {
            (procedure, Some(followed(change.announced, today)))
        }
        Procedure::Safe | Procedure::Adoption | Procedure::Breaking => (procedure, None),
    };
    let beta = betas.into_iter().max().filter(|_| is_in_betas);
    Judgement {
        place: change.at.clone(),
        kind: change.kind,
        procedure,
        breaks,
        followed,
        message: change.message.clone(),
        instead: steps::instead(change, procedure, followed, beta),
        allowed: None,
    }
}

fn followed(announced: Option<Deprecation>, today: Date) -> Followed {
    match announced {
        None => Followed::NeverAnnounced,
        Some(Deprecation { sunset: Some(day) }) if day <= today => Followed::Done,
        Some(_) => Followed::TooEarly,
    }
}

/// Of two judgements of one place, that of the use that is affected more, with all whom both break.
fn graver(one: Judgement, other: Judgement) -> Judgement {
    let mut breaks: Vec<_> = one.breaks.iter().chain(&other.breaks).copied().collect();
    breaks.sort_unstable();
    breaks.dedup();
    let gravity = |judgement: &Judgement| (judgement.remaining(), judgement.procedure, judgement.breaks.len());
    let graver = if gravity(&one) >= gravity(&other) { one } else { other };
    Judgement { breaks, ..graver }
}

fn as_text<S: Serializer>(place: &ModelPath, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(place)
}
