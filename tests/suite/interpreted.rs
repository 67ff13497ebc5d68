//! The third form of the specimens: their YAML, interpreted as `restwell serve` does, without generated code.
//!
//! What a team writes in Rust is not there, and nothing else may differ: the cases that need it are listed here by name.

use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The variable by which this program runs only the cases that are excepted, on SQLite.
const EXCEPTED: &str = "RESTWELL_TESTS_EXCEPTED";

/// The cases whose command needs its handler: without one it answers 501.
const NEED_HANDLERS: &[&str] = &[
    "Languages: the message of a handler's own code is in the reader's language",
    "Languages: a stored error is in the language of each reader",
    "Languages: each language of a failed command has its own entity tag",
    "§4.7 PUT answers 201 with the command, RUNNING, and its Location",
    "§3 a command that is done is SUCCESSFUL, with its output",
    "§3 the same command sent again is done once",
    "§3 32 clients send one command at once: 201 each, done once",
    "§3 a command that fails is FAILED, with errors, and does nothing",
    "§2.6 the input is echoed with its defaults, null and write-only as in entities",
    "Commands: another body, type or target with a known id is 422 CommandIdUsed",
    "Commands: an id that is not a UUID is 422 at commandId, and 404 on GET",
    "Commands: a panic is FAILED InternalError",
    "Commands: past its timeout a command is FAILED Timeout",
    "Commands: an unexpected error is FAILED InternalError, without its reason",
    "Commands: what the store refuses fails the command",
    "Commands: what breaks the resource's constraints fails the command",
    "Commands: a handler reads what it wrote",
    "unique: ignoreCase: a handler's creation is refused",
    "Commands: a command may delete its entity, and is seen all the same",
    "Commands: target 404, 403, 501, then 422",
    "Commands: a handler that saves an entity keeps the digits of its JSON",
    "§2.6 commands take and give maps and JSON",
    "Commands: a fault in a map or in JSON among the inputs has a path",
    "Commands: all that is wrong is listed together",
    "Commands: a dry run is 204 and does nothing",
    "Commands: a list holds the commands of one type that an entity was sent",
    "Commands: a list is filtered by status, sorted and paged",
    "Commands: errors in a list are in the language of the reader",
    "Commands: a finished command is 410 after the retention, and is not executed again",
    "§7.2 every documented status of every operation occurs: specimens",
    "§6 the changes of status are events",
    "Caching: a command has an entity tag",
    "Own paths: /metrics counts commands by status",
];

/// Every name in the list is that of a case.
pub(crate) fn check() -> Result<(), String> {
    let unknown = NEED_HANDLERS.iter().find(|title| crate::cases::all().all(|(known, _)| known != **title));
    unknown.map_or(Ok(()), |title| Err(format!("there is no case `{title}`")))
}

/// No case of the list passes on SQLite: one that does is not excepted any more. This program is asked again, for these.
pub(crate) fn check_exceptions() -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(this).env(EXCEPTED, "1").output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let ends = |end: &str| printed.lines().filter(|line| line.starts_with("test ") && line.ends_with(end)).count();
    match (ends("... FAILED"), ends("... ok")) {
        (failed, 0) if failed == NEED_HANDLERS.len() => Ok(()),
        (failed, passed) => Err(format!("of the cases that are excepted {failed} fail and {passed} pass:\n{printed}")),
    }
}

/// Whether this program was started for the cases that are excepted.
pub(crate) fn is_for_excepted() -> bool {
    std::env::var_os(EXCEPTED).is_some()
}

/// Whether a case is one that the interpreted form cannot pass.
pub(crate) fn is_excepted(title: &str) -> bool {
    NEED_HANDLERS.contains(&title)
}

/// The service of `schemas/`.
pub(crate) fn service() -> Builder {
    static SERVICE: OnceLock<Interpreted> = OnceLock::new();
    Builder::interpreted(SERVICE.get_or_init(interpret).clone())
}

fn interpret() -> Interpreted {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let compiled = compile(&files(&folder));
    let (model, _) = compiled.service.expect("the schemas are right");
    let messages = compiled.messages.into_iter().map(|messages| (messages.language, messages.text)).collect();
    Interpreted { messages, ..Interpreted::of(model) }
}

fn files(folder: &Path) -> Vec<File> {
    let mut paths = Vec::new();
    for folder in [folder.to_owned(), folder.join("messages")] {
        let entries = fs::read_dir(folder).expect("the folder is there");
        paths.extend(entries.map(|entry| entry.expect("a file").path()).filter(|path| path.is_file()));
    }
    paths.sort();
    paths.iter().map(|path| File::new(&path.to_string_lossy(), fs::read(path).expect("it can be read"))).collect()
}
