//! What is generated: `golden/<name>/schemas/*.yaml` and `golden/<name>/expected/`. `RESTWELL_UPDATE=1` rewrites it.

use super::common;
use restwell_generator::emit::starters;
use restwell_generator::project::Starter;
use restwell_generator::{Generated, compile, emit};
use std::path::Path;

fn generate(golden: &Path) -> Vec<Generated> {
    let compiled = compile(&common::schemas(golden));
    let (service, origins) = compiled.service.as_ref().unwrap_or_else(|| panic!("{}", common::report(&compiled)));
    emit(service, origins, &compiled.messages, &[]).unwrap()
}

#[test]
fn each_golden_comes_out_as_expected() {
    let mut wrong = Vec::new();
    for golden in common::folders(&common::tests("golden")) {
        for Generated { path, text } in generate(&golden) {
            let below = path.strip_prefix(restwell_generator::emit::OUTPUT_FOLDER).unwrap().trim_start_matches('/');
            wrong.extend(common::compare(&text, &golden.join("expected").join(below)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_golden_with_commands_gets_their_starter_files() {
    let mut wrong = Vec::new();
    for golden in common::folders(&common::tests("golden")).into_iter().filter(|it| it.join("commands").exists()) {
        let compiled = compile(&common::schemas(&golden));
        let (service, origins) = compiled.service.unwrap();
        for Starter { path, text } in starters(&service, &origins, |_| true).unwrap() {
            wrong.extend(common::compare(&text, &golden.join(path.trim_start_matches("src/"))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_the_files_does_not_change_the_code() {
    for golden in common::folders(&common::tests("golden")) {
        let once = generate(&golden);
        assert_eq!(once, generate(&golden));
        let mut files = common::schemas(&golden);
        files.reverse();
        let compiled = compile(&files);
        let (service, origins) = compiled.service.unwrap();
        assert_eq!(once, emit(&service, &origins, &compiled.messages, &[]).unwrap());
    }
}
