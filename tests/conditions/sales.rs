//! A lifecycle whose every transition is counted in the entity: what was made, how often, and whether each began where
//! the one before had ended, follows from the entity alone.

use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use serde_json::Value;
use std::collections::HashMap;

/// The environment variable under which the program of these tests is the service, as a process that can be killed.
pub(crate) const SERVED: &str = "RESTWELL_SERVE_SALES";

const SALE: &str = r#"
resource: Sale
operations: { create: { access: anyone }, list: {}, get: {} }
commands:
  publish: { access: anyone }
  pause: { access: anyone }
  resume: { access: anyone }
  end: { access: anyone }
  renew: { access: anyone }
  archive: { access: anyone }
  discard: { access: anyone }
lifecycle:
  field: status
  initial: DRAFT
  final: [ARCHIVED]
  transitions:
    publish: { from: DRAFT, to: ACTIVE, set: { published: published + 1 } }
    pause: { from: ACTIVE, to: PAUSED, set: { paused: paused + 1 } }
    resume: { from: PAUSED, to: ACTIVE, set: { resumed: resumed + 1 } }
    end: { from: ACTIVE, to: ENDED, set: { ended: ended + 1 } }
    renew: { from: ENDED, to: ACTIVE, when: renewed < 1000000, set: { renewed: renewed + 1 } }
    archive: { from: ENDED, to: ARCHIVED, when: isArchivable, set: { archived: archived + 1 } }
    discard: { from: PAUSED, to: DRAFT, set: { discarded: discarded + 1 } }
    expire: { from: ACTIVE, to: ENDED, at: endingAt, set: { expired: expired + 1, expiredAt: now } }
fields:
  status: { type: enum, values: [DRAFT, ACTIVE, PAUSED, ENDED, ARCHIVED], readOnly: true, filter: true }
  endingAt: { type: timestamp, sort: true }
  isArchivable: { type: boolean, default: false }
  published: { type: integer, default: 0, readOnly: true }
  paused: { type: integer, default: 0, readOnly: true }
  resumed: { type: integer, default: 0, readOnly: true }
  ended: { type: integer, default: 0, readOnly: true }
  renewed: { type: integer, default: 0, readOnly: true }
  archived: { type: integer, default: 0, readOnly: true }
  discarded: { type: integer, default: 0, readOnly: true }
  expired: { type: integer, default: 0, readOnly: true }
  expiredAt: { type: timestamp, readOnly: true }
"#;

/// The field that counts a transition, the state that it starts from, and that it leads to.
pub(crate) const WAYS: [(&str, &str, &str, &str); 8] = [
    ("publish", "published", "DRAFT", "ACTIVE"),
    ("pause", "paused", "ACTIVE", "PAUSED"),
    ("resume", "resumed", "PAUSED", "ACTIVE"),
    ("end", "ended", "ACTIVE", "ENDED"),
    ("renew", "renewed", "ENDED", "ACTIVE"),
    ("archive", "archived", "ENDED", "ARCHIVED"),
    ("discard", "discarded", "PAUSED", "DRAFT"),
    ("expire", "expired", "ACTIVE", "ENDED"),
];

const STATES: [&str; 5] = ["DRAFT", "ACTIVE", "PAUSED", "ENDED", "ARCHIVED"];

/// The service.
pub(crate) fn service() -> Builder {
    let files = [File::new("service.yaml", "service: sales\n"), File::new("sale.yaml", SALE)];
    let compiled = compile(&files);
    let (model, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    Builder::interpreted(Interpreted::of(model))
}

/// How often a transition was made.
pub(crate) fn made(sale: &Value, counter: &str) -> i64 {
    sale[counter].as_i64().unwrap_or_else(|| panic!("{counter} of {sale}"))
}

/// The entity has gone from state to state along the declared ways alone: each state was entered as often as it was
/// left, but for the first and the last one.
#[track_caller]
pub(crate) fn assert_on_the_graph(sale: &Value) {
    for state in STATES {
        let entered: i64 =
            WAYS.iter().filter(|(.., to)| *to == state).map(|(_, counter, ..)| made(sale, counter)).sum();
        let left: i64 =
            WAYS.iter().filter(|(.., from, _)| *from == state).map(|(_, counter, ..)| made(sale, counter)).sum();
        let expected = i64::from(sale["status"] == state) - i64::from(state == "DRAFT");
        assert_eq!(entered - left, expected, "{state}: {sale}");
    }
}

/// Entities say of themselves what commands did. Of each command: its entity, its name, and itself at its end.
#[track_caller]
pub(crate) fn assert_left_by(commands: &[(&str, &str, Value)], sales: &[String], get: impl Fn(&str) -> Value) {
    let mut done: HashMap<(&str, &str), i64> = HashMap::new();
    for (sale, name, ended) in commands {
        match ended["status"].as_str() {
            Some("SUCCESSFUL") => *done.entry((sale, name)).or_default() += 1,
            _ => assert_eq!(ended["errors"][0]["code"], "WrongState", "{ended}"),
        }
    }
    let mut transitions = 0;
    for id in sales {
        let sale = get(id);
        assert_on_the_graph(&sale);
        for (name, counter, ..) in WAYS.iter().filter(|(name, ..)| *name != "expire") {
            let expected = done.get(&(id.as_str(), *name)).copied().unwrap_or_default();
            assert_eq!(made(&sale, counter), expected, "{name}: {sale}");
            transitions += expected;
        }
    }
    assert!(transitions > sales.len() as i64, "{transitions} transitions of {} commands", commands.len());
}
