//! The memory that answers take until they are sent: a share of a budget, so that clients who read slowly, or not at
//! all, cannot fill the process.

use super::failure::Failure;
use super::payload::Payload;
use super::shares::Shares;
use crate::fair_share::Share;
use crate::limits::ClientKey;
use crate::store::StoreError;
use bytes::Bytes;
use http::{Method, Response};

/// Bytes of an answer that takes no share.
pub(crate) const SMALL_ANSWER_BYTES: usize = 16 * 1024;

/// The bytes of an answer, with the share that they hold until they are sent.
struct BudgetedBytes {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for BudgetedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The KiB that bytes take.
pub(crate) fn kib(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}

/// Bytes that give back a share when the last of them is sent or dropped.
pub(super) fn held(bytes: Bytes, share: Share) -> Bytes {
    Bytes::from_owner(BudgetedBytes { bytes, _share: share })
}

/// Bytes with the share that they take, where they are not small, beyond the client's if need be.
pub(super) fn hold(bytes: Bytes, client: ClientKey, shares: &Shares) -> Bytes {
    if bytes.len() <= SMALL_ANSWER_BYTES {
        return bytes;
    }
    let share = shares.answers.exceed(client, kib(bytes.len()));
    held(bytes, share)
}

/// Refuses a request before anything is done for it when its client holds its whole share already: a change that is
/// committed cannot be refused any more.
pub(super) fn admit(client: ClientKey, shares: &Shares) -> Result<(), Failure> {
    if shares.answers.has_room(client) { Ok(()) } else { Err(full()) }
}

/// Takes the share of an answer. A read that finds none is refused; what a write answers goes out in any case.
pub(super) fn take_share(
    mut response: Response<Payload>,
    method: &Method,
    client: ClientKey,
    shares: &Shares,
) -> Result<Response<Payload>, Failure> {
    let Payload::Whole(bytes) = response.body_mut() else { return Ok(response) };
    // the answer to HEAD is dropped at once
    if bytes.len() <= SMALL_ANSWER_BYTES || method == Method::HEAD {
        return Ok(response);
    }
    let kib = kib(bytes.len());
    let share = match response.status().is_success() && method.is_safe() {
        true => shares.answers.take(client, kib).ok_or_else(full)?,
        false => shares.answers.exceed(client, kib),
    };
    let Payload::Whole(bytes) = response.body_mut() else { return Ok(response) };
    *bytes = held(std::mem::take(bytes), share);
    Ok(response)
}

fn full() -> Failure {
    StoreError::Unavailable("too many bytes of answers are under way".to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::shares::MAX_ANSWERS_KIB;
    use restwell_model::Service;
    use uuid::Uuid;

    const CLIENT: ClientKey = ClientKey::Caller(Uuid::nil());

    fn answer(bytes: usize) -> Response<Payload> {
        Response::new(Payload::from(vec![b'x'; bytes]))
    }

    fn bytes(response: Response<Payload>) -> Bytes {
        match response.into_body() {
            Payload::Whole(bytes) => bytes,
            Payload::Stream(_) => panic!("it is whole"),
        }
    }

    #[test]
    fn the_last_slice_gives_the_share_back() {
        let shares = Shares::new(&Service::new("test"), 1);
        let mut whole = bytes(take_share(answer(64 * 1024), &Method::GET, CLIENT, &shares).unwrap());
        assert_eq!(shares.answers.held(), 64);
        let rest = whole.split_off(1024);
        drop(whole);
        assert_eq!(shares.answers.held(), 64);
        drop(rest);
        assert_eq!(shares.answers.held(), 0);
    }

    #[test]
    fn small_answers_and_those_to_head_take_none() {
        let shares = Shares::new(&Service::new("test"), 1);
        let small = take_share(answer(SMALL_ANSWER_BYTES), &Method::GET, CLIENT, &shares).unwrap();
        let head = take_share(answer(1 << 20), &Method::HEAD, CLIENT, &shares).unwrap();
        assert_eq!(shares.answers.held(), 0);
        drop((small, head));
    }

    #[test]
    fn a_read_beyond_the_share_is_refused_and_a_write_before_it_is_done() {
        let shares = Shares::new(&Service::new("test"), 1);
        let take = |method: &Method| take_share(answer(8 << 20), method, CLIENT, &shares);
        let half = MAX_ANSWERS_KIB / (8 << 10) / 2;
        let mut under_way: Vec<_> = (0..half).map(|_| take(&Method::GET).unwrap()).collect();
        assert!(take(&Method::GET).is_err());
        assert!(admit(CLIENT, &shares).is_err(), "it holds its half");
        // one that was begun before goes over
        under_way.push(take(&Method::PUT).unwrap());
        assert_eq!(shares.answers.held(), (half + 1) * (8 << 10));
        drop(under_way);
        assert_eq!(shares.answers.held(), 0);
        assert!(admit(CLIENT, &shares).is_ok());
    }
}
