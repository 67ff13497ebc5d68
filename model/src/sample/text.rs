//! Texts that look like what a field's name says: names of people, cities, titles.

use super::pattern;
use super::random::Random;
use crate::field::Format;
use crate::pattern::Pattern;

/// What stands in fields whose names end in one of these words.
const HINTS: &[(&[&str], &[&str])] = &[
    (&["firstname", "givenname"], &["Ada", "Bruno", "Celina", "Dawid", "Ewa", "Farid", "Grace", "Henryk"]),
    (&["lastname", "familyname", "surname"], &["Nowak", "Okafor", "Perez", "Quinn", "Rossi", "Sato", "Tran", "Weber"]),
    (&["city", "town"], &["Gdańsk", "Lisbon", "Lyon", "Porto", "Poznań", "Utrecht", "Valencia", "Warsaw"]),
    (&["street", "streetname"], &["Garden Street", "Harbour Road", "Market Square", "Mill Lane", "Station Road"]),
    (&["postcode", "postalcode", "zipcode"], &["00-950", "10115", "1050-095", "75001", "80-831"]),
    (&["color", "colour"], &["amber", "black", "blue", "green", "red", "silver", "white"]),
    (
        &["description", "note", "comment", "text", "message", "summary", "body"],
        &[
            "As good as new, and ready to be collected.",
            "Please ring the bell twice.",
            "Used a few times, without scratches.",
            "The colour is a little darker than in the picture.",
            "To be agreed by phone.",
        ],
    ),
];
/// What other texts are made of.
const ADJECTIVES: &[&str] =
    &["Amber", "Bright", "Calm", "Early", "Fresh", "Golden", "Grand", "Green", "Little", "Northern", "Quiet", "Silver"];
const NOUNS: &[&str] =
    &["Anchor", "Bridge", "Canyon", "Dune", "Falcon", "Garden", "Harbour", "Lantern", "Meadow", "Orchard", "River"];
/// What a text is lengthened with.
const FILLER: &str = " and so on";

/// The rules for a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextRules<'a> {
    pub(super) min_length: Option<u32>,
    pub(super) max_length: Option<u32>,
    pub(super) pattern: Option<&'a Pattern>,
    pub(super) format: Option<Format>,
}

/// A text for a field of this name. With a `number` no two texts are equal, as far as their length allows.
pub(super) fn text(name: &str, rules: TextRules<'_>, number: Option<usize>, random: &mut Random) -> Option<String> {
    if let Some(pattern) = rules.pattern {
        return pattern::text(pattern, random);
    }
    let most = rules.max_length.map_or(usize::MAX, |most| most as usize);
    let number = number.map(|number| number + 1);
    match rules.format {
        Some(Format::Email) => {
            let local = random.one_of(NOUNS)?.to_lowercase();
            let number = number.unwrap_or_else(|| random.below(1000));
            return Some(format!("{local}{number}@example.com"));
        }
        Some(Format::Uri) => {
            let word = random.one_of(NOUNS)?.to_lowercase();
            let number = number.unwrap_or_else(|| random.below(1000));
            return Some(format!("https://example.com/{word}/{number}"));
        }
        None => {}
    }
    let words = words(name, random)?;
    let text = match number {
        // the number is what differs: it is kept where the rest must be shortened
        Some(number) => {
            let number = number.to_string();
            let room = most.saturating_sub(number.len() + 1);
            let start: String = words.chars().take(room).collect();
            if start.trim().is_empty() { number } else { format!("{} {number}", start.trim_end()) }
        }
        None => words,
    };
    let least = rules.min_length.map_or(0, |least| least as usize);
    let mut text: Vec<char> = text.chars().collect();
    text.extend(FILLER.chars().cycle().take(least.saturating_sub(text.len())));
    text.truncate(most);
    // a blank at an end is legal, and looks like a mistake
    if let Some(last) = text.last_mut().filter(|last| last.is_whitespace()) {
        *last = '.';
    }
    Some(text.into_iter().collect())
}

fn words(name: &str, random: &mut Random) -> Option<String> {
    let name = name.to_lowercase();
    let hint = HINTS.iter().find(|(endings, _)| endings.iter().any(|ending| name.ends_with(ending)));
    match hint {
        Some((_, texts)) => random.one_of(texts).map(|&text| text.to_owned()),
        None => Some(format!("{} {}", random.one_of(ADJECTIVES)?, random.one_of(NOUNS)?)),
    }
}
