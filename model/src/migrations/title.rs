//! The title of a migration, which becomes a part of its folder name.

use crate::changes::{Change, ChangeKind, Effect};
use crate::check::{Key, ModelPath};
use crate::names;

/// The greatest length of a title, in bytes. A longer title is cut off.
const MAX_TITLE: usize = 48;

/// A short title for the changes: `rename-offer-title`, `add-watch-and-more`. `None` if no change affects a table.
#[must_use]
pub fn title(changes: &[Change]) -> Option<String> {
    let mut named = changes.iter().filter_map(|change| Some((verb(change)?, &change.at)));
    let (verb, at) = named.next()?;
    let more = if named.next().is_some() { "-and-more" } else { "" };
    let mut title = format!("{verb}-{}", words(at).join("-"));
    title.truncate(MAX_TITLE);
    Some(format!("{}{more}", title.trim_end_matches('-')))
}

fn verb(change: &Change) -> Option<&'static str> {
    Some(match change.kind {
        ChangeKind::ResourceAdded | ChangeKind::FieldAdded => "add",
        ChangeKind::ResourceDropped | ChangeKind::FieldDropped => "drop",
        ChangeKind::ResourceRenamed
        | ChangeKind::FieldRenamed
        | ChangeKind::CommandRenamed
        | ChangeKind::PluralChanged => "rename",
        ChangeKind::TypeWidened | ChangeKind::TypeNarrowed | ChangeKind::TypeReplaced => "retype",
        ChangeKind::ConstraintLoosened | ChangeKind::ConstraintTightened if is_key(&change.at, "scale") => "rescale",
        ChangeKind::Required
        | ChangeKind::Default
        | ChangeKind::UniqueAdded
        | ChangeKind::UniqueDropped
        | ChangeKind::IndexAdded
        | ChangeKind::IndexDropped
        | ChangeKind::Filter
        | ChangeKind::Sort
        | ChangeKind::Target
        | ChangeKind::OnDelete
        | ChangeKind::ShowAdded
        | ChangeKind::ShowDropped => "alter",
        ChangeKind::RuleAdded | ChangeKind::RuleChanged | ChangeKind::RequiredWhen
            if change.effect == Effect::Verified =>
        {
            "verify"
        }
        ChangeKind::Users | ChangeKind::Owner | ChangeKind::UnderAdded | ChangeKind::UnderDropped => "index",
        _ => return None,
    })
}

fn is_key(at: &ModelPath, key: &str) -> bool {
    matches!(at.keys.last(), Some(Key::Name(name)) if name == key)
}

/// The words of the definition, and of the field or the command if the change is in one.
fn words(at: &ModelPath) -> Vec<String> {
    let kebab = |name: &String| names::snake(name).replace('_', "-");
    let definition = at.definition.iter().map(kebab);
    let field = match at.keys.as_slice() {
        [Key::Name(section), Key::Name(name), ..] if section == "fields" || section == "commands" => Some(kebab(name)),
        [Key::Name(section), ..] if ["unique", "index", "rules"].contains(&section.as_str()) => Some(section.clone()),
        _ => None,
    };
    definition.chain(field).collect()
}
