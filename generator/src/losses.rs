//! What no migration may do unasked, at its place in the schemas.

use crate::compile::Before;
use crate::diagnostic::Diagnostic;
use crate::interpret::Places;
use restwell_model::changes::{Change, Effect, What, changes};
use restwell_model::check::Key;
use restwell_model::migrations::refused;
use restwell_model::{Checked, FaultCode, ModelPath};

/// The mistakes in a model that follows another.
pub(crate) fn between(before: Before<'_>, now: &Checked, places: &Places<'_>) -> Vec<Diagnostic> {
    let changes = changes(before.model, now);
    refused(&changes, before.consent).into_iter().map(|change| diagnostic(change, places)).collect()
}

fn diagnostic(change: &Change, places: &Places<'_>) -> Diagnostic {
    let (code, help) = match change.effect {
        Effect::Default => (FaultCode::NeedsDefault, "give it a `default`, or take `required` away".to_owned()),
        _ => (FaultCode::LosesData, consent(change)),
    };
    let message = format!("`{}` {}", change.at, change.message);
    // what is gone stood in what is still there; a whole definition stood in the service
    let at = places.resolve(&change.at).or_else(|| places.resolve(&ModelPath::service()));
    let diagnostic = match at {
        Some(target) => Diagnostic::new(code, target.span, message),
        None => Diagnostic::without_place(code, message),
    };
    diagnostic.help(help)
}

fn consent(change: &Change) -> String {
    let meant = "where this is meant, say so once: `restwell generate --allow-drop`";
    let name = match change.at.keys.last() {
        Some(Key::Name(name)) => Some(name),
        _ => change.at.definition.as_ref(),
    };
    match (change.what, name) {
        (What::FieldDropped | What::ResourceDropped, Some(name)) => {
            format!("where it has another name now, write `renamedFrom: {name}` there; {meant}")
        }
        _ => meant.to_owned(),
    }
}
