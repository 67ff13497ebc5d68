//! `restwell diff` as a command: what it compares, what it prints, how it ends.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SERVICE: &str = "service: shop\n";

/// Schemas of an offer with these fields, and more keys.
fn offer(fields: &str, more: &str) -> String {
    format!(
        "resource: Offer\n{more}operations: {{ create: {{ access: user }}, list: {{ access: user }} }}\nfields:\n{fields}"
    )
}

const NAME: &str = "  name: { type: string }\n";

/// A folder with schemas of this offer.
fn write(dir: &Path, offer: &str) {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("service.yaml"), SERVICE).unwrap();
    fs::write(dir.join("offer.yaml"), offer).unwrap();
}

fn project(old: &str, new: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("old"), old);
    write(&dir.path().join("schemas"), new);
    dir
}

fn run(dir: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(dir).env_remove("RESTWELL_OUT").output().unwrap()
}

fn git(dir: &Path, arguments: &[&str]) {
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let all: Vec<_> = author.iter().chain(arguments).copied().collect();
    assert!(run(dir, "git", &all).status.success(), "{arguments:?}");
}

fn restwell(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = run(dir, env!("CARGO_BIN_EXE_restwell"), arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn code(dir: &TempDir, options: &[&str]) -> i32 {
    let arguments: Vec<_> =
        ["diff", "old", "schemas", "--today", "2027-07-01"].iter().chain(options).copied().collect();
    restwell(dir.path(), &arguments).0
}

#[test]
fn the_exit_code_is_that_of_the_gravest_change() {
    let thing = |keys: &str| offer(&format!("{NAME}  thing: {{ {keys} }}\n"), "");
    let plain = || thing("type: string");
    let cases = [
        (plain(), plain(), 0),
        (offer(NAME, ""), plain(), 0),
        (plain(), thing("type: string, maxLength: 9"), 10),
        (plain(), offer(NAME, ""), 20),
        (thing("type: string, deprecated: true, sunset: \"2027-06-30\""), offer(NAME, ""), 0),
        (thing("type: string, deprecated: true, sunset: \"2027-07-02\""), offer(NAME, ""), 20),
        (plain(), offer(NAME, "allow: { field-dropped: nobody uses it }\n"), 0),
        (plain(), thing("type: integer"), 30),
    ];
    for (old, new, expected) in cases {
        let dir = project(&old, &new);
        assert_eq!(code(&dir, &[]), expected, "{old}{new}");
        assert_eq!(code(&dir, &["--fail-on", "deprecation"]), if expected < 20 { 0 } else { expected });
        assert_eq!(code(&dir, &["--fail-on", "breaking"]), if expected < 30 { 0 } else { expected });
    }
}

#[test]
fn people_read_the_steps_and_machines_an_array() {
    let dir = project(&offer(&format!("{NAME}  code: {{ type: string }}\n"), ""), &offer(NAME, ""));
    let (_, text, summary) = restwell(dir.path(), &["diff", "old"]);
    assert!(text.starts_with("deprecation (never announced): `Offer.fields.code` was removed"), "{text}");
    assert!(text.contains("\n  may break: writers, readers, subscribers, rows, code\n"), "{text}");
    assert!(text.contains("\n  instead: keep it with `deprecated: true` and a `sunset`\n"), "{text}");
    assert_eq!(summary, "1 change: 1 deprecation\n");
    let (_, json, nothing) = restwell(dir.path(), &["diff", "old", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["place"], "Offer.fields.code");
    assert_eq!(json[0]["followed"], "never-announced");
    assert_eq!(nothing, "");
    let (code, same, summary) = restwell(dir.path(), &["diff", "old", "old"]);
    assert_eq!((code, same.as_str(), summary.as_str()), (0, "", "no changes\n"));
}

#[test]
fn models_and_revisions_are_compared_as_folders_are() {
    let dir = project(&offer(NAME, ""), &offer(NAME, ""));
    let model = restwell(dir.path(), &["model", "old"]).1;
    fs::write(dir.path().join("old.json"), model).unwrap();
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "schemas"]);
    git(dir.path(), &["commit", "--quiet", "--message", "one"]);
    write(&dir.path().join("schemas"), &offer("  title: { type: string }\n", ""));
    let by_folder = restwell(dir.path(), &["diff", "old"]);
    assert_eq!(by_folder.0, 20);
    assert_eq!(restwell(dir.path(), &["diff", "old.json"]), by_folder);
    assert_eq!(restwell(dir.path(), &["diff", "HEAD"]), by_folder);
    // from a folder below, too
    let below = restwell(&dir.path().join("schemas"), &["diff", "HEAD", ".", "--schemas", "."]);
    assert_eq!(below, by_folder);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let dir = project(&offer(NAME, ""), "resource: Offer\n");
    fs::write(dir.path().join("broken.json"), "{}").unwrap();
    for (old, problem) in [
        ("nowhere", "`nowhere` does not exist"),
        ("--help-me", "unexpected argument"),
        ("broken.json", "`broken.json` is not a model"),
        ("schemas", "is missing"),
    ] {
        let (code, _, errors) = restwell(dir.path(), &["diff", old, "old"]);
        assert!(code == 1 || code == 2, "{old}: {code}");
        assert!(errors.contains(problem), "{old}: {errors}");
    }
}

#[test]
fn generate_says_what_a_change_asks_of_clients() {
    let dir = project(&offer(NAME, ""), &offer(NAME, ""));
    let first = restwell(dir.path(), &["generate"]).2;
    assert!(!first.contains("restwell diff"), "{first}");
    // a migration that is not committed may be written again, and has no clients
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "--quiet", "--message", "one"]);
    write(&dir.path().join("schemas"), &offer(&format!("{NAME}  code: {{ type: string }}\n"), ""));
    let (code, _, lines) = restwell(dir.path(), &["generate"]);
    assert_eq!(code, 0, "{lines}");
    assert!(lines.contains("1 change: 1 safe; `restwell diff HEAD` shows"), "{lines}");
}
