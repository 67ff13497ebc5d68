//! `restwell fmt`.

use super::report::Report;
use super::{Failure, Fmt, files};
use crate::compile::Compiled;
use crate::format::format;
use std::path::Path;

pub(super) fn run(options: &Fmt, report: &Report) -> Result<(), Failure> {
    let mut files = files::read_schemas(&options.dir)?;
    files.retain(|file| !file.is_messages());
    let mut unread = Compiled { sources: Vec::new(), service: None, messages: Vec::new(), diagnostics: Vec::new() };
    let mut changed = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let (source, formatted) = format(index, file);
        unread.sources.push(source);
        match formatted {
            Ok(text) if text.as_bytes() == file.bytes => {}
            Ok(text) => changed.push((file.path.as_str(), text)),
            Err(mut faults) => unread.diagnostics.append(&mut faults),
        }
    }
    report.diagnostics(&unread);
    if options.check {
        changed.iter().for_each(|(path, _)| report.failure(&format!("not formatted: {path}")));
    } else {
        files::write_all(Path::new(""), changed.iter().map(|(path, text)| (*path, text.as_str())))?;
    }
    match (unread.diagnostics.is_empty(), options.check && !changed.is_empty()) {
        (false, _) => Err(Failure::Reported),
        (true, true) => Err(Failure::Other("the schemas are not formatted: run `restwell fmt`".to_owned())),
        (true, false) => {
            let (all, written) = (files.len(), changed.len());
            report.done(&format!("{}: {written} of {all} files formatted", options.dir.display()));
            Ok(())
        }
    }
}
