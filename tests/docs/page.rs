//! A page of the documentation: Markdown, of which the fenced blocks matter here.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A page.
pub(crate) struct Page {
    path: PathBuf,
    pub(crate) text: String,
}

/// A fenced block.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The word after the fence's first word, as in `console rebuilt`.
    pub(crate) note: String,
    /// Where its lines are in the page.
    pub(crate) range: Range<usize>,
    /// The number of its first line.
    pub(crate) line: usize,
}

impl Page {
    /// Every page that is written by hand, those of `docs/reference/faults` being made and tested elsewhere.
    pub(crate) fn all() -> Vec<Self> {
        let mut paths = vec![root().join("README.md")];
        pages_in(&root().join("docs"), &mut paths);
        paths.retain(|path| !path.to_string_lossy().contains("docs/reference/faults"));
        paths.sort();
        paths.into_iter().map(Self::read).collect()
    }

    /// The page of this name.
    pub(crate) fn named(name: &str) -> Self {
        let is_meant = |page: &Self| page.name() == name;
        Self::all().into_iter().find(is_meant).unwrap_or_else(|| panic!("there is no page `{name}`"))
    }

    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).expect("a page can be read");
        Self { path, text }
    }

    /// Its path below `docs` without the ending, as in `clients/http`; of the index there `docs/README`.
    pub(crate) fn name(&self) -> String {
        let path = self.path.strip_prefix(root()).unwrap_or(&self.path);
        let below = path.strip_prefix("docs").ok().filter(|below| *below != Path::new("README.md"));
        below.unwrap_or(path).with_extension("").to_string_lossy().into_owned()
    }

    /// The blocks in a language, in their order.
    pub(crate) fn blocks(&self, language: &str) -> impl Iterator<Item = Block> {
        let mut blocks = Vec::new();
        let mut open: Option<(String, usize, usize)> = None;
        let mut at = 0;
        for (number, line) in self.text.split_inclusive('\n').enumerate() {
            let fence = line.trim_end().strip_prefix("```");
            match (open.take(), fence) {
                (None, Some(info)) => open = Some((info.to_owned(), at + line.len(), number + 2)),
                (Some((info, start, line)), Some("")) => {
                    let (word, note) = info.split_once(' ').unwrap_or((&info, ""));
                    if word == language {
                        blocks.push(Block { note: note.to_owned(), range: start..at, line });
                    }
                }
                (still, _) => open = still,
            }
            at += line.len();
        }
        blocks.into_iter()
    }

    /// A place in the page, for messages.
    pub(crate) fn place(&self, line: usize) -> String {
        format!("{}.md:{line}", self.name())
    }

    /// Writes another text.
    pub(crate) fn write(&mut self, text: String) {
        fs::write(&self.path, &text).expect("a page can be written");
        self.text = text;
    }
}

/// Adds the pages of a folder and of those in it.
pub(crate) fn pages_in(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there are docs") {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            pages_in(&path, paths);
        } else if path.extension().is_some_and(|end| end == "md") {
            paths.push(path);
        }
    }
}
