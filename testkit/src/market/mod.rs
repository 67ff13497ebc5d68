//! Entities of the marketplace to test with, and clients that use it.

pub mod books;
pub mod line;
pub mod orders;
pub mod senders;

use crate::http::Request;
use crate::key::now;
use crate::process::Service;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use uuid::Uuid;

/// The development key of services under test.
const KEY: &[u8; 32] = b"the key of marketplaces in tests";
/// Seconds that a token is good for.
const GOOD_FOR: u64 = 24 * 60 * 60;

/// Creates a user.
#[track_caller]
pub fn user(address: SocketAddr, name: &str) -> String {
    let body = json!({ "name": name, "email": format!("{name}@example.com") });
    Request::post("/users", &body).send(address).is(201).id()
}

/// A valid offer.
pub fn offer(seller: &str, name: &str) -> Value {
    json!({
        "name": name,
        "seller": { "id": seller },
        "buyNow": { "amount": "12.50", "currency": "PLN" },
        "address": address(),
    })
}

/// The request of a seller who puts up this offer.
#[track_caller]
pub fn sell(offer: &Value) -> Request {
    Request::post("/offers", offer).bearer(&token(seller(offer)))
}

/// The request of a seller who replaces an offer by this one.
#[track_caller]
pub fn resell(path: &str, offer: &Value) -> Request {
    Request::new("PUT", path).json(offer).bearer(&token(seller(offer)))
}

#[track_caller]
fn seller(offer: &Value) -> &str {
    offer["seller"]["id"].as_str().expect("an offer has a seller")
}

/// A token of the key that services under test have: see [`keep_key`].
pub fn token(user: &str) -> String {
    token_with(user, "")
}

/// A token of somebody who sees all offers.
pub fn staff() -> String {
    token_with(&Uuid::now_v7().to_string(), "offers.admin")
}

fn token_with(user: &str, scope: &str) -> String {
    let claims = json!({ "sub": user, "iss": "development", "exp": now() + GOOD_FOR, "scope": scope });
    let key = EncodingKey::from_secret(KEY);
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).expect("a token can be signed")
}

/// Gives a marketplace that will be started in a folder the development key that [`token`] signs with, unless it has
/// one: tests that send many requests as several users do not start the program for each token.
pub fn keep_key(folder: &Path) {
    let text: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join("marketplace.development-key"));
    if let Ok(mut file) = file {
        file.write_all(text.as_bytes()).expect("the folder can be written to");
    }
}

fn address() -> Value {
    json!({ "city": "Poznań", "countryCode": "PL" })
}

/// A user who has a token for every scope, and owns an entity of each resource.
#[derive(Debug)]
pub struct Owner {
    /// The id of the user.
    pub id: String,
    /// A token with all the scopes.
    pub token: String,
    /// The ids of the entities, by the name of the resource.
    pub ids: BTreeMap<&'static str, String>,
}

impl Owner {
    /// Creates the user and the entities.
    #[track_caller]
    pub fn create(service: &Service, name: &str, scopes: &[String]) -> Self {
        let id = user(service.address(), name);
        let token = service.token(&id, &scopes.join(" "));
        let ids = one_of_each(service.address(), &id, &token);
        Self { id, token, ids }
    }
}

/// A parcel of a user's offer; its id.
#[track_caller]
pub fn shipment(at: SocketAddr, user: &str, token: &str, offer: &str) -> String {
    let recipient = json!({ "name": "Jan", "email": "jan@example.com", "phone": "+48600100200" });
    let body = json!({
        "offer": { "id": offer }, "sender": { "id": user }, "recipient": recipient, "address": address(),
    });
    Request::post("/shipments", &body).bearer(token).send(at).is(201).id()
}

/// A parcel that a post office has kept too long: each `collect` of it fails, and leaves it as it is. The token has the
/// scope `deliveries.write`.
#[track_caller]
pub fn parcel_kept_too_long(at: SocketAddr, user: &str, token: &str, shipment: &str) -> String {
    let body = json!({
        "shipment": { "id": shipment }, "recipient": { "id": user }, "storedUntil": "2026-01-31",
        "postOffice": { "name": "Poznań 5", "address": address() },
    });
    Request::post("/general-deliveries", &body).bearer(token).send(at).is(201).id()
}

/// An entity of each resource, all of one user: its id by the resource's name.
#[track_caller]
pub fn one_of_each(at: SocketAddr, user: &str, token: &str) -> BTreeMap<&'static str, String> {
    let mut market = Market { at, token, ids: BTreeMap::from([("User", user.to_owned())]) };
    let refer = |id: &str| json!({ "id": id });
    let me = refer(user);
    let price = json!({ "amount": "12.50", "currency": "PLN" });
    market.create(
        "ApplicationConfiguration",
        "application-configurations",
        &json!({ "platform": "WEB", "name": "images.limit", "value": "16" }),
    );
    let contest = json!({
        "name": "The oldest toy", "organizer": me, "task": "Show it.", "startingAt": "2099-12-01T00:00:00.000Z",
        "duration": "P30D", "prizes": [{ "place": 1, "name": "A voucher" }],
    });
    market.create("Contest", "contests", &contest);
    market.create("Product", "products", &json!({ "name": "Bicycle", "category": "SPORT" }));
    let offer = refer(&market.create("Offer", "offers", &offer(user, "Bicycle")));
    market.create("Watch", "watches", &json!({ "user": me, "offer": offer }));
    let transaction = json!({ "offer": offer, "buyer": me, "quantity": 1, "totalAmount": price });
    let transaction = refer(&market.create("Transaction", "transactions", &transaction));
    let payment = json!({ "transaction": transaction, "payer": me, "amount": price, "method": "CARD" });
    market.create("Payment", "payments", &payment);
    let recipient = json!({ "name": "Jan", "email": "jan@example.com", "phone": "+48600100200" });
    let shipment = json!({
        "offer": offer, "sender": me, "transaction": transaction, "recipient": recipient, "address": address(),
    });
    let shipment = refer(&market.create("Shipment", "shipments", &shipment));
    let delivery = json!({
        "shipment": shipment, "recipient": me, "postOffice": { "name": "Poznań 5", "address": address() },
        "storedUntil": "2099-12-24",
    });
    market.create("GeneralDelivery", "general-deliveries", &delivery);
    market.ids
}

struct Market<'a> {
    at: SocketAddr,
    token: &'a str,
    ids: BTreeMap<&'static str, String>,
}

impl Market<'_> {
    #[track_caller]
    fn create(&mut self, resource: &'static str, plural: &str, body: &Value) -> String {
        let request = Request::post(&format!("/{plural}"), body).bearer(self.token);
        let id = request.send(self.at).is(201).id();
        self.ids.insert(resource, id.clone());
        id
    }
}
