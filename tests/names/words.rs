//! The words that are drawn: the lists in `words/`, and what the library and the clients export, read from their
//! sources so that a new export is drawn, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Common nouns: what resources are called.
const NOUNS: &str = include_str!("../../model/src/check/tests/nouns.txt");

/// Common nouns, each once.
pub(crate) fn nouns() -> Vec<String> {
    listed(NOUNS)
}

/// The words that an output could not bear once.
pub(crate) fn found() -> Vec<String> {
    listed(include_str!("words/found.txt"))
}

/// All words, each once.
pub(crate) fn all() -> Vec<String> {
    let lists = [
        include_str!("words/columns.txt"),
        include_str!("words/ecmascript.txt"),
        include_str!("words/found.txt"),
        include_str!("words/interface.txt"),
        include_str!("words/javascript.txt"),
        NOUNS,
        include_str!("words/packages.txt"),
        include_str!("words/postgresql.txt"),
        include_str!("words/rust.txt"),
        include_str!("words/sqlite.txt"),
    ];
    let listed = lists.iter().flat_map(|text| listed(text));
    listed.chain(of_sources()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The words of a list: separated by blanks, without the comments.
pub(crate) fn listed(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// What the library exports, and what the clients export and how their files are called.
fn of_sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = fs::read_to_string(root.join("runtime/src/lib.rs")).expect("the source of the library");
    let mut words: Vec<_> = library.lines().filter(|line| is_export(line)).flat_map(identifiers).collect();
    assert!(words.iter().any(|word| word == "Builder"), "the library exports `Builder`: {words:?}");
    for file in files(&root.join("generator/templates/client")) {
        let text = fs::read_to_string(&file).expect("a template is text");
        words.extend(
            file.file_stem().map(|stem| stem.to_string_lossy().split('.').next().unwrap_or_default().to_owned()),
        );
        words.extend(text.lines().filter(|line| is_declaration(line)).flat_map(declared));
    }
    for known in ["EditMethod", "Problem", "numbers"] {
        assert!(words.iter().any(|word| word == known), "the clients have `{known}`: {words:?}");
    }
    words
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of templates").map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| self::files(folder)));
    files
}

/// A line of the library's root that exports something; lists of several lines are indented.
fn is_export(line: &str) -> bool {
    line.starts_with("pub use ") || line.starts_with("pub mod ") || line.starts_with("    ")
}

/// A line of a template that declares something.
fn is_declaration(line: &str) -> bool {
    const STARTS: [&str; 22] = [
        "export ",
        "pub ",
        "pub(crate) ",
        "macro_rules! ",
        "class ",
        "function ",
        "const ",
        "struct ",
        "enum ",
        "trait ",
        "type ",
        "interface ",
        "async ",
        "fn ",
        "readonly ",
        "get ",
        "static ",
        "import ",
        "use ",
        "mod ",
        "declare ",
        "#",
    ];
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start)) || line.contains('(')
}

/// The name that a line declares: what stands before its value, its type or its parameters.
fn declared(line: &str) -> Vec<String> {
    let end = line.find(['(', '=', ':', '{', '<', ';']).unwrap_or(line.len());
    let is_list = line.trim_start().starts_with("export {") || line.trim_start().starts_with("pub use ");
    if is_list { identifiers(line) } else { identifiers(&line[..end]).pop().into_iter().collect() }
}

fn identifiers(line: &str) -> Vec<String> {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_name = |word: &&str| word.len() > 1 && word.starts_with(|first: char| first.is_ascii_alphabetic());
    words.filter(is_name).map(str::to_owned).collect()
}
