//! The messages for users: Fluent files beside the YAML, checked by the rules of the model and copied into the
//! generated code, one text for each language.

use crate::diagnostic::{Diagnostic, Label};
use crate::source::{File, Source, Span};
use crate::yaml::MAX_BYTES;
use restwell_model::messages::{self, MessageFile, MessagePlace};
use restwell_model::{Checked, FaultCode};
use std::collections::BTreeMap;

/// What the names of files with messages end in.
pub const ENDING: &str = ".ftl";

/// All messages in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageMessages {
    /// The canonical tag.
    pub language: String,
    /// The files, as generated files name them.
    pub origins: Vec<String>,
    /// The texts of the files, with LF line ends.
    pub text: String,
}

/// The text of a file, or the reason why it cannot be read.
pub(crate) fn read(index: usize, file: &File) -> (Source, Option<Diagnostic>) {
    let fault = |start: usize, end: usize, message: String| {
        Some(Diagnostic::new(FaultCode::FluentSyntax, Span { file: index, start, end }, message))
    };
    if file.bytes.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; the limit is {MAX_BYTES}", file.bytes.len());
        return (Source::new(file, String::new()), fault(0, 0, message));
    }
    match std::str::from_utf8(&file.bytes) {
        Ok(text) => (Source::new(file, text.to_owned()), None),
        Err(error) => {
            let start = error.valid_up_to();
            let end = start + char::REPLACEMENT_CHARACTER.len_utf8();
            let fault = fault(start, end, "the file is not valid UTF-8".to_owned());
            let text = String::from_utf8_lossy(&file.bytes).into_owned();
            (Source::new(file, text), fault.map(|fault| fault.help("save the file as UTF-8")))
        }
    }
}

/// A file that is beside the folder of the schemas.
pub(crate) fn outside(index: usize) -> Diagnostic {
    let place = Span { file: index, start: 0, end: 0 };
    let fault = Diagnostic::new(
        FaultCode::UnreadMessages,
        place,
        "this file is not in the folder of the schemas, so it is not read",
    );
    fault.help("move the folder `messages` into the folder of the schemas")
}

/// The messages of each language, by tag, and their faults. `files` are indexes of sources.
pub(crate) fn check(
    files: &[usize],
    sources: &[Source],
    service: Option<&Checked>,
) -> (Vec<LanguageMessages>, Vec<Diagnostic>) {
    let texts: Vec<_> = files.iter().map(|&index| &sources[index]).collect();
    let borrowed: Vec<_> =
        texts.iter().map(|source| MessageFile { language: language_of(source), text: &source.text }).collect();
    let label = |place: &MessagePlace, text: String| {
        let span = Span { file: files[place.file], start: place.bytes.start, end: place.bytes.end };
        Label { span, text }
    };
    let faults = messages::check(&borrowed, service).into_iter().map(|fault| Diagnostic {
        code: fault.code,
        severity: fault.code.severity(),
        primary: Some(label(&fault.at, String::new())),
        secondary: fault.also.into_iter().map(|(place, text)| label(&place, text)).collect(),
        message: fault.message,
        help: Some(fault.help),
    });
    let faults = faults.collect();

    let mut by_language: BTreeMap<String, Vec<&Source>> = BTreeMap::new();
    for source in texts {
        if let Some(language) = messages::language(language_of(source)) {
            by_language.entry(language).or_default().push(source);
        }
    }
    let by_language = by_language.into_iter().map(|(language, mut sources)| {
        sources.sort_by(|a, b| a.origin.cmp(&b.origin));
        let text = sources.iter().map(|source| source.text.replace("\r\n", "\n") + "\n");
        let text = text.collect::<String>().trim_end().to_owned() + "\n";
        LanguageMessages { language, origins: sources.iter().map(|source| source.origin.clone()).collect(), text }
    });
    (by_language.collect(), faults)
}

/// The file's name without its ending.
fn language_of(source: &Source) -> &str {
    let name = source.origin.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(ENDING).unwrap_or(name)
}
