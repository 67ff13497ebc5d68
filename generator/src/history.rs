//! A project's migrations: a folder each, with a number, and the model that the last of them leads to.
//!
//! ```text
//! migrations/0001-create/{sqlite.sql,postgres.sql}
//! migrations/0002-add-offer-weight/{sqlite.sql,postgres.sql}
//! migrations/model.json
//! ```
//!
//! A migration is written once and belongs to people from then on. This is a pure function from what is there, and the
//! model, to what is missing.

use crate::zone::Present;
use restwell_model::changes::changes;
use restwell_model::migrations::{Script, first, plan, title};
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Service};
use std::collections::BTreeMap;

/// Where migrations lie, below the crate.
pub const FOLDER: &str = "migrations";
/// The model that the last one leads to.
pub const MODEL: &str = "model.json";

/// What lies in the folder.
#[derive(Debug, Default)]
pub struct History {
    /// The migrations, in their order.
    pub names: Vec<String>,
    /// The model that the last one leads to; `None` where there is none yet.
    pub model: Option<Checked>,
    /// As it was written.
    recorded: String,
}

/// What is missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Next {
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

impl History {
    /// Reads what lies in the folder.
    ///
    /// # Errors
    ///
    /// A sentence for people: numbers that are missing or stand twice, a file that is missing or cannot be read.
    pub fn read(present: &Present) -> Result<Self, String> {
        let mut numbered: BTreeMap<usize, &str> = BTreeMap::new();
        for path in present.keys() {
            let Some((name, _)) = path.split_once('/') else { continue };
            let Some(number) = number(name) else { continue };
            match numbered.insert(number, name) {
                Some(other) if other != name => {
                    return Err(format!(
                        "{FOLDER}/{other} and {FOLDER}/{name} have the same number: delete the one that has run nowhere, take \
                         {FOLDER}/{MODEL} as it was with the other, and generate again"
                    ));
                }
                _ => {}
            }
        }
        if let Some(missing) = (1..=numbered.len()).find(|number| !numbered.contains_key(number)) {
            return Err(format!("{FOLDER}/{missing:04}-… is missing: get it back from version control"));
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
                    format!("{FOLDER}/{MODEL} cannot be read ({error}): get it back from version control")
                })?;
                (Some(Checked::recorded(service)), String::from_utf8_lossy(text).replace("\r\n", "\n"))
            }
            None if names.is_empty() => (None, String::new()),
            None => return Err(format!("{FOLDER}/{MODEL} is missing: get it back from version control")),
        };
        Ok(Self { names, model, recorded })
    }

    /// What leads from here to a model.
    #[must_use]
    pub fn next(&self, model: &Checked) -> Next {
        let mut next = Next { names: self.names.clone(), writes: BTreeMap::new() };
        let recorded = recorded(model);
        if recorded != self.recorded {
            next.writes.insert(MODEL.to_owned(), recorded);
        }
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
        let told: Vec<String> =
            changes.iter().flatten().map(|change| format!("{} {}", change.at, change.message)).collect();
        for (dialect, script) in scripts {
            next.writes.insert(format!("{name}/{}", file(dialect)), written(dialect, &told, &script));
        }
        next.names.push(name);
        next
    }
}

/// `12` of `0012-add-offer-weight`.
fn number(name: &str) -> Option<usize> {
    let (digits, _) = name.split_once('-')?;
    let is_number = digits.len() >= 4 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

fn readable(present: &Present, path: &str) -> Result<(), String> {
    let text = present.get(path).ok_or(format!("{FOLDER}/{path} is missing: get it back from version control"))?;
    let text = std::str::from_utf8(text).map_err(|_| format!("{FOLDER}/{path} is no UTF-8"))?;
    Script::parse(text).map(drop).map_err(|problem| format!("{FOLDER}/{path}, {problem}"))
}

fn recorded(model: &Checked) -> String {
    // a model has nothing that JSON cannot say
    serde_json::to_string_pretty(&**model).map(|text| text + "\n").unwrap_or_default()
}

const HEAD: &str =
    "-- Written by `restwell generate`, and yours from then on: change it before it has run anywhere, never after.\n";

fn written(dialect: Dialect, told: &[String], script: &Script) -> String {
    let mut text = HEAD.to_owned();
    match dialect {
        Dialect::Sqlite => text.push_str("-- SQLite runs all of it in one transaction.\n"),
        Dialect::Postgres => text.push_str(
            "-- PostgreSQL runs statements in one transaction, but for those that are marked as running alone.\n",
        ),
    }
    if told.is_empty() {
        text.push_str("-- Restwell's own tables are not among these: the program makes them in a new database.\n");
    }
    if !told.is_empty() {
        text.push_str("--\n");
    }
    told.iter().for_each(|line| text.push_str(&format!("-- * {line}\n")));
    if script.steps.is_empty() {
        text.push_str("--\n-- Nothing is to be done for that here.\n");
    }
    text.push('\n');
    text + &script.to_string()
}
