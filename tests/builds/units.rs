//! What the first commands compile, unit by unit: a library, a program, a build script or a test, with one set of features.
//! Cargo says it without compiling anything (`--unit-graph`, an option that the toolchain of this repository has, though
//! it is not stable).

use super::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::Command;

/// The commands, in order, with the units that each of them compiles at most after those before it.
const COMMANDS: [(&str, &[&str], usize); 3] = [
    ("cargo run", &["build", "--bin", "marketplace"], 217),
    ("cargo restwell", &["build", "--no-default-features", "--bin", "restwell"], 14),
    ("cargo test --workspace", &["test", "--workspace", "--no-run"], 277),
];
/// Libraries that are compiled a second time at most: those of `TWICE`, and those above them.
const MAX_TWICE: usize = 27;
/// Programs of tests: each is linked with the whole library, and takes most of its place on the disk.
const MAX_TEST_PROGRAMS: usize = 28;

/// A unit: what it is, and the number that equal units share.
struct Unit {
    package: String,
    is_library: bool,
    is_test: bool,
    number: usize,
}

/// Numbers of units: equal ones have equal packages, targets, profiles, features and dependencies.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    /// The number of a unit of a graph, after those of its dependencies.
    fn of(&mut self, units: &[Value], index: usize, known: &mut BTreeMap<usize, usize>) -> usize {
        if let Some(number) = known.get(&index) {
            return *number;
        }
        let unit = &units[index];
        let dependencies = unit["dependencies"].as_array().into_iter().flatten();
        let dependencies: BTreeSet<_> = dependencies
            .filter_map(|dependency| usize::try_from(dependency["index"].as_u64()?).ok())
            .map(|dependency| self.of(units, dependency, known))
            .collect();
        let mut profile = unit["profile"].clone();
        profile["name"].take();
        let (target, features) = (&unit["target"], &unit["features"]);
        let key = format!(
            "{} {} {} {profile} {} {} {features} {dependencies:?}",
            unit["pkg_id"], target["name"], target["kind"], unit["platform"], unit["mode"]
        );
        let next = self.0.len();
        let number = *self.0.entry(key).or_insert(next);
        known.insert(index, number);
        number
    }
}

/// The units that a command compiles.
fn units(arguments: &[&str], numbers: &mut Numbers) -> Vec<Unit> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).args(["--offline", "--locked", "--unit-graph", "-Z", "unstable-options"]);
    let output = cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let graph: Value = serde_json::from_slice(&output.stdout).expect("a graph is JSON");
    let units = graph["units"].as_array().expect("a graph has units");
    let mut known = BTreeMap::new();
    let mut read = |index: usize| {
        let unit = &units[index];
        let (mode, kind) = (&unit["mode"], &unit["target"]["kind"][0]);
        let package = unit["pkg_id"].as_str().and_then(|id| id.rsplit('/').next()).unwrap_or_default().to_owned();
        let is_library = mode == "build" && (kind == "lib" || kind == "proc-macro");
        (mode == "build" || mode == "test").then(|| Unit {
            package,
            is_library,
            is_test: mode == "test",
            number: numbers.of(units, index, &mut known),
        })
    };
    (0..units.len()).filter_map(&mut read).collect()
}

/// Nothing is compiled a third time, few libraries a second time, and no command compiles more than it did.
#[test]
fn the_first_commands_compile_what_is_known() {
    let (mut numbers, mut built) = (Numbers::default(), BTreeSet::new());
    let mut libraries: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (command, arguments, most) in COMMANDS {
        let units = units(arguments, &mut numbers);
        let before = built.len();
        built.extend(units.iter().map(|unit| unit.number));
        let (new, tests) = (built.len() - before, units.iter().filter(|unit| unit.is_test).count());
        println!("{command}: {new} units, {tests} programs of tests");
        assert!(new <= most, "{command} compiles {new} units, and at most {most} are known");
        assert!(tests <= MAX_TEST_PROGRAMS, "{tests} programs of tests, and at most {MAX_TEST_PROGRAMS} are known");
        for unit in units.into_iter().filter(|unit| unit.is_library) {
            libraries.entry(unit.package).or_default().insert(unit.number);
        }
    }
    let times = |most: usize| libraries.iter().filter(move |(_, units)| units.len() > most).map(|(name, _)| name);
    let thrice: Vec<_> = times(2).collect();
    assert!(thrice.is_empty(), "compiled a third time: {thrice:?}");
    let twice: Vec<_> = times(1).collect();
    println!("{} libraries are compiled twice", twice.len());
    assert!(twice.len() <= MAX_TWICE, "{} are compiled twice: {twice:?}", twice.len());
}
