//! The body of a response: complete, or a stream of events until one side ends it.

use super::answers::SMALL_ANSWER_BYTES;
use bytes::Bytes;
use futures_util::Stream;
use hyper::body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The body of an answer.
pub(crate) enum Payload {
    /// Complete.
    Whole(Bytes),
    /// Sent as it arrives.
    Stream(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
}

impl Payload {
    /// The items of a stream, as they arrive.
    pub(crate) fn stream(stream: impl Stream<Item = Bytes> + Send + 'static) -> Self {
        Self::Stream(Box::pin(stream))
    }
}

impl From<Vec<u8>> for Payload {
    fn from(mut bytes: Vec<u8>) -> Self {
        // the budget counts lengths, so spare capacity is given up; for a small body this is not worth a copy
        if bytes.len() > SMALL_ANSWER_BYTES {
            bytes.shrink_to_fit();
        }
        Self::Whole(Bytes::from(bytes))
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(whole) if whole.is_empty() => Poll::Ready(None),
            Self::Whole(whole) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(whole))))),
            Self::Stream(stream) => stream.as_mut().poll_next(cx).map(|next| next.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(whole) => whole.is_empty(),
            Self::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(whole) => SizeHint::with_exact(whole.len() as u64),
            Self::Stream(_) => SizeHint::default(),
        }
    }
}
