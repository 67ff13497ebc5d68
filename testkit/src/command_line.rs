//! Every command of a program with every option of it, given once: nobody has to list them, so that a new option is
//! tested, too.
//!
//! Clap reads the value of an option as the type that it was defined with. Two options of one name, in a command and in
//! one within it, can each be in order, and still end the program together.

use clap::builder::{OsStr, PossibleValue, Resettable};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches, Id};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Values of which some option takes one.
const VALUES: [&str; 14] = [
    "1",
    "PT1M",
    "2027-01-31",
    "127.0.0.1:1",
    "018f0000-0000-7000-8000-000000000000",
    "public.v1",
    "RUNNING",
    "name=value",
    "60/PT1M",
    "https://example.com",
    "reading",
    "caching",
    "x",
    "{}",
];
/// Options that one asks for besides, at most.
const MAX_REQUIRED: usize = 8;

/// A command of a program, from the program itself on.
type CommandPath<'c> = Vec<&'c Command>;

/// Parses each command with each of its options, and with each option of the commands that it is in. Returns a line of
/// each command, with no more than it needs.
///
/// # Panics
///
/// The program cannot read an option that it has.
#[must_use]
pub fn every_option<C: CommandFactory + FromArgMatches>() -> Vec<Vec<String>> {
    C::command().debug_assert();
    let mut program = C::command();
    program.build();
    let mut lines = Vec::new();
    for path in leaves(vec![&program]) {
        lines.push(accepted::<C>(&path, None));
        for (level, command) in path.iter().enumerate() {
            for arg in command.get_arguments() {
                match level + 1 == path.len() {
                    true => drop(accepted::<C>(&path, Some((level, arg)))),
                    // some commands take no options of the one that they are in
                    false => drop(read::<C>(&line(&path, &[(level, arg)]))),
                }
            }
        }
    }
    lines
}

/// The commands within one; itself, too, where that is one without another.
fn leaves(path: CommandPath<'_>) -> Vec<CommandPath<'_>> {
    let command = path[path.len() - 1];
    let within = command.get_subcommands().flat_map(|inner| leaves([&path[..], &[inner]].concat()));
    let mut found: Vec<_> = within.collect();
    if !command.is_subcommand_required_set() && !command.is_arg_required_else_help_set() {
        found.push(path);
    }
    found
}

/// A line that the program takes, with this option, and with what else it then asks for.
fn accepted<C: CommandFactory + FromArgMatches>(path: &CommandPath<'_>, with: Option<(usize, &Arg)>) -> Vec<String> {
    let mut given: Vec<_> = with.into_iter().collect();
    for _ in 0..MAX_REQUIRED {
        let line = line(path, &given);
        let Err(error) = read::<C>(&line) else { return line };
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return line,
            ErrorKind::MissingRequiredArgument => {}
            _ => panic!("{line:?}: {error}"),
        }
        let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { panic!("{error}") };
        let missing: Vec<_> = missing.iter().filter_map(|name| named(path, name)).collect();
        assert!(!missing.is_empty(), "{line:?}: {error}");
        given.extend(missing);
    }
    panic!("{:?} asks for ever more", line(path, &given))
}

/// The option that an error calls by its usage: `--sub <UUID>`, `<FILE>`.
fn named<'c>(path: &CommandPath<'c>, usage: &str) -> Option<(usize, &'c Arg)> {
    let levels = path.iter().enumerate().rev();
    let mut all = levels.flat_map(|(level, command)| command.get_arguments().map(move |arg| (level, arg)));
    all.find(|(_, arg)| arg.to_string() == usage)
}

/// The words of a command, each with its options.
fn line(path: &CommandPath<'_>, given: &[(usize, &Arg)]) -> Vec<String> {
    let mut line = Vec::new();
    for (level, command) in path.iter().enumerate() {
        line.push(command.get_name().to_owned());
        line.extend(given.iter().filter(|(of, _)| *of == level).map(|(_, arg)| word(arg)));
    }
    line
}

/// An option with a value that it takes.
fn word(arg: &Arg) -> String {
    let name = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => return value(arg, ""),
    };
    match arg.get_action() {
        ArgAction::Set | ArgAction::Append => format!("{name}={}", value(arg, &format!("{name}="))),
        _ => name,
    }
}

fn value(arg: &Arg, before: &str) -> String {
    let possible = arg.get_possible_values();
    let mut values = possible.iter().map(PossibleValue::get_name).chain(VALUES);
    let alone = arg.clone().env(Resettable::<OsStr>::Reset).required(false).global(false);
    let alone = alone.requires(Resettable::<Id>::Reset).conflicts_with(Resettable::<Id>::Reset);
    let alone = if alone.is_positional() { alone.index(1) } else { alone };
    let alone = Command::new("alone").no_binary_name(true).arg(alone);
    let found = values.find(|value| alone.clone().try_get_matches_from([format!("{before}{value}")]).is_ok());
    found.unwrap_or_else(|| panic!("no value is known for `{arg}`: add one to the list")).to_owned()
}

/// Reads a line as the program does.
fn read<C: CommandFactory + FromArgMatches>(line: &[String]) -> Result<(), clap::Error> {
    let reading = || C::from_arg_matches(&C::command().try_get_matches_from(line)?).map(drop);
    catch_unwind(AssertUnwindSafe(reading)).unwrap_or_else(|_| panic!("{line:?} panics"))
}
