//! Services in which fields, entities and views depend on who asks and on values: what a run cannot know shows nothing.

use crate::conform::roles::{serving, set_up};
use crate::conform::services::{is_conforming, run};
use restwell_generator::conform::{ConformOptions, ConformReport, Outcome, Remaining};

/// An inn: what only owners see and set, what a value makes required, what conditions hide, maps, computed values.
const INN: [(&str, &str); 6] = [
    (
        "service.yaml",
        "service: inn
users: Guest
roles:
  admin: '\"admin\" in scopes'
",
    ),
    (
        "guest.yaml",
        "resource: Guest
owner: id
operations: { create: { access: anyone }, list: , get: , update: { access: owner }, patch: { access: owner } }
fields:
  name: { type: string, required: true, maxLength: 40 }
  bornOn: { type: date, visible: [owner] }
  email: { type: string, maxLength: 40, visible: [owner], writable: anyone }
",
    ),
    (
        "membership.yaml",
        "resource: Membership
operations: { create: { access: admin }, list: { access: user }, get: { access: user } }
fields:
  duty: { type: enum, values: [MANAGER, CLEANER], required: true }
  endingOn: { type: date, required: { when: 'duty == \"CLEANER\"' } }
",
    ),
    (
        "property.yaml",
        "resource: Property
owner: host
visible: [owner, admin, { when: 'status == \"PUBLISHED\"' }]
operations: { create: { access: user }, list: { access: anyone }, get: { access: anyone } }
views:
  published: { path: /published-properties, where: 'status == \"PUBLISHED\"', operations: [list, get] }
commands: { publish: { access: owner } }
lifecycle:
  field: status
  initial: DRAFT
  final: [PUBLISHED]
  transitions: { publish: { from: DRAFT, to: PUBLISHED, when: 'count(Room.property) >= 1' } }
fields:
  host: { type: ref, to: Guest, required: true, immutable: true, filter: true }
  status: { type: enum, values: [DRAFT, PUBLISHED], readOnly: true, filter: true }
",
    ),
    (
        "room.yaml",
        "resource: Room
under: [property]
operations: { create: { access: user }, list: { access: anyone }, get: { access: anyone } }
views:
  small: { path: /small-rooms, where: 'size < 2', operations: [list, get] }
fields:
  property: { type: ref, to: Property, required: true, immutable: true, filter: true }
  size: { type: integer, required: true, minimum: 1, maximum: 9, filter: true }
",
    ),
    (
        "review.yaml",
        "resource: Review
owner: author
operations:
  create: { access: user }
  list: {}
  get: {}
  update: { access: user }
  patch: { access: user }
fields:
  author: { type: ref, to: Guest, required: true, immutable: true, filter: true }
  property: { type: ref, to: Property, required: true }
  reply: { type: string, maxLength: 40, writable: [{ when: 'property.host == caller' }] }
  labels: { type: map, values: { type: string, maxLength: 10 } }
  stayedOn: { type: date, required: true }
  age: { type: integer, is: 'days(stayedOn, today(\"Europe/Warsaw\"))' }
",
    ),
];

#[test]
fn a_service_of_guarded_fields_and_hidden_entities_conforms() {
    let report = run(&serving(&INN), &ConformOptions::default());
    is_conforming(&report);
    have_passed(&report, &["PUT /properties/{propertyId}/publish-commands/{commandId}"]);
}

/// A house: what users are decides what they may do, values decide what may be done with a stay, and when.
const HOUSE: [(&str, &str); 4] = [
    ("service.yaml", "service: house\nusers: Person\nroles:\n  manager: 'caller.role == \"MANAGER\"'\n"),
    (
        "person.yaml",
        "resource: Person
plural: people
operations: { create: { access: anyone }, list: { access: anyone }, get: { access: anyone } }
fields:
  name: { type: string, required: true, maxLength: 40 }
  role: { type: enum, values: [GUEST, COOK, MANAGER] }
",
    ),
    (
        "help.yaml",
        "resource: Help
operations: { create: { access: user }, list: { access: anyone } }
fields:
  helper: { type: ref, to: Person, required: true }
  helped: { type: ref, to: Person, required: true, filter: true }
",
    ),
    (
        "stay.yaml",
        "resource: Stay
owner: guest
operations:
  create: { access: user }
  list: { access: anyone }
  get: { access: anyone }
  delete: { access: [manager, { when: 'guest == caller || length > 400' }] }
rules:
  - { check: 'endingOn == startingOn + duration(\"P2D\")', code: TwoDays, path: endingOn }
commands:
  confirm: { access: manager }
  begin: { access: owner }
  close: { access: owner }
  extend: { access: { when: 'length > 7 && endingOn > today(\"Europe/Warsaw\")' } }
  clean: { access: { when: 'guest.any(Help.helped, helper == caller)' } }
  visit: { access: { when: 'caller != null && guest != caller' } }
lifecycle:
  field: status
  initial: ASKED
  final: [CLOSED]
  transitions:
    confirm: { from: ASKED, to: CONFIRMED, when: 'length in [3, 14] && size(label) > 12' }
    begin: { from: CONFIRMED, to: BEGUN }
    close: { from: BEGUN, to: CLOSED }
fields:
  guest: { type: ref, to: Person, required: true, immutable: true, filter: true }
  length: { type: integer, required: true, minimum: 1, maximum: 365 }
  startingOn: { type: date, required: true }
  endingOn: { type: date, required: true }
  label: { type: string, maxLength: 40 }
  status: { type: enum, values: [ASKED, CONFIRMED, BEGUN, CLOSED], readOnly: true, filter: true }
",
    ),
];

#[track_caller]
fn have_passed(report: &ConformReport, titles: &[&str]) {
    for title in titles {
        let case = report.cases.iter().find(|case| case.title == *title).unwrap_or_else(|| panic!("{title}"));
        assert_eq!(case.outcome, Outcome::Passed, "{title}\n{}", report.text());
    }
}

/// Entities and callers that meet a command's conditions are found, and states that it needs are reached.
#[test]
fn commands_behind_conditions_are_asked_about() {
    let report = run(&serving(&HOUSE), &ConformOptions::default());
    is_conforming(&report);
    let of = |command: &str| format!("PUT /stays/{{stayId}}/{command}-commands/{{commandId}}");
    for command in ["confirm", "begin", "close", "extend", "clean", "visit"] {
        let path = of(command);
        let titles = ["", " again", ", then GET", " of another entity", " with a wrong id", " without a body"];
        have_passed(&report, &titles.map(|end| format!("{path}{end}")).each_ref().map(String::as_str));
    }
    let is_refused = |it: &Remaining| it.path.starts_with("/stays/") && it.reason.starts_with("DELETE");
    assert!(!report.remains.iter().any(is_refused), "{}", report.text());
}

/// A lodge: what an entity refers to has to belong together, and one day has to be after another.
const LODGE: [(&str, &str); 6] = [
    ("service.yaml", "service: lodge\n"),
    (
        "property.yaml",
        "resource: Property
allow: { open-writes: a test }
fields:
  name: { type: string, required: true, maxLength: 40 }
",
    ),
    (
        "room.yaml",
        "resource: Room
allow: { open-writes: a test }
fields:
  property: { type: ref, to: Property, required: true }
",
    ),
    (
        "rate.yaml",
        "resource: Rate
allow: { open-writes: a test }
fields:
  room: { type: ref, to: Room, required: true }
",
    ),
    (
        "closure.yaml",
        "resource: Closure
allow: { open-writes: a test }
rules:
  - { check: 'days(fromDate, toDate) >= 1', code: ClosureTooShort, path: toDate }
commands: { end: { access: anyone } }
fields:
  fromDate: { type: date, required: true }
  toDate: { type: date, required: true }
",
    ),
    (
        "booking.yaml",
        "resource: Booking
allow: { open-writes: a test }
rules:
  - { check: 'room.property == property', code: RoomElsewhere, path: room }
  - { check: 'rate.room == room', code: RateOfOtherRoom, path: rate }
commands: { confirm: { access: anyone } }
lifecycle:
  field: status
  initial: NEW
  final: [DONE]
  transitions: { confirm: { from: NEW, to: DONE } }
fields:
  property: { type: ref, to: Property, required: true }
  room: { type: ref, to: Room, required: true }
  rate: { type: ref, to: Rate, required: true }
  status: { type: enum, values: [NEW, DONE], readOnly: true }
",
    ),
];

/// Entities that keep rules about what they refer to are found among what the run has created.
#[test]
fn commands_of_entities_behind_rules_are_asked_about() {
    let report = run(&serving(&LODGE), &ConformOptions::default());
    is_conforming(&report);
    for path in ["/bookings/{bookingId}/confirm", "/closures/{closureId}/end"] {
        let path = format!("PUT {path}-commands/{{commandId}}");
        let titles = ["", " again", ", then GET", " of another entity", " with a wrong id", " without a body"];
        have_passed(&report, &titles.map(|end| format!("{path}{end}")).each_ref().map(String::as_str));
    }
    have_passed(&report, &["POST /bookings", "POST /bookings: more entities", "POST /closures: more entities"]);
}

/// Items that nobody can create over HTTP: what is there may belong to somebody else than the run's callers.
const KEPT: [(&str, &str); 3] = [
    ("service.yaml", "service: tiny\nusers: Person\n"),
    (
        "person.yaml",
        "resource: Person
plural: people
operations: { create: { access: anyone }, list: { access: anyone }, get: { access: anyone } }
fields:
  name: { type: string, required: true }
",
    ),
    (
        "item.yaml",
        "resource: Item
owner: keeper
operations: { list: { access: user }, get: { access: user } }
views:
  mine: { operations: { list: { access: owner }, get: { access: owner } } }
fields:
  name: { type: string, required: true, filter: true }
  keeper: { type: ref, to: Person, required: true, filter: true }
",
    ),
];
/// A person, and an item of theirs.
const OF_SOMEBODY: &str = r#"[
    { "resource": "people", "id": "01a228a2-a755-71c6-8c03-4ee701689bec", "body": { "name": "Ida" } },
    { "resource": "items", "body": { "name": "Lamp", "keeper": { "id": "01a228a2-a755-71c6-8c03-4ee701689bec" } } }
]"#;

#[test]
fn what_a_list_shows_may_be_refused_in_a_view_of_its_owner() {
    let running = set_up(&KEPT).data(OF_SOMEBODY).start();
    let report = run(&running, &ConformOptions::default());
    is_conforming(&report);
    have_passed(&report, &["GET /items/{itemId}: ETag"]);
}
