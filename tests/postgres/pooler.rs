//! PgBouncer between the instances and the server, a connection per transaction. Where there is none, or one that knows
//! no prepared statements, the tests show as ignored; with `RESTWELL_SERVERS=pgbouncer` they fail.

use restwell::testing::Setup;
use restwell_testkit::postgres::Server;
use restwell_testkit::wire::{PUBLIC, Wire};
use std::fmt::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_postgres::config::{Config, Host};

/// The first minor version that keeps prepared statements apart (1.21).
const PREPARES: u32 = 21;
/// Connections to the server: fewer than the instances have.
const CONNECTIONS: u32 = 4;
/// No start takes so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// Instances that start at the same time.
const INSTANCES: usize = 4;

/// Whether a pooler must be there.
pub(crate) fn is_required() -> bool {
    restwell_testkit::effort::is_required("pgbouncer")
}

/// PgBouncer, as the operators' guide has it.
pub(crate) struct Pooler {
    process: Child,
    port: u16,
    _folder: TempDir,
}

impl Pooler {
    /// One in front of a server; or why there is none.
    pub(crate) fn start(server: &Server) -> Result<Self, String> {
        let version = version()?;
        if version < PREPARES {
            return Err(format!("PgBouncer 1.{version} is older than 1.{PREPARES}"));
        }
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, configuration(server, port)).expect("a file");
        let process = Command::new("pgbouncer")
            .args(["--quiet", "--user", "nobody"])
            .arg(&file)
            .stdin(Stdio::null())
            .spawn()
            .map_err(|error| format!("PgBouncer does not start: {error}"))?;
        let pooler = Self { process, port, _folder: folder };
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "PgBouncer does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(pooler)
    }

    /// The server behind it.
    pub(crate) fn server(&self) -> Server {
        Server::at(&format!("postgres://postgres@127.0.0.1:{}", self.port)).expect("the server behind PgBouncer")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // what has ended already need not be ended
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The `n` of PgBouncer 1.n.
fn version() -> Result<u32, String> {
    let output = Command::new("pgbouncer").arg("--version").output().map_err(|_| "there is no PgBouncer".to_owned())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let minor = text.split(['.', '\n']).nth(1).and_then(|minor| minor.parse().ok());
    minor.ok_or_else(|| format!("PgBouncer says of itself: {text}"))
}

fn configuration(server: &Server, port: u16) -> String {
    let at: Config = server.url().parse().expect("a URL");
    let mut target = String::new();
    if let Some(Host::Tcp(host)) = at.get_hosts().first() {
        write!(target, " host={host}").expect("room");
    }
    for port in at.get_ports() {
        write!(target, " port={port}").expect("room");
    }
    let user = at.get_user().unwrap_or("postgres");
    let password = at.get_password().map(|password| format!(" password={}", String::from_utf8_lossy(password)));
    format!(
        "[databases]\n* ={target} user={user}{}\n\
         [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
         pool_mode = transaction\nmax_prepared_statements = 600\ndefault_pool_size = {CONNECTIONS}\n\
         ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, lock_timeout\n",
        password.unwrap_or_default()
    )
}

/// An empty database gets its tables once, from any of the instances.
pub(crate) fn instances_start_together(server: &Server) {
    let database = server.database();
    thread::scope(|scope| {
        let starts: Vec<_> = (0..INSTANCES)
            .map(|_| scope.spawn(|| Setup::of(restwell_tests::generated_service()).database(database.url()).start()))
            .collect();
        for running in starts.into_iter().map(|start| start.join().expect("it starts")) {
            let reply = Wire::to(running.address()).send("GET", b"/specimens", PUBLIC, None, None);
            assert_eq!((reply.status, &reply.json()["count"]), (200, &0.into()), "{}", reply.body);
        }
    });
}
