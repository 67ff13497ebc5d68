//! What references show in responses of routes and in outputs of commands: as in resources.

use crate::routes::{Store, Test};
use restwell::axum::extract::State;
use restwell::routes::{Json, Route, Routes};
use restwell::testing::Running;
use restwell::{Builder, Call, Command, Object, Ref, Rejection, Resource, Stored, Uuid, handlers};
use restwell_testkit::http::Request;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub(crate) const TESTS: &[Test] = &[
    ("a_route_shows_what_its_references_show", a_route_shows_what_its_references_show),
    ("an_output_shows_what_its_references_show", an_output_shows_what_its_references_show),
    ("what_is_gone_is_shown_as_null", what_is_gone_is_shown_as_null),
    ("openapi_says_what_is_shown", openapi_says_what_is_shown),
];

/// Somebody.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone), list, get, delete(access = anyone)))]
pub(crate) struct User {
    name: String,
    tags: Vec<String>,
}

/// Somebody whom only users see.
#[derive(Debug, Clone, Resource)]
#[resource(visible = user, operations(create(access = user), list, get))]
pub(crate) struct Guest {
    name: String,
    #[field(visible = keeper)]
    secret: Option<String>,
}

/// A room.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone), list, get), commands(Assign))]
pub(crate) struct Room {
    #[field(show(name))]
    host: Option<Ref<User>>,
}

/// Gives a room to somebody.
#[derive(Debug, Clone, Command)]
#[command(on = Room, output = Party)]
pub(crate) struct Assign {
    new_host: Ref<User>,
    guests: Vec<Ref<Guest>>,
}

/// Who is in a room.
#[derive(Debug, Clone, Object)]
pub(crate) struct Party {
    #[field(show(name, tags, created_at))]
    host: Option<Ref<User>>,
    stay: Option<Stay>,
    past_stays: Vec<Stay>,
}

/// Who stays.
#[derive(Debug, Clone, Object)]
pub(crate) struct Stay {
    night: i64,
    #[field(show(name, secret))]
    guests: Vec<Ref<Guest>>,
}

struct Assigning;

fn party(host: Option<Ref<User>>, guests: &[Ref<Guest>]) -> Party {
    let stay = |night| Stay { night, guests: guests.to_vec() };
    Party { host, stay: Some(stay(1)), past_stays: vec![stay(2), stay(3)] }
}

#[handlers]
impl Assigning {
    async fn assign(&self, call: Call<Assign>) -> Result<Party, Rejection> {
        let Assign { new_host: host, guests } = call.input;
        let mut room = call.entity;
        room.host = Some(host);
        call.transaction.update(room).await?;
        Ok(party(Some(host), &guests))
    }
}

/// What routes respond with.
type Known = Arc<Mutex<Option<(Party, Stored<Room>)>>>;

async fn whole(State(known): State<Known>) -> Json<Party> {
    Json(known.lock().expect("no panic").as_ref().expect("a party").0.clone())
}

async fn room(State(known): State<Known>) -> Json<Stored<Room>> {
    Json(known.lock().expect("no panic").as_ref().expect("a party").1.clone())
}

fn service(known: &Known) -> Builder {
    let routes = Routes::new()
        .route(Route::get("/parties").returns::<Party>(200), whole)
        .route(Route::get("/latest-room").returns::<Room>(200), room);
    Builder::new("house")
        .users::<User>()
        .resource::<Guest>()
        .resource::<Room>()
        .role("keeper", "\"nothing\" in scopes")
        .commands::<Room>(&Arc::new(Assigning))
        .routes(routes.with_state(Arc::clone(known)))
}

/// A service with a host, two guests, and a room.
struct House {
    service: Running,
    known: Known,
    host: Uuid,
    guests: [Uuid; 2],
    room: Uuid,
}

impl House {
    fn new(store: Store) -> Self {
        let known = Known::default();
        let service = store.start(service(&known));
        let host = service.seed(|transaction| async move {
            transaction.create(User { name: "Ann \"A\"".to_owned(), tags: vec!["old".to_owned()] }).await
        });
        let guests = ["Bob", "Cy"].map(|name| {
            let guest = Guest { name: name.to_owned(), secret: Some("s".to_owned()) };
            let made = service.seed(|transaction| {
                let guest = guest.clone();
                async move { transaction.create(guest).await }
            });
            made.id
        });
        let host_of_room = Some(Ref::from(&host));
        let room = service.seed(|transaction| async move { transaction.create(Room { host: host_of_room }).await });
        let (host, room_id) = (host.id, room.id);
        let party = party(host_of_room, &guests.map(Ref::to));
        *known.lock().expect("no panic") = Some((party, room));
        Self { service, known, host, guests, room: room_id }
    }

    /// The guests as they are shown to who sees them, or does not.
    fn shown_guests(&self, is_seen: bool) -> Value {
        let name = |name: &str| if is_seen { json!(name) } else { Value::Null };
        let guest = |(id, text): (&Uuid, &str)| json!({ "id": id, "name": name(text), "secret": null });
        self.guests.iter().zip(["Bob", "Cy"]).map(guest).collect()
    }

    fn has_party(&self, found: &Value, is_seen: bool) {
        assert_eq!((&found["host"]["id"], &found["host"]["name"]), (&json!(self.host), &json!("Ann \"A\"")), "{found}");
        assert_eq!(found["host"]["tags"], json!(["old"]));
        assert!(found["host"]["createdAt"].as_str().is_some_and(|time| time.ends_with('Z')), "{found}");
        let guests = self.shown_guests(is_seen);
        assert_eq!(found["stay"], json!({ "night": 1, "guests": guests }));
        assert_eq!(found["pastStays"], json!([{ "night": 2, "guests": guests }, { "night": 3, "guests": guests }]));
    }
}

fn a_route_shows_what_its_references_show(store: Store) {
    let house = House::new(store);
    let client = house.service.client();
    house.has_party(&client.as_user(house.host).get("/parties").is(200).json, true);
    // a caller is shown what the caller sees
    house.has_party(&house.service.client().get("/parties").is(200).json, false);
    let room = house.service.client().get("/latest-room").is(200).json;
    assert_eq!(room["host"], json!({ "id": house.host, "name": "Ann \"A\"" }));
    assert_eq!(room, house.service.client().get(&format!("/rooms/{}", house.room)).is(200).json);
    // nothing is referred to, nothing is shown
    let mut known = house.known.lock().expect("no panic");
    known.as_mut().expect("a party").0 = party(None, &[]);
    drop(known);
    let nobody = house.service.client().get("/parties").is(200).json;
    assert_eq!((&nobody["host"], &nobody["stay"]["guests"]), (&Value::Null, &json!([])));
}

fn an_output_shows_what_its_references_show(store: Store) {
    let house = House::new(store);
    let client = house.service.client().as_user(house.host);
    let guests: Vec<_> = house.guests.iter().map(|id| json!({ "id": id })).collect();
    let path = format!("/rooms/{}", house.room);
    let ended =
        client.command(&path, "assign", json!({ "newHost": { "id": house.host }, "guests": guests })).succeeded();
    house.has_party(&ended.json, true);
    // who sees no guests
    let at = format!("{path}/assign-commands/{}", ended.json["id"].as_str().expect("an id"));
    let others = house.service.client().get(&at).is(200);
    house.has_party(&others.json, false);
    // its list, and a repeat of its PUT
    let list = client.get(&format!("{path}/assign-commands")).is(200).json;
    house.has_party(&list["assignCommands"][0], true);
    let again = client.put(&at, json!({ "newHost": { "id": house.host }, "guests": guests })).is(201);
    house.has_party(&again.json, true);
    // the tag is that of what is shown
    let tag = |client: &restwell::testing::TestClient| client.get(&at).is(200).headers["etag"].clone();
    assert_ne!(tag(&client), tag(&house.service.client()));
}

fn what_is_gone_is_shown_as_null(store: Store) {
    let house = House::new(store);
    let other =
        house.service.client().post("/users", json!({ "name": "Di", "tags": ["new"] })).is(201).json["id"].clone();
    let client = house.service.client().as_user(house.host);
    let path = format!("/rooms/{}", house.room);
    let ended = client.command(&path, "assign", json!({ "newHost": { "id": other }, "guests": [] })).succeeded();
    assert_eq!(ended.json["host"]["name"], "Di");
    client.command(&path, "assign", json!({ "newHost": { "id": house.host }, "guests": [] })).succeeded();
    client.delete(&format!("/users/{}", other.as_str().expect("an id"))).is(204);
    let at = format!("{path}/assign-commands/{}", ended.json["id"].as_str().expect("an id"));
    let shown = client.get(&at).is(200).json["host"].clone();
    assert_eq!(shown, json!({ "id": other, "name": null, "tags": [], "createdAt": null }));
}

fn openapi_says_what_is_shown(store: Store) {
    let house = House::new(store);
    let document = Request::new("GET", "/openapi.json").header("accept", "*/*").send(house.service.address()).json();
    let schemas = &document["components"]["schemas"];
    let shown = json!({ "anyOf": [{ "$ref": "#/components/schemas/UserWithNameTagsCreatedAt" }, { "type": "null" }] });
    for name in ["Party", "RoomAssignCommand"] {
        assert_eq!(schemas[name]["properties"]["host"], shown, "{name}");
    }
    // it may be gone
    let name = &schemas["UserWithNameTagsCreatedAt"]["properties"]["name"];
    assert_eq!(*name, json!({ "type": ["string", "null"] }));
    assert_eq!(schemas["UserWithName"]["properties"]["name"], json!({ "type": "string" }));
}
