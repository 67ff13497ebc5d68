//! The examples of the catalogue of faults: the wrong one has the fault, the right one has none.

use restwell_generator::{Diagnostic, File, compile};
use restwell_model::FaultCode;

/// What the YAML of an example cannot have: a derive's attribute, hundreds of fields, dozens of references or indexes, a
/// model before.
const NOT_SHOWN: [FaultCode; 8] = [
    FaultCode::AttributeSyntax,
    FaultCode::TooManyFields,
    FaultCode::WideRow,
    FaultCode::TooManyShown,
    FaultCode::LongCombination,
    FaultCode::ManyIndexes,
    FaultCode::LosesData,
    FaultCode::NeedsDefault,
];

/// What is wrong with an example, in a service as the catalogue supposes it.
fn faults(code: FaultCode, example: &str) -> Vec<Diagnostic> {
    let mut documents: Vec<&str> = example.split("---\n").collect();
    let defines = |key: &str| documents.iter().any(|document| document.starts_with(key));
    let has_service = defines("service:") || code == FaultCode::NoService;
    if !defines("resource: User\n") {
        documents.push("resource: User\nfields: { name: { type: string } }\n");
    }
    if !has_service {
        documents.push("service: marketplace\nusers: User\n");
    }
    let file = |(number, text): (usize, &&str)| {
        let messages = text.lines().next().and_then(|line| line.strip_prefix("# ")).filter(|it| it.ends_with(".ftl"));
        File::new(messages.unwrap_or(&format!("{number}.yaml")), *text)
    };
    let files: Vec<File> = documents.iter().enumerate().map(file).collect();
    compile(&files).diagnostics
}

#[test]
fn a_wrong_example_has_its_fault_at_a_place() {
    for &code in FaultCode::ALL.iter().filter(|code| !NOT_SHOWN.contains(code)) {
        let faults = faults(code, &code.wrong());
        let fault = faults.iter().find(|fault| fault.code == code);
        let fault = fault.unwrap_or_else(|| panic!("{code}: {faults:?}\n{}", code.wrong()));
        assert!(fault.primary.is_some() || code == FaultCode::NoService, "{code} has no place");
    }
}

#[test]
fn a_right_example_has_no_fault() {
    for &code in FaultCode::ALL {
        let errors = faults(code, &code.right());
        let errors: Vec<_> = errors.into_iter().filter(Diagnostic::is_error).collect();
        assert!(errors.is_empty(), "{code}: {errors:?}\n{}", code.right());
    }
}
