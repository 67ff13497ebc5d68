//! The program, serving, and its log.

use super::folder::arguments;
use super::program::{other_program, program, token, wait};
use super::{DATABASE, LISTEN, PATIENCE};
use crate::http::{Reply, Request};
use crate::market;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;

/// The program, serving. It is killed when this is dropped.
pub struct Service {
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
    pub fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[LISTEN, DATABASE])
    }

    /// Serves with these arguments.
    #[track_caller]
    pub fn start_with(folder: &Path, arguments: &[&str]) -> Self {
        Self::spawn(program(folder).args(self::arguments(folder, arguments)), folder)
    }

    /// Serves with another program.
    #[track_caller]
    pub fn start_other(program: &Path, folder: &Path) -> Self {
        Self::spawn(other_program(program, folder).args(arguments(folder, [LISTEN, DATABASE])), folder)
    }

    /// Serves, and comes back when the log says where.
    #[track_caller]
    pub fn spawn(command: &mut Command, folder: &Path) -> Self {
        // one with an issuer makes no key
        if !command.get_args().any(|argument| argument.to_string_lossy().starts_with("--issuer")) {
            market::keep_key(folder);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let (sender, lines) = mpsc::channel();
        let stderr = child.stderr.take().expect("stderr is piped");
        let reader = std::thread::spawn(move || pass_on(stderr, &sender));
        let (address, log) = address(&lines);
        Self { child, address, lines, reader: Some(reader), log, folder: folder.to_owned() }
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request on a new connection.
    #[track_caller]
    pub fn send(&self, request: &Request) -> Reply {
        request.send(self.address)
    }

    /// GET without credentials.
    #[track_caller]
    pub fn get(&self, target: &str) -> Reply {
        self.send(&Request::new("GET", target))
    }

    /// A token of the service's own key, good for an hour.
    #[track_caller]
    pub fn token(&self, sub: &str, scope: &str) -> String {
        token(&self.folder, sub, scope, "PT1H")
    }

    /// Asks it to end (SIGTERM), and goes on at once.
    pub fn terminate(&self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    /// Ends it as a power cut would (SIGKILL).
    pub fn kill(mut self) {
        self.child.kill().expect("it was running");
        self.child.wait().expect("it has ended");
    }

    /// Waits until it has ended: how, and all that it logged.
    #[track_caller]
    pub fn ended(mut self) -> (ExitStatus, Vec<String>) {
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
    pub fn stop(self) -> Vec<String> {
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
        // the test has ended
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
