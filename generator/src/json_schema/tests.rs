//! The schema and the parser know one language: every key of every table, with values of every sort.
//!
//! What the parser refuses, the schema refuses. What the schema refuses beyond that (names in the wrong case, defaults
//! of the wrong type), the rules of the model refuse. Neither is so for a key with the value that its table gives as an
//! example.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use super::json_schema;
use crate::interpret::interpret;
use crate::interpret::keys::{self, KeySpec, KeyTable};
use crate::source::File;
use crate::yaml::{self, Node};
use jsonschema::Validator;
use restwell_model::check::Severity;
use restwell_model::{Checked, Fault};
use serde_json::{Map, Value, json};

/// What the documents under test refer to.
const CONTEXT: [&str; 3] = [
    "service: shop\nusers: User\n",
    "resource: User\nfields: { name: { type: string }, email: { type: string }, \
     externalId: { type: string, unique: true, readOnly: true } }\n",
    "enum: Shade\nvalues: [RED]\n",
];

/// A kind of mapping, and how one becomes a document.
struct Site {
    tables: Vec<&'static KeyTable>,
    /// `type: string`, where there is a type.
    ty: Option<&'static str>,
    place: fn(&Value) -> Value,
}

fn sites() -> Vec<Site> {
    let site = |table: &'static KeyTable, place| Site { tables: vec![table], ty: None, place };
    let mut sites: Vec<Site> = keys::DOCUMENT_TABLES.into_iter().map(|table| site(table, Value::clone)).collect();
    sites.push(site(&keys::CONTACT, |m| json!({ "service": "shop", "contact": m })));
    sites.push(site(&keys::LICENSE, |m| json!({ "service": "shop", "license": m })));
    sites.push(site(&keys::USERS, |m| json!({ "service": "shop", "users": m })));
    sites.push(site(&keys::OPERATION, |m| json!({ "resource": "Offer", "operations": { "create": m }, "fields": {} })));
    sites.push(site(&keys::VIEW, |m| json!({ "resource": "Offer", "views": { "sale": m }, "fields": {} })));
    sites.push(site(&keys::COMMAND, |m| json!({ "resource": "Offer", "commands": { "renew": m }, "fields": {} })));
    let typed = |common: &'static KeyTable, table: &'static KeyTable, place| {
        let ty = if *table == keys::NAMED { "Shade" } else { table.what };
        Site { tables: vec![common, table], ty: Some(ty), place }
    };
    for table in keys::TYPES.iter().chain([&keys::NAMED]) {
        let is_array = table.what == "array";
        sites.push(typed(&keys::FIELD, table, if is_array { names } else { name }));
        if !is_array {
            sites.push(typed(&keys::ITEMS, table, |m| names(&json!({ "type": "array", "items": m }))));
        }
    }
    sites
}

fn name(field: &Value) -> Value {
    json!({ "resource": "Offer", "fields": { "name": field } })
}

fn names(field: &Value) -> Value {
    json!({ "resource": "Offer", "fields": { "names": field } })
}

impl Site {
    fn keys(&self) -> impl Iterator<Item = &'static KeySpec> {
        self.tables.iter().flat_map(|table| table.keys)
    }

    /// What must be there, as the tables show it.
    fn smallest(&self) -> Map<String, Value> {
        let value = |key: &KeySpec| match (key.name, self.ty) {
            ("type", Some(ty)) => json!(ty),
            _ => key.example.unwrap_or_else(|| panic!("{} has an example", key.name)).json(),
        };
        self.keys().filter(|key| key.is_required).map(|key| (key.name.to_owned(), value(key))).collect()
    }

    fn document(&self, mapping: Map<String, Value>) -> Value {
        (self.place)(&Value::Object(mapping))
    }
}

/// What each of the two says of a document.
struct Judge {
    validator: Validator,
    context: Vec<Node>,
}

impl Judge {
    fn new() -> Self {
        let context = CONTEXT.iter().map(|text| read(text));
        Self { validator: jsonschema::draft202012::new(&json_schema()).unwrap(), context: context.collect() }
    }

    /// Whether the parser takes it, and what the rules find.
    fn read(&self, document: &Value) -> (bool, Vec<Fault>) {
        let is_service = document.get("service").is_some();
        let mut documents = self.context.clone();
        documents.retain(|other| !is_service || other.entry("service").is_none());
        documents.push(read(&text(document)));
        let interpreted = interpret(&documents, true);
        let faults = Checked::new(interpreted.service).err().unwrap_or_default();
        let errors = faults.into_iter().filter(|fault| fault.severity == Severity::Error);
        (interpreted.diagnostics.is_empty(), errors.collect())
    }

    /// Compares the two on a document that differs in one thing from another; `None` where they agree.
    fn disagreement(&self, document: &Value, known: &[Fault]) -> Option<String> {
        let (is_read, faults) = self.read(document);
        let is_refused = !is_read || faults.iter().any(|fault| !known.contains(fault));
        match (self.validator.is_valid(document), is_read, is_refused) {
            (true, false, _) => Some(format!("the schema takes what the parser refuses: {document}")),
            (false, _, false) => Some(format!("the schema refuses what is right: {document}")),
            _ => None,
        }
    }
}

/// A document as YAML, which JSON is, the key that says what it is first.
fn text(document: &Value) -> String {
    let mut rest = document.as_object().unwrap().clone();
    let kind = keys::DOCUMENTS.iter().find_map(|kind| rest.remove_entry(*kind));
    let members: Vec<String> = kind.into_iter().chain(rest).map(|(key, value)| format!("{key:?}: {value}")).collect();
    format!("{{ {} }}", members.join(", "))
}

fn read(text: &str) -> Node {
    yaml::read(0, &File::new("test.yaml", text)).1.unwrap()
}

/// Values of every sort.
fn samples() -> Vec<Value> {
    let scalars = [json!(null), json!(true), json!(7), json!(-7), json!(1.5), json!(""), json!("word!"), json!("name")];
    let lists = [json!([]), json!([7]), json!([null]), json!(["word!"]), json!([["word!"]]), json!([{}])];
    let mappings =
        [json!({}), json!({ "zzz": 1 }), json!({ "zzz": {} }), json!({ "zzz": null }), json!({ "create": null })];
    [&scalars[..], &lists, &mappings].concat()
}

#[test]
fn every_key_is_known_with_its_example() {
    let judge = Judge::new();
    for site in sites() {
        for key in site.keys().filter(|key| key.name != "type") {
            for value in [key.example, key.default].into_iter().flatten() {
                let mut mapping = site.smallest();
                mapping.insert(key.name.to_owned(), value.json());
                let document = site.document(mapping);
                assert!(judge.read(&document).0, "the parser: {document}");
                assert!(judge.validator.is_valid(&document), "the schema: {document}");
            }
        }
    }
}

#[test]
fn a_value_of_any_sort_is_refused_by_both_or_by_neither() {
    let judge = Judge::new();
    let mut disagreements = Vec::new();
    for site in sites() {
        let known = judge.read(&site.document(site.smallest())).1;
        for key in site.keys() {
            let documents = samples().into_iter().map(|sample| {
                let mut mapping = site.smallest();
                mapping.insert(key.name.to_owned(), sample);
                site.document(mapping)
            });
            disagreements.extend(documents.filter_map(|document| judge.disagreement(&document, &known)));
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

#[test]
fn an_unknown_key_and_a_missing_one_are_refused_by_both() {
    let judge = Judge::new();
    for site in sites() {
        let mut unknown = site.smallest();
        unknown.insert("zzz".to_owned(), json!(1));
        let missing = site.smallest().into_iter().map(|(name, _)| {
            let mut mapping = site.smallest();
            mapping.remove(&name);
            mapping
        });
        for mapping in missing.chain([unknown]) {
            let document = site.document(mapping);
            assert!(!judge.read(&document).0, "the parser: {document}");
            assert!(!judge.validator.is_valid(&document), "the schema: {document}");
        }
    }
}

#[test]
fn a_key_of_one_type_is_none_of_another() {
    let judge = Judge::new();
    for site in sites().iter().filter(|site| site.ty.is_some()) {
        for key in
            keys::TYPES.iter().flat_map(|table| table.keys).filter(|key| site.keys().all(|own| own.name != key.name))
        {
            let mut mapping = site.smallest();
            mapping.insert(key.name.to_owned(), key.example.unwrap_or(keys::Literal::Text("null")).json());
            let document = site.document(mapping);
            assert!(!judge.read(&document).0, "the parser: {document}");
            assert!(!judge.validator.is_valid(&document), "the schema: {document}");
        }
    }
}
