//! The name of the program that was called, for messages that name commands to run.

use std::path::Path;
use std::sync::OnceLock;

/// The words to call a program with that is not a service's own: `restwell serve`.
static CALLED: OnceLock<String> = OnceLock::new();

/// Sets the words to call the program with. The first call decides.
pub(crate) fn set_program_name(words: &str) {
    CALLED.get_or_init(|| words.to_owned());
}

/// The words to call the program with: `room-booking`, before a command like `migrate`.
pub(crate) fn program_name() -> String {
    let file = || {
        let called = std::env::args_os().next()?;
        Path::new(&called).file_stem().map(|name| name.to_string_lossy().into_owned())
    };
    CALLED.get().cloned().or_else(file).unwrap_or_else(|| "the program".to_owned())
}
