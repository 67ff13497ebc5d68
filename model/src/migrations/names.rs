//! Names in internal tables: those of resources and commands that were renamed or removed.

use super::moves::quoted;
use super::renames::ordered;
use super::script::Step;
use crate::changes::{Pair, pairs};
use crate::check::Checked;
use crate::formerly::Formerly;
use crate::resource::{Command, Resource};
use crate::tables::{Dialect, NAMING_COMMANDS, NAMING_RESOURCES, event_tables, text};
use std::collections::HashSet;

/// What changes. Names that are removed go first: another resource or command may have got them.
#[derive(Default)]
pub(super) struct NameMoves {
    removed_resources: Vec<String>,
    /// Of commands whose names others have got, with the old names of their resources.
    removed_commands: Vec<(String, String)>,
    /// The old and the new names of resources.
    resources: Vec<(String, String)>,
    /// The old and the new names of commands, with the new name of the resource.
    commands: Vec<(String, Vec<(String, String)>)>,
    /// The words of resources in stored events which the new model does not know, or knows as those of others; each
    /// with the word to write instead.
    event_words: Vec<(String, String)>,
}

/// What follows the word of a removed resource in its stored events, where another resource has got this word: they are
/// published, and shown to nobody who sees the other one.
const REMOVED: &str = "-removed";

impl NameMoves {
    /// The names that the old model knows of a resource, and the new one does not.
    pub(super) fn paired(&mut self, before: &Resource, now: &Resource) {
        let (words, present) = (event_words(before), event_words(now));
        let gone = words.into_iter().filter(|word| !present.contains(word));
        self.event_words.extend(gone.map(|word| (word, now.singular_of(false))));
        self.resources.extend(renamed((&before.name, &before.formerly), (&now.name, &now.formerly)));
        let (mut renames, mut removed) = (Vec::new(), Vec::new());
        for pair in pairs(&before.commands, &now.commands) {
            match pair {
                Pair::Both(old, new) => {
                    renames.extend(renamed((&old.name, &old.formerly), (&new.name, &new.formerly)));
                }
                Pair::Old(old) => removed.extend(all((&old.name, &old.formerly))),
                Pair::New(_) => {}
            }
        }
        let is_taken = |name: &String| now.commands.iter().flat_map(command_names).any(|taken| taken == *name);
        for name in removed.into_iter().filter(is_taken) {
            let resources = all((&before.name, &before.formerly)).into_iter();
            self.removed_commands.extend(resources.map(|resource| (resource, name.clone())));
        }
        if !renames.is_empty() {
            let resources = all((&now.name, &now.formerly)).into_iter();
            self.commands.extend(resources.map(|resource| (resource, renames.clone())));
        }
    }

    /// Commands and searches of a removed resource are deleted.
    pub(super) fn removed(&mut self, before: &Resource) {
        self.removed_resources.extend(all((&before.name, &before.formerly)));
        self.event_words.extend(event_words(before).map(|word| (word.clone(), format!("{word}{REMOVED}"))));
    }

    /// Stored events keep the words that they have, except those that are of other resources in the new model.
    fn event_steps(&self, new: &Checked, dialect: Dialect) -> Vec<Step> {
        let taken: HashSet<_> = new.resources.iter().flat_map(event_words).collect();
        let renames = self.event_words.iter().filter(|(word, _)| taken.contains(word)).cloned();
        let mut steps = Vec::new();
        for (old, new) in ordered(renames.collect()) {
            let (old, new) = (text(&old), text(&new));
            let tables = event_tables(dialect).map(quoted);
            steps.extend(tables.map(|table| {
                Step::together(format!("UPDATE {table} SET \"resource\" = {new} WHERE \"resource\" = {old}"))
            }));
        }
        steps
    }

    pub(super) fn steps(&self, new: &Checked, dialect: Dialect) -> Vec<Step> {
        let of_tables = |statement: &dyn Fn(String) -> String| -> Vec<String> {
            NAMING_RESOURCES.iter().map(|table| statement(quoted(table))).collect()
        };
        let commands = quoted(NAMING_COMMANDS);
        let mut statements = Vec::new();
        for name in &self.removed_resources {
            statements.extend(of_tables(&|table| format!("DELETE FROM {table} WHERE \"resource\" = {}", text(name))));
        }
        for (resource, name) in &self.removed_commands {
            let (resource, name) = (text(resource), text(name));
            statements.push(format!("DELETE FROM {commands} WHERE \"resource\" = {resource} AND \"command\" = {name}"));
        }
        for (old, new) in ordered(self.resources.clone()) {
            let (old, new) = (text(&old), text(&new));
            statements.extend(of_tables(&|table| {
                format!("UPDATE {table} SET \"resource\" = {new} WHERE \"resource\" = {old}")
            }));
        }
        for (resource, renames) in &self.commands {
            for (old, new) in ordered(renames.clone()) {
                let [resource, old, new] = [resource, &old, &new].map(|name| text(name));
                statements.push(format!(
                    "UPDATE {commands} SET \"command\" = {new} WHERE \"resource\" = {resource} AND \"command\" = {old}"
                ));
            }
        }
        statements.into_iter().map(Step::together).chain(self.event_steps(new, dialect)).collect()
    }
}

/// The words of a resource in events: the present one, and the former one.
pub(super) fn event_words(resource: &Resource) -> [String; 2] {
    [false, true].map(|is_former| resource.singular_of(is_former))
}

/// A name, and the former one that is served beside it.
type Names<'n> = (&'n str, &'n Option<Formerly>);

fn all((name, former): Names<'_>) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(former.as_ref().map(|former| former.name.clone())).collect()
}

fn command_names(command: &Command) -> Vec<String> {
    all((&command.name, &command.formerly))
}

/// The names that the old model knows and the new one does not, each with one that both know, or else the new one: what
/// is stored has names that every program finds that runs until the update is done.
fn renamed(before: Names<'_>, now: Names<'_>) -> impl Iterator<Item = (String, String)> {
    let (known, names) = (all(now), all(before));
    let new = if known.iter().any(|name| name == before.0) { before.0.to_owned() } else { now.0.to_owned() };
    names.into_iter().filter(move |name| !known.contains(name)).map(move |old| (old, new.clone()))
}
