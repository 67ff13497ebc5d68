//! A disk that takes no more: what was acknowledged stays, the service says that it is not ready, says so in a few lines
//! of the log, and goes on by itself when there is room again.
//!
//! A limit on the size of files stands for the full disk: it needs no rights, and can be lifted while the service runs.

use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, program_path};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest that a file may be, in the units of `ulimit -f`: half a KiB.
const BLOCKS: u32 = 4096;
/// Writes that are refused; each once had a line of the log.
const REFUSED: usize = 200;
/// Nothing here takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program, with files no longer than [`BLOCKS`]. Without the trap the signal would end it.
fn limited(folder: &Path) -> Service {
    let script = format!("trap '' XFSZ; ulimit -S -f {BLOCKS}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).arg(program_path()).args([LISTEN, DATABASE]).current_dir(folder);
    Service::spawn(&mut shell, folder)
}

fn lift_limit(service: &Service) {
    let pid = service.pid().to_string();
    let done = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status();
    assert!(done.expect("`prlimit` is there").success());
}

#[test]
fn a_full_disk_is_not_ready_and_does_not_fill_the_log() {
    let folder = folder();
    let service = limited(folder.path());
    let seller = market::user(service.address(), "seller");
    let offer = market::offer(&seller, "lamp");
    let post = || service.send(&market::sell(&offer));
    let (mut created, begun) = (0, Instant::now());
    while post().status == 201 {
        created += 1;
        assert!(begun.elapsed() < PATIENCE, "files are not limited");
    }
    for _ in 0..REFUSED {
        let refused = post();
        assert_eq!(refused.status, 503, "{}", refused.text());
        assert_eq!(refused.codes(), ["Unavailable"]);
    }
    assert_eq!(service.get("/readyz").status, 503);
    assert_eq!(service.get("/offers?limit=1").is(200).json()["count"], created, "reads go on");

    let (full, refused_for) = (Instant::now(), begun.elapsed());
    lift_limit(&service);
    while service.get("/readyz").status != 200 {
        assert!(full.elapsed() < PATIENCE, "it is never ready again");
        sleep(Duration::from_millis(100));
    }
    post().is(201);
    assert_eq!(service.get("/offers?limit=1").is(200).json()["count"], created + 1);
    let log = service.stop();
    let failures = log.iter().filter(|line| line.contains("\"ERROR\"")).count() as u64;
    let seconds = (refused_for + full.elapsed()).as_secs() + 2;
    assert!((1..=seconds).contains(&failures), "{failures} lines of {REFUSED} refusals in {seconds} s: {log:#?}");
}
