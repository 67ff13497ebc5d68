//! What SQLite's planner makes of the statements: for every parameter of the services in `schemas/` and
//! `tests/schemas/`.

use super::*;
use crate::auth::caller::Caller;
use crate::migrations::MigrationTarget;
use crate::plan::predicate::Reduced;
use crate::plan::viewer::Viewer;
use crate::plan::{IndexedBy, Plans, Representation, ResourceIndex, VersionIndex};
use crate::store::RepresentationId;
use crate::store::facts::KnownFacts;
use crate::store::sqlite::counts::PageCounts;
use crate::store::sqlite::versions::TableVersions;
use crate::store::sqlite::{connection, schema};
use restwell_generator::{File, compile};
use restwell_model::api::FilterOperator;
use restwell_model::field::Match;
use restwell_model::tables::{CREATED_AT, ColumnKind, Dialect};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// Neither way looks at a row within it: filters are never gathered.
const WALK: u64 = 0;
/// Any filter finds less.
const GATHER: u64 = 1 << 40;
/// Rows of each table.
const ROWS: i64 = 24;

thread_local! {
    static STATEMENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes a statement that a page is made with.
pub(super) fn note(sql: &str) {
    STATEMENTS.with_borrow_mut(|statements| statements.push(sql.to_owned()));
}

/// A service of the repository, with some rows in every table.
fn service(folder: &str) -> (Plans, Connection) {
    filled(&files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)))
}

/// A service with some rows in every table.
fn filled(files: &[File]) -> (Plans, Connection) {
    let (service, _) = compile(files).service.expect("the schemas have no mistakes");
    let location = connection::SqliteLocation::memory();
    let database = connection::open_writer(&location).unwrap();
    let goal = MigrationTarget { model: &service, migrations: &[], migrate: false, consent: false };
    schema::prepare(&database, &goal, &location).unwrap();
    let plans = Plans::compile(service, Dialect::Sqlite);
    database.pragma_update(None, "foreign_keys", false).unwrap();
    for plan in &plans.resources {
        for row in 0..ROWS {
            let cells: Vec<_> = (0..plan.table.columns.len()).map(|column| cell_of(plan, column.into(), row)).collect();
            let mut insert = database.prepare(&plan.statements.insert.one).unwrap();
            insert.execute(rusqlite::params_from_iter(cells.iter().map(Cell::borrow))).unwrap();
        }
    }
    (plans, database)
}

fn files(folder: &Path) -> Vec<File> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| match path.extension().and_then(|extension| extension.to_str()) {
        Some("yaml") => vec![File::new(&path.display().to_string(), std::fs::read(&path).unwrap())],
        None => files(&path),
        _ => Vec::new(),
    });
    files.collect()
}

/// Three values and null; unique ones never twice.
fn cell_of(plan: &ResourcePlan, column: ColumnIndex, row: i64) -> Cell {
    let uniques = &plan.table.uniques;
    let is_unique = column == ColumnIndex::ID || uniques.iter().any(|it| it.columns.contains(&column.position()));
    let number = if is_unique { row } else { row % 3 };
    match plan.table.columns[column].kind {
        _ if plan.table.columns[column].nullable && row % 4 == 0 => Cell::Null,
        ColumnKind::Boolean => Cell::Int(number % 2),
        ColumnKind::Integer => Cell::Int(number),
        ColumnKind::Real => Cell::Real(number as f64),
        ColumnKind::Text => Cell::Text(format!("text {number}")),
        ColumnKind::Uuid => Cell::Uuid(uuid::Uuid::from_u128(number.unsigned_abs().into())),
        ColumnKind::Json => Cell::Text("[]".to_owned()),
    }
}

/// Every resource in every version and view of both services.
fn each(mut look: impl FnMut(&Connection, &ResourcePlan, &Representation)) {
    for folder in ["schemas", "tests/schemas"] {
        let (plans, database) = service(folder);
        for plan in &plans.resources {
            let representations = plan.views.iter().flat_map(|view| &view.representations);
            representations.for_each(|representation| look(&database, plan, representation));
        }
    }
}

/// The lines of the planner's answer for each statement that makes a page.
fn plans_of(
    database: &Connection,
    plan: &ResourcePlan,
    representation: &Representation,
    query: &Query,
    budget: u64,
) -> Vec<(String, Vec<String>)> {
    STATEMENTS.take();
    let mut page = Page { budget, ..Page::new(database, plan, &representation.render, PageWriter::new("offers", 0)) };
    page.write(query).unwrap();
    let counted = Query { limit: 0, ..query.clone() };
    let gathered = page.gathered.clone();
    count(database, &plan.table, &counted, gathered.as_deref()).unwrap();
    STATEMENTS.take().into_iter().map(|sql| (sql.clone(), explained(database, &sql))).collect()
}

/// The lines of the planner's answer for a statement.
fn explained(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    statement.raw_query().mapped(|row| row.get("detail")).map(Result::unwrap).collect()
}

fn assert_none(plans: &[(String, Vec<String>)], refused: &[&str]) {
    for (sql, lines) in plans {
        let bad = |line: &&String| refused.iter().any(|refused| line.starts_with(refused)) && !line.contains("INDEX");
        assert!(lines.iter().find(bad).is_none(), "{sql}\n{lines:#?}");
    }
}

const SCAN: &str = "SCAN t";
const SORT: &str = "USE TEMP B-TREE FOR ORDER BY";
const SORT_OF_TIES: &str = "USE TEMP B-TREE";

fn filtered(column: ColumnIndex, test: Test) -> Query {
    Query { filters: vec![Filter { column, test }], limit: 3, ..Query::default() }
}

#[test]
fn one_value_and_null_are_searched_and_come_in_order() {
    each(|database, plan, representation| {
        for (column, _) in representation.parameters.columns().0 {
            let null = plan.table.columns[column].nullable.then_some(Cell::Null);
            for value in null.into_iter().chain([cell_of(plan, column, 1)]) {
                let query = filtered(column, Test::equal(value));
                let is_unique = plan.table.index(column.position()).is_some_and(|index| !index.has_ids);
                let plans = plans_of(database, plan, representation, &query, GATHER);
                assert_none(&plans, &[SCAN]);
                if !is_unique {
                    assert_none(&plans, &[SORT_OF_TIES]);
                }
                for (sql, lines) in &plans {
                    let is_searched = lines.iter().any(|line| line.starts_with("SEARCH t USING"));
                    assert!(is_searched, "{sql}\n{lines:#?}");
                }
            }
        }
    });
}

#[test]
fn several_values_and_ranges_are_searched_or_walked_in_order() {
    each(|database, plan, representation| {
        for (column, is_ordered) in representation.parameters.columns().0 {
            let values = vec![cell_of(plan, column, 1), cell_of(plan, column, 2)];
            let mut tests = vec![Test::OneOf { values: values.clone(), or_null: false }];
            if plan.table.columns[column].nullable {
                tests.push(Test::OneOf { values: values.clone(), or_null: true });
            }
            if is_ordered {
                tests.extend([">", ">=", "<", "<="].map(|operator| Test::Compare(operator, values[0].clone())));
            }
            for test in tests {
                let query = filtered(column, test);
                assert_none(&plans_of(database, plan, representation, &query, GATHER), &[SCAN]);
                assert_none(&plans_of(database, plan, representation, &query, WALK), &[SCAN, SORT]);
                if representation.parameters.columns().1.contains(&column) {
                    for descending in [false, true] {
                        let sorted = Query { sort: vec![(column, descending)], ..query.clone() };
                        assert_none(&plans_of(database, plan, representation, &sorted, GATHER), &[SCAN, SORT]);
                    }
                }
            }
        }
    });
}

#[test]
fn sorts_are_walked_whatever_is_filtered() {
    each(|database, plan, representation| {
        let (filters, sorts) = representation.parameters.columns();
        for column in sorts {
            for (descending, offset) in [(false, 0), (true, 0), (false, 7), (true, 7), (true, 20)] {
                let query = Query { sort: vec![(column, descending)], limit: 3, offset, ..Query::default() };
                assert_none(&plans_of(database, plan, representation, &query, WALK), &[SCAN, SORT]);
                for (filtered, _) in filters.iter().filter(|(filtered, _)| offset == 0 && *filtered != column) {
                    let filter = Filter { column: *filtered, test: Test::equal(cell_of(plan, *filtered, 1)) };
                    let query = query.with(filter);
                    assert_none(&plans_of(database, plan, representation, &query, WALK), &[SCAN]);
                    assert_none(&plans_of(database, plan, representation, &query, GATHER), &[SCAN]);
                }
            }
        }
    });
}

/// Of two columns that may have many values each, not every combination is a part.
#[test]
fn the_parts_of_a_page_are_bounded() {
    let (plans, database) = filled(&parts(THINGS));
    let plan = &plans.resources[0];
    let representation = plan.representation(RepresentationId::canonical(ResourceIndex::from(0)));
    let column = |name: &str| ColumnIndex::from(plan.table.columns.iter().position(|it| it.name == name).unwrap());
    let (size, created_at) = (column("size"), column("created_at"));
    let test = Test::OneOf { values: (0..40).map(Cell::Int).collect(), or_null: false };
    let several = |column| Filter { column, test: test.clone() };
    let query = Query {
        filters: vec![several(size), several(created_at)],
        sort: vec![(size, false), (created_at, true)],
        limit: 100,
        ..Query::default()
    };
    STATEMENTS.take();
    let mut page = Page::new(&database, plan, &representation.render, PageWriter::new("things", 0));
    page.write(&query).unwrap();
    let statements = STATEMENTS.take().len();
    assert!(statements < 3 * MAX_PARTS, "{statements} statements");
    assert_eq!(u64::from(page.rows()), count(&database, &plan.table, &query, None).unwrap());
}

/// Each part is a file.
const THINGS: &str = r#"
service: things
---
resource: Thing
index: [[kind, size], [kind, shelf, size], [shelf, updatedAt]]
operations: { list: {} }
fields:
  kind: { type: enum, values: [OLD, NEW], filter: true }
  shelf: { type: string, maxLength: 9, filter: true }
  size: { type: integer, required: true, filter: true, sort: true }
"#;

#[test]
fn an_index_of_several_fields_gives_their_lists_in_order() {
    let (compiled, database) = filled(&parts(THINGS));
    let plan = compiled.resources.first().unwrap();
    let representation = plan.representation(RepresentationId::canonical(ResourceIndex::from(0)));
    let column = |name: &str| ColumnIndex::from(plan.table.columns.iter().position(|it| it.name == name).unwrap());
    let (kind, shelf, size, updated) = (column("kind"), column("shelf"), column("size"), column("updated_at"));
    let one = |column: ColumnIndex| (column, Test::equal(cell_of(plan, column, 1)));
    let null = |column: ColumnIndex| (column, Test::equal(Cell::Null));
    let several = Test::OneOf { values: vec![cell_of(plan, kind, 1), cell_of(plan, kind, 2)], or_null: false };
    let range = Test::Compare(">", cell_of(plan, size, 0));
    for (filters, sort, index) in [
        (vec![one(kind)], (size, false), "things.kind.size.id.idx"),
        (vec![one(kind)], (size, true), "things.kind.size.id.idx"),
        (vec![null(kind), (size, range)], (size, false), "things.kind.size.id.idx"),
        (vec![one(kind), one(shelf)], (size, false), "things.kind.shelf.size.id.idx"),
        (vec![one(shelf)], (updated, true), "things.shelf.updated_at.id.idx"),
        (vec![one(shelf)], (size, false), "things.size.id.idx"),
        (vec![(kind, several)], (size, false), "things.size.id.idx"),
    ] {
        let filters: Vec<_> = filters.into_iter().map(|(column, test)| Filter { column, test }).collect();
        let query = Query { filters, sort: vec![sort], limit: 3, ..Query::default() };
        let plans = plans_of(&database, plan, representation, &query, WALK);
        assert_none(&plans, &[SCAN]);
        let is_walked = |(_, lines): &(String, Vec<String>)| lines.iter().any(|it| it.contains(&format!(" {index}")));
        assert!(plans.iter().any(is_walked), "{index}: {plans:#?}");
    }
}

#[test]
fn owners_and_scopes_and_views_through_others_are_searched() {
    each(|database, plan, representation| {
        let id = uuid::Uuid::from_u128(1);
        for (column, declared) in plan.table.columns.indexed() {
            if declared.references.is_some() {
                let query = filtered(column, Test::equal(Cell::Uuid(id)));
                assert_none(&plans_of(database, plan, representation, &query, GATHER), &[SCAN, SORT]);
            }
        }
        for through in plan.views.iter().filter_map(|view| view.through.as_ref()) {
            let mut query = Query { limit: 3, ..Query::default() };
            query.through(through.ids(&Viewer::Everything, id));
            for sort in [Vec::new(), vec![(CREATED_AT.into(), true)]] {
                let plans = plans_of(database, plan, representation, &Query { sort, ..query.clone() }, GATHER);
                assert_none(&plans, &[SCAN, "SCAN watches"]);
            }
        }
    });
}

#[test]
fn a_page_after_an_id_is_read_along_the_primary_key() {
    each(|database, plan, representation| {
        for (operator, descending) in [(">", false), (">=", false), ("<", true), ("<=", true)] {
            let after = filtered(ColumnIndex::ID, Test::Compare(operator, cell_of(plan, ColumnIndex::ID, 11)));
            let query = Query { sort: vec![(ColumnIndex::ID, descending)], ..after };
            for (sql, lines) in plans_of(database, plan, representation, &query, WALK) {
                let range = format!("(id{}?)", &operator[..1]);
                let is_range = |line: &String| {
                    line.starts_with("SEARCH t USING") && line.contains("autoindex") && line.ends_with(&range)
                };
                assert!(lines.iter().any(is_range), "{sql}\n{lines:#?}");
                assert!(!lines.iter().any(|line| line.contains("TEMP B-TREE")), "{sql}\n{lines:#?}");
            }
        }
    });
}

#[test]
fn what_begins_with_a_text_is_a_range_of_the_index() {
    each(|database, plan, representation| {
        for (column, _) in representation.parameters.columns().0 {
            let declared = &plan.table.columns[column];
            if declared.kind != ColumnKind::Text {
                continue;
            }
            let mut query = Query { limit: 3, ..Query::default() };
            query.filter(column, FilterOperator::Match(Match::StartsWith), Cell::Text("text".to_owned()));
            let range = format!("({0}>? AND {0}<?)", declared.name);
            for (sql, lines) in plans_of(database, plan, representation, &query, GATHER) {
                let is_range = |line: &String| line.starts_with("SEARCH t USING") && line.ends_with(&range);
                assert!(lines.iter().any(is_range), "{sql}\n{lines:#?}");
            }
        }
    });
}

#[test]
fn what_begins_with_a_text_in_any_case_is_a_range_of_an_index_of_folded_texts() {
    let mut found = Vec::new();
    each(|database, plan, representation| {
        for (column, declared) in plan.table.columns.indexed() {
            let Some(index) = plan.table.folded_index(column.position()) else { continue };
            for sort in [Vec::new(), vec![(column, false)], vec![(CREATED_AT.into(), true)]] {
                let mut query = Query { limit: 3, sort, ..Query::default() };
                let part = Cell::Text("TEXT 1".to_owned());
                query.filter(column, FilterOperator::Match(Match::StartsWithIgnoreCase), part);
                let plans = plans_of(database, plan, representation, &query, GATHER);
                let is_range = |line: &String| {
                    line.starts_with("SEARCH t USING")
                        && line.contains(&index.name)
                        && line.contains("(<expr>>? AND <expr><?)")
                };
                assert!(plans.iter().all(|(_, lines)| lines.iter().any(is_range)), "{}: {plans:#?}", declared.name);
            }
            found.push((plan.table.name.clone(), declared.name.clone(), index.has_ids));
        }
    });
    found.sort();
    found.dedup();
    let is = |(table, column, has_ids): (&str, &str, bool)| (table.to_owned(), column.to_owned(), has_ids);
    let expected =
        [("specimens", "name", true), ("specimens", "note", true), ("tags", "alias", false), ("tags", "name", true)];
    assert_eq!(found, expected.map(is));
}

/// Each part is a file.
const MARKET: &str = r#"
service: market
users: User
---
resource: User
operations: { list: {} }
fields:
  name: { type: string }
  boss: { type: ref, to: User }
---
resource: Offer
operations: { list: {} }
views:
  named: { where: 'seller.name == "text 1"', operations: { list: {} } }
  either: { where: 'seller.name == "text 1" || seller == caller', operations: { list: {} } }
  other: { where: 'seller.name == "text 1" && note != null', operations: { list: {} } }
fields:
  seller: { type: ref, to: User, required: true }
  note: { type: string }
---
resource: Watch
operations: { list: {} }
views:
  sold: { where: 'offer.seller == caller', operations: { list: {} } }
  bossed: { where: 'note == null && offer.seller.boss == caller', operations: { list: {} } }
  own: { where: 'user == caller && note != null', operations: { list: {} } }
  done: { where: 'status == "DONE"', operations: { list: {} } }
  some: { where: 'status in ["DONE", "LOST"]', operations: { list: {} } }
  offered: { where: 'caller.any(Offer.seller, this == outer.offer)', operations: { list: {} } }
  led: { where: 'caller.any(User.boss, name != null && outer.user == this)', operations: { list: {} } }
fields:
  offer: { type: ref, to: Offer, required: true }
  user: { type: ref, to: User }
  status: { type: enum, values: [OPEN, DONE, LOST], filter: true }
  note: { type: string }
"#;

fn market() -> (Plans, Connection) {
    filled(&parts(MARKET))
}

/// Files from the parts of a text.
fn parts(text: &str) -> Vec<File> {
    text.split("---\n").enumerate().map(|(part, text)| File::new(&format!("{part}.yaml"), text)).collect()
}

#[test]
fn a_condition_along_a_reference_is_tested_once_for_each_value_when_rows_are_counted() {
    let (plans, database) = market();
    let (_, plan) = plans.resource("Offer").expect("it is there");
    let caller = Caller::new(uuid::Uuid::from_u128(2));
    let facts = KnownFacts::of_caller(&plans, Some(&caller), 0);
    let conditions = plan.views.iter().filter_map(|view| view.condition.as_ref());
    let counted: Vec<_> = conditions
        .map(|condition| {
            let Reduced::Meets(predicate) = condition.reduce(&facts, &plans.conditions) else {
                panic!("{condition:?}")
            };
            let mut query = Query::default();
            query.meet(&predicate);
            STATEMENTS.take();
            let found = count(&database, &plan.table, &query, None).unwrap();
            (found, STATEMENTS.take()[0].contains("GROUP BY"))
        })
        .collect();
    // users 0, 1 and 2 have a third of the offers each; the names of two of them are null, or of another number
    let third = ROWS.unsigned_abs() / 3;
    let with_note = (0..ROWS).filter(|row| row % 3 == 1 && row % 4 != 0).count() as u64;
    assert_eq!(counted, [(third, true), (2 * third, true), (with_note, false)]);
}

#[test]
fn what_a_condition_excludes_is_found_from_what_it_refers_to() {
    let (plans, mut database) = market();
    let versions = TableVersions::watch(&mut database, &plans).unwrap();
    let counts = PageCounts::new(Arc::clone(&versions));
    let (resource, plan) = plans.resource("Offer").expect("it is there");
    let condition = plan.views.iter().find_map(|view| view.condition.as_ref()).expect("a view has one");
    let facts = KnownFacts::of_caller(&plans, None, 0);
    let Reduced::Meets(predicate) = condition.reduce(&facts, &plans.conditions) else { panic!("{condition:?}") };
    let mut query = Query::default();
    query.meet(&predicate);
    // two sellers, one of whom has the name and all but a few offers
    let id = |number: u128| uuid::Uuid::from_u128(number);
    let set = |sql: &str, values: &[uuid::Uuid]| {
        let values = values.iter().map(|value| value.as_bytes().as_slice());
        database.execute(sql, rusqlite::params_from_iter(values)).unwrap();
    };
    set("DELETE FROM users WHERE id NOT IN (?, ?)", &[id(0), id(1)]);
    set("UPDATE users SET name = 'text 1' WHERE id = ?", &[id(1)]);
    set("UPDATE offers SET seller_id = ?", &[id(1)]);
    let hide = |offer: u128| set("UPDATE offers SET seller_id = ? WHERE id = ?", &[id(0), id(offer)]);
    for hidden in 1..=8 {
        hide(u128::from(hidden));
        versions.begin_commit();
        versions.end_commit();
        STATEMENTS.take();
        let found = counts.of(&database, plan, counts.before(resource, &query), None).unwrap();
        assert_eq!(found, ROWS.unsigned_abs() - hidden);
        let counted = STATEMENTS.take();
        let less = counted.iter().find(|sql| sql.contains("IS NOT TRUE"));
        // at first it is not known how many are excluded, and at last more than a quarter is
        assert_eq!(less.is_some(), (2..8).contains(&hidden), "{hidden}: {counted:#?}");
        if let Some(less) = less {
            let lines = explained(&database, less);
            assert!(lines.iter().any(|line| line.starts_with("SEARCH t USING")), "{lines:#?}");
        }
    }
}

#[test]
fn conditions_of_lists_are_searched() {
    let (plans, database) = market();
    let (_, plan) = plans.resource("Watch").expect("it is there");
    let caller = Caller::new(uuid::Uuid::from_u128(1));
    let facts = KnownFacts::of_caller(&plans, Some(&caller), 0);
    let conditions = plan.views.iter().filter_map(|view| Some((view, view.condition.as_ref()?)));
    let mut tried = 0;
    for (view, condition) in conditions {
        let Reduced::Meets(predicate) = condition.reduce(&facts, &plans.conditions) else { panic!("{condition:?}") };
        let mut query = Query { limit: 3, ..Query::default() };
        query.meet(&predicate);
        for (sql, lines) in plans_of(&database, plan, &view.representations[VersionIndex::PREFERRED], &query, GATHER) {
            let is_searched = lines.iter().any(|line| line.starts_with("SEARCH t USING"));
            // of what a search has found, all is read
            let is_scanned = lines.iter().any(|line| line.starts_with("SCAN") && !line.starts_with("SCAN (subquery"));
            assert!(is_searched && !is_scanned, "{sql}\n{lines:#?}");
        }
        tried += 1;
    }
    assert_eq!(tried, 7);
}
