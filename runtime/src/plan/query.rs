//! A query over a resource's columns, and its SQL. Every value is bound; names of columns come from the model.

use super::cell::Cell;
use super::predicate::Predicate;
use super::viewer::{Sight, Viewer};
use super::{ColumnIndex, ResourceIndex};
use restwell_model::Deprecation;
use restwell_model::api::FilterOperator;
use restwell_model::case_folding::{fold_case, folded};
use restwell_model::field::Match;
use restwell_model::input::DEFAULT_LIMIT;
use restwell_model::tables::{Column, Table};
use std::fmt::{self, Write};
use std::sync::Arc;
use uuid::Uuid;

/// Conditions that stand beside each other: more are grouped, because a row of them is as deep as it is long, and
/// SQLite takes a thousand levels.
const CONDITIONS_OF_A_GROUP: usize = 100;

/// Rows that a page may skip before the skipping is what makes it dear.
const FAR_OFFSET: u32 = 10_000;

/// Values of one column that are written as they are. Longer lists are filled up to a power of two with repeats of
/// their last value, so that the databases' caches of prepared statements hold a few texts, not one for each length.
const EXACT_VALUES: usize = 8;

/// How many repeats a list of values needs.
fn padding(values: usize) -> usize {
    if values > EXACT_VALUES { values.next_power_of_two() - values } else { 0 }
}

/// A request for a page of a collection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query {
    /// All of them hold.
    pub(crate) filters: Vec<Filter>,
    /// The columns that the page is sorted by.
    pub(crate) sort: Vec<SortTerm>,
    /// Where the page begins.
    pub(crate) offset: u32,
    /// How many entities it has at most.
    pub(crate) limit: u32,
    /// The search whose criteria hold as well.
    pub(crate) search: Option<Uuid>,
    /// For whom it is read: of what its entities refer to, only that is shown.
    pub(crate) viewer: Viewer,
    /// The name of the array in the response.
    pub(crate) collection: Arc<str>,
    /// The deprecation of the parameters that it uses.
    pub(crate) deprecation: Option<Deprecation>,
    /// Columns that the page is sorted by as if they were null where this does not hold.
    pub(crate) masks: Vec<(ColumnIndex, Arc<Predicate>)>,
}

/// A column to sort by, and whether descending.
pub(crate) type SortTerm = (ColumnIndex, bool);

/// A condition on a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    pub(crate) column: ColumnIndex,
    pub(crate) test: Test,
}

/// What a column's value must be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    /// One of these, or null where that is asked for as well.
    OneOf { values: Vec<Cell>, or_null: bool },
    /// None of these. Null passes, unless it is among them.
    NoneOf { values: Vec<Cell>, or_null: bool },
    /// Compared with a bound.
    Compare(&'static str, Cell),
    /// A text with this one in it.
    Contains(Cell),
    /// A text that passes this without its case.
    Folded(Box<Test>),
    /// Anything but null.
    Given,
    /// A condition of its own, with the values to bind: on what is inside an array.
    Holds { sql: String, values: Vec<Cell> },
    /// Among the ids that a query gives. `of`: the resources whose rows decide that; `None`: not known.
    Among { ids: String, values: Vec<Cell>, of: Option<Vec<ResourceIndex>>, excluded: Option<Arc<Excluded>> },
    /// A condition of the model, reduced to what depends on the entity.
    Meets(Arc<Predicate>),
    /// This, where the value is seen, which the condition tells.
    IfSeen(Arc<Predicate>, Box<Test>),
}

/// What a condition on a reference excludes.
#[derive(Debug, PartialEq)]
pub(crate) struct Excluded {
    /// It finds what is excluded.
    pub(crate) filter: Filter,
    /// The table that it reads for that.
    pub(crate) referenced: String,
}

/// A query as the difference of two: all that one finds, less what the other finds of it.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) all: Query,
    pub(crate) less: Query,
    /// The column of the reference, which has an index.
    pub(crate) column: ColumnIndex,
    /// The table that `less` reads besides.
    pub(crate) referenced: String,
}

impl Query {
    /// Whether it is what an index gives at once, as far as parameters say: the first page, in the usual order, of all
    /// or of one value.
    pub(crate) fn is_plain(&self) -> bool {
        let is_value = |filter: &Filter| matches!(&filter.test, Test::OneOf { values, or_null } if values.len() + usize::from(*or_null) == 1);
        let has_few = self.filters.len() <= 1 && self.filters.iter().all(is_value);
        has_few && self.sort.is_empty() && self.search.is_none() && self.offset == 0 && self.limit <= DEFAULT_LIMIT
    }

    /// One more filter on a column.
    pub(crate) fn filter(&mut self, column: ColumnIndex, operator: FilterOperator, cell: Cell) {
        match (operator, cell) {
            (FilterOperator::Equal, cell) => self.allow(column, cell),
            (FilterOperator::Match(Match::Not), cell) => self.refuse(column, cell),
            (FilterOperator::Match(it), Cell::Text(part)) => {
                self.filters.extend(Test::of_part(it, &part).into_iter().map(|test| Filter { column, test }));
            }
            (FilterOperator::Match(_), _) => self.nothing(),
            (FilterOperator::Bound(bound), cell) => {
                self.filters.push(Filter { column, test: Test::Compare(bound.operator(), cell) });
            }
        }
    }

    /// One more value that a column may have: repeats of an equality are any of them (decisions, "Filters").
    pub(crate) fn allow(&mut self, column: ColumnIndex, cell: Cell) {
        let is_same = |filter: &&mut Filter| filter.column == column && matches!(filter.test, Test::OneOf { .. });
        let given = cell != Cell::Null;
        match self.filters.iter_mut().find(is_same).map(|filter| &mut filter.test) {
            Some(Test::OneOf { values, .. }) if given => {
                if !values.contains(&cell) {
                    values.push(cell);
                }
            }
            Some(Test::OneOf { or_null, .. }) => *or_null = true,
            _ => {
                let values = if given { vec![cell] } else { Vec::new() };
                self.filters.push(Filter { column, test: Test::OneOf { values, or_null: !given } });
            }
        }
    }

    /// One more value that a column must not have: repeats are none of them (decisions, "Filters").
    fn refuse(&mut self, column: ColumnIndex, cell: Cell) {
        let is_same = |filter: &&mut Filter| filter.column == column && matches!(filter.test, Test::NoneOf { .. });
        let known = self.filters.iter_mut().find(is_same).map(|filter| &mut filter.test);
        match (known, cell) {
            (Some(Test::NoneOf { or_null, .. }), Cell::Null) => *or_null = true,
            (Some(Test::NoneOf { values, .. }), cell) => values.push(cell),
            (_, cell) => self.filters.push(Filter { column, test: Test::none_of(vec![cell]) }),
        }
    }

    /// Notes that it uses a deprecated parameter.
    pub(crate) fn uses(&mut self, deprecation: Option<Deprecation>) {
        self.deprecation = Deprecation::together(self.deprecation, deprecation);
    }

    /// The entities that one column's value picks out: an owner's, a scope's.
    pub(crate) fn restrict(&mut self, column: ColumnIndex, id: Uuid) {
        let test = Test::OneOf { values: vec![Cell::Uuid(id)], or_null: false };
        self.filters.push(Filter { column, test });
    }

    /// No entity.
    pub(crate) fn nothing(&mut self) {
        self.filters.push(Filter { column: ColumnIndex::ID, test: Test::equal(Cell::Null) });
    }

    /// The entities that a caller's own entities of another resource point at (§2.1): `sql` gives their ids.
    pub(crate) fn through(&mut self, (ids, values): (String, Vec<Cell>)) {
        let test = Test::Among { ids, values, of: None, excluded: None };
        self.filters.push(Filter { column: ColumnIndex::ID, test });
    }

    /// Only what is seen.
    pub(crate) fn see(&mut self, sight: Sight<'_>) {
        match sight {
            Sight::All => {}
            Sight::Nothing => self.nothing(),
            Sight::Where(predicate) => self.meet(predicate),
        }
    }

    /// Only what meets a condition of the model.
    pub(crate) fn meet(&mut self, predicate: &Arc<Predicate>) {
        self.filters.extend(predicate.filters());
    }

    /// The resources besides its own whose rows decide which entities it finds; `None` if that is not known, or changes
    /// with the time.
    pub(crate) fn others(&self) -> Option<Vec<ResourceIndex>> {
        let mut others = Vec::new();
        for filter in &self.filters {
            match &filter.test {
                Test::Among { of, .. } => others.extend(of.as_ref()?),
                Test::Meets(predicate) | Test::IfSeen(predicate, _) if predicate.is_timed => return None,
                Test::Meets(predicate) | Test::IfSeen(predicate, _) => others.extend(&predicate.others),
                Test::OneOf { .. }
                | Test::NoneOf { .. }
                | Test::Compare(..)
                | Test::Contains(_)
                | Test::Folded(_)
                | Test::Given
                | Test::Holds { .. } => {}
            }
        }
        Some(others)
    }

    /// What it finds as a difference, if it has a condition that says what it excludes, and only rows decide that.
    pub(crate) fn difference(&self) -> Option<Difference> {
        let find = |(at, filter): (usize, &Filter)| Some((at, Arc::clone(filter.test.excluded()?)));
        let (at, excluded) = self.filters.iter().enumerate().find_map(find)?;
        self.others()?;
        let mut all = self.clone();
        all.filters.remove(at);
        let less = all.with(excluded.filter.clone());
        Some(Difference { all, less, column: excluded.filter.column, referenced: excluded.referenced.clone() })
    }

    /// Whether a query that it contains asks for what one caller has: it finds few entities for one, many for another.
    pub(crate) fn varies_with_caller(&self) -> bool {
        self.filters.iter().any(|filter| matches!(&filter.test, Test::Among { values, .. } if has_id(values)))
    }

    /// Whether all who ask for it bind the same values: those of conditions of the model, but no caller's.
    pub(crate) fn is_alike_for_all(&self) -> bool {
        let is_alike = |filter: &Filter| match &filter.test {
            Test::Meets(predicate) => !has_id(&predicate.values),
            Test::Among { values, .. } => !has_id(values),
            _ => false,
        };
        self.search.is_none() && self.masks.is_empty() && self.filters.iter().all(is_alike)
    }

    /// ` WHERE …`, or nothing.
    pub(crate) fn conditions(&self, table: &Table, sql: &mut String) {
        // writing to a String cannot fail
        self.write_conditions(table, sql).unwrap_or_default();
    }

    /// The same, as far as `out` takes it.
    pub(crate) fn write_conditions(&self, table: &Table, out: &mut impl Write) -> fmt::Result {
        let is_nested = self.filters.len() > CONDITIONS_OF_A_GROUP;
        for (part, filters) in self.filters.chunks(CONDITIONS_OF_A_GROUP).enumerate() {
            out.write_str(if part == 0 { " WHERE " } else { " AND " })?;
            out.write_str(if is_nested { "(" } else { "" })?;
            for (index, filter) in filters.iter().enumerate() {
                out.write_str(if index == 0 { "" } else { " AND " })?;
                filter.write_condition(table, out)?;
            }
            out.write_str(if is_nested { ")" } else { "" })?;
        }
        Ok(())
    }

    /// The same, and one thing more.
    pub(crate) fn with(&self, filter: Filter) -> Self {
        let mut query = self.clone();
        query.filters.push(filter);
        query
    }

    /// Columns that the page is sorted by, and whether descending: the id last of all, nothing after it, and no column
    /// of which the filters leave one value.
    pub(crate) fn order(&self) -> Vec<SortTerm> {
        let mut order: Vec<_> = self.sort.iter().copied().filter(|(column, _)| !self.has_one(*column)).collect();
        match order.iter().position(|(column, _)| *column == ColumnIndex::ID) {
            Some(id) => order.truncate(id + 1),
            None => order.push((ColumnIndex::ID, false)),
        }
        order
    }

    /// Whether the filters leave one value of a column.
    pub(crate) fn has_one(&self, column: ColumnIndex) -> bool {
        self.filters.iter().any(|filter| filter.column == column && filter.test.leaves_one())
    }

    /// The number of all matches, if it follows from the size of the page: on the last page, not beyond it.
    pub(crate) fn total(&self, on_page: u32) -> Option<u64> {
        let is_known = on_page < self.limit && (on_page > 0 || self.offset == 0);
        is_known.then(|| u64::from(self.offset) + u64::from(on_page))
    }

    /// What would make the query cheaper: advice for the client whose read took too much work.
    pub(crate) fn narrow(&self) -> &'static str {
        let asks_elements = self.filters.iter().any(|filter| matches!(filter.test, Test::Holds { .. }));
        match self.offset {
            _ if asks_elements => "name fewer objects or values, or add a filter",
            FAR_OFFSET.. => "use id.gt instead of a far offset",
            _ => "filter by fewer or more selective fields",
        }
    }

    /// The values to bind for [`Self::conditions`], in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Cell> {
        self.filters.iter().flat_map(|filter| filter.test.values())
    }

    /// The only column that decides whether a row is found, if there is one.
    pub(crate) fn only_column(&self) -> Option<ColumnIndex> {
        let (first, rest) = self.filters.split_first()?;
        let column = first.decided_by()?;
        rest.iter().all(|filter| filter.decided_by() == Some(column)).then_some(column)
    }

    /// The condition on which a column is sorted by, if there is one.
    fn mask(&self, column: ColumnIndex) -> Option<&Predicate> {
        self.masks.iter().find(|(masked, _)| *masked == column).map(|(_, predicate)| &**predicate)
    }

    /// Whether the order depends on conditions: no index has it.
    pub(crate) fn is_masked(&self, order: &[SortTerm]) -> bool {
        !self.masks.is_empty() && order.iter().any(|(column, _)| self.mask(*column).is_some())
    }

    /// ` ORDER BY …`: nulls last in both directions.
    pub(crate) fn write_order(&self, order: &[SortTerm], table: &Table, sql: &mut String) {
        for (index, (column, descending)) in order.iter().enumerate() {
            let mask = self.mask(*column);
            let column = &table.columns[*column];
            let direction = match (descending, column.nullable || mask.is_some()) {
                (true, true) => " DESC NULLS LAST",
                (true, false) => " DESC",
                (false, true) => " NULLS LAST",
                (false, false) => "",
            };
            let separator = if index == 0 { " ORDER BY " } else { "," };
            let name = &column.name;
            match mask {
                None => write!(sql, "{separator}t.\"{name}\"{direction}"),
                Some(seen) => write!(sql, "{separator}CASE WHEN ({}) THEN t.\"{name}\" END{direction}", seen.sql),
            }
            .unwrap_or_default();
        }
    }

    /// The values to bind for [`Self::write_order`], in order.
    pub(crate) fn order_values(&self, order: &[SortTerm]) -> Vec<&Cell> {
        order.iter().filter_map(|(column, _)| self.mask(*column)).flat_map(|predicate| &predicate.values).collect()
    }
}

impl Filter {
    /// The same, with what it excludes, if it takes note of that.
    pub(super) fn excluding(mut self, what: Option<&Arc<Excluded>>) -> Self {
        if let Test::Among { excluded, .. } = &mut self.test {
            *excluded = what.cloned();
        }
        self
    }

    /// The only column that decides whether a row passes, if there is one.
    fn decided_by(&self) -> Option<ColumnIndex> {
        match &self.test {
            Test::Meets(predicate) => predicate.column,
            Test::Holds { .. } | Test::IfSeen(..) => None,
            _ => Some(self.column),
        }
    }

    fn write_condition(&self, table: &Table, out: &mut impl Write) -> fmt::Result {
        self.test.write(&table.columns[self.column], out)
    }
}

impl Test {
    /// The condition on a column of a table `t`.
    fn write(&self, of: &Column, out: &mut impl Write) -> fmt::Result {
        self.write_on(&format!("t.\"{}\"", of.name), of, out)
    }

    /// The condition on an expression: a column, or its texts folded.
    fn write_on(&self, column: &str, of: &Column, out: &mut impl Write) -> fmt::Result {
        let Column { nullable, .. } = of;
        match self {
            Test::OneOf { values, or_null: true } if values.is_empty() => write!(out, "{column} IS NULL"),
            Test::OneOf { values, or_null: false } if values.len() == 1 => write!(out, "{column} = ?"),
            Test::OneOf { values, or_null } => {
                let null = if *or_null { format!(" OR {column} IS NULL") } else { String::new() };
                write!(out, "({column} IN ({}){null})", marks(values))
            }
            Test::NoneOf { values, .. } if values.is_empty() => write!(out, "{column} IS NOT NULL"),
            Test::NoneOf { values, or_null: false } if *nullable => {
                write!(out, "({column} IS NULL OR {column} NOT IN ({}))", marks(values))
            }
            Test::NoneOf { values, .. } => write!(out, "{column} NOT IN ({})", marks(values)),
            Test::Compare(operator, _) => write!(out, "{column} {operator} ?"),
            // in exact case in both databases, unlike what each has of its own
            Test::Contains(_) => write!(out, "replace({column}, ?, '') <> {column}"),
            Test::Folded(test) => test.write_on(&folded(column), of, out),
            Test::Given => write!(out, "{column} IS NOT NULL"),
            Test::Holds { sql: condition, .. } => out.write_str(condition),
            Test::Meets(predicate) => write!(out, "({})", predicate.sql),
            Test::Among { ids, .. } => write!(out, "{column} IN ({ids})"),
            Test::IfSeen(seen, test) => {
                write!(out, "CASE WHEN ({}) THEN (", seen.sql)?;
                test.write(of, out)?;
                out.write_str(") ELSE TRUE END")
            }
        }
    }

    /// The values that it binds, in order.
    fn values(&self) -> impl Iterator<Item = &Cell> {
        let (seen, test): (&[Cell], &Self) = match self {
            Self::IfSeen(seen, test) => (&seen.values, test),
            test => (&[], test),
        };
        let test = if let Self::Folded(test) = test { test } else { test };
        let (values, repeats): (&[Cell], _) = match test {
            Self::OneOf { values, .. } | Self::NoneOf { values, .. } => (values, padding(values.len())),
            Self::Holds { values, .. } | Self::Among { values, .. } => (values, 0),
            Self::Meets(predicate) => (&predicate.values, 0),
            // what is seen is asked once, and texts are folded once
            Self::Given | Self::IfSeen(..) | Self::Folded(_) => (&[], 0),
            Self::Compare(_, value) | Self::Contains(value) => (std::slice::from_ref(value), 0),
        };
        seen.iter().chain(values).chain(values.last().into_iter().cycle().take(repeats))
    }

    /// What it excludes, if that is a query of its own.
    fn excluded(&self) -> Option<&Arc<Excluded>> {
        match self {
            Self::Meets(predicate) => predicate.excluded.as_ref(),
            Self::Among { excluded, .. } => excluded.as_ref(),
            _ => None,
        }
    }

    /// Whether null passes.
    pub(super) fn takes_null(&self) -> bool {
        match self {
            Self::OneOf { or_null, .. } => *or_null,
            Self::NoneOf { values, or_null } => !values.is_empty() && !or_null,
            _ => false,
        }
    }
}

fn has_id(values: &[Cell]) -> bool {
    values.iter().any(|value| matches!(value, Cell::Uuid(_)))
}

/// A placeholder for each value of a list, and for its repeats.
fn marks(values: &[Cell]) -> String {
    vec!["?"; values.len() + padding(values.len())].join(",")
}

impl Test {
    /// This value, or null.
    pub(crate) fn equal(value: Cell) -> Self {
        match value {
            Cell::Null => Self::OneOf { values: Vec::new(), or_null: true },
            value => Self::OneOf { values: vec![value], or_null: false },
        }
    }

    /// None of these values, or nulls.
    pub(crate) fn none_of(mut values: Vec<Cell>) -> Self {
        let count = values.len();
        values.retain(|value| *value != Cell::Null);
        Self::NoneOf { or_null: values.len() < count, values }
    }

    /// The tests of a comparison with a part of a text.
    pub(crate) fn of_part(it: Match, part: &str) -> Vec<Self> {
        let without_case = |tests: Vec<Self>| tests.into_iter().map(|test| Self::Folded(Box::new(test))).collect();
        match it {
            Match::StartsWith => Self::starting_with(part),
            Match::Contains => vec![Self::containing(part)],
            Match::StartsWithIgnoreCase => without_case(Self::starting_with(&fold_case(part))),
            Match::ContainsIgnoreCase => without_case(vec![Self::containing(&fold_case(part))]),
            Match::Not => vec![Self::none_of(vec![Cell::Text(part.to_owned())])],
        }
    }

    /// Every text has the empty one in it.
    fn containing(part: &str) -> Self {
        if part.is_empty() { Self::Given } else { Self::Contains(Cell::Text(part.to_owned())) }
    }

    /// Bounds of the texts that begin with this one: a range of a column's order, which is by code points in both
    /// databases.
    fn starting_with(text: &str) -> Vec<Self> {
        let least = Self::Compare(">=", Cell::Text(text.to_owned()));
        let beyond = after_prefix(text).map(|beyond| Self::Compare("<", Cell::Text(beyond)));
        std::iter::once(least).chain(beyond).collect()
    }

    /// Whether all rows that pass have the same value.
    pub(crate) fn leaves_one(&self) -> bool {
        matches!(self, Self::OneOf { values, or_null } if values.len() + usize::from(*or_null) == 1)
    }
}

/// The least text after all that begin with this one, in the order of code points; `None` where there is none.
fn after_prefix(text: &str) -> Option<String> {
    let mut rest = text.to_owned();
    while let Some(last) = rest.pop() {
        // a range passes over the surrogates
        if let Some(next) = (last..=char::MAX).nth(1) {
            rest.push(next);
            return Some(rest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::Checked;

    #[test]
    fn long_lists_of_values_have_few_texts() {
        let values = |count: i64| Query {
            filters: vec![Filter {
                column: ColumnIndex::ID,
                test: Test::OneOf { values: (0..count).map(Cell::Int).collect(), or_null: false },
            }],
            ..Query::default()
        };
        let bound = |count| values(count).values().count();
        assert_eq!([1, 2, 8, 9, 16, 17, 500].map(bound), [1, 2, 8, 16, 16, 32, 512]);
        let query = values(9);
        let bound: Vec<_> = query.values().collect();
        assert_eq!(bound[8..], [&Cell::Int(8); 8]);
    }

    /// SQLite takes a thousand levels of an expression.
    #[test]
    fn many_conditions_are_not_too_deep() {
        let mut service = restwell_model::Service::new("market");
        service.resources.push(restwell_model::Resource::new("Offer"));
        let service = Checked::recorded(service);
        let table = Table::of(&service, &service.resources[0]);
        let filter = || Filter { column: ColumnIndex::ID, test: Test::Compare(">", Cell::Int(0)) };
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE offers (id)").unwrap();
        for count in [1, 100, 101, 5_000] {
            let query = Query { filters: (0..count).map(|_| filter()).collect(), ..Query::default() };
            let mut sql = "SELECT 1 FROM offers t".to_owned();
            query.conditions(&table, &mut sql);
            assert_eq!((query.values().count(), sql.matches('?').count()), (count, count));
            let prepared = connection.prepare(&sql);
            assert!(prepared.is_ok(), "{count}: {:?}", prepared.err());
        }
    }

    #[test]
    fn the_end_of_a_prefix_is_the_next_text_without_it() {
        for (text, end) in [
            ("a", Some("b")),
            ("Łó", Some("Łô")),
            ("a\u{d7ff}", Some("a\u{e000}")),
            ("a\u{10ffff}", Some("b")),
            ("\u{10ffff}", None),
        ] {
            assert_eq!(after_prefix(text).as_deref(), end, "{text:?}");
        }
    }

    #[test]
    fn advice_names_what_is_dear() {
        let holds = Filter { column: 3.into(), test: Test::Holds { sql: String::new(), values: Vec::new() } };
        let far = Query { offset: FAR_OFFSET, ..Query::default() };
        assert_eq!(far.with(holds).narrow(), "name fewer objects or values, or add a filter");
        assert_eq!(far.narrow(), "use id.gt instead of a far offset");
        assert_eq!(Query::default().narrow(), "filter by fewer or more selective fields");
    }
}
