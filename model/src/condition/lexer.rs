//! A text → its words and signs, each with its place.

use super::mistake::{Mistake, MistakeCode};
use crate::scalar::decimal;
use std::ops::Range;

/// A word or sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lexeme {
    Word(String),
    Integer(u64),
    /// Units and scale.
    Decimal(i64, u32),
    Text(String),
    Sign(&'static str),
    End,
}

/// The signs; those of two characters first.
const SIGNS: [&str; 20] =
    ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "(", ")", "[", "]", ",", ".", "?", ":", "+", "-", "*"];

/// All lexemes of a text, with an [`Lexeme::End`] at its end.
pub(super) fn lex(text: &str) -> Result<Vec<(Lexeme, Range<usize>)>, Mistake> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (lexeme, length) = match c {
            '"' | '\'' => quoted(text, at, c)?,
            '0'..='9' => number(text, at)?,
            'a'..='z' | 'A'..='Z' | '_' => {
                let end = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let length = end.unwrap_or(text.len() - at);
                (Lexeme::Word(text[at..at + length].to_owned()), length)
            }
            _ => match SIGNS.into_iter().find(|sign| text[at..].starts_with(sign)) {
                Some(sign) => (Lexeme::Sign(sign), sign.len()),
                None => return Err(unknown_character(at, c)),
            },
        };
        found.push((lexeme, at..at + length));
        at += length;
    }
    found.push((Lexeme::End, text.len()..text.len()));
    Ok(found)
}

fn unknown_character(at: usize, c: char) -> Mistake {
    let mistake = Mistake::new(&(at..at + c.len_utf8()), MistakeCode::Syntax, format!("`{c}` has no meaning here"));
    match c {
        '=' => mistake.help("write `==` to compare"),
        '&' => mistake.help("write `&&` for and"),
        '|' => mistake.help("write `||` for or"),
        '/' | '%' => mistake.help("there is no division: multiply the other side"),
        _ => mistake,
    }
}

fn number(text: &str, at: usize) -> Result<(Lexeme, usize), Mistake> {
    let rest = &text[at..];
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(rest);
    let fraction = match rest[whole..].strip_prefix('.') {
        Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => 1 + digits(after),
        _ => 0,
    };
    let length = whole + fraction;
    let span = at..at + length;
    if rest[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        let message = format!("`{}` is not a number", &rest[..=length]);
        return Err(Mistake::new(&(at..at + length + 1), MistakeCode::Syntax, message)
            .help("write whole numbers and decimals: `12`, `12.50`"));
    }
    let too_large = || {
        let message = format!("`{}` has too many digits", &text[span.clone()]);
        Mistake::new(&span, MistakeCode::Syntax, message)
    };
    let lexeme = if fraction == 0 {
        Lexeme::Integer(rest[..length].parse().ok().filter(|n| *n <= 1 << 63).ok_or_else(too_large)?)
    } else {
        let scale = u32::try_from(fraction - 1).unwrap_or(u32::MAX);
        Lexeme::Decimal(decimal::parse(&rest[..length], scale).map_err(|_| too_large())?, scale)
    };
    Ok((lexeme, length))
}

/// A text in quotes of either kind, with the escapes of JSON and `\'`.
fn quoted(text: &str, at: usize, quote: char) -> Result<(Lexeme, usize), Mistake> {
    let mut value = String::new();
    let mut chars = text[at + 1..].char_indices();
    while let Some((offset, c)) = chars.next() {
        let place = at + 1 + offset;
        if c == quote {
            return Ok((Lexeme::Text(value), offset + 2));
        }
        if c == '\n' {
            break;
        }
        if c == '\0' {
            return Err(unknown_character(place, c));
        }
        if c != '\\' {
            value.push(c);
            continue;
        }
        let Some((_, escaped)) = chars.next() else { break };
        value.push(match escaped {
            '\\' | '"' | '\'' | '/' => escaped,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let code = text.get(place + 2..place + 6).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
                let read = code.and_then(|hex| char::from_u32(u32::from_str_radix(hex, 16).ok()?));
                let Some(read) = read.filter(|c| *c != '\0') else {
                    let message = "`\\u` is not followed by four hexadecimal digits of a character";
                    return Err(Mistake::new(&(place..place + 2), MistakeCode::Syntax, message));
                };
                chars.nth(3);
                read
            }
            other => {
                let message = format!("`\\{other}` is not an escape");
                return Err(Mistake::new(&(place..place + 1 + other.len_utf8()), MistakeCode::Syntax, message)
                    .help("write `\\\\` for a backslash"));
            }
        });
    }
    Err(Mistake::new(&(at..text.len()), MistakeCode::Syntax, "the text has no closing quote"))
}
