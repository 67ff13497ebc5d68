//! Common nouns as resources: what shops, hotels, schools, hospitals, media and carriers have.

use super::{resource, shop};
use serde_json::json;

/// Codes of faults that a name can have.
const OF_NAMES: [&str; 7] =
    ["pascal-case", "singular-name", "plural-path", "path-clash", "reserved-path", "reserved-word", "name-clash"];

#[test]
fn common_nouns_are_names_of_resources() {
    let fields = || json!({ "fields": { "note": { "type": "string" } } });
    let lines = include_str!("nouns.txt").lines().filter(|line| !line.starts_with('#'));
    let nouns: Vec<_> = lines.flat_map(str::split_whitespace).collect();
    assert!(nouns.len() > 450);
    for noun in &nouns {
        let faults = super::faults(shop([resource(noun, fields())]));
        let faults: Vec<_> = faults.iter().filter(|fault| OF_NAMES.contains(&fault.code.code())).collect();
        assert!(faults.is_empty(), "{noun}: {faults:?}");
    }
    // all in one service: no two share a path
    let faults = super::faults(shop(nouns.iter().map(|noun| resource(noun, fields()))));
    let clash = faults.iter().find(|fault| fault.code.code() == "path-clash");
    assert_eq!(clash, None);
}
