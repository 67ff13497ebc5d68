//! `restwell dev` of a project with code of its own: what its build is doing is shown while it is doing it.

use super::serve::{Served, TOLD, write};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The build that is waited for takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Stands in for cargo: prints its progress, waits for a signal, then fails.
const CARGO: &str = "#!/bin/sh
printf '    Updating crates.io index\\n   Compiling shelf v0.1.0 (/shelf)\\n' >&2
while [ ! -e go ]; do sleep 0.05; done
printf 'error[E0308]: mismatched types\\n --> src/own.rs:1:1\\n' >&2
exit 101
";

fn waits_for(dir: &Path, what: &str) -> String {
    let begin = Instant::now();
    loop {
        let told = fs::read_to_string(dir.join(TOLD)).unwrap();
        if told.contains(what) {
            return told;
        }
        assert!(begin.elapsed() < PATIENCE, "{told}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_build_shows_its_progress() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    write(path, "Cargo.toml", "[package]\nname = \"shelf\"\n");
    write(path, "src/main.rs", "fn main() {}\n");
    write(path, "src/own.rs", "// code\n");
    write(path, "schemas/service.yaml", "service: shelf\n");
    write(path, "schemas/book.yaml", "resource: Book\nfields:\n  title: { type: string }\n");
    write(path, "cargo.sh", CARGO);
    let cargo = path.join("cargo.sh");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let served = Served::start_in("dev", path, &[], &[("CARGO", cargo.to_str().unwrap())]);
    // the first look at the code is the next one after a save
    let told = waits_for(path, "   Compiling shelf v0.1.0 (/shelf)\n");
    assert!(told.contains("    Updating crates.io index\n") && !told.contains("E0308"), "{told}");
    write(path, "go", "");
    let told = waits_for(path, "what was served before goes on");
    let failure = "error: `cargo build` has failed:\nerror[E0308]: mismatched types\n --> src/own.rs:1:1\n";
    assert!(told.contains(failure) && told.matches("Compiling").count() == 1, "{told}");
    assert_eq!(served.get("/books")["count"], 0);
}
