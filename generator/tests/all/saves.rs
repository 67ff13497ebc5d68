//! How long it takes until `restwell dev` serves a saved field: from the moment in which the file is written to the first
//! response that shows the field. Measured with the schemas of the marketplace, and with a thousand resources.
//!
//! ```sh
//! cargo build --release -p restwell-generator --bin restwell
//! RESTWELL_PROGRAM=$PWD/target/release/restwell cargo test -p restwell-generator --test all saves -- --ignored --nocapture --test-threads 1
//! ```

#[path = "../common/many_resources.rs"]
mod many_resources;

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::process::copy_folder;
use serde_json::Value;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A service with a thousand resources starts sooner, and serves a change sooner.
const PATIENCE: Duration = Duration::from_secs(120);
/// Entities of each resource that the database has.
const SAMPLE: &str = "5";

#[test]
#[ignore = "measures a release build, which RESTWELL_PROGRAM names"]
fn a_saved_field_of_the_marketplace_is_served_within_300_milliseconds() {
    let dir = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas"), &dir.path().join("schemas"));
    measure("marketplace", dir.path(), 60, Duration::from_millis(300));
}

#[test]
#[ignore = "measures a release build, which RESTWELL_PROGRAM names"]
fn a_saved_field_of_a_thousand_resources_is_served_within_2_seconds() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("schemas")).unwrap();
    for file in many_resources::schemas(1_000) {
        fs::write(dir.path().join(file.path), file.bytes).unwrap();
    }
    measure("1,000 resources", dir.path(), 15, Duration::from_secs(2));
}

/// Saves one field after the other, and compares the 95th percentile with the limit.
fn measure(name: &str, dir: &Path, saves: usize, limit: Duration) {
    // the rows that are to be brought along
    drop(Served::start(dir, &["serve", "--sample", SAMPLE]));
    let served = Served::start(dir, &["dev"]);
    let mut took: Vec<_> = (0..saves).map(|number| save(dir, &served, number)).collect();
    took.sort();
    let percentile = |percent: usize| took[(saves * percent).div_ceil(100) - 1];
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{name}: {saves} saves, served after {} ms (p50), {} ms (p95), {} ms (slowest); load {}",
        percentile(50).as_millis(),
        percentile(95).as_millis(),
        took[saves - 1].as_millis(),
        load.trim_end()
    );
    assert!(percentile(95) < limit, "{took:?}");
}

/// Adds a field to the users, and waits until it is shown.
fn save(dir: &Path, served: &Served, number: usize) -> Duration {
    // not always at the same time after a look at the folder
    thread::sleep(Duration::from_millis(100 + number as u64 * 37 % 100));
    let (file, field) = (dir.join("schemas/user.yaml"), format!("saved{number}"));
    let text = fs::read_to_string(&file).unwrap();
    let text = format!("{text}  {field}: {{ type: integer, default: {number}, required: true }}\n");
    let begun = Instant::now();
    fs::write(&file, text).unwrap();
    loop {
        let users = served.users();
        if users[0][&field] == number {
            return begun.elapsed();
        }
        assert!(begun.elapsed() < PATIENCE, "{field} is not served");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A running program; it is ended with the test.
struct Served {
    program: Child,
    address: SocketAddr,
}

impl Served {
    fn start(dir: &Path, arguments: &[&str]) -> Self {
        let address = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
        let mut command = Command::new(program());
        for name in ["DATABASE_URL", "PORT", "LISTEN", "CONFIG", "BASE_URL"] {
            command.env_remove(name);
        }
        command.args(arguments).arg(format!("--listen={address}")).current_dir(dir).stderr(Stdio::null());
        let mut served = Self { program: command.spawn().unwrap(), address };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(begun.elapsed() < PATIENCE, "it does not listen");
            assert_eq!(served.program.try_wait().unwrap(), None, "it has ended");
            thread::sleep(Duration::from_millis(10));
        }
        assert_ne!(served.users()[0], Value::Null, "there are rows");
        served
    }

    fn users(&self) -> Value {
        let mut connection = Connection::open(self.address).unwrap();
        connection.wait_for(PATIENCE).unwrap();
        connection.exchange(&Request::new("GET", "/users?limit=1")).unwrap().is(200).json()["users"].take()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The program that is measured: that of a release build if the variable has its absolute path.
fn program() -> PathBuf {
    let named = std::env::var_os("RESTWELL_PROGRAM").map(PathBuf::from);
    named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_restwell")))
}
