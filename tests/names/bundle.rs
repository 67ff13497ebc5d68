//! Services of many draws, so that what starts once for each of them costs little.

use crate::document::Documents;
use crate::draw::Draw;
use crate::refusals;
use crate::role::Role;
use restwell_generator::compile::Origins;
use restwell_generator::messages::LanguageMessages;
use restwell_generator::{Compiled, compile};
use restwell_model::{Checked, names};

/// Draws of one service.
const SIZE: usize = 200;

/// A service that `check` accepts.
pub(crate) struct Bundle {
    pub(crate) name: String,
    pub(crate) draws: Vec<Draw>,
    pub(crate) service: Checked,
    pub(crate) origins: Origins,
    pub(crate) messages: Vec<LanguageMessages>,
}

impl Bundle {
    /// The service of these draws; those that `check` finds at fault beside the others.
    pub(crate) fn of(draws: &[Draw], name: &str) -> Result<Self, Vec<usize>> {
        let documents = Documents::of(draws, name);
        let compiled = compile(&documents.files);
        let at_fault = refusals::at_fault(&compiled, &documents);
        let Compiled { service, messages, .. } = compiled;
        match service {
            Some((service, origins)) if at_fault.is_empty() => {
                Ok(Self { name: name.to_owned(), draws: draws.to_vec(), service, origins, messages })
            }
            _ => Err(at_fault),
        }
    }

    /// The service of one name, or of a part of those that were together.
    pub(crate) fn of_part(draws: &[Draw], name: &str) -> Result<Self, String> {
        Self::of(draws, name).map_err(|numbers| format!("`check` refuses {numbers:?} of the part"))
    }
}

/// Services that have all draws. Names that exclude each other are in different ones.
pub(crate) fn bundles(accepted: Vec<Draw>) -> Vec<Bundle> {
    let (of_services, mut waiting): (Vec<_>, Vec<_>) =
        accepted.into_iter().partition(|draw| draw.role == Role::Service);
    let mut next = waiting.iter().chain(&of_services).map(|draw| draw.number).max().unwrap_or_default() + 1;
    let (vendors, others) = waiting.into_iter().partition(|draw| draw.role == Role::Vendor);
    let mut vendors: Vec<Draw> = vendors;
    waiting = others;
    let mut bundles: Vec<_> =
        of_services.into_iter().filter_map(|draw| of_service(draw, vendors.pop(), &mut next)).collect();
    waiting.extend(vendors);
    let mut number = 0;
    while !waiting.is_empty() {
        let rest = waiting.split_off(waiting.len().min(SIZE));
        let (bundle, excluded) = one(waiting, number);
        waiting = [rest, excluded].concat();
        bundles.extend(bundle);
        number += 1;
    }
    bundles
}

/// A service called by a word, with a resource called by the same word in the singular, if there can be one.
fn of_service(draw: Draw, vendor: Option<Draw>, next: &mut usize) -> Option<Bundle> {
    let name = names::pascal(&names::singular(&draw.name));
    let companion = Draw { number: *next, role: Role::Resource, name, allow: None };
    *next += 1;
    let is_accepted = !companion.name.is_empty() && refusals::refusal(&companion).is_none();
    let alone: Vec<_> = [draw].into_iter().chain(vendor).collect();
    let with_companion = is_accepted.then(|| Bundle::of(&[&alone[..], &[companion]].concat(), "bundle"));
    with_companion.and_then(Result::ok).or_else(|| Bundle::of(&alone, "bundle").ok())
}

/// A service with most of these draws, and the draws that exclude others of it.
fn one(mut draws: Vec<Draw>, number: usize) -> (Option<Bundle>, Vec<Draw>) {
    let mut excluded = Vec::new();
    let mut vendor = false;
    draws.retain(|draw| {
        let is_second = draw.role == Role::Vendor && std::mem::replace(&mut vendor, true);
        if is_second {
            excluded.push(draw.clone());
        }
        !is_second
    });
    while !draws.is_empty() {
        match Bundle::of(&draws, &format!("bundle-{number}")) {
            Ok(bundle) => return (Some(bundle), excluded),
            Err(at_fault) => {
                let (out, kept): (Vec<_>, Vec<_>) = draws.into_iter().partition(|it| at_fault.contains(&it.number));
                assert!(!out.is_empty(), "`check` says which names exclude each other");
                excluded.extend(out);
                draws = kept;
            }
        }
    }
    (None, excluded)
}
