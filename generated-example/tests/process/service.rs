//! The program as a process: started in a folder, asked to end, its log kept.

use crate::http::{Reply, Request};
use restwell_tests::postgres::{self, Database};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_marketplace");
/// A free port of this machine's own.
pub(crate) const LISTEN: &str = "--listen=127.0.0.1:0";
/// The database of most tests: named, so that it starts empty. Where PostgreSQL is chosen, one there stands for it.
pub(crate) const DATABASE: &str = "--database=sqlite://test.db";
/// Where a folder says which that is.
const CHOSEN: &str = "postgres.url";

/// Nothing that the program does at its start or end takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder, gone with the test; so is the database that belongs to it.
pub(crate) struct Folder {
    folder: TempDir,
    database: Option<Database>,
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A number that the database tells once no service has it.
    #[track_caller]
    pub(crate) fn count(&self, sql: &str) -> i64 {
        match &self.database {
            Some(database) => database.rows(sql)[0].get(0),
            None => {
                let database = rusqlite::Connection::open(self.path().join("test.db")).expect("the database opens");
                database.query_row(sql, [], |row| row.get(0)).expect("a number")
            }
        }
    }
}

/// An empty folder, but for what says where the database is.
pub(crate) fn folder() -> Folder {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let database = postgres::chosen();
    if let Some(database) = &database {
        std::fs::write(folder.path().join(CHOSEN), database.url()).expect("the folder can be written to");
    }
    Folder { folder, database }
}

/// What the program is told in a folder, which may have a database of its own.
fn arguments<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Vec<OsString> {
    let chosen = std::fs::read_to_string(folder.join(CHOSEN)).ok();
    let argument = |argument: S| match &chosen {
        Some(url) if argument.as_ref() == DATABASE => format!("--database={url}").into(),
        _ => argument.as_ref().to_owned(),
    };
    arguments.into_iter().map(argument).collect()
}

/// The program in a folder, with nothing of the environment that it would read.
pub(crate) fn program(folder: &Path) -> Command {
    command(Path::new(PROGRAM), folder)
}

fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    const VARIABLES: [&str; 15] = [
        "LISTEN",
        "DATABASE_URL",
        "CONFIG",
        "TLS_CERT",
        "TLS_KEY",
        "JWKS",
        "ISSUER",
        "AUDIENCE",
        "BASE_URL",
        "WORKERS",
        "SEARCH_TTL",
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
pub(crate) fn run<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    run_other(Path::new(PROGRAM), folder, arguments)
}

/// Runs another program to its end.
#[track_caller]
pub(crate) fn run_other<S: AsRef<OsStr>>(
    program: &Path,
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Output {
    let mut child = command(program, folder)
        .args(self::arguments(folder, arguments))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait(&mut child);
    child.wait_with_output().expect("what it said")
}

/// What a program that could not do its task said: one line on stderr, and nothing else.
#[track_caller]
pub(crate) fn refusal(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(output.stdout.is_empty(), "stdout: {}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(error.trim_end().lines().count(), 1, "one line: {error}");
    error
}

/// A bearer token, made by the program.
#[track_caller]
pub(crate) fn token(folder: &Path, sub: &str, scope: &str, ttl: &str) -> String {
    let output = run(folder, ["token", "--sub", sub, "--scope", scope, "--ttl", ttl]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a token is text").trim_end().to_owned()
}

/// The program, serving. It is killed when this is dropped.
pub(crate) struct Service {
    child: Child,
    address: SocketAddr,
    lines: Receiver<String>,
    reader: Option<JoinHandle<()>>,
    log: Vec<String>,
    folder: PathBuf,
}

impl Service {
    /// Serves in a folder, with a database there that starts empty.
    #[track_caller]
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[LISTEN, DATABASE])
    }

    /// Serves with these arguments.
    #[track_caller]
    pub(crate) fn start_with(folder: &Path, arguments: &[&str]) -> Self {
        Self::spawn(program(folder).args(self::arguments(folder, arguments)), folder)
    }

    /// Serves with another program.
    #[track_caller]
    pub(crate) fn start_other(program: &Path, folder: &Path) -> Self {
        Self::spawn(command(program, folder).args(arguments(folder, [LISTEN, DATABASE])), folder)
    }

    /// Serves, and comes back when the log says where.
    #[track_caller]
    pub(crate) fn spawn(command: &mut Command, folder: &Path) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let (sender, lines) = mpsc::channel();
        let stderr = child.stderr.take().expect("stderr is piped");
        let reader = std::thread::spawn(move || pass_on(stderr, &sender));
        let (address, log) = address(&lines);
        Self { child, address, lines, reader: Some(reader), log, folder: folder.to_owned() }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    #[track_caller]
    pub(crate) fn send(&self, request: &Request) -> Reply {
        request.send(self.address)
    }

    #[track_caller]
    pub(crate) fn get(&self, target: &str) -> Reply {
        self.send(&Request::new("GET", target))
    }

    /// A token of the service's own key, good for an hour.
    #[track_caller]
    pub(crate) fn token(&self, sub: &str, scope: &str) -> String {
        token(&self.folder, sub, scope, "PT1H")
    }

    /// Asks it to end (SIGTERM), and goes on at once.
    pub(crate) fn terminate(&self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    /// Ends it as a power cut would (SIGKILL).
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it was running");
        self.child.wait().expect("it has ended");
    }

    /// Waits until it has ended: how, and all that it logged.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>) {
        let status = wait(&mut self.child);
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the log is read to its end");
        }
        let mut log = std::mem::take(&mut self.log);
        log.extend(self.lines.try_iter());
        (status, log)
    }

    /// Ends it in good order; what it logged.
    #[track_caller]
    pub(crate) fn stop(self) -> Vec<String> {
        self.terminate();
        let (status, log) = self.ended();
        assert_eq!(status.code(), Some(0), "{log:#?}");
        log
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // it has ended already, mostly
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pass_on(stderr: ChildStderr, lines: &mpsc::Sender<String>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        // nobody listens any more: a test that has ended
        let _ = lines.send(line);
    }
}

/// Where the service listens, from its log, and the log up to there.
#[track_caller]
fn address(lines: &Receiver<String>) -> (SocketAddr, Vec<String>) {
    let mut log = Vec::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        let address = line
            .split_once(" serves at http")
            .map(|(_, rest)| rest.trim_start_matches(['s', ':', '/']))
            .map(|rest| rest.split(['"', ' ']).next());
        let address = address.flatten().and_then(|address| address.parse().ok());
        log.push(line);
        if let Some(address) = address {
            return (address, log);
        }
    }
    panic!("the service does not say where it serves: {log:#?}");
}

#[track_caller]
fn wait(child: &mut Child) -> ExitStatus {
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
