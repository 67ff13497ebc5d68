//! The program starts in an empty folder, serves, and ends in good order.

use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use std::path::Path;

#[test]
fn the_program_starts_serves_and_ends() {
    let folder = folder();
    let service = Service::start_other(Path::new(env!("CARGO_BIN_EXE_marketplace")), folder.path());
    let seller = market::user(service.address(), "seller");
    let bicycle = service.send(&market::sell(&market::offer(&seller, "Bicycle"))).is(201);
    let found = service.get(&format!("/offers/{}", bicycle.id())).is(200).json();
    assert_eq!(found["name"], "Bicycle");
    service.stop();
}
