//! Connections that are kept.

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::process::{Service, folder};
use std::thread;
use std::time::Duration;

/// How long most balancers keep a connection that idles.
const BALANCERS: Duration = Duration::from_secs(60);

/// A balancer ends them itself: no request is sent into an end.
#[test]
fn who_idles_is_kept_for_longer_than_by_balancers() {
    let folder = folder();
    let service = Service::start(folder.path());
    let mut connection = Connection::open(service.address()).expect("the service listens");
    for pause in [BALANCERS, Duration::from_secs(1), Duration::ZERO] {
        connection.exchange(&Request::new("GET", "/offers")).expect("an answer").is(200);
        thread::sleep(pause);
    }
}
