//! The layout of a file: every item is formatted, with a blank line between items.

use super::NotRust;
use syn::{File, Item};

/// Makes sure that what a template gave is Rust, and gives it its form.
pub(crate) fn source(path: &str, rendered: askama::Result<String>) -> Result<String, NotRust> {
    let not_rust = |problem: String| NotRust::new(path, problem);
    let rendered = rendered.map_err(|error| not_rust(error.to_string()))?;
    syn::parse_file(&rendered).map(unparse).map_err(|error| not_rust(error.to_string()))
}

/// Writes a file. Imports and modules have no blank lines between them; all other items have.
fn unparse(file: File) -> String {
    let File { attrs, items, .. } = file;
    let mut text = String::new();
    if !attrs.is_empty() {
        text = "\n".to_owned() + &chunk(&File { shebang: None, frontmatter: None, attrs, items: Vec::new() });
    }
    let mut before = None;
    for item in items {
        let group = Group::of(&item);
        if group == Group::Alone || before != Some(group) {
            text.push('\n');
        }
        before = Some(group);
        text.push_str(&chunk(&File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] }));
    }
    text
}

/// Items without a blank line between them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Imports,
    Modules,
    Alone,
}

impl Group {
    fn of(item: &Item) -> Self {
        match item {
            Item::Use(_) => Self::Imports,
            Item::Mod(_) => Self::Modules,
            _ => Self::Alone,
        }
    }
}

/// The formatter breaks every list of an attribute that does not fit its line, short ones in brackets as well: those
/// are put back together.
fn chunk(file: &File) -> String {
    let mut text = String::new();
    let mut is_open = false;
    for line in prettyplease::unparse(file).lines() {
        if is_open {
            text.push(' ');
            text.push_str(line.trim_start());
        } else {
            text.push_str(line);
        }
        let is_list =
            ["access = [", "visible = [", "writable = ["].iter().any(|list| line.trim_start().starts_with(list));
        is_open = (is_open || is_list) && !line.contains(']');
        if !is_open {
            text.push('\n');
        }
    }
    text
}
