//! Names that `check` refuses: in their place, with the reason.

use crate::document::Documents;
use crate::draw::Draw;
use crate::role::Role;
use libtest_mimic::Failed;
use restwell_generator::diagnostic::Label;
use restwell_generator::{Compiled, Diagnostic, compile};
use std::collections::{BTreeMap, BTreeSet};

/// Why a name is refused.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Whether the fault is at the name.
    pub(crate) is_at_name: bool,
}

/// Checks each draw alone: those that are accepted, and those that are refused with the reason. One that only a rule
/// refuses which `allow` switches off is in both lists.
pub(crate) fn judged(draws: Vec<Draw>) -> (Vec<Draw>, Vec<(Draw, Refusal)>) {
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for mut draw in draws {
        let Some((refusal, can_be_allowed)) = refusal(&draw) else {
            accepted.push(draw);
            continue;
        };
        refused.push((draw.clone(), refusal.clone()));
        if can_be_allowed {
            draw.allow = Some(refusal.code);
            if self::refusal(&draw).is_none() {
                accepted.push(draw);
            }
        }
    }
    (accepted, refused)
}

/// Why a name alone is refused, and whether `allow` could switch that off.
pub(crate) fn refusal(draw: &Draw) -> Option<(Refusal, bool)> {
    let documents = Documents::of(std::slice::from_ref(draw), "bundle");
    let compiled = compile(&documents.files);
    let error = compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    let can_be_allowed = error.code.allowable() && draw.allow.is_none();
    Some((Refusal::of(error, &documents), can_be_allowed))
}

impl Refusal {
    fn of(error: &Diagnostic, documents: &Documents) -> Self {
        Self {
            code: error.code.code(),
            message: error.message.clone(),
            help: error.help.clone(),
            is_at_name: named(error, documents).is_some(),
        }
    }
}

/// The number of the draw that a fault is about: its place touches the name.
fn named(error: &Diagnostic, documents: &Documents) -> Option<usize> {
    drawn_at(error.primary.as_ref()?, documents)
}

/// The draw whose name a place touches.
fn drawn_at(label: &Label, documents: &Documents) -> Option<usize> {
    let span = label.span;
    let touches = |place: &&crate::document::NamePlace| {
        place.file == span.file && place.range.start <= span.end && span.start <= place.range.end
    };
    documents.places.iter().find(touches).map(|place| place.draw)
}

/// The draws that a service's faults are about. Other faults may follow from these.
///
/// # Panics
///
/// All faults are beside the names.
pub(crate) fn at_fault(compiled: &Compiled, documents: &Documents) -> Vec<usize> {
    let errors: Vec<_> = compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let mut numbers: BTreeSet<_> = errors.iter().filter_map(|error| named(error, documents)).collect();
    if numbers.is_empty() {
        let others = errors.iter().flat_map(|error| &error.secondary);
        numbers.extend(others.filter_map(|label| drawn_at(label, documents)));
    }
    if let (Some(error), true) = (errors.first(), numbers.is_empty()) {
        let file = error.primary.as_ref().map(|label| &documents.files[label.span.file]);
        panic!("a fault beside the names: {error:?}\n{:?}", file.map(|it| String::from_utf8_lossy(&it.bytes)));
    }
    numbers.into_iter().collect()
}

/// Each refusal is at its name, and says why.
pub(crate) fn check(refused: &[(Draw, Refusal)]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let mut codes: BTreeMap<(&str, Role), Vec<&str>> = BTreeMap::new();
    for (draw, refusal) in refused {
        codes.entry((refusal.code, draw.role)).or_default().push(&draw.name);
        let says_which = refusal.message.to_ascii_lowercase().contains(&draw.name.to_ascii_lowercase());
        if !refusal.is_at_name {
            wrong.push(format!("{}: the fault is elsewhere: {refusal:?}", draw.title()));
        } else if !says_which {
            wrong.push(format!("{}: the message does not have the name: {refusal:?}", draw.title()));
        }
    }
    for ((code, role), names) in codes {
        eprintln!("{code} of {role:?}: {} names: {}", names.len(), names[..names.len().min(40)].join(" "));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}
