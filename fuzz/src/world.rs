//! What the targets share: the service of the conventions' tests, which has a field of every type, and its tables.

use restwell::fuzzing::FuzzedService;
use restwell::testing::define_functions;
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_model::tables::{self, Dialect};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The resource that has it all.
const RESOURCE: &str = "Specimen";

static MODEL: LazyLock<Checked> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/schemas");
    let paths = fs::read_dir(folder).expect("the schemas are there").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect();
    paths.sort();
    let file = |path: &std::path::PathBuf| File::new(&path.to_string_lossy(), fs::read(path).expect("a schema"));
    let compiled = compile(&paths.iter().map(file).collect::<Vec<_>>());
    compiled.service.expect("the schemas are right").0
});

static SERVICE: LazyLock<FuzzedService> =
    LazyLock::new(|| FuzzedService::new(MODEL.clone(), RESOURCE).expect("the service compiles"));

thread_local! {
    static DATABASE: Connection = {
        let database = Connection::open_in_memory().expect("a database in memory");
        // indexes call them
        define_functions(&database).expect("the functions can be made");
        for statement in tables::create(&MODEL, Dialect::Sqlite) {
            database.execute_batch(&statement).expect("the tables can be made");
        }
        database
    };
}

/// Makes what is made once.
pub(crate) fn prepare() {
    LazyLock::force(&SERVICE);
    DATABASE.with(|_| ());
}

/// The service.
pub(crate) fn service() -> &'static FuzzedService {
    &SERVICE
}

/// How many values a statement binds on the real tables; why it is no statement.
pub(crate) fn count_marks(sql: &str) -> Result<usize, String> {
    DATABASE.with(|database| {
        database.prepare(sql).map(|statement| statement.parameter_count()).map_err(|error| error.to_string())
    })
}
