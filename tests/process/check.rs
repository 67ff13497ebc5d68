//! `serve --check`: whether the service could serve, all of it in one run, without changing anything.

use jsonwebtoken::Algorithm;
use restwell_testkit::key::Key;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, program, run};
use serde_json::json;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

/// What was found, line by line, and whether all is well.
#[track_caller]
fn check(folder: &Path, arguments: &[&str]) -> (Vec<String>, bool) {
    let output = run(folder, ["serve", "--check"].iter().chain(arguments));
    (lines(&output), output.status.code() == Some(0))
}

fn lines(output: &Output) -> Vec<String> {
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What is kept in a folder. A `-shm` is memory that connections share, those that read, too: nothing is kept in it.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file"));
    let mut files: Vec<_> = files
        .map(|file| (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).expect("it can be read")))
        .collect();
    files.retain(|(name, _)| !name.ends_with("-shm"));
    files.sort();
    files
}

#[test]
fn nothing_is_made_by_looking() {
    let folder = folder();
    let (lines, is_well) = check(folder.path(), &[LISTEN, DATABASE]);
    assert!(is_well, "{lines:?}");
    for thing in
        ["log: ok, ", "model: ok, marketplace with ", "credentials: ok, ", "database: ok, test.db is not there"]
    {
        assert!(lines.iter().any(|line| line.starts_with(thing)), "{thing}: {lines:?}");
    }
    assert_eq!(files(folder.path()), []);
    Service::start(folder.path()).stop();
    let before = files(folder.path());
    let (lines, is_well) = check(folder.path(), &[DATABASE]);
    assert!(is_well, "{lines:?}");
    assert!(lines.contains(&"database: ok, test.db".to_owned()), "{lines:?}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_service_may_run_meanwhile() {
    let folder = folder();
    let service = Service::start(folder.path());
    let listen = format!("--listen={}", service.address());
    let (lines, is_well) = check(folder.path(), &[&listen, DATABASE]);
    assert!(is_well, "{lines:?}");
    service.get("/offers").is(200);
}

#[test]
fn all_errors_are_reported_in_one_run() {
    let folder = folder();
    fs::write(folder.path().join("test.db"), "this is no database, however one looks at it").expect("a file");
    fs::write(folder.path().join("cert.pem"), "no certificate").expect("a file");
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let nats = format!("--nats=nats://user:pa55word@{}", nobody.local_addr().expect("an address"));
    drop(nobody);
    let arguments = [
        DATABASE,
        "--log=a=b=c",
        "--issuer=https://login.example.com",
        "--audience=market",
        "--jwks=nowhere.json",
        "--tls-cert=cert.pem",
        "--tls-key=cert.pem",
        "--rate-limit-redis=redis://127.0.0.1",
        &nats,
    ];
    let output = run(folder.path(), ["--check"].iter().chain(&arguments));
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    let wrong: Vec<_> = lines.iter().filter_map(|line| Some(line.split_once(": wrong, ")?.0)).collect();
    assert_eq!(wrong, ["log", "credentials", "database", "edge", "certificate", "NATS"], "{lines:?}");
    assert!(!format!("{lines:?}").contains("pa55word"), "{lines:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("6 things are wrong"));
}

#[test]
fn an_issuer_is_asked_for_its_keys() {
    let folder = folder();
    let publish = |keys: serde_json::Value| {
        fs::write(folder.path().join("keys.json"), json!({ "keys": keys }).to_string()).expect("a file");
        check(folder.path(), &[DATABASE, "--issuer=i", "--audience=a", "--jwks=keys.json", "--listen=0.0.0.0:80"])
    };
    let secret = json!({ "kty": "oct", "k": "c2VjcmV0" });
    let (lines, is_well) = publish(json!([Key::new("one", Algorithm::EdDSA).jwk(), secret]));
    assert!(is_well, "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains("the key of keys.json; not used: key 1: it is a secret")),
        "{lines:?}"
    );
    let (lines, is_well) = publish(json!([secret]));
    assert!(!is_well, "{lines:?}");
}

#[test]
fn a_development_key_beyond_this_machine_and_half_of_a_pair_are_wrong() {
    let folder = folder();
    let (lines, is_well) =
        check(folder.path(), &["--listen=0.0.0.0:80", "--tls-key=key.pem", "--database=sqlite:///nowhere/at/all.db"]);
    assert!(!is_well);
    let wrong: Vec<_> = lines.iter().filter_map(|line| Some(line.split_once(": wrong, ")?.0)).collect();
    assert_eq!(wrong, ["credentials", "database", "certificate"], "{lines:?}");
}

#[test]
fn a_file_of_options_is_checked_first() {
    let folder = folder();
    fs::write(folder.path().join("market.yaml"), "listen: nowhere\nworkers: many\n").expect("a file");
    let output = program(folder.path()).args(["--check", "--config=market.yaml"]).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("market.yaml:1: ") && error.contains("market.yaml:2: "), "{error}");
}
