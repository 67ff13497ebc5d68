//! The faulty proxy of the tests of clients, `tests/clients/typescript/proxy.mjs`, as a process.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

pub(crate) struct Proxy {
    child: Child,
    output: BufReader<ChildStdout>,
    pub(crate) url: String,
}

impl Proxy {
    /// Starts it before an upstream.
    ///
    /// # Errors
    ///
    /// There is no Node.
    pub(crate) fn start(upstream: &str, seed: u64) -> Result<Self, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/typescript/proxy.mjs");
        let mut command = Command::new("node");
        command.arg(script).args([upstream, &seed.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("there is no Node: {error}"))?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the proxy has no output")?);
        let mut url = String::new();
        output.read_line(&mut url).map_err(|error| error.to_string())?;
        Ok(Self { child, output, url: url.trim().to_owned() })
    }

    /// Ends it; how often each fault happened.
    pub(crate) fn stop(mut self) -> String {
        drop(self.child.stdin.take());
        let mut happened = String::new();
        self.output.read_to_string(&mut happened).expect("what happened");
        happened.trim().to_owned()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // it has ended already if it was stopped
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
