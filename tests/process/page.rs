//! The documentation for people by HTTP, without a browser: the way in, the files, and the switch. A browser reads it
//! in `contracts/`.

use restwell_testkit::http::{Reply, Request};
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, program};
use std::path::{Path, PathBuf};

/// As browsers send it.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
/// All files of the page, compressed.
const MAX_PAGE_BYTES: usize = 64 * 1024;
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

fn page_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/page")
}

/// The names of the files below `/docs/`, as they are in the sources. Types are for the compiler alone.
fn files() -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![page_folder()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.strip_prefix(page_folder()).expect("below it").to_string_lossy().into_owned();
            match entry.is_dir() {
                true => folders.push(entry),
                false if name != "index.html" && !name.ends_with(".d.ts") && !name.ends_with(".json") => {
                    found.push(name);
                }
                false => {}
            }
        }
    }
    found
}

fn is_page(reply: &Reply) {
    assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(reply.header("content-security-policy"), Some(POLICY));
    assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
}

#[test]
fn a_browser_gets_the_page_and_a_program_gets_links() {
    let folder = folder();
    let service = Service::start(folder.path());
    let root = |accept: Option<&str>| {
        let request = Request::bare("GET", "/").header("host", "localhost").header("user-agent", "test");
        service.send(&accept.into_iter().fold(request, |request, accept| request.header("accept", accept))).is(200)
    };
    for accept in [BROWSER, "text/html", "application/json;q=0.5, text/html"] {
        is_page(&root(Some(accept)));
    }
    for accept in [None, Some("*/*"), Some("application/json"), Some("application/json, text/html;q=0.9"), Some("x")] {
        let reply = root(accept);
        assert_eq!(reply.header("content-type"), Some("application/json"), "{accept:?}");
        assert!(reply.header("vary").is_some_and(|vary| vary.contains("Accept")), "{accept:?}");
        let json = reply.json();
        assert_eq!((json["name"].as_str(), json["title"].as_str()), (Some("marketplace"), Some("Marketplace API")));
        for (name, path) in json["links"].as_object().expect("links").iter().filter(|(name, _)| *name != "events") {
            service.get(path.as_str().unwrap_or_else(|| panic!("{name}"))).is(200);
        }
    }
}

#[test]
fn every_file_has_its_type_a_tag_and_a_compressed_form() {
    let folder = folder();
    let service = Service::start(folder.path());
    let files = files();
    assert!(files.len() > 20, "{files:?}");
    let mut total = 0;
    for path in files.iter().map(|name| format!("/docs/{name}")).chain(["/docs".to_owned()]) {
        let whole = service.get(&path).is(200);
        let expected = match path.rsplit_once('.').map(|(_, end)| end) {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!(whole.header("content-type"), Some(expected), "{path}");
        assert_eq!(whole.header("content-security-policy"), Some(POLICY), "{path}");
        assert_eq!(whole.header("x-content-type-options"), Some("nosniff"), "{path}");
        let source = page_folder().join(path.strip_prefix("/docs/").unwrap_or("index.html"));
        assert_eq!(whole.body, std::fs::read(&source).expect("a file"), "{path}: as in the sources");
        let tag = whole.header("etag").expect("a tag").to_owned();
        let known = service.send(&Request::new("GET", &path).header("if-none-match", tag.as_str())).is(304);
        assert!(known.body.is_empty() && known.header("etag") == Some(tag.as_str()), "{path}");
        let small = service.send(&Request::new("GET", &path).header("accept-encoding", "gzip")).is(200);
        assert_eq!((small.header("content-encoding"), &small.body), (Some("gzip"), &whole.body), "{path}");
        assert_ne!(small.header("etag"), Some(tag.as_str()), "{path}: other bytes have another tag");
        total += small.header("content-length").and_then(|length| length.parse::<usize>().ok()).expect("a length");
        let head = service.send(&Request::new("HEAD", &path)).is(200);
        assert_eq!((head.header("etag"), head.body.len()), (Some(tag.as_str()), 0), "{path}");
    }
    assert!(total <= MAX_PAGE_BYTES, "{total} bytes");
}

#[test]
fn only_what_is_there_can_be_read_and_only_read() {
    let folder = folder();
    let service = Service::start(folder.path());
    for path in
        ["/docs/", "/docs/nothing.js", "/docs/index.html", "/docs/../docs", "/docs/vendor", "/docs/vendor/", "/console"]
    {
        assert_eq!(service.get(path).is(404).json()["errors"][0]["code"], "ResourceNotFound", "{path}");
    }
    for path in ["/", "/docs", "/docs/app.js"] {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            let refused = service.send(&Request::new(method, path)).is(405);
            assert_eq!(refused.header("allow"), Some("GET, HEAD, OPTIONS"), "{method} {path}");
        }
        let options = service.send(&Request::new("OPTIONS", path)).is(204);
        assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS"), "{path}");
        let parameter = service.get(&format!("{path}?a=b")).is(422).json();
        assert_eq!(parameter["errors"][0]["code"], "UnknownParameter", "{path}");
        let nameless = Request::bare("GET", path).header("host", "localhost");
        assert_eq!(service.send(&nameless).is(400).json()["errors"][0]["code"], "MissingUserAgent", "{path}");
    }
}

#[test]
fn the_page_can_be_switched_off() {
    let folder = folder();
    for (switches, contracts) in [(&["--docs", "off"][..], 200), (&["--contracts", "off"], 404)] {
        let options: Vec<_> = [LISTEN, DATABASE].iter().chain(switches).copied().collect();
        let service = Service::start_with(folder.path(), &options);
        for path in ["/", "/docs", "/docs/app.js"] {
            service.get(path).is(404);
        }
        service.get("/openapi.json").is(contracts);
        service.get("/model.json").is(contracts);
    }
}

/// The page is drawn from the contracts.
#[test]
fn the_page_needs_the_contracts() {
    let folder = folder();
    let options = ["--check", "--docs", "on", "--contracts", "off"];
    let checked = program(folder.path()).args(options).output().expect("it runs");
    let printed = String::from_utf8_lossy(&checked.stdout).into_owned() + &String::from_utf8_lossy(&checked.stderr);
    assert!(!checked.status.success() && printed.contains("--docs on needs --contracts on"), "{printed}");
}

#[test]
fn the_start_says_where_to_read() {
    let folder = folder();
    let service = Service::start(folder.path());
    let url = format!("Documentation: http://{}/docs", service.address());
    let log = service.stop();
    assert!(log.iter().any(|line| line.contains(&url)), "{log:?}");
}
