//! The program under test, run to its end.

use super::PATIENCE;
use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// The name of the program under test: a binary of `restwell-tests` with the same `main` as the marketplace's.
const NAME: &str = "marketplace-under-test";

/// Where the program under test is: cargo builds it with the tests, in the folder above theirs.
#[must_use]
pub fn program_path() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let folder = test.parent().and_then(Path::parent).expect("tests are in `deps`, below the programs");
    let program = folder.join(NAME);
    assert!(program.exists(), "cargo has not built {}", program.display());
    program
}

/// The program in a folder, with nothing of the environment that it would read.
pub fn program(folder: &Path) -> Command {
    other_program(&program_path(), folder)
}

/// Another program in a folder, in the same way.
pub fn other_program(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    const VARIABLES: [&str; 19] = [
        "LISTEN",
        "DATABASE_URL",
        "CONFIG",
        "CONTRACTS",
        "DOCS",
        "PORT",
        "TLS_CERT",
        "TLS_KEY",
        "JWKS",
        "ISSUER",
        "AUDIENCE",
        "BASE_URL",
        "WORKERS",
        "SEARCH_TTL",
        "COMMAND_RETENTION",
        "NATS_URL",
        "EVENT_RETENTION",
        "LOG",
        "RUST_LOG",
    ];
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Runs the program to its end, which must come by itself.
#[track_caller]
pub fn run<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    run_other(&program_path(), folder, arguments)
}

/// Runs another program to its end.
#[track_caller]
pub fn run_other<S: AsRef<OsStr>>(program: &Path, folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    let mut child = other_program(program, folder)
        .args(super::folder::arguments(folder, arguments))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait(&mut child);
    child.wait_with_output().expect("what it said")
}

/// What a program that could not do its task said: one line on stderr, and nothing else.
#[track_caller]
pub fn refusal(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(output.stdout.is_empty(), "stdout: {}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(error.trim_end().lines().count(), 1, "one line: {error}");
    error
}

/// A bearer token, made by the program.
#[track_caller]
pub fn token(folder: &Path, sub: &str, scope: &str, ttl: &str) -> String {
    let output = run(folder, ["token", "--sub", sub, "--scope", scope, "--ttl", ttl]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a token is text").trim_end().to_owned()
}

#[track_caller]
pub(super) fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the program does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The command with a listening socket that it inherits, as systemd would start it. A shell passes it on, since only
/// the process itself knows its id before it is a program.
#[must_use]
pub fn inheriting(command: &Command, listener: &TcpListener) -> Command {
    const PASS_ON: &str = "exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", PASS_ON]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.stdin(OwnedFd::from(listener.try_clone().expect("a socket can be shared")));
    shell
}
