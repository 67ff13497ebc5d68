//! Stored searches: each client has a share of the room for them.

use crate::moments::{created, get};
use restwell::testing::Setup;
use restwell_testkit::postgres::Server;
use restwell_testkit::wire::Wire;
use serde_json::json;

/// New searches between two checks of the room of all clients.
const LOOK_EVERY: usize = 256;

/// Whoever stores too much loses their own oldest searches, whether their share is exceeded or that of all clients.
pub(crate) fn who_stores_too_many_searches_loses_their_own(server: &Server) {
    let database = server.database();
    let running = Setup::of(restwell_tests::generated_service()).database(database.url()).start();
    let mut wire = Wire::to(running.address());
    let mut store = || created(&mut wire, "/specimen-searches", &json!({ "name": "Amber" }));
    let first = store();
    database.run(
        "INSERT INTO _restwell_searches (id, resource, version, created_at, data, share, kib, used_kib) \
         SELECT gen_random_uuid(), 'Specimen', 'public.v1', 4102444800000, '{}', 'address:other', 64, 64 * number \
         FROM generate_series(1, 6800) AS number",
    );
    (0..LOOK_EVERY).for_each(|_| _ = store());
    let other = "SELECT CAST(count(*) AS text) FROM _restwell_searches WHERE share = 'address:other'";
    let left: i64 = database.texts(other)[0].parse().expect("a number");
    assert!((6300..6400).contains(&left), "{left} fit into 400 MiB");
    let oldest = "SELECT CAST(min(used_kib) / 64 AS text) FROM _restwell_searches WHERE share = 'address:other'";
    assert_eq!(database.texts(oldest), [(6800 - left + 1).to_string()], "the oldest are gone");
    assert_eq!(get(&mut Wire::to(running.address()), &first).status, 200, "a client with few searches keeps them");
    database.run(
        "UPDATE _restwell_searches SET used_kib = used_kib + 39936 WHERE share <> 'address:other' AND used_kib > 8",
    );
    store();
    let mut wire = Wire::to(running.address());
    assert_eq!(get(&mut wire, &first).status, 404, "its share is full");
    let left = "SELECT CAST(count(*) AS text) FROM _restwell_searches WHERE share <> 'address:other'";
    assert_eq!(database.texts(left), [LOOK_EVERY.to_string()], "but for the oldest two, and with the new one");
}
