//! The command itself, in folders of its own: what it writes, what it leaves alone, how it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const OFFER: &str = "resource: Offer\nfields:\n  name: { type: string }\n";

fn restwell(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_restwell"))
        .args(arguments)
        .current_dir(dir)
        .env_remove("RESTWELL_OUT")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A folder with schemas that are right.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("schemas/shared")).unwrap();
    fs::write(dir.path().join("schemas/service.yaml"), "service: shop\n").unwrap();
    fs::write(dir.path().join("schemas/offer.yaml"), OFFER).unwrap();
    dir
}

/// Every file of a folder with its contents.
fn snapshot(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.strip_prefix(dir).unwrap().display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn messages_beside_the_schemas_are_noticed() {
    let dir = project();
    fs::create_dir_all(dir.path().join("messages")).unwrap();
    fs::write(dir.path().join("messages/de.ftl"), "Forbidden = Nein.\n").unwrap();
    for arguments in [&["check"][..], &["check", "./schemas/"]] {
        let checked = restwell(dir.path(), arguments);
        assert_eq!(code(&checked), 0, "{}", stderr(&checked));
        assert!(stderr(&checked).contains("warning[unread-messages]"), "{}", stderr(&checked));
        assert!(stderr(&checked).contains("messages/de.ftl"), "{}", stderr(&checked));
    }
    fs::rename(dir.path().join("messages"), dir.path().join("schemas/messages")).unwrap();
    let checked = restwell(dir.path(), &["check"]);
    assert!(!stderr(&checked).contains("unread-messages"), "{}", stderr(&checked));
}

#[test]
fn generate_writes_a_crate_and_a_second_run_changes_nothing() {
    let dir = project();
    assert_eq!(code(&restwell(dir.path(), &["generate"])), 0);
    let once = snapshot(dir.path());
    let paths: Vec<&str> = once.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "Cargo.toml",
            "migrations/0001-create/postgres.sql",
            "migrations/0001-create/sqlite.sql",
            "migrations/model.json",
            "schemas/offer.yaml",
            "schemas/service.yaml",
            "src/generated/manifest.json",
            "src/generated/mod.rs",
            "src/generated/offer.rs",
            "src/lib.rs",
            "src/main.rs",
        ]
    );
    let modified = |path: &str| fs::metadata(dir.path().join(path)).unwrap().modified().unwrap();
    let before = modified("src/generated/offer.rs");
    assert_eq!(code(&restwell(dir.path(), &["generate"])), 0);
    assert_eq!(snapshot(dir.path()), once);
    assert_eq!(modified("src/generated/offer.rs"), before);
    assert_eq!(code(&restwell(dir.path(), &["generate", "--check"])), 0);
}

#[test]
fn what_belongs_to_people_is_never_touched() {
    let dir = project();
    fs::create_dir_all(dir.path().join("src")).unwrap();
    for path in ["Cargo.toml", "src/lib.rs", "src/main.rs", "src/handlers.rs"] {
        fs::write(dir.path().join(path), "mine").unwrap();
    }
    assert_eq!(code(&restwell(dir.path(), &["generate"])), 0);
    for path in ["Cargo.toml", "src/lib.rs", "src/main.rs", "src/handlers.rs"] {
        assert_eq!(fs::read_to_string(dir.path().join(path)).unwrap(), "mine", "{path}");
    }
}

#[test]
fn a_library_is_not_made_a_program() {
    let dir = project();
    fs::create_dir_all(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/lib.rs"), "mine").unwrap();
    assert_eq!(code(&restwell(dir.path(), &["generate"])), 0);
    assert!(!dir.path().join("src/main.rs").exists());
}

#[test]
fn an_edited_file_is_refused_and_nothing_else_is_written() {
    let dir = project();
    restwell(dir.path(), &["generate"]);
    fs::write(dir.path().join("src/generated/offer.rs"), "// mine").unwrap();
    fs::write(dir.path().join("schemas/note.yaml"), OFFER.replace("Offer", "Note")).unwrap();
    let before = snapshot(dir.path());
    let output = restwell(dir.path(), &["generate"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("`./src/generated/offer.rs` was edited by hand"), "{}", stderr(&output));
    assert_eq!(snapshot(dir.path()), before);

    fs::remove_file(dir.path().join("src/generated/offer.rs")).unwrap();
    assert_eq!(code(&restwell(dir.path(), &["generate"])), 0);
}

#[test]
fn what_is_no_longer_described_is_deleted() {
    let dir = project();
    fs::write(dir.path().join("schemas/note.yaml"), OFFER.replace("Offer", "Note")).unwrap();
    restwell(dir.path(), &["generate"]);
    assert!(dir.path().join("src/generated/note.rs").exists());
    fs::remove_file(dir.path().join("schemas/note.yaml")).unwrap();
    assert_eq!(code(&restwell(dir.path(), &["generate", "--allow-drop"])), 0);
    assert!(!dir.path().join("src/generated/note.rs").exists());
}

#[test]
fn check_reports_stale_files_and_writes_nothing() {
    let dir = project();
    restwell(dir.path(), &["generate"]);
    for arguments in [&["init", "--quiet"][..], &["add", "migrations"]] {
        assert!(Command::new("git").args(arguments).current_dir(dir.path()).status().unwrap().success());
    }
    fs::write(dir.path().join("schemas/offer.yaml"), format!("{OFFER}  title: {{ type: string }}\n")).unwrap();
    fs::write(dir.path().join("schemas/note.yaml"), OFFER.replace("Offer", "Note")).unwrap();
    let before = snapshot(dir.path());
    let output = restwell(dir.path(), &["generate", "--check"]);
    assert_eq!(code(&output), 1);
    for line in [
        "stale: ./src/generated/offer.rs",
        "missing: ./src/generated/note.rs",
        "missing: ./migrations/0002-add-note-and-more/sqlite.sql",
        "missing: ./migrations/0002-add-note-and-more/postgres.sql",
        "stale: ./migrations/model.json",
    ] {
        assert!(stderr(&output).contains(line), "{}", stderr(&output));
    }
    assert_eq!(snapshot(dir.path()), before);
}

#[test]
fn a_run_with_mistakes_writes_nothing() {
    let dir = project();
    fs::write(dir.path().join("schemas/note.yaml"), "resource: Note\nfeilds: {}\n").unwrap();
    let before = snapshot(dir.path());
    let output = restwell(dir.path(), &["generate"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("schemas/note.yaml:2:1"), "{}", stderr(&output));
    assert!(stderr(&output).contains("did you mean `fields`?"), "{}", stderr(&output));
    assert_eq!(snapshot(dir.path()), before);
}

#[test]
fn exits_are_0_when_right_1_when_wrong_and_2_when_misused() {
    let dir = project();
    assert_eq!(code(&restwell(dir.path(), &["check"])), 0);
    assert_eq!(code(&restwell(dir.path(), &["check", "nowhere"])), 1);
    assert_eq!(code(&restwell(dir.path(), &["chekc"])), 2);
    assert_eq!(code(&restwell(dir.path(), &["generate", "--force"])), 2);
}

#[test]
fn warnings_are_errors_where_they_are_denied() {
    let dir = project();
    let note = "resource: Note\noperations: { get: }\nfields:\n  days: { type: integer }\n";
    fs::write(dir.path().join("schemas/note.yaml"), note).unwrap();
    let output = restwell(dir.path(), &["check"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("warning[singular-field]"), "{}", stderr(&output));
    let output = restwell(dir.path(), &["check", "--deny-warnings"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("error[singular-field]"), "{}", stderr(&output));
    fs::write(dir.path().join("schemas/note.yaml"), note.replace("days", "day")).unwrap();
    fs::write(dir.path().join("schemas/offer.yaml"), OFFER.replace("fields", "operations: { get: }\nfields")).unwrap();
    let output = restwell(dir.path(), &["check", "--deny-warnings"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn json_is_one_object_a_line_without_colours_and_summaries() {
    let dir = project();
    fs::write(dir.path().join("schemas/note.yaml"), "resource: Note\nfeilds: {}\nplurall: notes\n").unwrap();
    let output = restwell(dir.path(), &["check", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        stderr(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() >= 2);
    assert!(lines.iter().all(|line| line["file"] == "schemas/note.yaml"));
}

#[test]
fn model_prints_the_description_as_json() {
    let dir = project();
    let output = restwell(dir.path(), &["model"]);
    let model: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(model["resources"][0]["name"], "Offer");
}

#[test]
fn new_makes_a_project_that_is_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let output = restwell(dir.path(), &["new", "corner-shop"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let project = dir.path().join("corner-shop");
    assert_eq!(code(&restwell(&project, &["generate", "--check"])), 0);
    assert_eq!(code(&restwell(&project, &["fmt", "--check"])), 0);
    let main = fs::read_to_string(project.join("src/main.rs")).unwrap();
    assert!(main.contains("restwell::main(corner_shop::service())"), "{main}");
    assert_eq!(code(&restwell(dir.path(), &["new", "corner-shop"])), 1, "it is there already");
    assert_eq!(code(&restwell(dir.path(), &["new", "Corner Shop"])), 1, "no service can be called so");
}

#[test]
fn new_builds_against_a_checkout_wherever_it_is_called_from() {
    let dir = tempfile::tempdir().unwrap();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = restwell(dir.path(), &["new", "shop", "--restwell", checkout.to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let manifest = fs::read_to_string(dir.path().join("shop/Cargo.toml")).unwrap();
    let runtime = fs::canonicalize(checkout).unwrap().join("runtime");
    assert!(manifest.contains(&format!("restwell = {{ path = {runtime:?} }}")), "{manifest}");
    assert!(dir.path().join("shop/Cargo.lock").exists());
    assert_eq!(code(&restwell(dir.path(), &["new", "other", "--restwell", "/"])), 1, "no checkout");
    assert!(!dir.path().join("other").exists());
}

#[test]
fn fmt_writes_unformatted_files_and_check_only_reports_them() {
    let dir = project();
    let offer = dir.path().join("schemas/offer.yaml");
    fs::write(&offer, "resource:   Offer\nfields:\n    name: {type: string} # its own\n").unwrap();
    let checked = restwell(dir.path(), &["fmt", "--check"]);
    assert_eq!(code(&checked), 1);
    assert!(stderr(&checked).contains("offer.yaml"), "{}", stderr(&checked));
    assert!(!stderr(&checked).contains("service.yaml"), "{}", stderr(&checked));
    assert_eq!(code(&restwell(dir.path(), &["fmt"])), 0);
    let expected = "resource: Offer\nfields:\n  name: { type: string } # its own\n";
    assert_eq!(fs::read_to_string(&offer).unwrap(), expected);
    assert_eq!(code(&restwell(dir.path(), &["fmt", "--check"])), 0);
}

#[test]
fn fmt_leaves_what_does_not_read_and_formats_the_rest() {
    let dir = project();
    let (broken, offer) = (dir.path().join("schemas/broken.yaml"), dir.path().join("schemas/offer.yaml"));
    fs::write(&broken, "resource:   [\n").unwrap();
    fs::write(&offer, format!("\n{OFFER}")).unwrap();
    let done = restwell(dir.path(), &["fmt"]);
    assert_eq!(code(&done), 1);
    assert!(stderr(&done).contains("yaml-syntax"), "{}", stderr(&done));
    assert_eq!(fs::read_to_string(&broken).unwrap(), "resource:   [\n");
    assert_eq!(fs::read_to_string(&offer).unwrap(), OFFER);
}

#[test]
fn a_new_project_is_formatted_and_has_the_schema_that_its_editor_settings_name() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(code(&restwell(dir.path(), &["new", "shop"])), 0);
    let shop = dir.path().join("shop");
    assert_eq!(code(&restwell(&shop, &["fmt", "--check"])), 0);
    let printed = restwell(&shop, &["schema"]);
    assert_eq!(fs::read(shop.join("schemas/restwell.schema.json")).unwrap(), printed.stdout);
    let settings = fs::read_to_string(shop.join(".vscode/settings.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert!(settings["yaml.schemas"].get("./schemas/restwell.schema.json").is_some());
}

#[test]
fn of_hundreds_of_mistakes_people_see_the_first_and_machines_all() {
    let dir = project();
    let fields: String = (0..300).map(|number| format!("  field{number}: {{ type: string, zzz: 1 }}\n")).collect();
    fs::write(dir.path().join("schemas/offer.yaml"), format!("resource: Offer\nfields:\n{fields}")).unwrap();
    let text = stderr(&restwell(dir.path(), &["check"]));
    assert_eq!(text.matches("error[unknown-key]").count(), 100);
    assert!(
        text.ends_with(
            "error: found 300 errors in 1 file\nonly the first 100 are shown; `--format json` shows all of them\n"
        ),
        "{text}"
    );
    assert_eq!(stderr(&restwell(dir.path(), &["check", "--format", "json"])).lines().count(), 300);
}

const CLIENT: [&str; 4] = ["client", "typescript", "--out", "client"];

#[test]
fn a_client_is_written_once_and_a_second_run_changes_nothing() {
    let dir = project();
    assert_eq!(code(&restwell(dir.path(), &CLIENT)), 0);
    let first = snapshot(&dir.path().join("client"));
    let names: Vec<_> = first.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["README.md", "package.json", "src/index.js", "src/offers.d.ts", "src/offers.js"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert_eq!(code(&restwell(dir.path(), &CLIENT)), 0);
    assert_eq!(snapshot(&dir.path().join("client")), first);
}

#[test]
fn a_client_leaves_alone_what_people_wrote_and_check_reports_what_is_stale() {
    let dir = project();
    restwell(dir.path(), &CLIENT);
    let check = || restwell(dir.path(), &[&CLIENT[..], &["--check"]].concat());
    assert_eq!(code(&check()), 0);
    fs::write(dir.path().join("client/package.json"), "{}").unwrap();
    fs::write(dir.path().join("schemas/offer.yaml"), OFFER.replace("name:", "title:")).unwrap();
    let before = snapshot(dir.path());
    let checked = check();
    assert_eq!(code(&checked), 1);
    assert!(stderr(&checked).contains("stale: client/src/offers.d.ts"), "{}", stderr(&checked));
    assert_eq!(snapshot(dir.path()), before, "a check writes nothing");

    fs::write(dir.path().join("client/src/offers.js"), "mine").unwrap();
    let refused = restwell(dir.path(), &CLIENT);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("edited by hand"), "{}", stderr(&refused));
    fs::remove_file(dir.path().join("client/src/offers.js")).unwrap();
    assert_eq!(code(&restwell(dir.path(), &CLIENT)), 0);
    assert_eq!(fs::read_to_string(dir.path().join("client/package.json")).unwrap(), "{}");
}

/// A pipe would be waited for, and a device has no end.
#[cfg(unix)]
#[test]
fn only_regular_files_are_schemas() {
    let check = |dir: &Path| {
        let program = env!("CARGO_BIN_EXE_restwell");
        Command::new("timeout").args(["20", program, "check"]).current_dir(dir).output().unwrap()
    };
    let pipe = project();
    let made = Command::new("mkfifo").arg(pipe.path().join("schemas/pipe.yaml")).status().unwrap();
    assert!(made.success());
    let endless = project();
    std::os::unix::fs::symlink("/dev/zero", endless.path().join("schemas/endless.yaml")).unwrap();
    for (dir, name) in [(&pipe, "schemas/pipe.yaml"), (&endless, "schemas/endless.yaml")] {
        let checked = check(dir.path());
        assert_eq!(code(&checked), 1, "{}", stderr(&checked));
        assert_eq!(stderr(&checked), format!("error: cannot read `{name}`: it is not a regular file\n"));
    }
    let large = project();
    fs::write(large.path().join("schemas/large.yaml"), " ".repeat((1 << 20) + 1)).unwrap();
    let checked = check(large.path());
    let told = "error: cannot read `schemas/large.yaml`: it has more than 1048576 bytes\n";
    assert_eq!((code(&checked), stderr(&checked).as_str()), (1, told));
}

/// Two links to the folder itself: each level has twice as many folders as the one above.
#[cfg(unix)]
#[test]
fn a_folder_that_contains_itself_is_not_listed_for_ever() {
    let dir = project();
    for name in ["again", "once-more"] {
        std::os::unix::fs::symlink(".", dir.path().join("schemas").join(name)).unwrap();
    }
    let program = env!("CARGO_BIN_EXE_restwell");
    let checked = Command::new("timeout").args(["60", program, "check"]).current_dir(dir.path()).output().unwrap();
    assert_eq!(code(&checked), 1, "{}", stderr(&checked));
    assert!(stderr(&checked).contains("contains more than 100000 files and folders"), "{}", stderr(&checked));
}
