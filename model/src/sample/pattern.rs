//! A text that a regular expression matches, as far as that is feasible: look-arounds cannot be met by construction, so
//! the caller checks the result.

use super::random::Random;
use crate::pattern::Pattern;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Repetitions beyond the least number that `*`, `+` and the like are given.
const MORE: u32 = 3;
/// Bytes of a text; a pattern that asks for more is given up.
const MAX_TEXT: usize = 4096;
/// Parts of a pattern with all its repetitions; one with more is given up. To look for a pattern in a text costs the
/// product of the two.
const MAX_PARTS: u64 = 2048;

/// A text in which the pattern is found.
pub(super) fn text(pattern: &Pattern, random: &mut Random) -> Option<String> {
    let hir = pattern.meaning().ok()?;
    if parts(&hir) > MAX_PARTS {
        return None;
    }
    let mut bytes = Vec::new();
    write(&hir, random, &mut bytes)?;
    String::from_utf8(bytes).ok()
}

/// The parts of a pattern, those that are repeated as often as they may be.
fn parts(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min.saturating_add(MORE)).max(1);
            parts(&repetition.sub).saturating_mul(most.into())
        }
        HirKind::Capture(capture) => parts(&capture.sub),
        HirKind::Concat(all) | HirKind::Alternation(all) => {
            all.iter().fold(0, |sum: u64, part| sum.saturating_add(parts(part)))
        }
    }
}

fn write(hir: &Hir, random: &mut Random, out: &mut Vec<u8>) -> Option<()> {
    if out.len() > MAX_TEXT {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(class) => write_one(class, random, out)?,
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min.saturating_add(MORE));
            let most = most.min(repetition.min.saturating_add(MORE));
            let times = random.between(i64::from(repetition.min), i64::from(most));
            for _ in 0..times {
                write(&repetition.sub, random, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, random, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, random, out))?,
        HirKind::Alternation(choices) => write(random.one_of(choices)?, random, out)?,
    }
    Some(())
}

/// A character of a class: a letter or digit where it has one, for such texts are easier to read.
fn write_one(class: &Class, random: &mut Random, out: &mut Vec<u8>) -> Option<()> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let readable: Vec<(u32, u32)> = ["az", "AZ", "09"]
        .iter()
        .filter_map(|ends| Some((u32::from(ends.chars().next()?), u32::from(ends.chars().last()?))))
        .flat_map(|(first, last)| ranges.iter().map(move |(start, end)| (first.max(*start), last.min(*end))))
        .filter(|(start, end)| start <= end)
        .collect();
    let (start, end) = *random.one_of(if readable.is_empty() { &ranges } else { &readable })?;
    let code = u32::try_from(random.between(start.into(), end.into())).ok()?;
    let character = char::from_u32(code).or_else(|| char::from_u32(start))?;
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_their_patterns() {
        let patterns = ["^[A-Z]{3}-[0-9]{2}$", "a|b+", r"^\d{4}/\w+$", "^(x[^a-z]y)*$", "", r"^\p{Greek}{2,}\.$"];
        for pattern in patterns {
            let pattern = Pattern::from(pattern);
            let regex = pattern.compiled().unwrap();
            for seed in 0..50 {
                let text = text(&pattern, &mut Random::new(seed)).unwrap();
                assert!(regex.is_match(&text), "{pattern}: {text}");
            }
        }
    }

    #[test]
    fn a_pattern_that_asks_for_too_much_is_given_up() {
        for pattern in ["(a{1000}){1000}", "(a?){2000}a{2000}", "(a|b?){1500}"] {
            assert_eq!(text(&pattern.into(), &mut Random::new(1)), None, "{pattern}");
        }
    }
}
