//! Fills a database with the program of an earlier version, through HTTP, and keeps what its clients saw.

use crate::upgrade::LASTING;
use crate::upgrade::events::{BEGINNING, EventStream};
use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{LISTEN, Service, other_program, run_other};
use serde_json::{Map, Value, json};
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// No command of these takes so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// The number of events that the client with a cursor has read.
const READ: usize = 3;
/// Every scope of the schemas.
pub(crate) const SCOPES: &str = "catalogue.write configurations.write contests.admin deliveries.write offers.admin \
                                 payments.read payments.refund shipments.read transactions.read users.admin";

/// A client that may see and do all.
struct Client<'a> {
    service: &'a Service,
    token: String,
}

impl Client<'_> {
    #[track_caller]
    fn send(&self, request: Request, status: u16) -> Value {
        let reply = self.service.send(&request.bearer(&self.token)).is(status);
        if reply.body.is_empty() { Value::Null } else { reply.json() }
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.send(Request::new("GET", path), 200)
    }

    #[track_caller]
    fn create(&self, collection: &str, body: &Value) -> String {
        let created = self.send(Request::post(collection, body), 201);
        format!("{collection}/{}", created["id"].as_str().expect("an id"))
    }

    /// Sends a command until it has ended like this; its path.
    #[track_caller]
    fn command(&self, entity: &str, name: &str, input: &Value, status: &str) -> String {
        let path = format!("{entity}/{name}-commands/{}", Uuid::now_v7());
        let deadline = Instant::now() + PATIENCE;
        while self.send(Request::new("PUT", &path).json(input), 201)["status"] != status {
            assert!(Instant::now() < deadline, "the command does not end as {status}");
            thread::sleep(Duration::from_millis(10));
        }
        path
    }
}

/// Fills the database of a folder; what was seen.
#[track_caller]
pub(crate) fn fill(program: &Path, folder: &Path, database: &str) -> Value {
    // the carriers' service, which takes every call and answers none
    let carriers = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let url = format!("http://{}", carriers.local_addr().expect("an address"));
    let mut command = other_program(program, folder);
    let service = Service::spawn(command.args([LISTEN, database]).args(LASTING).env("CARRIERS_URL", url), folder);

    let user = market::user(service.address(), "somebody");
    let token = run_other(program, folder, ["token", "--sub", &user, "--scope", SCOPES, "--ttl", "PT1H"]);
    let token = String::from_utf8(token.stdout).expect("a token is text").trim_end().to_owned();
    let client = Client { service: &service, token: token.clone() };

    let mut paths = entities(&client, &user);
    let searches = searches(&client);
    let offer = &paths[0];
    let reason = json!({ "reason": "OTHER" });
    let ended = [client.command(offer, "end", &reason, "SUCCESSFUL"), client.command(offer, "end", &reason, "FAILED")];
    paths.push(format!("/users/{user}"));
    let shipment = shipment(&client, &paths);

    let seen = |paths: &[String]| paths.iter().map(|path| (path.clone(), client.get(path))).collect::<Map<_, _>>();
    let (entities, commands) = (seen(&paths), seen(&ended));
    let running = format!("{shipment}/dispatch-commands/{}", Uuid::now_v7());
    let input = json!({ "carrier": "POST", "trackingNumber": "00359007738913296532" });
    client.send(Request::new("PUT", &running).json(&input), 201);
    carriers.accept().expect("the handler calls the carriers");
    let events = events(&client, &shipment);
    service.kill();
    json!({
        "user": user, "entities": entities, "searches": searches, "commands": commands,
        "running": { "path": running, "target": shipment }, "events": events,
    })
}

/// Creates an entity of each resource, and several offers and products, some of which it changes or deletes. Returns
/// the paths of those that remain, an offer first.
fn entities(client: &Client<'_>, user: &str) -> Vec<String> {
    let each = market::one_of_each(client.service.address(), user, &client.token);
    let mut paths = Vec::new();
    for (resource, collection) in [
        ("Offer", "offers"),
        ("ApplicationConfiguration", "application-configurations"),
        ("Contest", "contests"),
        ("Product", "products"),
        ("Watch", "watches"),
        ("Transaction", "transactions"),
        ("Payment", "payments"),
        ("Shipment", "shipments"),
        ("GeneralDelivery", "general-deliveries"),
    ] {
        paths.push(format!("/{collection}/{}", each[resource]));
    }
    for (name, colour) in [("Zażółć gęślą jaźń 🦀", "RED"), ("\"quoted\" \\ back\\slash", "RED"), ("Lamp", "BLUE")]
    {
        let mut offer = market::offer(user, name);
        offer["colour"] = colour.into();
        offer["images"] = json!(["https://example.com/one.jpg", "https://example.com/two.jpg"]);
        paths.push(client.create("/offers", &offer));
    }
    let changed = client.create("/offers", &market::offer(user, "before"));
    client.send(Request::new("PUT", &changed).json(&market::offer(user, "after")), 200);
    paths.push(changed);
    let deleted = client.create("/offers", &market::offer(user, "deleted"));
    client.send(Request::new("DELETE", &deleted), 204);
    for (name, material) in [("Meridian", "carbon"), ("Steel Horse", "steel")] {
        paths.push(client.create("/products", &product(name, material)));
    }
    let secret = json!({ "name": "secretive", "email": "secretive@example.com", "password": "correct horse battery" });
    paths.push(client.create("/users", &secret));
    paths
}

const FRAME: &str = "0197a6a0-0000-7000-8000-000000000001";
const MATERIAL: &str = "0197a6a0-0000-7000-8000-000000000003";

/// A product with a frame of this material.
fn product(name: &str, material: &str) -> Value {
    let parameter = json!({ "id": MATERIAL, "name": "Material", "values": [material] });
    let frame = json!({ "id": FRAME, "name": "Frame", "parameters": [parameter] });
    json!({ "name": name, "category": "SPORT", "weight": "9.400", "parameterGroups": [frame] })
}

/// A search of each resource that has them, and what it finds.
fn searches(client: &Client<'_>) -> Vec<Value> {
    let parameters = json!([{ "id": MATERIAL, "values": ["carbon", "titanium"] }]);
    let of_products = json!({ "parameterGroups": [{ "id": FRAME, "parameters": parameters }] });
    let of_offers = json!({ "colour": "RED" });
    [("offer", "offers", of_offers), ("product", "products", of_products)]
        .map(|(resource, collection, criteria)| {
            let path = client.create(&format!("/{resource}-searches"), &criteria);
            let id = path.rsplit('/').next().expect("an id");
            let list = format!("/{collection}?search.id={id}&sort=id");
            let page = client.get(&list);
            assert_ne!(page["count"], 0, "the search finds something: {page}");
            let found: Vec<_> =
                page[collection].as_array().expect("a list").iter().map(|it| it["id"].clone()).collect();
            json!({ "path": path, "body": client.get(&path), "list": list, "collection": collection, "found": found })
        })
        .to_vec()
}

/// A shipment that is being dispatched when the service is killed.
fn shipment(client: &Client<'_>, paths: &[String]) -> String {
    let known = paths.iter().find(|path| path.starts_with("/shipments/")).expect("there is a shipment");
    let known = client.get(known);
    let mut body = json!({ "weight": "12.500", "recipient": { "name": "Jan", "email": "jan@example.com", "phone": "+48600100200" } });
    body["offer"] = json!({ "id": known["offer"]["id"] });
    body["sender"] = json!({ "id": known["sender"]["id"] });
    body["address"] = json!({ "city": "Poznań", "countryCode": "PL" });
    client.create("/shipments", &body)
}

/// The cursor of a client that has read some of the events, and those that follow it.
fn events(client: &Client<'_>, shipment: &str) -> Value {
    let mut stream = EventStream::after(client.service.address(), BEGINNING, &client.token);
    let cursor = (0..READ).map(|_| stream.next().cursor).last().expect("it has read some");
    let target = shipment.rsplit('/').next().expect("an id");
    let mut following = Vec::new();
    loop {
        let event = stream.next().event;
        let kind = event["type"].as_str().expect("a type");
        let is_last = kind.ends_with(".dispatch-command.running") && event["subject"] == target;
        following.push(event);
        if is_last {
            return json!({ "cursor": cursor, "following": following });
        }
    }
}
