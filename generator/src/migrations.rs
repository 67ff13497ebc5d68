//! The migrations of a project: one numbered folder for each, and the model after the last one.
//!
//! ```text
//! migrations/0001-create/{sqlite.sql,postgres.sql}
//! migrations/0002-add-offer-weight/{sqlite.sql,postgres.sql}
//! migrations/model.json
//! ```
//!
//! A migration is written once; from then on people own it. This module is a pure function from the existing files and
//! the model to the missing files.

use crate::output::ExistingFiles;
use restwell_model::changes::changes;
use restwell_model::migrations::{Script, first, plan, title};
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Service};
use std::collections::BTreeMap;

/// The folder of the migrations, relative to the crate.
pub const MIGRATIONS_FOLDER: &str = "migrations";
/// The file with the model after the last migration.
pub const MODEL: &str = "model.json";

/// The existing migrations.
#[derive(Debug, Default)]
pub struct Migrations {
    /// The migrations, in their order.
    pub names: Vec<String>,
    /// The model after the last migration; `None` if there is no migration yet.
    pub model: Option<Checked>,
    /// The text of the file with the model.
    recorded: String,
    /// Of migrations without their last one: the files that it consists of.
    last: Option<NextMigration>,
}

/// The files that are missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextMigration {
    /// All migrations, the new one included.
    pub names: Vec<String>,
    /// The files to write, by path below the folder.
    pub writes: BTreeMap<String, String>,
}

/// The name of a dialect's file.
pub(crate) fn file(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "sqlite.sql",
        Dialect::Postgres => "postgres.sql",
    }
}

impl Migrations {
    /// Reads the files of the folder.
    ///
    /// # Errors
    ///
    /// A message for people: a number is missing or appears twice, or a file is missing or cannot be read.
    pub fn read(present: &ExistingFiles) -> Result<Self, String> {
        let mut numbered: BTreeMap<usize, &str> = BTreeMap::new();
        for path in present.keys() {
            let Some((name, _)) = path.split_once('/') else { continue };
            let Some(number) = number(name) else { continue };
            match numbered.insert(number, name) {
                Some(other) if other != name => {
                    return Err(format!(
                        "{MIGRATIONS_FOLDER}/{other} and {MIGRATIONS_FOLDER}/{name} have the same number: delete the one \
                         that has not run on any database, restore the {MIGRATIONS_FOLDER}/{MODEL} that belongs \
                         to the other one, and generate again"
                    ));
                }
                _ => {}
            }
        }
        if let Some(missing) = (1..=numbered.len()).find(|number| !numbered.contains_key(number)) {
            return Err(format!("{MIGRATIONS_FOLDER}/{missing:04}-… is missing: restore it from version control"));
        }
        for name in numbered.values() {
            for dialect in Dialect::ALL {
                readable(present, &format!("{name}/{}", file(dialect)))?;
            }
        }
        let names: Vec<_> = numbered.into_values().map(str::to_owned).collect();
        let (model, recorded) = match present.get(MODEL) {
            Some(text) => {
                let service: Service = serde_json::from_slice(text).map_err(|error| {
                    format!("{MIGRATIONS_FOLDER}/{MODEL} cannot be read ({error}): restore it from version control")
                })?;
                (Some(Checked::recorded(service)), String::from_utf8_lossy(text).replace("\r\n", "\n"))
            }
            None if names.is_empty() => (None, String::new()),
            None => return Err(format!("{MIGRATIONS_FOLDER}/{MODEL} is missing: restore it from version control")),
        };
        Ok(Self { names, model, recorded, last: None })
    }

    /// The files that are missing for a model.
    #[must_use]
    pub fn next(&self, model: &Checked) -> NextMigration {
        let mut next = NextMigration { names: self.names.clone(), writes: BTreeMap::new() };
        let recorded = recorded(model);
        if recorded == self.recorded {
            return next;
        }
        if let Some(last) = self.last.as_ref().filter(|last| last.writes.get(MODEL) == Some(&recorded)) {
            return last.clone();
        }
        next.writes.insert(MODEL.to_owned(), recorded);
        let scripts = |dialect| match &self.model {
            Some(before) => plan(before, model, dialect),
            None => first(model, dialect),
        };
        let scripts = Dialect::ALL.map(|dialect| (dialect, scripts(dialect)));
        if scripts.iter().all(|(_, script)| script.steps.is_empty()) {
            return next;
        }
        let changes = self.model.as_ref().map(|before| changes(before, model));
        let title = match &changes {
            Some(changes) => title(changes).unwrap_or_else(|| "change".to_owned()),
            None => "create".to_owned(),
        };
        let name = format!("{:04}-{title}", self.names.len() + 1);
        let lines: Vec<String> =
            changes.iter().flatten().map(|change| format!("{} {}", change.at, change.message)).collect();
        for (dialect, script) in scripts {
            next.writes.insert(format!("{name}/{}", file(dialect)), written(dialect, &lines, &script));
        }
        next.names.push(name);
        next
    }
}

impl Migrations {
    /// The migrations without the last one, which is to be replaced. `before` is the file with the model before it.
    ///
    /// `None` where it must stay: people have changed it, or what was before it is not known.
    #[must_use]
    pub fn without_last(&self, present: &ExistingFiles, before: Option<&[u8]>) -> Option<Self> {
        let (last, names) = self.names.split_last()?;
        let before = match (names.is_empty(), before) {
            (true, _) => Self::default(),
            (false, None) => return None,
            (false, Some(text)) => {
                let service: Service = serde_json::from_slice(text).ok()?;
                // the file has the model after the last one, so that it is always to be compared
                let model = Some(Checked::recorded(service));
                Self { names: names.to_vec(), model, ..Self::default() }
            }
        };
        let written = before.next(self.model.as_ref()?);
        let is_last = |path: &str| path.split_once('/').is_some_and(|(name, _)| name == last);
        let same = |path: &str, text: &[u8]| {
            written
                .writes
                .get(path)
                .is_some_and(|written| *written == String::from_utf8_lossy(text).replace("\r\n", "\n"))
        };
        let is_unchanged = present.iter().filter(|(path, _)| is_last(path)).all(|(path, text)| same(path, text));
        let is_draft = written.names.last() == Some(last) && is_unchanged;
        is_draft.then_some(Self { last: Some(written), ..before })
    }
}

/// `12` of `0012-add-offer-weight`.
fn number(name: &str) -> Option<usize> {
    let (digits, _) = name.split_once('-')?;
    let is_number = digits.len() >= 4 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

fn readable(present: &ExistingFiles, path: &str) -> Result<(), String> {
    let text =
        present.get(path).ok_or(format!("{MIGRATIONS_FOLDER}/{path} is missing: restore it from version control"))?;
    let text = std::str::from_utf8(text).map_err(|_| format!("{MIGRATIONS_FOLDER}/{path} is not valid UTF-8"))?;
    Script::parse(text).map(drop).map_err(|problem| format!("{MIGRATIONS_FOLDER}/{path}, {problem}"))
}

fn recorded(model: &Checked) -> String {
    // every model can be written as JSON
    serde_json::to_string_pretty(&**model).map(|text| text + "\n").unwrap_or_default()
}

const HEAD: &str =
    "-- Generated by `restwell generate`. Edit it only before it has run on any database, never after.\n";

fn written(dialect: Dialect, lines: &[String], script: &Script) -> String {
    let mut text = HEAD.to_owned();
    match dialect {
        Dialect::Sqlite => text.push_str("-- SQLite runs the whole file in one transaction.\n"),
        Dialect::Postgres => text
            .push_str("-- PostgreSQL runs the statements in one transaction, except those marked with `-- alone`.\n"),
    }
    if lines.is_empty() {
        text.push_str(
            "-- The internal tables of Restwell are not in this file: the program creates them in a new database.\n",
        );
    }
    if !lines.is_empty() {
        text.push_str("--\n");
    }
    lines.iter().for_each(|line| text.push_str(&format!("-- * {line}\n")));
    if script.steps.is_empty() {
        text.push_str("--\n-- No statement is necessary for these changes.\n");
    }
    text.push('\n');
    text + &script.to_string()
}
