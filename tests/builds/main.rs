//! What the first builds compile, counted by `cargo tree`: how many crates, none in more versions or with more sets of
//! features than are known; and by `cargo build --unit-graph`: how many units. See docs/contribute/learned.md, "The first run
//! and the tests".

mod units;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The program of `cargo run`.
const PROGRAM: &str = "marketplace";
/// Crates that it is made of at most, with those of this workspace.
const MAX_CRATES: usize = 202;
/// Crates that it has in several versions, with those that ask for the older ones.
const VERSIONS: [(&str, &str); 9] = [
    ("base64", "metrics-exporter-prometheus"),
    ("block-buffer", "argon2"),
    ("cpufeatures", "argon2"),
    ("crypto-common", "argon2"),
    ("digest", "argon2"),
    ("getrandom", "metrics-util, by `rand`"),
    ("hashbrown", "governor"),
    ("rand", "metrics-util"),
    ("rand_core", "argon2, metrics-util"),
];
/// Crates that are compiled once more for tests, with what brings the features that programs go without. What all
/// programs can have stands in `features/Cargo.toml`.
const TWICE: [(&str, &str); 10] = [
    ("futures-channel", "redis, by `sink`"),
    ("futures-util", "futures-macro and futures-io: async-nats, redis"),
    ("hyper-util", "ipnet: reqwest"),
    ("rand", "opentelemetry_sdk, by `small_rng`"),
    ("restwell", "its own features"),
    ("sync_wrapper", "reqwest"),
    ("tower", "reqwest's `retry` and `timeout`"),
    ("tracing", "tracing-attributes: async-nats"),
    ("tracing-subscriber", "tracing-log: restwell's `postgres`"),
    ("zerocopy", "zerocopy-derive: criterion"),
];

/// A line of a tree: how deep it is, and which crate, version and features it has.
struct Line {
    depth: usize,
    name: String,
    version: String,
    features: String,
}

impl Line {
    /// `12|serde v1.0.229|default,std (*)`
    fn of(text: &str) -> Option<Self> {
        let mut parts = text.trim_end_matches(" (*)").split('|');
        let (depth, package) = (parts.next()?.parse().ok()?, parts.next()?);
        let mut words = package.split(' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Self { depth, name, version, features: parts.next()?.to_owned() })
    }
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository")
}

/// What `cargo tree` says from the root of the workspace.
fn tree(options: &[&str]) -> Vec<Line> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--prefix", "depth", "--format", "|{p}|{f}"]).args(options);
    let output = cargo.current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().filter_map(Line::of).collect()
}

/// The crates of the program, as `cargo run` builds it: with the features that the default members need together.
fn program() -> Vec<Line> {
    let lines = tree(&["--edges", "normal,build", "--no-dedupe"]).into_iter();
    let lines = lines.skip_while(|line| line.name != PROGRAM);
    let mut is_root = true;
    lines.take_while(|line| line.depth > 0 || std::mem::take(&mut is_root)).collect()
}

/// The sets of a second value that crates have, by name.
fn sets(lines: &[Line], of: impl Fn(&Line) -> String) -> BTreeMap<&str, BTreeSet<String>> {
    let mut sets: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in lines {
        sets.entry(line.name.as_str()).or_default().insert(of(line));
    }
    sets
}

#[test]
fn the_first_build_has_few_crates() {
    let program = program();
    let crates: BTreeSet<_> = program.iter().map(|line| (&line.name, &line.version)).collect();
    println!("{PROGRAM} is made of {} crates", crates.len());
    assert!(crates.len() > 50 && crates.len() <= MAX_CRATES, "{} crates: {crates:?}", crates.len());

    let versions = sets(&program, |line| line.version.clone());
    let several: Vec<_> = versions.into_iter().filter(|(_, of_one)| of_one.len() > 1).map(|(name, _)| name).collect();
    assert_eq!(several, VERSIONS.map(|(name, _)| name), "crates in several versions");
}

#[test]
fn nothing_is_compiled_twice_for_want_of_a_feature() {
    let program = program();
    // of each version
    let features = |line: &Line| format!("{} {}", line.version, line.features);
    let count = |line: &Line| line.version.clone();
    let versions = sets(&program, count);
    let built = sets(&program, features);
    let twice: Vec<_> = built.iter().filter(|(name, sets)| sets.len() > versions[*name].len()).collect();
    assert!(twice.is_empty(), "macros and programs have these with other features: {twice:#?}");

    let generator = tree(&["--edges", "normal,build", "--no-default-features"]);
    let tests = tree(&["--edges", "normal,build,dev", "--workspace"]);
    for (other, known) in [(generator, &[][..]), (tests, &TWICE[..])] {
        let others = sets(&other, features);
        let differs = |(name, sets): &(&&str, &BTreeSet<String>)| {
            others.get(**name).is_some_and(|others| sets.iter().any(|set| !others.contains(set)))
        };
        let again: Vec<_> = built.iter().filter(differs).map(|(name, _)| *name).collect();
        let known: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        assert_eq!(again, known, "compiled again");
    }
}
