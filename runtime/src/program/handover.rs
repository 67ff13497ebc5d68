//! The handover of a port from `restwell dev` to the program that it has built, and back.
//!
//! Both have the same listening socket. Connections that come while neither accepts any wait in it, so that clients do
//! not notice the change. The program gets the socket as its standard input, which a service does not read otherwise,
//! and tells on its standard output that it serves.

use std::net::TcpListener;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::Sender;

/// What the program prints once it serves.
#[cfg(unix)]
const SERVES: &str = "restwell: serves";

#[cfg(unix)]
pub(super) use unix::{announce, end_with_parent, listener, start, stop};

#[cfg(unix)]
mod unix {
    use super::{Child, Path, SERVES, Sender, TcpListener};
    use rustix::process::{Pid, Signal, kill_process};
    use std::ffi::OsString;
    use std::io::{BufRead, BufReader, Write};
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::process::parent_id;
    use std::process::{ChildStdout, Command, Stdio};
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    /// How long the program may take until it serves.
    const START_TIMEOUT: Duration = Duration::from_secs(30);
    /// How long it may take to end: longer than requests in flight may.
    const STOP_TIMEOUT: Duration = Duration::from_secs(40);
    /// The time between two checks of a process.
    const INTERVAL: Duration = Duration::from_millis(20);
    /// The time between two checks of the process that started this one.
    const PARENT_INTERVAL: Duration = Duration::from_millis(250);

    /// The socket that was handed over.
    pub(in crate::program) fn listener() -> Result<TcpListener, String> {
        let socket = std::io::stdin().as_fd().try_clone_to_owned();
        let listener = TcpListener::from(socket.map_err(|error| format!("no port was handed over: {error}"))?);
        match listener.local_addr() {
            Ok(_) => Ok(listener),
            Err(error) => Err(format!("--under-dev is for `restwell dev`: standard input is not a socket: {error}")),
        }
    }

    /// Tells `restwell dev` that this program serves.
    pub(in crate::program) fn announce() -> Result<(), String> {
        let mut output = std::io::stdout().lock();
        writeln!(output, "{SERVES}").and_then(|()| output.flush()).map_err(|error| error.to_string())
    }

    /// Ends this program once the one that started it is gone.
    pub(in crate::program) fn end_with_parent(stop: Sender<()>) {
        let parent = parent_id();
        std::thread::spawn(move || {
            while parent_id() == parent {
                std::thread::sleep(PARENT_INTERVAL);
            }
            // an error means that it ends already
            let _ = stop.send(());
        });
    }

    /// Starts a program on a port, and returns when it serves. Its output is printed here.
    pub(in crate::program) fn start(
        program: &Path,
        arguments: &[OsString],
        listener: TcpListener,
    ) -> Result<Child, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(OwnedFd::from(listener)).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (serves, served) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || pass_on(output, &serves));
        }
        let begun = Instant::now();
        while served.recv_timeout(INTERVAL).is_err() {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(format!("{} does not serve: {status}", program.display()));
            }
            if begun.elapsed() > START_TIMEOUT {
                stop(child);
                return Err(format!("{} does not serve after {} s", program.display(), START_TIMEOUT.as_secs()));
            }
        }
        Ok(child)
    }

    fn pass_on(output: ChildStdout, serves: &Sender<()>) {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if line == SERVES {
                // the receiver may be gone
                let _ = serves.send(());
            } else {
                let _ = writeln!(std::io::stdout(), "{line}");
            }
        }
    }

    /// Ends a program in good order; one that does not end is killed.
    pub(in crate::program) fn stop(mut child: Child) {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let begun = Instant::now();
        // where the signal cannot be sent, it has ended already
        let is_asked = pid.is_some_and(|pid| kill_process(pid, Signal::TERM).is_ok());
        while is_asked && begun.elapsed() < STOP_TIMEOUT && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(INTERVAL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[cfg(not(unix))]
pub(super) use elsewhere::{announce, end_with_parent, listener, start, stop};

#[cfg(not(unix))]
mod elsewhere {
    use super::{Child, Path, Sender, TcpListener};
    use std::ffi::OsString;

    fn unsupported<T>() -> Result<T, String> {
        Err("a program can take over a port only on Unix; here, run the program itself".to_owned())
    }

    pub(in crate::program) fn listener() -> Result<TcpListener, String> {
        unsupported()
    }

    pub(in crate::program) fn announce() -> Result<(), String> {
        unsupported()
    }

    pub(in crate::program) fn end_with_parent(_: Sender<()>) {}

    pub(in crate::program) fn start(_: &Path, _: &[OsString], _: TcpListener) -> Result<Child, String> {
        unsupported()
    }

    pub(in crate::program) fn stop(mut child: Child) {
        let _ = child.kill();
    }
}
