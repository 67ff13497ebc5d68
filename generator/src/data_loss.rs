//! Reports changes that would lose stored data, at their places in the schemas.

use crate::compile::Before;
use crate::diagnostic::Diagnostic;
use crate::interpret::SourceMap;
use restwell_model::changes::{Change, ChangeKind, Effect, changes};
use restwell_model::check::Key;
use restwell_model::migrations::refused;
use restwell_model::{Checked, FaultCode, ModelPath};

/// The faults of the changes from the model before.
pub(crate) fn between(before: Before<'_>, now: &Checked, places: &SourceMap<'_>) -> Vec<Diagnostic> {
    let found = changes(before.model, now);
    let mut lost = refused(&found, before.consent);
    if let Some(draft) = before.draft.filter(|_| !lost.is_empty()) {
        let allowed = changes(before.model, draft);
        lost.retain(|change| !allowed.iter().any(|other| (other.kind, &other.at) == (change.kind, &change.at)));
    }
    lost.into_iter().map(|change| diagnostic(change, places)).collect()
}

fn diagnostic(change: &Change, places: &SourceMap<'_>) -> Diagnostic {
    let (code, help) = match change.effect {
        Effect::Default => (FaultCode::NeedsDefault, "add a `default`, or remove `required`".to_owned()),
        _ => (FaultCode::LosesData, consent(change)),
    };
    let message = format!("`{}` {}", change.at, change.message);
    // a removed part is shown at the part that contained it; a removed definition at the service
    let at = places.resolve(&change.at).or_else(|| places.resolve(&ModelPath::service()));
    let diagnostic = match at {
        Some(target) => Diagnostic::new(code, target.span, message),
        None => Diagnostic::without_place(code, message),
    };
    diagnostic.help(help)
}

fn consent(change: &Change) -> String {
    let meant = "if the loss is intended, run `restwell generate --allow-drop` once";
    let name = match change.at.keys.last() {
        Some(Key::Name(name)) => Some(name),
        _ => change.at.definition.as_ref(),
    };
    match (change.kind, name) {
        (ChangeKind::FieldDropped | ChangeKind::ResourceDropped, Some(name)) => {
            format!("if it was renamed, add `renamedFrom: {name}` under the new name; {meant}")
        }
        _ => meant.to_owned(),
    }
}
