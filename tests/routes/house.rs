//! The service: rooms that are booked, with routes and a job of its own.

use restwell::axum::body::Bytes;
use restwell::axum::extract::{Path, State};
use restwell::axum::http::{StatusCode, header};
use restwell::axum::response::IntoResponse;
use restwell::routes::{Json, MediaType, Parameters, QueryString, Route, Routes};
use restwell::{Builder, Caller, Date, Object, Ref, Rejection, Resource, Service, Transactions, Uuid};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Somebody who books.
#[derive(Debug, Clone, PartialEq, Resource)]
pub(crate) struct User {
    /// The name.
    pub(crate) name: String,
}

/// A room.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(operations(create(access = anyone), list, get))]
pub(crate) struct Room {
    /// The name on the door.
    #[field(max_length = 40, filter, sort)]
    pub(crate) name: String,
    /// How many sit in it.
    #[field(minimum = 1, filter, sort)]
    pub(crate) size: i64,
    /// How often it was booked.
    #[field(read_only, default = 0)]
    pub(crate) booked: Option<i64>,
    /// Whom it belongs to.
    #[field(filter)]
    pub(crate) host: Option<Ref<User>>,
}

/// How a room is booked.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Reservation {
    /// How often.
    #[field(minimum = 1, maximum = 100)]
    pub(crate) count: i64,
    /// What for.
    #[field(max_length = 20)]
    pub(crate) purpose: Option<String>,
}

/// The number of runs of handlers, for tests of retries and of the job.
pub(crate) type Runs = Arc<AtomicU64>;

/// Adds to what a room was booked.
async fn reserve(
    room: Ref<Room>,
    State(runs): State<Runs>,
    transactions: Transactions,
    Json(reservation): Json<Reservation>,
) -> Result<Json<Value>, Rejection> {
    let times = reservation.count;
    let runs = &runs;
    let booked = transactions.run(move |transaction| async move {
        runs.fetch_add(1, Ordering::SeqCst);
        let mut room = transaction.find(room).await?;
        // others come in between
        tokio::time::sleep(Duration::from_millis(2)).await;
        let booked = room.booked.unwrap_or_default() + times;
        if booked > 1000 {
            return Err(Rejection::conflict("FullyBooked", "{name} is full").with("name", room.name.clone()));
        }
        room.booked = Some(booked);
        transaction.update(room).await?;
        Ok(booked)
    });
    Ok(Json(json!({ "booked": booked.await?, "purpose": reservation.purpose })))
}

/// The rooms that a query finds, of the caller where one is given.
async fn report(
    QueryString(query): QueryString<RoomQuery>,
    parameters: Parameters,
    caller: Option<Caller>,
    media_type: MediaType,
    transactions: Transactions,
) -> Result<restwell::axum::response::Response, Rejection> {
    let day: Option<Date> = parameters.get("day")?;
    let query = match &caller {
        Some(caller) => query.host_id(caller.id),
        None => query,
    };
    let rooms = transactions.run(|transaction| {
        let query = query.clone();
        async move { transaction.list(query).await }
    });
    let rooms = rooms.await?;
    if media_type.as_str() == "text/csv" {
        let lines: String = rooms.iter().map(|room| format!("{},{}\n", room.name, room.size)).collect();
        return Ok(([(header::CONTENT_TYPE, "text/csv")], lines).into_response());
    }
    let names: Vec<_> = rooms.iter().map(|room| room.name.as_str()).collect();
    Ok(Json(json!({ "names": names, "day": day.map(|day| day.to_string()) })).into_response())
}

/// Says who calls.
async fn whoami(caller: Caller) -> Json<Value> {
    Json(json!({ "id": caller.id, "scopes": caller.scopes }))
}

/// Takes a whole room.
async fn furnish(service: Service, Json(room): Json<Room>) -> Result<impl IntoResponse, Rejection> {
    let made = service.transactions().run(|transaction| {
        let room = room.clone();
        async move { transaction.create(room).await }
    });
    let made = made.await?;
    Ok((StatusCode::CREATED, [(header::LOCATION, format!("/rooms/{}", made.id))], Json(made)))
}

/// Counts the bytes that it gets.
async fn count(body: Bytes) -> String {
    body.len().to_string()
}

async fn greet(parameters: Parameters) -> Result<Json<String>, Rejection> {
    parameters.require("name").map(Json)
}

async fn panics() -> StatusCode {
    panic!("a mistake of the team")
}

async fn forgets(Json(reservation): Json<Reservation>) -> Json<Reservation> {
    Json(reservation)
}

async fn plus(Path((one, other)): Path<(u32, u32)>) -> String {
    (one + other).to_string()
}

/// The routes.
pub(crate) fn routes(runs: &Runs) -> Routes {
    let with_runs = Routes::new().route(
        Route::post("/rooms/{roomId}/reservations")
            .summary("Book a room several times.")
            .description("Adds to what it was booked.")
            .takes::<Reservation>()
            .returns_json(200),
        reserve,
    );
    let others = Routes::new()
        .route(
            Route::get("/reports/rooms")
                .filters::<Room>()
                .parameter("day", "the day of the report")
                .returns_json(200)
                .returns_media(200, "text/csv"),
            report,
        )
        .route(Route::get("/whoami").returns_json(200), whoami)
        .route(Route::get("/admins").access(&["scope:admin"]).returns_json(200), whoami)
        .route(Route::post("/furnished-rooms").takes::<Room>().returns::<Room>(201), furnish)
        .route(Route::put("/bytes").takes_media("application/octet-stream").returns_media(200, "text/plain"), count)
        .route(Route::get("/greetings").required_parameter("name", "who is greeted").returns_json(200), greet)
        .route(Route::get("/panics").returns_nothing(204), panics)
        .route(Route::post("/forgets").returns::<Reservation>(200), forgets)
        .route(Route::delete("/whoami").returns_nothing(204), || async { StatusCode::NO_CONTENT })
        .route(Route::get("/sums/{one}/{other}").returns_media(200, "text/plain"), plus)
        .route(Route::get("/teapot").returns_nothing(204), || async { StatusCode::CONFLICT });
    with_runs.with_state(Arc::clone(runs)).and(others)
}

/// The service without routes.
pub(crate) fn plain() -> Builder {
    Builder::new("house").users::<User>().resource::<Room>()
}

/// The service with its routes, and with a job that counts its runs.
pub(crate) fn service(runs: &Runs) -> Builder {
    plain().routes(routes(runs))
}

/// An id that names nothing.
pub(crate) const NOBODY: Uuid = Uuid::from_u128(0x018f_4c2e_7d1a_7c55_9f0e_0000_0000_0001);
