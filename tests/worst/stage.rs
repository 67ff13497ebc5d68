//! A service as a process with a filled database: an entity of each resource, then many of those that lists and
//! searches go over.

use crate::long_conditions;
use crate::site::{Site, sites};
use crate::values::{Budget, Ids, Values, settable};
use crate::wire::{self, Line};
use libtest_mimic::Failed;
use restwell_model::{Checked, OperationKind, Resource, Search, Type};
use restwell_testkit::http::Request;
use restwell_testkit::market::{self, Owner};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::process::{LISTEN, Service, program};
use restwell_tests::scopes::{marketplace_model, scopes};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use tempfile::TempDir;

/// Connections that rows are created over.
const FILLING: usize = 16;
/// Bytes of an ordinary row, roughly.
const ROW: usize = 700;
/// Bytes of a large row, roughly, and how many of them each resource has for a thousand ordinary ones, at most.
const LARGE_ROW: usize = 60_000;
const LARGE: usize = 20;
const MOST_LARGE: usize = 500;
/// Rows of a resource that is not searched, for each of one that is.
const OTHERS: usize = 10;

/// A running service.
pub(crate) struct Stage {
    pub(crate) service: Service,
    pub(crate) model: Checked,
    pub(crate) ids: Ids,
    pub(crate) token: String,
    /// What a plain client reads meanwhile: an entity that no request changes, and a list.
    pub(crate) plain: [String; 2],
    pub(crate) rows: usize,
    /// Sites that each case is sent to where all of them take too long.
    pub(crate) sites_of_a_case: usize,
    pub(crate) database: Option<Database>,
    _folder: TempDir,
}

impl Stage {
    /// The marketplace with `rows` rows: in a SQLite file, or in a new database of the server.
    pub(crate) fn marketplace(server: Option<&Server>, rows: usize) -> Self {
        let (folder, database) = (folder(), server.map(Server::database));
        let service = start_marketplace(folder.path(), database.as_ref());
        let model = marketplace_model();
        let Owner { token, ids, .. } = Owner::create(&service, "caller", &scopes(&model));
        let ids = ids.into_iter().map(|(name, id)| (name.to_owned(), id)).collect();
        let seller = market::user(service.address(), "seller");
        let request = Request::post("/offers", &market::offer(&seller, "Bicycle")).bearer(&service.token(&seller, ""));
        // the seller is a user of their own
        let offer = format!("/offers/{}", request.send(service.address()).is(201).id());
        let plain = [offer, "/offers?limit=5&category=SPORT".to_owned()];
        Self { service, model, ids, token, plain, rows, sites_of_a_case: 6, database, _folder: folder }.filled()
    }

    /// A service whose conditions are as long as they may be. Each row costs ten times as much as one of the marketplace.
    pub(crate) fn long_conditions(server: Option<&Server>, rows: usize) -> Self {
        let (folder, database) = (folder(), server.map(Server::database));
        let mut command = long_conditions::program(folder.path());
        let service = Service::spawn(command.args(arguments(database.as_ref())), folder.path());
        let model = long_conditions::model();
        let row = json!({ "name": "AB", "i": 1, "weight": "0.10", "ratio": 2.5 });
        let create = || Request::post("/rows", &row).send(service.address()).is(201).id();
        let (attacked, read) = (create(), create());
        let plain = [format!("/rows/{read}"), "/rows?limit=5&i=1".to_owned()];
        let token = market::token(&attacked);
        let ids = Ids::from([("Row".to_owned(), attacked)]);
        Self { service, model, ids, token, plain, rows: rows / 10, sites_of_a_case: 2, database, _folder: folder }
            .filled()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// Every place that the model has, with the values for it.
    pub(crate) fn sites<'a>(&'a self, values: &'a Values<'a>) -> Vec<Site<'a>> {
        sites(values, &self.token, self.rows)
    }

    pub(crate) fn values(&self) -> Values<'_> {
        Values { model: &self.model, ids: &self.ids }
    }

    /// Ends the service: its log must not have a panic, and there must be no other fault.
    pub(crate) fn end(self, mut faults: Vec<String>) -> Result<(), Failed> {
        let log = self.service.stop();
        faults.extend(log.into_iter().filter(|line| line.contains("panicked")));
        if faults.is_empty() { Ok(()) } else { Err(Failed::from(faults.join("\n"))) }
    }

    /// Creates the rows.
    fn filled(self) -> Self {
        let values = self.values();
        for resource in self.model.resources.iter().filter(|resource| can_be_many(resource)) {
            let is_searched = resource.search != Search::None;
            let rows = if is_searched { self.rows } else { self.rows / OTHERS };
            let large = if is_searched { (self.rows / 1000 * LARGE).min(MOST_LARGE) } else { 0 };
            let address = self.address();
            std::thread::scope(|scope| {
                for client in 0..FILLING {
                    let (values, token) = (&values, &*self.token);
                    let numbers = (client..rows).step_by(FILLING).map(move |number| (number, is_large(number, large)));
                    scope.spawn(move || create(address, token, values, resource, numbers));
                }
            });
        }
        self
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

/// The marketplace in a folder, with this database or a SQLite file.
pub(crate) fn start_marketplace(folder: &Path, database: Option<&Database>) -> Service {
    Service::spawn(program(folder).args(arguments(database)), folder)
}

/// The arguments of a service with this database.
fn arguments(database: Option<&Database>) -> [String; 3] {
    let url = database.map_or("sqlite://test.db", Database::url);
    [LISTEN.to_owned(), format!("--database={url}"), "--log=warn,restwell=info".to_owned()]
}

/// Creates rows over one connection, one after the other.
fn create(
    address: SocketAddr,
    token: &str,
    values: &Values<'_>,
    resource: &Resource,
    numbers: impl Iterator<Item = (usize, bool)>,
) {
    let stream = wire::open(IpAddr::V4(Ipv4Addr::LOCALHOST), address).expect("the service listens");
    let mut line = Line(BufReader::new(stream));
    for (number, is_large) in numbers {
        let budget = Budget::bytes(if is_large { LARGE_ROW } else { ROW });
        let body = values.body(settable(resource, None), number, budget);
        let request = Request::post(&format!("/{}", resource.plural), &Value::Object(body)).bearer(token);
        line.0.get_mut().write_all(&request.bytes()).expect("the service takes it");
        let answer = line.answer(false).expect("an answer");
        // the team's own rules: an offer is sold out
        if answer.status == 422 && resource.search == Search::None {
            break;
        }
        assert_eq!(answer.status, 201, "{}: {}", resource.plural, String::from_utf8_lossy(&answer.body));
    }
}

/// The first rows are the large ones: they are on the first page.
fn is_large(number: usize, large: usize) -> bool {
    number < large
}

/// Whether rows that differ in their number only can be created.
fn can_be_many(resource: &Resource) -> bool {
    let depends_on_other =
        |name: &String| resource.field(name).is_none_or(|field| matches!(field.ty, Type::Ref { .. }));
    let is_one_each = resource.fields.iter().any(|field| field.unique.is_on() && depends_on_other(&field.name));
    let is_pattern = |name: &String| {
        let field = resource.field(name);
        field.is_none_or(|field| {
            matches!(field.ty, Type::Ref { .. } | Type::String { pattern: Some(_), .. } | Type::Named { .. })
        })
    };
    let is_combined = resource.unique.iter().any(|names| names.iter().all(is_pattern));
    resource.operation(OperationKind::Create).is_some() && !is_one_each && !is_combined
}
