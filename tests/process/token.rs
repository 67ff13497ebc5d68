//! `token`: credentials of the development key (decisions, "Credentials").

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder, run, token};
use std::thread::sleep;
use std::time::Duration;

#[test]
fn a_token_opens_what_only_the_owner_may_do() {
    let folder = folder();
    let service = Service::start(folder.path());
    let (owner, other) = (market::user(service.address(), "owner"), market::user(service.address(), "other"));
    let body = market::offer(&owner, "Bicycle");
    let id = service.send(&market::sell(&body)).is(201).id();
    let get = Request::new("GET", &format!("/sale/offers/{id}"));
    let with = |sub: &str, scope: &str| service.send(&get.clone().bearer(&service.token(sub, scope))).status;
    assert_eq!(service.send(&get).status, 401);
    assert_eq!(with(&other, ""), 403);
    assert_eq!(with(&owner, ""), 200);
    assert_eq!(with(&other, "something offers.admin"), 200);
}

#[test]
fn a_token_is_good_until_its_time_is_over() {
    let folder = folder();
    let service = Service::start(folder.path());
    let owner = market::user(service.address(), "owner");
    let token = token(folder.path(), &owner, "", "PT2S");
    let list = Request::new("GET", "/sale/offers").bearer(&token);
    service.send(&list).is(200);
    // a second more: `exp` counts whole ones
    sleep(Duration::from_secs(4));
    let reply = service.send(&list).is(401);
    assert!(reply.header("www-authenticate").is_some());
    assert_eq!(reply.codes().len(), 1);
}

#[test]
fn a_token_of_another_key_is_refused() {
    let (here, elsewhere) = (folder(), folder());
    let service = Service::start(here.path());
    let owner = market::user(service.address(), "owner");
    let foreign = token(elsewhere.path(), &owner, "", "PT1H");
    // bad credentials are refused even where none are needed
    service.send(&Request::new("GET", "/offers").bearer(&foreign)).is(401);
}

#[test]
fn what_is_no_token_to_make_is_a_usage_error() {
    let folder = folder();
    for arguments in [
        &["token"][..],
        &["token", "--sub", "somebody"],
        &["token", "--sub", "019e7045-7260-726b-b2a7-4de452e6b438", "--ttl", "P1M"],
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
