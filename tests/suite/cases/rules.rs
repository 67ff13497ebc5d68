//! docs/rust/rules.md: they hold for every write, from any source.

use crate::Case;
use crate::client::Api;
use crate::specimen::{path, reference};
use restwell::filter::{gt, lt};
use restwell::{Builder, Call, Command, Context, Ref, Rejection, Resource, Ruled, Rules, Stored};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

pub(super) const CASES: &[Case] = &[
    ("Rules: they hold for what a handler creates, replaces and deletes", by_handlers),
    ("Rules: they fill in what a handler creates, for the caller of the command", filled_in),
    ("Rules: what a rule changes runs the rules of that", by_rules),
    ("Rules: of a change that is rejected nothing stays, and the handler may go on", rejected),
    ("Rules: they hold when an asynchronous operation is done", later),
    ("Rules: they run in dry runs, in which nothing stays", dry_run),
    ("Rules: sixteen may run because of each other, and no more", too_deep),
    ("Rules: what they read through the lock of an entity holds", locked),
];

/// The longest stay of a room, in days.
const MOST_DAYS: i64 = 30;
/// Bookings of a room at most.
const MOST_BOOKINGS: i64 = 3;

/// A room that is booked by the day.
#[derive(Debug, Clone, Resource)]
struct Room {
    #[field(max_length = 40)]
    name: String,
    /// Kept by the rules of bookings.
    #[field(default = 0, read_only)]
    bookings_count: Option<i64>,
}

/// Days on which a room is taken: from the first one, until before the last.
#[derive(Debug, Clone, Resource)]
#[resource(view(later, path = "/later-bookings", operations(create(async))))]
struct Booking {
    #[field(filter)]
    room: Ref<Room>,
    #[field(filter)]
    first_day: i64,
    #[field(filter)]
    last_day: i64,
    /// What the service says to it.
    #[field(read_only, max_length = 80)]
    comment: Option<String>,
}

struct BookingRules;

impl Rules<Booking> for BookingRules {
    async fn before_create(&self, booking: &mut Booking, context: &Context<'_>) -> Ruled {
        let caller = context.caller.map_or("anyone".to_owned(), |caller| caller.id.to_string());
        booking.comment = Some(format!("booked by {caller}"));
        Ok(())
    }

    async fn before_update(&self, _: &Stored<Booking>, booking: &mut Booking, _: &Context<'_>) -> Ruled {
        booking.comment = Some("moved".to_owned());
        Ok(())
    }

    async fn validate(&self, booking: &Booking, stored: Option<&Stored<Booking>>, context: &Context<'_>) -> Ruled {
        if booking.last_day - booking.first_day > MOST_DAYS {
            return Err(Rejection::new("TooLongStay", "is too far from the first day").at("lastDay"));
        }
        // what was valid when it was asked for need not be so when it is done
        if booking.first_day == 13 && !context.is_dry_run {
            return Err(Rejection::new("Unlucky", "is not a day for it").at("firstDay"));
        }
        context.transaction.lock(booking.room).await?;
        let taken = BookingQuery::new().room_id(booking.room);
        let taken = taken.first_day(lt(booking.last_day)).last_day(gt(booking.first_day));
        let others = context.transaction.list(taken).await?;
        match others.iter().any(|other| stored.is_none_or(|stored| stored.id != other.id)) {
            true => Err(Rejection::new("Overlaps", "is taken already").at("firstDay")),
            false => Ok(()),
        }
    }

    async fn before_delete(&self, booking: &Stored<Booking>, _: &Context<'_>) -> Ruled {
        match booking.first_day {
            0 => Err(Rejection::new("HasBegun", "has begun")),
            _ => Ok(()),
        }
    }

    async fn after_create(&self, booking: &Stored<Booking>, context: &Context<'_>) -> Ruled {
        count(booking, 1, context).await
    }

    async fn after_delete(&self, booking: &Stored<Booking>, context: &Context<'_>) -> Ruled {
        count(booking, -1, context).await
    }
}

async fn count(booking: &Booking, change: i64, context: &Context<'_>) -> Ruled {
    let Some(mut room) = context.transaction.get(booking.room).await? else { return Ok(()) };
    room.bookings_count = room.bookings_count.map(|count| count + change);
    context.transaction.update(room).await
}

struct RoomRules;

impl Rules<Room> for RoomRules {
    async fn validate(&self, room: &Room, _: Option<&Stored<Room>>, _: &Context<'_>) -> Ruled {
        match room.bookings_count {
            Some(count) if count > MOST_BOOKINGS => {
                Err(Rejection::new("FullyBooked", "is all that there is").at("bookingsCount"))
            }
            _ => Ok(()),
        }
    }
}

/// Books the room, or else the other one.
#[derive(Debug, Clone, Command)]
#[command(on = Room)]
struct Reserve {
    first_day: i64,
    last_day: i64,
    otherwise: Option<Ref<Room>>,
}

async fn reserve(call: Call<Reserve>) -> Result<(), Rejection> {
    let Reserve { first_day, last_day, otherwise } = call.input;
    let booking = |room| Booking { room, first_day, last_day, comment: Some("set by the handler".to_owned()) };
    let made = call.transaction.create(booking(call.entity.reference())).await;
    match (made, otherwise) {
        (Err(_), Some(other)) => call.transaction.create(booking(other)).await.map(drop),
        (made, _) => made.map(drop),
    }
}

/// Moves the bookings of the room.
#[derive(Debug, Clone, Command)]
#[command(on = Room)]
struct Move {
    shift: i64,
    longer: i64,
}

async fn move_all(call: Call<Move>) -> Result<(), Rejection> {
    for mut booking in call.transaction.list(BookingQuery::new().room_id(call.entity.id)).await? {
        booking.first_day += call.input.shift;
        booking.last_day += call.input.shift + call.input.longer;
        call.transaction.update(booking).await?;
    }
    Ok(())
}

/// Deletes the bookings of the room.
#[derive(Debug, Clone, Command)]
#[command(on = Room)]
struct Clear {
    reason: Option<String>,
}

async fn clear(call: Call<Clear>) -> Result<(), Rejection> {
    for booking in call.transaction.list(BookingQuery::new().room_id(call.entity.id)).await? {
        call.transaction.delete(&booking).await?;
    }
    Ok(())
}

/// Counts down, a rule for each number.
#[derive(Debug, Clone, Resource)]
struct Countdown {
    number: i64,
}

struct CountdownRules;

impl Rules<Countdown> for CountdownRules {
    async fn after_update(&self, _: &Stored<Countdown>, after: &Stored<Countdown>, context: &Context<'_>) -> Ruled {
        let mut next = after.clone();
        next.number -= 1;
        if next.number < 1 { Ok(()) } else { context.transaction.update(next).await }
    }
}

/// Starts it.
#[derive(Debug, Clone, Command)]
#[command(on = Countdown)]
struct Start {
    number: i64,
}

async fn start(call: Call<Start>) -> Result<(), Rejection> {
    let mut countdown = call.entity;
    countdown.number = call.input.number;
    call.transaction.update(countdown).await
}

fn house() -> Builder {
    let builder = Builder::new("house").resource::<Room>().resource::<Booking>().resource::<Countdown>();
    let builder = builder.handle(reserve).handle(move_all).handle(clear).handle(start);
    builder.rules(BookingRules).rules(RoomRules).rules(CountdownRules)
}

fn room(api: &Api, name: &str) -> Value {
    api.create("/rooms", &json!({ "name": name }))
}

fn booking(room: &Value, first: i64, last: i64) -> Value {
    json!({ "room": reference(room), "firstDay": first, "lastDay": last })
}

/// The bookings of a room: their first days and comments.
fn bookings(api: &Api, room: &Value) -> Vec<(i64, String)> {
    let found = api.get(&format!("/bookings?room.id={}&sort=id", room["id"].as_str().expect("an id"))).is(200).json();
    let found = found["bookings"].as_array().expect("bookings").iter();
    found
        .map(|one| (one["firstDay"].as_i64().expect("a day"), one["comment"].as_str().expect("a text").to_owned()))
        .collect()
}

/// How a command ends: nothing, or its error's code and path.
#[track_caller]
fn run(api: &Api, entity: &str, command: &str, input: &Value, authorization: Option<&str>) -> Option<(String, Value)> {
    run_again(api, entity, command, input, authorization, 0)
}

/// The same for a command that is sent another time, with another id.
#[track_caller]
fn run_again(
    api: &Api,
    entity: &str,
    command: &str,
    input: &Value,
    authorization: Option<&str>,
    time: u8,
) -> Option<(String, Value)> {
    // an id that is the same in every run
    let mut hasher = DefaultHasher::new();
    (entity, command, input.to_string(), time).hash(&mut hasher);
    let id = format!("01890a5d-ac96-774b-bcce-{:012x}", hasher.finish() >> 16);
    let target = format!("{entity}/{command}-commands/{id}");
    let request = api.request("PUT", &target).json(input);
    match authorization {
        Some(authorization) => request.header("authorization", authorization),
        None => request,
    }
    .send()
    .is(201);
    let ended = api.wait(&target, |reply| reply.json()["status"] != "RUNNING").json();
    let errors = ended["errors"].as_array().expect("errors");
    assert_eq!(errors.is_empty(), ended["status"] == "SUCCESSFUL", "{ended}");
    errors.first().map(|error| (error["code"].as_str().expect("a code").to_owned(), error["path"].clone()))
}

fn error(code: &str, path: &str) -> Option<(String, Value)> {
    Some((code.to_owned(), json!(path)))
}

fn by_handlers(api: &Api) {
    let api = api.of(house);
    let room = room(&api, "Attic");
    let at = path("rooms", &room);
    let days = |first: i64, last: i64| json!({ "firstDay": first, "lastDay": last });
    assert_eq!(run(&api, &at, "reserve", &days(0, 2), None), None);
    assert_eq!(run(&api, &at, "reserve", &days(1, 3), None), error("Overlaps", "firstDay"));
    assert_eq!(run(&api, &at, "reserve", &days(2, 90), None), error("TooLongStay", "lastDay"));
    assert_eq!(run(&api, &at, "reserve", &days(2, 4), None), None);
    let before = bookings(&api, &room);
    assert_eq!(before.len(), 2);

    let refused = run(&api, &at, "move", &json!({ "shift": 1, "longer": 40 }), None);
    assert_eq!(refused, error("TooLongStay", "lastDay"));
    let refused = run(&api, &at, "clear", &json!({}), None);
    assert_eq!(refused, Some(("HasBegun".to_owned(), Value::Null)));
    assert_eq!(bookings(&api, &room), before);

    assert_eq!(run(&api, &at, "move", &json!({ "shift": 2, "longer": 0 }), None), error("Overlaps", "firstDay"));
    assert_eq!(run(&api, &at, "move", &json!({ "shift": 20, "longer": 0 }), None), None);
    assert_eq!(bookings(&api, &room), [(20, "moved".to_owned()), (22, "moved".to_owned())]);
    assert_eq!(run_again(&api, &at, "clear", &json!({}), None, 1), None);
    assert_eq!(bookings(&api, &room), []);
}

fn filled_in(api: &Api) {
    let api = api.of(house);
    let room = room(&api, "Attic");
    let days = json!({ "firstDay": 1, "lastDay": 2 });
    let authorization = api.bearer(&json!({ "id": "01890a5d-ac96-774b-bcce-b302099a8057" }), &[]);
    assert_eq!(run(&api, &path("rooms", &room), "reserve", &days, Some(&authorization)), None);
    let comment = "booked by 01890a5d-ac96-774b-bcce-b302099a8057".to_owned();
    assert_eq!(bookings(&api, &room), [(1, comment)]);
}

fn by_rules(api: &Api) {
    let api = api.of(house);
    let room = room(&api, "Attic");
    let at = path("rooms", &room);
    for day in 1..=MOST_BOOKINGS {
        api.create("/bookings", &booking(&room, day, day + 1));
        assert_eq!(api.get(&at).json()["bookingsCount"], day);
    }
    let full = json!({ "firstDay": 9, "lastDay": 10 });
    api.post("/bookings", &booking(&room, 9, 10)).refused(&[("FullyBooked", "bookingsCount")]);
    assert_eq!(run(&api, &at, "reserve", &full, None), error("FullyBooked", "bookingsCount"));
    assert_eq!(bookings(&api, &room).len() as i64, MOST_BOOKINGS);
    assert_eq!(api.get(&at).json()["bookingsCount"], MOST_BOOKINGS);
}

fn rejected(api: &Api) {
    let api = api.of(house);
    let (full, free) = (room(&api, "Attic"), room(&api, "Cellar"));
    for day in 1..=MOST_BOOKINGS {
        api.create("/bookings", &booking(&full, day, day + 1));
    }
    // the booking itself is valid; the rules of the room that its rules change reject it
    let input = json!({ "firstDay": 9, "lastDay": 10, "otherwise": reference(&free) });
    assert_eq!(run(&api, &path("rooms", &full), "reserve", &input, None), None);
    assert_eq!(bookings(&api, &full).len() as i64, MOST_BOOKINGS);
    assert_eq!(bookings(&api, &free), [(9, "booked by anyone".to_owned())]);
    assert_eq!(api.get(&path("rooms", &full)).json()["bookingsCount"], MOST_BOOKINGS);
    assert_eq!(api.get(&path("rooms", &free)).json()["bookingsCount"], 1);
}

fn later(api: &Api) {
    let api = api.of(house);
    let room = room(&api, "Attic");
    api.post("/later-bookings", &booking(&room, 1, 90)).refused(&[("TooLongStay", "lastDay")]);
    let unlucky = api.post("/later-bookings", &booking(&room, 13, 14)).is(202).expect_header("location");
    let lucky = api.post("/later-bookings", &booking(&room, 14, 15)).is(202).expect_header("location");
    let done = api.wait(&lucky, |reply| reply.status == 200).json();
    assert_eq!(done["comment"], "booked by anyone");
    assert_eq!(api.get(&path("rooms", &room)).json()["bookingsCount"], 1);
    // it was accepted before, and may end after
    std::thread::sleep(Duration::from_millis(200));
    api.get(&unlucky).fails(404, "ResourceNotFound");
}

fn dry_run(api: &Api) {
    let api = api.of(house);
    let room = room(&api, "Attic");
    for day in 1..=MOST_BOOKINGS {
        assert_eq!(api.post("/bookings?dryRun=true", &booking(&room, day, day + 1)).is(204).body, "");
        api.create("/bookings", &booking(&room, day, day + 1));
    }
    api.post("/bookings?dryRun=true", &booking(&room, 9, 10)).refused(&[("FullyBooked", "bookingsCount")]);
    assert_eq!(bookings(&api, &room).len() as i64, MOST_BOOKINGS);
}

fn too_deep(api: &Api) {
    let api = api.of(house);
    let countdown = api.create("/countdowns", &json!({ "number": 100 }));
    let at = path("countdowns", &countdown);
    let chain = vec!["Countdown.after_update"; 16].join(" > ");
    let failed = api.put(&at, &json!({ "number": 17 })).fails(500, "InternalError");
    let reason = failed.errors()[0]["details"]["reason"].as_str().expect("a reason").to_owned();
    assert_eq!(reason, format!("more than 16 rules ran because of each other: {chain}"));
    let start = |number: i64| run(&api, &at, "start", &json!({ "number": number }), None);
    assert_eq!(start(17), Some(("InternalError".to_owned(), Value::Null)));
    assert_eq!(api.get(&at).json()["number"], 100, "nothing of it stays");
    assert_eq!(api.put(&at, &json!({ "number": 16 })).is(200).json()["number"], 16);
    assert_eq!(api.get(&at).json()["number"], 1);
    assert_eq!(start(16), None);

    // what is served to others says nothing
    let api = api.again(restwell::testing::Setup::without_contracts);
    let countdown = api.create("/countdowns", &json!({ "number": 100 }));
    let failed = api.put(&path("countdowns", &countdown), &json!({ "number": 17 })).fails(500, "InternalError");
    assert_eq!(failed.errors()[0]["details"], Value::Null);
}

fn locked(api: &Api) {
    let api = api.of(house);
    let rooms = [room(&api, "Attic"), room(&api, "Cellar")];
    let statuses: Vec<(usize, u16)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..12_usize)
            .map(|client| {
                let (api, rooms) = (&api, &rooms);
                scope.spawn(move || (client % 2, api.post("/bookings", &booking(&rooms[client % 2], 1, 3)).status))
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("an answer")).collect()
    });
    for (number, room) in rooms.iter().enumerate() {
        let created = statuses.iter().filter(|(of, status)| *of == number && *status == 201).count();
        assert_eq!(created, 1, "{statuses:?}");
        assert_eq!(bookings(&api, room).len(), 1);
    }
    assert!(statuses.iter().all(|(_, status)| [201, 422].contains(status)), "{statuses:?}");
    // a room that is not there cannot be locked, and is not there for the booking either
    let nowhere = json!({ "id": crate::specimen::NOBODY });
    api.post("/bookings", &booking(&nowhere, 1, 3)).refused(&[("NotFound", "room.id")]);
}
