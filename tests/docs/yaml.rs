//! YAML and messages in the pages, checked as `restwell check` does it.
//!
//! A block is checked beside what the guides suppose: a service whose users are a resource `User`, and a few definitions
//! that the examples name. What a block defines itself takes their place. A block of a resource's keys, or of fields
//! alone, is put into a resource.

use crate::page::Page;
use libtest_mimic::Failed;
use restwell_generator::{File, compile};
use restwell_model::FaultCode;

/// What the examples are beside, each with the line it begins with.
const BESIDE: &[(&str, &str)] = &[
    ("service:", "service: shop\nusers: User\n"),
    (
        "resource: User\n",
        "resource: User\noperations: [list, get]\nfields: { name: { type: string, required: true, filter: true } }\n",
    ),
    (
        "resource: Offer\n",
        "resource: Offer\noperations: [list, get]\nfields: { name: { type: string, required: true } }\n",
    ),
    ("object: Address\n", "object: Address\nfields: { city: { type: string, required: true, filter: true } }\n"),
    ("enum: Colour\n", "enum: Colour\nvalues: [WHITE, BLACK, RED]\n"),
];
/// Words by which a document begins.
const DOCUMENTS: [&str; 4] = ["service:", "resource:", "object:", "enum:"];
/// Keys of a resource; a block that begins with none of them is of fields.
const KEYS: [&str; 18] = [
    "description:",
    "plural:",
    "versions:",
    "retired:",
    "deprecated:",
    "deprecations:",
    "owner:",
    "under:",
    "unique:",
    "operations:",
    "views:",
    "count:",
    "search:",
    "commands:",
    "rules:",
    "lifecycle:",
    "fields:",
    "allow:",
];

/// Checks every block of messages: a file of the name in its first line, beside the same definitions.
pub(crate) fn check_messages(page: &Page) -> Result<(), Failed> {
    let mut mistakes = Vec::new();
    for block in page.blocks("ftl") {
        let text = &page.text[block.range.clone()];
        let name = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let name = name.ok_or_else(|| format!("{}: the first line names no file", page.place(block.line)))?;
        let beside = BESIDE.iter().enumerate().map(|(number, (_, text))| File::new(&format!("{number}.yaml"), *text));
        let files: Vec<File> = beside.chain([File::new(name, text)]).collect();
        mistakes.extend(diagnostics(&files, text).iter().map(|it| format!("{}: {it}", page.place(block.line))));
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n").into()) }
}

/// Checks every block. A warning is a mistake here, too: a guide shows what is right. But what a page defines need not be
/// used there, and an example of something else than operations need not say who may write.
pub(crate) fn check(page: &Page) -> Result<(), Failed> {
    let mut mistakes = Vec::new();
    for block in page.blocks("yaml") {
        let text = &page.text[block.range.clone()];
        for diagnostic in diagnostics(&files(text), text) {
            mistakes.push(format!("{}: {diagnostic}", page.place(block.line)));
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n").into()) }
}

/// A block's documents, with what they are beside.
fn files(block: &str) -> Vec<File> {
    let mut documents: Vec<String> = block.split("---\n").map(document).collect();
    for (begin, text) in BESIDE {
        if !documents.iter().any(|document| document.starts_with(begin)) {
            documents.push((*text).to_owned());
        }
    }
    documents.iter().enumerate().map(|(number, text)| File::new(&format!("{number}.yaml"), text.as_str())).collect()
}

fn diagnostics(files: &[File], block: &str) -> Vec<String> {
    let compiled = compile(files);
    let is_left_out = |code: FaultCode| match code {
        FaultCode::UnusedDefinition => true,
        FaultCode::OpenWrites => !block.lines().any(|line| line.starts_with("operations:")),
        _ => false,
    };
    let faults = compiled.diagnostics.iter().filter(|diagnostic| !is_left_out(diagnostic.code));
    faults.map(|diagnostic| restwell_generator::render::text(diagnostic, &compiled.sources, false)).collect()
}

/// A document from a part of one.
fn document(part: &str) -> String {
    let first = part.lines().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word));
    if begins(&DOCUMENTS) {
        let comments = part.find(first).unwrap_or_default();
        return part[comments..].to_owned();
    }
    if !begins(&KEYS) {
        let fields: String = part.lines().map(|line| format!("  {line}\n")).collect();
        return format!("resource: Example\nfields:\n{fields}");
    }
    let fields = if part.starts_with("fields:") || part.contains("\nfields:") {
        ""
    } else {
        "fields: { name: { type: string }, seller: { type: ref, to: User } }\n"
    };
    format!("resource: Example\n{part}{fields}")
}
