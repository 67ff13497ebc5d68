//! What searches cost, in steps of SQLite's machine: elements and objects add up, and do not multiply.

use super::super::criteria::Searchable;
use super::super::query::Query;
use restwell_model::input::Criteria;
use restwell_model::tables::{Dialect, Table};
use restwell_model::{Checked, Field, Object, Resource, Search, Service, Type};
use rusqlite::{Connection, StatementStatus};
use serde_json::{Value, json};

const ROWS: usize = 20;
const ELEMENTS: usize = 30;
/// Steps for a pair of an element and an object.
const MAX_STEPS: usize = 24;

fn text() -> Type {
    Type::String { min_length: None, max_length: None, pattern: None, format: None }
}

fn list(items: Type) -> Type {
    Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false }
}

fn object(name: &str, fields: Vec<Field>) -> Object {
    Object::new(name, fields)
}

/// Offers with groups, as in the sample of §2.5; groups have parameters, and these have values.
fn offers() -> Checked {
    let named = |name: &str| Type::Named { name: name.to_owned() };
    let mut service = Service::new("shop");
    let size = Type::Integer { minimum: None, maximum: None };
    let parameters = Field::new("parameters", list(named("Parameter")));
    service.objects = vec![
        object("Group", vec![Field::new("name", text()), Field::new("size", size), parameters]),
        object("Parameter", vec![Field::new("name", text()), Field::new("values", list(text()))]),
    ];
    let mut offer = Resource::new("Offer");
    offer.search = Search::All;
    offer.fields = vec![Field::new("groups", list(named("Group")))];
    service.resources = vec![offer];
    Checked::new(service).expect("no mistake")
}

/// Offers in a database, and what a search makes of them.
struct Offers {
    table: Table,
    searchable: Searchable,
    connection: Connection,
}

impl Offers {
    fn new() -> Self {
        let service = offers();
        let resource = &service.resources[0];
        let table = Table::of(&service, resource);
        let criteria = Criteria::compile(&service, resource, &|_| true).expect("a search");
        let searchable = Searchable::new(criteria, &table, Dialect::Sqlite);
        let connection = Connection::open_in_memory().expect("memory");
        connection
            .execute(&format!("CREATE TABLE \"{}\" (\"groups\" TEXT NOT NULL)", table.name), [])
            .expect("a table");
        let groups: Vec<_> = (0..ELEMENTS).map(group).collect();
        for _ in 0..ROWS {
            let insert = format!("INSERT INTO \"{}\" VALUES (?1)", table.name);
            connection.execute(&insert, [json!(groups).to_string()]).expect("a row");
        }
        Self { table, searchable, connection }
    }

    /// The condition that a search makes, and what it binds.
    fn query(&self, search: &Value) -> (String, Query) {
        let search = self.searchable.criteria.read(search.to_string().as_bytes()).expect("JSON");
        assert_eq!(search.problems, []);
        let mut query = Query::default();
        self.searchable.apply(&search, &mut query);
        let mut sql = format!("SELECT count(*) FROM \"{}\" t", self.table.name);
        query.conditions(&self.table, &mut sql);
        (sql, query)
    }

    /// How many offers a search finds, and the steps that it takes.
    fn run(&self, search: &Value) -> (usize, usize) {
        let (sql, query) = self.query(search);
        let mut statement = self.connection.prepare(&sql).expect("SQL");
        for (index, value) in query.values().enumerate() {
            statement.raw_bind_parameter(index + 1, value.borrow()).expect("a value");
        }
        let mut rows = statement.raw_query();
        let found: i64 = rows.next().expect("no error").expect("a row").get(0).expect("a count");
        drop(rows);
        let steps = statement.get_status(StatementStatus::VmStep);
        (usize::try_from(found).expect("a number"), usize::try_from(steps).expect("a number"))
    }

    /// The steps of a search that finds all offers.
    #[track_caller]
    fn steps(&self, search: &Value) -> usize {
        let (found, steps) = self.run(search);
        assert_eq!(found, ROWS, "{search}");
        steps
    }
}

fn group(index: usize) -> Value {
    let parameter = |name: &str| json!({ "name": name, "values": ["a", format!("b{index}")] });
    json!({ "name": format!("G{index}"), "size": index, "parameters": [parameter("p"), parameter("q")] })
}

/// A search for this number of objects.
fn search(count: usize, object: impl Fn(usize) -> Value) -> Value {
    json!({ "groups": (0..count).map(object).collect::<Vec<_>>() })
}

#[test]
fn objects_that_are_alike_are_one_condition() {
    let offers = Offers::new();
    let named = |index: usize| json!({ "name": format!("G{index}"), "size": index });
    let (two, all) = (search(2, named), search(ELEMENTS, named));
    assert_eq!(offers.query(&two).0, offers.query(&all).0, "one text, however many objects");
    let (two, all) = (offers.steps(&two), offers.steps(&all));
    assert!(all < 3 * two, "{ELEMENTS} objects take {all} steps, two take {two}");
    let (found, many) = offers.run(&search(100, named));
    assert_eq!(found, 0);
    assert!(many < 3 * two, "100 objects take {many} steps, two take {two}");
}

#[test]
fn nested_objects_that_are_alike_are_one_condition() {
    let offers = Offers::new();
    let nested = |index: usize| {
        json!({ "name": format!("G{index}"), "parameters": [
            { "name": "p", "values": ["x", format!("b{index}")] }, { "name": "q", "values": ["a", "y"] }
        ] })
    };
    let (two, all) = (search(2, nested), search(ELEMENTS, nested));
    assert_eq!(offers.query(&two).0, offers.query(&all).0, "one text, however many objects");
    let (two, all) = (offers.steps(&two), offers.steps(&all));
    // each parameter is tried for each object of that name, in any group
    let pairs = ROWS * ELEMENTS * 2 * (ELEMENTS - 2) * 2;
    assert!(all < two + MAX_STEPS * pairs, "{ELEMENTS} objects take {all} steps, two take {two}");
}

#[test]
fn unlike_objects_cost_a_few_steps_for_each_element() {
    let offers = Offers::new();
    let unlike = |index: usize| match index % 4 {
        0 => json!({ "size": { "gte": index % ELEMENTS } }),
        1 => json!({ "name": [format!("G{}", index % ELEMENTS), format!("H{index}")] }),
        2 => json!({ "size": { "isNull": false, "lt": index } }),
        _ => json!({ "name": ["G1", format!("H{index}")], "size": [1, 1000 + index], "parameters": [{ "name": "p" }] }),
    };
    let (few, many) = (offers.steps(&search(4, unlike)), offers.steps(&search(80, unlike)));
    // two of four have a row for each of two values
    let pairs = ROWS * ELEMENTS * (80 - 4) * 3 / 2;
    assert!(many < few + MAX_STEPS * pairs, "80 objects take {many} steps, four take {few}");
}

#[test]
fn long_texts_are_bound_once() {
    let offers = Offers::new();
    let long = "x".repeat(100_000);
    let body = search(2, |_| json!({ "name": long, "size": [1, 2, 3, 4], "parameters": [{ "name": [long, "p"] }] }));
    let bound: usize = offers.query(&body).1.values().map(|value| format!("{value:?}").len()).sum();
    assert!(bound < 3 * long.len(), "{bound} bytes");
    assert_eq!(offers.run(&search(1, |_| json!({ "name": ["G1", long], "size": [1, 2, 3, 4] }))).0, ROWS);
}

#[test]
fn equal_objects_are_one() {
    let offers = Offers::new();
    let one = offers.steps(&search(1, |_| json!({ "name": "G7" })));
    assert_eq!(offers.steps(&search(90, |index| if index < 45 { json!({}) } else { json!({ "name": "G7" }) })), one);
}
