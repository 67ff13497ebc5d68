//! Lifecycles: a field with the state, states that are reached and left, transitions that something makes.

use crate::check::Fault;
use crate::check::FaultCode::{
    BadAssignment, BadStateField, ClockTransition, DeadEndState, RepeatedName, UnknownField, UnknownState,
    UnknownTransition, UnreachableState,
};
use crate::check::index::{Definition, DefinitionIndex, field_names, suggestion, unknown_field};
use crate::check::place::Place;
use crate::check::rules::{names, repeated_names, repeats};
use crate::field::{Field, Type};
use crate::resource::{Lifecycle, Resource, Transition};
use std::collections::HashSet;

/// What needs the resource only.
pub(super) fn lifecycle(resource: &Resource, faults: &mut Vec<Fault>) {
    let Some(lifecycle) = &resource.lifecycle else { return };
    let definition = Place::Definition(&resource.name);
    let at = definition.key("lifecycle");
    let transitions = at.key("transitions");
    for (_, _, name) in repeats(lifecycle.transitions.iter().map(|transition| transition.name.as_str())) {
        let fault = transitions.key(name).name_fault(RepeatedName, format!("two transitions are named `{name}`"));
        faults.push(fault.help("list all states in `from` of one of them"));
    }
    state_field(resource, lifecycle, &at, faults);
    repeated_names(lifecycle.finals.iter().map(String::as_str), &at.key("final"), faults);
    for transition in &lifecycle.transitions {
        let at = transitions.key(&transition.name);
        repeated_names(transition.from.iter().map(String::as_str), &at.key("from"), faults);
        time(resource, transition, &at, faults);
        assignments(resource, lifecycle, transition, &at.key("set"), faults);
    }
}

fn state_field(resource: &Resource, lifecycle: &Lifecycle, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let at = at.key("field");
    let Some(field) = resource.field(&lifecycle.field) else {
        faults.push(unknown_field(resource, &lifecycle.field, &at));
        return;
    };
    let why = if !matches!(field.ty, Type::Named { .. }) {
        Some(("is not an enum", "name a field with `type: enum`".to_owned()))
    } else if !field.read_only {
        Some(("can be set by requests", format!("add `readOnly: true` to `{}`", field.name)))
    } else if field.default_is.is_some() || field.required_when.is_some() {
        Some(("has conditions", format!("remove `default` and `required` of `{}`", field.name)))
    } else if field.default.as_ref().is_some_and(|default| default.as_str() != Some(lifecycle.initial.as_str())) {
        Some(("has a default that is not the initial state", format!("remove `default` of `{}`", field.name)))
    } else {
        None
    };
    if let Some((why, help)) = why {
        let message = format!("`{}` {why}, so it cannot have the state of a lifecycle", field.name);
        faults.push(at.fault(BadStateField, message).help(help));
    }
}

/// The time of a transition that the clock makes.
fn time(resource: &Resource, transition: &Transition, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let name = &transition.name;
    let Some(time) = &transition.at else { return };
    names::kebab(name, at, faults);
    match resource.field(time) {
        None => faults.push(unknown_field(resource, time, &at.key("at"))),
        Some(field) if !matches!(field.ty, Type::Timestamp { .. }) => {
            let message = format!("`{time}` is not a timestamp, so a transition cannot wait for it");
            faults.push(at.key("at").fault(ClockTransition, message).help("name a field with `type: timestamp`"));
        }
        Some(_) => {}
    }
}

fn assignments(
    resource: &Resource,
    lifecycle: &Lifecycle,
    transition: &Transition,
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    for name in transition.set.keys() {
        let at = at.key(name);
        let Some(field) = resource.field(name) else {
            let mut fault = at.name_fault(UnknownField, format!("`{}` has no field `{name}`", resource.name));
            fault.help = suggestion(name, field_names(&resource.fields));
            faults.push(fault);
            continue;
        };
        let why = if *name == lifecycle.field {
            "`to` says its value"
        } else if field.secret.is_some() {
            "it is a secret"
        } else if matches!(field.ty, Type::Array { .. }) {
            "it is an array"
        } else if matches!(field.ty, Type::Map { .. }) {
            "it is a map"
        } else {
            continue;
        };
        let fault = at.name_fault(BadAssignment, format!("a transition cannot set `{name}`: {why}"));
        faults.push(fault.help("remove it"));
    }
}

/// What needs the commands, and the enum.
pub(super) fn states(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let Some(lifecycle) = &resource.lifecycle else { continue };
        let definition = Place::Definition(&resource.name);
        let at = definition.key("lifecycle");
        makers(resource, lifecycle, &at.key("transitions"), faults);
        let Some(Definition::Enum(states)) = resource.field(&lifecycle.field).and_then(|field| named(index, field))
        else {
            continue;
        };
        let before = faults.len();
        known_states(lifecycle, &states.values, &states.name, &at, faults);
        if faults.len() == before {
            reached_and_left(lifecycle, &states.values, &at, faults);
        }
    }
}

/// What makes each transition: a command, or the clock.
fn makers(resource: &Resource, lifecycle: &Lifecycle, at: &Place<'_>, faults: &mut Vec<Fault>) {
    for transition in &lifecycle.transitions {
        let (at, name) = (at.key(&transition.name), &transition.name);
        let is_command = resource.commands.iter().any(|command| command.name == *name);
        if is_command && transition.at.is_some() {
            let message = format!("`{name}` is a command, and a transition with `at` is made by the clock alone");
            faults.push(at.key("at").fault(ClockTransition, message).help("give the transition another name"));
        }
        if !is_command && transition.at.is_none() {
            let message = format!("`{}` has no command `{name}` to make this transition", resource.name);
            let commands = resource.commands.iter().map(|command| command.name.as_str());
            let mut fault = at.name_fault(UnknownTransition, message);
            fault.help = suggestion(name, commands)
                .or_else(|| Some(format!("add `{name}` to the `commands`, or say with `at` when it happens")));
            faults.push(fault);
        }
    }
}

fn named<'a>(index: &DefinitionIndex<'a>, field: &Field) -> Option<Definition<'a>> {
    match &field.ty {
        Type::Named { name } => index.get(name),
        _ => None,
    }
}

fn known_states(lifecycle: &Lifecycle, states: &[String], name: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let mut known = |state: &String, at: &Place<'_>| {
        if !states.contains(state) {
            let mut fault = at.fault(UnknownState, format!("`{name}` has no value `{state}`"));
            fault.help = suggestion(state, states.iter().map(String::as_str));
            faults.push(fault);
        }
    };
    known(&lifecycle.initial, &at.key("initial"));
    let finals = at.key("final");
    lifecycle.finals.iter().enumerate().for_each(|(position, state)| known(state, &finals.index(position)));
    let transitions = at.key("transitions");
    for transition in &lifecycle.transitions {
        let at = transitions.key(&transition.name);
        let from = at.key("from");
        transition.from.iter().enumerate().for_each(|(position, state)| known(state, &from.index(position)));
        known(&transition.to, &at.key("to"));
    }
}

fn reached_and_left(lifecycle: &Lifecycle, states: &[String], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let mut reached = HashSet::from([lifecycle.initial.as_str()]);
    // each round adds a state, or is the last one
    for _ in states {
        for transition in &lifecycle.transitions {
            if transition.from.iter().any(|state| reached.contains(state.as_str())) {
                reached.insert(transition.to.as_str());
            }
        }
    }
    for state in states {
        if !reached.contains(state.as_str()) {
            let message = format!("no transition leads from `{}` to `{state}`", lifecycle.initial);
            let fault = at.key("transitions").name_fault(UnreachableState, message);
            faults.push(fault.help(format!("add a transition with `to: {state}`, or remove the value")));
        } else if !lifecycle.finals.contains(state)
            && !lifecycle.transitions.iter().any(|transition| transition.from.contains(state))
        {
            let message = format!("no transition leads out of `{state}`");
            let fault = at.key("transitions").name_fault(DeadEndState, message);
            faults.push(fault.help(format!("add `final: [{state}]`, or a transition with `from: {state}`")));
        }
    }
}
