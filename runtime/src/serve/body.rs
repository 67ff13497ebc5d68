//! The body of an operation that takes one, within bounds of size, memory and time.
//!
//! A body takes a share of the memory for bodies as its bytes arrive, and once it is whole also for what it is parsed
//! into: an announced length alone takes nothing. One that is small takes none if it has come with its head; where it
//! is waited for, all that its request has in memory takes one.

use super::answers::kib;
use super::body_parts::Parts;
use super::failure::Failure;
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::store::StoreError;
use axum::body::HttpBody;
use bytes::Bytes;
use futures_util::FutureExt;
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use restwell_model::{ErrorCode, Problem, Service, Value};
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of a body at most: 413.
const MAX_BODY: usize = 1024 * 1024;
/// Bytes that a body, with what it is parsed into, may take without a share, if it is not waited for.
pub(super) const SMALL_BODY_BYTES: usize = 8 * 1024;
/// KiB by which the share of a body that arrives grows.
pub(super) const BODY_STEP_KIB: usize = 64;
/// The same, up to the first of these steps.
pub(super) const SMALL_BODY_STEP_KIB: usize = 4;
/// Bytes that a request takes while its body is waited for, without its headers and the body: its place in the service,
/// and the buffer of its head.
const WAITING_REQUEST_BYTES: usize = 8 * 1024;
/// Bytes that a header takes beside its text.
const HEADER_BYTES: usize = 112;
/// How long a client may take to send a body: 400.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes a second that a client sends at least, on average since the first wait: else 400.
const MIN_BODY_RATE: usize = 1024;
/// How long a client may send less than that.
const SLOW_BODY_PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that a value of a parsed body takes at most, without its text. The vector that holds it may have twice the
/// room that it needs.
const VALUE_BYTES: usize = 2 * size_of::<Value>();
/// Bytes of text that the thread of a request reads itself; other threads read larger bodies.
pub(super) const SMALL_WORK_BYTES: usize = 16 * 1024;
/// Bytes of text that cost as much to read as a value. An array of empty arrays has little text and many values.
const VALUE_COST: usize = 32;
/// How often the text of a body is in memory until it is stored: as it came, parsed, and bound to a statement.
const MAX_TEXT_COPIES: usize = 3;

/// A body, and its share of the memory until it is dropped.
#[derive(Debug, Default)]
pub(super) struct ReceivedBody {
    pub(super) bytes: Bytes,
    /// What it costs to read, in bytes.
    work: usize,
    _shares: [Option<Share>; 2],
}

impl ReceivedBody {
    /// Whether it is read so fast that no other request notices.
    pub(super) fn is_small(&self) -> bool {
        self.work <= SMALL_WORK_BYTES
    }

    /// An object without members instead of nothing.
    pub(super) fn or_without_members(mut self) -> Self {
        if self.bytes.is_empty() {
            self.bytes = Bytes::from_static(b"{}");
        }
        self
    }
}

/// The memory that bodies may take.
#[derive(Debug)]
pub(crate) struct BodyMemory {
    /// In KiB.
    pub(crate) share: Arc<FairShare>,
    /// In KiB: of heads that arrive, and of requests whose bodies are waited for, as far as they are small. Large
    /// bodies keep no small ones waiting.
    pub(crate) unfinished: Arc<FairShare>,
    /// Values that an object of a body is parsed into at most: it has one for each field, whether it is given or not.
    widest_object: usize,
}

impl BodyMemory {
    /// These numbers of KiB, for the bodies of this service and for unfinished requests.
    pub(crate) fn new([kib, unfinished]: [usize; 2], service: &Service) -> Self {
        let widest = service.objects.iter().map(|object| object.fields.len()).max();
        let (share, unfinished) = (FairShare::new(kib), FairShare::new(unfinished));
        Self { share, unfinished, widest_object: widest.unwrap_or_default() }
    }

    /// Bytes that a body of this length takes at most until it is stored. JSON has no more values than commas and
    /// openings.
    fn weight(&self, length: usize, (values, objects): (usize, usize)) -> usize {
        let values = values + self.widest_object * objects;
        length * MAX_TEXT_COPIES + values * VALUE_BYTES
    }
}

/// The commas and openings of arrays, and the openings of objects. Each part is counted in single bytes, many of which
/// are added up by one instruction of the processor.
fn values_and_objects(body: &[u8]) -> (usize, usize) {
    let parts = body.chunks(u8::MAX.into()).map(|part| {
        let values: u8 = part.iter().map(|byte| u8::from(*byte == b',') | u8::from(*byte == b'[')).sum();
        let objects: u8 = part.iter().map(|byte| u8::from(*byte == b'{')).sum();
        (usize::from(values), usize::from(objects))
    });
    parts.fold((0, 0), |(values, objects), part| (values + part.0, objects + part.1))
}

/// Whether nothing is sent as the body, as far as the head of the request says.
pub(super) fn is_none(body: &impl HttpBody) -> bool {
    body.is_end_stream() || body.size_hint().exact() == Some(0)
}

/// Reads a body: 413 past the limit, 503 past the client's share of the memory, 400 where it comes too slowly.
pub(super) async fn read<B>(
    body: B,
    headers: &HeaderMap,
    client: ClientKey,
    memory: &BodyMemory,
) -> Result<ReceivedBody, Failure>
where
    B: HttpBody<Data = Bytes> + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let encoded = headers.get_all(header::CONTENT_ENCODING).iter();
    if encoded.into_iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Failure::new(ErrorCode::UnsupportedEncoding));
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY) {
        return Err(too_large());
    }
    let mut body = pin!(body);
    let mut arriving = Arriving { client, memory, parts: Parts::default(), share: None, kib: 0, waiting: None };
    let mut waiting_since = None;
    loop {
        // what is there already needs no clock
        let frame = match body.frame().now_or_never() {
            Some(frame) => frame,
            None => {
                if waiting_since.is_none() {
                    arriving.wait(WAITING_REQUEST_BYTES + headers.capacity() * HEADER_BYTES)?;
                }
                let deadline = deadline(*waiting_since.get_or_insert_with(Instant::now), arriving.parts.len());
                let next = tokio::time::timeout_at(deadline, body.frame()).await;
                next.map_err(|_| Failure::new(ErrorCode::MalformedRequest))?
            }
        };
        match frame {
            None => return arriving.whole(),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    arriving.add(data)?;
                }
            }
            Some(Err(_)) => return Err(Failure::new(ErrorCode::MalformedRequest)),
        }
    }
}

/// When a client that has sent this number of bytes is too slow.
fn deadline(since: Instant, received: usize) -> Instant {
    let granted = SLOW_BODY_PATIENCE + Duration::from_secs((received / MIN_BODY_RATE) as u64);
    since + granted.min(BODY_TIMEOUT)
}

fn too_large() -> Failure {
    Problem::new(ErrorCode::BodyTooLarge).with("maxBytes", MAX_BODY).into()
}

/// A body that has so many values that a client never has memory for it: its text must be as much shorter as it weighs
/// more.
fn too_large_parsed(length: usize, weight: usize, most_kib: usize) -> Failure {
    Problem::new(ErrorCode::BodyTooLarge).with("maxBytes", length * most_kib / kib(weight)).into()
}

/// A body that is not whole yet.
struct Arriving<'a> {
    client: ClientKey,
    memory: &'a BodyMemory,
    parts: Parts,
    share: Option<Share>,
    /// What the share is worth.
    kib: usize,
    /// Once it is waited for: the share of its request, and the bytes that this takes beside the body.
    waiting: Option<(Share, usize)>,
}

impl Arriving<'_> {
    fn add(&mut self, data: Bytes) -> Result<(), Failure> {
        let received = self.parts.len() + data.len();
        if received > MAX_BODY {
            return Err(too_large());
        }
        self.hold(received)?;
        self.parts.add(data);
        Ok(())
    }

    /// Takes a share for what the request has in memory, since it is held for as long as the client likes.
    fn wait(&mut self, beside: usize) -> Result<(), Failure> {
        let share = self.memory.unfinished.take(self.client, 0).ok_or_else(full)?;
        self.waiting = Some((share, beside));
        self.hold(self.parts.len())
    }

    /// Takes what is missing to the shares of a body of which this number of bytes has come.
    fn hold(&mut self, received: usize) -> Result<(), Failure> {
        if let Some((share, beside)) = &mut self.waiting {
            let needed = kib(*beside + received.min(SMALL_BODY_BYTES)).next_multiple_of(SMALL_BODY_STEP_KIB);
            if !share.grow_to(needed) {
                return Err(full());
            }
        }
        if received > SMALL_BODY_BYTES && kib(received) > self.kib {
            self.grow(kib(received).next_multiple_of(BODY_STEP_KIB))?;
        }
        Ok(())
    }

    fn whole(mut self) -> Result<ReceivedBody, Failure> {
        let bytes = self.parts.take_bytes();
        let counts = values_and_objects(&bytes);
        let weight = self.memory.weight(bytes.len(), counts);
        let most = self.memory.share.most();
        if kib(weight) > most {
            return Err(too_large_parsed(bytes.len(), weight, most));
        }
        if weight > SMALL_BODY_BYTES && kib(weight) > self.kib {
            self.grow(kib(weight))?;
        }
        let work = bytes.len() + (counts.0 + counts.1) * VALUE_COST;
        Ok(ReceivedBody { bytes, work, _shares: [self.share, self.waiting.map(|(share, _)| share)] })
    }

    /// Takes what is missing to this number of KiB.
    fn grow(&mut self, kib: usize) -> Result<(), Failure> {
        let more = kib.saturating_sub(self.kib);
        let is_taken = match &mut self.share {
            Some(share) => share.grow(more),
            none => {
                *none = self.memory.share.take(self.client, more);
                none.is_some()
            }
        };
        self.kib = kib;
        if is_taken { Ok(()) } else { Err(full()) }
    }
}

fn full() -> Failure {
    StoreError::Unavailable("too many bytes of bodies are in memory".to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::{Full, StreamBody};
    use hyper::body::Frame;
    use proptest::prelude::*;
    use std::convert::Infallible;
    use uuid::Uuid;

    const CLIENT: ClientKey = ClientKey::Caller(Uuid::nil());

    proptest! {
        #[test]
        fn what_makes_values_is_counted(body in proptest::collection::vec(proptest::sample::select(b",[{x".to_vec()), 0..2000)) {
            let count = |of: &[u8]| body.iter().filter(|byte| of.contains(byte)).count();
            prop_assert_eq!(values_and_objects(&body), (count(b",["), count(b"{")));
        }
    }

    fn memory(widest_object: usize) -> BodyMemory {
        BodyMemory { share: FairShare::new(1024 * 1024), unfinished: FairShare::new(1024), widest_object }
    }

    async fn received(parts: Vec<Bytes>, memory: &BodyMemory) -> Result<ReceivedBody, Failure> {
        let frames = parts.into_iter().map(|part| Ok::<_, Infallible>(Frame::data(part)));
        read(StreamBody::new(futures_util::stream::iter(frames)), &HeaderMap::new(), CLIENT, memory).await
    }

    #[tokio::test]
    async fn a_small_body_takes_nothing_and_is_not_copied() {
        let (memory, bytes) = (memory(4), Bytes::from_static(b"{\"name\":\"Amber\"}"));
        let body = read(Full::new(bytes.clone()), &HeaderMap::new(), CLIENT, &memory).await.unwrap();
        assert_eq!(body.bytes.as_ptr(), bytes.as_ptr());
        assert_eq!(memory.share.held(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn small_bodies_that_are_waited_for_have_a_share() {
        let memory = memory(4);
        let headers: HeaderMap = (0..100).map(|n: u16| (format!("x{n}").try_into().unwrap(), n.into())).collect();
        let read = || {
            let (sender, part) = (tokio::sync::mpsc::channel::<Bytes>(1), Bytes::from_static(b"{"));
            sender.0.try_send(part).unwrap();
            let (sender, mut receiver) = sender;
            let next = futures_util::stream::poll_fn(move |context| receiver.poll_recv(context));
            let frames = futures_util::StreamExt::map(next, |part| Ok::<_, Infallible>(Frame::data(part)));
            (sender, Box::pin(read(StreamBody::new(frames), &headers, CLIENT, &memory)))
        };
        let mut waiting: Vec<_> = (0..100).map(|_| read()).collect();
        let answers = waiting.iter_mut().filter_map(|(_, body)| body.as_mut().now_or_never());
        let refused = answers.filter(|answer| answer.as_ref().is_err_and(|failure| failure.is(ErrorCode::Unavailable)));
        let each = (WAITING_REQUEST_BYTES + headers.capacity() * HEADER_BYTES + 1).div_ceil(4096) * 4;
        assert_eq!(refused.count(), 100 - 512 / each, "one client has half");
        drop(waiting);
        assert_eq!([memory.unfinished.held(), memory.share.held()], [0, 0]);
    }

    #[tokio::test]
    async fn what_a_body_is_parsed_into_counts() {
        let memory = memory(50);
        let numbers = Bytes::from(format!("[{}1]", "1,".repeat(100_000)));
        let body = received(vec![numbers], &memory).await.unwrap();
        let expected = (200_003 * MAX_TEXT_COPIES + 100_001 * VALUE_BYTES).div_ceil(1024);
        assert_eq!(memory.share.held(), expected);
        drop(body);
        assert_eq!(memory.share.held(), 0);
        // empty objects are parsed into all their fields
        let objects = Bytes::from(format!("[{}{{}}]", "{},".repeat(1000)));
        let _body = received(vec![objects], &memory).await.unwrap();
        assert!(memory.share.held() >= 1000 * 50 * size_of::<Value>() / 1024);
    }

    #[tokio::test]
    async fn a_body_that_never_fits_is_too_large_and_not_unavailable() {
        let memory = BodyMemory { share: FairShare::new(1024), ..memory(10) };
        let objects = |count: usize| Bytes::from(format!("[{}{{}}]", "{},".repeat(count)));
        let failure = received(vec![objects(10_000)], &memory).await.unwrap_err();
        assert!(failure.is(ErrorCode::BodyTooLarge), "{failure:?}");
        // one of the size that it names is taken
        let most = 30_003 * 512 / kib(30_003 * MAX_TEXT_COPIES + (20_002 + 10 * 10_001) * VALUE_BYTES);
        assert!(received(vec![objects(most / 3 - 1)], &memory).await.is_ok());
    }

    #[tokio::test]
    async fn many_values_are_not_small_however_short_their_text_is() {
        let memory = memory(4);
        for (text, is_small) in
            [("\"text\"".repeat(2000), true), ("x".repeat(20_000), false), ("[],".repeat(300), false)]
        {
            let body = received(vec![Bytes::from(text)], &memory).await.unwrap();
            assert_eq!(body.is_small(), is_small, "{} bytes", body.bytes.len());
        }
    }

    proptest! {
        #[test]
        fn a_body_in_parts_is_whole_and_held(lengths in prop::collection::vec(0..40_000_usize, 0..20)) {
            let memory = memory(0);
            let part = |(index, length): (usize, &usize)| Bytes::from(vec![b'a' + index as u8; *length]);
            let parts: Vec<_> = lengths.iter().enumerate().map(part).collect();
            let expected = parts.concat();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let body = runtime.block_on(received(parts, &memory)).unwrap();
            prop_assert_eq!(&body.bytes, &expected);
            prop_assert!(expected.len() <= SMALL_BODY_BYTES || memory.share.held() * 1024 >= expected.len());
            drop(body);
            prop_assert_eq!(memory.share.held(), 0);
        }
    }

    #[test]
    fn a_slow_client_is_granted_time_for_what_it_has_sent() {
        let now = Instant::now();
        assert_eq!(deadline(now, 0), now + SLOW_BODY_PATIENCE);
        assert_eq!(deadline(now, 10 * MIN_BODY_RATE), now + SLOW_BODY_PATIENCE + Duration::from_secs(10));
        assert_eq!(deadline(now, MAX_BODY), now + BODY_TIMEOUT);
    }
}
