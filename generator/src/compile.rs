//! Compiles files into a checked service: read, interpret, check. The faults of all stages are reported together,
//! except those that only follow from an earlier fault.

use crate::data_loss;
use crate::diagnostic::{Diagnostic, Label};
use crate::interpret::{self, Interpreted, Poisoned, SourceMap, SourceTarget};
use crate::messages::{self, LanguageMessages};
use crate::parallel;
use crate::source::{File, Source, Span};
use crate::yaml::{self, Node};
use restwell_model::{Checked, Fault, FaultCode, ModelPath};
use std::collections::BTreeMap;
use std::ops::Range;

/// The files, read, and what came of them.
#[derive(Debug)]
pub struct Compiled {
    /// The texts, in the order of the files.
    pub sources: Vec<Source>,
    /// The service with the places of its definitions; `None` if there is an error.
    pub service: Option<(Checked, Origins)>,
    /// What the team's messages say, language by language; nothing of it where anything is wrong.
    pub messages: Vec<LanguageMessages>,
    /// Mistakes and warnings, in the order of files and places.
    pub diagnostics: Vec<Diagnostic>,
}

/// The place of each definition, inline ones included.
pub type Origins = BTreeMap<String, Origin>;

/// The place of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What its document defines: itself, or what it is written in.
    pub document: String,
    /// The file of the document, as generated files name it.
    pub file: String,
}

/// The model that a project's last migration led to.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// The recorded model.
    pub model: &'a Checked,
    /// Changes that lose data are allowed (`--allow-drop`).
    pub consent: bool,
    /// The model of a migration that is written anew: the losses that it has were allowed before.
    pub draft: Option<&'a Checked>,
}

/// Compiles files, in the order given.
#[must_use]
pub fn compile(files: &[File]) -> Compiled {
    compile_after(files, None)
}

/// Compiles files, and reports changes of the previous model that no migration can make.
#[must_use]
pub fn compile_after(files: &[File], before: Option<Before<'_>>) -> Compiled {
    let mut sources = Vec::with_capacity(files.len());
    let mut documents = Vec::with_capacity(files.len());
    let mut diagnostics = Vec::new();
    let (mut texts, mut unread, mut outside) = (Vec::new(), Vec::new(), Vec::new());
    for (index, file) in parallel::indexed(files, ReadFile::read).into_iter().enumerate() {
        match file {
            ReadFile::Schema(source, document, mut faults) => {
                sources.push(source);
                documents.extend(document);
                diagnostics.append(&mut faults);
            }
            ReadFile::Messages(source, fault) => {
                sources.push(source);
                if fault.is_none() {
                    texts.push(index);
                }
                unread.extend(fault);
            }
            ReadFile::Outside(source) => {
                sources.push(source);
                outside.push(messages::outside(index));
            }
        }
    }
    let is_whole = documents.len() == files.iter().filter(|file| !file.is_messages()).count();
    let service = check(&documents, is_whole, &sources, before, &mut diagnostics);
    let (messages, message_faults) = messages::check(&texts, &sources, service.as_ref().map(|(service, _)| service));
    let are_messages_valid = unread.is_empty() && !message_faults.iter().any(Diagnostic::is_error);
    diagnostics.extend(unread.into_iter().chain(message_faults).chain(outside));
    if diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.retain(|diagnostic| diagnostic.code != FaultCode::OpenWrites);
    }
    diagnostics.sort_by(|a, b| a.order().cmp(&b.order()));
    match service.filter(|_| are_messages_valid) {
        Some(service) => Compiled { sources, service: Some(service), messages, diagnostics },
        None => Compiled { sources, service: None, messages: Vec::new(), diagnostics },
    }
}

/// What a file contains.
enum ReadFile {
    Schema(Source, Option<Node>, Vec<Diagnostic>),
    Messages(Source, Option<Diagnostic>),
    Outside(Source),
}

impl ReadFile {
    fn read(index: usize, file: &File) -> Self {
        if file.is_outside() {
            return Self::Outside(Source::new(file, String::from_utf8_lossy(&file.bytes).into_owned()));
        }
        if file.is_messages() {
            let (source, fault) = messages::read(index, file);
            return Self::Messages(source, fault);
        }
        let (source, document, faults) = yaml::read(index, file);
        Self::Schema(source, document, faults)
    }
}

fn check(
    documents: &[Node],
    is_whole: bool,
    sources: &[Source],
    before: Option<Before<'_>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Checked, Origins)> {
    let Interpreted { service, places, poisoned, diagnostics: mut misread } = interpret::interpret(documents, is_whole);
    diagnostics.append(&mut misread);
    let is_clean = diagnostics.is_empty();
    let (checked, faults) = match Checked::new(service) {
        Ok(checked) => {
            let warnings = checked.warnings().to_vec();
            (Some(checked), warnings)
        }
        Err(faults) => (None, faults),
    };
    // an exemption may be for what could not be read
    let faults = faults.iter().filter(|fault| is_clean || fault.code != FaultCode::UnusedAllow);
    diagnostics.extend(faults.filter_map(|fault| locate(fault, &places, &poisoned, sources)));
    let lost: Vec<_> = match (&checked, before) {
        (Some(now), Some(before)) if is_clean => data_loss::between(before, now, &places),
        _ => Vec::new(),
    };
    let is_clean = is_clean && lost.is_empty();
    diagnostics.extend(lost);
    let origins = places.documents().map(|(name, document, file)| {
        let origin = Origin { document: document.to_owned(), file: sources[file].origin.clone() };
        (name.to_owned(), origin)
    });
    let origins = origins.collect();
    checked.filter(|_| is_clean).map(|checked| (checked, origins))
}

/// A fault of the model at its place in the files; `None` where it follows from what was already reported.
fn locate(fault: &Fault, places: &SourceMap<'_>, poisoned: &Poisoned, sources: &[Source]) -> Option<Diagnostic> {
    let target = |path: &ModelPath| places.resolve(path);
    let primary = target(&fault.at);
    if poisoned.explains(fault.code, primary) {
        return None;
    }
    let label = |path: &ModelPath, text: &str| Some(Label { span: target(path)?.span, text: text.to_owned() });
    Some(Diagnostic {
        code: fault.code,
        severity: fault.severity,
        primary: primary
            .map(|target| Label { span: part_of(target, fault.within.as_ref(), sources), text: String::new() }),
        secondary: fault.also.iter().filter_map(|(path, text)| label(path, text)).collect(),
        message: fault.message.clone(),
        help: fault.help.clone(),
    })
}

/// The place of a part of a text, as it is written.
fn part_of(target: SourceTarget<'_>, part: Option<&Range<usize>>, sources: &[Source]) -> Span {
    let span = target.span;
    let found = part.zip(target.node.and_then(Node::text)).and_then(|(part, text)| {
        let range = yaml::place_of_part(&sources.get(span.file)?.text, &span.range(), text, part)?;
        Some(Span { start: range.start, end: range.end, ..span })
    });
    found.unwrap_or(span)
}
