//! A new project, built for real against this checkout: its tests pass and it serves, offline.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// A service that is built starts sooner.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_new_project_passes_its_tests_and_serves() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("corner-shop");
    let mut new = Command::new(env!("CARGO_BIN_EXE_restwell"));
    assert!(new.arg("new").arg(&project).arg("--restwell").arg(checkout).status().unwrap().success());

    assert!(cargo(&project, &["test", "--offline", "--quiet"]).status().unwrap().success(), "its tests pass");

    let address = free_address();
    let service = cargo(&project, &["run", "--offline", "--quiet"]).env("LISTEN", &address).spawn().unwrap();
    let mut service = Stopped(service);
    let response = get(&mut service.0, &address, "/tasks");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.ends_with(r#"{"tasks":[],"count":0}"#), "{response}");
}

/// Cargo in the project, building where this workspace does: dependencies of equal features and profile are there.
fn cargo(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(project).env("CARGO_TARGET_DIR", target());
    for name in ["DATABASE_URL", "BASE_URL", "JWKS", "RESTWELL_OUT"] {
        command.env_remove(name);
    }
    command
}

/// The folder that this test was built in: `target/tmp` is below it.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}

/// Ended with the test, however that ends. (`cargo run` becomes the program where it can.)
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_address() -> String {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().to_string()
}

/// The response to a GET, once the service listens.
fn get(service: &mut Child, address: &str, path: &str) -> String {
    let start = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(start.elapsed() < PATIENCE, "{error}"),
        }
        assert_eq!(service.try_wait().unwrap(), None, "the service has ended");
        thread::sleep(Duration::from_millis(20));
    };
    let head = "Host: localhost\r\nConnection: close\r\nUser-Agent: test\r\nAccept: */*\r\n\r\n";
    write!(stream, "GET {path} HTTP/1.1\r\n{head}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}
