//! The body of an operation that takes one, within bounds of size and time.

use super::failure::Failure;
use crate::store::StoreError;
use axum::body::HttpBody;
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use restwell_model::{ErrorCode, Problem};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a body at most.
const MAX_BODY: usize = 1024 * 1024;
/// KiB of large bodies in memory at a time.
pub(crate) const MAX_BODIES_KIB: usize = 256 * 1024;
/// Bytes of a body that is not large.
const SMALL: usize = 16 * 1024;
/// How long a client may take to send it.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A body, and what it takes of the memory for large ones until it is dropped.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) bytes: Bytes,
    _place: Option<OwnedSemaphorePermit>,
}

/// Reads a body: 413 past the limit, 503 where too many large ones are being read, 400 where it does not come.
pub(super) async fn read<B>(body: B, headers: &HeaderMap, places: &Arc<Semaphore>) -> Result<Received, Failure>
where
    B: HttpBody<Data = Bytes> + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let too_large = || Failure::from(Problem::new(ErrorCode::BodyTooLarge).with("maxBytes", MAX_BODY));
    let encoded = headers.get_all(header::CONTENT_ENCODING).iter();
    if encoded.into_iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Failure::new(ErrorCode::UnsupportedEncoding));
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY) {
        return Err(too_large());
    }
    let place = match announced {
        Some(length) if length <= SMALL => None,
        length => Some(place(length.unwrap_or(MAX_BODY), places)?),
    };
    match tokio::time::timeout(TIMEOUT, Limited::new(body, MAX_BODY).collect()).await {
        Ok(Ok(body)) => Ok(Received { bytes: body.to_bytes(), _place: place }),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) | Err(_) => Err(Failure::new(ErrorCode::MalformedRequest)),
    }
}

fn place(bytes: usize, places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Failure> {
    let kib = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
    let full = |_| StoreError::Unavailable("too many large bodies are being read".to_owned()).into();
    Arc::clone(places).try_acquire_many_owned(kib).map_err(full)
}
