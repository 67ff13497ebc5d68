//! The service's own paths (rulings, "Own paths"): beside the conventions, answered before the router is asked.

use super::Engine;
use super::failure::Failure;
use super::method_not_allowed;
use super::payload::Payload;
use crate::events::stream;
use http::{Method, Response, request};

/// What is served at a path of the service's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnPath {
    /// Events as they happen.
    Events,
}

/// Those that are served so far, of all that the model keeps free.
const SERVED: [(&str, OwnPath); 1] = [("/events", OwnPath::Events)];

impl OwnPath {
    /// What is served at a path, where it is one of these.
    pub(super) fn find(path: &str) -> Option<Self> {
        SERVED.iter().find(|(known, _)| *known == path).map(|(_, own)| *own)
    }

    /// Answers a request. All of them are read only.
    pub(super) async fn answer(self, engine: &Engine, head: &request::Parts) -> Result<Response<Payload>, Failure> {
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(method_not_allowed("GET, HEAD".to_owned()));
        }
        match self {
            Self::Events => stream::open(engine, head).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::routes::OWN_PATHS;

    #[test]
    fn the_model_keeps_them_free() {
        assert!(SERVED.iter().all(|(path, _)| OWN_PATHS.contains(path)));
    }
}
