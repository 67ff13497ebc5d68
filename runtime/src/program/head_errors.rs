//! Answers to heads that hyper refuses to parse: malformed, too large, too long a URI; and to those for which there is
//! no memory.
//!
//! hyper answers these by itself, with an empty body, and has no hook. Its answer is recognized when it is written, and
//! the service's own is written in its place: errors of §7.1 and a `Trace-Id`, as every failure has. A head for which
//! there is no memory is made one that hyper refuses.

use super::head_memory::HeadMemory;
use super::stream_layer::StreamLayer;
use crate::messages::Messages;
use crate::observe::log_throttle::throttled;
use crate::observe::trace::{Trace, trace_header};
use crate::serve::edge::{MAX_URI, head_too_large};
use crate::serve::failure;
use http::HeaderValue;
use restwell_model::{ErrorCode, Problem};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncWrite, ReadBuf};

/// Bytes that hyper's own answer has at most: a status line and three headers.
const OWN_HEAD_BYTES: usize = 160;
/// How every answer to a head that was refused begins.
const REFUSED: &[u8] = b"HTTP/1.1 4";
/// The header of hyper's empty body.
const EMPTY: &str = "content-length: 0\r\n";
/// What no head has, wherever it stands in it.
const NO_HEAD: &[u8] = b"\0\r\n\r\n";
/// How the answer to a head begins for which there is no memory.
const UNAVAILABLE: &str = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n";

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
            Problem::new(ErrorCode::Unavailable),
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
    fn instead_of(&self, bytes: &[u8], is_unavailable: bool) -> Option<Vec<u8>> {
        if !bytes.starts_with(REFUSED) || bytes.len() > OWN_HEAD_BYTES || !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let head = std::str::from_utf8(bytes).ok()?;
        let (start, rest) = head.split_once(EMPTY).filter(|_| !head.contains("trace-id"))?;
        let (status, start) = match is_unavailable {
            true => (ErrorCode::Unavailable.status(), [UNAVAILABLE, start.split_once("\r\n")?.1].concat()),
            false => (head.get(9..12)?.parse().ok()?, start.to_owned()),
        };
        let (_, headers, body) = self.answers.iter().find(|(known, ..)| *known == status)?;
        let trace_id = trace_header(Trace::new().id);
        let trace_id = trace_id.to_str().unwrap_or_default();
        let head = format!("{start}{headers}trace-id: {trace_id}\r\n{rest}");
        Some([head.as_bytes(), body].concat())
    }
}

/// The layer below hyper that replaces its refusals, and has it refuse heads for which there is no memory.
pub(super) struct HeadErrorLayer {
    errors: Arc<HeadErrors>,
    memory: HeadMemory,
    /// Whether there was none for the head that arrives.
    is_unavailable: bool,
    /// The bytes still to be written instead of hyper's.
    instead: Vec<u8>,
}

impl HeadErrorLayer {
    pub(super) fn new(errors: Arc<HeadErrors>, memory: HeadMemory) -> Self {
        Self { errors, memory, is_unavailable: false, instead: Vec::new() }
    }
}

impl<S: AsyncWrite + Unpin> StreamLayer<S> for HeadErrorLayer {
    fn most(&self) -> u64 {
        self.memory.most() as u64
    }

    fn after_read(&mut self, read: &Poll<io::Result<()>>, buffer: &mut ReadBuf<'_>, before: usize) {
        let bytes = buffer.filled().len() - before;
        if read.is_pending() || bytes == 0 || !self.is_unavailable && self.memory.takes(bytes) {
            return;
        }
        if !self.is_unavailable {
            throttled!(warn, "requests are refused: too many bytes of heads are in memory");
        }
        self.is_unavailable = true;
        buffer.set_filled(before);
        let room = buffer.remaining().min(NO_HEAD.len());
        buffer.put_slice(&NO_HEAD[..room]);
    }

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
        self.instead = self.errors.instead_of(bytes, self.is_unavailable)?;
        Some(bytes.len())
    }
}
