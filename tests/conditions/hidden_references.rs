//! References to what a caller must not see, wherever a request can have one, are references to nothing: in objects, in
//! arrays of objects, in inputs of commands, in searches and filters, in patches, on both stores.

use crate::market::{Market, SERVICE, USER, made};
use libtest_mimic::Failed;
use restwell::testing::TestResponse;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const DOCUMENTS: [&str; 6] = [
    SERVICE,
    USER,
    r#"
resource: Offer
owner: seller
visible: [owner, { when: 'status == "ACTIVE"' }]
operations: { create: { access: user }, get: {}, update: { access: user } }
fields:
  name: { type: string, required: true }
  seller: { type: ref, to: User, required: true }
  status: { type: enum, values: [DRAFT, ACTIVE], default: DRAFT, filter: true }
"#,
    "
object: Place
fields:
  offer: { type: ref, to: Offer, show: [name] }
  note: { type: string, maxLength: 20 }
",
    "
object: Part
fields:
  offer: { type: ref, to: Offer, show: [name], required: true }
  place: { type: Place }
",
    "
resource: Parcel
operations:
  create: { access: user }
  list: {}
  get: {}
  update: { access: user }
  patch: { access: user }
commands:
  move:
    access: user
    input:
      place: { type: Place }
      parts: { type: array, items: { type: Part } }
search: true
fields:
  first: { type: ref, to: Offer, show: [name], filter: true }
  place: { type: Place }
  parts: { type: array, items: { type: Part } }
",
];

const MISSING: &str = "018f0000-0000-7000-8000-000000000000";

/// An offer of Ann's.
fn create_offer(market: &Market, status: &str) -> String {
    made(&market.ann(), "/offers", &json!({ "name": "offer", "status": status, "seller": { "id": market.ann } }))
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::with_mocked_commands(&DOCUMENTS, server);
    bodies_cannot_refer_to_it(&market);
    patches_cannot_refer_to_it(&market);
    inputs_cannot_refer_to_it(&market);
    lists_find_the_same(&market);
    conditional_requests_do_not_tell(&market);
    what_is_there_may_stay(&market);
    Ok(())
}

/// Bodies that refer to an offer, and where.
fn bodies(offer: &str) -> [(Value, &'static str); 5] {
    let reference = json!({ "id": offer });
    [
        (json!({ "first": reference }), "first.id"),
        (json!({ "place": { "offer": reference, "note": "x" } }), "place.offer.id"),
        (json!({ "parts": [{ "offer": reference }] }), "parts.0.offer.id"),
        (json!({ "parts": [{ "offer": reference, "place": {} }] }), "parts.0.offer.id"),
        (json!({ "place": { "offer": reference, "note": "x".repeat(30) } }), "place.offer.id"),
    ]
}

/// The status and the errors, without the id that was asked for.
fn said(response: &TestResponse, of: &str) -> (u16, String) {
    (response.status, response.json["errors"].to_string().replace(of, "ID"))
}

fn bodies_cannot_refer_to_it(market: &Market) {
    let (hidden, bob) = (create_offer(market, "DRAFT"), market.bob());
    let own = format!("/parcels/{}", made(&bob, "/parcels", &json!({})));
    for ((of_hidden, at), (of_missing, _)) in bodies(&hidden).into_iter().zip(bodies(MISSING)) {
        for path in ["/parcels", "/parcels?dryRun=true"] {
            let refused = bob.post(path, &of_hidden).is(422);
            assert!(refused.errors().contains(&("NotFound", Some(at))), "{:?}", refused.errors());
            assert_eq!(said(&refused, &hidden), said(&bob.post(path, &of_missing), MISSING));
        }
        for path in [own.clone(), format!("{own}?dryRun=true")] {
            let refused = bob.put(&path, &of_hidden).is(422);
            assert!(refused.errors().contains(&("NotFound", Some(at))), "{:?}", refused.errors());
            assert_eq!(said(&refused, &hidden), said(&bob.put(&path, &of_missing), MISSING));
        }
    }
    let nested = |id: &str| json!({ "parts": [{ "offer": { "id": id }, "place": { "offer": { "id": id } } }] });
    let refused = bob.post("/parcels", nested(&hidden)).is(422);
    let both = [("NotFound", Some("parts.0.offer.id")), ("NotFound", Some("parts.0.place.offer.id"))];
    assert_eq!(refused.errors(), both);
    market.ann().post("/parcels", nested(&hidden)).is(201);
}

fn patches_cannot_refer_to_it(market: &Market) {
    let (hidden, bob) = (create_offer(market, "DRAFT"), market.bob());
    let own = format!("/parcels/{}", made(&bob, "/parcels", &json!({ "parts": [], "place": { "note": "a" } })));
    let patches = |id: &str| {
        [
            json!([{ "op": "replace", "path": "/first", "value": { "id": id } }]),
            json!([{ "op": "replace", "path": "/place/offer", "value": { "id": id } }]),
            json!([{ "op": "add", "path": "/parts/-", "value": { "offer": { "id": id } } }]),
        ]
    };
    for (of_hidden, of_missing) in patches(&hidden).into_iter().zip(patches(MISSING)) {
        for path in [own.clone(), format!("{own}?dryRun=true")] {
            let refused = bob.patch(&path, &of_hidden).is(422);
            assert_eq!(refused.errors()[0].0, "NotFound");
            assert_eq!(said(&refused, &hidden), said(&bob.patch(&path, &of_missing), MISSING));
        }
    }
}

fn inputs_cannot_refer_to_it(market: &Market) {
    let (hidden, shown, bob) = (create_offer(market, "DRAFT"), create_offer(market, "ACTIVE"), market.bob());
    let own = format!("/parcels/{}", made(&bob, "/parcels", &json!({})));
    let command = format!("{own}/move-commands/018f0000-0000-7000-8000-000000000001");
    let input =
        |id: &str| [json!({ "place": { "offer": { "id": id } } }), json!({ "parts": [{ "offer": { "id": id } }] })];
    for (of_hidden, of_missing) in input(&hidden).into_iter().zip(input(MISSING)) {
        for path in [command.clone(), format!("{command}?dryRun=true")] {
            let refused = bob.put(&path, &of_hidden).is(422);
            assert_eq!(refused.errors()[0].0, "NotFound");
            assert_eq!(said(&refused, &hidden), said(&bob.put(&path, &of_missing), MISSING));
        }
    }
    for (number, of_shown) in input(&shown).into_iter().enumerate() {
        bob.put(&format!("{own}/move-commands/018f0000-0000-7000-8000-00000000001{number}"), of_shown).is(201);
    }
}

fn lists_find_the_same(market: &Market) {
    let (hidden, bob) = (create_offer(market, "DRAFT"), market.bob());
    let list = |id: &str| said(&bob.get(&format!("/parcels?first.id={id}")), id);
    assert_eq!(list(&hidden), list(MISSING));
    let search = |id: &str| {
        [json!({ "first": { "id": id } }), json!({ "parts": [{ "offer": { "id": id } }] })].map(|criteria| {
            let made = bob.post("/parcel-searches", criteria);
            let found = match made.json["id"].as_str() {
                Some(search) => said(&bob.get(&format!("/parcels?search.id={search}")), id),
                None => (0, String::new()),
            };
            (said(&made, id), found)
        })
    };
    assert_eq!(search(&hidden), search(MISSING));
}

fn conditional_requests_do_not_tell(market: &Market) {
    let (hidden, bob) = (create_offer(market, "DRAFT"), market.bob());
    let tag = market.ann().get(&format!("/offers/{hidden}")).is(200).headers["etag"].clone();
    let body = json!({ "name": "offer", "seller": { "id": market.bob } });
    for header in ["if-match", "if-none-match"] {
        for value in [tag.as_str(), "*", "\"other\""] {
            let client = market.bob().with_header(header, value);
            let answers = |id: &str| {
                let path = format!("/offers/{id}");
                [client.get(&path), client.put(&path, &body)].map(|response| response.status)
            };
            assert_eq!(answers(&hidden), answers(MISSING), "{header}: {value}");
        }
    }
    bob.get(&format!("/offers/{hidden}")).is(404);
}

/// What an entity refers to already may stay once it is hidden, also at another place of an array.
fn what_is_there_may_stay(market: &Market) {
    let (offer, other, bob) = (create_offer(market, "ACTIVE"), create_offer(market, "ACTIVE"), market.bob());
    let part = |id: &str| json!({ "offer": { "id": id } });
    let body = json!({ "first": { "id": offer }, "place": { "offer": { "id": offer } }, "parts": [part(&offer), part(&other)] });
    let path = format!("/parcels/{}", made(&bob, "/parcels", &body));
    let draft = json!({ "name": "offer", "status": "DRAFT", "seller": { "id": market.ann } });
    market.ann().put(&format!("/offers/{offer}"), draft).is(200);
    let seen: Value = bob.get(&path).is(200).read();
    let nothing = json!({ "id": offer, "name": null });
    assert_eq!([&seen["first"], &seen["place"]["offer"], &seen["parts"][0]["offer"]], [&nothing; 3]);
    bob.put(&path, &seen).is(200);
    let turned = json!({ "first": { "id": offer }, "place": { "offer": { "id": offer } }, "parts": [part(&other), part(&offer)] });
    bob.put(&path, &turned).is(200);
    let refused = bob.patch(&path, json!([{ "op": "replace", "path": "/first", "value": { "id": MISSING } }])).is(422);
    assert_eq!(refused.errors(), [("NotFound", Some("first.id"))]);
}
