//! Services that make their users of claims: the tokens of a run have those that make its two users.

use crate::conform::roles::serving;
use crate::conform::services::{is_conforming, model, run, tokens};
use restwell_generator::conform::{ConformOptions, Outcome, conform};

/// Users are seen by all, or by themselves alone.
fn club(list: &str) -> [(&'static str, String); 3] {
    let users = "service: club
users: { resource: Member, subject: externalId, provision: { name: name, email: contact.email, bornOn: birthdate } }
roles:
  keeper: '\"keeper\" in claims.contact.roles'
";
    let member = format!(
        "resource: Member
owner: id
operations: {{ {list} get: {{ access: owner }}, patch: {{ access: owner }} }}
fields:
  externalId: {{ type: string, maxLength: 255, readOnly: true, unique: true }}
  name: {{ type: string, required: true, maxLength: 40 }}
  email: {{ type: string, format: email, unique: true, required: true }}
  bornOn: {{ type: date }}
"
    );
    let locker = "resource: Locker
owner: member
operations:
  create: { access: user }
  list: { access: user }
  get: { access: owner }
  patch: { access: [owner, keeper] }
fields:
  member: { type: ref, to: Member, required: true, immutable: true, filter: true }
  label: { type: string, maxLength: 20 }
";
    [("service.yaml", users.to_owned()), ("member.yaml", member), ("locker.yaml", locker.to_owned())]
}

fn conforms(list: &str, passed: &[&str]) {
    let documents = club(list);
    let running = serving(&documents.each_ref().map(|(name, text)| (*name, text.as_str())));
    let report = run(&running, &ConformOptions::default());
    is_conforming(&report);
    for title in passed {
        let case = report.cases.iter().find(|case| case.title == *title).unwrap_or_else(|| panic!("{title}"));
        assert_eq!(case.outcome, Outcome::Passed, "{title}\n{}", report.text());
    }
}

#[test]
fn users_that_tokens_make_are_found_in_a_list() {
    conforms(
        "list: { access: user },",
        &[
            "Member: the users of tokens",
            "GET /members/{memberId}: as user 1",
            "GET /members/{memberId}: as user 2",
            "GET /lockers/{lockerId}: as user 2",
            "POST /lockers",
        ],
    );
}

/// Then what they own says who they are.
#[test]
fn users_that_no_list_shows_are_known_by_what_they_own() {
    conforms("", &["POST /lockers", "GET /lockers/{lockerId}: as user 1", "PATCH /lockers/{lockerId}: replace"]);
}

/// A run that is read-only makes no users.
#[test]
fn a_run_that_is_read_only_says_what_its_tokens_lack() {
    let documents = club("list: { access: user },");
    let running = serving(&documents.each_ref().map(|(name, text)| (*name, text.as_str())));
    let (url, options) = (running.url(""), ConformOptions { is_read_only: true, ..ConformOptions::default() });
    let report = conform(&model(&running), &url, Some(tokens(&running)), &options).expect("it runs");
    let reason = report.stopped.clone().unwrap_or_default();
    assert!(
        reason.contains("`birthdate`, `contact.email`, `name`, which a run that is read-only does not send"),
        "{reason}"
    );
    assert_eq!((report.requests, report.failed().count()), (1, 0), "{}", report.text());
}
