//! A pattern as documents publish it: it means the same in ECMA-262 with the flags `u` and `v` (so in JSON Schema and
//! in the `pattern` of HTML), in Python's `re`, and on the server.
//!
//! It is written from the meaning alone, in what these languages share: classes as lists of characters, since `\s`,
//! `.` and properties of Unicode differ, and assertions as look-around. One thing stays: Python's `$` is also before a
//! line end at the end of a text.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use std::fmt::Write;

/// The characters of words.
const WORD: &str = "[0-9A-Z_a-z]";
/// What no text has.
const NOTHING: &str = r"[^\s\S]";
/// Characters with a meaning outside of a class.
const SPECIAL: &str = r"^$\.*+?()[]{}|";
/// Characters with a meaning in a class, in one of the languages.
const SPECIAL_IN_CLASS: &str = r"\[]^-(){}|/";

/// The portable form of a pattern.
pub(super) fn write(meaning: &Hir) -> String {
    let mut out = String::new();
    part(meaning, &mut out);
    out
}

fn part(hir: &Hir, out: &mut String) {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => {
            String::from_utf8_lossy(&literal.0).chars().for_each(|c| character(c, SPECIAL, out));
        }
        HirKind::Class(all) => class(all, out),
        HirKind::Look(look) => out.push_str(&assertion(*look)),
        HirKind::Repetition(repeated) => repetition(repeated, out),
        HirKind::Capture(capture) => {
            out.push('(');
            part(&capture.sub, out);
            out.push(')');
        }
        HirKind::Concat(parts) => {
            for inner in parts {
                match inner.kind() {
                    HirKind::Alternation(_) => group(inner, out),
                    _ => part(inner, out),
                }
            }
        }
        HirKind::Alternation(choices) => {
            for (index, choice) in choices.iter().enumerate() {
                if index > 0 {
                    out.push('|');
                }
                part(choice, out);
            }
        }
    }
}

fn group(hir: &Hir, out: &mut String) {
    out.push_str("(?:");
    part(hir, out);
    out.push(')');
}

fn repetition(repeated: &Repetition, out: &mut String) {
    let is_one = match repeated.sub.kind() {
        HirKind::Class(_) | HirKind::Capture(_) => true,
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().count() == 1,
        _ => false,
    };
    if is_one {
        part(&repeated.sub, out);
    } else {
        group(&repeated.sub, out);
    }
    // writing to a text does not fail
    let _ = match (repeated.min, repeated.max) {
        (0, None) => write!(out, "*"),
        (1, None) => write!(out, "+"),
        (0, Some(1)) => write!(out, "?"),
        (least, None) => write!(out, "{{{least},}}"),
        (least, Some(most)) if least == most => write!(out, "{{{least}}}"),
        (least, Some(most)) => write!(out, "{{{least},{most}}}"),
    };
    // whether a text has the pattern does not depend on which part matches first: lazy repetitions are not marked
}

fn class(class: &Class, out: &mut String) {
    let mut ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let Some(&(first, _)) = ranges.first() else {
        out.push_str(NOTHING);
        return;
    };
    if ranges == [('\0', char::MAX)] {
        out.push_str(r"[\s\S]");
        return;
    }
    // what has the last character of all is shorter as what it has not
    let is_negated = ranges.last().is_some_and(|&(_, last)| last == char::MAX);
    if is_negated {
        ranges = gaps(&ranges, first);
    }
    out.push_str(if is_negated { "[^" } else { "[" });
    for (start, end) in ranges {
        character(start, SPECIAL_IN_CLASS, out);
        if start != end {
            if next(start) != Some(end) {
                out.push('-');
            }
            character(end, SPECIAL_IN_CLASS, out);
        }
    }
    out.push(']');
}

/// What is before and between ranges, the last of which ends with the last character.
fn gaps(ranges: &[(char, char)], first: char) -> Vec<(char, char)> {
    let before = previous(first).map(|end| ('\0', end));
    let between = ranges.windows(2).filter_map(|pair| match pair {
        [(_, end), (start, _)] => Some((next(*end)?, previous(*start)?)),
        _ => None,
    });
    before.into_iter().chain(between).collect()
}

/// The next character: surrogates are none.
fn next(character: char) -> Option<char> {
    match character {
        '\u{d7ff}' => Some('\u{e000}'),
        other => char::from_u32(u32::from(other) + 1),
    }
}

fn previous(character: char) -> Option<char> {
    match character {
        '\u{e000}' => Some('\u{d7ff}'),
        other => u32::from(other).checked_sub(1).and_then(char::from_u32),
    }
}

/// A character: escaped where it has a meaning, and where a reader would not see it. All languages read `\u` with four
/// digits, and no form of a character beyond these is common to them.
fn character(character: char, special: &str, out: &mut String) {
    let code = u32::from(character);
    match character {
        '\t' => out.push_str(r"\t"),
        '\n' => out.push_str(r"\n"),
        '\r' => out.push_str(r"\r"),
        ' '..='~' => {
            if special.contains(character) {
                out.push('\\');
            }
            out.push(character);
        }
        other if other.is_alphanumeric() || code > 0xffff => out.push(other),
        _ => drop(write!(out, "\\u{code:04x}")),
    }
}

/// An assertion. `(?![\s\S])` is not the end for everyone: V8 finds it within a character of two code units.
fn assertion(look: Look) -> String {
    match look {
        Look::Start => "^".to_owned(),
        Look::End => "$".to_owned(),
        Look::StartLF => r"(?:^|(?<=\n))".to_owned(),
        Look::EndLF => r"(?:$|(?=\n))".to_owned(),
        Look::StartCRLF => r"(?:^|(?<=\n)|(?<=\r)(?!\n))".to_owned(),
        Look::EndCRLF => r"(?:$|(?=\r)|(?<!\r)(?=\n))".to_owned(),
        Look::WordAscii | Look::WordUnicode => format!("(?:(?<={WORD})(?!{WORD})|(?<!{WORD})(?={WORD}))"),
        Look::WordAsciiNegate | Look::WordUnicodeNegate => {
            format!("(?:(?<={WORD})(?={WORD})|(?<!{WORD})(?!{WORD}))")
        }
        Look::WordStartAscii | Look::WordStartUnicode => format!("(?<!{WORD})(?={WORD})"),
        Look::WordEndAscii | Look::WordEndUnicode => format!("(?<={WORD})(?!{WORD})"),
        Look::WordStartHalfAscii | Look::WordStartHalfUnicode => format!("(?<!{WORD})"),
        Look::WordEndHalfAscii | Look::WordEndHalfUnicode => format!("(?!{WORD})"),
    }
}

#[cfg(test)]
mod tests {
    use crate::pattern::Pattern;

    #[test]
    fn it_is_written_in_what_the_languages_share() {
        let cases = [
            (r"^[A-Z]+\-[0-9]+$", "^[A-Z]+-[0-9]+$"),
            (r"^\d{4}/\w\W$", "^[0-9]{4}/[0-9A-Z_a-z][^0-9A-Z_a-z]$"),
            (r"^.+\.(jpg|png)$", r"^[^\n]+\.(jpg|png)$"),
            (r"^\s?$", r"^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]?$"),
            (r#"^[^"]+$"#, "^[^\"]+$"),
            (r"^(?P<a>x)(?<b>y)(?:zz)*?$", "^(x)(y)(?:zz)*$"),
            ("(?i)^ab$", "^[Aa][Bb]$"),
            ("(?s)^.$", r"^[\s\S]$"),
            ("[a-z--b]", "[ac-z]"),
            ("[a-z&&[^aeiou]]", "[b-df-hj-np-tv-z]"),
            ("[a&&b]", r"[^\s\S]"),
            (r"[\[\]^\-~(){}|/&]", r"[&\(\)\-\/\[\]\^\{-~]"),
            ("[\u{e000}\u{d7ff}]", r"[\ud7ff\ue000]"),
            (r"\x{1F600}", "\u{1f600}"),
            ("a{2}{3}", "(?:a{2}){3}"),
            ("(?m)^a$", r"(?:^|(?<=\n))a(?:$|(?=\n))"),
            ("(?x) a b # c", "ab"),
            ("", ""),
        ];
        for (pattern, portable) in cases {
            assert_eq!(Pattern::from(pattern).portable().as_deref(), Some(portable), "{pattern}");
        }
    }

    #[test]
    fn a_long_form_is_not_published() {
        assert!(Pattern::from(r"^[\p{L} '-]+$").portable().is_some());
        assert_eq!(Pattern::from(r"^\p{L}\p{N}\p{L}\p{L}\p{L}$").portable(), None);
        assert_eq!(Pattern::from("(").portable(), None);
    }
}
