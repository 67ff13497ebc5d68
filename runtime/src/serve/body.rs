//! The body of an operation that takes one, within bounds of size and time.

use super::failure::Failure;
use axum::body::HttpBody;
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use restwell_model::{ErrorCode, Problem};
use std::error::Error;
use std::pin::{Pin, pin};
use std::time::Duration;

/// Bytes of a body at most.
const MAX_BODY: usize = 1024 * 1024;
/// How long a client may take to send it.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of a body that is too large that are read nevertheless, at most.
const MAX_DISCARDED: usize = 16 * MAX_BODY;
/// How long those may take.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// Reads a body: 413 past the limit, 400 where it does not come.
pub(super) async fn read<B>(body: B, headers: &HeaderMap) -> Result<Bytes, Failure>
where
    B: HttpBody<Data = Bytes> + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let too_large = || Failure::from(Problem::new(ErrorCode::BodyTooLarge).with("maxBytes", MAX_BODY));
    let encoded = headers.get_all(header::CONTENT_ENCODING).iter();
    if encoded.into_iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Failure::new(ErrorCode::UnsupportedEncoding));
    }
    let mut body = pin!(body);
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY) {
        // a client that asks first has sent nothing yet
        if !headers.contains_key(header::EXPECT) {
            discard(body).await;
        }
        return Err(too_large());
    }
    match tokio::time::timeout(TIMEOUT, Limited::new(body.as_mut(), MAX_BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            discard(body).await;
            Err(too_large())
        }
        Ok(Err(_)) | Err(_) => Err(Failure::new(ErrorCode::MalformedRequest)),
    }
}

/// Reads on and keeps nothing: a client that sends all before it reads would lose the answer with the connection.
async fn discard<B>(body: Pin<&mut B>)
where
    B: HttpBody<Data = Bytes> + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut rest = Limited::new(body, MAX_DISCARDED);
    let read = async { while let Some(Ok(_)) = rest.frame().await {} };
    // one that announces more than it sends is not waited for
    let _ = tokio::time::timeout(DISCARD_TIMEOUT, read).await;
}
