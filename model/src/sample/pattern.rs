//! A text that a regular expression matches, as far as that is feasible: look-arounds cannot be met by construction, so
//! the caller checks the result.

use super::random::Random;
use crate::pattern::Pattern;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// Repetitions beyond the least number that `*`, `+` and the like are given, where no length asks for more.
const MORE: u32 = 3;
/// Characters beyond the least number, where a length leaves room.
const MORE_CHARACTERS: usize = 12;
/// Bytes of a text; a pattern that asks for more is given up.
const MAX_TEXT: usize = 4096;
/// Parts of a pattern with its repetitions; one with more is given up. To look for a pattern in a text costs the
/// product of the two.
const MAX_PARTS: u64 = 2048;

/// A text in which the pattern is found, with as many characters as it may have, if the pattern allows that.
pub(super) fn text(pattern: &Pattern, (least, most): (usize, usize), random: &mut Random) -> Option<String> {
    let hir = pattern.meaning().ok()?;
    if parts(&hir) > MAX_PARTS {
        return None;
    }
    let shortest = characters(&hir);
    let is_bounded = least > shortest || most < usize::MAX;
    let least = least.max(shortest);
    let greatest = most.clamp(least, least.saturating_add(MORE_CHARACTERS)) as i64;
    let room = random.between(least as i64, greatest) as usize - shortest;
    let mut found = None;
    // the first repetitions of a second text take all the room that they can
    for is_greedy in [false, true] {
        let mut writer = Writer { random, out: Vec::new(), room: is_bounded.then_some(room), is_greedy };
        writer.write(&hir)?;
        let text = String::from_utf8(writer.out).ok()?;
        let is_long = text.chars().count() >= least;
        found = Some(text);
        if is_long {
            break;
        }
    }
    found
}

/// The parts of a pattern with its repetitions.
fn parts(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Repetition(repetition) => {
            let most = repetition.min.saturating_add(MORE);
            let most = repetition.max.map_or(most, |max| max.min(most)).max(1);
            parts(&repetition.sub).saturating_mul(most.into())
        }
        HirKind::Capture(capture) => parts(&capture.sub),
        HirKind::Concat(all) | HirKind::Alternation(all) => {
            all.iter().fold(0, |sum: u64, part| sum.saturating_add(parts(part)))
        }
    }
}

/// The characters of the shortest text.
fn characters(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Class(_) => 1,
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().count(),
        HirKind::Repetition(repetition) => characters(&repetition.sub).saturating_mul(repetition.min as usize),
        HirKind::Capture(capture) => characters(&capture.sub),
        HirKind::Concat(all) => all.iter().fold(0, |sum: usize, part| sum.saturating_add(characters(part))),
        HirKind::Alternation(all) => all.iter().map(characters).min().unwrap_or(0),
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    out: Vec<u8>,
    /// Characters beyond the shortest text that are left; `None`: nothing limits them.
    room: Option<usize>,
    is_greedy: bool,
}

impl Writer<'_> {
    fn write(&mut self, hir: &Hir) -> Option<()> {
        if self.out.len() > MAX_TEXT {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.out.extend_from_slice(&literal.0),
            HirKind::Class(class) => write_one(class, self.random, &mut self.out)?,
            HirKind::Repetition(repetition) => {
                for _ in 0..self.times(repetition) {
                    self.write(&repetition.sub)?;
                }
            }
            HirKind::Capture(capture) => self.write(&capture.sub)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part))?,
            HirKind::Alternation(choices) => {
                let shortest = choices.iter().map(characters).min()?;
                let more = |choice: &Hir| characters(choice) - shortest;
                let fitting: Vec<&Hir> =
                    choices.iter().filter(|choice| self.room.is_none_or(|room| more(choice) <= room)).collect();
                let choice = *self.random.one_of(&fitting)?;
                self.room = self.room.map(|room| room.saturating_sub(more(choice)));
                self.write(choice)?;
            }
        }
        Some(())
    }

    /// How often a part is repeated.
    fn times(&mut self, repetition: &Repetition) -> u32 {
        let most = repetition.max.unwrap_or(u32::MAX).saturating_sub(repetition.min);
        let length = characters(&repetition.sub);
        let more = match self.room {
            Some(room) if length > 0 => most.min(u32::try_from(room / length).unwrap_or(u32::MAX)),
            _ => most.min(MORE),
        };
        let more = if self.is_greedy { more } else { self.random.between(0, more.into()) as u32 };
        self.room = self.room.map(|room| room.saturating_sub(length.saturating_mul(more as usize)));
        repetition.min.saturating_add(more)
    }
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
                let text = text(&pattern, (0, usize::MAX), &mut Random::new(seed)).unwrap();
                assert!(regex.is_match(&text), "{pattern}: {text}");
            }
        }
    }

    #[test]
    fn texts_are_as_long_as_they_have_to_be() {
        let cases = [
            (r"^[A-Z]+-\d{3,}$", 12, 14),
            (r"^\w*$", 100, 100),
            ("^(ab|c)+$", 7, 9),
            ("^[a-z]{0,4000}$", 30, 31),
            ("^(a|bcd)x*$", 2, 2),
            ("^a?b?c?$", 3, 3),
        ];
        for (pattern, least, most) in cases {
            let pattern = Pattern::from(pattern);
            for seed in 0..50 {
                let text = text(&pattern, (least, most), &mut Random::new(seed)).unwrap();
                assert!(pattern.compiled().unwrap().is_match(&text), "{pattern}: {text}");
                assert!((least..=most).contains(&text.chars().count()), "{pattern}: {text}");
            }
        }
    }

    #[test]
    fn a_pattern_that_asks_for_too_much_is_given_up() {
        for pattern in ["(a{1000}){1000}", "(a?){2000}a{2000}", "(a|b?){1500}"] {
            assert_eq!(text(&pattern.into(), (0, usize::MAX), &mut Random::new(1)), None, "{pattern}");
        }
    }
}
