//! Query parameters → a query over columns (§4.4, §4.6). Only what the version or view has can be named here.

use super::ColumnIndex;
use super::bind;
use super::cell::Cell;
use super::field_access::FieldAccess;
use super::query::Query;
use restwell_model::api::{FilterField, FilterOperator, LIMIT, OFFSET, SEARCH_ID, SORT, ValueType, list_parameters};
use restwell_model::field::Match;
use restwell_model::input::{Bound, DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET, MAX_PROBLEMS, Scalar, excerpt};
use restwell_model::scalar::string::is_blank;
use restwell_model::scalar::uuid_text;
use restwell_model::tables::Table;
use restwell_model::{Deprecation, ErrorCode, Problem, names};
use std::borrow::Cow;

/// Values that the filters of one request may have in all.
const MAX_VALUES: usize = 100;

/// What a collection can be filtered and sorted by, in one version and view.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListParameters {
    filters: Vec<Filterable>,
    sorts: Vec<Sortable>,
    /// Whether there are searches.
    has_searches: bool,
    /// The announcement that they go away.
    search_deprecation: Option<Deprecation>,
    /// All names of parameters, in the order in which they are suggested.
    known: Vec<String>,
}

#[derive(Debug, Clone)]
struct Filterable {
    name: String,
    column: ColumnIndex,
    scalar: Scalar,
    /// Whether it can be compared with bounds.
    has_bounds: bool,
    /// The ways to match that it opts in to.
    matches: Vec<Match>,
    deprecation: Option<Deprecation>,
}

#[derive(Debug, Clone)]
struct Sortable {
    name: String,
    column: ColumnIndex,
    deprecation: Option<Deprecation>,
}

impl ListParameters {
    /// The parameters that the interface has for these fields of a table.
    pub(crate) fn compile(fields: &[FilterField<'_>], table: &Table, has_searches: bool) -> Self {
        let known = list_parameters(fields, has_searches);
        let mut parameters = Self { has_searches, known, ..Self::default() };
        for field in fields {
            let Some(column) = table.column_of(&field.present).map(ColumnIndex::from) else { continue };
            let (name, deprecation) = (&field.name, field.deprecation);
            if let Some(scalar) = scalar(&field.value).filter(|_| field.is_filter) {
                let (name, has_bounds, matches) = (name.clone(), field.has_bounds, field.matches.to_vec());
                parameters.filters.push(Filterable { name, column, scalar, has_bounds, matches, deprecation });
            }
            if field.is_sort {
                let deprecation = field.sort_deprecation;
                parameters.sorts.push(Sortable { name: name.clone(), column, deprecation });
            }
        }
        parameters
    }

    /// The same, with searches that go away.
    pub(crate) fn announcing_searches(self, search_deprecation: Option<Deprecation>) -> Self {
        Self { search_deprecation, ..self }
    }

    /// The same without some fields: these are unknown.
    pub(crate) fn without(&self, fields: &[&FieldAccess]) -> Cow<'_, Self> {
        if fields.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut rest = self.clone();
        let is_hidden = |column: ColumnIndex| fields.iter().any(|it| it.columns.contains(&column.position()));
        for name in rest.filters.extract_if(.., |filter| is_hidden(filter.column)).map(|filter| filter.name) {
            let is_of_field =
                |known: &str| known.strip_prefix(&*name).is_some_and(|it| it.is_empty() || it.starts_with('.'));
            rest.known.retain(|known| !is_of_field(known));
        }
        rest.sorts.retain(|sort| !is_hidden(sort.column));
        Cow::Owned(rest)
    }

    /// The columns to filter by, and whether they have an order; the columns to sort by.
    #[cfg(test)]
    pub(crate) fn columns(&self) -> (Vec<(ColumnIndex, bool)>, Vec<ColumnIndex>) {
        let filters = self.filters.iter().map(|filter| (filter.column, filter.has_bounds)).collect();
        (filters, self.sorts.iter().map(|sort| sort.column).collect())
    }

    /// The column that a filter is on, and how its values are read.
    pub(super) fn filter_on(&self, name: &str) -> Option<(ColumnIndex, &Scalar)> {
        self.filters.iter().find(|field| field.name == name).map(|field| (field.column, &field.scalar))
    }

    /// The column that a name sorts by.
    pub(super) fn sort_on(&self, name: &str) -> Option<ColumnIndex> {
        self.sorts.iter().find(|field| field.name == name).map(|field| field.column)
    }

    /// Reads the parameters of a request for a collection.
    pub(crate) fn read(&self, given: &[(String, String)]) -> (Query, Vec<Problem>) {
        let mut query = Query { limit: DEFAULT_LIMIT, ..Query::default() };
        let (mut problems, mut values) = (Vec::new(), 0);
        let is_search = |name: &str| self.has_searches && name == SEARCH_ID;
        let has_search = given.iter().any(|(name, _)| is_search(name));
        for (index, (name, value)) in given.iter().enumerate() {
            let is_repeated = given[..index].iter().any(|(earlier, _)| earlier == name);
            let read = match name.as_str() {
                OFFSET | LIMIT | SORT if is_repeated => Err(Problem::new(ErrorCode::RepeatedParameter)),
                OFFSET => whole(value, MAX_OFFSET).map(|offset| query.offset = offset),
                LIMIT => whole(value, MAX_LIMIT).map(|limit| query.limit = limit),
                SORT => self.sort(value, &mut query),
                name if is_search(name) && is_repeated => Err(Problem::new(ErrorCode::RepeatedParameter)),
                name if is_search(name) => {
                    query.uses(self.search_deprecation);
                    let id = uuid_text::parse(value).ok_or_else(|| Problem::new(ErrorCode::InvalidUuid));
                    id.map(|id| query.search = Some(id))
                }
                // the search stands for all of them (§4.5)
                name if has_search && self.has_filter(name) => Err(Problem::new(ErrorCode::SearchFiltersFixed)),
                _ => {
                    values += 1;
                    self.filter(name, value, is_repeated, &mut query)
                }
            };
            if let Err(mut problem) = read {
                problem.path = Some(excerpt(name).to_owned());
                problems.push(problem);
            }
        }
        if values > MAX_VALUES {
            problems.push(invalid(format!("a request may have at most {MAX_VALUES} filter values")));
        }
        problems.truncate(MAX_PROBLEMS);
        (query, problems)
    }

    fn filter(&self, name: &str, value: &str, is_repeated: bool, query: &mut Query) -> Result<(), Problem> {
        if let Some(field) = self.equality(name) {
            query.uses(field.deprecation);
            return field.equal_to(value, query).map(|cell| query.allow(field.column, cell));
        }
        let Some((field, operator)) = self.compared(name) else {
            return Err(unknown_parameter(name, self.known.iter().map(String::as_str)));
        };
        if is_repeated && !operator.is_repeatable() {
            return Err(Problem::new(ErrorCode::RepeatedParameter));
        }
        query.uses(field.deprecation);
        let cell = match operator {
            FilterOperator::Match(it) if it.is_of_texts() => Cell::Text(part(value)?.to_owned()),
            FilterOperator::Equal | FilterOperator::Match(_) => field.equal_to(value, query)?,
            FilterOperator::Bound(_) => bind::scalar(field.scalar.parse_parameter(value)?),
        };
        query.filter(field.column, operator, cell);
        Ok(())
    }

    fn equality(&self, name: &str) -> Option<&Filterable> {
        self.filters.iter().find(|field| field.name == name)
    }

    /// The field that a name with a suffix compares, and how.
    fn compared(&self, name: &str) -> Option<(&Filterable, FilterOperator)> {
        let (name, suffix) = name.rsplit_once('.')?;
        let field = self.equality(name)?;
        let bounds = Bound::ALL.into_iter().filter(|_| field.has_bounds).map(FilterOperator::Bound);
        let matches = field.matches.iter().copied().map(FilterOperator::Match);
        let operator = bounds.chain(matches).find(|operator| operator.suffix() == Some(suffix))?;
        Some((field, operator))
    }

    fn has_filter(&self, name: &str) -> bool {
        self.equality(name).is_some() || self.compared(name).is_some()
    }

    fn sort(&self, value: &str, query: &mut Query) -> Result<(), Problem> {
        for word in value.split(',') {
            let (name, descending) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
            let Some(field) = self.sorts.iter().find(|field| field.name == name) else {
                return Err(invalid(format!("`{}` is not a field to sort by", excerpt(name))));
            };
            if query.sort.iter().any(|(column, _)| *column == field.column) {
                return Err(invalid(format!("`{name}` appears twice")));
            }
            query.uses(field.deprecation);
            query.sort.push((field.column, descending));
        }
        Ok(())
    }
}

/// How the values of a filter are read; `None` for a field that is only a sort key.
fn scalar(value: &ValueType<'_>) -> Option<Scalar> {
    match value {
        ValueType::Scalar(ty) => Scalar::compile(ty, None),
        ValueType::Enum(values) => Some(Scalar::of_enum(values)),
        ValueType::Amount => {
            let [amount, _] = Scalar::of_price(None, None, &[]);
            Some(amount)
        }
        ValueType::Words(words) => Some(Scalar::of_words(words)),
        ValueType::Price(_)
        | ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => None,
    }
}

/// An unknown parameter, with the nearest known one.
pub(crate) fn unknown_parameter<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let problem = Problem::at(ErrorCode::UnknownParameter, excerpt(name));
    match names::nearest(name, known) {
        Some(nearest) => problem.with("nearest", nearest),
        None => problem,
    }
}

/// A part of a text. An empty one is in every text, and nobody means that.
fn part(value: &str) -> Result<&str, Problem> {
    match value {
        "" => Err(invalid("must not be empty".to_owned())),
        value if value.contains('\0') => Err(Problem::new(ErrorCode::InvalidText)),
        value => Ok(value),
    }
}

impl Filterable {
    /// The value that a column must have; null where the parameter is empty.
    fn equal_to(&self, value: &str, query: &mut Query) -> Result<Cell, Problem> {
        if value.is_empty() || self.scalar.takes_blank() && is_blank(value) {
            return Ok(Cell::Null);
        }
        let value = self.scalar.parse_parameter(value)?;
        query.uses(self.scalar.deprecation_of(&value));
        Ok(bind::scalar(value))
    }
}

fn whole(value: &str, max: u32) -> Result<u32, Problem> {
    let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { value.parse().ok().filter(|number| *number <= max) } else { None };
    number.ok_or_else(|| invalid(format!("must be a whole number from 0 to {max}")))
}

fn invalid(reason: String) -> Problem {
    Problem::new(ErrorCode::InvalidParameter).with("reason", reason)
}
