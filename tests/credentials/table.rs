//! The table of tokens (`tokens.json`): what must become of each is what RFC 7515, RFC 7519, RFC 8725 and the decisions
//! ("Credentials") say, not what the service does.

use crate::credentials::api::Api;
use crate::credentials::issuer::Issuer;
use crate::credentials::recipe::{Expected, Kitchen, Row};
use crate::credentials::tokens::keys;

const TABLE: &str = include_str!("tokens.json");
/// Rows that there are at least.
const ROWS: usize = 400;

#[test]
fn each_token_of_the_table_is_taken_or_refused() {
    let (keys, strangers) = (keys(), keys());
    let issuer = Issuer::with(&keys.each_ref());
    let elsewhere = Issuer::with(&strangers.each_ref());
    let api = Api::of(&issuer);
    let (_, offer) = api.seller("seller", |id| keys[0].sign(&issuer.claims(id, "")));
    let rows: Vec<Row> = serde_json::from_str(TABLE).unwrap();
    assert!(rows.len() >= ROWS, "{}", rows.len());
    let kitchen = Kitchen { issuer: &issuer.url, elsewhere: elsewhere.jwks(), keys: &keys, strangers: &strangers };
    let failures: Vec<_> = rows.iter().filter_map(|row| fault(&api, &offer, row, &kitchen.prepare(row))).collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), rows.len(), failures.join("\n"));
    assert_eq!(elsewhere.fetches(), 0, "no token sends anybody anywhere");
}

/// What is wrong with the answers to a token: where anyone may read, where users may, and where a scope is needed.
fn fault(api: &Api, offer: &str, row: &Row, authorization: &[String]) -> Option<String> {
    let headers: Vec<_> = authorization.iter().map(|value| ("authorization", value.as_str())).collect();
    let answers =
        ["/offers", "/sale/offers", &format!("/sale/offers/{offer}")].map(|path| api.get_with(path, &headers));
    let is_challenged = answers.iter().all(|answer| {
        let challenge = answer.headers().get("www-authenticate");
        challenge.is_some_and(|challenge| challenge == "Bearer error=\"invalid_token\"")
    });
    let statuses = answers.map(|answer| answer.status().as_u16());
    let is_right = match (row.expect, row.admin) {
        (Expected::Refused, _) => statuses == [401; 3] && is_challenged,
        (Expected::Accepted, Some(true)) => statuses == [200; 3],
        (Expected::Accepted, _) => statuses == [200, 200, 403],
    };
    (!is_right).then(|| format!("{}: {statuses:?}, must be {:?}, admin {:?}", row.name, row.expect, row.admin))
}
