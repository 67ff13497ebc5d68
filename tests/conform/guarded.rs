//! Services in which fields, entities and views depend on who asks and on values: what a run cannot know shows nothing.

use crate::conform::roles::serving;
use crate::conform::services::{is_conforming, run};
use restwell_generator::conform::ConformOptions;

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
}
