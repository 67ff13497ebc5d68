//! The `id:` of an event on a stream, which `Last-Event-ID` takes up after.
//!
//! To clients it is opaque. It holds the event's position, and a part of its id: after a database was replaced, a position
//! alone would lead to another event.

use crate::store::outbox::{Mark, START};

/// Where a stream goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cursor {
    /// Before all events.
    Start,
    /// After an event: its position, and the end of its id.
    After(i64, u32),
}

impl Cursor {
    /// The cursor of an event; before the first one `None`.
    pub(super) fn of(mark: Option<Mark>) -> Self {
        mark.map_or(Self::Start, |mark| Self::After(mark.position, check(mark)))
    }

    /// Reads what [`Display`](std::fmt::Display) writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "0" {
            return Some(Self::Start);
        }
        let (position, check) = text.split_once('-')?;
        let position = i64::from_str_radix(position, 16).ok().filter(|position| *position > START)?;
        Some(Self::After(position, u32::from_str_radix(check, 16).ok()?))
    }

    /// Whether it is this event's.
    pub(super) fn is_of(self, mark: Mark) -> bool {
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
fn check(mark: Mark) -> u32 {
    let [.., a, b, c, d] = *mark.id.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn what_is_written_is_read() {
        let mark = Mark { position: 4711, id: Uuid::now_v7() };
        let cursor = Cursor::parse(&Cursor::of(Some(mark)).to_string()).unwrap();
        assert!(cursor.is_of(mark));
        assert!(!cursor.is_of(Mark { id: Uuid::now_v7(), ..mark }), "another database's");
        assert_eq!(Cursor::parse(&Cursor::of(None).to_string()), Some(Cursor::Start));
        for bad in ["", "-", "1", "0-0", "-5-00000000", "1-zz", "1-00000000-1", "ffffffffffffffffff-00000000"] {
            assert_eq!(Cursor::parse(bad), None, "{bad}");
        }
    }
}
