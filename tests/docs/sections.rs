//! What code and pages cite: each `§` is an anchor of `docs/reference/conventions.md`, each topic of the decisions a heading of
//! `docs/reference/decisions.md`.

use crate::page::root;
use libtest_mimic::Failed;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Folders that cite.
const CITING: [&str; 9] =
    ["docs", "generated-example", "generator", "macros", "model", "runtime", "schemas", "testkit", "tests"];
/// Kinds of files that do.
const KINDS: [&str; 4] = ["rs", "md", "yaml", "ftl"];

/// Looks at every citation.
pub(crate) fn check() -> Result<(), Failed> {
    let root = root();
    let conventions = fs::read_to_string(root.join("docs/reference/conventions.md"))?;
    let decisions = fs::read_to_string(root.join("docs/reference/decisions.md"))?;
    let anchor = Regex::new(r#"<a id="([0-9.]+)"></a>"#)?;
    let heading = Regex::new(r"(?m)^## (.+)$")?;
    let anchors: BTreeSet<_> = anchor.captures_iter(&conventions).map(|found| found[1].to_owned()).collect();
    let headings: BTreeSet<_> = heading.captures_iter(&decisions).map(|found| found[1].to_owned()).collect();
    let mut citations = Citations { anchors, headings, section: section()?, topic: topic()?, faults: Vec::new() };
    for folder in CITING {
        citations.look_in(root, &root.join(folder))?;
    }
    for page in ["ARCHITECTURE.md", "README.md", "CHANGELOG.md"] {
        citations.look_at(root, &root.join(page))?;
    }
    if citations.faults.is_empty() { Ok(()) } else { Err(citations.faults.join("\n").into()) }
}

/// A section of the conventions; other specifications are named before theirs.
fn section() -> Result<Regex, Failed> {
    Ok(Regex::new(r"((?:RFC|YAML) [0-9.]+[^§\n]{0,12})?§ ?([0-9]+(?:\.[0-9]+)*)")?)
}

/// A topic of the decisions.
fn topic() -> Result<Regex, Failed> {
    Ok(Regex::new(r#"[Dd]ecisions?,? (?:[a-z]+ )?"([A-Z][^"\n]+)""#)?)
}

struct Citations {
    anchors: BTreeSet<String>,
    headings: BTreeSet<String>,
    section: Regex,
    topic: Regex,
    faults: Vec<String>,
}

impl Citations {
    fn look_in(&mut self, root: &Path, folder: &Path) -> Result<(), Failed> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.look_in(root, &path)?;
            } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
                self.look_at(root, &path)?;
            }
        }
        Ok(())
    }

    fn look_at(&mut self, root: &Path, path: &Path) -> Result<(), Failed> {
        // some cases of the generator are no UTF-8 on purpose
        let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        let shown = path.strip_prefix(root)?.display();
        for found in self.section.captures_iter(&text) {
            if found.get(1).is_none() && !self.anchors.contains(&found[2]) {
                self.faults.push(format!("{shown}: §{} is not in docs/reference/conventions.md", &found[2]));
            }
        }
        for found in self.topic.captures_iter(&text) {
            if !self.headings.contains(&found[1]) {
                self.faults.push(format!("{shown}: `{}` is not a heading of docs/reference/decisions.md", &found[1]));
            }
        }
        Ok(())
    }
}
