//! Indexes on a filter and the state that decides who sees an entity: counting what is seen reads nothing else.

use restwell::testing::{Running, Setup};
use restwell::{Builder, Enum, Resource};
use restwell_testkit::postgres::{Database, Server, catalogue};

/// Ended offers are seen by no caller.
#[derive(Debug, Clone, Resource)]
#[resource(visible = [when("state == \"ACTIVE\"")])]
struct Offer {
    #[field(filter)]
    kind: Kind,
    #[field(filter)]
    name: String,
    state: State,
}

#[derive(Debug, Clone, Enum)]
enum Kind {
    Book,
    Toy,
}

#[derive(Debug, Clone, Enum)]
enum State {
    Active,
    Ended,
}

/// What is indexed, as PostgreSQL says it.
const INDEX: &str = "CREATE INDEX _restwell.state.offers.kind.state ON public.offers USING btree (kind, state, id)";

fn start(database: &Database) -> Running {
    Setup::of(Builder::new("shop").resource::<Offer>()).database(database.url()).start()
}

fn of_states(database: &Database) -> Vec<String> {
    catalogue::indexes(database).into_iter().filter(|line| line.contains(" _restwell.state.")).collect()
}

/// A new database has them, a name has too many values for one, and the offers that are not seen are not read.
pub(crate) fn what_is_seen_is_counted_by_an_index(server: &Server) {
    let database = server.database();
    let _running = start(&database);
    assert_eq!(of_states(&database), [INDEX]);
    database.run(
        "INSERT INTO offers SELECT gen_random_uuid(), n, n, (ARRAY['BOOK', 'TOY'])[1 + n % 2], n, \
         (ARRAY['ACTIVE', 'ENDED'])[1 + n / 2 % 2] FROM generate_series(1, 4000) n",
    );
    database.run("VACUUM ANALYZE offers");
    let plan = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \
                SELECT count(*) FROM offers t WHERE t.kind = 'BOOK' AND t.state = 'ACTIVE'";
    let plan = database.texts(plan).join("\n");
    assert!(plan.contains("Index Only Scan using \"_restwell.state.offers.kind.state\""), "{plan}");
    assert!(plan.contains("rows=1000 ") && !plan.contains("Rows Removed"), "{plan}");
}

/// A database of an earlier version gets them at the next start; what is not wanted any more goes, and so does what was
/// left half made.
pub(crate) fn indexes_of_states_follow_the_model(server: &Server) {
    let database = server.database();
    drop(start(&database));
    database.run("DROP INDEX \"_restwell.state.offers.kind.state\"");
    database.run("CREATE INDEX \"_restwell.state.offers.name.state\" ON offers (name, state, id)");
    drop(start(&database));
    assert_eq!(of_states(&database), [INDEX]);
    database.run(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\"_restwell.state.offers.kind.state\"'::regclass",
    );
    assert!(of_states(&database)[0].ends_with("INVALID"));
    drop(start(&database));
    assert_eq!(of_states(&database), [INDEX]);
}
