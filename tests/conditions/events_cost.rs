//! What it costs to catch up with events that conditions decide on: those that nobody could be shown are not read, and
//! what decides on a page of the others is read at once, on both stores.

use crate::market::{Market, SERVICE, made};
use crate::visible::events_of;
use libtest_mimic::Failed;
use restwell_testkit::http::Request;
use restwell_testkit::postgres::Server;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Offers that are drafts; more than two pages of events.
const OFFERS: usize = 300;
/// Of them, those that Bob watches.
const WATCHED: usize = 5;
/// Events that are of no offer.
const OTHERS: usize = 20;
/// Reads for these events at most: some pages, and what decides on each in a read for each of two conditions.
const READS: u64 = 20;

const OFFER: &str = r#"
resource: Offer
owner: seller
visible:
  - owner
  - { when: 'status == "ACTIVE"' }
  - { when: 'caller != null && (any(Watch.offer, user == caller) || any(Purchase.offer, user == caller))' }
  - { when: 'caller != null && seller.friend == caller' }
operations: { create: { access: anyone }, list: {}, get: { access: anyone }, delete: { access: anyone } }
fields:
  name: { type: string, required: true }
  seller: { type: ref, to: User, required: true }
  status: { type: enum, values: [DRAFT, ACTIVE], default: DRAFT }
"#;

const MEMBER: &str = "
resource: User
operations: { create: { access: anyone }, get: {} }
fields:
  name: { type: string, required: true }
  friend: { type: ref, to: User }
";

const WATCH: &str = "
resource: Watch
operations: { create: { access: anyone }, list: {} }
fields:
  offer: { type: ref, to: Offer, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true }
";

const PURCHASE: &str = "
resource: Purchase
operations: { create: { access: anyone }, list: {} }
fields:
  offer: { type: ref, to: Offer, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true }
";

/// What refers to a vault, and who asks, decides; nothing of the vault does.
const VAULT: &str = "
resource: Vault
visible: [moderator, { when: 'caller != null && any(Key.vault, user == caller)' }]
operations: { create: { access: anyone }, list: {}, get: {} }
fields:
  name: { type: string }
";

const KEY: &str = "
resource: Key
operations: { create: { access: anyone }, list: {} }
fields:
  vault: { type: ref, to: Vault, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true }
";

/// Seen by the staff of the property that its state names.
const STAY: &str = "
resource: Stay
visible: [{ when: 'caller.any(StaffMember.user, property == outer.property)' }]
operations: { create: { access: anyone }, list: {}, get: {} }
fields:
  property: { type: ref, to: Property, required: true }
";

const PROPERTY: &str = "
resource: Property
operations: { create: { access: anyone }, list: {} }
fields:
  name: { type: string, required: true }
";

const STAFF: &str = "
resource: StaffMember
operations: { create: { access: anyone }, list: {} }
fields:
  property: { type: ref, to: Property, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true }
";

/// Read by whom a condition on its state admits.
const TOUR: &str = r#"
resource: Tour
operations: { create: { access: anyone }, get: { access: { when: 'status == "ACTIVE"' } } }
fields:
  status: { type: enum, values: [DRAFT, ACTIVE], default: DRAFT }
"#;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let service = format!("{SERVICE}roles:\n  moderator: '\"offers.admin\" in scopes'\n");
    let market = Market::new(&[&service, MEMBER, OFFER, WATCH, PURCHASE, VAULT, KEY, TOUR], server);
    let offers: Vec<_> = (0..OFFERS).map(|number| offer(&market, &format!("draft-{number}"), "DRAFT")).collect();
    for offer in &offers[..WATCHED] {
        let watch = json!({ "offer": { "id": offer }, "user": { "id": market.bob } });
        made(&market.ann(), "/watches", &watch);
    }
    let vault = |number| made(&market.nobody(), "/vaults", &json!({ "name": format!("gold-{number}") }));
    for _ in 0..OFFERS {
        made(&market.nobody(), "/tours", &json!({}));
    }
    let vaults: Vec<_> = (0..OFFERS).map(vault).collect();
    let key = json!({ "vault": { "id": vaults[OFFERS / 2] }, "user": { "id": market.bob } });
    made(&market.moderator(), "/keys", &key);
    let gone = offer(&market, "gone", "DRAFT");
    market.ann().delete(&format!("/offers/{gone}")).is(204);
    let active = offer(&market, "active", "ACTIVE");
    begin_the_tail(&market);

    let friend = made(&market.nobody(), "/users", &json!({ "name": "friend" }));
    let (seen, read, reads) = caught_up(&market, None, "1");
    assert_eq!(seen, [&*active]);
    assert!(read <= OTHERS as u64, "{read} events were read for a stranger");
    assert!(reads <= READS, "{reads} reads for a stranger");

    let (seen, read, reads) = caught_up(&market, Some((&market.bob, &[])), "2");
    let watched: Vec<_> = offers[..WATCHED].iter().chain([&vaults[OFFERS / 2], &active]).map(String::as_str).collect();
    assert_eq!(seen, watched);
    assert!(read <= (OFFERS + OTHERS) as u64, "{read} events were read for one who may see some");
    assert!(reads <= READS, "{reads} reads for one who may see some");

    let (seen, read, reads) = caught_up(&market, Some((&friend, &["offers.admin"])), "3");
    assert_eq!(seen.len(), OFFERS + 1, "the scope opens the vaults");
    assert!(read <= (2 * OFFERS + OTHERS) as u64 && reads <= READS, "{read} events, {reads} reads");

    let (seen, ..) = caught_up(&market, Some((&market.ann, &[])), "4");
    assert_eq!(seen.len(), OFFERS + 3, "hers, and the end of one");
    drop(market);
    one_question_for_each_event(server);
    Ok(())
}

/// What is asked of the caller's entities differs from event to event: it is asked together all the same.
fn one_question_for_each_event(server: Option<&Server>) {
    let market = Market::new(&[SERVICE, MEMBER, PROPERTY, STAY, STAFF], server);
    let properties: Vec<_> = (0..OFFERS)
        .map(|number| made(&market.nobody(), "/properties", &json!({ "name": format!("p{number}") })))
        .collect();
    let stay = |property: &String| made(&market.nobody(), "/stays", &json!({ "property": { "id": property } }));
    let stays: Vec<_> = properties.iter().map(stay).collect();
    for property in [&properties[1], &properties[OFFERS - 1]] {
        let staff = json!({ "property": { "id": property }, "user": { "id": market.bob } });
        made(&market.nobody(), "/staff-members", &staff);
    }
    begin_the_tail(&market);
    let (seen, read, reads) = caught_up(&market, Some((&market.bob, &[])), "1");
    assert_eq!(seen, [stays[1].as_str(), &stays[OFFERS - 1]]);
    // those of properties are open to all
    assert!(read <= (2 * OFFERS + OTHERS) as u64 && reads <= READS, "{read} events, {reads} reads");
    let (seen, read, reads) = caught_up(&market, None, "2");
    assert!(seen.is_empty() && read <= (OFFERS + OTHERS) as u64 && reads <= READS, "{read} events, {reads} reads");
}

fn offer(market: &Market, name: &str, status: &str) -> String {
    let offer = json!({ "name": name, "status": status, "seller": { "id": market.ann } });
    made(&market.nobody(), "/offers", &offer)
}

/// The offers and vaults whose events a caller is shown, from the first event on; the events that were read for that, and the
/// reads.
fn caught_up(market: &Market, caller: Option<(&str, &[&str])>, until: &str) -> (Vec<String>, u64, u64) {
    let before = counted(market);
    let is_restricted = |kind: &str| [".offer.", ".vault.", ".stay."].iter().any(|of| kind.contains(of));
    let events = events_of(&market.api, caller, until).into_iter().filter(|(kind, ..)| is_restricted(kind));
    let seen = events.map(|(_, subject, _)| subject).collect();
    let after = counted(market);
    println!("{until}: {} events read in {} reads", after[0] - before[0], after[1] - before[1]);
    (seen, after[0] - before[0], after[1] - before[1])
}

fn counted(market: &Market) -> [u64; 2] {
    let page = Request::new("GET", "/metrics").send(market.api.address()).is(200).text();
    ["restwell_events_read_total ", "restwell_event_reads_total "].map(|name| {
        let value = page.lines().find_map(|line| line.strip_prefix(name)?.parse::<f64>().ok());
        value.expect("a counter") as u64
    })
}

/// Has a stream read the newest event, so that what was before is behind the tail that all streams share.
fn begin_the_tail(market: &Market) {
    let mut connection = TcpStream::connect(market.api.address()).expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let head = b"GET /events HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test\r\nAccept: text/event-stream\r\n\r\n";
    connection.write_all(head).expect("a request");
    let mut lines = BufReader::new(connection).lines().map(|line| line.expect("a line"));
    assert!(lines.any(|line| line.starts_with("id: ")), "the stream has begun");
    made(&market.nobody(), "/users", &json!({ "name": "new" }));
    assert!(lines.any(|line| line.starts_with("data: ")), "it goes on");
}
