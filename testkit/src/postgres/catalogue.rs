//! What PostgreSQL says of a database: the columns, keys and indexes of each table, one line each, without quotes: it
//! quotes a name only if needed, and that changes from release to release.

use super::Database;

/// `offers.seller_id uuid not null`, in the order of columns.
pub fn columns(database: &Database) -> Vec<String> {
    lines(
        database,
        "SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attcollation <> 0 THEN ' ' || (SELECT collname FROM pg_collation WHERE oid = a.attcollation)
                ELSE '' END, CASE WHEN a.attnotnull THEN ' not null' ELSE '' END)
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
         ORDER BY c.relname COLLATE \"C\", a.attname COLLATE \"C\"",
    )
}

/// `offers.weight 1`: what a row gets that does not say.
pub fn defaults(database: &Database) -> Vec<String> {
    lines(
        database,
        "SELECT format('%s.%s %s', c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid))
         FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
         JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
         WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1",
    )
}

/// Primary and foreign keys, by name; one that is not valid yet says so.
pub fn keys(database: &Database) -> Vec<String> {
    lines(
        database,
        "SELECT format('%s %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
         FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace ORDER BY c.conname COLLATE \"C\"",
    )
}

/// Indexes, by name; one that is not valid says so.
pub fn indexes(database: &Database) -> Vec<String> {
    lines(
        database,
        "SELECT pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid THEN '' ELSE ' INVALID' END
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname COLLATE \"C\"",
    )
}

fn lines(database: &Database, sql: &str) -> Vec<String> {
    database.rows(sql).iter().map(|row| row.get::<_, String>(0).replace('"', "")).collect()
}
