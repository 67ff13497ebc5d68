//! What users read of errors, in their languages (§4.9, §7.1).
//!
//! The languages are made ready once, at start: the built-in ones with what a team put in their place, and a team's
//! own. A request that succeeds meets nothing of this.

mod negotiate;
mod reader;
mod times;

pub(crate) use reader::Reader;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use restwell_model::Checked;
use restwell_model::messages::{BUILT_IN, DATETIME, MessageFault, MessageFile, check, language, lookup};
use std::collections::BTreeMap;
use std::fmt;
use times::TimeStyle;
use unic_langid::LanguageIdentifier;

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
    bundle: FluentBundle<FluentResource>,
    times: TimeStyle,
    /// The languages in which a message is looked for one after the other: this one, its general ones, English.
    chain: Vec<usize>,
}

/// The place of English, which has every code.
const ENGLISH: usize = 0;

impl Messages {
    /// Makes the languages ready. One line per mistake in the team's files.
    pub(crate) fn new(model: &Checked, files: &[CustomMessages]) -> Result<Self, String> {
        let borrowed: Vec<_> = files.iter().map(MessageFile::from).collect();
        let faults = check(&borrowed, Some(model));
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
            Ok(LoadedLanguage { bundle: bundle(&tag, &texts)?, times: TimeStyle::of(&tag), content_language, chain })
        });
        Ok(Self { languages: languages.collect::<Result<_, String>>()?, tags })
    }
}

impl<'a> From<&'a CustomMessages> for MessageFile<'a> {
    fn from(file: &'a CustomMessages) -> Self {
        Self { language: &file.language, text: &file.text }
    }
}

/// Later texts replace what earlier ones say.
fn bundle(tag: &str, texts: &[&str]) -> Result<FluentBundle<FluentResource>, String> {
    // plural rules depend on language and region only
    let plain = lookup(tag).find_map(|tag| tag.parse::<LanguageIdentifier>().ok()).unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![plain]);
    // no marks around arguments: they are for texts of mixed direction, and clients would show them
    bundle.set_use_isolating(false);
    let times = TimeStyle::of(tag);
    let added = bundle.add_builtins();
    let added = added.and_then(|()| bundle.add_function(DATETIME, move |values, _| times.datetime(values)));
    added.map_err(|error| format!("messages in `{tag}`: {error}"))?;
    for text in texts {
        let resource = FluentResource::try_new((*text).to_owned());
        bundle.add_resource_overriding(resource.map_err(|(_, errors)| format!("messages in `{tag}`: {errors:?}"))?);
    }
    Ok(bundle)
}

fn fault_line(fault: &MessageFault, files: &[CustomMessages]) -> String {
    let file = &files[fault.at.file];
    let line = file.text[..fault.at.bytes.start].matches('\n').count() + 1;
    format!("messages in `{}`, line {line}: {}; {}", file.language, fault.message, fault.help)
}

impl LoadedLanguage {
    /// A message's text; `None` where there is none, or the error has not what the message is to say.
    fn say(&self, id: &str, values: &FluentArgs<'_>) -> Option<String> {
        let message = self.bundle.get_message(id)?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(message.value()?, Some(values), &mut errors);
        errors.is_empty().then(|| text.into_owned())
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messages").field(&self.tags).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderMap, HeaderValue, header};
    use restwell_model::{ErrorCode, Problem, Service};

    fn messages(files: &[(&str, &str)]) -> Result<Messages, String> {
        let owned = |(language, text): &(&str, &str)| CustomMessages {
            language: (*language).to_owned(),
            text: (*text).to_owned(),
        };
        let model = Checked::new(Service::new("shop")).expect("an empty service breaks no rule");
        Messages::new(&model, &files.iter().map(owned).collect::<Vec<_>>())
    }

    /// The translations, and the value of `Content-Language`.
    fn translated(messages: &Messages, accept_language: &str, problems: &[Problem]) -> (Vec<String>, String) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::try_from(accept_language).unwrap());
        let mut reader = Reader::new(messages, &headers, None);
        let texts = problems.iter().map(|problem| reader.translate(problem)).collect();
        (texts, reader.content_language().to_str().unwrap().to_owned())
    }

    #[track_caller]
    fn says(messages: &Messages, accept_language: &str, problem: Problem, text: &str, content_language: &str) {
        let expected = (vec![text.to_owned()], content_language.to_owned());
        assert_eq!(translated(messages, accept_language, &[problem]), expected);
    }

    #[test]
    fn polish_counts_in_its_four_ways() {
        let messages = messages(&[]).unwrap();
        for (count, text) in [
            (1, "Wpisz najwyżej 1 znak."),
            (2, "Wpisz najwyżej 2 znaki."),
            (5, "Wpisz najwyżej 5 znaków."),
            (12, "Wpisz najwyżej 12 znaków."),
            (22, "Wpisz najwyżej 22 znaki."),
        ] {
            says(&messages, "pl", Problem::new(ErrorCode::TooLong).with("maxLength", count), text, "pl-PL");
        }
        let half = Problem::new(ErrorCode::TooLong).with("maxLength", 1.5);
        says(&messages, "pl", half, "Wpisz najwyżej 1.5 znaku.", "pl-PL");
        let one = Problem::new(ErrorCode::TooFewItems).with("minItems", 1);
        says(&messages, "en", one, "Please add at least 1 item.", "en-US");
    }

    #[test]
    fn no_digit_of_a_limit_is_lost() {
        let messages = messages(&[]).unwrap();
        let most = Problem::new(ErrorCode::TooLarge).with("maximum", i64::MAX);
        says(&messages, "en", most, "Please enter 9223372036854775807 or less.", "en-US");
        let cents = Problem::new(ErrorCode::TooLarge).with("maximum", "9999999.99");
        says(&messages, "en", cents, "Please enter 9999999.99 or less.", "en-US");
        let values = Problem::new(ErrorCode::UnknownValue).with("values", vec!["RED", "BLACK"]);
        says(&messages, "pl", values, "Wybierz jedną z wartości: RED, BLACK.", "pl-PL");
    }

    #[test]
    fn a_team_replaces_adds_and_falls_back_to_english() {
        let german = "TooLong = Höchstens { $maxLength } Zeichen.\nOfferEnded = Das Angebot ist beendet.\n";
        let english = "OfferEnded = It ended { $when }.\nTooLong = Too long.\n";
        let polish = "OfferEnded = Koniec { $when }.\n";
        let messages = messages(&[("en", english), ("pl", polish), ("de", german)]).unwrap();
        let long = || Problem::new(ErrorCode::TooLong).with("maxLength", 3);
        let ended = || Problem::custom("OfferEnded", "the offer ended {when}");
        says(&messages, "de-AT, pl;q=0.5", long(), "Höchstens 3 Zeichen.", "de");
        says(&messages, "en-GB", long(), "Too long.", "en-US");
        says(&messages, "pl", long(), "Wpisz najwyżej 3 znaki.", "pl-PL");
        says(&messages, "de", ended(), "Das Angebot ist beendet.", "de");
        says(&messages, "pl", ended().with("when", "today"), "Koniec today.", "pl-PL");
        // what a message needs and the error has not: the next one speaks, and at last the handler's own text
        says(&messages, "pl", ended(), "The offer ended .", "en-US");
        says(&messages, "de", Problem::new(ErrorCode::Forbidden), "You are not allowed to do this.", "en-US");
        says(&messages, "pl", Problem::custom("Nobody", "nobody {knew}").with("knew", 1), "Nobody 1.", "en-US");
        let (_, both) = translated(&messages, "de", &[Problem::new(ErrorCode::Forbidden), long(), long()]);
        assert_eq!(both, "de, en-US");
    }

    #[test]
    fn times_are_written_for_the_reader() {
        let files = [
            ("en", "OfferEnded = It ended on { $when }, { DATETIME($when) }.\n"),
            ("pl", "OfferEnded = Koniec: { $when }.\n"),
            ("de", "OfferEnded = Ende: { DATETIME($when) }.\n"),
        ];
        let messages = messages(&files).unwrap();
        let ended = || Problem::custom("OfferEnded", "the offer ended {when}").with("when", "2027-03-01T08:30:00.000Z");
        let english = "It ended on March 1, 2027, 08:30 UTC, March 1, 2027, 08:30 UTC.";
        says(&messages, "en", ended(), english, "en-US");
        says(&messages, "pl", ended(), "Koniec: 1 marca 2027, 08:30 UTC.", "pl-PL");
        says(&messages, "de", ended(), "Ende: 2027-03-01 08:30 UTC.", "de");
        assert_eq!(ended().message(), "the offer ended 2027-03-01T08:30:00.000Z", "developers read it as it is");
        // without a message the text of the code itself
        let closed = Problem::custom("ShopClosed", "closed until {when}").with("when", "2027-03-01");
        says(&messages, "pl", closed, "Closed until March 1, 2027.", "en-US");
    }

    #[test]
    fn a_region_is_heard_before_its_language() {
        let files = [("en-GB", "InvalidCountry = Kindly choose a country.\n"), ("zh-Hant", "NotReady = 尚未提供。\n")];
        let messages = messages(&[files[0]]).unwrap();
        says(&messages, "en-GB", Problem::new(ErrorCode::InvalidCountry), "Kindly choose a country.", "en-GB");
        says(&messages, "en-GB", Problem::new(ErrorCode::InvalidCurrency), "Please choose a currency.", "en-US");
        says(&messages, "en-IE", Problem::new(ErrorCode::InvalidCountry), "Please choose a country.", "en-US");
        let messages = super::tests::messages(&[files[1]]).unwrap();
        says(&messages, "zh-hant-TW", Problem::new(ErrorCode::NotReady), "尚未提供。", "zh-Hant");
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let error = messages(&[("pl", "NotReady = Nie.\nTooLong = { $max }\n"), ("nowhere", "")]).unwrap_err();
        let lines: Vec<_> = error.lines().collect();
        assert_eq!(
            lines,
            [
                "messages in `pl`, line 2: the message `TooLong` has no variable `$max`; the known \
                 variables are `$maxLength`, `$field`",
                "messages in `nowhere`, line 1: the language `nowhere` does not exist; name the file by a language \
                 tag, such as `pl`, `de` or `pt-BR`",
            ]
        );
    }
}
