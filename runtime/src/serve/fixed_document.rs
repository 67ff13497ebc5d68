//! Documents that are the same for every client: the descriptions of the service, the files of its page. Each is made
//! once, kept plain and compressed, and has an entity tag.

use super::compression;
use super::payload::Payload;
use crate::etag::{self, TagSeed, Tags};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};

/// Kept by caches, and revalidated with the tag.
const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");

/// A document in the forms in which it is sent.
#[derive(Debug, Clone)]
pub(super) struct FixedDocument {
    media_type: HeaderValue,
    plain: Bytes,
    compressed: Option<Bytes>,
    tag: HeaderValue,
}

impl FixedDocument {
    /// The document of these bytes.
    pub(super) fn new(media_type: HeaderValue, plain: Bytes) -> Option<Self> {
        let tag = HeaderValue::try_from(TagSeed::of(&media_type).tag(&plain)).ok()?;
        Some(Self { compressed: compression::gzip_well(&plain), media_type, plain, tag })
    }

    /// The response to a request with these headers.
    pub(super) fn response(&self, headers: &HeaderMap) -> Response<Payload> {
        let plain_tag = self.tag.to_str().unwrap_or_default();
        let known = Tags::read(headers, header::IF_NONE_MATCH);
        let is_known = known.is_some_and(|tags| tags.match_weakly(plain_tag));
        let compressed = self.compressed.as_ref().filter(|_| !is_known && compression::is_asked(headers));
        let tag = compressed.and_then(|_| etag::compressed(&self.tag));
        let mut response = Response::new(Payload::Whole(match (is_known, compressed) {
            (true, _) => Bytes::new(),
            (false, Some(compressed)) => compressed.clone(),
            (false, None) => self.plain.clone(),
        }));
        let is_compressed = compressed.is_some();
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag.unwrap_or_else(|| self.tag.clone()));
        headers.insert(header::CACHE_CONTROL, REVALIDATED);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, self.media_type.clone());
        if is_compressed {
            headers.insert(header::CONTENT_ENCODING, compression::GZIP);
        }
        response
    }
}
