//! `operations(create(access = user), list, get)`, of a resource and of a view.

use crate::attribute::{Argument, Given};
use crate::reading::Reading;
use crate::{common, words};
use restwell_model::{ModelPath, Operation};
use syn::{Error, Result};

/// Reads the list into the canonical order.
pub(crate) fn read(reading: &mut Reading, at: &ModelPath, argument: &Argument) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    reading.each(at, argument.list()?, &[], |reading, item| {
        operations.push(operation(reading, at, item)?);
        Ok(())
    });
    operations.sort_by_key(|operation| operation.kind);
    Ok(operations)
}

fn operation(reading: &mut Reading, at: &ModelPath, item: &Argument) -> Result<Operation> {
    let word = item.name.text();
    let unknown = "an operation is `create`, `list`, `get`, `update`, `patch` or `delete`";
    let kind = word.parse().map_err(|()| Error::new_spanned(&item.name, unknown))?;
    let mut operation = Operation::open(kind);
    if !matches!(item.given, Given::Nothing) {
        reading.each(&at.key(&word), item.list()?, &[], |_, argument| {
            match argument.name.text().as_str() {
                words::ACCESS => operation.access = common::access(argument)?,
                words::ASYNC => operation.is_async = argument.flag()?,
                _ => return Err(words::IN_OPERATION.unknown(argument)),
            }
            Ok(())
        });
    }
    Ok(operation)
}
