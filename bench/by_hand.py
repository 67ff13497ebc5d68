"""A service written by hand, as an engineer would: axum, serde and sqlx, a module for each resource.

What `compile_time.py` compares generated code with. Each resource has the same twenty fields as the schemas there, and
what a client needs of them: a list with filters, a sort, a count and paging, reading one, creating, replacing, JSON
merge patch and deleting, with every field validated and all problems reported together. It has no versions, no views,
no entity tags, no events, no migrations and only SQLite.
"""

import os

MANIFEST = """[package]
name = "things"
version = "0.1.0"
edition = "2024"

[dependencies]
axum = "0.8.9"
chrono = { version = "0.4", features = ["serde"] }
rust_decimal = { version = "1.43", features = ["serde"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
sqlx = { version = "0.9", default-features = false, features = ["runtime-tokio", "sqlite", "uuid", "chrono", "derive", "macros"] }
tokio = { version = "1.54", features = ["full"] }
uuid = { version = "1.29", features = ["v7", "serde"] }

[profile.dev]
debug = "line-tables-only"
[profile.dev.package."*"]
debug = false

[workspace]
"""

SHARED = r"""//! What all resources share.
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sqlx::SqlitePool;

#[derive(Clone)]
pub struct Database {
    pub read: SqlitePool,
    pub write: SqlitePool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    pub code: &'static str,
    pub path: &'static str,
}

pub enum Failure {
    NotFound,
    Invalid(Vec<Problem>),
    Database(sqlx::Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::RowNotFound => Self::NotFound,
            error => Self::Database(error),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => (StatusCode::NOT_FOUND, Json(vec![Problem { code: "NotFound", path: "id" }])).into_response(),
            Self::Invalid(problems) => (StatusCode::UNPROCESSABLE_ENTITY, Json(problems)).into_response(),
            Self::Database(error) => {
                eprintln!("{error}");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub amount: Decimal,
    pub currency: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub street: Option<String>,
    pub city: Option<String>,
}

pub struct Problems(pub Vec<Problem>);

impl Problems {
    pub fn length(&mut self, value: &str, most: usize, path: &'static str) {
        if value.chars().count() > most {
            self.0.push(Problem { code: "TooLong", path });
        }
    }

    pub fn range(&mut self, value: i64, least: i64, most: i64, path: &'static str) {
        if value < least || value > most {
            self.0.push(Problem { code: "OutOfRange", path });
        }
    }

    pub fn scale(&mut self, value: Decimal, most: u32, path: &'static str) {
        if value.normalize().scale() > most {
            self.0.push(Problem { code: "TooPrecise", path });
        }
    }

    pub fn price(&mut self, value: &Price, path: &'static str) {
        self.scale(value.amount, 2, path);
        if value.currency.len() != 3 || !value.currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
            self.0.push(Problem { code: "InvalidCurrency", path });
        }
    }

    pub fn country(&mut self, value: &str, path: &'static str) {
        if value.len() != 2 || !value.bytes().all(|byte| byte.is_ascii_uppercase()) {
            self.0.push(Problem { code: "InvalidCountry", path });
        }
    }

    pub fn none(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::Invalid(self.0)) }
    }
}

pub fn millis<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// In a patch, a member that is null is another thing than one that is missing.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

pub fn price(minor: i64, currency: String) -> Price {
    Price { amount: Decimal::new(minor, 2), currency }
}

pub fn minor(price: &Price) -> i64 {
    let mut amount = price.amount;
    amount.rescale(2);
    i64::try_from(amount.mantissa()).unwrap_or(i64::MAX)
}
"""

MAIN = r"""//! The program: DATABASE_URL names the file.
%(modules)s
mod shared;

use axum::Router;
use shared::Database;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use std::str::FromStr;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("DATABASE_URL")?;
    let options = SqliteConnectOptions::from_str(&url)?.create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    let database = Database {
        read: SqlitePoolOptions::new().max_connections(4).connect_with(options.clone()).await?,
        write: SqlitePoolOptions::new().max_connections(1).connect_with(options).await?,
    };
%(tables)s
    let app = Router::new()
%(routes)s
        .with_state(database);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 8080)).await?;
    axum::serve(listener, app).await?;
    Ok(())
}
"""

RESOURCE = r"""//! %(name)s: one of many.
use crate::shared::{Database, Failure, Place, Price, Problem, Problems, millis, minor, present, price};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, QueryBuilder, Sqlite, SqlitePool};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sqlx(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Active,
    Ended,
    Suspended,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct %(name)s {
    pub id: Uuid,
    #[serde(serialize_with = "millis")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "millis")]
    pub updated_at: DateTime<Utc>,
%(fields)s
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct %(name)sInput {
%(inputs)s
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct %(name)sPatch {
%(patches)s
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct %(name)sQuery {
    pub offset: Option<i64>,
    pub limit: Option<i64>,
    pub sort: Option<String>,
%(filters)s
}

#[derive(Debug, Serialize)]
pub struct %(name)sPage {
    pub items: Vec<%(name)s>,
    pub count: i64,
}

#[derive(Debug, FromRow)]
struct Row {
    id: Uuid,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
%(columns)s
}

impl From<Row> for %(name)s {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            created_at: row.created_at,
            updated_at: row.updated_at,
%(from_row)s
        }
    }
}

impl From<%(name)s> for %(name)sInput {
    fn from(entity: %(name)s) -> Self {
        Self {
%(from_entity)s
        }
    }
}

impl %(name)sInput {
    fn validate(&self) -> Result<(), Failure> {
        let mut problems = Problems(Vec::new());
%(checks)s
        problems.none()
    }

    fn apply(&mut self, patch: %(name)sPatch) -> Result<(), Failure> {
        let mut problems = Problems(Vec::new());
%(applies)s
        problems.none()
    }
}

pub const TABLE: &str = "CREATE TABLE IF NOT EXISTS %(table)s (id BLOB PRIMARY KEY, created_at TEXT NOT NULL, \
     updated_at TEXT NOT NULL%(definitions)s)";
const COLUMNS: &str = "id, created_at, updated_at%(column_names)s";
const INSERT: &str = "INSERT INTO %(table)s (id, created_at, updated_at%(written)s) VALUES (?, ?, ?%(marks)s)";
const UPDATE: &str = "UPDATE %(table)s SET updated_at = ?%(sets)s WHERE id = ?";
const MOST: i64 = 1000;

fn filter(query: &mut QueryBuilder<Sqlite>, filters: &%(name)sQuery) {
    query.push(" WHERE 1 = 1");
%(conditions)s
}

fn order(query: &mut QueryBuilder<Sqlite>, sort: Option<&str>) -> Result<(), Failure> {
    let sort = sort.unwrap_or("id");
    let (name, direction) = sort.strip_prefix('-').map_or((sort, ""), |name| (name, " DESC"));
    let column = match name {
        "id" => "id",
        "createdAt" => "created_at",
        "updatedAt" => "updated_at",
%(sorts)s
        _ => return Err(Failure::Invalid(vec![Problem { code: "UnknownSort", path: "sort" }])),
    };
    query.push(" ORDER BY ").push(column).push(direction).push(", id");
    Ok(())
}

async fn find(pool: &SqlitePool, id: Uuid) -> Result<%(name)s, Failure> {
    let row: Option<Row> = QueryBuilder::new("SELECT ")
        .push(COLUMNS)
        .push(" FROM %(table)s WHERE id = ")
        .push_bind(id)
        .build_query_as()
        .fetch_optional(pool)
        .await?;
    row.map(Into::into).ok_or(Failure::NotFound)
}

async fn list(State(database): State<Database>, Query(query): Query<%(name)sQuery>) -> Result<Json<%(name)sPage>, Failure> {
    let limit = query.limit.unwrap_or(50);
    let offset = query.offset.unwrap_or(0);
    let mut problems = Problems(Vec::new());
    problems.range(limit, 0, MOST, "limit");
    problems.range(offset, 0, i64::MAX, "offset");
    problems.none()?;
    let mut page = QueryBuilder::new("SELECT ");
    page.push(COLUMNS).push(" FROM %(table)s");
    filter(&mut page, &query);
    order(&mut page, query.sort.as_deref())?;
    page.push(" LIMIT ").push_bind(limit).push(" OFFSET ").push_bind(offset);
    let mut count = QueryBuilder::new("SELECT COUNT(*) FROM %(table)s");
    filter(&mut count, &query);
    let mut connection = database.read.acquire().await?;
    let rows: Vec<Row> = page.build_query_as().fetch_all(&mut *connection).await?;
    let count: i64 = count.build_query_scalar().fetch_one(&mut *connection).await?;
    Ok(Json(%(name)sPage { items: rows.into_iter().map(Into::into).collect(), count }))
}

async fn get_one(State(database): State<Database>, Path(id): Path<Uuid>) -> Result<Json<%(name)s>, Failure> {
    find(&database.read, id).await.map(Json)
}

async fn create(State(database): State<Database>, Json(input): Json<%(name)sInput>) -> Result<impl IntoResponse, Failure> {
    input.validate()?;
    let (id, now) = (Uuid::now_v7(), Utc::now());
    sqlx::query(INSERT)
        .bind(id)
        .bind(now)
        .bind(now)
%(binds)s
        .execute(&database.write)
        .await?;
    let entity = find(&database.write, id).await?;
    Ok((StatusCode::CREATED, [(header::LOCATION, format!("/%(path)s/{id}"))], Json(entity)))
}

async fn write(database: &Database, id: Uuid, input: &%(name)sInput) -> Result<%(name)s, Failure> {
    let done = sqlx::query(UPDATE)
        .bind(Utc::now())
%(binds)s
        .bind(id)
        .execute(&database.write)
        .await?;
    if done.rows_affected() == 0 {
        return Err(Failure::NotFound);
    }
    find(&database.write, id).await
}

async fn replace(
    State(database): State<Database>,
    Path(id): Path<Uuid>,
    Json(input): Json<%(name)sInput>,
) -> Result<Json<%(name)s>, Failure> {
    input.validate()?;
    write(&database, id, &input).await.map(Json)
}

async fn patch(
    State(database): State<Database>,
    Path(id): Path<Uuid>,
    Json(patch): Json<%(name)sPatch>,
) -> Result<Json<%(name)s>, Failure> {
    let mut input = %(name)sInput::from(find(&database.read, id).await?);
    input.apply(patch)?;
    input.validate()?;
    write(&database, id, &input).await.map(Json)
}

async fn remove(State(database): State<Database>, Path(id): Path<Uuid>) -> Result<StatusCode, Failure> {
    let done = sqlx::query("DELETE FROM %(table)s WHERE id = ?").bind(id).execute(&database.write).await?;
    if done.rows_affected() == 0 { Err(Failure::NotFound) } else { Ok(StatusCode::NO_CONTENT) }
}

pub fn routes() -> Router<Database> {
    Router::new()
        .route("/%(path)s", get(list).post(create))
        .route("/%(path)s/{id}", get(get_one).put(replace).patch(patch).delete(remove))
}
"""


class Type:
    """How a field of a type is written: `%(f)s` is its name, `%(j)s` its name in JSON."""

    def __init__(self, rust, *, required=False, default=None, read_only=False, filters=(), sort=None, check="", columns=None):
        self.rust, self.required, self.default, self.read_only = rust, required, default, read_only
        self.filters, self.sort, self.check = filters, sort, check
        # name after that of the field, type in Rust and in SQL, how it is read of an input
        self.columns = columns or [("", rust, "TEXT", "input.%(f)s" if rust in COPIED else "&input.%(f)s")]


COPIED = ("i64", "bool", "Status", "NaiveDate", "DateTime<Utc>")
TYPES = [
    Type("String", required=True, filters=["String"], sort="", check="problems.length(%(v)s, 75, \"%(j)s\");"),
    Type("i64", default="1", check="problems.range(*%(v)s, 0, %(maximum)s, \"%(j)s\");", columns=[("", "i64", "INTEGER", "input.%(f)s")]),
    Type("Decimal", check="problems.scale(*%(v)s, 3, \"%(j)s\");",
         columns=[("", "String", "TEXT", "input.%(f)s.map(|value| value.to_string())")]),
    Type("Price", required=True, filters=["Decimal"], sort="_minor", check="problems.price(%(v)s, \"%(j)s\");",
         columns=[("_minor", "i64", "INTEGER", "minor(&input.%(f)s)"), ("_currency", "String", "TEXT", "&input.%(f)s.currency")]),
    Type("DateTime<Utc>", read_only=True, filters=["DateTime<Utc>"], sort=""),
    Type("Status", default="Status::Active", filters=["Status"]),
    Type("bool", default="false", columns=[("", "bool", "INTEGER", "input.%(f)s")]),
    Type("String", filters=["String"], check="problems.country(%(v)s, \"%(j)s\");"),
    Type("NaiveDate"),
    Type("Place", filters=["String"], check="if let Some(street) = &%(v)s.street { problems.length(street, 120, \"%(j)s.street\"); }",
         columns=[("_street", "String", "TEXT", "input.%(f)s.as_ref().and_then(|value| value.street.as_ref())"),
                  ("_city", "String", "TEXT", "input.%(f)s.as_ref().and_then(|value| value.city.as_ref())")]),
]


def resource(name, snake, fields, maximum):
    """A module. `fields`: names in Rust and in JSON."""
    out = {key: [] for key in (
        "fields inputs patches filters columns from_row from_entity checks applies conditions sorts binds".split()
    )}
    columns = []
    for index, (f, j) in enumerate(fields):
        kind = TYPES[index % len(TYPES)]
        names = {"f": f, "j": j, "maximum": maximum}
        optional = not kind.required and kind.default is None
        rust = f"Option<{kind.rust}>" if optional else kind.rust
        out["fields"].append(f"    pub {f}: {rust},")
        for suffix, column, sql, value in kind.columns:
            columns.append((f + suffix, sql + ("" if optional else " NOT NULL")))
            out["columns"].append(f"    {f}{suffix}: " + (f"Option<{column}>," if optional else f"{column},"))
            if not kind.read_only:
                out["binds"].append(f"        .bind({value % names})")
        if kind.rust == "Price":
            out["from_row"].append(f"            {f}: price(row.{f}_minor, row.{f}_currency),")
        elif kind.rust == "Place":
            out["from_row"].append(
                f"            {f}: (row.{f}_street.is_some() || row.{f}_city.is_some())\n"
                f"                .then_some(Place {{ street: row.{f}_street, city: row.{f}_city }}),")
        elif kind.rust == "Decimal":
            out["from_row"].append(f"            {f}: row.{f}.and_then(|value| value.parse().ok()),")
        else:
            out["from_row"].append(f"            {f}: row.{f},")
        for rust_filter in kind.filters:
            column = {"Price": f + "_minor", "Place": f + "_city"}.get(kind.rust, f)
            value = "(value * Decimal::ONE_HUNDRED).round().mantissa() as i64" if kind.rust == "Price" else "value.clone()"
            out["filters"].append(f"    pub {f}: Option<{rust_filter}>,")
            out["conditions"].append(
                f"    if let Some(value) = &filters.{f} {{\n        query.push(\" AND {column} = \").push_bind({value});\n    }}")
        if kind.sort is not None:
            out["sorts"].append(f"        \"{j}\" => \"{f}{kind.sort}\",")
        if kind.read_only:
            continue
        if kind.default is not None:
            out["inputs"].append(f"    #[serde(default = \"default_{f}\")]")
        out["inputs"].append(f"    pub {f}: {rust},")
        out["patches"].append(f"    #[serde(default, deserialize_with = \"present\")]\n    pub {f}: Option<Option<{kind.rust}>>,")
        out["from_entity"].append(f"            {f}: entity.{f},")
        if kind.check and optional:
            out["checks"].append(f"        if let Some(value) = &self.{f} {{\n            {kind.check % (names | {'v': 'value'})}\n        }}")
        elif kind.check:
            check = (kind.check % (names | {"v": f"&self.{f}"})).replace("*&", "")
            out["checks"].append(f"        {check}")
        if optional:
            out["applies"].append(f"        if let Some(value) = patch.{f} {{\n            self.{f} = value;\n        }}")
        else:
            missing = f"self.{f} = default_{f}()" if kind.default else f"problems.0.push(Problem {{ code: \"Required\", path: \"{j}\" }})"
            out["applies"].append(
                f"        match patch.{f} {{\n            Some(Some(value)) => self.{f} = value,\n"
                f"            Some(None) => {missing},\n            None => {{}}\n        }}")
    read_only = {f for index, (f, _) in enumerate(fields) if TYPES[index % len(TYPES)].read_only}
    written = [column for column, _ in columns if column not in read_only]
    text = RESOURCE % (
        {key: "\n".join(lines) for key, lines in out.items()}
        | {
            "name": name,
            "table": snake + "s",
            "path": snake.replace("_", "-") + "s",
            "definitions": "".join(f", {column} {sql}" for column, sql in columns),
            "column_names": "".join(f", {column}" for column, _ in columns),
            "written": "".join(f", {column}" for column in written),
            "marks": ", ?" * len(written),
            "sets": "".join(f", {column} = ?" for column in written),
        }
    )
    defaults = [
        f"\nfn default_{f}() -> {TYPES[index % len(TYPES)].rust} {{\n    {TYPES[index % len(TYPES)].default}\n}}\n"
        for index, (f, _) in enumerate(fields) if TYPES[index % len(TYPES)].default
    ]
    return text + "".join(defaults)


def write(folder, resources, fields, maximum):
    """The crate. `resources`: names of types and modules; `maximum`: that of the first resource's integers."""
    os.makedirs(os.path.join(folder, "src"), exist_ok=True)
    modules = [snake for _, snake in resources]
    files = {
        "Cargo.toml": MANIFEST,
        "src/shared.rs": SHARED,
        "src/main.rs": MAIN % {
            "modules": "\n".join(f"mod {module};" for module in modules),
            "tables": "\n".join(f"    sqlx::query({module}::TABLE).execute(&database.write).await?;" for module in modules),
            "routes": "\n".join(f"        .merge({module}::routes())" for module in modules),
        },
    }
    for index, (name, snake) in enumerate(resources):
        files[f"src/{snake}.rs"] = resource(name, snake, fields, maximum if index == 0 else 1000)
    for path, text in files.items():
        path = os.path.join(folder, path)
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
