//! The third form of the specimens: their YAML, interpreted as `restwell serve` does, without generated code.
//!
//! What a team writes in Rust is not there, and nothing else may differ: the cases that need it are listed here by name.

use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// The cases whose command needs its handler: without one it answers 501.
const NEED_HANDLERS: &[&str] = &[];

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
