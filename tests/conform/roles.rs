//! Services whose access depends on roles and conditions: what a run cannot know shows nothing, and is no failure.

use crate::conform::services::{is_conforming, model, run, tokens};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Interpreted};
use restwell_generator::conform::{ConformOptions, Outcome, Section, conform};
use restwell_generator::{File, compile};
use serde_json::{Value, json};

/// A hotel: staff by a scope, clerks by a claim, guests by what is theirs.
const HOTEL: [(&str, &str); 3] = [
    (
        "service.yaml",
        "service: hotel
users: Guest
roles:
  staff: '\"hotel.admin\" in scopes'
  clerk: '\"clerk\" in claims.roles && claims.desk == \"front\"'
  night: '!(\"hotel.day\" in scopes) && claims.shift > 3'
",
    ),
    (
        "guest.yaml",
        "resource: Guest
operations:
  create: { access: anyone }
  get: { access: [owner, staff] }
  list: { access: staff }
  delete: { access: staff }
fields:
  name: { type: string, required: true, maxLength: 40 }
",
    ),
    (
        "booking.yaml",
        "resource: Booking
owner: guest
visible: [owner, staff, { when: 'status == \"OPEN\"' }]
operations:
  create: { access: [owner, staff] }
  get: { access: [owner, staff] }
  list: { access: [clerk, staff] }
  patch: { access: clerk }
  update: { access: [{ when: 'status == \"OPEN\" && guest == caller' }] }
  delete: { access: night }
commands:
  confirm: { access: { when: 'stay > 3' } }
  remind: { access: [owner, clerk] }
fields:
  guest: { type: ref, to: Guest, required: true, filter: true }
  stay: { type: integer, required: true, minimum: 1, maximum: 3 }
  status: { type: enum, values: [OPEN, CLOSED], default: OPEN, filter: true }
  history: { type: array, items: { type: string, maxLength: 20 }, maxItems: 3, allow: { plural-array: one history } }
",
    ),
];

fn hotel() -> Running {
    serving(&HOTEL)
}

pub(crate) fn serving(schemas: &[(&str, &str)]) -> Running {
    set_up(schemas).start()
}

/// A service of these schemas, to be started.
pub(crate) fn set_up(schemas: &[(&str, &str)]) -> Setup {
    let files: Vec<_> = schemas.iter().map(|(name, text)| File::new(name, text.as_bytes().to_vec())).collect();
    let compiled = compile(&files);
    let (checked, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let interpreted = Interpreted { mock_commands: true, ..Interpreted::of(checked) };
    Setup::of(Builder::interpreted(interpreted))
}

#[test]
fn a_service_of_roles_and_conditions_conforms() {
    let report = run(&hotel(), &ConformOptions::default());
    is_conforming(&report);
}

/// `GET /model.json` shows the model without `allow`.
#[test]
fn a_model_is_read_whose_exemptions_are_not_shown() {
    let model = model(&hotel());
    let field = model.resource("Booking").and_then(|booking| booking.fields.iter().find(|it| it.name == "history"));
    assert!(field.is_some_and(|field| field.allow.is_empty()));
}

/// What is for sale is seen by everyone; what may be done with it depends on who asks.
const STALL: [(&str, &str); 3] = [
    ("service.yaml", "service: stall\nusers: Guest\nroles:\n  staff: '\"stall.admin\" in scopes'\n"),
    (
        "guest.yaml",
        "resource: Guest\noperations: { create: { access: anyone }, get: { access: owner } }\nfields:\n  name: { type: string }\n",
    ),
    (
        "offer.yaml",
        "resource: Offer
owner: seller
visible: [owner, staff, { when: 'status == \"OPEN\"' }]
operations:
  create: { access: user }
  get:
  list:
  update: { access: { when: 'seller == caller' } }
commands:
  end: { access: { when: 'seller == caller' } }
fields:
  seller: { type: ref, to: Guest, required: true }
  status: { type: enum, values: [OPEN, CLOSED], default: OPEN }
",
    ),
];

/// Without tokens and without changes, too, a run knows what every caller is refused: bad tokens, no tokens
/// where some are needed, ids that are none.
#[test]
fn what_no_condition_decides_is_asked_about() {
    let running = serving(&STALL);
    let guest: Value = running.client().post("/guests", json!({ "name": "Ada" })).is(201).read();
    let id = guest["id"].as_str().expect("an id").parse().expect("a UUID");
    running.client_of(id, &[]).post("/offers", json!({})).is(201);
    let (url, options) = (running.url(""), ConformOptions { is_read_only: true, ..ConformOptions::default() });
    let report = conform(&model(&running), &url, None, &options).expect("it runs");
    is_conforming(&report);
    for title in [
        "GET /offers/{offerId} with text instead of a UUID in lower case",
        "GET /offers/{offerId}/end-commands with upper case instead of a UUID in lower case",
        "GET /offers/{offerId}: as nobody",
        "GET /offers/{offerId}: as bad token",
        "GET /offers/{offerId}: Accept: text/html, bad token",
        "GET /offers/{offerId}/end-commands: of nothing",
    ] {
        let case = report.cases.iter().find(|case| case.title == title).unwrap_or_else(|| panic!("{title}"));
        assert_eq!(case.outcome, Outcome::Passed, "{title}");
    }
}

/// Roles that are made of scopes are held, and the callers who lack them are refused: the run knows both.
#[test]
fn roles_of_scopes_are_asked_about() {
    let report = run(&hotel(), &ConformOptions { sections: vec![Section::Access], ..ConformOptions::default() });
    let of = |title: &str| report.cases.iter().find(|case| case.title == title).map(|case| case.outcome.clone());
    for caller in ["nobody", "user 1", "user 2", "user 2, all scopes", "user 1, all scopes"] {
        assert_eq!(of(&format!("GET /guests: as {caller}")), Some(Outcome::Passed), "{}", report.text());
    }
    let Some(Outcome::NotApplicable(reason)) = of("PATCH /bookings/{bookingId}: as user 1") else {
        panic!("{}", report.text())
    };
    assert_eq!(reason, "access depends on a role or a condition");
}

/// A service whose tokens must have a claim that those of the run lack: a rule takes one value alone.
#[test]
fn a_run_whose_tokens_are_refused_stops_at_once() {
    let users = "service: desk\nusers: { resource: Clerk, subject: externalId, provision: { name: fullName } }\n";
    let clerk = "resource: Clerk
operations:
  list: { access: user }
  create: { access: user }
rules:
  - { check: 'name == \"Ada\"', code: OnlyAda, path: name }
fields:
  externalId: { type: string, required: true, unique: true, maxLength: 100 }
  name: { type: string, required: true, maxLength: 40 }
";
    let running = serving(&[("service.yaml", users), ("clerk.yaml", clerk)]);
    let (url, options) = (running.url(""), ConformOptions::default());
    let report = conform(&model(&running), &url, Some(tokens(&running)), &options).expect("it runs");
    assert_eq!((report.failed().count(), report.requests), (0, 1), "{}", report.text());
    let reason = report.stopped.clone().unwrap_or_default();
    assert!(reason.starts_with("the service refuses the token of user 1, all scopes (subject "), "{reason}");
    let end = "; `provision` makes users of the claims `fullName`, and those of the run do not make one: let the token \
               command print tokens with claims that do, or name two users with `--user`";
    assert!(reason.ends_with(end), "{reason}");
}
