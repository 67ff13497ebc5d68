//! CLDR's samples: which plural category a number has in a language.

use crate::{SuiteError, Verdict, Verdicts};
use restwell_model::messages::{PluralKind, PluralRules};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// The files, and what they have.
const FILES: [(&str, &str, PluralKind); 2] = [
    ("plurals", "plurals-type-cardinal", PluralKind::Cardinal),
    ("ordinals", "plurals-type-ordinal", PluralKind::Ordinal),
];

pub(crate) fn run(folder: &Path) -> Result<Verdicts, SuiteError> {
    let mut verdicts = Vec::new();
    for (file, key, kind) in FILES {
        let text = fs::read(folder.join(format!("supplemental/{file}.json")))?;
        let document: Json = serde_json::from_slice(&text)?;
        let languages = document["supplemental"][key].as_object().ok_or("no languages")?;
        for (language, rules) in languages {
            let known = PluralRules::of(language);
            for (category, rule) in rules.as_object().into_iter().flatten() {
                let category = category.trim_start_matches("pluralRule-count-");
                for number in samples(rule.as_str().unwrap_or_default()) {
                    let found = known.category(kind, &number).name();
                    let verdict = match found == category {
                        true => Verdict::Passed,
                        false => Verdict::Failed(format!("{found}, not {category}")),
                    };
                    verdicts.push((format!("{language} {kind:?} {number}"), verdict));
                }
            }
        }
    }
    Ok(verdicts)
}

/// The samples of a rule: of a range, the first and the last number.
fn samples(rule: &str) -> Vec<String> {
    let lists = rule.split('@').skip(1).filter_map(|list| list.split_once(' '));
    let samples = lists.flat_map(|(_, list)| list.split(',')).flat_map(|sample| sample.split('~'));
    samples.map(str::trim).filter(|sample| !sample.is_empty() && *sample != "…").map(str::to_owned).collect()
}
