//! How derives are misused. Each misuse stands in a file named after it, beside the one error it is.
//!
//! `TRYBUILD=overwrite cargo test -p restwell-macros-misuse --test ui` updates the expected errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const MISUSES: [&str; 7] = ["attributes", "fields", "types", "names", "enums", "commands", "queries"];

#[test]
fn misuses_do_not_compile() {
    let cases = trybuild::TestCases::new();
    for class in MISUSES {
        cases.compile_fail(format!("tests/ui/{class}/*.rs"));
    }
}

#[test]
fn a_misuse_is_one_error() {
    for class in MISUSES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(class);
        for entry in fs::read_dir(folder).expect("a folder of misuses") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let text = fs::read_to_string(&path).expect("a text");
                // the compiler says that a trait is missing wherever it is needed
                let errors: BTreeSet<_> = text.lines().filter(|line| line.starts_with("error")).collect();
                assert_eq!(errors.len(), 1, "{}: {errors:#?}", path.display());
            }
        }
    }
}
