//! A client written out by hand: it must send halves of requests, and bytes that no library would.

mod connection;
mod reply;
mod request;

pub use connection::Connection;
pub use reply::Reply;
pub use request::Request;

/// The only public version (§9.4).
pub const PUBLIC: &str = "application/vnd.service.public.v1+json";
