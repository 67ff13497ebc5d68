//! The first requests of a new user, at once and to several instances on one database: all are answered as that user's.

use restwell::testing::{Running, Setup};
use restwell::{Builder, Resource};
use restwell_testkit::postgres::{Database, Server};
use serde_json::json;
use std::thread;

/// New users.
const USERS: usize = 30;
/// Requests of each at a time.
const REQUESTS: usize = 10;

#[derive(Debug, Clone, Resource)]
struct Member {
    #[field(unique, read_only)]
    external_id: Option<String>,
    name: String,
}

fn start(database: &Database) -> Running {
    let builder = Builder::new("notes").users::<Member>().user_subject("externalId");
    let builder = builder.provision_users(&[("name", "name")]);
    Setup::of(builder).database(database.url()).start()
}

pub(crate) fn first_requests_make_one_user(server: &Server) {
    let database = server.database();
    let instances = [start(&database), start(&database)];
    for user in 0..USERS {
        thread::scope(|scope| {
            for request in 0..REQUESTS {
                let instance = &instances[request % 2];
                let token = instance.token_of(&format!("auth0|{user}"), &[], &[("name", json!("Ann"))]);
                let client = instance.client().with_token(&token);
                scope.spawn(move || client.get("/members?limit=1").is(200));
            }
        });
    }
    assert_eq!(database.texts("SELECT count(*) FROM members"), [USERS.to_string()]);
}
