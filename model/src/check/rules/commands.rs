//! Commands (§2.6).

use crate::check::Fault;
use crate::check::FaultCode::{BadTimeout, RepeatedName};
use crate::check::place::Place;
use crate::check::rules::{
    exemptions, field, former_names, keys, lifecycle, name_conflicts, names, operations, repeats, reserved,
};
use crate::field::Field;
use crate::resource::{Command, Resource};
use crate::scalar::IsoDuration;
use std::time::Duration;

/// The bounds of a timeout.
const TIMEOUT: std::ops::RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(24 * 60 * 60);

/// The commands of a resource.
pub(super) fn commands(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("commands");
    for (_, _, name) in repeats(resource.commands.iter().map(|command| command.name.as_str())) {
        let fault = at.key(name).name_fault(RepeatedName, format!("two commands are named `{name}`"));
        faults.push(fault.help("rename one of them"));
    }
    reserved::commands(&resource.commands, &at, faults);
    for item in &resource.commands {
        command(item, &at.key(&item.name), faults);
    }
}

/// One command, without its resource.
pub(super) fn command(command: &Command, at: &Place<'_>, faults: &mut Vec<Fault>) {
    names::kebab(&command.name, at, faults);
    operations::access(&command.access, &at.key("access"), faults);
    timeout(&command.timeout, &at.key("timeout"), faults);
    fields(command, at, faults);
    lifecycle::sunset(command.deprecated, command.sunset.is_some(), at, faults);
    exemptions::allow(&command.allow, at, faults);
}

fn fields(command: &Command, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let (input, output) = (at.key("input"), at.key("output"));
    for item in &command.input {
        let at = input.key(&item.name);
        field(item, &at, faults);
        keys::of_input(item, &at, faults);
    }
    reserved::command_fields(&command.input, &input, faults);
    lifecycle::renamed_fields(&command.input, &input, faults);
    each_of_output(&command.output, &output, faults);
    let sections: [(_, &[Field]); 2] = [(input, &command.input), (output, &command.output)];
    name_conflicts::fields(&sections, faults);
    former_names::of_command(&sections, faults);
}

/// The fields of an output, without its command.
pub(super) fn output(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    each_of_output(fields, at, faults);
    name_conflicts::fields(&[(*at, fields)], faults);
    former_names::of_command(&[(*at, fields)], faults);
}

fn each_of_output(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for item in fields {
        let at = at.key(&item.name);
        field(item, &at, faults);
        keys::of_output(item, &at, faults);
    }
    reserved::command_fields(fields, at, faults);
    lifecycle::renamed_fields(fields, at, faults);
}

fn timeout(timeout: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let length = IsoDuration::parse(timeout).and_then(|duration| duration.to_std());
    if !length.is_some_and(|length| TIMEOUT.contains(&length)) {
        let fault = at.fault(BadTimeout, format!("`{timeout}` is not a duration from `PT1S` to `P1D`"));
        faults.push(fault.help("write an ISO 8601 duration, like `PT30S`"));
    }
}
