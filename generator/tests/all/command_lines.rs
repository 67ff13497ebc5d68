//! The command line of `restwell`, with those of services within `serve` and `dev`: every command, every option.

use restwell_generator::command_line::CommandLine;
use restwell_testkit::command_line::every_option;
#[cfg(feature = "serve")]
use std::process::{Command, Stdio};

#[test]
fn every_command_takes_every_option_that_it_has() {
    let lines = every_option::<CommandLine>();
    assert!(lines.iter().any(|line| line[..] == ["restwell", "check"]), "{lines:?}");
}

/// What a service's program does beside serving, without the program.
#[cfg(feature = "serve")]
#[test]
fn every_command_of_a_service_runs_with_its_schemas_alone() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("schemas")).unwrap();
    let offer = "resource: Offer\nfields:\n  name: { type: string }\n";
    std::fs::write(dir.path().join("schemas/service.yaml"), "service: shop\n").unwrap();
    std::fs::write(dir.path().join("schemas/offer.yaml"), offer).unwrap();
    let lines = every_option::<CommandLine>().into_iter().filter(|line| line.get(1).is_some_and(|it| it == "serve"));
    let mut count = 0;
    for mut line in lines.filter(|line| line.last().is_some_and(|word| word != "serve")) {
        line.insert(2, "schemas".to_owned());
        let mut program = Command::new(env!("CARGO_BIN_EXE_restwell"));
        program.args(&line[1..]).current_dir(dir.path()).stdin(Stdio::null());
        for name in ["DATABASE_URL", "PORT", "LISTEN", "CONFIG", "BASE_URL"] {
            program.env_remove(name);
        }
        let output = program.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        // some ask for a file or an entity that is not there
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line:?}: {told}");
        assert!(!told.contains("panicked"), "{line:?}: {told}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}
