//! The program of a project with code of its own, built in the background while its schemas are served by
//! interpretation.

use super::report::Report;
use super::{Failure, Format, files, generate};
use crate::emit::OUTPUT_FOLDER;
use crate::project::Library;
use restwell::interpreted::DevelopmentChange;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

/// The width of cargo's column of verbs.
const VERB_WIDTH: usize = 12;
/// Sources that a project has without any code of its own.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// The code that people have written around generated code, and how it looked last.
#[derive(Debug)]
pub(super) struct Code {
    schemas: PathBuf,
    project: PathBuf,
    seen: files::Fingerprint,
}

impl Code {
    /// That of the project which a schemas folder is in; `None` where it has none: interpretation then serves all that
    /// the program would.
    pub(super) fn beside(schemas: &Path) -> Option<Self> {
        let project = schemas.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let seen = sources(project)?;
        let is_own = |path: &Path| !ROOTS.iter().any(|root| path == project.join("src").join(root));
        let has_code = seen.iter().any(|(path, ..)| path.starts_with(project.join("src")) && is_own(path));
        has_code.then(|| Self { schemas: schemas.to_owned(), project: project.to_owned(), seen })
    }

    /// Whether it has changed since this was last asked.
    pub(super) fn has_changed(&mut self) -> bool {
        // what is being replaced is there again at the next look
        let Some(now) = sources(&self.project) else { return false };
        let has_changed = now != self.seen;
        self.seen = now;
        has_changed
    }
}

/// The manifest and the sources of a project without what is generated; `None` where it is no project.
fn sources(project: &Path) -> Option<files::Fingerprint> {
    let manifest = fs::metadata(project.join("Cargo.toml")).ok()?;
    let generated = project.join(OUTPUT_FOLDER);
    let mut sources = files::fingerprint(&project.join("src")).ok()?;
    sources.retain(|(path, ..)| !path.starts_with(&generated));
    sources.push((project.join("Cargo.toml"), manifest.modified().ok(), manifest.len()));
    Some(sources)
}

/// The thread that builds.
pub(super) struct Build(Sender<()>);

impl Build {
    /// Starts it with a first build. Each program that is ready goes to `built`.
    pub(super) fn start(code: &Code, consent: bool, format: Format, built: Sender<DevelopmentChange>) -> Self {
        let (asks, asked) = channel();
        let builder = Builder {
            schemas: code.schemas.clone(),
            project: code.project.clone(),
            consent,
            report: Report::new(format),
        };
        thread::spawn(move || builder.run(&asked, &built));
        let build = Self(asks);
        build.again();
        build
    }

    /// Builds what there is now. A build that is under way is finished first, and its program left out.
    pub(super) fn again(&self) {
        // the thread ends with the program that serves
        let _ = self.0.send(());
    }
}

struct Builder {
    schemas: PathBuf,
    project: PathBuf,
    consent: bool,
    report: Report,
}

impl Builder {
    fn run(&self, asked: &Receiver<()>, built: &Sender<DevelopmentChange>) {
        while asked.recv().is_ok() {
            let program = loop {
                // one build does for all that were asked for by now
                while asked.try_recv().is_ok() {}
                let program = self.build();
                // what has changed meanwhile is not in it
                if asked.try_recv().is_err() {
                    break program;
                }
            };
            if let Some(program) = program
                && built.send(DevelopmentChange::Program(program)).is_err()
            {
                return;
            }
        }
    }

    /// The program; `None` where it cannot be built, which has been reported.
    fn build(&self) -> Option<PathBuf> {
        let started = Instant::now();
        let done = self.generate().and_then(|()| {
            self.report.done("building the program; what is served goes on until it is ready");
            self.cargo()
        });
        match done {
            Ok(program) => {
                self.report.done(&format!("the program is built, after {} s", started.elapsed().as_secs()));
                Some(program)
            }
            Err(Failure::Reported) => None,
            Err(Failure::Other(reason)) => {
                self.report.failure(&reason);
                self.report.done("what was served before goes on");
                None
            }
        }
    }

    fn generate(&self) -> Result<(), Failure> {
        let prepared = generate::prepare(&self.schemas, &self.project, self.consent, &self.report)?;
        generate::carry_out(&prepared, &self.project, &Library::Registry, &self.report)
    }

    fn cargo(&self) -> Result<PathBuf, Failure> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--message-format=json-render-diagnostics"]).current_dir(&self.project);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error: std::io::Error| Failure::Other(format!("cannot run `cargo build`: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        let stderr = child.stderr.take();
        // both are read at once: cargo waits where one is full
        let (output, errors) = thread::scope(|scope| {
            let errors = scope.spawn(|| stderr.map(|stderr| self.pass_on(stderr)).unwrap_or_default());
            (child.wait_with_output(), errors.join().unwrap_or_default())
        });
        let output = output.map_err(failed)?;
        if !output.status.success() {
            return Err(Failure::Other(format!("`cargo build` has failed:\n{}", errors.trim_end())));
        }
        executable(&output.stdout, &self.project)
            .ok_or_else(|| Failure::Other(format!("`{}` has no program: it needs src/main.rs", self.project.display())))
    }

    /// Prints cargo's lines of progress as they come. Returns the others, which are reported if the build fails.
    fn pass_on(&self, stderr: impl Read) -> String {
        let mut others = String::new();
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            match is_progress(&line) {
                true => self.report.done(&line),
                false => {
                    others.push_str(&line);
                    others.push('\n');
                }
            }
        }
        others
    }
}

/// Whether a line of cargo says what it is doing: `   Compiling shop v0.1.0 (/shop)`. Its verbs end in one column.
fn is_progress(line: &str) -> bool {
    let word = line.trim_start();
    let verb = word.split(' ').next().unwrap_or_default();
    let is_indented = line.len() - word.len() + verb.len() == VERB_WIDTH;
    is_indented && verb.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The program of a project among what cargo has built: one message a line.
fn executable(messages: &[u8], project: &Path) -> Option<PathBuf> {
    let manifest = fs::canonicalize(project.join("Cargo.toml")).ok()?;
    let messages = messages.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| {
        let is_ours = message["manifest_path"].as_str().is_some_and(|path| Path::new(path) == manifest);
        message["executable"].as_str().filter(|_| is_ours).map(PathBuf::from)
    });
    programs.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_progress_are_recognized() {
        for line in ["   Compiling shop v0.1.0 (/shop)", "    Updating crates.io index", " Downloading 12 crates"] {
            assert!(is_progress(line), "{line}");
        }
        for line in ["error[E0308]: mismatched types", "  --> src/main.rs:3:5", "   |", "12 |     let x = 1;", ""] {
            assert!(!is_progress(line), "{line}");
        }
    }

    #[test]
    fn the_program_of_the_project_is_found_among_others() {
        let folder = tempfile::tempdir().unwrap();
        let project = fs::canonicalize(folder.path()).unwrap();
        fs::write(project.join("Cargo.toml"), "").unwrap();
        let artifact = |manifest: &str, executable: &str| {
            format!(r#"{{"reason":"compiler-artifact","manifest_path":"{manifest}","executable":{executable}}}"#)
        };
        let own = project.join("Cargo.toml").display().to_string();
        let messages = [
            artifact("/elsewhere/Cargo.toml", r#""/target/debug/other""#),
            artifact(&own, "null"),
            artifact(&own, r#""/target/debug/shop""#),
            "not JSON".to_owned(),
        ];
        assert_eq!(executable(messages.join("\n").as_bytes(), &project), Some(PathBuf::from("/target/debug/shop")));
        assert_eq!(executable(b"", &project), None);
    }
}
