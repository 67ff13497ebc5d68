//! The tutorial, page by page and step by step: each block of its shell is run in a fresh project, built against this
//! checkout, and prints what the page says.
//!
//! The last step needs PostgreSQL (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); where none answers it is left
//! out, with `RESTWELL_SERVERS=postgres` that fails.

use super::{only_builder, target};
use restwell_testkit::postgres::{Server, is_required};
use restwell_testkit::shared_builds::share_builds;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The pages, in the order in which they are read.
const PAGES: [&str; 4] = ["first-service", "first-command", "route-and-tests", "deploy"];
/// The project's name in the pages.
const PROJECT: &str = "room-booking";
/// Where the pages serve.
const ADDRESS: &str = "127.0.0.1:8080";
/// The server of the pages.
const POSTGRES: &str = "postgres://postgres@127.0.0.1:5432";

/// A block of shell, and lines that it prints.
struct Step {
    /// `docs/tutorial/deploy.md:12`
    place: String,
    shell: String,
    prints: Vec<String>,
}

#[test]
fn every_step_does_what_its_page_says() {
    let _only_builder = only_builder();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_restwell"), bin.join("restwell")).unwrap();
    let project = folder.path().join(PROJECT);
    let server = Server::find();
    let address = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().to_string();
    for step in PAGES.iter().flat_map(|page| steps(checkout, page)) {
        let needs_postgres = step.shell.contains(POSTGRES);
        if needs_postgres && let Err(reason) = &server {
            assert!(!is_required(), "{reason}");
            eprintln!("{} is left out: {reason}", step.place);
            continue;
        }
        let url = server.as_ref().map_or(POSTGRES, Server::url);
        let shell = step.shell.replace(ADDRESS, &address).replace(POSTGRES, url);
        let is_there = project.exists();
        let output = run(&shell, if is_there { &project } else { folder.path() }, &bin, checkout);
        let missing: Vec<_> = step.prints.iter().filter(|line| !output.1.contains(line.as_str())).collect();
        assert!(output.0 && missing.is_empty(), "{}: {missing:?}\n{}", step.place, output.1);
        if !is_there {
            share_builds(&project).unwrap();
        }
    }
    assert!(project.join("migrations").exists());
}

/// The blocks of a page, each with what the next block says that it prints.
fn steps(checkout: &Path, page: &str) -> Vec<Step> {
    let path = format!("docs/tutorial/{page}.md");
    let text = fs::read_to_string(checkout.join(&path)).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    let mut block: Option<(&str, usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut block, line.strip_prefix("```")) {
            (Some(_), Some("")) => match block.take() {
                Some(("sh", line, shell)) => {
                    steps.push(Step { place: format!("{path}:{line}"), shell, prints: Vec::new() });
                }
                Some(("text", _, text)) => {
                    steps.last_mut().unwrap().prints = text.lines().map(str::to_owned).collect();
                }
                _ => {}
            },
            (None, Some(language)) => block = Some((language, index + 1, String::new())),
            (Some((_, _, text)), _) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    steps
}

/// Whether a block succeeds, and all that it prints.
fn run(shell: &str, folder: &Path, bin: &Path, checkout: &Path) -> (bool, String) {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(["-e", "-c", &format!("exec 2>&1\n{shell}")]).current_dir(folder).env("PATH", path);
    command.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true").env("RESTWELL", checkout);
    for name in ["DATABASE_URL", "BASE_URL", "JWKS", "RESTWELL_OUT", "LISTEN", "PORT", "RESTWELL_TEST_DATABASE"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}
