//! A NATS server of a test's own, with JetStream on a disk: it can be stopped and started again.

pub mod published;

use crate::effort::allows_servers;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = "nats-server";
/// Nothing that it does at its start or end takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server; it is killed when this is dropped.
pub struct Nats {
    port: u16,
    folder: TempDir,
    child: Child,
}

impl Nats {
    /// Whether there is one on this machine that this run may start.
    pub fn is_installed() -> bool {
        if allows_servers().is_err() {
            return false;
        }
        let version = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    }

    /// Starts it on a free port.
    pub fn start() -> Self {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let child = spawn(port, &folder);
        Self { port, folder, child }
    }

    /// The address that it listens on.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Stops it in good order.
    pub fn stop(&mut self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
        self.child.wait().expect("it has ended");
    }

    /// Starts it where it was, with what it had.
    pub fn start_again(&mut self) {
        self.child = spawn(self.port, &self.folder);
    }
}

fn spawn(port: u16, folder: &TempDir) -> Child {
    let child = Command::new(PROGRAM)
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server starts");
    let deadline = Instant::now() + PATIENCE;
    while !greets(port) {
        assert!(Instant::now() < deadline, "nats-server does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// It opens a connection with a line of its own.
fn greets(port: u16) -> bool {
    let Ok(mut connection) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut greeting = [0; 4];
    connection.read_exact(&mut greeting).is_ok() && &greeting == b"INFO"
}

impl Drop for Nats {
    fn drop(&mut self) {
        // it has ended already, perhaps
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
