//! The `id:` of an event on a stream, which `Last-Event-ID` takes up after.
//!
//! To clients it is opaque. It holds the event's position, and a part of its id: after a database was replaced, a
//! position alone would lead to another event.

use crate::store::outbox::{EventPosition, START};

/// Where a stream continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// Before all events.
    Start,
    /// After an event: its position, and the end of its id.
    After(i64, u32),
}

impl Cursor {
    /// The cursor of an event; before the first one `None`.
    pub(crate) fn of(mark: Option<EventPosition>) -> Self {
        mark.map_or(Self::Start, |mark| Self::After(mark.position, check(mark)))
    }

    /// Reads what [`Display`](std::fmt::Display) writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "0" {
            return Some(Self::Start);
        }
        let (position, check) = text.split_once('-')?;
        let position = i64::from_str_radix(position, 16).ok().filter(|position| *position > START)?;
        let cursor = Self::After(position, u32::from_str_radix(check, 16).ok()?);
        // signs, capitals and zeros in front are not of ours
        (cursor.to_string() == text).then_some(cursor)
    }

    /// Whether it is this event's.
    pub(crate) fn is_of(self, mark: EventPosition) -> bool {
        self == Self::of(Some(mark))
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start => f.write_str("0"),
            Self::After(position, check) => write!(f, "{position:x}-{check:08x}"),
        }
    }
}

/// The last bytes of a version 7 UUID are random.
fn check(mark: EventPosition) -> u32 {
    let [.., a, b, c, d] = *mark.id.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    proptest! {
        #[test]
        fn what_is_read_is_what_is_written(text in "[+-]?[0-9a-fA-F]{0,17}-[+]?[0-9a-fA-F]{0,9}|[0-9a-f]{1,16}-[0-9a-f]{8}|[ -~]{0,20}") {
            let is_ours = Cursor::parse(&text).is_some_and(|cursor| cursor.to_string() == text);
            prop_assert_eq!(Cursor::parse(&text).is_some(), is_ours);
        }

        #[test]
        fn every_event_has_a_cursor(position in 1..i64::MAX, id in any::<u128>()) {
            let mark = EventPosition { position, id: Uuid::from_u128(id) };
            let cursor = Cursor::of(Some(mark));
            prop_assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mark = EventPosition { position: 4711, id: Uuid::now_v7() };
        let cursor = Cursor::parse(&Cursor::of(Some(mark)).to_string()).unwrap();
        assert!(cursor.is_of(mark));
        assert!(!cursor.is_of(EventPosition { id: Uuid::now_v7(), ..mark }), "another database's");
        assert_eq!(Cursor::parse(&Cursor::of(None).to_string()), Some(Cursor::Start));
        for bad in ["", "-", "1", "0-0", "-5-00000000", "1-zz", "1-00000000-1", "ffffffffffffffffff-00000000"] {
            assert_eq!(Cursor::parse(bad), None, "{bad}");
        }
    }
}
