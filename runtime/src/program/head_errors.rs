//! Answers to heads that hyper refuses to parse: malformed, too large, too long a URI.
//!
//! hyper answers these by itself, with an empty body, and has no hook. Its answer is recognized when it is written, and
//! the service's own is written in its place: errors of §7.1 and a `Trace-Id`, as every failure has.

use super::stream_layer::StreamLayer;
use crate::messages::Messages;
use crate::observe::trace::{Trace, trace_header};
use crate::serve::edge::{MAX_URI, head_too_large};
use crate::serve::failure;
use http::HeaderValue;
use restwell_model::{ErrorCode, Problem};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;

/// Bytes that hyper's own answer has at most: a status line and three headers.
const OWN_HEAD_BYTES: usize = 160;
/// How every answer to a head that was refused begins.
const REFUSED: &[u8] = b"HTTP/1.1 4";
/// The header of hyper's empty body.
const EMPTY: &str = "content-length: 0\r\n";

/// The response to each of the refusals.
#[derive(Debug)]
pub(crate) struct HeadErrors {
    /// By the status line's code: the headers and the body of the answer, without a `Trace-Id`.
    answers: Vec<(u16, String, Vec<u8>)>,
}

impl HeadErrors {
    /// Those of a service. `more`: headers of all its answers.
    pub(crate) fn new(media_type: &HeaderValue, messages: &Messages, more: &str) -> Self {
        let media_type = media_type.to_str().unwrap_or_default();
        let problems = [
            Problem::new(ErrorCode::MalformedRequest),
            Problem::new(ErrorCode::UriTooLong).with("maxLength", MAX_URI),
            head_too_large(),
        ];
        let answer = |problem: &Problem| {
            let (body, language) = failure::body_of(problem, messages);
            let headers = format!(
                "content-type: {media_type}\r\ncontent-language: {language}\r\n{more}content-length: {}\r\n",
                body.len()
            );
            (problem.code.status(), headers, body)
        };
        Self { answers: problems.iter().map(answer).collect() }
    }

    /// The service's answer, where these bytes are hyper's. An answer of the service's own has a body, and a
    /// `Trace-Id`; and no body has such lines within it, for JSON and events have no CR.
    fn instead_of(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !bytes.starts_with(REFUSED) || bytes.len() > OWN_HEAD_BYTES || !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let head = std::str::from_utf8(bytes).ok()?;
        let status = head.get(9..12)?.parse::<u16>().ok()?;
        let (_, headers, body) = self.answers.iter().find(|(known, ..)| *known == status)?;
        let (start, rest) = head.split_once(EMPTY).filter(|_| !head.contains("trace-id"))?;
        let trace_id = trace_header(Trace::new().id);
        let trace_id = trace_id.to_str().unwrap_or_default();
        let head = format!("{start}{headers}trace-id: {trace_id}\r\n{rest}");
        Some([head.as_bytes(), body].concat())
    }
}

/// The layer below hyper that replaces its refusals.
pub(super) struct HeadErrorLayer {
    errors: Arc<HeadErrors>,
    /// The bytes still to be written instead of hyper's.
    instead: Vec<u8>,
}

impl HeadErrorLayer {
    pub(super) fn new(errors: Arc<HeadErrors>) -> Self {
        Self { errors, instead: Vec::new() }
    }
}

impl<S: AsyncWrite + Unpin> StreamLayer<S> for HeadErrorLayer {
    fn poll_own(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            let written = ready!(Pin::new(&mut *stream).poll_write(context, &self.instead))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.instead.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    fn replace(&mut self, bytes: &[u8]) -> Option<usize> {
        self.instead = self.errors.instead_of(bytes)?;
        Some(bytes.len())
    }
}
