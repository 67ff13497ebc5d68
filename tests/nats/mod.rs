//! The marketplace with a bus: a NATS server of the test's own, which fails and returns. Nothing is lost, the events of
//! an entity keeps its order, and repeats are dropped by their ids.
//!
//! Where there is no `nats-server` on the machine the tests show as ignored; with `RESTWELL_SERVERS=nats` they fail.
//! A night has a longer outage, more commands, and more kills meanwhile.

mod load;
mod once;

use libtest_mimic::{Completion, Trial};
use load::Load;
use restwell_testkit::effort::{at_night, is_required};
use restwell_testkit::nats::Nats;
use restwell_testkit::nats::published::{Published, stored};
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, run};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long the bus is away, which is longer than its acknowledgements are waited for; and how long in a night.
const OUTAGE: (Duration, Duration) = (Duration::from_secs(8), Duration::from_secs(60));
/// How long there is load before and after it.
const CALM: Duration = Duration::from_secs(1);
/// Times that the service is killed.
const KILLS: usize = 4;

pub(crate) fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 5] = [
        ("an_outage_of_the_bus_loses_nothing", outage),
        ("a_kill_while_publishing_loses_nothing", kill),
        ("an_orderly_end_leaves_nothing_behind", end),
        ("check_says_whether_the_bus_is_there", check),
        ("commands_are_done_once_whatever_is_killed", once::commands_are_done_once),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::ignorable_test(format!("nats::{name}"), move || {
            if !Nats::is_installed() && !is_required("nats") {
                return Ok(Completion::ignored_with("there is no nats-server here that this run may start"));
            }
            test();
            Ok(Completion::Completed)
        })
    };
    tests.into_iter().map(trial).collect()
}

/// `serve --check --nats`.
fn check() {
    let (folder, mut nats) = (folder(), Nats::start());
    let url = format!("--nats={}", nats.url());
    let look = || run(folder.path(), ["serve", "--check", DATABASE, &url]);
    let found = look();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
    assert!(String::from_utf8_lossy(&found.stdout).contains("NATS: ok"));
    nats.stop();
    let found = look();
    assert_eq!(found.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&found.stdout).contains("NATS: wrong"));
}

fn outage_length() -> Duration {
    at_night(OUTAGE)
}

fn serve(folder: &Path, nats: &Nats) -> Service {
    Service::start_with(folder, &[LISTEN, DATABASE, &format!("--nats={}", nats.url())])
}

fn outage() {
    let folder = folder();
    let mut nats = Nats::start();
    let service = serve(folder.path(), &nats);
    let load = Load::start(service.address());
    thread::sleep(CALM);
    nats.stop();
    thread::sleep(outage_length());
    nats.start_again();
    load.go_on(CALM);
    let done = load.stop();
    let published = Published::wait_for(&nats, "marketplace", done.changes());
    let log = service.stop();
    done.check(&published, &folder.path().join("test.db"));
    // once per change of state
    for (text, times) in [("events cannot be published", 1), ("events are published", 2)] {
        let found = log.iter().filter(|line| line.contains(text)).count();
        assert_eq!(found, times, "{text}: {log:#?}");
    }
    assert!(!log.iter().any(|line| line.contains("async_nats")), "{log:#?}");
}

fn kill() {
    let folder = folder();
    let nats = Nats::start();
    let mut done = load::Done::default();
    for _ in 0..KILLS {
        let service = serve(folder.path(), &nats);
        let load = Load::start(service.address());
        thread::sleep(CALM);
        service.kill();
        done.add(load.stop());
    }
    let service = serve(folder.path(), &nats);
    // what was done and not acknowledged is published as well
    let events = stored(&folder.path().join("test.db")).len();
    let published = Published::wait_for(&nats, "marketplace", events);
    service.stop();
    done.check(&published, &folder.path().join("test.db"));
}

fn end() {
    let folder = folder();
    let nats = Nats::start();
    let service = serve(folder.path(), &nats);
    let load = Load::start(service.address());
    load.go_on(CALM);
    let done = load.stop();
    service.stop();
    let published = Published::read(&nats, "marketplace");
    done.check(&published, &folder.path().join("test.db"));
}
