//! The examples of the catalogue of faults: the wrong one has the fault, the right one has none.

use restwell_generator::{File, compile};
use restwell_model::FaultCode;
use restwell_model::check::Severity;

/// What the YAML of an example cannot have: a derive's attribute, 750 fields, a scope that did not come from a text (of
/// one that did, `invalid-value` tells).
const NOT_SHOWN: [FaultCode; 3] = [FaultCode::AttributeSyntax, FaultCode::TooManyFields, FaultCode::BadScope];

/// The codes of the faults that an example has, in a service as the catalogue supposes it.
fn faults(code: FaultCode, example: &str) -> Vec<FaultCode> {
    let mut documents: Vec<&str> = example.split("---\n").collect();
    let defines = |key: &str| documents.iter().any(|document| document.starts_with(key));
    let has_service = defines("service:") || code == FaultCode::NoService;
    if !defines("resource: User\n") {
        documents.push("resource: User\nfields: { name: { type: string } }\n");
    }
    if !has_service {
        documents.push("service: marketplace\nusers: User\n");
    }
    let file = |(number, text): (usize, &&str)| File::new(&format!("{number}.yaml"), *text);
    let files: Vec<File> = documents.iter().enumerate().map(file).collect();
    compile(&files).diagnostics.into_iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn a_wrong_example_has_its_fault() {
    for &code in FaultCode::ALL.iter().filter(|code| !NOT_SHOWN.contains(code)) {
        let faults = faults(code, &code.wrong());
        assert!(faults.contains(&code), "{code}: {faults:?}\n{}", code.wrong());
    }
}

#[test]
fn a_right_example_has_no_fault() {
    for &code in FaultCode::ALL {
        let errors = faults(code, &code.right());
        let errors: Vec<_> = errors.into_iter().filter(|fault| fault.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{code}: {errors:?}\n{}", code.right());
    }
}
