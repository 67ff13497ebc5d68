//! Reads `rule(…)` and `lifecycle(…)` of a resource.

use crate::attribute::{Argument, ArgumentValue};
use crate::context::Context;
use crate::{constraints, symbol};
use restwell_model::language::{self, KeyShape, KeyTable};
use restwell_model::{Lifecycle, ModelPath, Rule, Transition};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use syn::{Error, Result};

/// `rule(check = "endingAt > startingAt", code = "EndsBeforeStart", message = "must be after startingAt")`.
pub(crate) fn rule(context: &mut Context, at: &ModelPath, argument: &Argument) -> Result<Rule> {
    context.places.argument_as(at, argument);
    let mut keys = Map::new();
    context.each(at, argument.list()?, &[], |_, argument| {
        constraints::collect(&mut keys, symbol::IN_RULE.key(argument)?, argument)
    });
    finished(context, argument, &language::RULE, keys)
}

/// `lifecycle(field = status, initial = "ACTIVE", transition(end, from("ACTIVE"), to = "ENDED"))`.
pub(crate) fn lifecycle(context: &mut Context, at: &ModelPath, argument: &Argument) -> Result<Lifecycle> {
    let mut keys = Map::new();
    let mut transitions = Vec::new();
    context.each(at, argument.list()?, &[symbol::TRANSITION], |context, argument| {
        let key = symbol::IN_LIFECYCLE.key(argument)?;
        match key.shape {
            KeyShape::Transitions => transitions.push(transition(context, &at.key(key.name), argument)?),
            _ => constraints::collect(&mut keys, key, argument)?,
        }
        Ok(())
    });
    if !transitions.is_empty() {
        let read: Vec<_> =
            transitions.iter().map(|it: &Transition| serde_json::to_value(it).unwrap_or_default()).collect();
        keys.insert("transitions".to_owned(), read.into());
    }
    finished(context, argument, &language::LIFECYCLE, keys)
}

fn transition(context: &mut Context, at: &ModelPath, argument: &Argument) -> Result<Transition> {
    let nameless = |tokens: &Argument| {
        let message = "begin the transition with its name: `transition(end, from(\"ACTIVE\"), to = \"ENDED\")`";
        Error::new_spanned(tokens, message)
    };
    let Some((name, arguments)) = argument.list()?.split_first() else { return Err(nameless(argument)) };
    let ArgumentValue::Nothing = name.given else { return Err(nameless(name)) };
    let word = name.name.text();
    let at = at.key(&word);
    context.places.key(&at, &name.name);
    context.places.value(&at, &name.name);
    let mut keys = Map::new();
    context.each(&at, arguments, &[], |_, argument| {
        constraints::collect(&mut keys, symbol::IN_TRANSITION.key(argument)?, argument)
    });
    let mut transition: Transition = finished(context, argument, &language::TRANSITION, keys)?;
    transition.name = word;
    Ok(transition)
}

/// The value of these keys, if none of those that are required is missing.
fn finished<T: DeserializeOwned>(
    context: &Context,
    argument: &Argument,
    table: &KeyTable,
    mut keys: Map<String, Value>,
) -> Result<T> {
    if context.is_clean()
        && let Some(missing) = table.required().find(|key| !keys.contains_key(*key))
    {
        return Err(Error::new_spanned(&argument.name, format!("{} needs `{missing}`", table.what)));
    }
    keys.entry("name").or_insert_with(|| Value::from(""));
    let read = serde_json::from_value(keys.into());
    read.map_err(|_| Error::new_spanned(&argument.name, format!("{} is not complete", table.what)))
}
