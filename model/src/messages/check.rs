//! The checks of the message files of a service.

use super::read::{MessageEntry, ParsedMessages, SourceWord, Usage, read};
use super::{BUILT_IN, DATETIME, FUNCTIONS, MessageFault, MessageFile, MessagePlace, NUMBER, id, language, lookup};
use crate::check::{Checked, suggestion};
use crate::{ErrorCode, FaultCode};
use std::collections::{BTreeMap, BTreeSet};

/// All faults, file by file. `service` is `None` if its description has faults; then fields are not checked.
#[must_use]
pub fn check(files: &[MessageFile<'_>], service: Option<&Checked>) -> Vec<MessageFault> {
    let mut faults = Vec::new();
    let mut languages = Languages::new();
    let mut silent: BTreeMap<String, usize> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let mut read = read(index, file.text);
        let is_readable = read.faults.is_empty();
        faults.append(&mut read.faults);
        match language(file.language) {
            Some(language) => {
                if is_readable {
                    silent.entry(language.clone()).or_insert(index);
                }
                languages.entry(language).or_default().push(read);
            }
            None => faults.push(unknown_language(index, file.language)),
        }
    }
    for (tag, files) in &languages {
        if let Some(first) = silent.get(tag).filter(|_| files.iter().all(|file| file.messages.is_empty())) {
            faults.push(no_messages(*first, tag));
        }
        let terms = LanguageTerms::of(tag, files, &mut faults);
        for message in files.iter().flat_map(|file| &file.messages) {
            check_message(message, &terms, service, &mut faults);
        }
        for term in files.iter().flat_map(|file| &file.terms) {
            term.uses.iter().for_each(|used| check_use(used, None, &terms, &mut faults));
        }
    }
    find_missing(&languages, &mut faults);
    if let Some(service) = service {
        find_rules_without_message(&languages, &silent, service, &mut faults);
    }
    faults.sort_by_key(|fault| (fault.at.file, fault.at.bytes.start));
    faults
}

/// The files of each language.
type Languages<'t> = BTreeMap<String, Vec<ParsedMessages<'t>>>;

fn fault(code: FaultCode, at: &MessagePlace, message: String, help: impl Into<String>) -> MessageFault {
    MessageFault { code, at: at.clone(), also: None, message, help: help.into() }
}

fn unknown_language(file: usize, tag: &str) -> MessageFault {
    let at = MessagePlace { file, bytes: 0..0 };
    let help = "name the file by a language tag, such as `pl`, `de` or `pt-BR`";
    fault(FaultCode::UnknownLanguage, &at, format!("the language `{tag}` does not exist"), help)
}

fn no_messages(file: usize, tag: &str) -> MessageFault {
    let at = MessagePlace { file, bytes: 0..0 };
    let help = "write messages, as in `Forbidden = …`, or remove the file";
    fault(
        FaultCode::NoMessages,
        &at,
        format!("`{tag}` has no messages, so its users get those of another language"),
        help,
    )
}

/// The terms of a language.
struct LanguageTerms<'a, 't> {
    tag: &'a str,
    terms: BTreeMap<&'t str, &'a MessageEntry<'t>>,
}

impl<'a, 't> LanguageTerms<'a, 't> {
    /// Also reports duplicate messages and terms.
    fn of(tag: &'a str, files: &'a [ParsedMessages<'t>], faults: &mut Vec<MessageFault>) -> Self {
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

fn repeated(first: &MessageEntry<'_>, second: &MessageEntry<'_>, tag: &str) -> MessageFault {
    let message = format!("`{}` has two messages in `{tag}`", second.name.text);
    let also = Some((first.name.at.clone(), "the other one is here".to_owned()));
    let fault = fault(FaultCode::DuplicateMessage, &second.name.at, message, "remove one of them");
    MessageFault { also, ..fault }
}

fn check_message(
    message: &MessageEntry<'_>,
    terms: &LanguageTerms<'_, '_>,
    service: Option<&Checked>,
    faults: &mut Vec<MessageFault>,
) {
    let name = message.name.text;
    if let Err(none) = id::check(name, service) {
        faults.push(fault(FaultCode::UnknownMessage, &message.name.at, none.message, none.help));
    }
    for attribute in &message.attributes {
        let text = format!("the attribute `.{}` of the message `{name}` is not used", attribute.text);
        let help = format!("write the text for users after `{name} =`");
        faults.push(fault(FaultCode::MessageAttribute, &attribute.at, text, help));
    }
    message.uses.iter().for_each(|used| check_use(used, Some(name), terms, faults));
}

/// Checks one variable, function, message or term that a text uses. `message` is `None` for the text of a term, which
/// has no error.
fn check_use(used: &Usage<'_>, message: Option<&str>, terms: &LanguageTerms<'_, '_>, faults: &mut Vec<MessageFault>) {
    let unknown =
        |word: &SourceWord<'_>, text: String, help: String| fault(FaultCode::UnknownReference, &word.at, text, help);
    match used {
        // the variables of a term are its arguments
        Usage::Variable(word) => faults.extend(message.and_then(|message| check_variable(word, message))),
        Usage::Function(word) if FUNCTIONS.contains(&word.text) => {}
        Usage::Function(word) => {
            let text = format!("the function `{}` does not exist", word.text);
            faults.push(unknown(word, text, format!("the functions are `{NUMBER}` and `{DATETIME}`")));
        }
        Usage::TimeOption(word) => {
            let text = format!("`{DATETIME}` has no option `{}`", word.text);
            let help = "remove it: times are written in one way in each language";
            faults.push(unknown(word, text, help.to_owned()));
        }
        Usage::Message(word) => {
            let text = format!("`{}` is a message, and a message cannot include another one", word.text);
            let help = "put the shared words into a term, as in `-brand = Restwell`, and use it as `{ -brand }`";
            faults.push(unknown(word, text, help.to_owned()));
        }
        Usage::Term(word, attribute) => match (terms.terms.get(word.text), attribute) {
            (None, _) => {
                let text = format!("the term `-{}` does not exist in `{}`", word.text, terms.tag);
                let near = suggestion(word.text, terms.terms.keys().copied());
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

fn check_variable(word: &SourceWord<'_>, message: &str) -> Option<MessageFault> {
    let known = id::variables(message)?;
    if known.contains(&word.text) {
        return None;
    }
    let text = format!("the message `{message}` has no variable `${}`", word.text);
    let help = match known.as_slice() {
        [] => "this error has no details; write the sentence without a variable".to_owned(),
        known => format!(
            "the known variables are {}",
            known.iter().map(|name| format!("`${name}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    Some(fault(FaultCode::UnknownVariable, &word.at, text, help))
}

/// Reports messages that one language has and another one does not, neither itself nor in a language that it falls back
/// to.
fn find_missing(languages: &Languages<'_>, faults: &mut Vec<MessageFault>) {
    let mut said: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for built_in in BUILT_IN {
        said.entry(built_in.language).or_default().extend(ErrorCode::ALL.iter().map(|code| code.name()));
    }
    let mut first: BTreeMap<&str, &MessageEntry<'_>> = BTreeMap::new();
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

/// Reports rules that have no message in a language for which the service has messages: its users get the text for
/// developers.
fn find_rules_without_message(
    languages: &Languages<'_>,
    first_files: &BTreeMap<String, usize>,
    service: &Checked,
    faults: &mut Vec<MessageFault>,
) {
    let all = languages.values().flatten().flat_map(|file| &file.messages);
    let spoken: BTreeSet<&str> = all.map(|message| message.name.text).collect();
    for (tag, file) in first_files {
        let general = lookup(tag).filter_map(|tag| languages.get(tag)).flatten();
        let said: BTreeSet<&str> = general.flat_map(|file| &file.messages).map(|message| message.name.text).collect();
        let mut reported = BTreeSet::new();
        for resource in &service.resources {
            for rule in &resource.rules {
                let code = rule.code.as_str();
                let at_field = rule.path.as_deref().map(|path| id::flat(&resource.name, path, code));
                let is_said = said.contains(code) || at_field.is_some_and(|id| said.contains(id.as_str()));
                // what another language says is reported as missing here
                let is_elsewhere = spoken.contains(code);
                if is_said || is_elsewhere || !reported.insert(code) {
                    continue;
                }
                let at = MessagePlace { file: *file, bytes: 0..0 };
                let text = format!("the rule `{code}` of `{}` has no message in `{tag}`", resource.name);
                let help = format!("add `{code} = …` to `messages/{tag}.ftl`");
                faults.push(fault(FaultCode::RuleWithoutMessage, &at, text, help));
            }
        }
    }
}
