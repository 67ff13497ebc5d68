//! What a migration is called.

use crate::changes::{Change, What};
use crate::check::{Key, ModelPath};
use crate::names;

/// The words of a title, which stand between dashes in the name of a folder, are cut off here.
const MAX_TITLE: usize = 48;

/// A few words on the changes: `rename-offer-title`, `add-watch-and-more`. `None`, where none of them touches a table.
#[must_use]
pub fn title(changes: &[Change]) -> Option<String> {
    let mut told = changes.iter().filter_map(|change| Some((verb(change)?, &change.at)));
    let (verb, at) = told.next()?;
    let more = if told.next().is_some() { "-and-more" } else { "" };
    let mut title = format!("{verb}-{}", words(at).join("-"));
    title.truncate(MAX_TITLE);
    Some(format!("{}{more}", title.trim_end_matches('-')))
}

fn verb(change: &Change) -> Option<&'static str> {
    Some(match change.what {
        What::ResourceAdded | What::FieldAdded => "add",
        What::ResourceDropped | What::FieldDropped => "drop",
        What::ResourceRenamed | What::FieldRenamed | What::Plural => "rename",
        What::TypeWidened | What::TypeNarrowed | What::TypeReplaced => "retype",
        What::ConstraintLoosened | What::ConstraintTightened if is_key(&change.at, "scale") => "rescale",
        What::Required | What::Default | What::UniqueAdded | What::UniqueDropped | What::Indexed | What::Reference => {
            "alter"
        }
        What::Owner | What::Under => "index",
        _ => return None,
    })
}

fn is_key(at: &ModelPath, key: &str) -> bool {
    matches!(at.keys.last(), Some(Key::Name(name)) if name == key)
}

/// The definition, and the field where it is one's.
fn words(at: &ModelPath) -> Vec<String> {
    let kebab = |name: &String| names::snake(name).replace('_', "-");
    let definition = at.definition.iter().map(kebab);
    let field = match at.keys.as_slice() {
        [Key::Name(section), Key::Name(field), ..] if section == "fields" => Some(kebab(field)),
        [Key::Name(section), ..] if section == "unique" => Some("unique".to_owned()),
        _ => None,
    };
    definition.chain(field).collect()
}
