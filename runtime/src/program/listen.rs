//! The address to listen on, in the ways that people write it: `127.0.0.1:8081`, `localhost:8081`, `:8081`, `8081`.
//!
//! A port alone is one of this machine only: nothing is opened to others unless the address says so. The exception is
//! the variable `PORT`, by which hosting platforms name the port of a container.

use clap::Command;
use clap::builder::OsStr;
use http::Uri;
use std::net::{Ipv4Addr, SocketAddr};

/// The variable by which hosting platforms set the port, on all addresses.
const PORT: &str = "PORT";

/// Reads an address. A name other than `localhost` is refused: which address it stands for may change.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let local = |port: &str| port.parse().ok().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let found = match text.rsplit_once(':') {
        None => local(text),
        Some(("" | "localhost", port)) => local(port),
        Some(_) => text.parse().ok(),
    };
    found.ok_or_else(|| {
        "invalid socket address: write ADDRESS:PORT, localhost:PORT or PORT, for example 127.0.0.1:8081".to_owned()
    })
}

/// Reads the URL by which clients reach the service: scheme, host and at most a path, since paths are put behind it.
/// Empty is none.
pub(super) fn base_url(text: &str) -> Result<String, String> {
    let is_base = |uri: Uri| {
        let is_host = uri.authority().is_some_and(|it| {
            let has_good_port = it.port_u16().is_some() || it.as_str() == it.host();
            !it.host().is_empty() && !it.as_str().contains('@') && has_good_port
        });
        matches!(uri.scheme_str(), Some("http" | "https")) && is_host && uri.query().is_none()
    };
    let is_plain = text.is_ascii() && !text.contains('#');
    if text.is_empty() || is_plain && text.parse().is_ok_and(is_base) {
        return Ok(text.to_owned());
    }
    Err("not a base URL: write scheme and host, and a path if there is one, for example https://api.example.com"
        .to_owned())
}

/// The command with `PORT` as the default of `--listen`, where the variable is set. `--listen` and `LISTEN` override
/// it.
pub(super) fn with_port(command: Command) -> Command {
    match std::env::var(PORT).ok().filter(|port| !port.trim().is_empty()) {
        None => command,
        // one that is not a port is refused as the option's value
        Some(port) => with_default(command, &everywhere(&port)),
    }
}

/// All addresses, with this port.
fn everywhere(port: &str) -> String {
    format!("0.0.0.0:{}", port.trim())
}

/// Wherever the command and its subcommands have the option.
fn with_default(command: Command, address: &str) -> Command {
    let has_option = |command: &Command| command.get_arguments().any(|arg| arg.get_id() == "listen");
    let set = |command: Command| match has_option(&command) {
        true => command.mut_arg("listen", |arg| arg.default_value(OsStr::from(address.to_owned()))),
        false => command,
    };
    let names: Vec<_> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names
        .iter()
        .fold(set(command), |command, name| command.mut_subcommand(name, |command| with_default(command, address)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for text in ["127.0.0.1:8081", "localhost:8081", ":8081", "8081"] {
            assert_eq!(address(text).map(|address| address.to_string()).as_deref(), Ok("127.0.0.1:8081"), "{text}");
        }
        assert_eq!(address("0.0.0.0:80"), Ok(SocketAddr::from(([0, 0, 0, 0], 80))));
        assert_eq!(address("[::1]:80").map(|address| address.is_ipv6()), Ok(true));
        for text in ["", ":", "nowhere", "localhost", "127.0.0.1", "70000", ":-1", "example.com:80", "::1"] {
            assert!(address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_base_url_has_scheme_and_host() {
        for text in ["", "https://api.example.com", "http://localhost:8080/", "https://[::1]:80/shop/v1"] {
            assert_eq!(base_url(text).as_deref(), Ok(text));
        }
        for text in [
            "api.example.com",
            "api.example.com:443",
            "//api.example.com",
            "/shop",
            "https://",
            "https:///shop",
            "ftp://api.example.com",
            "https://api.example.com?a=1",
            "https://api.example.com/#a",
            "https://me@api.example.com",
            "https://api.example.com:99999",
            "https://api.example.com/a b",
            "https://api.example.com/ł",
            " https://api.example.com",
        ] {
            assert!(base_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn port_means_every_address() {
        assert_eq!(address(&everywhere(" 8081 ")), Ok(SocketAddr::from(([0, 0, 0, 0], 8081))));
        assert!(address(&everywhere("http")).is_err());
    }
}
