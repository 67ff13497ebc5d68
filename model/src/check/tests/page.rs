//! The catalogue and its pages.

use crate::check::{FaultCode, pages};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::Path;

#[test]
fn the_pages_of_faults_are_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/faults");
    let is_update = std::env::var_os("RESTWELL_UPDATE").is_some();
    let pages = pages();
    for page in &pages {
        let path = folder.join(&page.file);
        if is_update {
            std::fs::write(&path, &page.text).expect("the page can be written");
        }
        let actual = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            actual == page.text,
            "docs/reference/faults/{} is stale; RESTWELL_UPDATE=1 cargo test -p restwell-model page",
            page.file
        );
    }
    let entries = std::fs::read_dir(&folder).expect("there are pages");
    let found: BTreeSet<OsString> = entries.map(|entry| entry.expect("a page").file_name()).collect();
    let expected: BTreeSet<OsString> = pages.iter().map(|page| page.file.clone().into()).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_code_has_one_section() {
    let pages = pages();
    for code in FaultCode::ALL {
        let heading = format!("\n## {code}\n");
        let count = pages.iter().map(|page| page.text.matches(&heading).count()).sum::<usize>();
        assert_eq!(count, 1, "{code}");
    }
}

#[test]
fn every_code_is_kebab_case_and_its_own() {
    let mut seen = HashSet::new();
    for code in FaultCode::ALL {
        assert!(crate::names::is_kebab(code.code()), "{code}");
        assert!(seen.insert(code.code()), "{code} appears twice");
        assert_eq!(code.code().parse(), Ok(*code));
    }
}

#[test]
fn every_code_is_explained_and_shown() {
    for code in FaultCode::ALL {
        assert!(!code.title().ends_with('.'), "{code}: a title is no sentence");
        assert!(code.explanation().ends_with(['.', ')']), "{code}: an explanation is sentences");
        assert_ne!(code.wrong(), code.right(), "{code}");
        assert!(!code.wrong().starts_with([' ', '\n']), "{code}: {:?}", code.wrong());
    }
}
