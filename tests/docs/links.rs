//! What holds the pages together: every relative link leads to a file, and to a heading if it names one; every page in
//! `docs/` is reached from another page and from the table of contents, and links to no file outside of the site; no page
//! written by hand is too long to be read.

use crate::page::{pages_in, root};
use libtest_mimic::Failed;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages outside of `docs/` whose links are followed, too.
const OUTSIDE: [&str; 4] = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];
/// The table of contents of the site, which lists all pages. It is not a page, so its links do not count as a way to one.
const CONTENTS: &str = "docs/SUMMARY.md";
/// Lines of a page.
const MAX_LINES: usize = 300;
/// Pages that may be longer, by the beginnings of their paths, with the reason.
const LONG: [(&str, &str); 1] = [("docs/reference/faults/", "written from the catalogue of faults")];

/// A page and what links need of it.
struct Target {
    text: String,
    /// The text without fenced blocks and inline code, line by line.
    prose: String,
    anchors: BTreeSet<String>,
}

impl Target {
    fn of(text: String) -> Result<Self, Failed> {
        Ok(Self { prose: prose(&text)?, anchors: anchors(&text)?, text })
    }
}

/// A link to a file of the repository.
struct Link {
    line: usize,
    /// As the page has it.
    written: String,
    /// From the root of the repository.
    path: PathBuf,
    anchor: Option<String>,
}

/// Looks at every page.
pub(crate) fn check() -> Result<(), Failed> {
    let faults = faults(&pages()?, |path| root().join(path).exists())?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// One page with every fault.
pub(crate) fn check_sample() -> Result<(), Failed> {
    let long = format!("# Long\n[a](missing.md) [b](#nothing) `[c](code.md)`\n{}", "line\n".repeat(MAX_LINES));
    let texts = [
        ("README.md", "# R"),
        (CONTENTS, "[a](a.md)"),
        ("docs/a.md", "# A [b](#b)\n[b](a.md#a-b) [r](../README.md)"),
        ("docs/long.md", long.as_str()),
    ];
    let mut pages = BTreeMap::new();
    for (path, text) in texts {
        pages.insert(PathBuf::from(path), Target::of(text.to_owned())?);
    }
    let found = faults(&pages, |path| pages.contains_key(path))?;
    let expected = [
        "docs/a.md:1: #b: docs/a.md has no heading or anchor `b`",
        "docs/a.md:2: ../README.md: is not on the site",
        "docs/long.md:2: missing.md: there is no docs/missing.md",
        "docs/long.md:2: #nothing: docs/long.md has no heading or anchor `nothing`",
        "docs/a.md: no other page links to it",
        "docs/long.md: no other page links to it",
        "docs/SUMMARY.md does not list docs/long.md",
        "docs/long.md: 302 lines, more than 300",
    ];
    if found == expected { Ok(()) } else { Err(found.join("\n").into()) }
}

fn faults(pages: &BTreeMap<PathBuf, Target>, exists: impl Fn(&Path) -> bool) -> Result<Vec<String>, Failed> {
    let mut faults = Vec::new();
    let mut reached = BTreeSet::new();
    for (path, page) in pages {
        for link in links(path, &page.prose)? {
            let leaves_the_site = path.starts_with("docs") && !link.path.starts_with("docs");
            let fault = fault_of(&link, pages, &exists).or(leaves_the_site.then(|| "is not on the site".to_owned()));
            if let Some(fault) = fault {
                faults.push(format!("{}:{}: {}: {fault}", path.display(), link.line, link.written));
            }
            if link.path != *path && path != Path::new(CONTENTS) {
                reached.insert(link.path);
            }
        }
    }
    let contents = pages.get(Path::new(CONTENTS)).ok_or("there is no docs/SUMMARY.md")?;
    let listed: BTreeSet<_> = links(Path::new(CONTENTS), &contents.prose)?.into_iter().map(|link| link.path).collect();
    for (path, page) in pages.iter().filter(|(path, _)| path.starts_with("docs") && *path != Path::new(CONTENTS)) {
        if !reached.contains(path) {
            faults.push(format!("{}: no other page links to it", path.display()));
        }
        if !listed.contains(path) {
            faults.push(format!("{CONTENTS} does not list {}", path.display()));
        }
        let count = page.text.lines().count();
        let may_be_long = LONG.iter().any(|(begin, _)| path.to_string_lossy().starts_with(begin));
        if count > MAX_LINES && !may_be_long {
            faults.push(format!("{}: {count} lines, more than {MAX_LINES}", path.display()));
        }
    }
    Ok(faults)
}

/// All pages, by their paths from the root of the repository.
fn pages() -> Result<BTreeMap<PathBuf, Target>, Failed> {
    let root = root();
    let mut paths: Vec<PathBuf> = OUTSIDE.iter().map(|page| root.join(page)).collect();
    pages_in(&root.join("docs"), &mut paths);
    let mut pages = BTreeMap::new();
    for path in paths {
        pages.insert(path.strip_prefix(root)?.to_owned(), Target::of(fs::read_to_string(&path)?)?);
    }
    Ok(pages)
}

/// What is wrong with a link.
fn fault_of(link: &Link, pages: &BTreeMap<PathBuf, Target>, exists: impl Fn(&Path) -> bool) -> Option<String> {
    if !exists(&link.path) {
        return Some(format!("there is no {}", link.path.display()));
    }
    let (anchor, page) = (link.anchor.as_ref()?, pages.get(&link.path)?);
    let is_there = page.anchors.contains(anchor);
    (!is_there).then(|| format!("{} has no heading or anchor `{anchor}`", link.path.display()))
}

/// The links of a page to files of the repository.
fn links(page: &Path, prose: &str) -> Result<Vec<Link>, Failed> {
    let target = Regex::new(r"\]\(([^()\s]+)\)")?;
    let elsewhere = Regex::new("^[a-z+]+:")?;
    let mut links = Vec::new();
    for (number, line) in prose.lines().enumerate() {
        for found in target.captures_iter(line).filter(|found| !elsewhere.is_match(&found[1])) {
            let written = found[1].to_owned();
            let (file, anchor) = written.split_once('#').map_or((written.as_str(), None), |(a, b)| (a, Some(b)));
            let path = if file.is_empty() { page.to_owned() } else { beside(page, file) };
            let anchor = anchor.map(str::to_owned);
            links.push(Link { line: number + 1, path, anchor, written });
        }
    }
    Ok(links)
}

/// The path that a page means, without `.` and `..`.
fn beside(page: &Path, file: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(file).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

/// A text with its fenced blocks and inline code left out, in the same lines.
fn prose(text: &str) -> Result<String, Failed> {
    let code = Regex::new(r"``.+?``|`[^`\n]*`")?;
    let lines = without_blocks(text).map(|line| code.replace_all(line, "").into_owned());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The lines of a text, those of fenced blocks being empty.
fn without_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().map(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_fence || is_code { "" } else { line }
    })
}

/// The names of headings as GitHub makes them, and those of `<a id="…">`.
fn anchors(text: &str) -> Result<BTreeSet<String>, Failed> {
    let heading = Regex::new(r"^#{1,6} +(.*)$")?;
    let link = Regex::new(r"\[([^\]]*)\]\([^)]*\)")?;
    let named = Regex::new(r#"<a id="([^"]+)"></a>"#)?;
    let mut anchors: BTreeSet<String> = named.captures_iter(text).map(|found| found[1].to_owned()).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for found in without_blocks(text).filter_map(|line| heading.captures(line)) {
        let slug = slug(&link.replace_all(&found[1], "$1"));
        let count = counts.entry(slug.clone()).or_default();
        anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    Ok(anchors)
}

fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}
