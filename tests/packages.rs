//! The crates that are published, as cargo packages them: what a registry shows of them is there, and nothing that they
//! are compiled of stays behind. See docs/contribute/releases.md.

use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output};

/// The crates that are published.
const PUBLISHED: [&str; 4] = ["restwell", "restwell-generator", "restwell-macros", "restwell-model"];
/// What a registry shows of a crate, or searches it by.
const METADATA: [&str; 7] =
    ["description", "license", "readme", "documentation", "rust_version", "keywords", "categories"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository")
}

/// The packages of the workspace that a registry may have.
fn published() -> Vec<Value> {
    let output = cargo(&["metadata", "--no-deps", "--format-version=1"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = found["packages"].as_array().expect("packages").iter();
    packages.filter(|package| package["publish"].is_null()).cloned().collect()
}

fn cargo(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO")).arg("--offline").args(arguments).current_dir(root()).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn metadata_faults(package: &Value) -> Vec<String> {
    let is_empty = |value: &Value| value.is_null() || *value == "" || value.as_array().is_some_and(Vec::is_empty);
    let missing = METADATA.iter().filter(|key| is_empty(&package[**key]));
    let has_file = |name: &str| folder(package).join(name).is_file();
    let texts = ["LICENSE-MIT", "LICENSE-APACHE"].into_iter().filter(|name| !has_file(name));
    missing.copied().chain(texts).map(|key| format!("{} has no `{key}`", package["name"])).collect()
}

fn folder(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().expect("a manifest"));
    manifest.parent().expect("a folder").to_owned()
}

#[test]
fn published_crates_have_complete_metadata() {
    let published = published();
    let names: BTreeSet<_> = published.iter().filter_map(|package| package["name"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(PUBLISHED));
    assert_none(&published.iter().flat_map(metadata_faults).collect::<Vec<_>>());
    let mut sample = published[0].clone();
    (sample["license"], sample["keywords"]) = (Value::Null, json!([]));
    assert_eq!(metadata_faults(&sample).len(), 2);
}

/// They are not compiled once more here, which takes minutes: the release checklist says when.
#[test]
fn cargo_packages_every_published_crate() {
    let target = tempfile::tempdir().expect("a folder");
    let target_dir = target.path().display().to_string();
    let mut arguments = vec!["package", "--no-verify", "--allow-dirty", "--target-dir", &target_dir];
    arguments.extend(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let output = cargo(&arguments);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(!printed.contains("warning"), "{printed}");
    let packages = fs::read_dir(target.path().join("package")).expect("a folder");
    let files = packages.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    assert_eq!(files.filter(|name| name.ends_with(".crate")).count(), PUBLISHED.len(), "{printed}");
}

/// The files of a package, relative to its folder.
fn packaged(name: &str) -> BTreeSet<String> {
    let output = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Files that a source is compiled with, as the paths that it names them by, from its folder or that of its package.
fn named_files(source: &str, text: &str) -> Vec<String> {
    let beside =
        Regex::new(r#"(?:include_(?:str|bytes)!\(|#\[(?:cfg_attr\(.*, )?path = )"([^"]+)""#).expect("a pattern");
    let template = Regex::new(r#"#\[template\(path = "([^"]+)""#).expect("a pattern");
    let folder = Path::new(source).parent().unwrap_or(Path::new(""));
    let beside = beside.captures_iter(text).map(|found| plain(&folder.join(&found[1])));
    let templates = template.captures_iter(text).map(|found| format!("templates/{}", &found[1]));
    beside.chain(templates).collect()
}

/// A path without `..`; those that lead out of the package stay.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        let is_up = component == Component::ParentDir && parts.last().is_some_and(|last| last != "..");
        if is_up {
            parts.pop();
        } else {
            parts.push(component.as_os_str().to_string_lossy().into_owned());
        }
    }
    parts.join("/")
}

/// The files that a package would lack.
fn lacking(source: &str, text: &str, files: &BTreeSet<String>) -> Vec<String> {
    // tests are not run from packages
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let named = named_files(source, code).into_iter().filter(|path| !files.contains(path));
    named.map(|path| format!("{source} needs {path}, which is not in the package")).collect()
}

#[test]
fn nothing_that_a_package_is_compiled_of_stays_behind() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for package in published() {
        let files = packaged(package["name"].as_str().expect("a name"));
        let is_code = |path: &&String| path.starts_with("src/") && path.ends_with(".rs") && !path.contains("tests");
        for source in files.iter().filter(is_code) {
            let text = fs::read_to_string(folder(&package).join(source)).expect("a text");
            count += named_files(source, &text).len();
            faults.extend(lacking(source, &text, &files));
        }
    }
    assert!(count > 50, "the files that sources name are found: {count}");
    assert_none(&faults);
    let files = BTreeSet::from(["messages/en.ftl".to_owned()]);
    for wrong in ["../../docs/clients/http.md", "../messages/de.ftl"] {
        let text =
            format!("const A: &str = include_str!(\"../messages/en.ftl\");\nlet b = include_bytes!(\"{wrong}\");");
        assert_eq!(lacking("src/a.rs", &text, &files).len(), 1, "{wrong}");
    }
}
