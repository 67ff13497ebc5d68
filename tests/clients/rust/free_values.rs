//! Maps and JSON of any form, through a client in Rust that is generated for a service of their own, compiled, and run
//! against it.

use restwell::testing::Setup;
use restwell::{Builder, Interpreted};
use restwell_generator::client::{ClientPlan, rust};
use restwell_generator::{File, compile};
use restwell_model::api::Api;
use restwell_testkit::http::{PUBLIC, Request};
use restwell_testkit::shared_builds::share_builds;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SERVICE: &str = "service: labels\n";
const THING: &str = "resource: Thing
operations: { create: , list: , get: , update: , patch: }
fields:
  name: { type: string, required: true, maxLength: 40 }
  traits: { type: map, values: { type: decimal, scale: 3 } }
  settings: { type: json }
";

/// One that has no PUT.
const NOTE: &str = "resource: Note
operations: { create: , get: , patch: }
fields:
  text: { type: string, required: true, maxLength: 40 }
  mark: { type: string, maxLength: 40 }
";

/// Uses the client: the URL of the service, and the id of an entity whose numbers have digits that no double keeps.
const PROGRAM: &str = r#"
use labels_client::{Blocking, Client, Condition, NoteDraft, ThingDraft, ThingUpdate};
use serde_json::json;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let client = Client::new(&arguments[1], "tests/1.0").expect("a client");
    let blocking = Blocking::new().expect("a thread");
    let things = client.things();
    let mut draft = ThingDraft::new("lamp");
    draft.traits = Some([("weight".to_owned(), "1.5".parse().expect("a decimal"))].into());
    let settings = Some(json!({ "modes": [1.25, null, "dim"] }));
    draft.settings = settings.clone().into();
    let created = blocking.wait(things.create(&draft)).expect("it can be created");
    let read = blocking.wait(things.get(created.id)).expect("it can be read");
    assert_eq!(read.value, created.value);
    assert_eq!(read.traits["weight"].to_string(), "1.500");
    assert_eq!(read.settings, settings);
    let operations = [
        json!({ "op": "add", "path": "/traits/height", "value": "2" }),
        json!({ "op": "replace", "path": "/settings/modes/0", "value": 2.5 }),
    ];
    let patched = blocking.wait(things.patch(created.id, &operations, Condition::Anyway)).expect("it can be patched");
    assert_eq!(patched.traits.len(), 2);
    assert_eq!(patched.settings, Some(json!({ "modes": [2.5, null, "dim"] })));
    let mut update = patched.map(ThingUpdate::from);
    update.traits = Some(Default::default());
    update.settings = None.into();
    let emptied = blocking.wait(things.update(created.id, &update, Condition::Anyway)).expect("it can be replaced");
    assert!(emptied.traits.is_empty() && emptied.settings.is_none());
    // an edit sends what it has changed
    let precise = arguments[2].parse().expect("an id");
    let edited = blocking.wait(things.edit(precise, |thing| thing.name = "precise".to_owned())).expect("it is edited");
    assert_eq!(edited.name, "precise");
    // without a PUT what GET shows is edited
    let notes = client.notes();
    let note = blocking.wait(notes.create(&NoteDraft::new("draft"))).expect("it can be created");
    let change = |note: &mut labels_client::Note| (note.text, note.mark) = ("done".to_owned(), Some("seen".to_owned()));
    let edited = blocking.wait(notes.edit(note.id, change)).expect("it is edited");
    assert_eq!((&*edited.text, edited.mark.as_deref()), ("done", Some("seen")));
    let emptied = blocking.wait(notes.edit(note.id, |note| note.mark = None)).expect("it is edited");
    assert_eq!((&*emptied.text, &emptied.mark), ("done", &None));
}
"#;

const NUMBERS: &str = "[1.50,-0,12345678901234567890123.4500]";

pub(crate) fn live() {
    let files = [("service.yaml", SERVICE), ("thing.yaml", THING), ("note.yaml", NOTE)]
        .map(|(name, text)| File::new(name, text));
    let compiled = compile(&files);
    let (model, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let folder = written(&model);
    let running = Setup::of(Builder::interpreted(Interpreted::of(model))).start();
    let created = running.client().post("/things", serde_json::json!({ "name": "raw" })).is(201);
    let id = created.json["id"].as_str().expect("an id").to_owned();
    let path = format!("/things/{id}");
    let digits = format!(r#"[{{"op":"add","path":"/settings","value":{{"numbers":{NUMBERS}}}}}]"#);
    let send = |method: &str, body: &str| {
        let request = Request::bare(method, &path).header("host", "localhost").header("user-agent", "test");
        let request = request.header("accept", PUBLIC);
        request.body(body.as_bytes()).send(running.address()).is(200)
    };
    send("PATCH", &digits);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--offline", "--quiet", "--features", "blocking", "--example", "live", "--"]);
    cargo.args([&running.url(""), &id]).current_dir(&folder).env("CARGO_TARGET_DIR", target);
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let after = send("GET", "").text();
    assert!(after.contains("\"name\":\"precise\"") && after.contains(&format!("\"numbers\":{NUMBERS}")), "{after}");
}

/// The client with the program, in a folder that is the same each time: what did not change is not compiled again.
fn written(model: &restwell_model::Checked) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("free-values");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last run's client can go");
    }
    let package = rust::package(&ClientPlan::of(&Api::of(model))).expect("a client");
    let project = folder.join("client");
    let generated = package.generated.into_iter().map(|file| (format!("{}/{}", package.folder, file.path), file.text));
    let files = generated.chain(package.starters.into_iter().map(|file| (file.path, file.text)));
    for (path, text) in files.chain([("examples/live.rs".to_owned(), PROGRAM.to_owned())]) {
        let path = project.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    share_builds(&project).expect("a workspace around the client can be written");
    project
}
