//! Today's generator on the project of an earlier version: the migrations stay the same, and the next one follows them.

use crate::upgrade::fixture::Fixture;
use clap::Parser;
use restwell_generator::command_line::CommandLine;
use restwell_model::Service;
use restwell_testkit::process::copy_folder;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const FIELD: &str = "\nfields:\n  material: { type: string, maxLength: 40 }\n";

pub(crate) fn check(fixture: &Fixture) {
    let folder = tempfile::tempdir().expect("a folder");
    let (schemas, migrations) = (folder.path().join("schemas"), folder.path().join("migrations"));
    copy_folder(&fixture.schemas(), &schemas);
    copy_folder(&fixture.migrations(), &migrations);
    let then = scripts(&migrations);
    let recorded = model(&migrations);
    assert!(!then.is_empty());

    assert!(generate(&schemas, folder.path(), &[]), "what was right then is right now");
    assert!(generate(&schemas, folder.path(), &["--check"]), "what was just generated is up to date");
    assert_eq!(scripts(&migrations), then, "the schemas are the same: there is nothing to migrate");
    assert_eq!(model(&migrations), recorded, "the model is the same");

    let offer = schemas.join("offer.yaml");
    let text = fs::read_to_string(&offer).expect("the schema of offers");
    fs::write(&offer, text.replacen("\nfields:\n", FIELD, 1)).expect("the copy can be written");
    assert!(generate(&schemas, folder.path(), &[]), "a field is added");
    let mut now = scripts(&migrations);
    now.retain(|path, text| then.get(path).is_none_or(|then| then != text));
    let next = format!("{:04}-add-offer-material", then.len() / 2 + 1);
    let added: Vec<_> = now.keys().map(PathBuf::as_path).collect();
    let next = Path::new(&next);
    assert_eq!(added, [next.join("postgres.sql"), next.join("sqlite.sql")], "one more migration, the others unchanged");
    for script in now.values() {
        assert!(script.contains("ALTER TABLE \"offers\" ADD COLUMN \"material\""), "{script}");
    }
}

/// Runs `restwell generate`; whether all is well.
fn generate(schemas: &Path, out: &Path, options: &[&str]) -> bool {
    let mut line: Vec<&OsStr> = ["restwell", "generate", "--schemas"].map(OsStr::new).to_vec();
    line.extend([schemas.as_os_str(), OsStr::new("--out"), out.as_os_str()]);
    line.extend(options.iter().map(OsStr::new));
    CommandLine::parse_from(line).run() == ExitCode::SUCCESS
}

/// The SQL of each migration, by its path.
fn scripts(migrations: &Path) -> BTreeMap<PathBuf, String> {
    let mut scripts = BTreeMap::new();
    for entry in fs::read_dir(migrations).expect("the folder is there") {
        let folder = entry.expect("an entry").path();
        if folder.is_dir() {
            for entry in fs::read_dir(&folder).expect("the folder is there") {
                let file = entry.expect("an entry").path();
                let text = fs::read_to_string(&file).expect("a script");
                scripts.insert(file.strip_prefix(migrations).expect("below").to_owned(), text);
            }
        }
    }
    scripts
}

/// The model that the last migration leads to. Whether access was written, or left open, earlier versions did not record.
fn model(migrations: &Path) -> Service {
    let text = fs::read_to_string(migrations.join("model.json")).expect("the recorded model");
    let mut model: Service = serde_json::from_str(&text).expect("a model");
    for resource in &mut model.resources {
        let of_views = resource.views.iter_mut().flat_map(|view| &mut view.operations);
        resource.operations.iter_mut().chain(of_views).for_each(|operation| operation.open_by_default = false);
        resource.commands.iter_mut().for_each(|command| command.open_by_default = false);
    }
    model
}
