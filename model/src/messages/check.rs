//! What can be wrong with a team's messages.

use super::read::{Named, Read, Use, Word, read};
use super::{BUILT_IN, FUNCTION, MessageFault, MessageFile, MessagePlace, id, language, lookup};
use crate::check::{Checked, suggestion};
use crate::{ErrorCode, FaultCode};
use std::collections::{BTreeMap, BTreeSet};

/// All that is wrong, file by file. Where the service has faults itself, what its fields are is not known.
#[must_use]
pub fn check(files: &[MessageFile<'_>], service: Option<&Checked>) -> Vec<MessageFault> {
    let mut faults = Vec::new();
    let mut languages = Languages::new();
    for (index, file) in files.iter().enumerate() {
        let mut read = read(index, file.text);
        faults.append(&mut read.faults);
        match language(file.language) {
            Some(language) => languages.entry(language).or_default().push(read),
            None => faults.push(unknown_language(index, file.language)),
        }
    }
    for (tag, files) in &languages {
        let spoken = Spoken::of(tag, files, &mut faults);
        for message in files.iter().flat_map(|file| &file.messages) {
            check_message(message, &spoken, service, &mut faults);
        }
        for term in files.iter().flat_map(|file| &file.terms) {
            term.uses.iter().for_each(|used| check_use(used, None, &spoken, &mut faults));
        }
    }
    find_missing(&languages, &mut faults);
    faults.sort_by_key(|fault| (fault.at.file, fault.at.bytes.start));
    faults
}

/// The files of each language.
type Languages<'t> = BTreeMap<String, Vec<Read<'t>>>;

fn fault(code: FaultCode, at: &MessagePlace, message: String, help: impl Into<String>) -> MessageFault {
    MessageFault { code, at: at.clone(), also: None, message, help: help.into() }
}

fn unknown_language(file: usize, tag: &str) -> MessageFault {
    let at = MessagePlace { file, bytes: 0..0 };
    let help = "name the language by its tag: `pl`, `de`, `pt-BR`";
    fault(FaultCode::UnknownLanguage, &at, format!("there is no language `{tag}`"), help)
}

/// A language's terms.
struct Spoken<'a, 't> {
    tag: &'a str,
    terms: BTreeMap<&'t str, &'a Named<'t>>,
}

impl<'a, 't> Spoken<'a, 't> {
    /// Tells what is there twice, too.
    fn of(tag: &'a str, files: &'a [Read<'t>], faults: &mut Vec<MessageFault>) -> Self {
        let mut seen = BTreeMap::new();
        for message in files.iter().flat_map(|file| &file.messages) {
            if let Some(first) = seen.insert(message.name.text, message) {
                faults.push(repeated(first, message, tag));
            }
        }
        let mut terms = BTreeMap::new();
        for term in files.iter().flat_map(|file| &file.terms) {
            if let Some(first) = terms.insert(term.name.text, term) {
                faults.push(repeated(first, term, tag));
            }
        }
        Self { tag, terms }
    }
}

fn repeated(first: &Named<'_>, second: &Named<'_>, tag: &str) -> MessageFault {
    let message = format!("`{}` has two messages in `{tag}`", second.name.text);
    let also = Some((first.name.at.clone(), "here is the other".to_owned()));
    let fault = fault(FaultCode::DuplicateMessage, &second.name.at, message, "leave one of them out");
    MessageFault { also, ..fault }
}

fn check_message(
    message: &Named<'_>,
    spoken: &Spoken<'_, '_>,
    service: Option<&Checked>,
    faults: &mut Vec<MessageFault>,
) {
    let name = message.name.text;
    if let Err(none) = id::check(name, service) {
        faults.push(fault(FaultCode::UnknownMessage, &message.name.at, none.message, none.help));
    }
    for attribute in &message.attributes {
        let text = format!("nobody reads the attribute `.{}` of the message `{name}`", attribute.text);
        let help = format!("write what users are to be told after `{name} =`");
        faults.push(fault(FaultCode::MessageAttribute, &attribute.at, text, help));
    }
    message.uses.iter().for_each(|used| check_use(used, Some(name), spoken, faults));
}

/// What a message puts into its text; a term knows nothing of the error, and has no name here.
fn check_use(used: &Use<'_>, message: Option<&str>, spoken: &Spoken<'_, '_>, faults: &mut Vec<MessageFault>) {
    let unknown =
        |word: &Word<'_>, text: String, help: String| fault(FaultCode::UnknownReference, &word.at, text, help);
    match used {
        // a term's variables are what it is called with
        Use::Variable(word) => faults.extend(message.and_then(|message| check_variable(word, message))),
        Use::Function(word) if word.text == FUNCTION => {}
        Use::Function(word) => {
            let text = format!("there is no function `{}`", word.text);
            faults.push(unknown(word, text, format!("`{FUNCTION}` is the only one")));
        }
        Use::Message(word) => {
            let text = format!("`{}` is a message, and no part of another", word.text);
            let help = "make the words that both need a term, as in `-brand = Restwell`, used as `{ -brand }`";
            faults.push(unknown(word, text, help.to_owned()));
        }
        Use::Term(word, attribute) => match (spoken.terms.get(word.text), attribute) {
            (None, _) => {
                let text = format!("there is no term `-{}` in `{}`", word.text, spoken.tag);
                let near = suggestion(word.text, spoken.terms.keys().copied());
                let help = near.unwrap_or_else(|| format!("add `-{} = …` to the file", word.text));
                faults.push(unknown(word, text, help));
            }
            (Some(term), Some(attribute)) if !term.attributes.iter().any(|it| it.text == attribute.text) => {
                let text = format!("the term `-{}` has no attribute `.{}`", word.text, attribute.text);
                let known = term.attributes.iter().map(|attribute| attribute.text);
                let help = suggestion(attribute.text, known);
                let help = help.unwrap_or_else(|| format!("add `.{} = …` below the term", attribute.text));
                faults.push(unknown(attribute, text, help));
            }
            (Some(_), _) => {}
        },
    }
}

fn check_variable(word: &Word<'_>, message: &str) -> Option<MessageFault> {
    let known = id::variables(message)?;
    if known.contains(&word.text) {
        return None;
    }
    let text = format!("the message `{message}` has no variable `${}`", word.text);
    let help = match known.as_slice() {
        [] => "this error has no details: write the sentence without it".to_owned(),
        known => format!("there is {}", known.iter().map(|name| format!("`${name}`")).collect::<Vec<_>>().join(", ")),
    };
    Some(fault(FaultCode::UnknownVariable, &word.at, text, help))
}

/// Whatever one of the team's languages says, all of them say: themselves, or a language that they are looked up in next.
fn find_missing(languages: &Languages<'_>, faults: &mut Vec<MessageFault>) {
    let mut said: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for built_in in BUILT_IN {
        said.entry(built_in.language).or_default().extend(ErrorCode::ALL.iter().map(|code| code.name()));
    }
    let mut first: BTreeMap<&str, &Named<'_>> = BTreeMap::new();
    for (tag, files) in languages {
        for message in files.iter().flat_map(|file| &file.messages) {
            said.entry(tag).or_default().insert(message.name.text);
            first.entry(message.name.text).or_insert(message);
        }
    }
    let says = |tag: &str, name: &str| said.get(tag).is_some_and(|names| names.contains(name));
    for (name, message) in first {
        for tag in languages.keys().filter(|tag| !lookup(tag).any(|tag| says(tag, name))) {
            let text = format!("the message `{name}` is missing in `{tag}`");
            let help = format!("add it to `messages/{tag}.ftl`");
            faults.push(fault(FaultCode::MissingTranslation, &message.name.at, text, help));
        }
    }
}
