//! A shell that runs one command after the other, as the reader's does: variables and the folder stay.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// What stands alone on the line after a command's output.
const END: &str = "--- end of the output ---";

/// No command of a page is silent for so long; one that serves for ever would be.
const PATIENCE: Duration = Duration::from_secs(60);

/// A shell.
pub(crate) struct Terminal {
    shell: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Terminal {
    /// A shell in a folder, which is its home, too; programs are looked for in `programs` first.
    pub(crate) fn start(folder: &Path, programs: &Path) -> Self {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh")
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("HOME", folder)
            .env("LC_ALL", "C.UTF-8")
            .env_remove("RESTWELL_UPDATE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let input = shell.stdin.take().expect("the shell reads from here");
        let printed = BufReader::new(shell.stdout.take().expect("the shell writes to here"));
        let (lines, output) = mpsc::channel();
        std::thread::spawn(move || printed.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
        let mut terminal = Self { shell, input, output };
        terminal.run("exec 2>&1");
        terminal
    }

    /// What a command prints, without carriage returns and without empty lines at its end.
    pub(crate) fn run(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}\nprintf '\\n%s\\n' '{END}'").expect("the shell reads");
        let mut printed = String::new();
        loop {
            let line =
                self.output.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no end of {command:?}: {printed}"));
            if line == END {
                return printed.replace('\r', "").trim_end().to_owned();
            }
            printed.push_str(&line);
            printed.push('\n');
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
