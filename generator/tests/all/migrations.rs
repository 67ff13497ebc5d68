//! What `restwell generate` makes of a project's migrations.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const OFFER: &str = "resource: Offer\nfields:\n  name: { type: string }\n";

/// A project, and what its command does.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("schemas/service.yaml", "service: shop\n");
        project.write("schemas/offer.yaml", OFFER);
        assert_eq!(project.generate(&[]), (0, String::new()));
        project.commit();
        project
    }

    /// Version control holds what is there.
    fn commit(&self) {
        for arguments in [&["init", "--quiet"][..], &["add", "--all"]] {
            assert!(Command::new("git").args(arguments).current_dir(self.0.path()).status().unwrap().success());
        }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn offer(&self, more: &str) {
        self.write("schemas/offer.yaml", &format!("{OFFER}{more}"));
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The code it ends with, and its lines that begin with `error`.
    fn generate(&self, options: &[&str]) -> (i32, String) {
        let output = run(self.0.path(), options);
        let text = String::from_utf8(output.stderr).unwrap();
        let errors = text.lines().filter(|line| line.starts_with("error"));
        (output.status.code().unwrap(), errors.map(|line| format!("{line}\n")).collect())
    }

    #[track_caller]
    fn assert_refused(&self, options: &[&str], what: &str) {
        let before = self.migrations();
        let (code, errors) = self.generate(options);
        assert!(code == 1 && errors.contains(what), "{code}: {errors}");
        assert_eq!(self.migrations(), before);
    }

    /// Every migration.
    fn migrations(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join("migrations")).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn run(dir: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
    command.arg("generate").args(options).current_dir(dir).env_remove("RESTWELL_OUT").output().unwrap()
}

#[test]
fn a_change_of_the_tables_is_a_migration_and_no_other_change_is() {
    let project = Project::new();
    assert_eq!(project.migrations(), ["0001-create"]);
    let first = project.read("migrations/0001-create/postgres.sql");
    assert!(first.contains("CREATE TABLE \"offers\"") && !first.contains("_restwell"), "{first}");

    project.offer("  weight: { type: integer, filter: true }\n");
    assert_eq!(project.generate(&[]).0, 0);
    assert_eq!(project.migrations(), ["0001-create", "0002-add-offer-weight"]);
    let sqlite = project.read("migrations/0002-add-offer-weight/sqlite.sql");
    assert!(sqlite.contains("-- * Offer.fields.weight is new\n"), "{sqlite}");
    assert!(sqlite.contains("ALTER TABLE \"offers\" ADD COLUMN \"weight\" INTEGER;\n"), "{sqlite}");
    assert!(project.read("src/generated/mod.rs").contains("\"0002-add-offer-weight\""));

    project.offer("  weight: { type: integer, filter: true, description: In grams. }\n");
    assert_eq!(project.generate(&["--check"]).0, 1);
    assert_eq!(project.generate(&[]).0, 0);
    assert_eq!(project.migrations().len(), 2, "docs are in no table");
    assert!(project.read("migrations/model.json").contains("In grams."));
    assert_eq!(project.generate(&["--check"]).0, 0);
}

#[test]
fn a_default_is_part_of_the_tables_of_postgresql_alone() {
    let project = Project::new();
    project.offer("  weight: { type: integer, default: 7 }\n");
    assert_eq!(project.generate(&[]).0, 0);
    project.commit();
    project.offer("  weight: { type: integer, default: 8 }\n");
    assert_eq!(project.generate(&[]).0, 0);
    assert_eq!(project.migrations(), ["0001-create", "0002-add-offer-weight", "0003-alter-offer-weight"]);
    let statements = |file: &str| {
        let text = project.read(&format!("migrations/0003-alter-offer-weight/{file}"));
        text.lines().filter(|line| !line.starts_with("--")).map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(statements("sqlite.sql").trim(), "");
    let expected = "ALTER TABLE \"offers\" ALTER COLUMN \"weight\" SET DEFAULT 8;";
    assert_eq!(statements("postgres.sql").trim(), expected);
    assert_eq!(project.generate(&["--check"]).0, 0);
}

#[test]
fn what_would_be_lost_is_refused_until_it_is_meant() {
    let project = Project::new();
    project.write("schemas/offer.yaml", "resource: Offer\nfields:\n  title: { type: string }\n");
    project.assert_refused(&[], "error[loses-data]: `Offer.fields.name` was removed");
    project.assert_refused(&["--check"], "error[loses-data]");
    let renamed = "resource: Offer\nfields:\n  title: { type: string, renamedFrom: name }\n";
    project.write("schemas/offer.yaml", renamed);
    assert_eq!(project.generate(&[]), (0, String::new()));
    project.commit();
    project.write("schemas/offer.yaml", &renamed.replace("type: string", "type: integer"));
    project.assert_refused(&[], "error[loses-data]: `Offer.fields.title.type` changed from `string` to `integer`");
    assert_eq!(project.generate(&["--allow-drop"]), (0, String::new()));
    // until it is committed the migration is written again: what it loses was allowed, and nothing else
    assert_eq!(project.generate(&[]), (0, String::new()));
    assert_eq!(project.generate(&["--check"]), (0, String::new()));
    project.write("schemas/offer.yaml", "resource: Offer\nfields:\n  other: { type: string }\n");
    project.assert_refused(&[], "error[loses-data]: `Offer.fields.title` was removed");
    project.write("schemas/offer.yaml", &renamed.replace("type: string", "type: integer"));
    assert_eq!(project.generate(&[]), (0, String::new()));
    project.commit();
    assert_eq!(project.migrations(), ["0001-create", "0002-rename-offer-title", "0003-retype-offer-title"]);
    let required = "resource: Offer\nfields:\n  title: { type: integer, required: true }\n";
    project.write("schemas/offer.yaml", required);
    project.assert_refused(&["--allow-drop"], "error[needs-default]: `Offer.fields.title.required` was added");
}

#[test]
fn what_was_written_belongs_to_people() {
    let project = Project::new();
    let path = "migrations/0001-create/sqlite.sql";
    project.write(path, &format!("{}UPDATE \"offers\" SET \"name\" = 'a;b';\n", project.read(path)));
    project.write("migrations/README.md", "What these are.\n");
    assert_eq!(project.generate(&["--check"]), (0, String::new()));
    project.offer("  weight: { type: integer }\n");
    assert_eq!(project.generate(&[]).0, 0);
    assert!(project.read(path).contains("'a;b'"));
    // by hand: a step that does not follow from the model
    for file in ["sqlite.sql", "postgres.sql"] {
        project.write(&format!("migrations/0003-tidy-names/{file}"), "UPDATE offers SET name = trim(name);\n");
    }
    assert_eq!(project.generate(&[]).0, 0);
    assert!(project.read("src/generated/mod.rs").contains("\"0003-tidy-names\""));
}

#[test]
fn a_history_that_is_not_whole_is_refused() {
    let project = Project::new();
    let path = |below: &str| project.0.path().join("migrations").join(below);
    project.offer("  weight: { type: integer }\n");
    project.generate(&[]);
    project.commit();
    fs::rename(path("0001-create/sqlite.sql"), path("aside")).unwrap();
    project.assert_refused(&[], "migrations/0001-create/sqlite.sql is missing");
    fs::write(path("0001-create/sqlite.sql"), "SELECT 'a").unwrap();
    project.assert_refused(&[], "migrations/0001-create/sqlite.sql, line 1: `'` is not closed");
    fs::rename(path("aside"), path("0001-create/sqlite.sql")).unwrap();

    let files = |name: &str| ["sqlite.sql", "postgres.sql"].map(|file| format!("migrations/{name}/{file}"));
    files("0002-of-another-branch").iter().for_each(|file| project.write(file, "SELECT 1;"));
    project.assert_refused(&[], "have the same number");
    fs::remove_dir_all(path("0002-of-another-branch")).unwrap();
    files("0004-too-far").iter().for_each(|file| project.write(file, "SELECT 1;"));
    project.assert_refused(&[], "migrations/0003-… is missing");
    fs::remove_dir_all(path("0004-too-far")).unwrap();

    fs::rename(path("model.json"), path("aside")).unwrap();
    project.assert_refused(&[], "migrations/model.json is missing");
    fs::write(path("model.json"), "<<<<<<<").unwrap();
    project.assert_refused(&[], "migrations/model.json cannot be read");
    fs::rename(path("aside"), path("model.json")).unwrap();
    assert_eq!(project.generate(&["--check"]), (0, String::new()));
}
