//! The command line.

use restwell_generator::{File, compile};
use restwell_testkit::http::Request;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, program, refusal, run};
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

#[test]
fn serve_is_what_it_does_when_nothing_is_said() {
    let folder = folder();
    for arguments in [&[LISTEN, DATABASE][..], &["serve", LISTEN, DATABASE]] {
        let service = Service::start_with(folder.path(), arguments);
        service.get("/offers").is(200);
        service.stop();
    }
}

#[test]
fn an_option_may_come_from_the_environment() {
    let folder = folder();
    let mut program = program(folder.path());
    program.env("LISTEN", "127.0.0.1:0").env("DATABASE_URL", "sqlite://named.db");
    let service = Service::spawn(&mut program, folder.path());
    service.get("/offers").is(200);
    service.stop();
    assert!(folder.path().join("named.db").exists());
}

/// Options of `serve`, which is also what the program does when nothing is said.
const SERVE: &[&str] = &[
    "--check",
    "--migrate",
    "--listen",
    "--config",
    "--database",
    "--tls-cert",
    "--tls-key",
    "--jwks",
    "--issuer",
    "--audience",
    "--base-url",
    "--workers",
    "--search-ttl",
    "--command-retention",
    "--nats",
    "--event-retention",
    "--cors",
    "--rate-limit",
    "--rate-limit-redis",
    "--behind-proxy",
    "--max-connections",
    "--request-timeout",
    "--access-log",
    "--log",
];

#[test]
fn help_explains_every_option() {
    let folder = folder();
    let guide = include_str!("../../docs/operate/options.md");
    for (task, options) in [
        (None, SERVE),
        (Some("serve"), SERVE),
        (Some("token"), &["--sub", "--scope", "--ttl"]),
        (Some("migrate"), &["--dry-run", "--allow-drop", "--database"]),
        (Some("model"), &[]),
    ] {
        let output = run(folder.path(), task.into_iter().chain(["--help"]));
        assert!(output.status.success());
        let help = String::from_utf8(output.stdout).expect("help is text");
        let explained = explanations(&help);
        for option in options {
            assert!(explained.iter().any(|(name, _)| name == option), "{option} of {task:?}: {help}");
        }
        for (option, text) in &explained {
            let words = text.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic));
            assert!(words.count() > 1, "{option} of {task:?}: {text}");
            let is_known = ["--help", "--version"].contains(option) || guide.contains(option);
            assert!(is_known, "{option} of {task:?} is not in the operators' guide");
        }
    }
}

/// Each option that a help text lists, and what stands beside and below it.
fn explanations(help: &str) -> Vec<(&str, String)> {
    let mut explanations: Vec<(&str, String)> = Vec::new();
    for line in help.lines() {
        if line.trim_start().starts_with('-') {
            let name = line.split_whitespace().find(|word| word.starts_with("--"));
            explanations.push((name.expect("an option has a long name"), String::new()));
        }
        if let Some((_, text)) = explanations.last_mut() {
            *text += line;
            *text += "\n";
        }
    }
    explanations
}

#[test]
fn an_unknown_option_is_a_usage_error() {
    let folder = folder();
    let output = run(folder.path(), ["--lisen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--listen"), "the nearest one is named");
}

#[test]
fn a_taken_port_is_reported_in_one_line() {
    let folder = folder();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let error = refusal(&run(folder.path(), ["--listen", &address, DATABASE]));
    assert!(error.contains(&address), "{error}");
    assert!(!folder.path().join("test.db").exists(), "no database is made for a service that cannot run");
}

#[test]
fn beyond_loopback_the_development_key_is_refused() {
    let folder = folder();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let error = refusal(&run(folder.path(), ["--listen", address, DATABASE]));
        assert!(error.contains("development key"), "{error}");
    }
}

#[test]
fn an_invalid_log_filter_is_reported() {
    let folder = folder();
    let error = refusal(&run(folder.path(), [LISTEN, DATABASE, "--log", "a=b=c"]));
    assert!(error.contains("--log"), "{error}");
}

#[test]
fn the_base_url_stands_before_location() {
    let folder = folder();
    let arguments = [LISTEN, DATABASE, "--base-url", "https://api.example.com/"];
    let service = Service::start_with(folder.path(), &arguments);
    let body = serde_json::json!({ "name": "reader", "email": "reader@example.com" });
    let reply = service.send(&Request::post("/users", &body)).is(201);
    let expected = format!("https://api.example.com/users/{}", reply.id());
    assert_eq!(reply.header("location"), Some(expected.as_str()));
}

#[test]
fn the_model_is_what_the_schemas_say() {
    let folder = folder();
    let output = run(folder.path(), ["model"]);
    assert!(output.status.success());
    let model: Value = serde_json::from_slice(&output.stdout).expect("the model is JSON");
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    let mut files = Vec::new();
    for below in ["", "shared"] {
        for entry in fs::read_dir(schemas.join(below)).expect("the schemas are there") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(File::new(&path.display().to_string(), fs::read(&path).expect("a schema")));
            }
        }
    }
    let compiled = compile(&files);
    let (service, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    assert_eq!(model, serde_json::to_value(&*service).expect("a model is JSON"));
}
