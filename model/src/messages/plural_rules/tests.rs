//! All samples of CLDR, and what is not in them.

use super::*;

/// The numbers of a sample, which may be a range of numbers with the same count of fraction digits: `0.1~0.9`.
fn numbers(sample: &str) -> Vec<String> {
    let Some((first, last)) = sample.split_once('~') else { return vec![sample.to_owned()] };
    let fraction = first.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let plain = |text: &str| text.replace('.', "").parse::<u64>().expect("digits");
    let written = |number: u64| {
        let digits = format!("{number:0width$}", width = fraction + 1);
        let (integer, fraction) = digits.split_at(digits.len() - fraction);
        if fraction.is_empty() { integer.to_owned() } else { format!("{integer}.{fraction}") }
    };
    (plain(first)..=plain(last)).map(written).collect()
}

#[test]
fn every_sample_of_every_language_is_in_its_category() {
    let (mut count, mut languages, mut wrong) = (0, 0, Vec::new());
    for line in include_str!("samples.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(" | ").collect();
        let [kind, tags, category, samples] = fields[..] else { panic!("four fields: {line}") };
        let kind = if kind == "ordinal" { PluralKind::Ordinal } else { PluralKind::Cardinal };
        for tag in tags.split(' ') {
            languages += usize::from(category == "other");
            let rules = PluralRules::of(tag);
            for number in samples.split(' ').filter(|sample| !sample.is_empty()).flat_map(numbers) {
                count += 1;
                let found = rules.category(kind, &number).name();
                if found != category {
                    wrong.push(format!("{tag} {kind:?} {number}: {found}, not {category}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} samples:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 15_000 && languages > 300, "the samples are read: {count} of {languages}");
}

#[test]
fn a_language_is_found_by_its_shorter_tags() {
    let category = |tag: &str, number: &str| PluralRules::of(tag).category(PluralKind::Cardinal, number);
    assert_eq!(category("pt", "0"), PluralCategory::One);
    assert_eq!(category("pt-BR", "0"), PluralCategory::One);
    assert_eq!(category("pt-PT", "0"), PluralCategory::Other);
    assert_eq!(category("sr-Latn-RS", "22"), PluralCategory::Few);
    assert_eq!(category("tlh", "1"), PluralCategory::Other, "a language without rules");
    assert_eq!(category("en", "one"), PluralCategory::Other, "not a number");
    assert_eq!(category("en", "-1"), PluralCategory::One);
    assert_eq!(category("fr", "1000000000000000000000000"), PluralCategory::Many);
    assert_eq!(category("pl", "1000000000000000000000001"), PluralCategory::Many, "not 1 itself");
}
