//! What users read of errors, in their languages (§4.9, §7.1).
//!
//! The languages are made ready once, at start: the built-in ones with what a team put in their place, and a team's
//! own. A request that succeeds meets nothing of this.

mod negotiate;
mod reader;
#[cfg(test)]
mod tests;
mod texts;
mod times;
mod value;

pub(crate) use reader::Reader;

use restwell_model::Checked;
use restwell_model::check::Severity;
use restwell_model::messages::{BUILT_IN, MessageFault, MessageFile, check, language, lookup};
use std::collections::BTreeMap;
use std::fmt;
use texts::LanguageTexts;

/// A file of a team's messages, owned.
#[derive(Debug, Clone)]
pub(crate) struct CustomMessages {
    /// The tag of its language.
    pub(crate) language: String,
    /// In Fluent.
    pub(crate) text: String,
}

/// Every language that the service speaks.
pub(crate) struct Messages {
    /// The first is English.
    languages: Vec<LoadedLanguage>,
    /// Where the language of a tag, in small letters, stands.
    tags: BTreeMap<String, usize>,
}

/// A language, ready to be spoken.
struct LoadedLanguage {
    /// What `Content-Language` says.
    content_language: String,
    texts: LanguageTexts,
    /// The languages in which a message is looked for one after the other: this one, its general ones, English.
    chain: Vec<usize>,
}

/// The place of English, which has every code.
const ENGLISH: usize = 0;

impl Messages {
    /// Makes the languages ready. One line per mistake in the team's files.
    pub(crate) fn new(model: &Checked, files: &[CustomMessages]) -> Result<Self, String> {
        let borrowed: Vec<_> = files.iter().map(MessageFile::from).collect();
        let mut faults = check(&borrowed, Some(model));
        // a warning is for `check`
        faults.retain(|fault| fault.code.severity() == Severity::Error);
        if !faults.is_empty() {
            let lines = faults.iter().map(|fault| fault_line(fault, files));
            return Err(lines.collect::<Vec<_>>().join("\n"));
        }
        let mut texts: Vec<(String, String, Vec<&str>)> =
            BUILT_IN.iter().map(|it| (it.language.to_owned(), it.content_language.to_owned(), vec![it.text])).collect();
        for file in files {
            let tag = language(&file.language).unwrap_or_else(|| file.language.clone());
            match texts.iter_mut().find(|(known, ..)| *known == tag) {
                Some((_, _, texts)) => texts.push(&file.text),
                None => texts.push((tag.clone(), tag, vec![&file.text])),
            }
        }
        let mut tags = BTreeMap::new();
        for (index, (tag, content_language, _)) in texts.iter().enumerate() {
            tags.insert(tag.to_ascii_lowercase(), index);
            tags.insert(content_language.to_ascii_lowercase(), index);
        }
        let languages = texts.into_iter().map(|(tag, content_language, texts)| {
            let general: Vec<_> = lookup(&tag).filter_map(|tag| tags.get(&tag.to_ascii_lowercase()).copied()).collect();
            let chain = match general.contains(&ENGLISH) {
                true => general,
                false => general.into_iter().chain([ENGLISH]).collect(),
            };
            Ok(LoadedLanguage { texts: LanguageTexts::new(&tag, &texts)?, content_language, chain })
        });
        Ok(Self { languages: languages.collect::<Result<_, String>>()?, tags })
    }
}

impl<'a> From<&'a CustomMessages> for MessageFile<'a> {
    fn from(file: &'a CustomMessages) -> Self {
        Self { language: &file.language, text: &file.text }
    }
}

fn fault_line(fault: &MessageFault, files: &[CustomMessages]) -> String {
    let file = &files[fault.at.file];
    let line = file.text[..fault.at.bytes.start].matches('\n').count() + 1;
    format!("messages in `{}`, line {line}: {}; {}", file.language, fault.message, fault.help)
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messages").field(&self.tags).finish()
    }
}
