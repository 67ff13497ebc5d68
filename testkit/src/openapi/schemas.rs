//! The schemas of a document, each compiled once, when it is first needed.
//!
//! The schemas of answers are open: clients must expect properties that are not there yet. An answer of today must have
//! no property that the document of today does not name, so these schemas are closed here.

use jsonschema::{Registry, Validator};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What the document is called in references.
const ADDRESS: &str = "urn:restwell:openapi";

/// The schemas of a document.
#[derive(Debug)]
pub(super) struct Schemas {
    registry: Registry<'static>,
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Schemas {
    pub(super) fn of(document: &Value) -> Result<Self, String> {
        let mut closed = document.clone();
        absolute(&mut closed);
        if let Some(schemas) = closed.pointer_mut("/components/schemas") {
            close(schemas);
        }
        // the components are all that schemas refer to
        let components = serde_json::json!({ "components": { "schemas": closed["components"]["schemas"] } });
        let registry = Registry::new().add(ADDRESS, components).map_err(|error| error.to_string())?;
        let registry = registry.prepare().map_err(|error| error.to_string())?;
        Ok(Self { registry, compiled: Mutex::default() })
    }

    /// What is wrong with a value by a schema of the document.
    pub(super) fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        match self.compiled(schema) {
            Ok(validator) if validator.is_valid(value) => Vec::new(),
            Ok(validator) => {
                let told = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
                validator.iter_errors(value).map(told).collect()
            }
            Err(reason) => vec![format!("the schema {schema} cannot be compiled: {reason}")],
        }
    }

    fn compiled(&self, schema: &Value) -> Result<Arc<Validator>, String> {
        let key = schema.to_string();
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut schema = schema.clone();
        absolute(&mut schema);
        close(&mut schema);
        let built = jsonschema::options().with_registry(&self.registry).build(&schema);
        let built = Arc::new(built.map_err(|error| error.to_string())?);
        compiled.insert(key, Arc::clone(&built));
        Ok(built)
    }
}

/// References into the document, from wherever they stand.
fn absolute(value: &mut Value) {
    each_object(value, &mut |members| {
        if let Some(Value::String(reference)) = members.get_mut("$ref")
            && reference.starts_with('#')
        {
            reference.insert_str(0, ADDRESS);
        }
    });
}

/// An object with these properties has no others.
fn close(value: &mut Value) {
    each_object(value, &mut |members| {
        if members.get("properties").is_some_and(Value::is_object) && members.get("type").is_some_and(is_object_type) {
            members.entry("additionalProperties").or_insert(Value::Bool(false));
        }
    });
}

fn is_object_type(ty: &Value) -> bool {
    let is_object = |ty: &Value| ty == "object";
    is_object(ty) || ty.as_array().is_some_and(|types| types.iter().any(is_object))
}

fn each_object(value: &mut Value, visit: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values_mut().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
