//! Combinations of fields: each once, with two fields or more, none of them twice.

use crate::check::Fault;
use crate::check::FaultCode::{RepeatedName, ShortCombination};
use crate::check::place::Place;
use crate::check::rules::{repeated_names, repeats};

/// The combinations that a key lists. `compared` is what makes two of them the same; a single field says `key` itself.
pub(super) fn combinations(
    listed: &[Vec<String>],
    compared: &[Vec<&str>],
    at: &Place<'_>,
    key: &str,
    faults: &mut Vec<Fault>,
) {
    for (first, position, _) in repeats(compared.iter()) {
        let fault = at.index(position).fault(RepeatedName, "this combination appears twice");
        faults.push(fault.also(at.index(first).path(), "it first appears here").help("remove one of them"));
    }
    for (position, names) in listed.iter().enumerate() {
        let at = at.index(position);
        if names.len() < 2 {
            let fault = at.fault(ShortCombination, "a combination needs two or more fields");
            faults.push(match names.first() {
                Some(name) => fault.help(format!("write `{key}: true` in the field `{name}` instead")),
                None => fault.help("remove it"),
            });
        }
        repeated_names(names.iter().map(String::as_str), &at, faults);
    }
}
