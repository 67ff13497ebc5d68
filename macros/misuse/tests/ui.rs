//! How derives are misused. Each misuse stands in a file named after it, beside the one error it is.
//!
//! `TRYBUILD=overwrite cargo test -p restwell-macros-misuse --test ui` updates the expected errors.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const MISUSES: [&str; 7] = ["attributes", "fields", "types", "names", "enums", "commands", "queries"];

/// Cargo's debug information: what `trybuild` compiles for itself is twice as big with it, and takes longer.
const DEBUG: [&str; 2] = ["CARGO_PROFILE_DEV_DEBUG", "CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG"];

#[test]
fn misuses_do_not_compile() {
    if DEBUG.iter().any(|variable| env::var_os(variable).is_none()) {
        // `trybuild` gives its cargo the environment of this process, which only another process can change
        let mut again = Command::new(env::current_exe().expect("the program of this test"));
        again
            .args(["misuses_do_not_compile", "--exact", "--nocapture"])
            .envs(DEBUG.map(|variable| (variable, "false")));
        let output = again.output().expect("it starts");
        let [told, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{told}{errors}");
        return;
    }
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
