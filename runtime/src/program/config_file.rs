//! The configuration file: the options of `serve`, in YAML, under their long names.
//!
//! What it says becomes the options' defaults, so that one parser reads all values, and the command line and the
//! environment override it by themselves. Each mistake is reported with its line, but without values, which may be
//! secrets.

use super::listen::with_port;
use super::serve_options::ServeOptions;
use clap::builder::{OsStr, Resettable};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Id};
use restwell_model::{names, regular_file};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::path::{Path, PathBuf};

/// Bytes of a file at most.
const MAX_FILE: usize = 256 * 1024;
/// Options for one call of the program, which have no meaning in a file.
const NOT_IN_FILES: [&str; 6] = ["config", "check", "migrate", "under-dev", "help", "version"];

/// The options from the arguments, the environment, and the file that these name. A command line that is
/// wrong ends it here.
/// `within`: the commands whose options they are, where the program has others, too.
pub(crate) fn command_line<C: CommandFactory + FromArgMatches>(within: &[&str]) -> Result<C, String> {
    let matches = with_port(C::command()).get_matches();
    let found = match within {
        [] => file(&matches),
        names => names.iter().find_map(|name| file(matches.subcommand_matches(name)?)),
    };
    let matches = match found {
        None => matches,
        Some(path) => {
            let settings = settings(&path)?;
            let command = match within {
                [] => settings.as_defaults(C::command()),
                names => names.iter().fold(C::command(), |command, name| {
                    command.mut_subcommand(name, |command| settings.as_defaults(command))
                }),
            };
            with_port(command).get_matches()
        }
    };
    C::from_arg_matches(&matches).map_err(|error| error.to_string())
}

/// The file that the command which is to be done was given.
fn file(matches: &ArgMatches) -> Option<PathBuf> {
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let path = matches.try_get_one::<PathBuf>("config").ok().flatten()?;
    (!path.as_os_str().is_empty()).then(|| path.clone())
}

fn settings(path: &Path) -> Result<ConfigSettings, String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let text = regular_file::read_text(path, MAX_FILE).map_err(failed)?;
    ConfigSettings::read(&text).map_err(|mistakes| {
        let lines: Vec<_> =
            mistakes.iter().map(|ConfigMistake(line, text)| format!("{}:{line}: {text}", path.display())).collect();
        lines.join("\n")
    })
}

/// A mistake, and its line.
#[derive(Debug, PartialEq, Eq)]
struct ConfigMistake(usize, String);

/// The values of options, checked one by one.
#[derive(Debug, Default, PartialEq, Eq)]
struct ConfigSettings(Vec<(String, Vec<String>)>);

impl ConfigSettings {
    fn read(text: &str) -> Result<Self, Vec<ConfigMistake>> {
        let serve = serve();
        let mut settings = Self::default();
        let mut mistakes = Vec::new();
        for entry in entries(text).map_err(|mistake| vec![mistake])? {
            let line = entry.line;
            match value(&serve, &settings, entry) {
                Ok(setting) => settings.0.push(setting),
                Err(mistake) => mistakes.push(ConfigMistake(line, mistake)),
            }
        }
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }

    /// The command with these values as defaults, wherever it has such an option. They are not shown in its help.
    fn as_defaults(&self, command: Command) -> Command {
        let set = |command: Command| {
            self.0.iter().fold(command, |command, (name, values)| match option(&command, name) {
                None => command,
                Some(id) => command.mut_arg(id, |arg| {
                    arg.default_values(values.iter().map(|value| OsStr::from(value.clone()))).hide_default_value(true)
                }),
            })
        };
        let names: Vec<_> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let inner =
            |command: Command, name: &String| command.mut_subcommand(name, |subcommand| self.as_defaults(subcommand));
        names.iter().fold(set(command), inner)
    }
}

/// The options that a file may set.
fn serve() -> Command {
    ServeOptions::augment_args(Command::new("serve"))
}

fn find<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}

fn option(command: &Command, name: &str) -> Option<Id> {
    find(command, name).map(|arg| arg.get_id().clone())
}

/// A key and its value.
struct ConfigEntry {
    line: usize,
    key: String,
    /// `None`: nothing.
    value: Option<ConfigValue>,
}

enum ConfigValue {
    One(String),
    List(Vec<String>),
}

/// The name and the values of an entry, if the option takes them.
fn value(serve: &Command, before: &ConfigSettings, entry: ConfigEntry) -> Result<(String, Vec<String>), String> {
    let ConfigEntry { key, value, .. } = entry;
    let known = || serve.get_arguments().filter_map(Arg::get_long).filter(|name| !NOT_IN_FILES.contains(name));
    if NOT_IN_FILES.contains(&key.as_str()) {
        return Err(format!("`{key}` belongs on the command line"));
    }
    let Some(arg) = find(serve, &key) else {
        let help = names::nearest(&key, known()).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        return Err(format!("`{key}` is not an option of `serve`{help}"));
    };
    if before.0.iter().any(|(known, _)| *known == key) {
        return Err(format!("`{key}` appears twice"));
    }
    let values = match value {
        None => return Err(format!("`{key}` has no value; leave it out, or give it one")),
        Some(ConfigValue::One(value)) => vec![value],
        Some(ConfigValue::List(values)) if matches!(arg.get_action(), ArgAction::Append) => values,
        Some(ConfigValue::List(_)) => return Err(format!("`{key}` takes one value, not a list")),
    };
    match values.iter().find_map(|value| mistake(arg, value)) {
        Some(mistake) => Err(format!("`{key}`: {mistake}")),
        None => Ok((key, values)),
    }
}

/// The result of the option's own parser.
fn mistake(arg: &Arg, value: &str) -> Option<String> {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return (!["true", "false"].contains(&value)).then(|| "must be `true` or `false`".to_owned());
    }
    let arg = arg.clone().env(Resettable::<OsStr>::Reset);
    // combinations of options are checked once all are read
    let arg = arg.requires(Resettable::<Id>::Reset).conflicts_with(Resettable::<Id>::Reset);
    let alone = Command::new("alone").no_binary_name(true).arg(&arg);
    let given = format!("--{}={value}", arg.get_long().unwrap_or_default());
    let error = alone.try_get_matches_from([given]).err()?;
    let reason = std::error::Error::source(&error).map(ToString::to_string);
    Some(reason.unwrap_or_else(|| "is not one of the valid values".to_owned()))
}

/// What a file says: a mapping of words to words, or to lists of them.
fn entries(text: &str) -> Result<Vec<ConfigEntry>, ConfigMistake> {
    let mut events = Parser::new_from_str(text);
    let mut next = || match events.next_event() {
        None => Ok((Event::StreamEnd, 0)),
        Some(Ok((event, span))) => properties(&event, span.start.line()).map(|()| (event, span.start.line())),
        Some(Err(error)) => {
            Err(ConfigMistake(error.marker().line(), format!("the YAML does not parse: {}", error.info())))
        }
    };
    let mut entries = Vec::new();
    // before the first key
    loop {
        match next()? {
            (Event::StreamStart | Event::DocumentStart(_), _) => {}
            (Event::MappingStart(..), _) => break,
            (Event::StreamEnd | Event::DocumentEnd, _) => return Ok(entries),
            (Event::Scalar(text, ScalarStyle::Plain, ..), _) if text.is_empty() => {}
            (_, line) => {
                return Err(ConfigMistake(line, "the file must be a mapping: `listen: 127.0.0.1:8080`".to_owned()));
            }
        }
    }
    loop {
        let (key, line) = match next()? {
            (Event::Scalar(text, ..), line) => (text.into_owned(), line),
            (Event::MappingEnd, _) => break,
            (_, line) => return Err(ConfigMistake(line, "a key must be a word".to_owned())),
        };
        let value = match next()? {
            (Event::Scalar(text, style, ..), _) => word(&text, style).map(ConfigValue::One),
            (Event::SequenceStart(..), _) => {
                let mut words = Vec::new();
                loop {
                    match next()? {
                        (Event::SequenceEnd, _) => break Some(ConfigValue::List(words)),
                        (Event::Scalar(text, style, ..), _) => words.extend(word(&text, style)),
                        (_, line) => return Err(ConfigMistake(line, format!("`{key}` must be a list of words"))),
                    }
                }
            }
            (_, line) => return Err(ConfigMistake(line, format!("`{key}` takes a word, not a mapping"))),
        };
        entries.push(ConfigEntry { line, key, value });
    }
    loop {
        match next()? {
            (Event::StreamEnd, _) => return Ok(entries),
            (Event::DocumentStart(_), line) => {
                return Err(ConfigMistake(line, "the file must have only one document".to_owned()));
            }
            _ => {}
        }
    }
}

/// A word, unless it stands for no value.
fn word(text: &str, style: ScalarStyle) -> Option<String> {
    let is_null = style == ScalarStyle::Plain && ["", "~", "null", "Null", "NULL"].contains(&text);
    (!is_null).then(|| text.to_owned())
}

/// Anchors, aliases and tags are refused here as in schemas (decisions, "YAML").
fn properties(event: &Event<'_>, line: usize) -> Result<(), ConfigMistake> {
    let (anchor, is_tagged) = match event {
        Event::Alias(anchor) => (*anchor, false),
        Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
        Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => (*anchor, tag.is_some()),
        _ => (0, false),
    };
    if anchor != 0 || is_tagged || matches!(event, Event::Alias(_)) {
        return Err(ConfigMistake(line, "anchors, aliases and tags are refused: write it out".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mistakes: &[ConfigMistake]) -> Vec<usize> {
        mistakes.iter().map(|ConfigMistake(line, _)| *line).collect()
    }

    #[test]
    fn a_file_holds_options_under_their_long_names() {
        let text = "# the service\nlisten: 127.0.0.1:9000\nevent-retention: 'P1D'\nworkers: 2\n";
        let one = |name: &str, value: &str| (name.to_owned(), vec![value.to_owned()]);
        let expected = vec![one("listen", "127.0.0.1:9000"), one("event-retention", "P1D"), one("workers", "2")];
        assert_eq!(ConfigSettings::read(text), Ok(ConfigSettings(expected)));
        for nothing in ["", "# nothing\n", "---\n", "{}"] {
            assert_eq!(ConfigSettings::read(nothing), Ok(ConfigSettings::default()), "{nothing}");
        }
    }

    #[test]
    fn every_mistake_is_reported_with_its_line() {
        let text = "lisen: 127.0.0.1:1\nlisten: nowhere\nworkers: [1]\nlog: info\nlog: warn\ncheck: true\nnats:\n";
        let mistakes = ConfigSettings::read(text).unwrap_err();
        assert_eq!(lines(&mistakes), [1, 2, 3, 5, 6, 7], "{mistakes:?}");
        for (ConfigMistake(_, text), part) in mistakes.iter().zip([
            "did you mean `listen`?",
            "invalid socket address",
            "not a list",
            "appears twice",
            "belongs on the command line",
            "has no value",
        ]) {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn only_a_flat_mapping_is_accepted() {
        for (text, line) in [
            ("- listen", 1),
            ("listen", 1),
            ("\nlisten: { port: 1 }", 2),
            ("listen: &a 127.0.0.1:1", 1),
            ("listen: *a", 1),
            ("\nlisten: !!str 127.0.0.1:1", 2),
            ("log: info\n---\nlog: warn", 2),
            ("log: [info\nlisten: x", 2),
            ("<<: { log: info }", 1),
        ] {
            let mistakes = ConfigSettings::read(text).unwrap_err();
            assert_eq!(lines(&mistakes), [line], "{text}: {mistakes:?}");
        }
    }

    #[test]
    fn values_are_not_shown() {
        let mistakes =
            ConfigSettings::read("listen: pa55word\nworkers: pa55word\nevent-retention: pa55word").unwrap_err();
        assert_eq!(mistakes.len(), 3);
        assert!(!format!("{mistakes:?}").contains("pa55word"), "{mistakes:?}");
    }
}
