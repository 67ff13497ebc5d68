//! JSON whose numbers keep their digits while it is a tree of values.
//!
//! A parsed number is a double or an integer of 64 bits, which has not all digits of any number. A number that would be
//! written otherwise than it was read is marked instead: it becomes a text that begins with NUL, which no text of the
//! service does; a text of a client that does gets one more. What is written has the numbers again.

use serde_json::{Number, Value as Json};
use std::borrow::Cow;

/// The mark, as JSON writes it in a text.
const MARK: &str = "\\u0000";

/// JSON as a tree, its numbers marked where they need it.
pub(crate) fn parse(text: &str) -> Result<Json, serde_json::Error> {
    serde_json::from_str(&marked(text))
}

/// The text of a tree, with its numbers.
pub(crate) fn text(json: &Json) -> String {
    let text = json.to_string();
    match unmarked(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => text,
    }
}

/// Whether two trees are equal as values: numbers by their digits, `1.50` is `1.5`.
pub(crate) fn is_equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let is_same = |(name, value): (&String, &Json)| other.get(name).is_some_and(|it| is_equal(value, it));
            one.len() == other.len() && one.iter().all(is_same)
        }
        (one, other) if one == other => true,
        // two numbers of which one is marked
        (Json::String(_) | Json::Number(_), Json::String(_) | Json::Number(_)) => {
            is_marked(one) | is_marked(other) && digits(one).is_some_and(|it| digits(other) == Some(it))
        }
        _ => false,
    }
}

fn is_marked(json: &Json) -> bool {
    marked_number(json).is_some()
}

/// The digits of a number that is marked.
pub(crate) fn marked_number(json: &Json) -> Option<&str> {
    json.as_str()?.strip_prefix('\0').filter(|digits| !digits.starts_with('\0'))
}

/// A number as its sign, its digits without zeros around them, and the power of ten of the last one.
fn digits(json: &Json) -> Option<(bool, String, i64)> {
    let text = match json {
        Json::Number(number) => number.to_string(),
        json => marked_number(json)?.to_owned(),
    };
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text.as_str()), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.trim_start_matches('+').parse::<i64>().ok()?.checked_sub(fraction.len() as i64)?;
    let all = format!("{whole}{fraction}");
    let significant = all.trim_end_matches('0');
    let exponent = exponent.checked_add((all.len() - significant.len()) as i64)?;
    let significant = significant.trim_start_matches('0').to_owned();
    match significant.is_empty() {
        true => Some((false, significant, 0)),
        false => Some((is_negative, significant, exponent)),
    }
}

#[cfg(test)]
thread_local! {
    /// The bytes that a thread has looked through for numbers.
    pub(crate) static SEARCHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The text with marks in it.
pub(crate) fn marked(text: &str) -> Cow<'_, str> {
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    let bytes = text.as_bytes();
    #[cfg(test)]
    SEARCHED.with(|searched| searched.set(searched.get() + bytes.len()));
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = end_of_text(bytes, at);
                if text[at + 1..].starts_with(MARK) {
                    out.push_str(&text[kept..=at]);
                    out.push_str(MARK);
                    kept = at + 1;
                }
                at = end;
            }
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..].iter().take_while(|byte| is_of_number(**byte)).count();
                let number = &text[at..at + length];
                if is_changed(number) {
                    out.push_str(&text[kept..at]);
                    out.push_str(&format!("\"{MARK}{number}\""));
                    kept = at + length;
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// The text of a tree with the numbers in the place of their marks.
pub(crate) fn unmarked(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        if *byte != b'"' {
            at += 1;
            continue;
        }
        let end = end_of_text(bytes, at);
        if let Some(rest) = text[at + 1..end].strip_prefix(MARK) {
            if rest.starts_with(MARK) {
                out.push_str(&text[kept..=at]);
                kept = at + 1 + MARK.len();
            } else {
                out.push_str(&text[kept..at]);
                out.push_str(rest.trim_end_matches('"'));
                kept = end;
            }
        }
        at = end;
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Past the quote that ends the text which begins here.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Whether a number would be written otherwise than it is.
fn is_changed(number: &str) -> bool {
    let is_small = number.len() < 18 && number.bytes().all(|byte| byte.is_ascii_digit());
    !is_small && serde_json::from_str::<Number>(number).is_ok_and(|parsed| parsed.to_string() != number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        for json in [
            r#"{"a":[1.50,-0,1e5,1E+5,12345678901234567890123,0.1,7,-7.25],"b":"1.50","c":"\u0000","d":"\u00001.50"}"#,
            r#"["\u0000\u0000x","\\u0000","a\"\u00001.50\""]"#,
            "1.50",
            "[]",
        ] {
            assert_eq!(text(&parse(json).unwrap()), json);
        }
        assert!(matches!(marked(r#"[1,2.5,"x"]"#), Cow::Borrowed(_)));
        assert!(parse("[1.5.0]").is_err());
        assert!(parse("[01]").is_err());
    }

    #[test]
    fn equal_values_are_equal_in_any_form() {
        let equal = |one: &str, other: &str| is_equal(&parse(one).unwrap(), &parse(other).unwrap());
        assert!(equal("[1.50]", "[1.5]"));
        assert!(equal("100000.0", "1e5"));
        assert!(equal("-0", "0e3"));
        assert!(equal(r#"{"a":1.10,"b":2}"#, r#"{"b":2,"a":1.1}"#));
        assert!(!equal("1.5000000000000000000001", "1.5"));
        assert!(!equal("-1.50", "1.5"));
        assert!(!equal("\"1.5\"", "1.50"));
        assert!(!equal("\"\\u00001.5\"", "1.50"));
    }
}
