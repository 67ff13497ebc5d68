//! Texts of JavaScript: literals, comments, layout.

use restwell_model::Deprecation;
use std::fmt::Write as _;

/// The width of a comment's text.
const WIDTH: usize = 100;

/// A text as JSON and JavaScript write it.
pub(super) fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number of milliseconds: `30_000`.
pub(super) fn number(value: u128) -> String {
    let digits = value.to_string();
    let grouped = digits.chars().rev().enumerate().fold(String::new(), |mut grouped, (index, digit)| {
        if index > 0 && index % 3 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
        grouped
    });
    grouped.chars().rev().collect()
}

/// A comment of JSDoc with an indentation, its line break included; nothing without a text.
pub(super) fn comment(indent: &str, parts: &[String]) -> String {
    let lines: Vec<_> = parts.iter().flat_map(|part| wrapped(&part.replace("*/", "*\\/"))).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let mut text = format!("{indent}/**\n");
            for line in lines {
                // writing to a String cannot fail
                let _ = writeln!(text, "{indent} * {line}");
            }
            text + indent + " */\n"
        }
    }
}

/// A description as a part of a comment.
pub(super) fn described(description: Option<&str>) -> Option<String> {
    description.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// `@deprecated` with the sunset.
pub(super) fn deprecated(deprecation: Option<Deprecation>) -> Option<String> {
    deprecation.map(|deprecation| match deprecation.sunset {
        Some(day) => format!("@deprecated It may be gone from {day}."),
        None => "@deprecated".to_owned(),
    })
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        lines.push(String::new());
        for word in paragraph.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
    }
    lines
}
