//! `--config`: options in a file (the command line wins over the environment, and that over the file).

use restwell_testkit::http::Request;
use restwell_testkit::process::{LISTEN, Service, folder, program, refusal, run};
use serde_json::json;
use std::fs;
use std::path::Path;

fn write(folder: &Path, text: &str) {
    fs::write(folder.join("market.yaml"), text).expect("a file can be written");
}

/// What stands before the path in `Location`.
fn base(service: &Service) -> String {
    let body = json!({ "name": "reader", "email": "reader@example.com" });
    let reply = service.send(&Request::post("/users", &body)).is(201);
    let location = reply.header("location").expect("a location").to_owned();
    location.split_once("/users").expect("a user's").0.to_owned()
}

#[test]
fn an_option_is_taken_from_the_nearest_place() {
    let text = "listen: 127.0.0.1:0\ndatabase: 'sqlite::memory:'\nbase-url: https://file.example.com\n";
    let (file, variable) = ("https://file.example.com", "https://variable.example.com");
    let argument = "https://argument.example.com";
    for (by_variable, by_argument, task, expected) in [
        (false, false, None, file),
        (false, false, Some("serve"), file),
        (true, false, None, variable),
        (true, true, Some("serve"), argument),
        (false, true, None, argument),
    ] {
        let folder = folder();
        write(folder.path(), text);
        let mut program = program(folder.path());
        program.args(task).args(["--config", "market.yaml"]);
        if by_variable {
            program.env("BASE_URL", variable);
        }
        if by_argument {
            program.args(["--base-url", argument]);
        }
        let service = Service::spawn(&mut program, folder.path());
        assert_eq!(base(&service), expected, "{task:?} {by_variable} {by_argument}");
        service.stop();
        assert!(!folder.path().join("marketplace.db").exists(), "the database is the one in the file");
    }
}

#[test]
fn the_environment_may_name_the_file() {
    let folder = folder();
    write(folder.path(), "listen: 127.0.0.1:0\ndatabase: sqlite://named.db\n");
    let mut program = program(folder.path());
    program.env("CONFIG", "market.yaml");
    Service::spawn(&mut program, folder.path()).stop();
    assert!(folder.path().join("named.db").exists());
}

#[test]
fn mistakes_are_reported_with_file_and_line() {
    let folder = folder();
    let refused = |text: &str| {
        write(folder.path(), text);
        refusal(&run(folder.path(), [LISTEN, "--config=market.yaml"]))
    };
    let error = refused("log: info\nlisen: 127.0.0.1:0\n");
    assert!(error.contains("market.yaml:2: ") && error.contains("did you mean `listen`?"), "{error}");
    let error = refused("database: 'mysql://root:pa55word@db/market'\n");
    assert!(!error.contains("pa55word"), "{error}");
    let error = refused("workers: pa55word\n");
    assert!(error.contains("market.yaml:1: `workers`") && !error.contains("pa55word"), "{error}");
    let missing = refusal(&run(folder.path(), [LISTEN, "--config=nowhere.yaml"]));
    assert!(missing.contains("nowhere.yaml"), "{missing}");
    assert!(!folder.path().join("marketplace.db").exists());
}

#[test]
fn a_file_that_names_an_issuer_leaves_no_key_to_mint_tokens_with() {
    let folder = folder();
    write(folder.path(), "listen: 127.0.0.1:0\nissuer: https://login.example.com\naudience: market\n");
    let sub = ["token", "--sub", "019e7045-7260-726b-b2a7-4de452e6b438", "--config", "market.yaml"];
    let error = refusal(&run(folder.path(), sub));
    assert!(error.contains("https://login.example.com"), "{error}");
}
