//! Rules read what a change leaves, also where a reference, `any` or `count` leads back to the entity that is written:
//! on both stores, before the row is stored, and as `import` verifies it.

use crate::access::model;
use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::testing::{Running, TestResponse, copy};
use restwell::{Builder, Interpreted};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const SERVICE: &str = "service: archive\n";

/// `count` and `any` of folders come back at once, by a note or a folder of a folder after two steps.
const FOLDER: &str = r#"
resource: Folder
operations:
  create: { access: anyone }
  get: { access: anyone }
  update: { access: anyone }
  patch: { access: anyone }
rules:
  - { check: 'parent == null || parent.level < level', code: TooHigh, path: parent }
  - { check: 'other == null || other.other == null || other.other.level < 50', code: TooFar, path: other }
  - { check: 'count(Folder.other) < 3', code: Crowded }
  - { check: '!any(Folder.other, name == "lonely")', code: Lonely }
  - { check: '!any(Note.folder, size > folder.level)', code: Overfull, path: level }
  - { check: '!any(Folder.other, any(Folder.other, name == "grandchild"))', code: Descended }
fields:
  name: { type: string, maxLength: 20 }
  level: { type: integer, required: true }
  parent: { type: ref, to: Folder }
  other: { type: ref, to: Folder }
  tags: { type: array, items: { type: string } }
  isOpen: { type: boolean, default: true }
  worth: { type: price }
  weight: { type: decimal, scale: 3 }
  ratio: { type: number }
  since: { type: date }
  until: { type: time }
  code: { type: uuid }
  others: { type: array, items: { type: ref, to: Folder } }
  title: { type: string, required: { when: 'count(Folder.other, level < 50) > 1' } }
"#;

const NOTE: &str = "
resource: Note
operations: { create: { access: anyone } }
fields:
  folder: { type: ref, to: Folder, required: true }
  size: { type: integer, required: true }
";

struct Archive(Running);

impl Archive {
    fn made(&self, fields: &Value) -> String {
        let made = self.0.client().post("/folders", fields).is(201).json["id"].clone();
        made.as_str().expect("an id").to_owned()
    }

    fn put(&self, id: &str, fields: &Value) -> TestResponse {
        self.0.client().put(&format!("/folders/{id}"), fields)
    }

    /// The codes of the errors of a PUT, without and with a dry run, and of the same PUT once more; none where it is
    /// accepted.
    #[track_caller]
    fn refuses(&self, id: &str, fields: &Value, expected: &[&str]) {
        let dry = self.0.client().put(&format!("/folders/{id}?dryRun=true"), fields);
        for reply in [dry, self.put(id, fields), self.put(id, fields)] {
            assert_eq!(codes(&reply), expected, "{fields}");
        }
    }

    #[track_caller]
    fn accepts(&self, id: &str, fields: &Value) {
        self.put(id, fields).is(200);
    }
}

fn codes(reply: &TestResponse) -> Vec<&str> {
    let errors = reply.json["errors"].as_array().map_or(&[][..], Vec::as_slice);
    let errors =
        if errors.is_empty() && reply.json["code"].is_string() { std::slice::from_ref(&reply.json) } else { errors };
    errors.iter().filter_map(|error| error["code"].as_str()).collect()
}

fn to(id: &str) -> Value {
    json!({ "id": id })
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let files = [SERVICE, FOLDER, NOTE];
    let store = OwnStore::new(server);
    let archive = Archive(store.setup(Builder::interpreted(Interpreted::of(model(&files)))).start());
    by_references(&archive);
    from_the_other_side(&archive);
    after_two_steps(&archive);
    drop(archive);
    let target = OwnStore::new(server);
    let of_files = || model(&files).into_inner();
    copy((of_files(), &store.url()), (of_files(), &target.url())).map_err(Failed::from)
}

fn by_references(archive: &Archive) {
    let folder = archive.made(&json!({ "level": 1 }));
    archive.refuses(&folder, &json!({ "level": 2, "parent": to(&folder) }), &["TooHigh"]);
    let patch = json!([{ "op": "replace", "path": "/parent", "value": to(&folder) }]);
    let patched = archive.0.client().patch(&format!("/folders/{folder}"), patch);
    assert_eq!(codes(&patched), ["TooHigh"]);
    // beside a value that is not valid, and left out where that value is one that it reads, however it gets there
    archive.refuses(&folder, &json!({ "level": 2, "parent": to(&folder), "name": 5 }), &["WrongType", "TooHigh"]);
    archive.refuses(&folder, &json!({ "level": "2", "parent": to(&folder) }), &["WrongType"]);
    archive.refuses(&folder, &json!({ "level": "2", "other": to(&folder) }), &["WrongType"]);
    // by another one
    let second = archive.made(&json!({ "level": 2, "other": to(&folder) }));
    archive.refuses(&folder, &json!({ "level": 60, "other": to(&second) }), &["TooFar"]);
    archive.accepts(&folder, &json!({ "level": 40, "other": to(&second) }));
    archive.accepts(&folder, &json!({ "level": 1 }));
}

fn from_the_other_side(archive: &Archive) {
    let folder = archive.made(&json!({ "level": 1, "title": "two" }));
    for _ in 0..2 {
        archive.made(&json!({ "level": 1, "other": to(&folder) }));
    }
    // itself is the third
    archive.refuses(&folder, &json!({ "level": 1, "other": to(&folder), "title": "three" }), &["Crowded"]);
    let alone = archive.made(&json!({ "level": 1 }));
    archive.refuses(&alone, &json!({ "level": 1, "other": to(&alone), "name": "lonely" }), &["Lonely"]);
    archive.accepts(&alone, &json!({ "level": 1, "other": to(&alone), "name": "not" }));
    // what is stored still refers to itself, and will not any more
    archive.accepts(&alone, &json!({ "level": 1, "name": "lonely" }));
    archive.accepts(&alone, &json!({ "level": 1, "other": to(&alone), "name": "not" }));
    archive.made(&json!({ "level": 1, "other": to(&alone) }));
    archive.accepts(&alone, &json!({ "level": 1, "other": to(&alone), "title": "two", "name": "not" }));
    archive.refuses(&alone, &json!({ "level": 1, "other": to(&alone), "name": "not" }), &["Required"]);
    archive.accepts(&alone, &json!({ "level": 1, "name": "not" }));
}

fn after_two_steps(archive: &Archive) {
    let folder = archive.made(&json!({ "level": 5 }));
    archive.0.client().post("/notes", json!({ "folder": to(&folder), "size": 3 })).is(201);
    archive.refuses(&folder, &json!({ "level": 2 }), &["Overfull"]);
    let full = json!({
        "level": 2, "tags": ["a"], "isOpen": false, "worth": { "amount": "1.50", "currency": "PLN" }, "weight": "1.125",
        "ratio": 0.5, "since": "2027-01-02", "until": "12:30:00.000", "code": folder, "others": [to(&folder)]
    });
    archive.refuses(&folder, &full, &["Overfull"]);
    archive.accepts(&folder, &json!({ "level": 3 }));
    let child = archive.made(&json!({ "level": 1, "other": to(&folder) }));
    // a folder whose folder is itself
    archive.refuses(&folder, &json!({ "level": 3, "other": to(&child), "name": "grandchild" }), &["Descended"]);
    archive.accepts(&folder, &json!({ "level": 3, "other": to(&child), "name": "other" }));
    archive.accepts(&folder, &json!({ "level": 3, "name": "grandchild" }));
}
