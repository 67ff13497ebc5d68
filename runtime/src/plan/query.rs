//! Query parameters → a query over columns (§4.4, §4.6), and its SQL.
//!
//! Only what the version or view has can be named here. Every value is bound; names of columns come from the model.

use super::bind;
use super::cell::Cell;
use restwell_model::input::Scalar;
use restwell_model::scalar::string::is_blank;
use restwell_model::tables::{self, Content, Slot, Table};
use restwell_model::{Checked, ErrorCode, Field, Kind, Problem, Resource, Type};
use std::fmt::Write;
use uuid::Uuid;

/// Entities on a page where the request does not say.
pub(crate) const DEFAULT_LIMIT: u32 = 100;
/// Entities on a page at most.
const MAX_LIMIT: u32 = 1000;
/// How far a page may be from the start.
const MAX_OFFSET: u32 = 1 << 31;
/// Values that the filters of one request may have in all.
const MAX_VALUES: usize = 100;

/// What a collection can be filtered and sorted by, in one version and view.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    filters: Vec<Filterable>,
    sorts: Vec<Sortable>,
}

#[derive(Debug)]
struct Filterable {
    name: String,
    column: usize,
    scalar: Scalar,
    ordered: bool,
}

#[derive(Debug)]
struct Sortable {
    name: String,
    column: usize,
}

/// A request for a page of a collection.
#[derive(Debug)]
pub(crate) struct Query {
    /// All of them hold.
    pub(crate) filters: Vec<Filter>,
    /// Columns, and whether descending.
    sort: Vec<(usize, bool)>,
    /// Where the page begins.
    pub(crate) offset: u32,
    /// How many entities it has at most.
    pub(crate) limit: u32,
}

/// A condition on a column.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) column: usize,
    pub(crate) test: Test,
}

/// What a column's value must be.
#[derive(Debug)]
pub(crate) enum Test {
    /// One of these, or null where that is asked for as well.
    OneOf { values: Vec<Cell>, or_null: bool },
    /// Compared with a bound.
    Compare(&'static str, Cell),
    /// Among the ids that a query of one id gives.
    Among(String, Cell),
}

const RANGES: [(&str, &str); 4] = [("gt", ">"), ("lt", "<"), ("gte", ">="), ("lte", "<=")];

impl Parameters {
    /// The parameters of a resource, as far as `has` lets its fields through.
    pub(crate) fn compile(service: &Checked, resource: &Resource, table: &Table, has: &dyn Fn(&Field) -> bool) -> Self {
        let mut parameters = Self::default();
        parameters.add("id", tables::ID, Scalar::Uuid, false, (true, true));
        for (name, column) in [("createdAt", tables::CREATED_AT), ("updatedAt", tables::UPDATED_AT)] {
            let timestamp = Type::Timestamp { minimum: None, maximum: None };
            if let Some(scalar) = Scalar::compile(&timestamp, None) {
                parameters.add(name, column, scalar, true, (true, true));
            }
        }
        parameters.add_fields(service, &resource.fields, &table.slots, "", has);
        parameters
    }

    fn add_fields(
        &mut self,
        service: &Checked,
        fields: &[Field],
        slots: &[Slot],
        prefix: &str,
        has: &dyn Fn(&Field) -> bool,
    ) {
        for (field, slot) in fields.iter().zip(slots).filter(|(field, _)| !field.write_only && has(field)) {
            let name = format!("{prefix}{}", field.name);
            let (column, declared) = (slot.columns.start, (field.filter, field.sort));
            match (service.kind(&field.ty), &slot.content) {
                (Kind::Object(object), Content::Object { slots, .. }) => {
                    self.add_fields(service, &object.fields, slots, &format!("{name}."), has);
                }
                (Kind::Scalar(Type::Price { .. }), _) => {
                    let [amount, currency] = Scalar::of_price(None, None, &[]);
                    self.add(&format!("{name}.amount"), column, amount, true, (field.filter, false));
                    self.add(&format!("{name}.currency"), column + 1, currency, false, (field.filter, false));
                    if field.sort {
                        self.sorts.push(Sortable { name, column });
                    }
                }
                (Kind::Scalar(Type::Ref { .. }), _) => {
                    self.add(&format!("{name}.id"), column, Scalar::Uuid, false, (field.filter, false));
                }
                (Kind::Scalar(ty), _) => {
                    if let Some(scalar) = Scalar::compile(ty, None) {
                        self.add(&name, column, scalar, is_ordered(ty), declared);
                    }
                }
                (Kind::Enum(values), _) => {
                    self.add(&name, column, Scalar::Enum(values.values.clone()), false, declared);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &str, column: usize, scalar: Scalar, ordered: bool, (filter, sort): (bool, bool)) {
        if filter {
            self.filters.push(Filterable { name: name.to_owned(), column, scalar, ordered });
        }
        if sort {
            self.sorts.push(Sortable { name: name.to_owned(), column });
        }
    }

    /// Reads the parameters of a request for a collection.
    pub(crate) fn read(&self, given: &[(String, String)]) -> (Query, Vec<Problem>) {
        let mut query = Query { filters: Vec::new(), sort: Vec::new(), offset: 0, limit: DEFAULT_LIMIT };
        let (mut problems, mut values) = (Vec::new(), 0);
        for (index, (name, value)) in given.iter().enumerate() {
            let repeated = given[..index].iter().any(|(earlier, _)| earlier == name);
            let once = |problem: Result<(), Problem>| {
                if repeated { Err(Problem::new(ErrorCode::RepeatedParameter)) } else { problem }
            };
            let read = match name.as_str() {
                "offset" => once(whole(value, MAX_OFFSET).map(|n| query.offset = n)),
                "limit" => once(whole(value, MAX_LIMIT).map(|n| query.limit = n)),
                "sort" => once(self.sort(value).map(|sort| query.sort = sort)),
                _ => {
                    values += 1;
                    self.filter(name, value, &mut query.filters, repeated)
                }
            };
            if let Err(mut problem) = read {
                problem.path = Some(name.clone());
                problems.push(problem);
            }
        }
        if values > MAX_VALUES {
            let reason = format!("a request may have at most {MAX_VALUES} filter values");
            problems.push(Problem::new(ErrorCode::InvalidParameter).with("reason", reason));
        }
        (query, problems)
    }

    fn filter(&self, name: &str, value: &str, filters: &mut Vec<Filter>, repeated: bool) -> Result<(), Problem> {
        if let Some(field) = self.filters.iter().find(|field| field.name == name) {
            let cell = equal_to(&field.scalar, value)?;
            let same = filters.iter_mut().find(|f| f.column == field.column && matches!(f.test, Test::OneOf { .. }));
            let test = match same {
                Some(filter) => &mut filter.test,
                None => {
                    let test = Test::OneOf { values: Vec::new(), or_null: false };
                    filters.push(Filter { column: field.column, test });
                    return self.filter(name, value, filters, repeated);
                }
            };
            if let Test::OneOf { values, or_null } = test {
                match cell {
                    Cell::Null => *or_null = true,
                    cell => values.push(cell),
                }
            }
            return Ok(());
        }
        let range = name.rsplit_once('.').and_then(|(name, suffix)| {
            let field = self.filters.iter().find(|field| field.ordered && field.name == name)?;
            Some((field, RANGES.iter().find(|(word, _)| *word == suffix)?.1))
        });
        match range {
            Some(_) if repeated => Err(Problem::new(ErrorCode::RepeatedParameter)),
            Some((field, operator)) => {
                let cell = bind::scalar(field.scalar.parse_parameter(value)?);
                filters.push(Filter { column: field.column, test: Test::Compare(operator, cell) });
                Ok(())
            }
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> Problem {
        let known = self.filters.iter().map(|field| field.name.as_str()).chain(["offset", "limit", "sort"]);
        unknown_parameter(name, known)
    }

    fn sort(&self, value: &str) -> Result<Vec<(usize, bool)>, Problem> {
        let mut sort: Vec<(usize, bool)> = Vec::new();
        for word in value.split(',') {
            let (name, descending) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
            let Some(field) = self.sorts.iter().find(|field| field.name == name) else {
                return Err(invalid(format!("`{name}` is not a field to sort by")));
            };
            if sort.iter().any(|(column, _)| *column == field.column) {
                return Err(invalid(format!("`{name}` stands twice")));
            }
            sort.push((field.column, descending));
        }
        Ok(sort)
    }
}

/// A parameter that nobody declared, with the nearest known one.
pub(crate) fn unknown_parameter<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let problem = Problem::at(ErrorCode::UnknownParameter, name);
    match restwell_model::names::nearest(name, known) {
        Some(nearest) => problem.with("nearest", nearest),
        None => problem,
    }
}

fn equal_to(scalar: &Scalar, value: &str) -> Result<Cell, Problem> {
    if value.is_empty() || scalar.takes_blank() && is_blank(value) {
        return Ok(Cell::Null);
    }
    scalar.parse_parameter(value).map(bind::scalar)
}

fn whole(value: &str, max: u32) -> Result<u32, Problem> {
    let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { value.parse().ok().filter(|number| *number <= max) } else { None };
    number.ok_or_else(|| invalid(format!("must be a whole number from 0 to {max}")))
}

fn invalid(reason: String) -> Problem {
    Problem::new(ErrorCode::InvalidParameter).with("reason", reason)
}

fn is_ordered(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer { .. }
            | Type::Number { .. }
            | Type::Decimal { .. }
            | Type::Timestamp { .. }
            | Type::Date { .. }
            | Type::Time
    )
}

impl Query {
    /// The entities that one column's value picks out: an owner's, a scope's.
    pub(crate) fn restrict(&mut self, column: usize, id: Uuid) {
        let test = Test::OneOf { values: vec![Cell::Uuid(id)], or_null: false };
        self.filters.push(Filter { column, test });
    }

    /// The entities that somebody's own entities of another resource point at (§2.1): `sql` gives their ids.
    pub(crate) fn through(&mut self, sql: &str, caller: Uuid) {
        self.filters.push(Filter { column: tables::ID, test: Test::Among(sql.to_owned(), Cell::Uuid(caller)) });
    }

    /// ` WHERE …`, or nothing.
    pub(crate) fn conditions(&self, table: &Table, sql: &mut String) {
        for (index, filter) in self.filters.iter().enumerate() {
            sql.push_str(if index == 0 { " WHERE " } else { " AND " });
            let name = &table.columns[filter.column].name;
            let written = match &filter.test {
                Test::OneOf { values, or_null: true } if values.is_empty() => write!(sql, "t.\"{name}\" IS NULL"),
                Test::OneOf { values, or_null } => {
                    let marks = vec!["?"; values.len()].join(",");
                    let null = if *or_null { format!(" OR t.\"{name}\" IS NULL") } else { String::new() };
                    match values.len() {
                        1 if !or_null => write!(sql, "t.\"{name}\" = ?"),
                        _ => write!(sql, "(t.\"{name}\" IN ({marks}){null})"),
                    }
                }
                Test::Compare(operator, _) => write!(sql, "t.\"{name}\" {operator} ?"),
                Test::Among(ids, _) => write!(sql, "t.\"{name}\" IN ({ids})"),
            };
            written.unwrap_or_default();
        }
    }

    /// ` ORDER BY … LIMIT ? OFFSET ?`: nulls last in both directions, the id last of all.
    pub(crate) fn order(&self, table: &Table, sql: &mut String) {
        sql.push_str(" ORDER BY ");
        for (column, descending) in &self.sort {
            let column = &table.columns[*column];
            let direction = match (descending, column.nullable) {
                (true, _) => " DESC", // nulls are the least values here
                (false, true) => " NULLS LAST",
                (false, false) => "",
            };
            write!(sql, "t.\"{}\"{direction},", column.name).unwrap_or_default();
        }
        sql.push_str("t.\"id\" LIMIT ? OFFSET ?");
    }

    /// The values to bind for [`Self::conditions`], in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Cell> {
        self.filters.iter().flat_map(|filter| match &filter.test {
            Test::OneOf { values, .. } => values.as_slice(),
            Test::Compare(_, value) | Test::Among(_, value) => std::slice::from_ref(value),
        })
    }
}
