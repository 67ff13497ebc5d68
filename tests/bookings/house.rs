//! The service: rooms and their bookings, as a team writes them.

use restwell::filter::{gt, lt};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Context, Ref, Rejection, Resource, Ruled, Rules, Stored, Timestamp};
use restwell_testkit::wire::{Answer, PUBLIC, Wire};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;

/// Entities of a page.
const PAGE: usize = 1000;

/// A room.
#[derive(Debug, Clone, Resource)]
struct Room {
    #[field(max_length = 40)]
    name: String,
}

/// The time for which a room is taken.
#[derive(Debug, Clone, Resource)]
struct Booking {
    #[field(filter)]
    room: Ref<Room>,
    #[field(filter)]
    from: Timestamp,
    #[field(filter)]
    to: Timestamp,
}

/// No two bookings of a room overlap.
struct NoOverlap;

impl Rules<Booking> for NoOverlap {
    async fn validate(&self, booking: &Booking, stored: Option<&Stored<Booking>>, context: &Context<'_>) -> Ruled {
        if booking.to <= booking.from {
            return Err(Rejection::new("EndsBeforeItBegins", "is not after `from`").at("to"));
        }
        context.transaction.lock(booking.room).await?;
        let overlapping = BookingQuery::new().room_id(booking.room).from(lt(booking.to)).to(gt(booking.from));
        let overlapping = context.transaction.list(overlapping.limit(2)).await?;
        match overlapping.iter().any(|other| stored.is_none_or(|stored| stored.id != other.id)) {
            true => Err(Rejection::new("Overlaps", "is taken already").at("from")),
            false => Ok(()),
        }
    }
}

/// The service.
pub(crate) fn with_rule() -> Builder {
    without_rule().rules(NoOverlap)
}

/// The same where anything can be booked.
pub(crate) fn without_rule() -> Builder {
    Builder::new("house").resource::<Room>().resource::<Booking>()
}

/// A day of some year.
pub(crate) struct Day(pub(crate) u64);

impl Day {
    /// Its begin.
    pub(crate) fn text(&self) -> String {
        let millis = 1_800_000_000_000 + self.0 as i64 * 86_400_000;
        Timestamp::from_millis(millis).expect("a time").to_string()
    }
}

/// A running service.
pub(crate) struct House(Running);

impl House {
    /// Starts it on an empty database.
    pub(crate) fn start(setup: Setup, database: &str, connections: usize) -> Self {
        Self(setup.database(database).database_connections(connections).start())
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.address()
    }

    fn get(&self, path: &str) -> Answer {
        Wire::to(self.address()).send("GET", path.as_bytes(), PUBLIC, None, None)
    }

    /// A new room's id.
    pub(crate) fn room(&self, name: &str) -> String {
        let body = json!({ "name": name });
        let reply = Wire::to(self.address()).send("POST", b"/rooms", PUBLIC, None, Some(&body));
        assert_eq!(reply.status, 201, "{}", reply.body);
        reply.json()["id"].as_str().expect("an id").to_owned()
    }

    /// How many bookings there are, and how many of them overlap the one before them in their room.
    pub(crate) fn overlaps(&self) -> (usize, usize) {
        let mut by_room: HashMap<String, Vec<(String, String)>> = HashMap::new();
        let (mut found, mut last) = (0, String::new());
        loop {
            let after = if last.is_empty() { String::new() } else { format!("&id.gt={last}") };
            let page = self.get(&format!("/bookings?sort=id&limit={PAGE}{after}")).json();
            let page = page["bookings"].as_array().expect("bookings").clone();
            let Some(end) = page.last() else { break };
            last = text(&end["id"]);
            found += page.len();
            for booking in &page {
                let times = (text(&booking["from"]), text(&booking["to"]));
                by_room.entry(text(&booking["room"]["id"])).or_default().push(times);
            }
        }
        let overlaps = by_room.values_mut().map(|bookings| {
            // the texts of times sort as the times do
            bookings.sort();
            bookings.windows(2).filter(|pair| pair[1].0 < pair[0].1).count()
        });
        (found, overlaps.sum())
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
