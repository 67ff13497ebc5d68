//! Conditions as SQL of both databases: a predicate over a row of the entity's table.
//!
//! References are followed by subqueries on the key of the other table, and the other side is asked by `EXISTS` on the
//! index of the reference, or once for all rows where that says the same. Values are bound. What SQLite cannot compute
//! exactly is computed by functions in Rust, whose names are here; PostgreSQL computes it with `numeric` and
//! `interval`.
//!
//! Each part is written once, so that the SQL is as long as the condition: what is needed several times is a column of
//! a subquery behind a fence, into which no planner looks.

mod arithmetic;
mod bound_time;
mod comparison;
mod linked;
mod membership;
mod place;
mod price;
mod semi_join;

use super::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, TextTest, Typed};
use crate::case_folding::folded;
use crate::tables::{Dialect, Table};
use crate::value::Value;
use place::Wanted;
use semi_join::Joined;
use std::collections::HashMap;

pub use bound_time::BoundTime;
pub use linked::Linked;
pub use semi_join::{ReferenceIds, ids_against, ids_through};

/// Functions of SQLite: the sum of units of different scales, their difference, their product.
pub const SQL_EXACT: &str = "_restwell_exact";
/// The order of exact numbers of different scales.
pub const SQL_ORDER: &str = "_restwell_order";
/// Whether exact numbers of different scales are equal, or both null.
pub const SQL_EQUAL: &str = "_restwell_equal";
/// The length of a duration.
pub const SQL_LENGTH: &str = "_restwell_length";
/// A length as a duration: of days (1) or of seconds (0).
pub const SQL_DURATION: &str = "_restwell_duration";
/// `+`, `-`, `*` on prices.
pub const SQL_PRICE: &str = "_restwell_price";
/// `+`, `-`, `*` on doubles.
pub const SQL_NUMBER: &str = "_restwell_number";
/// A timestamp or date, a duration later or earlier.
pub const SQL_SHIFT: &str = "_restwell_shift";
/// The stored form of a text in an array.
pub const SQL_UNITS: &str = "_restwell_units";
/// A test of a text: its beginning, its end, any part.
pub const SQL_TEXT: &str = "_restwell_text";

/// A piece of SQL, with the values of its `?` in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sql {
    /// The text.
    pub text: String,
    /// Booleans do not occur: they are written.
    pub values: Vec<Value>,
}

impl Sql {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// Where a condition is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct SqlTarget<'a> {
    /// The database.
    pub dialect: Dialect,
    /// The tables of all resources, by the names of the resources.
    pub tables: &'a HashMap<String, Table>,
    /// The resource of the entity.
    pub resource: &'a str,
    /// The alias of its table.
    pub alias: &'a str,
}

/// A condition as a predicate: rows for which it holds give true, others false or null. `None` if it still depends on
/// something that SQL does not know: the caller, `now`, `old`.
#[must_use]
pub fn predicate(typed: &Typed, target: SqlTarget<'_>) -> Option<Sql> {
    let mut writer = SqlWriter::new(target)?;
    writer.predicate(typed, Exactness::NullIsFalse)?;
    Some(writer.sql)
}

/// The same over a row that was just created: who may create it does not follow from it, so what `any` and `count` find
/// is without it.
#[must_use]
pub fn predicate_of_new(typed: &Typed, target: SqlTarget<'_>) -> Option<Sql> {
    let mut writer = SqlWriter { is_new: true, ..SqlWriter::new(target)? };
    writer.predicate(typed, Exactness::NullIsFalse)?;
    Some(writer.sql)
}

/// An expression as a scalar: of a price, its amount.
#[must_use]
pub fn scalar(typed: &Typed, target: SqlTarget<'_>) -> Option<Sql> {
    let mut writer = SqlWriter::new(target)?;
    writer.scalar(typed)?;
    Some(writer.sql)
}

/// The columns of a computed field, for a list of columns: of a price its amount and its currency. What depends on the
/// time is bound as a placeholder, from which [`BoundTime::of`] tells what it is.
#[must_use]
pub fn columns(typed: &Typed, target: SqlTarget<'_>) -> Option<Vec<Sql>> {
    let column = |write: &dyn Fn(&mut SqlWriter<'_>) -> Option<()>| {
        let mut writer = SqlWriter { binds_now: true, ..SqlWriter::new(target)? };
        write(&mut writer)?;
        Some(writer.sql)
    };
    let parts = match typed.ty {
        StaticType::Price => {
            let part = |part| column(&|writer| writer.price(part, typed));
            vec![part(PricePart::Amount), part(PricePart::Currency)]
        }
        _ => vec![column(&|writer| writer.typed_scalar(&typed.ty, typed))],
    };
    parts.into_iter().collect()
}

/// Whether a predicate may be null where it does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exactness {
    /// It may: nothing negates it.
    NullIsFalse,
    /// It is true or false.
    TwoValued,
}

/// What a variable stands for.
#[derive(Debug, Clone)]
enum Item {
    /// An item of an array: the alias of its row.
    Json(String),
    /// A value: the column that has it.
    Column(String),
}

struct SqlWriter<'a> {
    target: SqlTarget<'a>,
    sql: Sql,
    /// The table that fields belong to, and its alias; inside `any` and `count` one more.
    entities: Vec<(&'a Table, String)>,
    /// The items that variables stand for, and parts that are written once.
    items: Vec<Item>,
    /// How many aliases there are.
    aliases: usize,
    /// Whether the time is bound.
    binds_now: bool,
    /// Whether the row was just created, and is not found.
    is_new: bool,
    /// The reference whose row is there already.
    joined: Option<Joined<'a>>,
}

impl<'a> SqlWriter<'a> {
    fn new(target: SqlTarget<'a>) -> Option<Self> {
        let entities = vec![(target.tables.get(target.resource)?, target.alias.to_owned())];
        Some(Self {
            target,
            sql: Sql::default(),
            entities,
            items: Vec::new(),
            aliases: 0,
            binds_now: false,
            is_new: false,
            joined: None,
        })
    }

    fn push(&mut self, text: &str) {
        self.sql.push(text);
    }

    fn alias(&mut self, letter: &str) -> String {
        self.aliases += 1;
        format!("{}_{letter}{}", self.target.alias, self.aliases)
    }

    fn is_sqlite(&self) -> bool {
        self.target.dialect == Dialect::Sqlite
    }

    fn flag(&mut self, flag: bool) {
        let text = match (self.is_sqlite(), flag) {
            (true, true) => "1",
            (true, false) => "0",
            (false, true) => "true",
            (false, false) => "false",
        };
        self.push(text);
    }

    /// Text with `{}` where parts are written, each as a scalar.
    fn write(&mut self, pattern: &str, parts: &[&Typed]) -> Option<()> {
        let mut parts = parts.iter();
        for (index, text) in pattern.split("{}").enumerate() {
            if index > 0 {
                self.scalar(parts.next()?)?;
            }
            self.push(text);
        }
        Some(())
    }

    fn predicate(&mut self, typed: &Typed, exactness: Exactness) -> Option<()> {
        let is_exact = exactness == Exactness::TwoValued;
        match &typed.node {
            Node::Constant(value) => {
                self.flag(*value == Value::Bool(true));
                Some(())
            }
            Node::And(one, other) | Node::Or(one, other) => {
                self.push("(");
                self.predicate(one, exactness)?;
                self.push(if matches!(typed.node, Node::And(..)) { " AND " } else { " OR " });
                self.predicate(other, exactness)?;
                self.push(")");
                Some(())
            }
            Node::Not(inner) => {
                // in parentheses: `x IS NOT y` is an operator
                self.push("(NOT (");
                self.predicate(inner, Exactness::TwoValued)?;
                self.push("))");
                Some(())
            }
            Node::Choose(condition, yes, no) => {
                self.choice(condition, [yes, no], |writer, part| writer.predicate(part, Exactness::TwoValued))
            }
            Node::Compare(operator, one, other, nulls) => self.compare(*operator, (one, other), *nulls, is_exact),
            Node::In(one, list, nulls) => self.is_in(one, list, *nulls, is_exact),
            Node::Text(test, one, other) => self.maybe_null(is_exact, |writer| writer.text_test(*test, one, other)),
            Node::Quantifier { is_all, list, variable, body } => self.quantifier(*is_all, list, *variable, body),
            Node::Referring { counts: false, .. } => match self.linked(typed) {
                Some(linked) => self.maybe_null(is_exact, |writer| writer.linked_test(&linked, is_exact)),
                None => self.referring(typed),
            },
            _ => self.maybe_null(is_exact, |writer| writer.scalar(typed)),
        }
    }

    /// `c ? x : y`, of which both parts are written alike.
    fn choice(
        &mut self,
        condition: &Typed,
        [yes, no]: [&Typed; 2],
        write: impl Fn(&mut Self, &Typed) -> Option<()>,
    ) -> Option<()> {
        self.push("(CASE WHEN ");
        self.predicate(condition, Exactness::NullIsFalse)?;
        self.push(" THEN ");
        write(self, yes)?;
        self.push(" ELSE ");
        write(self, no)?;
        self.push(" END)");
        Some(())
    }

    /// A predicate that is null where a value is.
    fn maybe_null(&mut self, is_exact: bool, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if !is_exact {
            return write(self);
        }
        self.push("COALESCE(");
        write(self)?;
        self.push(", ");
        self.flag(false);
        self.push(")");
        Some(())
    }

    fn text_test(&mut self, test: TextTest, one: &Typed, other: &Typed) -> Option<()> {
        let word = match test {
            TextTest::StartsWith => "starts",
            TextTest::EndsWith => "ends",
            TextTest::Contains => "contains",
        };
        match (self.is_sqlite(), test) {
            (true, _) => self.write(&format!("\"{SQL_TEXT}\"('{word}', {{}}, {{}})"), &[one, other]),
            (false, TextTest::StartsWith) => self.write("starts_with({}, {})", &[one, other]),
            (false, TextTest::EndsWith) => self.write("starts_with(reverse({}), reverse({}))", &[one, other]),
            (false, TextTest::Contains) => self.write("(strpos({}, {}) > 0)", &[one, other]),
        }
    }

    /// The items of a list as rows of an alias.
    fn items(&mut self, list: &Typed) -> Option<String> {
        let alias = self.alias("e");
        match self.is_sqlite() {
            true => {
                self.push("json_each(");
                self.stored(list, Wanted::Value)?;
                self.push(&format!(") {alias}"));
            }
            false => {
                self.push("jsonb_array_elements(NULLIF(");
                self.stored(list, Wanted::Value)?;
                self.push(&format!(", CAST('null' AS jsonb))) {alias}(value)"));
            }
        }
        Some(alias)
    }

    fn quantifier(&mut self, is_all: bool, list: &Typed, variable: usize, body: &Typed) -> Option<()> {
        self.push(if is_all { "(NOT EXISTS (SELECT 1 FROM " } else { "(EXISTS (SELECT 1 FROM " });
        let alias = self.items(list)?;
        // variables that are not around it, such as one of `in`, come back
        let others = self.items.split_off(variable.min(self.items.len()));
        self.items.push(Item::Json(alias));
        self.push(if is_all { " WHERE NOT (" } else { " WHERE (" });
        self.predicate(body, if is_all { Exactness::TwoValued } else { Exactness::NullIsFalse })?;
        self.items.pop();
        self.items.extend(others);
        self.push(")))");
        Some(())
    }

    /// `any` as `EXISTS`, `count` as a number, no further than it has to be counted.
    fn referring(&mut self, typed: &Typed) -> Option<()> {
        let Node::Referring { to, resource, field, condition, counts, limit } = &typed.node else { return None };
        let table = self.target.tables.get(resource)?;
        let alias = self.alias("r");
        let column = &table.columns[table.slot(field.names.first()?)?.columns.start].name;
        let limit = limit.filter(|_| *counts);
        let select = match (*counts, limit) {
            (false, _) => "EXISTS (SELECT 1",
            (true, None) => "(SELECT count(*)",
            (true, Some(_)) => "(SELECT count(*) FROM (SELECT 1",
        };
        self.push(&format!("{select} FROM \"{}\" {alias} WHERE {alias}.\"{column}\" = ", table.name));
        self.scalar(to)?;
        self.leave_out_new(table, &alias);
        if let Some(condition) = condition {
            self.push(" AND ");
            self.entities.push((table, alias));
            let items = std::mem::take(&mut self.items);
            self.predicate(condition, Exactness::NullIsFalse)?;
            self.items = items;
            self.entities.pop();
        }
        if let Some(limit) = limit {
            let alias = self.alias("n");
            self.push(&format!(" LIMIT {limit}) {alias}"));
        }
        self.push(")");
        Some(())
    }

    /// Of what refers to an entity, the row itself is left out where it was just created.
    fn leave_out_new(&mut self, table: &Table, alias: &str) {
        let itself = self.entities.first().filter(|(own, _)| self.is_new && own.name == table.name);
        if let Some((_, own)) = itself {
            let text = format!(" AND {alias}.\"id\" <> {own}.\"id\"");
            self.push(&text);
        }
    }

    fn scalar(&mut self, typed: &Typed) -> Option<()> {
        match &typed.node {
            Node::Constant(value) => self.constant(&typed.ty, value),
            Node::Field(..) | Node::Follow(..) => self.stored(typed, Wanted::Value),
            Node::Part(part, price) => self.price(*part, price),
            Node::Arithmetic(..) | Node::Choose(..) if typed.ty == StaticType::Price => {
                self.price(PricePart::Amount, typed)
            }
            Node::Arithmetic(operator, one, other) => self.arithmetic(*operator, &typed.ty, one, other),
            Node::Choose(condition, yes, no) => {
                self.choice(condition, [yes, no], |writer, part| writer.typed_scalar(&typed.ty, part))
            }
            Node::Size(inner) => match (&inner.ty, self.is_sqlite()) {
                (StaticType::List(_), true) => self.write("json_array_length({})", &[inner]),
                (StaticType::List(_), false) => self.write("CAST(jsonb_array_length({}) AS bigint)", &[inner]),
                (_, true) => self.write("length({})", &[inner]),
                (_, false) => self.write("CAST(length({}) AS bigint)", &[inner]),
            },
            Node::Lower(inner) => self.write(&folded("{}"), &[inner]),
            Node::Converted(inner) => self.converted(&typed.ty, inner),
            Node::Referring { counts: true, .. } => self.referring(typed),
            Node::Now if self.binds_now => self.of_time(BoundTime::Now),
            Node::Today(zone) if self.binds_now => self.of_time(BoundTime::Today(*zone)),
            Node::Caller | Node::Scopes | Node::Claim(_) | Node::Now | Node::Today(_) | Node::List(_) => None,
            Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Compare(..)
            | Node::In(..)
            | Node::Text(..)
            | Node::Quantifier { .. }
            | Node::Referring { .. } => self.predicate(typed, Exactness::TwoValued),
        }
    }

    /// A scalar, where null needs a type.
    fn typed_scalar(&mut self, ty: &StaticType, typed: &Typed) -> Option<()> {
        match &typed.node {
            Node::Constant(Value::Null) => self.constant(ty, &Value::Null),
            _ => self.scalar(typed),
        }
    }

    /// The time or today, which are known when the statement runs.
    fn of_time(&mut self, time: BoundTime) -> Option<()> {
        self.push(if self.is_sqlite() { "?" } else { "CAST(? AS bigint)" });
        self.sql.values.push(time.placeholder());
        Some(())
    }

    fn constant(&mut self, ty: &StaticType, value: &Value) -> Option<()> {
        let value = match value {
            Value::Bool(flag) => {
                self.flag(*flag);
                return Some(());
            }
            Value::Price(units, _) => Value::Int(*units),
            Value::Int(number) if *ty == StaticType::Number => Value::Float(*number as f64),
            // a claim of another type: it equals nothing, as null does where claims are compared
            Value::Object(_) => Value::Null,
            Value::List(_) | Value::Map(_) | Value::Json(_) | Value::Absent => return None,
            value => value.clone(),
        };
        let bound = if value.is_null() { "NULL" } else { "?" };
        match self.is_sqlite() {
            true => self.push(bound),
            false => self.push(&format!("CAST({bound} AS {})", postgres_type(ty))),
        }
        if !value.is_null() {
            self.sql.values.push(value);
        }
        Some(())
    }

    /// Writes parts as columns of a subquery, and what is made of these columns. They are evaluated once for a row: no
    /// planner puts the parts in the places of the columns, which would write each as often as it is needed.
    fn fenced(&mut self, what: &str, columns: &[(&str, &str, &Typed)], alias: &str) -> Option<()> {
        let distinct = if self.is_sqlite() { "DISTINCT " } else { "" };
        self.push(&format!("(SELECT {what} FROM (SELECT {distinct}"));
        for (index, (name, pattern, typed)) in columns.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.write(pattern, &[typed])?;
            self.push(&format!(" AS {name}"));
        }
        self.push(&format!("{}) {alias})", self.fence()));
        Some(())
    }

    /// What keeps PostgreSQL from merging a subquery with the query around it.
    fn fence(&self) -> &'static str {
        if self.is_sqlite() { "" } else { " OFFSET 0" }
    }
}

/// The type of a value on PostgreSQL.
fn postgres_type(ty: &StaticType) -> &'static str {
    match ty {
        StaticType::Boolean | StaticType::Object(_) => "boolean",
        StaticType::Integer
        | StaticType::Decimal(_)
        | StaticType::Timestamp
        | StaticType::Date
        | StaticType::Time
        | StaticType::Length(_)
        | StaticType::Price => "bigint",
        StaticType::Number => "double precision",
        StaticType::Uuid | StaticType::Reference(_) => "uuid",
        StaticType::Text
        | StaticType::Enum(_)
        | StaticType::Duration
        | StaticType::Claim
        | StaticType::Null
        | StaticType::Free
        | StaticType::List(_) => "text",
    }
}

/// Whether a field path begins at the entity itself.
fn is_item(typed: &Typed) -> Option<(usize, &FieldPath)> {
    match &typed.node {
        Node::Field(FieldBase::Item(variable), path) => Some((*variable, path)),
        _ => None,
    }
}
