//! Who hears of events: whoever may read what they are about, also by a role or a condition, on both stores.

use crate::market::{Market, SERVICE, USER, made};
use crate::visible::events_of;
use libtest_mimic::Failed;
use restwell_testkit::postgres::Server;
use serde_json::json;

const ROLES: &str = r#"
roles:
  staff: '"hotel.admin" in scopes'
  ann: 'caller.name == "Ann"'
  clerk: '"clerk" in claims.roles'
"#;

/// Read by the owner, by the staff, by Ann, and once it is open by the guest who wrote the note.
const BOOKING: &str = r#"
resource: Booking
owner: guest
operations:
  create: { access: anyone }
  get: { access: [owner, staff, ann, { when: 'status == "OPEN" && note == "public"' }] }
  patch: { access: anyone }
  delete: { access: anyone }
commands:
  confirm: { access: [staff, ann] }
fields:
  guest: { type: ref, to: User, required: true }
  note: { type: string, maxLength: 20 }
  status: { type: enum, values: [DRAFT, OPEN], default: DRAFT }
"#;

/// Read by clerks alone, whom a claim makes.
const BILL: &str = "
resource: Bill
operations: { create: { access: anyone }, get: { access: clerk } }
fields:
  name: { type: string }
";

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::with_mocked_commands(&[&format!("{SERVICE}{ROLES}"), USER, BOOKING, BILL], server);
    let third = made(&market.nobody(), "/users", &json!({ "name": "Eve" }));
    let booking =
        |note: &str| made(&market.nobody(), "/bookings", &json!({ "guest": { "id": market.bob }, "note": note }));
    let ids = [booking("public"), booking("secret")];
    made(&market.nobody(), "/bills", &json!({ "name": "one" }));
    let open = json!([{ "op": "replace", "path": "/status", "value": "OPEN" }]);
    for id in &ids {
        market.nobody().patch(&format!("/bookings/{id}"), &open).is(200);
    }
    let command = format!("/bookings/{}/confirm-commands/{}", ids[0], restwell::Uuid::now_v7());
    market.ann().put(&command, json!({})).is(201);
    market.nobody().delete(&format!("/bookings/{}", ids[1])).is(204);

    // what callers who are not the owner hear of the two: the kind, and which one
    let heard = |caller: Option<(&str, &[&str])>, until: &str| -> Vec<String> {
        let events = events_of(&market.api, caller, until).into_iter();
        let of = |subject: &str| ids.iter().position(|id| id == subject);
        let events = events.filter_map(|(kind, subject, _)| Some(format!("{kind} {}", of(&subject)?)));
        // a command ends when it does
        events.filter(|event| !event.contains("confirm")).collect()
    };
    let all = ["created 0", "created 1", "updated 0", "updated 1", "deleted 1"];
    let all = all.map(|event| format!("market.booking.{event}"));
    let opened = [all[2].clone()];
    assert_eq!(heard(Some((&market.bob, &[])), "1"), all, "the owner");
    assert_eq!(heard(Some((&third, &["hotel.admin"])), "2"), all, "a role of scopes");
    assert_eq!(heard(Some((&market.ann, &[])), "3"), all, "a role of the caller's user");
    assert_eq!(heard(Some((&third, &[])), "4"), opened, "a condition on the state");
    assert_eq!(heard(None, "5"), opened, "the same without credentials");

    // commands have no state: roles alone decide
    let commands = |caller: (&str, &[&str]), until: &str| {
        let events = events_of(&market.api, Some(caller), until);
        events.iter().filter(|(kind, ..)| kind.contains("confirm")).count()
    };
    assert!(commands((&market.ann, &[]), "6") > 0);
    assert_eq!(commands((&market.bob, &[]), "7"), 0);
    // a role that the caller does not have opens nothing
    let bills = |caller: (&str, &[&str]), until: &str| {
        events_of(&market.api, Some(caller), until).iter().filter(|(kind, ..)| kind.contains("bill")).count()
    };
    assert_eq!(bills((&third, &["hotel.admin"]), "8"), 0);
    Ok(())
}
