//! A field is added to a schema, the generator runs, and the service has it: no other line is written.

use clap::Parser;
use restwell_generator::command_line::CommandLine;
use restwell_testkit::market;
use restwell_testkit::process::{
    DATABASE, LISTEN, Service, copy_folder, folder, program_path, refusal, run, run_other,
};
use restwell_testkit::shared_builds::share_builds;
use serde_json::json;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

const FIELD: &str = "\nfields:\n  weight: { type: integer, minimum: 1, filter: true }\n";

#[test]
fn a_field_in_the_schema_is_a_field_of_the_service() {
    let project = Project::copied();
    assert!(project.generate(&["--check"]), "the example is up to date");
    project.add_field();
    assert!(!project.generate(&["--check"]), "a new field makes the generated code stale");
    assert!(project.generate(&[]));
    assert!(project.generate(&["--check"]), "what was just generated is up to date");
    let program = project.build();

    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    let old = service.send(&market::sell(&market::offer(&seller, "Kite"))).is(201);
    service.stop();
    migrate(&program, folder.path());

    let service = Service::start_other(&program, folder.path());
    let kite = service.get(&format!("/offers/{}", old.id())).is(200).json();
    assert_eq!((&kite["name"], &kite["weight"]), (&json!("Kite"), &json!(null)), "what was there is there");
    let offer = |weight: i64| {
        let mut body = market::offer(&seller, "Bicycle");
        body["weight"] = json!(weight);
        service.send(&market::sell(&body))
    };
    let heavy = offer(12).is(201);
    assert_eq!(heavy.json()["weight"], 12, "returned");
    let path = format!("/offers/{}", heavy.id());
    assert_eq!(service.get(&path).is(200).json()["weight"], 12, "stored");

    let refused = offer(0).is(422).json();
    assert_eq!(refused["errors"][0]["path"], "weight", "validated: {refused}");
    assert_eq!(refused["errors"][0]["details"], json!({ "minimum": 1 }));

    offer(3).is(201);
    service.send(&market::sell(&market::offer(&seller, "Weightless"))).is(201);
    for (query, count) in [("weight=12", 1), ("weight.gte=3", 2), ("weight.lt=12", 1), ("weight=", 2), ("weight=7", 0)]
    {
        assert_eq!(service.get(&format!("/offers?{query}")).is(200).json()["count"], count, "filtered: {query}");
    }
}

/// The program says that its database is behind, and what to do; then it is done, and the older program is refused.
fn migrate(program: &Path, folder: &Path) {
    let said = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let behind = refusal(&run_other(program, folder, [LISTEN, DATABASE]));
    assert!(behind.contains("is behind this program: 0003-add-offer-weight has yet to run"), "{behind}");
    assert!(behind.contains("`evolved migrate`") && behind.contains("--migrate"), "the cure: {behind}");
    let checked = run_other(program, folder, [LISTEN, DATABASE, "--check"]);
    assert!(said(&checked).contains("database: wrong, ") && said(&checked).contains("is behind"), "{}", said(&checked));
    let planned = said(&run_other(program, folder, ["migrate", "--dry-run", DATABASE]));
    assert!(planned.starts_with("-- 0003-add-offer-weight\n"), "{planned}");
    assert!(planned.contains("ALTER TABLE \"offers\" ADD COLUMN \"weight\""), "{planned}");
    refusal(&run_other(program, folder, [LISTEN, DATABASE]));
    let checked = run_other(program, folder, [LISTEN, DATABASE, "--check", "--migrate"]);
    assert!(
        checked.status.success() && said(&checked).contains("0003-add-offer-weight will run"),
        "{}",
        said(&checked)
    );

    let migrated = said(&run_other(program, folder, ["migrate", DATABASE]));
    assert!(migrated.contains("0003-add-offer-weight has run"), "{migrated}");
    let again = said(&run_other(program, folder, ["migrate", DATABASE]));
    assert!(again.contains("is up to date"), "{again}");
    let ahead = refusal(&run(folder, [LISTEN, DATABASE]));
    assert!(ahead.contains("is ahead of this program: 0003-add-offer-weight has run there"), "{ahead}");
}

/// The example and its schemas, copied beside what cargo builds: a second run finds them built.
struct Project {
    root: PathBuf,
    workspace: PathBuf,
}

impl Project {
    fn copied() -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = tests.parent().expect("the tests are in a workspace").to_owned();
        let example = workspace.join("generated-example");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evolving");
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the last run's copy can go");
        }
        let root = folder.join("evolved");
        let project = Self { root, workspace };
        copy_folder(&project.workspace.join("schemas"), &project.root.join("schemas"));
        copy_folder(&example.join("src"), &project.root.join("src"));
        copy_folder(&example.join("migrations"), &project.root.join("migrations"));
        let data = "sample-data.json";
        fs::copy(example.join(data), project.root.join(data)).expect("the example is whole");
        fs::write(project.root.join("Cargo.toml"), project.manifest()).expect("the copy can be written");
        share_builds(&project.root).expect("a workspace around the copy can be written");
        project
    }

    /// The example's manifest for a crate on its own. Of another name: beside it lies the example's own program.
    fn manifest(&self) -> String {
        let read = |path: &str| fs::read_to_string(self.workspace.join(path)).expect("a manifest");
        let example = read("generated-example/Cargo.toml");
        let is_on_postgres = std::env::var("RESTWELL_STORE").is_ok_and(|store| store == "postgres");
        let dependencies = section(&example, "[dependencies]");
        let dependencies = match is_on_postgres {
            true => dependencies
                .replace("restwell.workspace = true", "restwell = { workspace = true, features = [\"postgres\"] }"),
            false => dependencies.to_owned(),
        };
        format!(
            "[package]\nname = \"evolved\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nname = \"marketplace\"\n\n\
             {dependencies}"
        )
    }

    fn add_field(&self) {
        let file = self.root.join("schemas/offer.yaml");
        let schema = fs::read_to_string(&file).expect("the schema of offers");
        fs::write(&file, schema.replacen("\nfields:\n", FIELD, 1)).expect("the copy can be written");
    }

    /// Runs `restwell generate`; whether all is well.
    fn generate(&self, options: &[&str]) -> bool {
        let (schemas, out) = (self.root.join("schemas"), &self.root);
        let mut line: Vec<&OsStr> = ["restwell", "generate", "--schemas"].map(OsStr::new).to_vec();
        line.extend([schemas.as_os_str(), OsStr::new("--out"), out.as_os_str()]);
        line.extend(options.iter().map(OsStr::new));
        CommandLine::parse_from(line).run() == ExitCode::SUCCESS
    }

    /// Builds it, with what is built already; where the program is.
    fn build(&self) -> PathBuf {
        let program = program_path();
        let debug = program.parent().expect("the program is in a folder");
        let target = debug.parent().expect("the folder is in the target folder");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", target)
            .status();
        assert!(built.expect("cargo is there").success(), "what was generated compiles");
        debug.join("evolved")
    }
}

/// A section of a manifest, with its head.
fn section<'a>(manifest: &'a str, head: &str) -> &'a str {
    let at = manifest.find(head).expect("the section is there");
    let rest = &manifest[at..];
    rest.find("\n[").map_or(rest, |end| &rest[..=end])
}
