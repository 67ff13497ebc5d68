//! A resource as the service's own code sees it: the fields of all versions and views, read-only ones as well.

use super::ResourcePlan;
use super::cell::Cell;
use super::form::FieldForms;
use super::list_parameters::ListParameters;
use super::query::Query;
use super::{bind, computed, exact_digits, stored};
use crate::typed::query::{QuerySpec, RequestFilters};
use restwell_model::api::all_filter_fields;
use restwell_model::input::{Malformed, Reading, Scalar, Shape};
use restwell_model::scalar::{amount, decimal};
use restwell_model::tables::Table;
use restwell_model::{Checked, ErrorCode, Field, Problem, Resource, Value};
use std::sync::Arc;
use uuid::Uuid;

/// Entities that a query finds without a limit.
const DEFAULT_LIMIT: u32 = 100;
/// Entities that a query finds at most.
const MAX_LIMIT: u32 = 10_000;

/// What checks and finds entities for the service's own code.
#[derive(Debug)]
pub(crate) struct RepositoryPlan {
    shape: Shape,
    fields: FieldForms,
    parameters: ListParameters,
    secrets: Vec<String>,
}

impl RepositoryPlan {
    /// Compiles a resource.
    pub(super) fn compile(service: &Checked, resource: &Resource, table: &Table) -> Self {
        let initial = |field: &Field| {
            let lifecycle = resource.lifecycle.as_ref().filter(|lifecycle| lifecycle.field == field.name);
            lifecycle.map(|lifecycle| lifecycle.initial.as_str().into())
        };
        let field = |field: &Field| {
            let required = field.required && !resource.may_be_null(field);
            let default = field.default.clone().or_else(|| initial(field));
            // what is computed is ignored, whatever the service's own code gives
            Field { read_only: false, required, default, ..field.clone() }
        };
        let fields: Vec<_> = resource.fields.iter().map(field).collect();
        let secret = |field: &&Field| field.secret.is_some();
        Self {
            shape: Shape::compile(service, &fields, &[], &|_| true),
            fields: FieldForms::of(service, &resource.fields),
            parameters: ListParameters::compile(&all_filter_fields(service, resource), table, false),
            secrets: resource.fields.iter().filter(secret).map(|field| field.name.clone()).collect(),
        }
    }

    /// All fields, in the model's order.
    pub(crate) fn fields(&self) -> &FieldForms {
        &self.fields
    }

    /// The values of an entity, if a number in JSON of any form has other digits than the service's own code sees.
    pub(crate) fn exact(&self, value: &Value) -> Option<Box<Value>> {
        if self.shape.has_json() { exact_digits::exact(value) } else { None }
    }

    /// The problems of values that the service's own code wants to store.
    pub(crate) fn check(&self, value: &Value) -> Vec<Problem> {
        let json = self.fields.to_json(value);
        let problems =
            self.shape.read(json.as_bytes(), Reading::Create, &[]).map(|body| body.problems).unwrap_or_default();
        // of a secret the hash is stored, which need not look like one
        let is_secret = |problem: &Problem| self.secrets.iter().any(|name| problem.path.as_ref() == Some(name));
        problems.into_iter().filter(|problem| !is_secret(problem)).collect()
    }

    /// The values of a new entity, from JSON that may also set what clients cannot.
    ///
    /// # Errors
    ///
    /// Their problems.
    pub(crate) fn read(&self, json: &str) -> Result<Value, Vec<Problem>> {
        let body = self.shape.read(json.as_bytes(), Reading::Create, &[]);
        let body =
            body.map_err(|Malformed(reason)| vec![Problem::new(ErrorCode::MalformedJson).with("reason", reason)])?;
        if body.problems.is_empty() { Ok(self.shape.complete(body.value)) } else { Err(body.problems) }
    }

    /// The query over columns that a typed one stands for.
    ///
    /// # Errors
    ///
    /// A sentence for the log: a value that no such field can have.
    pub(crate) fn query(&self, asked: QuerySpec) -> Result<Query, String> {
        let limit = asked.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT);
        let mut query = Query { limit, offset: asked.offset, ..Query::default() };
        for (name, wish) in asked.filters {
            let (column, scalar) =
                self.parameters.filter_on(&name).ok_or_else(|| format!("`{name}` is not a filter"))?;
            query.filter(column, wish.operator, bind::scalar(fitting(&name, scalar, wish.value)?));
        }
        for (name, descending) in asked.sort {
            let column = self.parameters.sort_on(&name).ok_or_else(|| format!("`{name}` is nothing to sort by"))?;
            query.sort.push((column, descending));
        }
        let request = asked.request.and_then(|RequestFilters(request)| request.downcast::<Query>().ok());
        if let Some(request) = request.map(Arc::unwrap_or_clone) {
            query.filters.extend(request.filters);
            // the request's order first; a column twice would change nothing
            let ties = std::mem::replace(&mut query.sort, request.sort);
            let is_new = |query: &Query, column| query.sort.iter().all(|(known, _)| *known != column);
            for (column, descending) in ties {
                if is_new(&query, column) {
                    query.sort.push((column, descending));
                }
            }
        }
        Ok(query)
    }
}

/// The query of a request, with its page.
impl From<Query> for QuerySpec {
    fn from(query: Query) -> Self {
        let (offset, limit) = (query.offset, Some(query.limit));
        Self { offset, limit, request: Some(RequestFilters(Arc::new(query))), ..Self::default() }
    }
}

/// A decimal is a text until here, where its scale is known.
fn fitting(name: &str, scalar: &Scalar, value: Value) -> Result<Value, String> {
    let (scale, text) = match (scalar, value) {
        (Scalar::Decimal { scale, .. }, Value::Text(text)) => (*scale, text),
        (Scalar::Amount(_), Value::Text(text)) => (amount::SCALE, text),
        (_, value) => return Ok(value),
    };
    let units = text.parse().ok().and_then(|number| decimal::from_decimal(number, scale));
    units.map(Value::Int).ok_or_else(|| format!("`{name}` is compared with {text}, which it cannot be"))
}

impl ResourcePlan {
    /// The values of a row's fields. Computed ones that read other entities are null.
    pub(crate) fn values(&self, cells: &[Cell]) -> Value {
        let mut values = stored::values(&self.table.slots, &self.forms, cells);
        computed::fill(&self.computed, cells, &mut values, || self.clock.now().millis());
        values
    }

    /// Computes the fields of values that are about to be stored, from the entity alone. Other computed fields are
    /// null.
    pub(crate) fn compute_again(&self, (id, [created_at, updated_at]): (Uuid, [i64; 2]), values: &mut Value) {
        if let Value::Object(fields) = &mut *values {
            for computed in &self.computed {
                if let Some(field) = fields.get_mut(computed.index) {
                    *field = Value::Null;
                }
            }
        }
        let common = [Cell::Uuid(id), Cell::Int(created_at), Cell::Int(updated_at)];
        computed::fill(&self.computed, &common, values, || updated_at);
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;
    use restwell_model::input::Scalar;
    use restwell_model::{Type, Value};

    #[test]
    fn a_decimal_gets_the_units_of_its_field_or_is_refused() {
        let decimal = Type::Decimal { minimum: None, maximum: None, scale: 3 };
        let decimal = Scalar::compile(&decimal, None).unwrap();
        let [amount, _] = Scalar::of_price(None, None, &[]);
        let fit = |scalar: &Scalar, text: &str| fitting("weight", scalar, Value::Text(text.to_owned()));
        assert_eq!(fit(&decimal, "-1.5"), Ok(Value::Int(-1500)));
        assert_eq!(fit(&amount, "50"), Ok(Value::Int(5000)));
        assert_eq!(fit(&amount, "0.001"), Err("`weight` is compared with 0.001, which it cannot be".to_owned()));
        assert_eq!(fitting("weight", &decimal, Value::Null), Ok(Value::Null));
    }
}
