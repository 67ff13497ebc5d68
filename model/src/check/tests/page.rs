//! The catalogue and its page.

use crate::check::{FaultCode, page};
use std::collections::HashSet;
use std::path::Path;

#[test]
fn the_page_of_faults_is_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/faults.md");
    let expected = page();
    if std::env::var_os("RESTWELL_UPDATE").is_some() {
        std::fs::write(&path, &expected).expect("the page can be written");
    }
    let actual = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "docs/reference/faults.md is stale; RESTWELL_UPDATE=1 cargo test -p restwell-model page"
    );
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
