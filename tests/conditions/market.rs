//! A market that is served, with two users who ask it.

use crate::access::model;
use restwell::testing::{Running, Setup, TestClient};
use restwell::{Builder, Interpreted};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

/// The document of a service with users.
pub(crate) const SERVICE: &str = "
service: market
users: User
";

/// The document of its users, whom anyone creates.
pub(crate) const USER: &str = "
resource: User
operations: { create: { access: anyone }, get: {} }
fields:
  name: { type: string, required: true }
";

/// The service of some documents, with an empty database but for two users.
pub(crate) struct Market {
    pub(crate) api: Running,
    pub(crate) ann: String,
    pub(crate) bob: String,
}

impl Market {
    /// Anyone creates users by these documents.
    pub(crate) fn new(documents: &[&str], server: Option<&Server>) -> Self {
        Self::serve(Interpreted::of(model(documents)), server)
    }

    /// The same; commands succeed.
    pub(crate) fn with_mocked_commands(documents: &[&str], server: Option<&Server>) -> Self {
        Self::serve(Interpreted { mock_commands: true, ..Interpreted::of(model(documents)) }, server)
    }

    fn serve(interpreted: Interpreted, server: Option<&Server>) -> Self {
        let setup = Setup::of(Builder::interpreted(interpreted));
        let api = match server {
            Some(server) => setup.own_database(server.url()).start(),
            None => setup.start(),
        };
        let user = |name: &str| made(&api.client(), "/users", &json!({ "name": name }));
        let (ann, bob) = (user("Ann"), user("Bob"));
        Self { api, ann, bob }
    }

    pub(crate) fn nobody(&self) -> TestClient {
        self.api.client()
    }

    pub(crate) fn as_user(&self, id: &str) -> TestClient {
        self.api.client().as_user(id.parse::<restwell::Uuid>().expect("an id"))
    }

    pub(crate) fn ann(&self) -> TestClient {
        self.as_user(&self.ann)
    }

    pub(crate) fn bob(&self) -> TestClient {
        self.as_user(&self.bob)
    }

    /// Bob with a scope.
    pub(crate) fn moderator(&self) -> TestClient {
        self.api.client().as_user_with(self.bob.parse::<restwell::Uuid>().expect("an id"), &["offers.admin"])
    }
}

/// Creates an entity, and returns its id.
pub(crate) fn made(client: &TestClient, path: &str, body: &Value) -> String {
    let entity: Value = client.post(path, body).is(201).read();
    entity["id"].as_str().expect("an id").to_owned()
}
