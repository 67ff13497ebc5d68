//! A PostgreSQL server of a test's own, for tests that end it. It refuses to run as root: then it runs as `postgres`.

use restwell_testkit::market::line::port;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Who runs it where the test is run by root.
const USER: &str = "postgres";

/// The server; it is ended when this is dropped.
pub(crate) struct Cluster {
    programs: PathBuf,
    port: u16,
    folder: TempDir,
}

impl Cluster {
    /// Whether its programs are on this machine.
    pub(crate) fn is_installed() -> bool {
        programs().is_some()
    }

    /// Makes one, and starts it on a free port.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        // who runs it must get in
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("it is ours");
        let cluster = Self { programs: programs().expect("its programs are there"), port: port(), folder };
        cluster.run("initdb", &["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        let options = format!("-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''", cluster.port);
        let log = cluster.folder.path().join("log");
        cluster.run("pg_ctl", &["--wait", "--options", &options, "--log", &log.to_string_lossy(), "start"]);
        cluster
    }

    /// `postgres://…`, without a database.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}", self.port)
    }

    /// Ends it at once, without a word to anybody, and starts it again.
    pub(crate) fn crash(&self) {
        let log = self.folder.path().join("log");
        self.run("pg_ctl", &["--wait", "--mode=immediate", "--log", &log.to_string_lossy(), "restart"]);
    }

    #[track_caller]
    fn run(&self, program: &str, arguments: &[&str]) {
        let data = self.folder.path().join("data");
        let path = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", USER, "--regid", USER, "--clear-groups"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let command = command.arg("--pgdata").arg(data).args(arguments).current_dir(self.folder.path());
        // the server keeps its output open, so no test waits for its end
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        assert!(status.expect("it starts").success(), "{program} {arguments:?}: {}", log());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let is_there = self.folder.path().join("data/postmaster.pid").exists();
        if is_there && !std::thread::panicking() {
            self.run("pg_ctl", &["--mode=immediate", "stop"]);
        } else if is_there {
            // a panic within a panic would hide the first
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.run("pg_ctl", &["--mode=immediate", "stop"]);
            }));
        }
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Those of the newest version that is installed; Debian does not have them in the path.
fn programs() -> Option<PathBuf> {
    let has = |folder: &Path| folder.join("initdb").exists() && folder.join("pg_ctl").exists();
    let in_path = std::env::var_os("PATH").unwrap_or_default();
    let of_debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().filter_map(Result::ok);
    let mut of_debian: Vec<_> = of_debian.map(|version| version.path().join("bin")).collect();
    of_debian.sort();
    std::env::split_paths(&in_path).chain(of_debian.into_iter().rev()).find(|folder| has(folder))
}
