//! Who is known by a token. Which tokens are taken, and which are not, says the table (`table.rs`).

use crate::credentials::api::Api;
use crate::credentials::issuer::Issuer;
use jsonwebtoken::Algorithm;
use restwell_testkit::key::Key;

pub(crate) const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

struct World {
    issuer: Issuer,
    keys: [Key; 3],
    api: Api,
}

/// A key of each algorithm that is taken.
pub(crate) fn keys() -> [Key; 3] {
    let keys = [("rsa", Algorithm::RS256), ("ec", Algorithm::ES256), ("ed", Algorithm::EdDSA)];
    keys.map(|(id, algorithm)| Key::new(id, algorithm))
}

fn world() -> World {
    let keys = keys();
    let issuer = Issuer::with(&[&keys[0], &keys[1], &keys[2]]);
    let api = Api::of(&issuer);
    World { issuer, keys, api }
}

#[test]
fn each_algorithm_of_the_decisions_is_taken() {
    let world = world();
    let token = |id: &str| world.keys[0].sign(&world.issuer.claims(id, ""));
    let (seller, offer) = world.api.seller("seller", token);
    for key in &world.keys {
        let get = |sub: &str, scope: &str| {
            let token = key.sign(&world.issuer.claims(sub, scope));
            world.api.get(&format!("/sale/offers/{offer}"), &token).status().as_u16()
        };
        assert_eq!(get(&seller, ""), 200, "{}", key.id);
        assert_eq!(get(SOMEBODY, ""), 403, "{}", key.id);
        assert_eq!(get(SOMEBODY, "something offers.admin"), 200, "{}", key.id);
    }
}

#[test]
fn where_there_are_no_credentials_they_are_asked_for() {
    let world = world();
    let response = world.api.get_with("/sale/offers", &[]);
    assert_eq!(response.status().as_u16(), 401);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
}
