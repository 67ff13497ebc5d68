//! Texts that look like what a field's name says: names of people, cities, titles.

use super::pattern;
use super::random::Random;
use crate::field::Format;
use crate::pattern::Pattern;
use crate::scalar::string::{self, MAX_EMAIL, MAX_LABEL, MAX_LOCAL_PART};

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
/// What a text with a pattern is lengthened with.
const LETTERS: &[char] = &['a', 'b', 'c', 'd', 'e', 'f', 'k', 'm', 'n', 'o', 'p', 'r', 's', 't', 'u', 'x'];
/// Characters that an address, or a text with a pattern, is lengthened by at most.
const MAX_FILLER: usize = 4096;

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
    let least = rules.min_length.map_or(0, |least| least as usize);
    let most = rules.max_length.map_or(usize::MAX, |most| most as usize);
    if let Some(pattern) = rules.pattern {
        let text = pattern::text(pattern, (least, most), random)?;
        return Some(around(text, rules, (least, most), random));
    }
    let number = number.map(|number| number + 1);
    if let Some(format) = rules.format {
        let word = random.one_of(NOUNS)?.to_lowercase();
        let number = number.unwrap_or_else(|| random.below(1000));
        return match format {
            Format::Email => email(&word, number, least, most),
            Format::Uri => uri(&word, number, least, most),
        };
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
    let mut text: Vec<char> = text.chars().collect();
    text.extend(FILLER.chars().cycle().take(least.saturating_sub(text.len())));
    text.truncate(most);
    // a blank at an end is legal, and looks like a mistake
    if let Some(last) = text.last_mut().filter(|last| last.is_whitespace()) {
        *last = '.';
    }
    Some(text.into_iter().collect())
}

/// A text that has a pattern, with what makes it long enough, an e-mail address or a URI, if the pattern allows that.
fn around(text: String, rules: TextRules<'_>, (least, most): (usize, usize), random: &mut Random) -> String {
    let missing = least.saturating_sub(text.chars().count()).min(MAX_FILLER);
    let mut letters = |count: usize| (0..count).filter_map(|_| random.one_of(LETTERS)).copied().collect::<String>();
    let fillers = [letters(missing + 6), letters(missing.max(1))];
    let fits = |text: &String| {
        let has_form = match rules.format {
            Some(Format::Email) => string::is_email(text),
            Some(Format::Uri) => string::is_uri(text),
            None => true,
        };
        let is_found = || rules.pattern.and_then(|it| it.compiled().ok()).is_some_and(|it| it.is_match(text));
        (least..=most).contains(&text.chars().count()) && has_form && is_found()
    };
    let with = |filler: &String| {
        [
            format!("{text}{filler}"),
            format!("{filler}{text}"),
            format!("{filler}@{text}"),
            format!("https://example.com/{filler}{text}"),
        ]
    };
    let plain = [format!("{text}@example.com"), format!("https://example.com/{text}")];
    let mut candidates = std::iter::once(text.clone()).chain(fillers.iter().flat_map(with)).chain(plain);
    candidates.find(fits).unwrap_or(text)
}

/// An address of this length, with the number.
fn email(word: &str, number: usize, least: usize, most: usize) -> Option<String> {
    let usual = [
        format!("{word}{number}@example.com"),
        format!("{number}@example.com"),
        format!("{number}@b.co"),
        format!("{number}@b"),
    ];
    let text = usual.into_iter().find(|text| text.len() <= most)?;
    let (local, domain) = text.split_once('@')?;
    let (mut local, mut domain) = (local.to_owned(), domain.to_owned());
    let missing = |local: &str, domain: &str| least.saturating_sub(local.len() + 1 + domain.len());
    let letters = missing(&local, &domain).min(MAX_LOCAL_PART.saturating_sub(local.len()));
    local.push_str(&"x".repeat(letters));
    // a label takes a dot, too
    while let Some(length) = Some(missing(&local, &domain)).filter(|missing| *missing > 0 && domain.len() < MAX_EMAIL) {
        let label = length.saturating_sub(1).clamp(1, MAX_LABEL);
        domain = format!("{}.{domain}", "x".repeat(label));
    }
    Some(format!("{local}@{domain}"))
}

/// A URI of this length, with the number.
fn uri(word: &str, number: usize, least: usize, most: usize) -> Option<String> {
    let usual = [
        format!("https://example.com/{word}/{number}"),
        format!("https://example.com/{number}"),
        format!("https://b.co/{number}"),
        format!("urn:{number}"),
        format!("u:{number}"),
    ];
    let text = usual.into_iter().find(|text| text.len() <= most)?;
    let missing = least.saturating_sub(text.len());
    if missing > MAX_FILLER {
        return None;
    }
    Some(if missing > 1 {
        format!("{text}/{}", "x".repeat(missing - 1))
    } else {
        format!("{text}{}", "x".repeat(missing))
    })
}

fn words(name: &str, random: &mut Random) -> Option<String> {
    let name = name.to_lowercase();
    let hint = HINTS.iter().find(|(endings, _)| endings.iter().any(|ending| name.ends_with(ending)));
    match hint {
        Some((_, texts)) => random.one_of(texts).map(|&text| text.to_owned()),
        None => Some(format!("{} {}", random.one_of(ADJECTIVES)?, random.one_of(NOUNS)?)),
    }
}
