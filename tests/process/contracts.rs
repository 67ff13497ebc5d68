//! What the service says of itself: the same documents by HTTP and by the command line, and only where they are wanted.

use restwell_testkit::http::Request;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, program};
use serde_json::Value;

/// The paths, and the commands that print the same.
const DOCUMENTS: [(&str, &str); 3] =
    [("/openapi.json", "openapi"), ("/asyncapi.json", "asyncapi"), ("/model.json", "model")];

#[test]
fn documents_are_those_of_the_command_line() {
    let folder = folder();
    let service = Service::start(folder.path());
    for (path, command) in DOCUMENTS {
        let reply = service.get(path).is(200);
        assert_eq!(reply.header("content-type"), Some("application/json"), "{path}");
        let printed = program(folder.path()).arg(command).output().expect("it runs");
        let printed: Value = serde_json::from_slice(&printed.stdout).expect("JSON is printed");
        let served = reply.json();
        assert_eq!(served.get("openapi"), printed.get("openapi"), "{path}");
        assert_eq!(served.get("paths"), printed.get("paths"), "{path}");
        assert_eq!(served.get("channels"), printed.get("channels"), "{path}");
        assert!(served.as_object().is_some_and(|members| !members.is_empty()), "{path}");
    }
}

#[test]
fn documents_have_entity_tags_and_are_compressed() {
    let folder = folder();
    let service = Service::start(folder.path());
    for (path, _) in DOCUMENTS {
        let whole = service.get(path).is(200);
        let tag = whole.header("etag").expect("a tag").to_owned();
        let known = service.send(&Request::new("GET", path).header("if-none-match", tag.as_str())).is(304);
        assert!(known.text().is_empty(), "{path}");
        let small = service.send(&Request::new("GET", path).header("accept-encoding", "gzip")).is(200);
        assert_eq!(small.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(small.body, whole.body, "{path}");
        assert_ne!(small.header("etag"), Some(tag.as_str()), "{path}: other bytes have another tag");
        let head = service.send(&Request::new("HEAD", path)).is(200);
        assert_eq!((head.header("etag"), head.body.len()), (Some(tag.as_str()), 0), "{path}");
        service.send(&Request::new("DELETE", path)).is(405);
    }
}

#[test]
fn documents_can_be_switched_off() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--contracts", "off"]);
    for (path, _) in DOCUMENTS {
        service.get(path).is(404);
    }
}
