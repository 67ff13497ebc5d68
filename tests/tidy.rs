//! What people forget: rules about the sources themselves. Each rule is a function from a file to its faults, and has a
//! sample that it finds a fault in.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates whose sources are read.
const CRATES: [&str; 6] = ["model", "macros", "generator", "runtime", "testkit", "fuzz"];
/// The longest line, in characters.
const MAX_COLUMNS: usize = 120;

/// Type names that a crate may define twice, with the reason.
const SAME_NAME: [(&str, &str, &str); 2] = [
    (
        "model",
        "Search",
        "the `search` key of a resource, and the body of a search: `resource::Search`, `input::Search`",
    ),
    ("runtime", "Query", "what a team writes, and what it compiles to: `typed::Query`, `plan::query::Query`"),
];

/// Phrases that users have to decode. `docs/` and comments are read by people; these are searched in string literals.
const RIDDLES: &str = r"(?i)\b(is another|where nobody says|(is|are) told|so many|whoever|of no use|what is left of|anew|as it is)\b|(\bit|`[^`]*`|\{[^}]*\}) is no(ne)?\b";

/// A source file: its path from the root of the repository, and its text without the tests at its end.
struct Source {
    path: String,
    text: String,
}

fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    let (mut found, mut folders) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let path = entry.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
                found.push(Source { path, text: fs::read_to_string(&entry).expect("a text") });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn all_sources() -> Vec<Source> {
    CRATES.iter().flat_map(|name| sources(&format!("{name}/src"))).collect()
}

/// The text before the tests of a file; not cut at `mod tests;`, which stands among the first lines.
fn without_tests(text: &str) -> &str {
    text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code)
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// The body of a module in a program without its feature: its types have the names of those in the other body.
fn is_stand_in(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with("without_"))
}

#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn head_faults(source: &Source) -> Vec<String> {
    let opens = source.text.starts_with("//!");
    if opens { Vec::new() } else { vec![format!("{} does not open with `//!`", source.path)] }
}

#[test]
fn every_file_says_what_it_is() {
    assert_none(&all_sources().iter().flat_map(head_faults).collect::<Vec<_>>());
    let sample = Source { path: "a.rs".to_owned(), text: "use b::C;\n".to_owned() };
    assert_eq!(head_faults(&sample).len(), 1);
}

fn width_faults(source: &Source) -> Vec<String> {
    let is_long = |line: &&str| line.chars().count() > MAX_COLUMNS;
    let lines = source.text.lines().enumerate().filter(|(_, line)| is_long(line));
    // `rustfmt` looks after code; the rows of a table cannot be broken
    let is_prose = |line: &str| line.trim_start().starts_with("//") && !line.contains("/ |");
    let lines = lines.filter(|(_, line)| is_prose(line));
    lines.map(|(number, _)| format!("{}:{}: more than {MAX_COLUMNS} columns", source.path, number + 1)).collect()
}

#[test]
fn comments_fit_the_line() {
    assert_none(&all_sources().iter().flat_map(width_faults).collect::<Vec<_>>());
    let sample = Source { path: "a.rs".to_owned(), text: format!("// {}\n", "a".repeat(MAX_COLUMNS)) };
    assert_eq!(width_faults(&sample).len(), 1);
}

/// The types, and the files that define them.
fn type_names(sources: &[Source]) -> BTreeMap<String, Vec<&str>> {
    let definition =
        Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union|type) (\w+)").expect("a pattern");
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !is_test(&source.path) && !is_stand_in(&source.path)) {
        for found in definition.captures_iter(without_tests(&source.text)) {
            places.entry(found[1].to_owned()).or_default().push(&source.path);
        }
    }
    places
}

fn name_faults(name: &str, sources: &[Source]) -> Vec<String> {
    let places = type_names(sources);
    let is_allowed = |ty: &str| SAME_NAME.iter().any(|(of, allowed, _)| (*of, *allowed) == (name, ty));
    let twice = places.into_iter().filter(|(ty, places)| places.len() > 1 && !is_allowed(ty));
    twice.map(|(ty, places)| format!("{name} defines `{ty}` in {}", places.join(", "))).collect()
}

#[test]
fn a_type_name_is_unique_in_its_crate() {
    let faults = CRATES.iter().flat_map(|name| name_faults(name, &sources(&format!("{name}/src"))));
    assert_none(&faults.collect::<Vec<_>>());
    let sample = |path: &str| Source { path: path.to_owned(), text: "pub(crate) struct Place;\n".to_owned() };
    assert_eq!(name_faults("runtime", &[sample("a.rs"), sample("b.rs")]).len(), 1);
    let tested = Source { path: "c.rs".to_owned(), text: "#[cfg(test)]\nmod tests;\n\nstruct Place;\n".to_owned() };
    assert_eq!(name_faults("runtime", &[sample("a.rs"), tested]).len(), 1, "a file with its tests in another one");
}

/// At most 5 % of the types of all crates have the name of another one.
#[test]
fn shared_names_are_few() {
    let defined = |name: &&str| type_names(&sources(&format!("{name}/src"))).values().map(Vec::len).sum::<usize>();
    let all: usize = CRATES.iter().map(defined).sum();
    let shared = 2 * SAME_NAME.len();
    println!("{shared} of {all} types share a name within their crate: {:.1} %", 100.0 * shared as f64 / all as f64);
    assert!(20 * shared <= all, "{shared} of {all}");
}

/// The modules of a crate that each of them imports.
fn imports(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let path = Regex::new(r"\bcrate::(\w+)").expect("a pattern");
    let group = Regex::new(r"\bcrate::\{([^;]*)\};").expect("a pattern");
    let name = Regex::new(r"(?:^|,)\s*(\w+)").expect("a pattern");
    let comment = Regex::new(r"//.*").expect("a pattern");
    let braces = Regex::new(r"\{[^{}]*\}").expect("a pattern");
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !is_test(&source.path)) {
        let Some((_, inner)) = source.path.split_once("/src/") else { continue };
        let module = inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs").to_owned();
        let code = comment.replace_all(without_tests(&source.text), "").into_owned();
        let single = path.captures_iter(&code).map(|found| found[1].to_owned());
        let grouped = group.captures_iter(&code).flat_map(|found| {
            // what stands inside inner braces belongs to the module before them
            let flat = braces.replace_all(&found[1], "").into_owned();
            name.captures_iter(&flat).map(|found| found[1].to_owned()).collect::<Vec<_>>()
        });
        let imported: BTreeSet<_> = single.chain(grouped).filter(|other| *other != module).collect();
        imports.entry(module).or_default().extend(imported);
    }
    imports.remove("lib");
    imports
}

/// Modules that import each other, directly or through others.
fn cycle_faults(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reached = |from: &str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(module) = next.pop() {
            for other in imports.get(&module).into_iter().flatten() {
                if seen.insert(other.clone()) {
                    next.push(other.clone());
                }
            }
        }
        seen
    };
    let in_cycle = imports.keys().filter(|module| reached(module).contains(*module));
    in_cycle.map(|module| format!("`{module}` imports itself through others")).collect()
}

#[test]
fn the_modules_of_the_runtime_have_no_cycle() {
    let found = imports(&sources("runtime/src"));
    assert!(found.len() > 10 && found["serve"].contains("store"), "the imports are read: {found:?}");
    assert_none(&cycle_faults(&found));
    let sample = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let circle = [
        sample("runtime/src/serve/mod.rs", "use crate::{clock, store::{Store, Step}};"),
        sample("runtime/src/store.rs", "use crate::serve::edge::Trace;"),
    ];
    assert_eq!(cycle_faults(&imports(&circle)).len(), 2);
}

fn riddle_faults(source: &Source) -> Vec<String> {
    let riddles = Regex::new(RIDDLES).expect("a pattern");
    let literal = Regex::new(r#""((?:[^"\\]|\\.)*)""#).expect("a pattern");
    let code = without_tests(&source.text).lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let literals = code.flat_map(|(number, line)| {
        literal.captures_iter(line).map(move |found| (number, found[1].to_owned())).collect::<Vec<_>>()
    });
    let riddles = literals.filter(|(_, text)| riddles.is_match(text));
    riddles.map(|(number, text)| format!("{}:{}: {text}", source.path, number + 1)).collect()
}

#[test]
fn messages_are_plain() {
    let all = all_sources();
    assert_none(&all.iter().filter(|source| !is_test(&source.path)).flat_map(riddle_faults).collect::<Vec<_>>());
    for riddle in ["`{name}` is no filter", "`Offer.seller.onDelete` is another", "where nobody says, 60 s"] {
        let sample = Source { path: "a.rs".to_owned(), text: format!("//! A.\nlet a = \"{riddle}\";\n") };
        assert_eq!(riddle_faults(&sample).len(), 1, "{riddle}");
    }
}

/// Lines of a module of the page.
const MAX_MODULE_LINES: usize = 300;

fn page_faults(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    let long = (lines > MAX_MODULE_LINES).then(|| format!("{} has {lines} lines", source.path));
    let wide = source.text.lines().enumerate().filter(|(_, line)| line.chars().count() > MAX_COLUMNS);
    let wide = wide.map(|(number, _)| format!("{}:{}: more than {MAX_COLUMNS} columns", source.path, number + 1));
    let opens = source.text.starts_with("/*");
    let silent = (!opens).then(|| format!("{} does not open with a comment", source.path));
    long.into_iter().chain(wide).chain(silent).collect()
}

#[test]
fn the_modules_of_the_page_are_short_and_say_what_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    let files = fs::read_dir(root.join("runtime/page")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_ours = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "js" || end == "css");
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        Source { path: path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned(), text }
    };
    let sources: Vec<_> = files.filter(is_ours).map(read).collect();
    assert!(sources.len() > 20, "the page is read");
    assert_none(&sources.iter().flat_map(page_faults).collect::<Vec<_>>());
    let sample = Source { path: "a.js".to_owned(), text: format!("{}\n", "x".repeat(121)).repeat(301) };
    assert_eq!(page_faults(&sample).len(), 1 + 301 + 1);
}

/// The lines of `sqlite-only.txt` that name no test of `tests/process`: a renamed test would run again.
fn skip_faults(list: &str, modules: &BTreeMap<String, String>) -> Vec<String> {
    let names = list.lines().filter_map(|line| line.split(" #").next()).map(str::trim).filter(|name| !name.is_empty());
    let is_there = |name: &str| match name.split_once("::") {
        Some((module, "")) => modules.contains_key(module),
        Some((module, test)) => modules.get(module).is_some_and(|text| text.contains(&format!("\nfn {test}("))),
        None => false,
    };
    names.filter(|name| !name.starts_with('#') && !is_there(name)).map(|name| format!("no test `{name}`")).collect()
}

#[test]
fn tests_that_are_skipped_exist() {
    let modules: BTreeMap<_, _> = sources("tests/process")
        .into_iter()
        .map(|source| {
            let name = Path::new(&source.path).file_stem().map(|name| name.to_string_lossy().into_owned());
            (name.unwrap_or_default(), source.text)
        })
        .collect();
    let list = include_str!("sqlite-only.txt");
    assert_none(&skip_faults(list, &modules));
    assert_eq!(skip_faults("check::of_another_name # gone\nnobody::\n", &modules).len(), 2);
}

/// Files that an attribute names for a module, and that are not there: a build with other features would miss them.
fn stand_in_faults(source: &Source, root: &Path) -> Vec<String> {
    let attribute = Regex::new(r#"#\[(?:cfg_attr\(.*, )?path = "([^"]+)"\)?\]"#).expect("a pattern");
    let folder = root.join(&source.path).parent().map(Path::to_owned).unwrap_or_default();
    let named = attribute.captures_iter(&source.text).map(|found| found[1].to_owned());
    let missing = named.filter(|name| !folder.join(name).is_file());
    missing.map(|name| format!("{} names `{name}`, which does not exist", source.path)).collect()
}

#[test]
fn modules_of_every_set_of_features_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    let all = all_sources();
    let named = all.iter().filter(|source| source.text.contains("path = \"without_")).count();
    assert!(named > 3, "the attributes are read");
    assert_none(&all.iter().flat_map(|source| stand_in_faults(source, root)).collect::<Vec<_>>());
    let sample = |text: &str| Source { path: "model/src/a.rs".to_owned(), text: text.to_owned() };
    for text in ["#[path = \"without_b.rs\"]", "#[cfg_attr(not(feature = \"b\"), path = \"without_b.rs\")]"] {
        assert_eq!(stand_in_faults(&sample(text), root).len(), 1, "{text}");
    }
}

/// Tests in a library whose manifest says that it has none (`test = false`): they would never run.
fn idle_test_faults(manifest: &str, sources: &[Source]) -> Vec<String> {
    let is_untested = |section: &str| section.starts_with("lib]") && section.contains("\ntest = false");
    let has_tests = |source: &&Source| source.text.contains("#[test]") || source.text.contains("#[tokio::test]");
    let idle = sources.iter().filter(has_tests).map(|source| format!("the tests of {} never run", source.path));
    if manifest.split("\n[").any(is_untested) { idle.collect() } else { Vec::new() }
}

#[test]
fn libraries_that_are_not_tested_have_no_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    let manifest = |folder: &str| fs::read_to_string(root.join(folder).join("Cargo.toml")).expect("a manifest");
    let others = ["features", "generated-example", "generated-example/clients/rust", "macros/misuse", "tests"];
    let faults = |folder: &&str| idle_test_faults(&manifest(folder), &sources(&format!("{folder}/src")));
    assert_none(&CRATES.iter().chain(&others).flat_map(faults).collect::<Vec<_>>());
    let sample = [Source { path: "a.rs".to_owned(), text: "#[test]\nfn a() {}\n".to_owned() }];
    assert_eq!(idle_test_faults("[package]\n\n[lib]\ntest = false\n", &sample).len(), 1);
    assert_eq!(idle_test_faults("[package]\n\n[[bin]]\ntest = false\n", &sample).len(), 0);
}

/// The programs of tests of a package, by the files that cargo finds them in.
fn test_programs(package: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("a manifest");
    if manifest.contains("[[test]]") {
        let named = manifest.split("[[test]]\nname = \"").skip(1);
        return named.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect();
    }
    let Ok(entries) = fs::read_dir(package.join("tests")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let are_programs =
        paths.filter(|path| path.extension().is_some_and(|it| it == "rs") || path.join("main.rs").is_file());
    are_programs.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

#[test]
fn every_program_of_tests_runs_in_a_part_of_ci() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    let script = fs::read_to_string(root.join(".ci/run")).expect("the script");
    let packages = CRATES.iter().chain(&["macros/misuse", "generated-example", "tests"]);
    let programs: BTreeSet<String> = packages.flat_map(|package| test_programs(&root.join(package))).collect();
    assert!(programs.len() > 20, "{programs:?}");
    let missing: Vec<_> = programs.iter().filter(|name| !script.contains(&format!("--test {name}"))).cloned().collect();
    assert_none(&missing);
}
