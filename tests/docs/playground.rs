//! Where a page's commands run: a folder with the schemas and the example, the marketplace served from it, and in front
//! of all other programs a `cargo` that starts what was built already.

use crate::page::root;
use crate::terminal::Terminal;
use restwell_testkit::shared_builds::share_builds;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Where the pages say that the service listens.
pub(crate) const ADDRESS: &str = "127.0.0.1:8080";
/// The name under which this program is the service.
pub(crate) const SERVICE: &str = "marketplace";
/// The name under which it is the generator.
pub(crate) const GENERATOR: &str = "restwell";
/// The program that is rebuilt.
const REBUILT: &str = "marketplace-rebuilt";

/// `cargo run -- …` and `cargo restwell …`, as in the checkout.
const CARGO: &str = "#!/bin/sh
task=$1
shift
case $task in
run) [ \"$1\" = --quiet ] && shift; [ \"$1\" = -- ] && shift; exec marketplace \"$@\" ;;
restwell) RESTWELL_OUT=generated-example exec restwell \"$@\" ;;
esac
";
/// No progress bar, and a limited time.
const CURLRC: &str = "silent\nmax-time = 30\n";

/// A folder to play in, and the service that runs there.
pub(crate) struct Playground {
    pub(crate) terminal: Terminal,
    service: Service,
    folder: TempDir,
}

impl Playground {
    /// A new one, with the sample data.
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let programs = folder.path().join(".programs");
        fs::create_dir(&programs)?;
        let this = std::env::current_exe()?;
        for name in [SERVICE, GENERATOR] {
            symlink(&this, programs.join(name))?;
        }
        fs::write(programs.join("cargo"), CARGO)?;
        fs::set_permissions(programs.join("cargo"), fs::Permissions::from_mode(0o755))?;
        fs::write(folder.path().join(".curlrc"), CURLRC)?;
        for part in ["schemas", "generated-example"] {
            copy(&root().join(part), &folder.path().join(part))?;
        }
        let service = Service::start(&programs.join(SERVICE), folder.path(), &[])?;
        Ok(Self { terminal: Terminal::start(folder.path(), &programs), service, folder })
    }

    /// Where the service listens, as the pages' `ADDRESS`.
    pub(crate) fn address(&self) -> String {
        self.service.address.clone()
    }

    /// Goes to an empty folder, where a service that is started listens at the address that this answers.
    pub(crate) fn leave_for_an_empty_folder(&mut self) -> io::Result<String> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        self.terminal.run(&format!("mkdir empty && cd empty && export LISTEN={address}"));
        Ok(address.to_string())
    }

    /// Comes back, and ends the service that was started in the background there.
    pub(crate) fn return_from_it(&mut self) {
        self.terminal.run("kill $!; wait; cd ..; unset LISTEN");
    }

    /// Rebuilds the service from the folder's example and serves that, with the database migrated.
    ///
    /// The real cargo does it, in the target folder of this test, where nearly all but the example itself is built
    /// already; so the program must not be called like the one that lies there.
    pub(crate) fn rebuild(&mut self) -> io::Result<()> {
        let folder = self.folder.path();
        let project = folder.join("generated-example");
        let example = project.join("Cargo.toml");
        let manifest = fs::read_to_string(&example)?.replace("[package]", "[package]\nautobins = false");
        let manifest = manifest.replace("default-run = \"marketplace\"\n", "");
        // its tests need more of the checkout, and stay there
        let manifest = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        fs::write(example, format!("{manifest}\n[[bin]]\nname = \"{REBUILT}\"\npath = \"src/main.rs\"\n"))?;
        share_builds(&project)?;
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is below the target folder");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", target)
            .output()?;
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        self.service.stop();
        let rebuilt = target.join("debug").join(REBUILT);
        self.service = Service::start(&rebuilt, folder, &["--migrate"])?;
        // from here on this is what `cargo run` runs
        let program = folder.join(".programs").join(SERVICE);
        fs::remove_file(&program)?;
        symlink(rebuilt, program)?;
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let path = entry.path();
        let target = to.join(entry.file_name());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// The marketplace, being served.
struct Service {
    program: Child,
    address: String,
}

impl Service {
    fn start(program: &Path, folder: &Path, more: &[&str]) -> io::Result<Self> {
        let mut program = Command::new(program)
            .args(["--listen", "127.0.0.1:0"])
            .args(more)
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()?;
        let mut log = BufReader::new(program.stderr.take().expect("the service writes its log to here"));
        let mut heard = String::new();
        let address = loop {
            let mut line = String::new();
            assert_ne!(log.read_line(&mut line)?, 0, "the service does not start:\n{heard}");
            if let Some((_, rest)) = line.split_once("serves at http://") {
                break rest.split('"').next().unwrap_or_default().trim().to_owned();
            }
            heard.push_str(&line);
        };
        // the log goes on, and must not fill the pipe
        std::thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        Ok(Self { program, address })
    }

    fn stop(&mut self) {
        // it may have ended already
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}
