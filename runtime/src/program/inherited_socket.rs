//! A listening socket that was opened for this program: by systemd (a `.socket` unit), or by any other that speaks its
//! protocol (`LISTEN_FDS`, `LISTEN_PID`).
//!
//! Who has opened it keeps it open while programs are exchanged. Connections that come while none accepts any wait in
//! it, so that no client is refused.

use std::net::TcpListener;

/// The socket, if there is one. Called while no other thread reads the environment: the variables are removed.
///
/// # Errors
///
/// A message for the operator: what was inherited is of no use.
#[cfg(unix)]
pub(super) fn inherited_socket() -> Result<Option<TcpListener>, String> {
    let mut inherited = listenfd::ListenFd::from_env();
    match inherited.len() {
        0 => Ok(None),
        1 => inherited
            .take_tcp_listener(0)
            .map_err(|error| format!("the inherited socket (LISTEN_FDS) is not one to listen on: {error}")),
        several => Err(format!("{several} sockets were inherited (LISTEN_FDS); the service listens on one")),
    }
}

#[cfg(not(unix))]
pub(super) fn inherited_socket() -> Result<Option<TcpListener>, String> {
    Ok(None)
}
