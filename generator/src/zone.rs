//! The generator's zone: whole files that belong to it, with a manifest of their hashes.
//!
//! The manifest tells three things apart that look alike on disk: a file that is out of date (rewritten), one that was
//! edited by hand (refused, nothing is lost), and one that nobody generated (refused, the zones never mix). This is a
//! pure function from what is there and what should be to what is to be done.

use crate::emit::{Generated, ZONE};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// The name of the manifest in the zone.
pub const MANIFEST: &str = "manifest.json";

/// What lies in the zone: contents by path below it, with `/`.
pub type Present = BTreeMap<String, Vec<u8>>;

/// What is to be done with the zone.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What is not as it should be, by path.
    pub changes: Vec<Change>,
    /// The files to write, by path below the zone; the manifest among them.
    pub writes: BTreeMap<String, String>,
    /// The files to delete, by path below the zone.
    pub deletions: Vec<String>,
}

/// A file that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Below the zone.
    pub path: String,
    /// In which way.
    pub state: State,
}

/// In which way a file is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is not there.
    Missing,
    /// The schemas have changed since it was written.
    Stale,
    /// What it was generated from is gone.
    Leftover,
    /// Its contents are not those that were generated.
    Edited,
    /// It was never generated.
    Foreign,
}

impl State {
    /// Whether the generator must not touch the file.
    #[must_use]
    pub const fn is_refused(self) -> bool {
        matches!(self, Self::Edited | Self::Foreign)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Leftover => "leftover",
            Self::Edited => "edited",
            Self::Foreign => "foreign",
        })
    }
}

impl Plan {
    /// The changes that the generator must not make: where there are any, it makes none at all.
    pub fn refused(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.state.is_refused())
    }
}

/// Compares what lies in the zone with what should.
#[must_use]
pub fn plan(files: &[Generated], present: &Present) -> Plan {
    let wanted: BTreeMap<&str, &str> = files.iter().map(|file| (below_zone(&file.path), file.text.as_str())).collect();
    let known = present.get(MANIFEST).map(|text| read_manifest(text)).unwrap_or_default();
    let mut plan = Plan::default();
    for path in wanted.keys().copied().chain(present.keys().map(String::as_str)).collect::<BTreeSet<_>>() {
        let (wanted, present) = (wanted.get(path).copied(), present.get(path));
        if path == MANIFEST || (wanted.is_none() && !known.contains_key(path) && !is_code(path)) {
            continue;
        }
        let Some(state) = state(wanted, present.map(|bytes| hash(bytes)), known.get(path)) else { continue };
        plan.changes.push(Change { path: path.to_owned(), state });
        match wanted {
            Some(text) => drop(plan.writes.insert(path.to_owned(), text.to_owned())),
            None => plan.deletions.push(path.to_owned()),
        }
    }
    let manifest = write_manifest(&wanted);
    if present.get(MANIFEST).is_none_or(|text| hash(text) != hash(manifest.as_bytes())) {
        let state = if present.contains_key(MANIFEST) { State::Stale } else { State::Missing };
        plan.changes.push(Change { path: MANIFEST.to_owned(), state });
        plan.writes.insert(MANIFEST.to_owned(), manifest);
    }
    plan
}

/// What is wrong with a file; `None` where it is as it should be.
fn state(wanted: Option<&str>, present: Option<String>, known: Option<&String>) -> Option<State> {
    let Some(present) = present else { return wanted.map(|_| State::Missing) };
    if wanted.is_some_and(|text| hash(text.as_bytes()) == present) {
        return None;
    }
    Some(match (known, wanted) {
        (None, _) => State::Foreign,
        (Some(known), _) if *known != present => State::Edited,
        (Some(_), Some(_)) => State::Stale,
        (Some(_), None) => State::Leftover,
    })
}

fn below_zone(path: &str) -> &str {
    path.strip_prefix(ZONE).map_or(path, |path| path.trim_start_matches('/'))
}

/// An editor's and a system's own files may lie where they will; code may not.
fn is_code(path: &str) -> bool {
    path.ends_with(".rs")
}

/// SHA-256 in hex; line ends do not count, since version control may change them.
fn hash(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                hasher.update(line);
                hasher.update(b"\n");
            }
            None => hasher.update(line),
        }
    }
    hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
        // writing to a String cannot fail
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The hashes by path. A manifest that cannot be read (half merged, say) knows nothing.
fn read_manifest(text: &[u8]) -> BTreeMap<String, String> {
    serde_json::from_slice(text).unwrap_or_default()
}

fn write_manifest(wanted: &BTreeMap<&str, &str>) -> String {
    let lines: Vec<String> =
        wanted.iter().map(|(path, text)| format!("  {path:?}: \"{}\"", hash(text.as_bytes()))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<Generated> {
        let file = |(path, text): &(&str, &str)| Generated { path: format!("{ZONE}/{path}"), text: (*text).to_owned() };
        texts.iter().map(file).collect()
    }

    /// What lies in the zone after a plan is carried out.
    fn carry_out(plan: &Plan, mut present: Present) -> Present {
        present.extend(plan.writes.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
        present.retain(|path, _| !plan.deletions.contains(path));
        present
    }

    fn states(plan: &Plan) -> Vec<(&str, State)> {
        plan.changes.iter().map(|change| (change.path.as_str(), change.state)).collect()
    }

    fn generated(texts: &[(&str, &str)]) -> Present {
        carry_out(&plan(&files(texts), &Present::new()), Present::new())
    }

    #[test]
    fn a_second_run_has_nothing_to_do() {
        let present = generated(&[("a.rs", "1"), ("b.rs", "2")]);
        assert_eq!(plan(&files(&[("a.rs", "1"), ("b.rs", "2")]), &present), Plan::default());
    }

    #[test]
    fn only_what_changed_is_written_and_what_is_gone_is_deleted() {
        let present = generated(&[("a.rs", "1"), ("b.rs", "2"), ("c.rs", "3")]);
        let plan = plan(&files(&[("a.rs", "1"), ("b.rs", "4")]), &present);
        assert_eq!(states(&plan), [("b.rs", State::Stale), ("c.rs", State::Leftover), (MANIFEST, State::Stale)]);
        assert_eq!(plan.writes.keys().collect::<Vec<_>>(), ["b.rs", MANIFEST]);
        assert_eq!(plan.deletions, ["c.rs"]);
    }

    #[test]
    fn an_edited_file_is_refused_and_a_deleted_one_comes_back() {
        let mut present = generated(&[("a.rs", "1"), ("b.rs", "2")]);
        present.insert("a.rs".to_owned(), b"mine".to_vec());
        present.remove("b.rs");
        let plan = plan(&files(&[("a.rs", "1"), ("b.rs", "2")]), &present);
        assert_eq!(states(&plan), [("a.rs", State::Edited), ("b.rs", State::Missing)]);
        assert_eq!(plan.refused().count(), 1);
    }

    #[test]
    fn an_edit_that_is_what_would_be_generated_is_fine() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert("a.rs".to_owned(), b"2".to_vec());
        assert_eq!(states(&plan(&files(&[("a.rs", "2")]), &present)), [(MANIFEST, State::Stale)]);
    }

    #[test]
    fn code_that_nobody_generated_is_refused_and_other_files_are_let_be() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert("mine.rs".to_owned(), b"fn f() {}".to_vec());
        present.insert(".DS_Store".to_owned(), b"?".to_vec());
        assert_eq!(states(&plan(&files(&[("a.rs", "1")]), &present)), [("mine.rs", State::Foreign)]);
    }

    #[test]
    fn line_ends_that_version_control_changed_are_no_edit() {
        let mut present = generated(&[("a.rs", "1\n2\n")]);
        present.insert("a.rs".to_owned(), b"1\r\n2\r\n".to_vec());
        assert_eq!(plan(&files(&[("a.rs", "1\n2\n")]), &present), Plan::default());
    }

    #[test]
    fn without_a_readable_manifest_nothing_is_overwritten() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert(MANIFEST.to_owned(), b"<<<<<<<".to_vec());
        assert_eq!(plan(&files(&[("a.rs", "2")]), &present).refused().count(), 1);
    }
}
