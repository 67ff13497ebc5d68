//! The three evaluators of conditions agree: in memory, in SQLite and in PostgreSQL, on random conditions and random
//! entities.
//!
//! A night compares many more pairs of a condition and an entity; `RESTWELL_SEED` repeats a run.

mod access;
mod by_clock;
mod by_derives;
mod clock_cost;
mod coming_back;
mod computed;
mod computed_values;
mod computed_visible;
mod cost;
mod counted;
mod event_readers;
mod events_cost;
mod expressions;
mod fields;
mod filled_fields;
mod former_names;
mod free_values;
mod growth;
mod hidden_fields;
mod hidden_references;
mod killed_commands;
mod market;
mod memberships;
mod named;
mod non_interference;
mod random_commands;
mod referring;
mod sales;
mod stores;
mod strangers;
mod times;
mod visible;
mod world;
mod write_paths;

use expressions::Expressions;
use libtest_mimic::{Arguments, Failed, Trial};
use restwell_model::condition::sql::{Sql, SqlTarget, ids_against, ids_through, predicate};
use restwell_model::condition::{Condition, Mistake, MistakeCode, Scope, Typed, holds, reduce};
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Value};
use restwell_testkit::effort::{by_effort, seed_or_clock};
use restwell_testkit::postgres::{Server, is_required};
use std::process::ExitCode;
use std::sync::Arc;
use world::{CallerFacts, EntityFacts, Random, World};

/// Pairs of a condition and an entity that are compared, by effort.
const PAIRS: (usize, usize, usize) = (2_000, 10_000, 1_000_000);
/// Conditions in one statement.
const CONDITIONS: usize = 40;
/// Entities in one world.
const OFFERS: usize = 50;

fn main() -> ExitCode {
    if std::env::var_os(sales::SERVED).is_some() {
        return restwell::main(sales::service());
    }
    let arguments = Arguments::from_args();
    let server = Server::find();
    let skipped = server.is_err() && !is_required();
    let sqlite = Trial::test("sqlite_agrees_with_rust", || agree(&SqliteRows::new));
    let on_sqlite = Trial::test("access_on_sqlite", || access::run(None));
    let visible_on_sqlite = Trial::test("visible_on_sqlite", || visible::run(None));
    let readers_on_sqlite = Trial::test("readers_of_events_on_sqlite", || event_readers::run(None));
    let fields_on_sqlite = Trial::test("fields_on_sqlite", || fields::run(None));
    let hidden_on_sqlite = Trial::test("hidden_fields_do_not_interfere_on_sqlite", || hidden_fields::run(None));
    let server = Arc::new(server);
    let with_server = |name: &str, test: fn(&Server) -> Result<(), Failed>| {
        let server = Arc::clone(&server);
        let run = move || match &*server {
            Ok(server) => test(server),
            Err(error) => Err(Failed::from(error.clone())),
        };
        Trial::test(name, run).with_ignored_flag(skipped)
    };
    let postgres =
        with_server("postgres_agrees_with_rust", |server| agree(&|world: &World| PostgresRows::new(server, world)));
    let on_postgres = with_server("access_on_postgres", |server| access::run(Some(server)));
    let readers_on_postgres = with_server("readers_of_events_on_postgres", |server| event_readers::run(Some(server)));
    let visible_on_postgres = with_server("visible_on_postgres", |server| visible::run(Some(server)));
    let fields_on_postgres = with_server("fields_on_postgres", |server| fields::run(Some(server)));
    let hidden_on_postgres =
        with_server("hidden_fields_do_not_interfere_on_postgres", |server| hidden_fields::run(Some(server)));
    let pairs_on_sqlite = Trial::test("non_interference_on_sqlite", || non_interference::run(None));
    let pairs_on_postgres = with_server("non_interference_on_postgres", |server| non_interference::run(Some(server)));
    let computed_on_sqlite = Trial::test("computed_on_sqlite", || computed::run(None));
    let computed_on_postgres = with_server("computed_on_postgres", |server| computed::run(Some(server)));
    let free_values_on_sqlite = Trial::test("free_values_on_sqlite", || free_values::run(None));
    let free_values_on_postgres = with_server("free_values_on_postgres", |server| free_values::run(Some(server)));
    let computed_visible = Trial::test("computed_fields_are_hidden_on_sqlite", || computed_visible::run(None));
    let computed_visible_there =
        with_server("computed_fields_are_hidden_on_postgres", |server| computed_visible::run(Some(server)));
    let filled = Trial::test("own_code_sees_what_the_service_fills_on_sqlite", || filled_fields::run(None));
    let filled_on_postgres =
        with_server("own_code_sees_what_the_service_fills_on_postgres", |server| filled_fields::run(Some(server)));
    let paths = Trial::test("every_write_path_keeps_every_rule_on_sqlite", || write_paths::run(None));
    let random = Trial::test("random_commands_stay_on_the_graph_on_sqlite", || random_commands::run(None));
    let paths_there =
        with_server("every_write_path_keeps_every_rule_on_postgres", |server| write_paths::run(Some(server)));
    let random_there =
        with_server("random_commands_stay_on_the_graph_on_postgres", |server| random_commands::run(Some(server)));
    let killed = Trial::test("killed_commands_stay_on_the_graph_on_sqlite", || killed_commands::run(None));
    let killed_there =
        with_server("killed_commands_stay_on_the_graph_on_postgres", |server| killed_commands::run(Some(server)));
    let by_clock = with_server("transitions_by_the_clock_happen_once_with_three_instances", by_clock::run);
    let on_sqlite = [sqlite, on_sqlite, visible_on_sqlite, readers_on_sqlite, pairs_on_sqlite, paths, random];
    let on_postgres = [
        postgres,
        on_postgres,
        visible_on_postgres,
        readers_on_postgres,
        pairs_on_postgres,
        paths_there,
        random_there,
        by_clock,
    ];
    let references = Trial::test("hidden_references_on_sqlite", || hidden_references::run(None));
    let references_there = with_server("hidden_references_on_postgres", |server| hidden_references::run(Some(server)));
    let clock_cost = Trial::test("the_clock_reads_only_what_is_due", clock_cost::run);
    let costs = Trial::test("conditions_are_served_by_indexes_on_sqlite", || cost::run(None));
    let costs_there = with_server("conditions_are_served_by_indexes_on_postgres", |server| cost::run(Some(server)));
    let events = Trial::test("events_are_decided_on_together_on_sqlite", || events_cost::run(None));
    let events_there =
        with_server("events_are_decided_on_together_on_postgres", |server| events_cost::run(Some(server)));
    let growth = with_server("plans_grow_with_the_text_on_postgres", growth::run);
    let strangers = Trial::test("nobody_equals_nothing_on_sqlite", || strangers::run(None));
    let strangers_there = with_server("nobody_equals_nothing_on_postgres", |server| strangers::run(Some(server)));
    let long = Trial::test("long_conditions_are_answered_on_sqlite", || strangers::long_conditions(None));
    let long_there =
        with_server("long_conditions_are_answered_on_postgres", |server| strangers::long_conditions(Some(server)));
    let memberships = Trial::test("memberships_on_sqlite", || memberships::run(None));
    let memberships_there = with_server("memberships_on_postgres", |server| memberships::run(Some(server)));
    let coming_back = Trial::test("rules_that_come_back_on_sqlite", || coming_back::run(None));
    let coming_back_there = with_server("rules_that_come_back_on_postgres", |server| coming_back::run(Some(server)));
    let counted = Trial::test("counts_go_as_far_as_needed_on_sqlite", || counted::run(None));
    let counted_there = with_server("counts_go_as_far_as_needed_on_postgres", |server| counted::run(Some(server)));
    let named = Trial::test("names_stand_for_conditions_on_sqlite", || named::run(None));
    let named_there = with_server("names_stand_for_conditions_on_postgres", |server| named::run(Some(server)));
    let derived = Trial::test("derives_say_the_same_on_sqlite", by_derives::run);
    let former = Trial::test("former_names_of_hidden_fields_on_sqlite", || former_names::run(None));
    let former_there =
        with_server("former_names_of_hidden_fields_on_postgres", |server| former_names::run(Some(server)));
    let times = Trial::test("times_of_writes_and_of_the_clock_on_sqlite", || times::run(None));
    let times_there = with_server("times_of_writes_and_of_the_clock_on_postgres", |server| times::run(Some(server)));
    let of_fields = [
        named,
        named_there,
        memberships,
        memberships_there,
        coming_back,
        coming_back_there,
        counted,
        counted_there,
        filled,
        filled_on_postgres,
        derived,
        growth,
        strangers,
        strangers_there,
        long,
        long_there,
        former,
        former_there,
        times,
        times_there,
        references,
        references_there,
        clock_cost,
        costs,
        costs_there,
        events,
        events_there,
        killed,
        killed_there,
        computed_on_sqlite,
        computed_on_postgres,
        free_values_on_sqlite,
        free_values_on_postgres,
        computed_visible,
        computed_visible_there,
        fields_on_sqlite,
        fields_on_postgres,
        hidden_on_sqlite,
        hidden_on_postgres,
    ];
    let trials = on_sqlite.into_iter().chain(on_postgres).chain(of_fields).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A database with the rows of a world.
trait Rows {
    const DIALECT: Dialect;

    /// The first column of a statement.
    fn texts(&self, sql: &str) -> Result<Vec<String>, String>;
}

struct SqliteRows(rusqlite::Connection);

impl SqliteRows {
    fn new(world: &World) -> Self {
        let connection = rusqlite::Connection::open_in_memory().expect("a database");
        restwell::testing::define_functions(&connection).expect("functions");
        for statement in world.statements(Self::DIALECT) {
            connection.execute_batch(&statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
        Self(connection)
    }
}

impl Rows for SqliteRows {
    const DIALECT: Dialect = Dialect::Sqlite;

    fn texts(&self, sql: &str) -> Result<Vec<String>, String> {
        let explain = |error: rusqlite::Error| error.to_string();
        let mut statement = self.0.prepare(sql).map_err(explain)?;
        let rows = statement.query_map([], |row| row.get(0)).map_err(explain)?;
        rows.collect::<Result<_, _>>().map_err(explain)
    }
}

struct PostgresRows(restwell_testkit::postgres::Database);

impl PostgresRows {
    fn new(server: &Server, world: &World) -> Self {
        let database = server.database();
        database.run(restwell_model::case_folding::postgres_function());
        database.run(&world.statements(Self::DIALECT).join(";\n"));
        Self(database)
    }
}

impl Rows for PostgresRows {
    const DIALECT: Dialect = Dialect::Postgres;

    fn texts(&self, sql: &str) -> Result<Vec<String>, String> {
        Ok(self.0.texts(sql))
    }
}

fn agree<R: Rows>(fill: &dyn Fn(&World) -> R) -> Result<(), Failed> {
    let seed = seed_or_clock();
    let pairs = by_effort(PAIRS);
    let (mut random, service) = (Random::new(seed), world::service());
    let (mut compared, mut held) = (0, 0);
    while compared < pairs {
        let world = World::new(&service, &mut random, OFFERS);
        let rows = fill(&world);
        // a database is made for many statements
        for _ in 0..5 {
            held += statement(&service, &world, &rows, &mut random).map_err(|error| format!("seed {seed}: {error}"))?;
            compared += CONDITIONS * OFFERS;
            computed_values::statement(&service, &world, &rows, &mut random)
                .map_err(|error| format!("seed {seed}: {error}"))?;
        }
    }
    // most conditions hold for some entities and not for others
    if held * 20 < compared || held * 20 > compared * 19 {
        return Err(Failed::from(format!("{held} of {compared} hold")));
    }
    Ok(())
}

/// Compares some conditions on all entities; how many pairs hold.
fn statement(service: &Checked, world: &World, rows: &impl Rows, random: &mut Random) -> Result<usize, String> {
    let caller = CallerFacts::random(world, random);
    let scope = Scope { service, entity: service.resource("Offer"), old: false };
    let mut conditions: Vec<(String, Typed, Sql)> = Vec::new();
    while conditions.len() < CONDITIONS {
        let text = Expressions::new(random).boolean(3);
        let Some(typed) = well_typed(&text, Condition::new(&text).typed(&scope))? else { continue };
        let reduced = reduce(&typed, &caller);
        let target = SqlTarget { dialect: rows_dialect(rows), tables: &world.tables, resource: "Offer", alias: "t" };
        let sql = predicate(&reduced, target).ok_or_else(|| format!("not SQL: {text}"))?;
        conditions.push((text, typed, sql));
    }
    for _ in 0..CONDITIONS {
        let text = Expressions::new(random).boolean(1);
        let Some(typed) = well_typed(&text, Condition::new(&text).typed(&scope))? else { continue };
        let target = SqlTarget { dialect: rows_dialect(rows), tables: &world.tables, resource: "Offer", alias: "t" };
        let forms = by_reference(&reduce(&typed, &caller), target).into_iter().flatten();
        conditions.extend(forms.map(|(form, sql)| (format!("{text}, {form}"), typed.clone(), sql)));
    }
    let columns: Vec<_> = conditions
        .iter()
        .map(|(_, _, sql)| format!("CASE WHEN {} THEN '1' ELSE '0' END", inlined(sql, rows_dialect(rows))))
        .collect();
    let sql = |columns: &[String]| format!("SELECT {} FROM \"offers\" t ORDER BY t.\"id\"", columns.join(" || "));
    let found = rows.texts(&sql(&columns)).map_err(|error| {
        let broken =
            conditions.iter().zip(&columns).find(|(_, column)| rows.texts(&sql(&[(*column).clone()])).is_err());
        format!("{error}: {:?}", broken.map(|((text, ..), column)| (text, column)))
    })?;
    let mut held = 0;
    for (offer, found) in world.offers().zip(&found) {
        for (index, (text, typed, sql)) in conditions.iter().enumerate() {
            let expected = holds(typed, &EntityFacts { world, offer, caller: &caller });
            let in_sql = found.as_bytes()[index] == b'1';
            if expected != Some(in_sql) {
                return Err(format!("{text}\nin Rust {expected:?}, in SQL {in_sql}: {}\n{offer:?}", sql.text));
            }
            held += usize::from(in_sql);
        }
    }
    Ok(held)
}

/// The resolved form of an expression; none of one that is too large. Any other mistake is one of this test.
pub(crate) fn well_typed(text: &str, resolved: Result<Typed, Vec<Mistake>>) -> Result<Option<Typed>, String> {
    match resolved {
        Ok(typed) => Ok(Some(typed)),
        Err(mistakes) if mistakes.iter().all(|mistake| mistake.code == MistakeCode::TooLarge) => Ok(None),
        Err(mistakes) => Err(format!("{text}\n{mistakes:?}")),
    }
}

/// The same condition as one on the ids that a reference may have, and on those that it may not have, if it is only on
/// what that refers to.
fn by_reference(typed: &Typed, target: SqlTarget<'_>) -> Option<[(&'static str, Sql); 2]> {
    let (through, against) = (ids_through(typed, target)?, ids_against(typed, target)?);
    let [name] = through.reference.names.as_slice() else { return None };
    let table = &target.tables[target.resource];
    let column = &table.columns[table.slot(name)?.columns.start].name;
    let among = Sql { text: format!("t.\"{column}\" IN ({})", through.ids.text), values: through.ids.values };
    let beyond = format!("t.\"{column}\" IS NOT NULL AND t.\"{column}\" NOT IN ({})", against.ids.text);
    Some([
        ("by the ids that it may have", among),
        ("by those that it may not", Sql { text: beyond, values: against.ids.values }),
    ])
}

fn rows_dialect<R: Rows>(_: &R) -> Dialect {
    R::DIALECT
}

/// The text with its values written where they are bound.
fn inlined(sql: &Sql, dialect: Dialect) -> String {
    let mut values = sql.values.iter();
    let parts = sql.text.split('?').map(str::to_owned);
    parts.reduce(|text, part| text + &literal(values.next().expect("a value"), dialect) + &part).unwrap_or_default()
}

fn literal(value: &Value, dialect: Dialect) -> String {
    match (value, dialect) {
        (Value::Int(number), _) => format!("({number})"),
        (Value::Float(number), _) => format!("({number:?})"),
        (Value::Text(text), _) => format!("'{}'", text.replace('\'', "''")),
        (Value::Uuid(id), Dialect::Sqlite) => format!("X'{}'", id.simple()),
        (Value::Uuid(id), Dialect::Postgres) => format!("'{id}'"),
        (Value::Bool(flag), Dialect::Sqlite) => u8::from(*flag).to_string(),
        (Value::Bool(flag), Dialect::Postgres) => flag.to_string(),
        _ => "NULL".to_owned(),
    }
}
