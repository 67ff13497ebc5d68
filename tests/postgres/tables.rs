//! The tables of a service on PostgreSQL ("Columns are real: one per scalar").

use restwell_generator::{File, compile};
use restwell_model::case_folding::{FOLD_CASE, postgres_function};
use restwell_model::tables::{ColumnKind, Dialect, MAX_IDENTIFIER, Table, create};
use restwell_model::{Checked, Field, OnDelete, Resource, Service, Type};
use restwell_testkit::postgres::Server;
use restwell_testkit::postgres::catalogue;
use std::fs;
use std::path::{Path, PathBuf};

/// Both services of the repository: every column, its type and whether it may be null, every key and every index.
pub(crate) fn as_the_model_has_them(server: &Server) {
    for folder in ["../schemas", "schemas"] {
        let service = of_the_schemas(folder);
        let database = server.database();
        database.run(postgres_function());
        create(&service, Dialect::Postgres).iter().for_each(|statement| database.run(statement));
        let (columns, keys, indexes) =
            (catalogue::columns(&database), catalogue::keys(&database), catalogue::indexes(&database));
        let tables: Vec<_> = service.resources.iter().map(|resource| Table::of(&service, resource)).collect();
        let is_own = |line: &str| line.starts_with("_restwell");
        let expected: usize = tables.iter().map(|table| table.columns.len() + 2 * table.links.len()).sum();
        assert_eq!(columns.iter().filter(|line| !is_own(line)).count(), expected, "{folder}");
        for table in &tables {
            let name = &table.name;
            assert!(keys.contains(&format!("{name} {name}.pk PRIMARY KEY (id)")), "{name}");
            for column in &table.columns {
                let null = if column.nullable { "" } else { " not null" };
                let line = format!("{name}.{} {}{null}", column.name, kind(column.kind));
                assert!(columns.contains(&line), "{line} in {columns:#?}");
                if let Some(foreign) = &column.references {
                    let action = action(foreign.on_delete);
                    let (column, target) = (&column.name, &foreign.table);
                    let key =
                        format!("{name} {name}.{column}.fk FOREIGN KEY ({column}) REFERENCES {target}(id){action}");
                    assert!(keys.contains(&key), "{key} in {keys:#?}");
                }
            }
            for column in &table.indexes {
                let index = table.index(*column).expect("an index");
                let columns = format!("({}, id)", table.columns[*column].name);
                let is_it = |line: &&String| line.contains(&format!("INDEX {} ", index.name));
                let found = indexes.iter().find(is_it).unwrap_or_else(|| panic!("{} in {indexes:#?}", index.name));
                assert!(found.ends_with(&columns) && !found.contains("UNIQUE"), "{found}");
            }
            for column in &table.folded_indexes {
                let index = table.folded_index(*column).expect("an index");
                let columns = format!("({FOLD_CASE}({}), id)", table.columns[*column].name);
                let is_it = |line: &&String| {
                    line.contains(&format!("INDEX \"{}\" ", index.name))
                        || line.contains(&format!("INDEX {} ", index.name))
                };
                let found = indexes.iter().find(is_it).unwrap_or_else(|| panic!("{} in {indexes:#?}", index.name));
                assert!(found.ends_with(&columns) && !found.contains("UNIQUE"), "{found}");
            }
            for unique in &table.uniques {
                let columns: Vec<_> = unique.columns.iter().map(|i| table.columns[*i].name.as_str()).collect();
                let columns = match unique.ignores_case {
                    true => format!("{FOLD_CASE}({})", columns.join(", ")),
                    false => columns.join(", "),
                };
                let ending = format!("public.{name} USING btree ({columns})");
                assert!(indexes.iter().any(|line| line.contains("UNIQUE") && line.ends_with(&ending)), "{ending}");
            }
            for link in &table.links {
                let key = format!("{0} {0}.pk PRIMARY KEY (entity_id, target_id)", link.table);
                assert!(keys.contains(&key), "{key} in {keys:#?}");
                let (this, target) = (&link.table, &link.references.table);
                let key = format!("{this} {this}.target_id.fk FOREIGN KEY (target_id) REFERENCES {target}(id)");
                assert!(keys.contains(&key), "{key} in {keys:#?}");
            }
        }
        let running = "CREATE INDEX _restwell_commands.running ON public._restwell_commands USING btree \
                       (lease, created_at) WHERE (status = 0)";
        assert!(indexes.iter().any(|line| line == running), "{indexes:#?}");
        assert!(!keys.is_empty() && !keys.iter().any(|line| line.contains("NOT VALID")));
        assert!(!indexes.iter().any(|line| line.contains("INVALID")));
    }
}

/// `B` before `a`, `ż` after `z`, as SQLite sorts and pages rely on; and two names that PostgreSQL would cut to one.
pub(crate) fn order_and_names(server: &Server) {
    let mut thing = Resource::new("Thing");
    let long = |end: &str| format!("{}{end}", "word".repeat(20));
    thing.fields = vec![Field::new("name", Type::string()), Field::new(&long("A"), Type::string())];
    thing.fields.push(Field::new(&long("B"), Type::string()));
    thing.fields.iter_mut().for_each(|field| field.filter = true.into());
    let service = Service { resources: vec![thing], ..Service::new("shop") };
    let service = Checked::new(service).expect("a service");
    let table = Table::of(&service, &service.resources[0]);
    assert!(table.columns.iter().all(|column| column.name.len() <= MAX_IDENTIFIER));
    let database = server.database();
    create(&service, Dialect::Postgres).iter().for_each(|statement| database.run(statement));
    for (name, id) in [("ż", 1), ("a", 2), ("B", 3), ("z", 4)] {
        database.run(&format!(
            "INSERT INTO things (id, created_at, updated_at, name, \"{}\", \"{}\") \
             VALUES ('00000000-0000-7000-8000-00000000000{id}', 0, 0, '{name}', 'one', 'other')",
            table.columns[4].name, table.columns[5].name
        ));
    }
    let rows = database.rows("SELECT name FROM things ORDER BY name");
    assert_eq!(rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>(), ["B", "a", "z", "ż"]);
}

/// As PostgreSQL names the type, with the collation of texts.
fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Boolean => "boolean",
        ColumnKind::Integer => "bigint",
        ColumnKind::Real => "double precision",
        ColumnKind::Text | ColumnKind::Json => "text C",
        ColumnKind::Uuid => "uuid",
    }
}

fn action(on_delete: OnDelete) -> &'static str {
    match on_delete {
        OnDelete::Restrict => "",
        OnDelete::Cascade => " ON DELETE CASCADE",
        OnDelete::Null => " ON DELETE SET NULL",
    }
}

fn of_the_schemas(folder: &str) -> Checked {
    let mut files = Vec::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    let files: Vec<_> =
        files.iter().map(|path| File::new(&path.display().to_string(), fs::read(path).expect("a file"))).collect();
    let compiled = compile(&files);
    compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).0
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the schemas are there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { gather(&path, files) } else { files.push(path) }
    }
}
