//! A marketplace under test, and what goes on in it. An entity is known by its path.

use marketplace::commands::Commands;
use marketplace::generated::{Transaction, TransactionDraft};
use reqwest::blocking::Client;
use restwell::testing::{Running, Setup, TestClock};
use restwell::{Caller, Ref, Uuid};
use restwell_testkit::postgres::{self, Database};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";

/// When the tests begin.
pub(crate) const NOON: &str = "2027-03-01T12:00:00.000Z";

/// A running service, whose users read Polish.
pub(crate) struct Market {
    service: Running,
    clock: TestClock,
    client: Client,
    /// Goes after the service that has it open.
    _database: Option<Database>,
}

/// A token is its caller's id, and the scope after a blank: who may believe that, the test says.
pub(crate) fn token(user: &str, scope: &str) -> String {
    format!("{} {scope}", id(user)).trim_end().replace(' ', ".")
}

fn caller(token: &str) -> Option<Caller> {
    let (id, scope) = token.split_once('.').unwrap_or((token, ""));
    let scopes = if scope.is_empty() { Vec::new() } else { vec![scope.to_owned()] };
    Some(Caller::new(id.parse().ok()?).with_scopes(scopes))
}

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A reference to an entity.
pub(crate) fn reference(path: &str) -> Value {
    json!({ "id": id(path) })
}

/// The path of a new command.
pub(crate) fn command_path(entity: &str, command: &str) -> String {
    format!("{entity}/{command}-commands/{}", Uuid::now_v7())
}

/// The body of a purchase.
pub(crate) fn purchase(buyer: &str, offer: &str, quantity: i64) -> Value {
    let reference = |path: &str| id(path).parse::<Uuid>().unwrap();
    let (offer, buyer) = (Ref::to(reference(offer)), Ref::to(reference(buyer)));
    let total_amount = "12.50 PLN".parse().unwrap();
    let message = Some("Is it still there?".to_owned());
    let draft = TransactionDraft { offer, buyer, quantity, total_amount };
    serde_json::to_value(Transaction { message, ..draft.into() }).unwrap()
}

fn price() -> Value {
    json!({ "amount": "12.50", "currency": "PLN" })
}

fn address() -> Value {
    json!({ "city": "Poznań", "countryCode": "PL" })
}

impl Market {
    pub(crate) fn open() -> Self {
        Self::start(Commands::default())
    }

    pub(crate) fn with_carriers(url: &str) -> Self {
        Self::start(Commands::with_carriers(url))
    }

    fn start(commands: Commands) -> Self {
        let clock = TestClock::at(NOON.parse().unwrap());
        let setup = Setup::of(marketplace::service_with(commands)).clock(&clock).authenticator(caller);
        let database = postgres::chosen();
        let setup = match &database {
            Some(database) => setup.database(database.url()),
            None => setup,
        };
        Self { service: setup.start(), clock, client: Client::new(), _database: database }
    }

    pub(crate) fn clock(&self) -> &TestClock {
        &self.clock
    }

    fn send(&self, method: reqwest::Method, token: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let request = self.client.request(method, self.service.url(path));
        let request = request.header("User-Agent", "Tests/1.0").header("Accept", MEDIA_TYPE);
        let request = request.header("Accept-Language", "pl-PL, en;q=0.5");
        let request = if token.is_empty() { request } else { request.bearer_auth(token) };
        let request = match body {
            Some(body) => request.header("Content-Type", MEDIA_TYPE).body(body.to_string()),
            None => request,
        };
        let response = request.send().unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().unwrap()).unwrap_or_default())
    }

    pub(crate) fn post(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        self.send(reqwest::Method::POST, token, path, Some(body))
    }

    pub(crate) fn put(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        self.send(reqwest::Method::PUT, token, path, Some(body))
    }

    /// What anyone sees of an entity.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Value {
        self.get_with("", path)
    }

    /// What a user sees of an entity.
    #[track_caller]
    pub(crate) fn get_as(&self, user: &str, path: &str) -> Value {
        self.get_with(&token(user, ""), path)
    }

    #[track_caller]
    fn get_with(&self, token: &str, path: &str) -> Value {
        let (status, body) = self.send(reqwest::Method::GET, token, path, None);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    #[track_caller]
    fn create(&self, token: &str, collection: &str, body: &Value) -> String {
        let (status, created) = self.post(token, collection, body);
        assert_eq!(status, 201, "{collection}: {created}");
        format!("{collection}/{}", created["id"].as_str().unwrap())
    }

    /// Sends a command of the user's own entity, and waits for its end.
    #[track_caller]
    pub(crate) fn command(&self, user: &str, entity: &str, command: &str, input: &Value) -> Value {
        self.command_as("", user, entity, command, input)
    }

    /// The same with a scope.
    #[track_caller]
    pub(crate) fn command_as(&self, scope: &str, user: &str, entity: &str, command: &str, input: &Value) -> Value {
        let (path, token) = (command_path(entity, command), token(user, scope));
        let (status, sent) = self.put(&token, &path, input);
        assert_eq!((status, &sent["status"]), (201, &json!("RUNNING")), "{path}: {sent}");
        let begun = Instant::now();
        loop {
            let found = self.get_with(&token, &path);
            if found["status"] != "RUNNING" {
                return found;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{found}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub(crate) fn user(&self, name: &str) -> String {
        self.create("", "/users", &json!({ "name": name, "email": format!("{name}@example.com") }))
    }

    #[track_caller]
    pub(crate) fn offer(&self, seller: &str, stock: i64) -> String {
        let body = json!({
            "name": "Bicycle", "seller": reference(seller), "buyNow": price(), "stock": stock, "address": address(),
        });
        self.create(&token(seller, ""), "/offers", &body)
    }

    #[track_caller]
    pub(crate) fn buy(&self, buyer: &str, offer: &str, quantity: i64) -> String {
        self.create(&token(buyer, ""), "/transactions", &purchase(buyer, offer, quantity))
    }

    #[track_caller]
    pub(crate) fn pay(&self, buyer: &str, purchase: &str) -> String {
        let body = json!({ "transaction": reference(purchase), "amount": price(), "method": "CARD" });
        self.create(&token(buyer, ""), "/payments", &body)
    }

    #[track_caller]
    pub(crate) fn contest(&self, holder: &str) -> String {
        let body = json!({
            "name": "The oldest toy", "task": "Show it.", "startingAt": NOON, "duration": "P30D",
            "prizes": [{ "place": 1, "name": "A voucher" }],
        });
        self.create(&token(holder, ""), "/contests", &body)
    }

    #[track_caller]
    pub(crate) fn shipment(&self, sender: &str) -> String {
        let offer = self.offer(sender, 1);
        let recipient = json!({ "name": "Jan", "email": "jan@example.com", "phone": "+48600100200" });
        let body = json!({ "offer": reference(&offer), "recipient": recipient, "address": address() });
        self.create(&token(sender, ""), "/shipments", &body)
    }

    #[track_caller]
    pub(crate) fn general_delivery(&self, sender: &str, recipient: &str, stored_until: &str) -> String {
        let shipment = self.shipment(sender);
        let body = json!({
            "shipment": reference(&shipment), "recipient": reference(recipient), "storedUntil": stored_until,
            "postOffice": { "name": "Poznań 5", "address": address() },
        });
        self.create(&token(sender, "deliveries.write"), "/general-deliveries", &body)
    }
}
