//! A service whose team writes ordinary Rust, by the documented interface alone: values are parsed, compared and
//! computed with, entities are serialized, users sign in, a route of its own responds, and a job works in the background.
//! `cargo run -p restwell --example own_code`; `cargo test -p restwell --example own_code` tests it.

use restwell::filter::lte;
use restwell::routes::{Json, MediaType, Parameters, QueryString, Route, Routes};
use restwell::{Authentication, Authenticator, Builder, Caller, Credentials, Denied, Object, Ref, Rejection};
use restwell::{Date, Price, Resource, Service, Stored, Transactions, Uuid};
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Somebody who stays.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(operations(create(access = anyone), get(access = owner)))]
pub struct Guest {
    /// How the guest signs in.
    #[field(format = "email", unique = ignore_case, filter)]
    pub email: String,
    /// Never shown, and stored as its hash.
    #[field(min_length = 10, write_only, secret = argon2)]
    pub password: String,
}

/// A room to stay in.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(operations(create(access = anyone), list, get))]
pub struct Room {
    /// The name on the door.
    #[field(max_length = 40, filter, sort)]
    pub name: String,
    /// For a night.
    #[field(minimum = "1.00", filter, sort)]
    pub price: Price,
    /// The day from which it is free.
    #[field(filter)]
    pub free_from: Option<Date>,
}

/// What a guest signs in with.
#[derive(Debug, Clone, Object)]
pub struct Login {
    /// As the guest was registered.
    pub email: String,
    /// In clear.
    pub password: String,
}

/// What later requests are sent with, as `Authorization: Bearer`.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct Session {
    /// The token.
    pub token: Uuid,
}

/// What a stay costs.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct Quote {
    /// The room.
    pub room: String,
    /// How many nights.
    #[field(minimum = 1)]
    pub night_count: i64,
    /// For all nights.
    pub total: Price,
}

/// The guests who have signed in, by their tokens.
#[derive(Debug, Clone, Default)]
struct Sessions(Arc<Mutex<HashMap<Uuid, Uuid>>>);

impl Sessions {
    fn open(&self, guest: Uuid) -> Session {
        let token = Uuid::new_v4();
        self.0.lock().expect("no thread panics with it").insert(token, guest);
        Session { token }
    }

    fn guest(&self, token: &str) -> Option<Caller> {
        let token = token.parse().ok()?;
        self.0.lock().expect("no thread panics with it").get(&token).copied().map(Caller::new)
    }
}

impl Authenticator for Sessions {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match credentials.bearer() {
            Ok(None) => Ok(None).into(),
            Ok(Some(token)) => self.guest(token).map(Some).ok_or(Denied::Invalid).into(),
            Err(denied) => Err(denied).into(),
        }
    }
}

/// Signs a guest in. A wrong password takes as long as a guest who does not exist.
async fn sign_in(
    restwell::axum::extract::State(sessions): restwell::axum::extract::State<Sessions>,
    transactions: Transactions,
    Json(login): Json<Login>,
) -> Result<Json<Session>, Rejection> {
    let login = &login;
    let guest = transactions.run(|transaction| async move {
        let found = transaction.list(GuestQuery::new().email(&login.email)).await?.pop();
        let hash = found.as_ref().map(|guest| guest.password.as_str());
        let is_right = transaction.verify(&login.password, hash).await?;
        found
            .filter(|_| is_right)
            .ok_or_else(|| Rejection::forbidden("WrongPassword", "is not the password of this address"))
    });
    Ok(Json(sessions.open(guest.await?.id)))
}

/// What a room costs for some nights: as JSON, or as a line of text.
async fn quote(
    room: Ref<Room>,
    _: Caller,
    parameters: Parameters,
    media_type: MediaType,
    transactions: Transactions,
) -> Result<restwell::axum::response::Response, Rejection> {
    use restwell::axum::response::IntoResponse;
    let nights: i64 = parameters.get("nights")?.unwrap_or(1);
    let room: Stored<Room> = transactions.run(|transaction| async move { transaction.find(room).await }).await?;
    let total = (room.price * nights).map_err(|error| Rejection::new("TooMuch", &error.to_string()).at("nights"))?;
    let quote = Quote { room: room.name.clone(), night_count: nights, total };
    Ok(match media_type.as_str() {
        "text/plain" => format!("{}: {}", quote.room, quote.total).into_response(),
        _ => Json(quote).into_response(),
    })
}

/// The cheapest room that a query finds.
async fn cheapest(
    QueryString(query): QueryString<RoomQuery>,
    transactions: Transactions,
) -> Result<Json<Stored<Room>>, Rejection> {
    let rooms = transactions.run(|transaction| {
        let query = query.clone();
        async move { transaction.list(query.sort(RoomSort::PRICE).limit(1)).await }
    });
    let room = rooms.await?.pop();
    room.map(Json).ok_or_else(|| Rejection::not_found("NoRoom", "there is no such room"))
}

/// Adds a room whose body was checked whole.
async fn add(transactions: Transactions, Json(room): Json<Room>) -> Result<Json<Stored<Room>>, Rejection> {
    let made = transactions.run(|transaction| {
        let room = room.clone();
        async move { transaction.create(room).await }
    });
    made.await.map(Json)
}

/// Makes rooms free whose day has come, again and again.
async fn free_rooms(service: Service, pause: Duration) {
    loop {
        let Ok(today) = Date::try_from(restwell::time::OffsetDateTime::from(service.now()).date()) else { return };
        let freed = service.transactions().run(|transaction| async move {
            for mut room in transaction.list(RoomQuery::new().free_from(lte(today))).await? {
                room.free_from = None;
                transaction.update(room).await?;
            }
            Ok(())
        });
        if let Err(rejection) = freed.await {
            eprintln!("rooms are not made free: {rejection:?}");
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = service.stopped() => return,
        }
    }
}

/// How often rooms are made free.
const HOUR: Duration = Duration::from_secs(3600);

fn service(pause: Duration) -> Builder {
    let sessions = Sessions::default();
    let signing_in = Routes::new()
        .route(Route::post("/sessions").summary("Sign in").takes::<Login>().returns::<Session>(200), sign_in)
        .with_state(sessions.clone());
    let rooms = Routes::new()
        .route(
            Route::get("/rooms/{roomId}/quote")
                .summary("What a stay costs")
                .access(&["user"])
                .parameter("nights", "the number of nights")
                .returns::<Quote>(200)
                .returns_media(200, "text/plain"),
            quote,
        )
        .route(Route::get("/cheapest-room").filters::<Room>().returns::<Room>(200), cheapest)
        .route(Route::post("/added-rooms").takes::<Room>().returns::<Room>(200), add);
    Builder::new("inn")
        .users::<Guest>()
        .resource::<Room>()
        .authenticator(sessions)
        .routes(signing_in.and(rooms))
        .job("free rooms", move |service| free_rooms(service, pause))
}

fn main() -> ExitCode {
    restwell::main(service(HOUR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell::testing;

    fn room(name: &str, price: &str) -> Room {
        Room { name: name.to_owned(), price: price.parse().unwrap(), free_from: None }
    }

    #[test]
    fn a_guest_signs_in_and_gets_a_quote() {
        let service = testing::start(service(HOUR));
        let guest = Guest { email: "ann@example.com".to_owned(), password: "correct horse".to_owned() };
        let body = serde_json::json!({ "email": guest.email, "password": guest.password });
        service.client().post("/guests", &body).is(201);
        let wrong = serde_json::json!({ "email": "ann@example.com", "password": "battery staple" });
        assert_eq!(service.client().post("/sessions", &wrong).is(403).errors(), [("WrongPassword", None)]);
        let session: Session = service.client().post("/sessions", &body).is(200).read();

        let attic: Stored<Room> = service.client().post("/added-rooms", room("Attic", "80.00 EUR")).is(200).read();
        let path = format!("/rooms/{}/quote?nights=3", attic.id);
        service.client().get(&path).is(401);
        let ann = service.client().with_token(&session.token.to_string());
        let quote: Quote = ann.get(&path).is(200).read();
        assert_eq!(quote, Quote { room: "Attic".to_owned(), night_count: 3, total: "240.00 EUR".parse().unwrap() });
        assert_eq!(ann.get(&path.replace("nights=3", "nights=many")).status, 422);
    }

    #[test]
    fn queries_and_bodies_are_checked_by_the_conventions() {
        let service = testing::start(service(HOUR));
        for (name, price) in [("Attic", "80.00 EUR"), ("Cellar", "30.00 EUR"), ("Suite", "300.00 EUR")] {
            service.seed(|transaction| async move { transaction.create(room(name, price)).await });
        }
        let cheapest: Stored<Room> = service.client().get("/cheapest-room?price.amount.gt=50").is(200).read();
        assert_eq!(cheapest.value, room("Attic", "80.00 EUR"));
        assert_eq!(service.client().get("/cheapest-room?price.amount.gt=500").is(404).errors(), [("NoRoom", None)]);
        assert_eq!(
            service.client().get("/cheapest-room?prise=5").is(422).errors(),
            [("UnknownParameter", Some("prise"))]
        );
        let refused = service.client().post("/added-rooms", room(&"x".repeat(41), "0.50 EUR")).is(422);
        assert_eq!(refused.errors(), [("TooLong", Some("name")), ("TooSmall", Some("price.amount"))]);
    }

    #[test]
    fn the_job_makes_rooms_free() {
        let service = testing::start(service(Duration::from_millis(20)));
        let past = Room { free_from: "2020-01-01".parse().ok(), ..room("Attic", "80.00 EUR") };
        let attic = service.seed(|transaction| {
            let past = past.clone();
            async move { transaction.create(past).await }
        });
        service.client().get_until(&format!("/rooms/{}", attic.id), |room| room["freeFrom"].is_null());
    }
}
