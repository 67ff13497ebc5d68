//! Reads `operations(create(access = user), list, get)` of a resource or a view.

use crate::attribute::{Argument, ArgumentValue};
use crate::context::Context;
use crate::{constraints, symbol};
use restwell_model::{ModelPath, Operation};
use serde_json::Map;
use syn::{Error, Result};

/// Reads the list into the canonical order.
pub(crate) fn read(context: &mut Context, at: &ModelPath, argument: &Argument) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    context.each(at, argument.list()?, &[], |context, item| {
        operations.push(operation(context, at, item)?);
        Ok(())
    });
    operations.sort_by_key(|operation| operation.kind);
    Ok(operations)
}

fn operation(context: &mut Context, at: &ModelPath, item: &Argument) -> Result<Operation> {
    let word = item.name.text();
    let unknown = "write one of the operations: `create`, `list`, `get`, `update`, `patch` or `delete`";
    let kind = word.parse().map_err(|()| Error::new_spanned(&item.name, unknown))?;
    let mut operation = Operation::with_default_access(kind);
    if !matches!(item.given, ArgumentValue::Nothing) {
        let mut keys = Map::new();
        context.each(&at.key(&word), item.list()?, &[], |_, argument| {
            constraints::collect(&mut keys, symbol::IN_OPERATION.key(argument)?, argument)
        });
        operation.open_by_default &= !keys.contains_key(symbol::ACCESS);
        operation = operation.with_keys(keys);
    }
    Ok(operation)
}
