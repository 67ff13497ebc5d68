//! What a rule locks: one entity, where it says so, or all of a table.

use crate::moments::{ask, await_waiting, created};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Call, Command, Context, Ref, Rejection, Resource, Ruled, Rules, Stored};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A request without a lock to wait for is answered sooner. The server cancels a wait for a lock after ten seconds.
const SOON: Duration = Duration::from_secs(20);
/// Days that one command books.
const DAYS: i64 = 50;

#[derive(Debug, Clone, Resource)]
struct Room {
    name: String,
}

#[derive(Debug, Clone, Resource)]
struct Booking {
    #[field(filter)]
    room: Ref<Room>,
    #[field(filter)]
    day: i64,
}

/// A room is booked once a day.
struct OnceADay;

impl Rules<Booking> for OnceADay {
    async fn validate(&self, booking: &Booking, _: Option<&Stored<Booking>>, context: &Context<'_>) -> Ruled {
        context.transaction.lock(booking.room).await?;
        let query = BookingQuery::new().room_id(booking.room).day(booking.day);
        match context.transaction.count(query).await? {
            0 => Ok(()),
            _ => Err(Rejection::new("Taken", "is taken already").at("day")),
        }
    }
}

/// Books a room for some days; the rules of each booking read those before it.
#[derive(Debug, Clone, Command)]
#[command(on = Room)]
struct Reserve {
    until: i64,
}

async fn reserve(call: Call<Reserve>) -> Result<(), Rejection> {
    for day in 0..call.input.until {
        call.transaction.create(Booking { room: call.entity.reference(), day }).await?;
    }
    Ok(())
}

fn start(database: &Database) -> Running {
    let service = Builder::new("house").resource::<Room>().resource::<Booking>().rules(OnceADay).handle(reserve);
    Setup::of(service).database(database.url()).database_connections(8).start()
}

fn booking(room: &str, day: i64) -> Value {
    json!({ "room": { "id": room.trim_start_matches("/rooms/") }, "day": day })
}

/// Bookings of a room that somebody has locked wait; those of other rooms do not, and neither do other changes.
pub(crate) fn a_lock_keeps_no_others_waiting(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let [locked, free] = ["Attic", "Cellar"].map(|name| created(&mut wire, "/rooms", &json!({ "name": name })));
    let (locking, watching) = (database.session(), database.session());
    let id = locked.trim_start_matches("/rooms/");
    locking.run(&format!("BEGIN; SELECT 1 FROM rooms WHERE id = '{id}' FOR NO KEY UPDATE"));
    // more than there are connections for changes: one of them waits in the database, the others before it
    let asked = [0, 1, 2, 3, 4, 5].map(|day| ask(&running, "POST", "/bookings", &booking(&locked, day).to_string()));
    await_waiting(&watching, 1);
    for day in 0..10 {
        let begun = Instant::now();
        created(&mut wire, "/bookings", &booking(&free, day));
        created(&mut wire, "/rooms", &json!({ "name": "Porch" }));
        assert!(begun.elapsed() < SOON, "day {day} took {:?}", begun.elapsed());
    }
    let of_locked = format!("/bookings?room.id={id}");
    let count = |wire: &mut Wire| wire.send("GET", of_locked.as_bytes(), PUBLIC, None, None).json()["count"].clone();
    assert_eq!(count(&mut wire), 0, "the room is locked");
    locking.run("COMMIT");
    let begun = Instant::now();
    while count(&mut wire) != 6 {
        assert!(begun.elapsed() < SOON, "{}", count(&mut wire));
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(asked);
}

/// A room that is deleted while a booking of it waits for its lock guards nothing any more: the booking is refused.
pub(crate) fn a_lock_of_what_is_deleted_holds_nothing(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let room = created(&mut wire, "/rooms", &json!({ "name": "Attic" }));
    let (locking, watching) = (database.session(), database.session());
    let id = room.trim_start_matches("/rooms/");
    locking.run(&format!("BEGIN; DELETE FROM rooms WHERE id = '{id}'"));
    let address = running.address();
    let body = booking(&room, 1);
    let asked = std::thread::spawn(move || Wire::to(address).send("POST", b"/bookings", PUBLIC, None, Some(&body)));
    await_waiting(&watching, 1);
    locking.run("COMMIT");
    let reply = asked.join().expect("an answer");
    let error = &reply.json()["errors"][0];
    assert_eq!((reply.status, &error["code"], &error["path"]), (422, &json!("NotFound"), &json!("room.id")), "{error}");
}

/// Reads between changes execute no change again: the server writes a row for each, once.
pub(crate) fn reads_between_changes_write_nothing(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let room = created(&mut wire, "/rooms", &json!({ "name": "Attic" }));
    let command = format!("{room}/reserve-commands/{}", uuid::Uuid::now_v7());
    let sent = wire.send("PUT", command.as_bytes(), PUBLIC, None, Some(&json!({ "until": DAYS })));
    assert_eq!(sent.status, 201, "{}", sent.body);
    let begun = Instant::now();
    loop {
        let status = wire.send("GET", command.as_bytes(), PUBLIC, None, None).json()["status"].clone();
        if status == "SUCCESSFUL" {
            break;
        }
        assert!(status == "RUNNING" && begun.elapsed() < SOON, "{status}");
        std::thread::sleep(Duration::from_millis(10));
    }
    // the server counts rows that are rolled back as well; a session reports them within a second
    let session = database.session();
    let inserted = || session.texts("SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'bookings'");
    let rows = DAYS.to_string();
    while inserted() != [rows.clone()] {
        assert!(begun.elapsed() < 3 * SOON, "{:?} rows for {DAYS} bookings", inserted());
        std::thread::sleep(Duration::from_millis(100));
    }
}
