//! Errors, translated for one reader.

use super::texts::NamedValues;
use super::times::TimeStyle;
use super::value::MessageValue;
use super::{ENGLISH, Messages};
use http::{HeaderMap, HeaderValue};
use restwell_model::Problem;
use restwell_model::error::shown;
use restwell_model::messages::{FIELD, flat};
use serde_json::Value as Json;

/// Fractions up to here are written in digits; larger ones with an exponent, as texts.
const LARGEST_COUNTED: f64 = 9_007_199_254_740_992.0;

/// The reader of the errors of a response. The language is determined when the first error is translated.
pub(crate) struct Reader<'a> {
    messages: &'a Messages,
    headers: &'a HeaderMap,
    /// The resource of the fields in errors.
    resource: Option<&'a str>,
    language: Option<usize>,
    /// The languages that were spoken.
    spoken: Vec<usize>,
}

impl<'a> Reader<'a> {
    /// Who sent these headers, to a resource where there is one.
    pub(crate) fn new(messages: &'a Messages, headers: &'a HeaderMap, resource: Option<&'a str>) -> Self {
        Self { messages, headers, resource, language: None, spoken: Vec::new() }
    }

    /// The message of a problem for the user. The message of the field comes before that of the code, in each language
    /// that is tried; what is in none of them, a team's own code, has its English text.
    pub(crate) fn translate(&mut self, problem: &Problem) -> String {
        let language = *self.language.get_or_insert_with(|| self.messages.choose(self.headers));
        let (language, text) = self.find(language, problem);
        if !self.spoken.contains(&language) {
            self.spoken.push(language);
        }
        text
    }

    fn find(&self, language: usize, problem: &Problem) -> (usize, String) {
        let of_field = self.resource.zip(problem.path.as_deref());
        let of_field = of_field.map(|(resource, path)| flat(resource, path, problem.name()));
        for &language in &self.messages.languages[language].chain {
            let texts = &self.messages.languages[language].texts;
            let values = values(problem, texts.times());
            for id in of_field.as_deref().into_iter().chain([problem.name()]) {
                if let Some(text) = texts.text(id, &values) {
                    return (language, text);
                }
            }
        }
        (ENGLISH, sentence(&with_times(problem, TimeStyle::English).message()))
    }

    /// Whether anything was translated.
    pub(crate) fn has_read(&self) -> bool {
        !self.spoken.is_empty()
    }

    /// The languages of the messages so far, that of the reader first.
    pub(crate) fn content_language(&self) -> HeaderValue {
        let mut spoken = self.spoken.clone();
        spoken.sort_by_key(|language| Some(*language) != self.language);
        let tags: Vec<_> =
            spoken.iter().map(|language| self.messages.languages[*language].content_language.as_str()).collect();
        HeaderValue::try_from(tags.join(", ")).unwrap_or(HeaderValue::from_static("en-US"))
    }
}

/// A problem whose details have times in a form for people.
fn with_times(problem: &Problem, times: TimeStyle) -> Problem {
    let mut problem = problem.clone();
    for detail in problem.details.values_mut() {
        if let Some(text) = detail.as_str().and_then(|text| times.text(text)) {
            *detail = Json::String(text);
        }
    }
    problem
}

/// What a problem's message can say. What details carry only sometimes is empty where it is not there.
fn values(problem: &Problem, times: TimeStyle) -> NamedValues<'_> {
    let optional = problem.code.optional_variables().map(|name| (name, MessageValue::Text(String::new())));
    let path = problem.path.iter().map(|path| (FIELD, MessageValue::Text(path.clone())));
    let details = problem.details.iter().map(|(name, detail)| (name.as_str(), value(detail, times)));
    // of two with one name the last counts
    optional.chain(path).chain(details).collect()
}

/// Numbers count, with all their digits. Times are written for people.
fn value(detail: &Json, times: TimeStyle) -> MessageValue {
    match detail {
        Json::String(text) => MessageValue::Text(times.text(text).unwrap_or_else(|| text.clone())),
        Json::Number(number) => match number.as_f64() {
            Some(fraction) if number.is_f64() && fraction.abs() <= LARGEST_COUNTED => MessageValue::number(&fraction),
            _ if number.is_f64() => MessageValue::Text(number.to_string()),
            _ => MessageValue::number(number),
        },
        other => MessageValue::Text(shown(other)),
    }
}

/// A developer's message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
