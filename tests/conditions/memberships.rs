//! `any` and `count` of another entity, through HTTP, on both stores: the staff of a property have to do with its
//! bookings, and a count over what refers to the same guest limits new ones.

use crate::market::{Market, SERVICE, USER, made};
use crate::visible::events_of;
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const ROLES: &str = r#"
roles:
  manager: 'caller.any(Membership.user, level == "MANAGER")'
conditions:
  employed: 'caller.count(Membership.user) > 0'
"#;

const PROPERTY: &str = "
resource: Property
operations: { create: { access: anyone }, list: { access: employed }, get: {} }
views: { managed: { operations: { list: { access: manager } } } }
fields:
  name: { type: string, required: true }
";

const MEMBERSHIP: &str = "
resource: Membership
operations: { create: { access: anyone }, delete: { access: anyone } }
fields:
  property: { type: ref, to: Property, required: true }
  user: { type: ref, to: User, required: true }
  level: { type: enum, values: [STAFF, MANAGER], default: STAFF }
";

const BOOKING: &str = r#"
resource: Booking
owner: guest
conditions:
  staff: 'caller.any(Membership.user, property == outer.property)'
visible: [owner, staff]
operations:
  create: { access: user }
  list: {}
  get: {}
  patch: { access: [owner, staff] }
  delete: { access: [{ when: 'property.any(Membership.property, user == caller && level == "MANAGER")' }] }
views:
  theirs: { where: 'staff && guest != caller', operations: { list: {}, get: {} } }
commands:
  close: { access: staff }
lifecycle:
  field: status
  initial: OPEN
  final: CLOSED
  transitions:
    close: { from: OPEN, to: CLOSED, when: 'property.count(Booking.property, status == outer.status && this != outer) > 0' }
rules:
  - check: 'old != null || guest.count(Booking.guest, status == "OPEN") <= 3'
    code: TooManyBookings
    path: guest
fields:
  guest: { type: ref, to: User, required: true }
  property: { type: ref, to: Property, required: true }
  status: { type: enum, values: [OPEN, CLOSED], readOnly: true }
  name: { type: string, required: { when: 'property.count(Booking.property) > 4' } }
  note: { type: string, visible: [staff], writable: [staff] }
  ofGuest: { type: integer, is: 'guest.count(Booking.guest, property == outer.property)' }
"#;

/// Visible to all, so that changes may share a transaction.
const TICKET: &str = "
resource: Ticket
operations: { create: { access: anyone } }
rules:
  - check: 'guest.count(Ticket.guest) <= 3'
    code: TooManyTickets
    path: guest
fields:
  guest: { type: ref, to: User, required: true }
";

const OFFER: &str = "
resource: Offer
operations:
  create: { access: [{ when: 'caller != null && seller == caller && seller.count(Offer.seller) < 2' }] }
fields:
  seller: { type: ref, to: User, required: true }
";

/// Who creates one, and who sets its note, does not follow from the new one.
const DEPUTY: &str = "
resource: Deputy
operations:
  create:
    access: [{ when: 'founding && caller != null || caller.any(Deputy.user, property == outer.property)' }]
fields:
  property: { type: ref, to: Property, required: true }
  user: { type: ref, to: User, required: true }
  founding: { type: boolean }
  note: { type: string, writable: [{ when: 'caller.count(Deputy.user, property == outer.property) > 0' }] }
";

/// Creations that are sent at once, and how often.
const AT_ONCE: usize = 12;
const ROUNDS: usize = 8;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let documents = [&format!("{SERVICE}{ROLES}"), USER, PROPERTY, MEMBERSHIP, BOOKING, TICKET, OFFER, DEPUTY];
    let market = Market::with_mocked_commands(&documents, server);
    let [sea, hill] = ["Sea", "Hill"].map(|name| made(&market.nobody(), "/properties", &json!({ "name": name })));
    let [guest, other] = ["Guest", "Other"].map(|name| made(&market.nobody(), "/users", &json!({ "name": name })));
    let book = |guest: &str, property: &str| {
        let body = json!({ "guest": { "id": guest }, "property": { "id": property } });
        made(&market.as_user(guest), "/bookings", &body)
    };
    let bookings = [book(&guest, &sea), book(&guest, &sea), book(&other, &hill)];
    let of_bob = member(&market, &sea, &market.bob, "STAFF");
    the_caller_alone(&market, &sea);
    staff_see_the_bookings_of_their_property(&market, &guest, &bookings);
    staff_hear_of_them(&market, &guest, &bookings);
    staff_change_them(&market, &guest, &bookings);
    managers_delete_them(&market, &sea, &of_bob, &bookings);
    a_count_limits_creations(&market, &guest, &hill);
    a_count_limits_creations_at_the_same_time(&market, &sea);
    nobody_gives_themselves_a_right(&market, &[sea, hill]);
    Ok(())
}

fn member(market: &Market, property: &str, user: &str, level: &str) -> String {
    let body = json!({ "property": { "id": property }, "user": { "id": user }, "level": level });
    made(&market.nobody(), "/memberships", &body)
}

/// How many entities a list has, all of which are on its page.
fn found(client: &TestClient, path: &str) -> usize {
    let list = client.get(path).is(200).json;
    let entities = path.rsplit('/').next().and_then(|name| list[name].as_array()).expect("entities").len();
    assert_eq!(list["count"], entities);
    entities
}

/// A role and a condition of the service: what refers to the caller is read before the operation.
fn the_caller_alone(market: &Market, sea: &str) {
    let (ann, bob, nobody) = (market.ann(), market.bob(), market.nobody());
    // a condition admits nobody to nothing, and a role is held by callers with credentials
    assert_eq!((found(&ann, "/properties"), found(&bob, "/properties"), found(&nobody, "/properties")), (0, 2, 0));
    nobody.get("/managed/properties").is(401);
    bob.get("/managed/properties").is(403);
    let manager = member(market, sea, &market.bob, "MANAGER");
    assert_eq!(found(&bob, "/managed/properties"), 2);
    nobody.delete(&format!("/memberships/{manager}")).is(204);
    bob.get("/managed/properties").is(403);
}

fn staff_see_the_bookings_of_their_property(market: &Market, guest: &str, [one, two, hill]: &[String; 3]) {
    let (ann, bob, nobody, guest) = (market.ann(), market.bob(), market.nobody(), market.as_user(guest));
    for (client, count) in [(&ann, 0), (&bob, 2), (&nobody, 0), (&guest, 2)] {
        assert_eq!(found(client, "/bookings"), count);
        for id in [one, two] {
            client.get(&format!("/bookings/{id}")).is(if count > 0 { 200 } else { 404 });
        }
        client.get(&format!("/bookings/{hill}")).is(404);
    }
    for (client, count) in [(&ann, 0), (&bob, 2), (&nobody, 0), (&guest, 0)] {
        assert_eq!(found(client, "/theirs/bookings"), count);
    }
    bob.get(&format!("/theirs/bookings/{one}")).is(200);
    guest.get(&format!("/theirs/bookings/{one}")).is(404);
    // a value that is computed from what refers to the same guest
    assert_eq!(bob.get(&format!("/bookings/{one}")).is(200).json["ofGuest"], 2);
}

fn staff_hear_of_them(market: &Market, guest: &str, bookings: &[String; 3]) {
    let heard = |caller: Option<&str>, until: &str| -> Vec<String> {
        let events = events_of(&market.api, caller.map(|id| (id, &[][..])), until).into_iter();
        let of_bookings = events.filter(|(kind, ..)| kind == "market.booking.created");
        of_bookings.map(|(_, subject, _)| subject).collect()
    };
    assert_eq!(heard(Some(&market.bob), "until 1"), bookings[..2]);
    assert_eq!(heard(Some(guest), "until 2"), bookings[..2]);
    assert!(heard(Some(&market.ann), "until 3").is_empty());
    assert!(heard(None, "until 4").is_empty());
}

fn set(path: &str, value: &Value) -> Value {
    json!([{ "op": "replace", "path": path, "value": value }])
}

fn staff_change_them(market: &Market, guest: &str, [one, two, hill]: &[String; 3]) {
    let (bob, guest) = (market.bob(), market.as_user(guest));
    let path = format!("/bookings/{one}");
    bob.patch(&path, set("/note", &json!("late"))).is(200);
    assert_eq!(bob.get(&path).is(200).json["note"], "late");
    assert_eq!(guest.get(&path).is(200).json["note"], Value::Null);
    let refused = guest.patch(&path, json!([{ "op": "add", "path": "/note", "value": "early" }])).is(403);
    assert_eq!(refused.errors(), [("Forbidden", Some("note"))]);
    guest.patch(&path, set("/name", &json!("mine"))).is(200);
    bob.patch(&format!("/bookings/{hill}"), set("/name", &json!("no"))).is(404);
    // a command, whose transition counts the open bookings of the property that are left
    let close = |client: &TestClient, id: &str| {
        client.put(&format!("/bookings/{id}/close-commands/{}", restwell::Uuid::now_v7()), json!({}))
    };
    close(&guest, one).is(403);
    close(&bob, one).is(201);
    bob.get_until(&path, |booking| booking["status"] == "CLOSED");
    let refused = close(&bob, two).is(422);
    assert_eq!(refused.errors(), [("WrongState", Some("status"))]);
}

fn managers_delete_them(market: &Market, sea: &str, of_bob: &str, [one, two, _]: &[String; 3]) {
    let (bob, path) = (market.bob(), format!("/bookings/{one}"));
    bob.delete(&path).is(403);
    let manager = member(market, sea, &market.bob, "MANAGER");
    bob.delete(&path).is(204);
    for id in [of_bob, &manager] {
        market.nobody().delete(&format!("/memberships/{id}")).is(204);
    }
    // who is not one of the staff any more sees nothing
    assert_eq!(found(&bob, "/bookings"), 0);
    bob.get(&format!("/bookings/{two}")).is(404);
    market.nobody().get(&format!("/bookings/{two}")).is(404);
}

fn a_count_limits_creations(market: &Market, guest: &str, hill: &str) {
    // of the guest one booking is left, and a rule counts what the creation leaves
    let body = json!({ "guest": { "id": guest }, "property": { "id": hill } });
    let guest = market.as_user(guest);
    for _ in 0..2 {
        guest.post("/bookings", &body).is(201);
    }
    let refused = guest.post("/bookings", &body).is(422);
    assert_eq!(refused.errors(), [("TooManyBookings", Some("guest"))]);
    // of this property are three bookings: the fifth has to have a name
    let (bob, own) = (market.bob(), json!({ "guest": { "id": market.bob }, "property": { "id": hill } }));
    bob.post("/bookings", &own).is(201);
    assert_eq!(bob.post("/bookings", &own).is(422).errors(), [("Required", Some("name"))]);
    let named = json!({ "guest": { "id": market.bob }, "property": { "id": hill }, "name": "Bob" });
    bob.post("/bookings", &named).is(201);
    // access to a creation counts what was there before
    let offer = json!({ "seller": { "id": market.ann } });
    market.nobody().post("/offers", &offer).is(401);
    for _ in 0..2 {
        market.ann().post("/offers", &offer).is(201);
    }
    market.ann().post("/offers", &offer).is(403);
    market.bob().post("/offers", &offer).is(403);
}

fn nobody_gives_themselves_a_right(market: &Market, [sea, hill]: &[String; 2]) {
    let (ann, bob) = (market.ann(), market.bob());
    let body = |property: &str, user: &str| json!({ "property": { "id": property }, "user": { "id": user } });
    let with = |mut body: Value, name: &str, value: Value| {
        body[name] = value;
        body
    };
    ann.post("/deputies", body(sea, &market.ann)).is(403);
    let first = with(body(sea, &market.ann), "founding", json!(true));
    let refused = ann.post("/deputies", with(first.clone(), "note", json!("mine"))).is(403);
    assert_eq!(refused.errors(), [("Forbidden", Some("note"))]);
    ann.post("/deputies", &first).is(201);
    ann.post("/deputies", with(body(sea, &market.bob), "note", json!("mine"))).is(201);
    bob.post("/deputies", body(hill, &market.bob)).is(403);
}

/// Of creations that are sent at once, no more are made than the rule lets through.
fn a_count_limits_creations_at_the_same_time(market: &Market, sea: &str) {
    for (round, path) in (0..ROUNDS).flat_map(|round| ["/bookings", "/tickets"].map(|path| (round, path))) {
        let guest = made(&market.nobody(), "/users", &json!({ "name": format!("Busy {round}") }));
        let mut body = json!({ "guest": { "id": guest } });
        if path == "/bookings" {
            body = json!({ "guest": { "id": guest }, "property": { "id": sea }, "name": "Busy" });
        }
        let clients: Vec<_> = (0..AT_ONCE).map(|_| market.as_user(&guest)).collect();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let sent = clients.iter().map(|client| scope.spawn(|| client.post(path, &body).status));
            let sent: Vec<_> = sent.collect();
            sent.into_iter().map(|it| it.join().expect("an answer")).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 3, "{path}: {statuses:?}");
        assert!(statuses.iter().all(|status| matches!(status, 201 | 422)), "{path}: {statuses:?}");
    }
}
