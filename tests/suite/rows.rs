//! The tables of the conventions' sections 4, 7 and 9, and the order of checks, row by row, each with the cases that show it.
//! A row without a case, or with one that is not there any more, fails.

use crate::cases;
use restwell_model::Checked;
use restwell_model::api::Api;
use std::collections::{BTreeSet, HashSet};

/// A row, and the titles of its cases.
type Row = (&'static str, &'static [&'static str]);

const ROWS: &[Row] = &[
    // §4.1, required request headers
    ("§4.1 User-Agent", &["§4.1 a missing or blank User-Agent is 400"]),
    (
        "§4.1 Accept",
        &["§4.1 a missing or incorrect Accept is 406 on GET and PUT", "§4.1 PATCH needs Accept and Content-Type"],
    ),
    ("§4.1 Content-Type", &["§4.1 an incorrect Content-Type is 415", "§4.1 PATCH needs Accept and Content-Type"]),
    ("§4.1 Accept-Language", &["§4.9 en-* gives English, pl-PL Polish, anything else en-US"]),
    ("§4.1 Accept-Encoding", &["§4.10 Accept-Encoding: gzip gives gzip, errors included"]),
    // §4.2, collection and entity operations
    ("§4.2 POST on a collection", &["§4.2 POST creates: 201 with Location"]),
    ("§4.2 GET on a collection, and on an entity", &["§4.2 GET answers the collection and the entity"]),
    ("§4.2 PUT on an entity", &["§4.2 PUT updates: 200 with the entity"]),
    (
        "§4.2 DELETE on an entity",
        &["§4.2 DELETE: 204 with an empty body, and it is gone", "§4.2 DELETE needs no Accept"],
    ),
    (
        "§4.2 PUT or DELETE on a collection, POST on an entity",
        &["§4.2 PUT and DELETE on a collection, POST on an entity: 405"],
    ),
    ("§4.2 a method that is not available", &["§4.2 a method that a resource has not: 405 with Allow"]),
    ("§4.2 PATCH", &["§4.2 PATCH answers 200 with the entity, each operation done"]),
    // §4.3, dry runs
    (
        "§4.3 dryRun=true",
        &[
            "§4.3 a dry run of a valid body answers 204 and creates nothing",
            "§4.3 a dry run of an invalid body answers as the creation would",
        ],
    ),
    ("§4.3 include", &["§4.3 include looks at the listed fields only"]),
    // §4.4, filtering
    ("§4.4.1", &["§4.4.1 equality, for every filterable type", "§4.4.1 only documented fields: UnknownParameter"]),
    ("§4.4.2 the parameter refers to the entity directly", &["§4.4.1 equality, for every filterable type"]),
    ("§4.4.3", &["§4.4.3 a nested field is addressed with a dot"]),
    ("§4.4.4", &["§4.4.4 ranges are suffixes, for every ordered type"]),
    ("§4.4.5", &["§4.4.5 repeats of a parameter: any of them"]),
    // §4.5, searches
    ("§4.5 POST and GET of a search", &["§4.5 POST answers the whole search, GET the same"]),
    ("§4.5 a list with search.id", &["§4.5 a list by a search, sorted and paged"]),
    ("§4.5 filters cannot be overridden", &["§4.5 filters beside a search are refused"]),
    // §4.6, sorting and paging
    ("§4.6 sort", &["§4.6 sort by several fields, - means descending", "§4.6 sort, for every sortable type"]),
    ("§4.6 offset, limit", &["§4.6 offset and limit"]),
    // §4.7, commands
    (
        "§4.7 PUT",
        &[
            "§4.7 PUT answers 201 with the command, RUNNING, and its Location",
            "§3 the same command sent again is done once",
        ],
    ),
    (
        "§4.7 GET",
        &[
            "§3 a command that is done is SUCCESSFUL, with its output",
            "§3 a command that fails is FAILED, with errors, and does nothing",
        ],
    ),
    // §4.8, successes
    (
        "§4.8 200",
        &[
            "§4.2 GET answers the collection and the entity",
            "§4.2 PUT updates: 200 with the entity",
            "§4.2 PATCH answers 200 with the entity, each operation done",
        ],
    ),
    (
        "§4.8 201",
        &["§4.2 POST creates: 201 with Location", "§4.7 PUT answers 201 with the command, RUNNING, and its Location"],
    ),
    (
        "§4.8 202",
        &[
            "§4.8 what is accepted is 202, without a body, with the Location of what will be",
            "§4.8 what was accepted is done: created, replaced, deleted",
            "Asynchronous operations: PATCH",
        ],
    ),
    (
        "§4.8 204",
        &[
            "§4.2 DELETE: 204 with an empty body, and it is gone",
            "§4.3 a dry run of a valid body answers 204 and creates nothing",
        ],
    ),
    ("§4.8 304", &["§4.8 If-None-Match answers 304"]),
    // §4.9, languages
    (
        "§4.9 messages, errors included; en-* and pl-PL; otherwise en-US",
        &[
            "§4.9 en-* gives English, pl-PL Polish, anything else en-US",
            "§4.9 several Accept-Language headers are one list",
        ],
    ),
    // §4.10, compression
    (
        "§4.10 Accept-Encoding: gzip",
        &[
            "§4.10 Accept-Encoding: gzip gives gzip, errors included",
            "§4.10 without it, or with q=0, nothing is compressed",
        ],
    ),
    // §5, authentication
    ("§5 401 and 403", &["§5 an operation that needs credentials is 401 without", "§5 another's entity is 403"]),
    ("§5 /sale/", &["§5 /sale/ needs credentials and shows the caller's own"]),
    // §7.1, error objects
    ("§7.1 errors", &["§7.1 every error has its five keys, with any status"]),
    (
        "§7.1 message, userMessage",
        &[
            "§7.1 message is English for developers, userMessage for users in their language",
            "§7.1 with any status, the user gets a message in Polish",
        ],
    ),
    ("§7.1 code", &["§7.1 all faults at once, in the model's order"]),
    (
        "§7.1 details",
        &["§7.1 a broken length has the limit in details", "§7.1 a broken bound has the limit in details"],
    ),
    (
        "§7.1 path",
        &["§7.1 a fault in an object has a dotted path", "§7.1 faults of items have their index in the path"],
    ),
    // §7.2, failures
    ("§7.2 400", &["§7.2 a body that does not parse is 400", "§4.1 a missing or blank User-Agent is 400"]),
    ("§7.2 401", &["§5 an operation that needs credentials is 401 without"]),
    ("§7.2 403", &["§5 another's entity is 403", "§7.2 a rule refuses with 403, 404 or 409, with its own code"]),
    ("§7.2 404", &["§4.2 GET answers the collection and the entity", "Ids: a path without an operation is 404"]),
    ("§7.2 405", &["§4.2 a method that a resource has not: 405 with Allow"]),
    ("§7.2 406", &["§4.1 a missing or incorrect Accept is 406 on GET and PUT"]),
    ("§7.2 410", &["§7.2 a retired version is 410"]),
    ("§7.2 414", &["§7.2 a URI that is too long is 414"]),
    ("§7.2 415", &["§4.1 an incorrect Content-Type is 415"]),
    ("§7.2 422", &["§7.1 all faults at once, in the model's order"]),
    ("§7.2 429", &["§8 past the quota: 429 with Retry-After and RateLimit"]),
    ("§7.2 500", &["§7.2 any unexpected error is 500, without its reason"]),
    ("§7.2 501", &["§7.2 what is announced and not ready is 501"]),
    ("§7.2 502", &["§7.2 what another service fails to do is 502, what it is late with 504"]),
    (
        "§7.2 503",
        &[
            "§7.2 who cannot tell whether credentials are good answers 503",
            "§8 one connection too many gets 503, and the next is served when there is room",
        ],
    ),
    (
        "§7.2 504",
        &[
            "§7.2 what another service fails to do is 502, what it is late with 504",
            "§7.2 a request that takes too long is 504",
        ],
    ),
    // §9, versions
    ("§9.1 the media type", &["§9.3 a response carries its version in Content-Type"]),
    (
        "§9.2 GET by Accept, POST by Content-Type, PUT by both, DELETE by none",
        &[
            "§4.1 a missing or incorrect Accept is 406 on GET and PUT",
            "Accept: on POST the version of Content-Type answers where it is missing",
            "§4.2 DELETE needs no Accept",
            "§9.2 a version is a choice of fields",
        ],
    ),
    ("§9.3 Content-Type of responses", &["§9.3 a response carries its version in Content-Type"]),
    ("§9.4 public v1 alone", &["§9.4 no public version but v1 is served"]),
    (
        "§9.5 betas",
        &["§9.2 a version is a choice of fields", "Accept: of several equal versions public answers before beta"],
    ),
    ("§9.6 searches", &["§9.6 a search in another version shows the criteria that version has"]),
    // what the conventions leave open, and the decisions say
    ("409 of a rule", &["§7.2 a rule refuses with 403, 404 or 409, with its own code"]),
    (
        "431 of a head",
        &[
            "§8 a head with too many bytes or headers is 431 with errors",
            "§8 a head with too many bytes is 431 however it arrives",
        ],
    ),
    // the decision "Order of checks", two neighbours at a time
    ("414 before 400 of User-Agent", &["Order of checks: URI length before User-Agent"]),
    ("400 of User-Agent before 429", &["Order of checks: 429 after User-Agent, before the path"]),
    ("429 before 404 of the path", &["Order of checks: 429 after User-Agent, before the path"]),
    ("404 of the path, 405, 406, 415", &["Order of checks: path, method, Accept, Content-Type"]),
    ("415, 401, 400 of the body", &["Order of checks: Content-Type, credentials, body"]),
    ("413", &["Order of checks: a body that is too large is 413"]),
    ("400 of the body, 404 of the entity, 403, 422", &["Order of checks: body, target, authorization, validation"]),
    (
        "404, 403, 501, 422",
        &["Commands: target 404, 403, 501, then 422", "Order of checks: not ready before validation"],
    ),
    ("422, 412, StillReferenced", &["Order of checks: validation, If-Match, StillReferenced"]),
    ("bad credentials", &["Order of checks: bad credentials are 401 everywhere"]),
];

/// All rows have their cases, no two cases have one title, and there is a row for each status and each required header
/// that the interface of the service has.
pub(crate) fn check() -> Result<(), String> {
    let mut titles = HashSet::new();
    if let Some((title, _)) = cases::all().find(|(title, _)| !titles.insert(*title)) {
        return Err(format!("two cases are called {title:?}"));
    }
    let missing = |(row, named): &Row| {
        let gone = named.iter().find(|title| !titles.contains(**title));
        gone.map(|title| format!("{row}: there is no case {title:?}"))
    };
    let missing: Vec<_> = ROWS.iter().filter_map(missing).chain(without_row()).collect();
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

/// What the interface has and no row names.
fn without_row() -> Vec<String> {
    let model = restwell_tests::generated_service().model().expect("of one piece");
    let model = Checked::new(model).expect("no mistake");
    let api = Api::of(&model);
    let words =
        ROWS.iter().flat_map(|(row, _)| row.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-'));
    let words: HashSet<_> = words.collect();
    let operations: Vec<_> = api.operations().map(|(_, operation)| operation).collect();
    let responses = operations.iter().flat_map(|operation| &operation.responses);
    let statuses = responses.map(|response| response.status.to_string());
    let headers = operations.iter().flat_map(|operation| &operation.headers);
    // credentials have a section of their own
    let required = headers.filter(|header| header.is_required && header.name != "Authorization");
    let named: BTreeSet<_> = statuses.chain(required.map(|header| header.name.to_owned())).collect();
    let missing = named.into_iter().filter(|word| !words.contains(word.as_str()));
    missing.map(|word| format!("there is no row of {word}")).collect()
}
