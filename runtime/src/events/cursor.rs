//! The `id:` of an event on a stream, which `Last-Event-ID` takes up after.
//!
//! To clients it is opaque. It holds the event's position, and a part of its id: after a database was replaced, a
//! position alone would lead to another event. Positions count all events, also those that a client is not shown. So
//! the position is masked with a number that follows from the part of the id by a secret of the database: two cursors
//! say nothing of how many events lie between theirs. Until there was a secret, positions were written as they are.

use crate::store::outbox::{EventPosition, START};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// A cursor as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// Before all events.
    Start,
    /// After an event: its masked position, and the end of its id.
    Masked { position: u64, check: u64 },
    /// The same, as earlier versions wrote it.
    Plain { position: i64, check: u32 },
}

/// What positions in cursors are masked with, the same for all instances that have the database.
#[derive(Clone)]
pub(crate) struct CursorSecret {
    /// Filled up with zeros.
    key: [u8; 64],
    /// The newest event when there was no secret yet: a plain cursor of a later one was not given to anyone, and is a
    /// guess.
    last_plain: i64,
}

impl Cursor {
    /// Reads what [`Display`](std::fmt::Display) writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "0" {
            return Some(Self::Start);
        }
        let (position, check) = text.split_once('-')?;
        let cursor = match check.len() {
            16 => Self::Masked {
                position: u64::from_str_radix(position, 16).ok()?,
                check: u64::from_str_radix(check, 16).ok()?,
            },
            _ => Self::Plain {
                position: i64::from_str_radix(position, 16).ok().filter(|position| *position > START)?,
                check: u32::from_str_radix(check, 16).ok()?,
            },
        };
        // signs, capitals and other numbers of digits are not of ours
        (cursor.to_string() == text).then_some(cursor)
    }

    /// Whether it is this event's.
    pub(crate) fn is_of(self, mark: EventPosition) -> bool {
        match self {
            Self::Start => false,
            // the position is that at which the event was found
            Self::Masked { check, .. } => check == self::check(mark),
            Self::Plain { check, .. } => u64::from(check) == self::check(mark) & u64::from(u32::MAX),
        }
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start => f.write_str("0"),
            Self::Masked { position, check } => write!(f, "{position:016x}-{check:016x}"),
            Self::Plain { position, check } => write!(f, "{position:x}-{check:08x}"),
        }
    }
}

impl CursorSecret {
    /// A new one, in hexadecimal digits, as it is stored before the newest event's position.
    pub(crate) fn make() -> String {
        [Uuid::new_v4(), Uuid::new_v4()].map(|random| random.simple().to_string()).concat()
    }

    /// Reads what is stored.
    pub(crate) fn parse(stored: &str) -> Option<Self> {
        let (key, last_plain) = stored.split_once(' ')?;
        let (one, other) = key.split_at_checked(32)?;
        let [one, other] = [Uuid::try_parse(one).ok()?, Uuid::try_parse(other).ok()?].map(Uuid::into_bytes);
        let mut key = [0; 64];
        key[..16].copy_from_slice(&one);
        key[16..32].copy_from_slice(&other);
        Some(Self { key, last_plain: last_plain.parse().ok()? })
    }

    /// The cursor of an event.
    pub(crate) fn cursor(&self, mark: EventPosition) -> Cursor {
        let check = check(mark);
        Cursor::Masked { position: mark.position.cast_unsigned() ^ self.mask(check), check }
    }

    /// The position that a cursor is of; `None`: of no event.
    pub(crate) fn position(&self, cursor: Cursor) -> Option<i64> {
        let position = match cursor {
            Cursor::Start => return None,
            Cursor::Masked { position, check } => (position ^ self.mask(check)).cast_signed(),
            Cursor::Plain { position, .. } if position > self.last_plain => return None,
            Cursor::Plain { position, .. } => position,
        };
        Some(position).filter(|position| *position > START)
    }

    fn mask(&self, check: u64) -> u64 {
        let mac = Hmac::<Sha256>::new(&self.key.into()).chain_update(check.to_be_bytes()).finalize().into_bytes();
        mac.iter().take(8).fold(0, |mask, byte| mask << 8 | u64::from(*byte))
    }
}

impl std::fmt::Debug for CursorSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CursorSecret").finish_non_exhaustive()
    }
}

/// The last bytes of a version 7 UUID are random.
fn check(mark: EventPosition) -> u64 {
    mark.id.as_u64_pair().1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn secret() -> CursorSecret {
        CursorSecret::parse(&format!("{} 5000", CursorSecret::make())).expect("a secret")
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_is_written(text in "[+-]?[0-9a-fA-F]{0,17}-[+]?[0-9a-fA-F]{0,17}|[0-9a-f]{1,16}-[0-9a-f]{8}|[0-9a-f]{16}-[0-9a-f]{16}|[ -~]{0,20}") {
            let is_ours = Cursor::parse(&text).is_some_and(|cursor| cursor.to_string() == text);
            prop_assert_eq!(Cursor::parse(&text).is_some(), is_ours);
        }

        #[test]
        fn every_event_has_a_cursor(position in 1..i64::MAX, id in any::<u128>()) {
            let (secret, mark) = (secret(), EventPosition { position, id: Uuid::from_u128(id) });
            let cursor = Cursor::parse(&secret.cursor(mark).to_string()).unwrap();
            prop_assert_eq!(secret.position(cursor), Some(position));
            prop_assert!(cursor.is_of(mark));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let (secret, mark) = (secret(), EventPosition { position: 4711, id: Uuid::now_v7() });
        let written = secret.cursor(mark).to_string();
        let cursor = Cursor::parse(&written).unwrap();
        assert!(cursor.is_of(mark));
        assert!(!cursor.is_of(EventPosition { id: Uuid::now_v7(), ..mark }), "another database's");
        assert_ne!(super::tests::secret().position(cursor), Some(mark.position), "another secret's");
        assert_eq!(Cursor::parse("0"), Some(Cursor::Start));
        for bad in ["", "-", "1", "0-0", "-5-00000000", "1-zz", "1-00000000-1", "ffffffffffffffffff-00000000"] {
            assert_eq!(Cursor::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn cursors_of_earlier_versions_are_read_as_far_as_they_were_given() {
        let (secret, id) = (secret(), Uuid::now_v7());
        for (position, expected) in [(1, Some(1)), (5000, Some(5000)), (5001, None)] {
            let check = id.as_u64_pair().1 as u32;
            let cursor = Cursor::parse(&format!("{position:x}-{check:08x}")).unwrap();
            assert_eq!(secret.position(cursor), expected);
            assert!(cursor.is_of(EventPosition { position, id }));
        }
    }

    /// The differences of cursors are as random as the ids are.
    #[test]
    fn cursors_do_not_tell_how_many_events_lie_between() {
        let secret = secret();
        let masked = |position| match secret.cursor(EventPosition { position, id: Uuid::now_v7() }) {
            Cursor::Masked { position, .. } => position,
            other => panic!("{other}"),
        };
        let differing: u32 = (1..=64).map(|position| (masked(position) ^ masked(position + 1)).count_ones()).sum();
        // half of 64 times 64 bits, more or less
        assert!((1700..2400).contains(&differing), "{differing}");
    }
}
