//! Every kind of change: `changes/<class>/<change>/{old,new}/*.yaml`, with the documents of `changes/base` for those that
//! a folder does not have, and `expected.json`, what `restwell diff --format json` prints. `RESTWELL_UPDATE=1` rewrites
//! what is expected.

use super::common;
use restwell_generator::compile;
use restwell_model::Checked;
use restwell_model::changes::{ChangeKind, changes};
use restwell_model::compatibility::{Judgement, judge};
use restwell_model::scalar::Date;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const TODAY: &str = "2027-01-01";

/// The models of a case.
fn models(case: &Path) -> [Checked; 2] {
    ["old", "new"].map(|which| {
        let mut files = common::read(&case.join(which));
        let own: BTreeSet<_> = files.iter().map(|file| file.path.clone()).collect();
        files.extend(common::read(&common::tests("changes/base")).into_iter().filter(|file| !own.contains(&file.path)));
        let compiled = compile(&files);
        let report = common::report(&compiled);
        compiled.service.unwrap_or_else(|| panic!("{} {which}: {report}", case.display())).0
    })
}

fn judged(case: &Path) -> Vec<Judgement> {
    let [old, new] = models(case);
    judge(&old, &new, TODAY.parse::<Date>().unwrap())
}

fn cases() -> Vec<PathBuf> {
    let classes = common::folders(&common::tests("changes"));
    classes.iter().filter(|class| common::name(class) != "base").flat_map(|class| common::folders(class)).collect()
}

#[test]
fn each_change_is_judged_as_expected() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = serde_json::to_string_pretty(&judged(&case)).unwrap() + "\n";
        wrong.extend(common::compare(&found, &case.join("expected.json")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_kind_of_change_has_a_case() {
    let seen: BTreeSet<ChangeKind> = cases().iter().flat_map(|case| judged(case)).map(|change| change.kind).collect();
    let missing: Vec<_> = ChangeKind::ALL.iter().filter(|kind| !seen.contains(kind)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn each_change_of_rows_is_judged() {
    for case in cases() {
        let [old, new] = models(&case);
        let found: Vec<_> = judged(&case).into_iter().map(|change| (change.place, change.kind)).collect();
        let of_rows: Vec<_> = changes(&old, &new).into_iter().map(|change| (change.at, change.kind)).collect();
        assert_eq!(found, of_rows, "{}", case.display());
    }
}

#[test]
fn no_model_differs_from_itself() {
    for case in cases() {
        for model in models(&case) {
            assert_eq!(judge(&model, &model, TODAY.parse().unwrap()), []);
        }
    }
}
