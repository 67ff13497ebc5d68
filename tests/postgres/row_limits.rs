//! What `check` accepts fits into the tables of PostgreSQL, whatever the values are.

use restwell::testing::{Running, Setup};
use restwell::{Builder, Interpreted};
use restwell_model::tables::{ColumnKind, Dialect, MAX_ROW_BYTES, Table, create};
use restwell_model::{Checked, Field, OnDelete, Operation, OperationKind, Resource, Service, Type};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::{Map, Value, json};

/// A resource with every operation.
fn resource(name: &str, fields: impl IntoIterator<Item = Field>) -> Resource {
    let operations = OperationKind::ALL.map(Operation::open).to_vec();
    Resource { fields: fields.into_iter().collect(), operations, ..Resource::new(name) }
}

/// A service with one resource that has a number of copies of this field.
fn service(count: usize, ty: &Type) -> Service {
    let fields = (0..count).map(|n| Field::new(&format!("cell{n}"), ty.clone()));
    Service { resources: vec![resource("Sheet", fields)], ..Service::new("sheets") }
}

fn start(service: Service, database: &str) -> Running {
    let service = Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}"));
    Setup::of(Builder::interpreted(Interpreted::of(service))).database(database).start()
}

/// The largest number of fields that `check` accepts.
fn most(ty: &Type) -> usize {
    let is_accepted = |count: usize| Checked::new(service(count, ty)).is_ok();
    let (mut fits, mut breaks) = (1, 751);
    while breaks - fits > 1 {
        let middle = usize::midpoint(fits, breaks);
        if is_accepted(middle) { fits = middle } else { breaks = middle }
    }
    fits
}

fn text(max_length: Option<u32>) -> Type {
    let mut ty = Type::string();
    if let Type::String { max_length: most, .. } = &mut ty {
        *most = max_length;
    }
    ty
}

/// The value of a kind that leaves least room in a row; texts have no more than these bytes.
fn widest(kind: ColumnKind, bytes: usize) -> String {
    match kind {
        ColumnKind::Boolean => "true".to_owned(),
        ColumnKind::Integer | ColumnKind::Real => "7".to_owned(),
        ColumnKind::Uuid => "gen_random_uuid()".to_owned(),
        ColumnKind::Text | ColumnKind::Json => format!("'{}'", "x".repeat(bytes.min(23))),
    }
}

fn is_stored(database: &Database, table: &Table) -> bool {
    let values = table.columns.iter().map(|column| widest(column.kind, column.text_bytes)).collect::<Vec<_>>();
    database.session().try_run(&format!("INSERT INTO \"{}\" VALUES ({})", table.name, values.join(", "))).is_ok()
}

/// As many fields of a type as `check` accepts are stored, and the limit is not far below what PostgreSQL stores.
pub(crate) fn rows_that_check_accepts_are_stored(server: &Server) {
    let types = [
        text(None),
        text(Some(4)),
        Type::Uuid,
        Type::Boolean,
        Type::Country,
        Type::Duration,
        Type::Integer { minimum: None, maximum: None },
        Type::Price { minimum: None, maximum: None, currencies: Vec::new() },
    ];
    for ty in types {
        let count = most(&ty);
        for (count, fits) in [(count, true), (count + count / 20, false)] {
            let service = Checked::recorded(service(count, &ty));
            let table = Table::of(&service, &service.resources[0]);
            let is_limited = count < 750;
            if !fits && !is_limited {
                continue;
            }
            assert_eq!(table.row_bytes() <= MAX_ROW_BYTES, fits, "{count} {ty:?}");
            let database = server.database();
            create(&service, Dialect::Postgres).iter().for_each(|statement| database.run(statement));
            assert_eq!(is_stored(&database, &table), fits, "{count} {ty:?}");
        }
    }
}

/// A bit for each column that the table had is part of every row.
pub(crate) fn rows_are_stored_where_columns_were_dropped(server: &Server) {
    let ty = text(None);
    let count = most(&ty);
    let service = Checked::recorded(service(count, &ty));
    let table = Table::of(&service, &service.resources[0]);
    let database = server.database();
    create(&service, Dialect::Postgres).iter().for_each(|statement| database.run(statement));
    let left = 1_600 - table.columns.len();
    database.run(&format!(
        "DO $$ BEGIN FOR n IN 1..{left} LOOP EXECUTE 'ALTER TABLE sheets ADD COLUMN gone integer'; \
         EXECUTE 'ALTER TABLE sheets DROP COLUMN gone'; END LOOP; END $$"
    ));
    assert!(is_stored(&database, &table));
}

/// A request that fills every field gets its entity.
pub(crate) fn entities_that_check_accepts_are_created(server: &Server) {
    for (ty, value) in [(text(None), json!("x".repeat(20))), (Type::Uuid, json!(THIRD))] {
        let count = most(&ty);
        let database = server.database();
        let running = start(service(count, &ty), database.url());
        let body: Map<String, Value> = (0..count).map(|n| (format!("cell{n}"), value.clone())).collect();
        let reply = Wire::to(running.address()).send("POST", b"/sheets", PUBLIC, None, Some(&Value::Object(body)));
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
}

/// As many references as `check` accepts are shown, by both databases.
pub(crate) fn references_that_check_accepts_are_shown(server: &Server) {
    let with = |count: usize| {
        let ty = Type::Ref { to: "User".to_owned(), show: vec!["name".to_owned()], on_delete: OnDelete::Restrict };
        let mut sheet = service(count, &ty);
        sheet.resources.push(resource("User", [Field::new("name", Type::string())]));
        sheet
    };
    let is_accepted = |count: &usize| Checked::new(with(*count)).is_ok();
    let count = (1..100).take_while(is_accepted).last().expect("one is accepted");
    assert!(count < 99, "there is a limit");
    let database = server.database();
    for url in ["sqlite::memory:", database.url()] {
        let running = start(with(count), url);
        let mut wire = Wire::to(running.address());
        let user = wire.send("POST", b"/users", PUBLIC, None, Some(&json!({ "name": "Ann" }))).json();
        let id = json!({ "id": user["id"] });
        let body: Map<String, Value> = (0..count).map(|n| (format!("cell{n}"), id.clone())).collect();
        let reply = wire.send("POST", b"/sheets", PUBLIC, None, Some(&Value::Object(body)));
        assert_eq!(reply.status, 201, "{url}: {}", reply.body);
        let path = format!("/sheets/{}", reply.json()["id"].as_str().expect("an id"));
        let reply = wire.send("GET", path.as_bytes(), PUBLIC, None, None);
        let last = format!("cell{}", count - 1);
        assert_eq!((reply.status, &reply.json()[last.as_str()]["name"]), (200, &json!("Ann")), "{url}");
        let reply = wire.send("GET", b"/sheets?sort=-createdAt", PUBLIC, None, None);
        assert_eq!((reply.status, &reply.json()["sheets"][0][last.as_str()]["name"]), (200, &json!("Ann")), "{url}");
    }
}

const THIRD: &str = "018f4c2e-7d1a-7c55-9f0e-2b6a1d3c4e5f";

/// Texts that are too long together for the index of a combination are a problem of the request.
pub(crate) fn texts_that_no_index_has_are_refused_at_their_field(server: &Server) {
    let mut sheet = resource("Sheet", ["first", "second"].map(|name| Field::new(name, Type::string())));
    sheet.fields.push(Field::new("third", Type::Uuid));
    sheet.unique = vec![["first", "second", "third"].map(str::to_owned).to_vec()];
    let database = server.database();
    let running = start(Service { resources: vec![sheet], ..Service::new("sheets") }, database.url());
    let mut wire = Wire::to(running.address());
    // no two alike, so that they cannot be compressed
    let noise = |length: usize| -> String {
        let words = std::iter::repeat_with(|| uuid::Uuid::new_v4().simple().to_string());
        words.take(100).collect::<String>()[..length].to_owned()
    };
    let body = |first: usize, second: usize| json!({ "first": noise(first), "second": noise(second), "third": THIRD });
    // hexadecimal digits have half a byte each
    let reply = wire.send("POST", b"/sheets", PUBLIC, None, Some(&body(3_000, 2_500)));
    let error = &reply.json()["errors"][0];
    assert_eq!((reply.status, &error["code"], &error["path"]), (422, &json!("TooLong"), &json!("first")), "{error}");
    let reply = wire.send("POST", b"/sheets", PUBLIC, None, Some(&body(1_300, 1_200)));
    assert_eq!(reply.status, 201, "{}", reply.body);
}
