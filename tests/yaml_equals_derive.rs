//! The two forms of the service are one: derives by hand, derives as the generator writes them, and the YAML that it
//! reads say the same, to the last key.

use restwell::Builder;
use restwell_generator::{File, compile};
use restwell_model::{Checked, Service};
use std::fs;
use std::path::Path;

fn model(builder: Builder) -> Service {
    let service = builder.model().expect("the types fit together");
    Checked::new(service).expect("no rule is broken").into_inner()
}

fn of_the_schemas() -> Service {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let paths = fs::read_dir(folder).expect("the schemas are there").map(|entry| entry.expect("an entry").path());
    let files = paths.filter(|path| path.is_file());
    let files = files.map(|path| File::new(&path.display().to_string(), fs::read(&path).expect("a schema")));
    let compiled = compile(&files.collect::<Vec<_>>());
    let (service, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    service.into_inner()
}

/// Definition by definition, so that a failure shows little more than the difference.
#[track_caller]
fn same(left: &Service, right: &Service) {
    let names = |service: &Service| -> Vec<_> { service.resources.iter().map(|r| r.name.clone()).collect() };
    assert_eq!(names(left), names(right));
    for (left, right) in left.resources.iter().zip(&right.resources) {
        assert_eq!(left, right, "{}", left.name);
    }
    assert_eq!(left, right);
}

#[test]
fn by_hand_and_generated_are_the_same_model() {
    same(&model(restwell_tests::by_hand::service()), &model(restwell_tests::generated_service()));
}

#[test]
fn what_was_generated_is_what_the_schemas_say() {
    same(&model(restwell_tests::generated_service()), &of_the_schemas());
}
