//! A request and its answer, as far as a document speaks of them.

use crate::http::{Reply, Request};

/// A request and its answer.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The path with its query.
    pub target: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// The headers of the answer, their names in lower case.
    pub headers: &'a [(String, String)],
    /// The body of the answer, decompressed. `None`: it was not read, as that of a stream.
    pub body: Option<&'a [u8]>,
}

impl<'a> Exchange<'a> {
    /// A request that was sent and its response.
    pub fn new(request: &'a Request, reply: &'a Reply) -> Self {
        Self {
            method: request.method(),
            target: request.target(),
            status: reply.status,
            headers: reply.headers(),
            body: Some(&reply.body),
        }
    }

    /// The path of the target, which may be a whole URL.
    pub(super) fn path(&self) -> &str {
        let target = self.target.split(['?', '#']).next().unwrap_or_default();
        match target.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |start| &rest[start..]),
            None => target,
        }
    }

    /// The names of the query's parameters; those that are written in another way are left out.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        let names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
        names.filter(|name| !name.is_empty() && !name.contains(['%', '+']))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The answer to HEAD is that to GET without its body.
    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// The method that the document has the operation under.
    pub(super) fn documented_method(&self) -> &str {
        if self.is_head() { "GET" } else { self.method }
    }
}
