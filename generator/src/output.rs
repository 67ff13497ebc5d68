//! The output folder: files that only the generator writes, with a manifest of their hashes.
//!
//! The manifest distinguishes three states: a file is out of date (it is rewritten), was edited by hand (refused, so
//! that no edit is lost), or was never generated (refused, because hand-written files do not belong there). This module
//! is a pure function from the existing and the expected files to a plan.

use crate::emit::{Generated, OUTPUT_FOLDER};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// The name of the manifest in the output folder.
pub const MANIFEST: &str = "manifest.json";

/// The existing files: their contents by path relative to the folder, with `/`.
pub type ExistingFiles = BTreeMap<String, Vec<u8>>;

/// The changes to the output folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OutputPlan {
    /// The files that are not up to date, by path.
    pub changes: Vec<FileChange>,
    /// The files to write, by path relative to the folder, with the manifest.
    pub writes: BTreeMap<String, String>,
    /// The files to delete, by path relative to the folder.
    pub deletions: Vec<String>,
}

/// A file that is not up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The path relative to the folder.
    pub path: String,
    /// How it differs.
    pub state: FileState,
}

/// How a file differs from the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// The file does not exist.
    Missing,
    /// The schemas have changed since it was written.
    Stale,
    /// The definition that it was generated from was removed.
    Leftover,
    /// The file was edited after it was generated.
    Edited,
    /// The generator never wrote the file.
    Foreign,
}

impl FileState {
    /// Whether the generator must not touch the file.
    #[must_use]
    pub const fn is_refused(self) -> bool {
        matches!(self, Self::Edited | Self::Foreign)
    }
}

impl fmt::Display for FileState {
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

impl OutputPlan {
    /// The changes that the generator must not make. If there are any, it makes no change at all.
    pub fn refused(&self) -> impl Iterator<Item = &FileChange> {
        self.changes.iter().filter(|change| change.state.is_refused())
    }
}

/// Compares the existing files with the expected ones.
#[must_use]
pub fn plan(files: &[Generated], present: &ExistingFiles) -> OutputPlan {
    let wanted: BTreeMap<&str, WantedFile<'_>> =
        files.iter().map(|file| (below_output(&file.path), WantedFile::of(&file.text))).collect();
    let known = present.get(MANIFEST).map(|text| read_manifest(text)).unwrap_or_default();
    let mut plan = OutputPlan::default();
    for path in wanted.keys().copied().chain(present.keys().map(String::as_str)).collect::<BTreeSet<_>>() {
        let (wanted, present) = (wanted.get(path), present.get(path).map(Vec::as_slice));
        if path == MANIFEST || (wanted.is_none() && !known.contains_key(path) && !is_code(path)) {
            continue;
        }
        let Some(state) = state(wanted, present, known.get(path)) else { continue };
        plan.changes.push(FileChange { path: path.to_owned(), state });
        match wanted {
            Some(file) => drop(plan.writes.insert(path.to_owned(), file.text.to_owned())),
            None => plan.deletions.push(path.to_owned()),
        }
    }
    let manifest = write_manifest(&wanted);
    if present.get(MANIFEST).is_none_or(|text| hash(text) != hash(manifest.as_bytes())) {
        let state = if present.contains_key(MANIFEST) { FileState::Stale } else { FileState::Missing };
        plan.changes.push(FileChange { path: MANIFEST.to_owned(), state });
        plan.writes.insert(MANIFEST.to_owned(), manifest);
    }
    plan
}

/// An expected file.
struct WantedFile<'a> {
    text: &'a str,
    hash: String,
}

impl<'a> WantedFile<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, hash: hash(text.as_bytes()) }
    }
}

/// How a file differs; `None` if it is up to date.
fn state(wanted: Option<&WantedFile<'_>>, present: Option<&[u8]>, known: Option<&String>) -> Option<FileState> {
    let Some(present) = present else { return wanted.map(|_| FileState::Missing) };
    if wanted.is_some_and(|file| file.text.as_bytes() == present) {
        return None;
    }
    let present = hash(present);
    if wanted.is_some_and(|file| file.hash == present) {
        return None;
    }
    Some(match (known, wanted) {
        (None, _) => FileState::Foreign,
        (Some(known), _) if *known != present => FileState::Edited,
        (Some(_), Some(_)) => FileState::Stale,
        (Some(_), None) => FileState::Leftover,
    })
}

fn below_output(path: &str) -> &str {
    path.strip_prefix(OUTPUT_FOLDER).map_or(path, |path| path.trim_start_matches('/'))
}

/// Files of editors and of the system are ignored; code that the generator did not write is refused.
fn is_code(path: &str) -> bool {
    [".rs", ".js", ".ts"].iter().any(|ending| path.ends_with(ending))
}

/// SHA-256 in hex. Line ends are normalized, because version control may change them.
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

/// The hashes by path. A manifest that cannot be read (for example after a failed merge) is treated as empty.
fn read_manifest(text: &[u8]) -> BTreeMap<String, String> {
    serde_json::from_slice(text).unwrap_or_default()
}

fn write_manifest(wanted: &BTreeMap<&str, WantedFile<'_>>) -> String {
    let lines: Vec<String> = wanted.iter().map(|(path, file)| format!("  {path:?}: \"{}\"", file.hash)).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Vec<Generated> {
        let file = |(path, text): &(&str, &str)| Generated {
            path: format!("{OUTPUT_FOLDER}/{path}"),
            text: (*text).to_owned(),
        };
        texts.iter().map(file).collect()
    }

    /// The files after a plan was carried out.
    fn carry_out(plan: &OutputPlan, mut present: ExistingFiles) -> ExistingFiles {
        present.extend(plan.writes.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
        present.retain(|path, _| !plan.deletions.contains(path));
        present
    }

    fn states(plan: &OutputPlan) -> Vec<(&str, FileState)> {
        plan.changes.iter().map(|change| (change.path.as_str(), change.state)).collect()
    }

    fn generated(texts: &[(&str, &str)]) -> ExistingFiles {
        carry_out(&plan(&files(texts), &ExistingFiles::new()), ExistingFiles::new())
    }

    #[test]
    fn a_second_run_has_nothing_to_do() {
        let present = generated(&[("a.rs", "1"), ("b.rs", "2")]);
        assert_eq!(plan(&files(&[("a.rs", "1"), ("b.rs", "2")]), &present), OutputPlan::default());
    }

    #[test]
    fn only_what_changed_is_written_and_what_is_gone_is_deleted() {
        let present = generated(&[("a.rs", "1"), ("b.rs", "2"), ("c.rs", "3")]);
        let plan = plan(&files(&[("a.rs", "1"), ("b.rs", "4")]), &present);
        assert_eq!(
            states(&plan),
            [("b.rs", FileState::Stale), ("c.rs", FileState::Leftover), (MANIFEST, FileState::Stale)]
        );
        assert_eq!(plan.writes.keys().collect::<Vec<_>>(), ["b.rs", MANIFEST]);
        assert_eq!(plan.deletions, ["c.rs"]);
    }

    #[test]
    fn an_edited_file_is_refused_and_a_deleted_one_comes_back() {
        let mut present = generated(&[("a.rs", "1"), ("b.rs", "2")]);
        present.insert("a.rs".to_owned(), b"mine".to_vec());
        present.remove("b.rs");
        let plan = plan(&files(&[("a.rs", "1"), ("b.rs", "2")]), &present);
        assert_eq!(states(&plan), [("a.rs", FileState::Edited), ("b.rs", FileState::Missing)]);
        assert_eq!(plan.refused().count(), 1);
    }

    #[test]
    fn an_edit_that_is_what_would_be_generated_is_fine() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert("a.rs".to_owned(), b"2".to_vec());
        assert_eq!(states(&plan(&files(&[("a.rs", "2")]), &present)), [(MANIFEST, FileState::Stale)]);
    }

    #[test]
    fn hand_written_code_is_not_overwritten_and_other_files_are_kept() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert("mine.rs".to_owned(), b"fn f() {}".to_vec());
        present.insert(".DS_Store".to_owned(), b"?".to_vec());
        assert_eq!(states(&plan(&files(&[("a.rs", "1")]), &present)), [("mine.rs", FileState::Foreign)]);
    }

    #[test]
    fn line_ends_that_version_control_changed_are_no_edit() {
        let mut present = generated(&[("a.rs", "1\n2\n")]);
        present.insert("a.rs".to_owned(), b"1\r\n2\r\n".to_vec());
        assert_eq!(plan(&files(&[("a.rs", "1\n2\n")]), &present), OutputPlan::default());
    }

    #[test]
    fn without_a_readable_manifest_nothing_is_overwritten() {
        let mut present = generated(&[("a.rs", "1")]);
        present.insert(MANIFEST.to_owned(), b"<<<<<<<".to_vec());
        assert_eq!(plan(&files(&[("a.rs", "2")]), &present).refused().count(), 1);
    }
}
