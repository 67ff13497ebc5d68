//! Words of both databases as names: their keywords, system columns and prefixes, and names that PostgreSQL would cut
//! to the same one.

use super::start;
use restwell::testing::Running;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The keywords of SQLite 3.50 and PostgreSQL 15, in camelCase.
const KEYWORDS: &str = include_str!("keywords.txt");

/// Columns that a database has in every table, and other names of SQLite's rows.
const COLUMNS: [&str; 8] = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid", "oid", "rowid"];

/// Resources whose tables would have a prefix that a database keeps for itself.
const RESOURCES: [(&str, &str); 4] = [
    ("SqliteBackup", "sqlite-backups"),
    ("SqliteSequence", "sqlite-sequences"),
    ("PgRole", "pg-roles"),
    ("PgClass", "pg-classes"),
];

/// What the rules refuse whatever the database is.
const REFUSED_FIELDS: [&str; 7] = ["after", "at", "words", "offset", "limit", "search", "include"];

/// Names that differ behind the 63rd byte alone.
fn long_names() -> [String; 2] {
    let start = format!("a{}", "VeryLongWord".repeat(6));
    ["One", "Two"].map(|end| format!("{start}{end}"))
}

pub(super) fn words_answer(start: impl FnOnce(&str) -> Running) {
    let keywords = KEYWORDS.split_whitespace().filter(|word| !REFUSED_FIELDS.contains(word));
    let fields: Vec<String> =
        keywords.map(str::to_owned).chain(COLUMNS.map(str::to_owned)).chain(long_names()).collect();
    let mut documents = "service: words\n".to_owned();
    let allow = "allow: { singular-field: \"a word of the database\" }";
    let mut resources: Vec<(String, String, Vec<&String>)> = Vec::new();
    // few enough fields for a small table with its indexes
    for (index, part) in fields.chunks(60).enumerate() {
        resources.push((format!("Part{index}"), format!("parts{index}"), part.iter().collect()));
    }
    for (name, plural) in RESOURCES {
        resources.push((name.to_owned(), plural.to_owned(), fields.iter().rev().take(4).collect()));
    }
    for (name, _, fields) in &resources {
        let _ = write!(documents, "---\nresource: {name}\n{allow}\nfields:\n");
        for field in fields {
            let _ = writeln!(documents, "  {field}: {{ type: string, filter: true, sort: true, unique: true }}");
        }
    }
    let service = start(&documents);
    for (_, plural, fields) in &resources {
        let body: Map<_, _> = fields.iter().map(|field| ((*field).clone(), Value::from(field.as_str()))).collect();
        let made = service.client().post(&format!("/{plural}"), Value::Object(body)).is(201).json;
        for field in fields {
            assert_eq!(made[field.as_str()], field.as_str());
            let found = service.client().get(&format!("/{plural}?{field}={field}&sort=-{field}")).is(200).json;
            assert_eq!(found["count"], 1, "{plural}: {field}");
        }
    }
}

/// The keywords are tables too.
pub(super) fn keywords_are_tables(start: impl FnOnce(&str) -> Running) {
    let mut documents = "service: tables\n".to_owned();
    let mut plurals = Vec::new();
    for (index, word) in KEYWORDS.split_whitespace().enumerate() {
        // the plural is the keyword itself, so that the table is called so
        let plural = restwell_model::names::kebab(word);
        let _ = write!(documents, "---\nresource: Thing{index}\nplural: \"{plural}\"\n");
        documents.push_str(
            "allow: { plural-path: \"a word of the database\" }\nfields:\n  name: { type: string, filter: true }\n",
        );
        plurals.push(plural);
    }
    let service = start(&documents);
    for plural in plurals {
        service.client().post(&format!("/{plural}"), json!({ "name": "one" })).is(201);
        assert_eq!(service.client().get(&format!("/{plural}?name=one")).is(200).json["count"], 1, "{plural}");
    }
}

/// A field that a database keeps for itself has a column of another name, and the API has the name of the field.
pub(super) fn the_api_has_the_name_of_the_field() {
    let service = start("service: words\n---\nresource: Offer\nfields:\n  xmin: { type: integer, required: true }\n");
    let refused = service.client().post("/offers", json!({})).is(422);
    assert_eq!(refused.errors(), [("Required", Some("xmin"))]);
}
