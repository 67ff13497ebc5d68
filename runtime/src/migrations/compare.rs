//! What a database has recorded, held against what the program wants.

use super::{
    Migration, MigrationTarget, Pending, Recorded, RecordedMigration, SEPARATOR, SchemaState, checksum, counted,
};
use crate::program_name::program_name;
use restwell_model::changes::{Change, changes};
use restwell_model::migrations::{Script, plan, refused, title};
use restwell_model::tables::{self, Dialect};
use restwell_model::{Checked, Service};
use std::collections::HashSet;

/// The state of a database, or a message why it cannot be served from. `database` names it.
pub(crate) fn compare(
    goal: &MigrationTarget<'_>,
    recorded: &Recorded,
    dialect: Dialect,
    database: &str,
) -> Result<SchemaState, String> {
    let comparison = ModelComparison { goal, recorded, dialect, database };
    match goal.migrations {
        [] => comparison.by_model(),
        _ if recorded.runs.is_empty() => comparison.without_runs(),
        migrations => comparison.by_number(migrations),
    }
}

struct ModelComparison<'a> {
    goal: &'a MigrationTarget<'a>,
    recorded: &'a Recorded,
    dialect: Dialect,
    database: &'a str,
}

impl ModelComparison<'_> {
    /// A database that was made before there were migrations.
    fn without_runs(&self) -> Result<SchemaState, String> {
        self.expect(&self.goal.statements(self.dialect))?;
        Ok(SchemaState::Fits(false))
    }

    /// What the program brings, against what has run.
    fn by_number(&self, migrations: &[Migration]) -> Result<SchemaState, String> {
        let (runs, database) = (&self.recorded.runs, self.database);
        for (run, migration) in runs.iter().zip(migrations) {
            self.same(run, migration)?;
        }
        if let Some(run) = runs.get(migrations.len()) {
            return Err(format!(
                "the database {database} is ahead of this program: {} has run there, which this program does not know. Run \
                 the program that brought it there",
                run.name
            ));
        }
        let finished = runs.iter().take_while(|run| run.is_finished).count();
        let pending = migrations.iter().enumerate().skip(finished).map(|(index, migration)| {
            let text = self.text(migration);
            let script = Script::parse(text).map_err(|problem| format!("migration {}, {problem}", migration.name))?;
            let done = runs.get(index).map_or(0, |run| usize::try_from(run.steps).unwrap_or(0));
            let number = counted(index + 1);
            Ok(Pending { number, name: migration.name.clone().into_owned(), checksum: checksum(text), script, done })
        });
        let pending = pending.collect::<Result<Vec<_>, String>>()?;
        if !pending.is_empty() {
            return Ok(SchemaState::Behind(pending));
        }
        self.expect(&self.goal.statements(self.dialect))?;
        Ok(SchemaState::Fits(self.has_model()))
    }

    /// A migration's text does not change once it has run.
    fn same(&self, run: &RecordedMigration, migration: &Migration) -> Result<(), String> {
        let (database, name) = (self.database, &migration.name);
        if run.name != *name {
            return Err(format!(
                "the database {database} was brought to another model: {} has run there where this program has {name}. Name \
                 another database with --database",
                run.name
            ));
        }
        match &run.checksum {
            Some(ran) if *ran != checksum(self.text(migration)) => Err(format!(
                "migration {name} was changed after it had {} in the database {database}. Get it back as it was, and write \
                 another one for what it lacks",
                if run.is_finished { "run" } else { "begun to run" }
            )),
            _ => Ok(()),
        }
    }

    /// The model that was recorded, against the one there is.
    fn by_model(&self) -> Result<SchemaState, String> {
        let before = self.recorded.model.as_ref().and_then(|text| serde_json::from_str::<Service>(text).ok());
        let Some(before) = before.map(Checked::recorded) else { return self.without_runs() };
        // the recorded model is reliable only if it is the one that made the tables
        self.expect(&tables::create(&before, self.dialect))?;
        let script = plan(&before, self.goal.model, self.dialect);
        if script.steps.is_empty() {
            return Ok(SchemaState::Fits(self.has_model()));
        }
        self.by_no_migrations()?;
        let changes = followed(&before, self.goal, self.database)?;
        let begun = self.recorded.runs.last().filter(|run| !run.is_finished);
        let number = begun.map_or(self.recorded.runs.len() + 1, |run| usize::try_from(run.number).unwrap_or(1));
        let title = title(&changes).unwrap_or_else(|| "change".to_owned());
        let checksum = checksum(&script.to_string());
        if begun.is_some_and(|run| run.checksum.as_ref() != Some(&checksum)) {
            return Err(format!(
                "a migration has begun to run in the database {}, and it was not to this model. Run the program that began it",
                self.database
            ));
        }
        let done = begun.map_or(0, |run| usize::try_from(run.steps).unwrap_or(0));
        Ok(SchemaState::Behind(vec![Pending {
            number: counted(number),
            name: format!("{number:04}-{title}"),
            checksum,
            script,
            done,
        }]))
    }

    /// A database that migrations bring along is not changed otherwise: the program that has them would refuse it.
    fn by_no_migrations(&self) -> Result<(), String> {
        // what a database was made with has not run there, and has no checksum
        match self.recorded.runs.first().filter(|run| run.checksum.is_none()) {
            None => Ok(()),
            Some(run) => Err(format!(
                "the database {} follows migrations, from {} on, and this program has none. Name another database with \
                 --database",
                self.database, run.name
            )),
        }
    }

    fn text<'m>(&self, migration: &'m Migration) -> &'m str {
        match self.dialect {
            Dialect::Sqlite => &migration.sqlite,
            Dialect::Postgres => &migration.postgres,
        }
    }

    fn has_model(&self) -> bool {
        self.recorded.model.as_deref() == Some(&self.goal.model_text())
    }

    /// Whether these statements made the tables.
    fn expect(&self, statements: &[String]) -> Result<(), String> {
        difference(&self.recorded.schema, statements).map_or(Ok(()), |difference| {
            Err(format!(
                "the database {} was made by another model: its {difference}. Name another database with --database, or \
                 delete this one if its data is not needed",
                self.database
            ))
        })
    }
}

/// What changes in a database of one model that follows another one, or a sentence on what would be lost.
pub(crate) fn followed(before: &Checked, goal: &MigrationTarget<'_>, database: &str) -> Result<Vec<Change>, String> {
    let changes = changes(before, goal.model);
    let lost = refused(&changes, goal.consent);
    let lines: Vec<_> = lost.iter().map(|change| format!("{}: {}", change.at, change.message)).collect();
    if lines.is_empty() {
        return Ok(changes);
    }
    Err(format!(
        "the database {database} cannot follow the model:\n{}\nGive what is renamed its old name, and what is required a \
         default; where what is lost is meant to be, run `{} migrate --allow-drop`",
        lines.join("\n"),
        program_name()
    ))
}

/// The first statement in which two schemas differ. A schema may have thousands.
pub(super) fn difference(found: &str, expected: &[String]) -> Option<String> {
    let found: Vec<_> = found.split(SEPARATOR).collect();
    // a text in a statement may contain the separator of statements
    let expected: Vec<_> = expected.iter().flat_map(|statement| statement.split(SEPARATOR)).collect();
    let missing = first_outside(&expected, &found);
    let surplus = first_outside(&found, &expected);
    match (missing, surplus) {
        (None, None) => None,
        (Some(statement), _) => Some(format!("{} is not what the model needs", subject(statement))),
        (None, Some(statement)) => Some(format!("{} is not in the model", subject(statement))),
    }
}

/// The first statement that the others do not have.
fn first_outside<'s>(statements: &[&'s str], others: &[&str]) -> Option<&'s str> {
    let others: HashSet<_> = others.iter().copied().collect();
    statements.iter().copied().find(|statement| !others.contains(statement))
}

/// `table "offers"`: what a statement creates.
fn subject(statement: &str) -> String {
    let mut words = statement.trim_start_matches("CREATE ").trim_start_matches("UNIQUE ").split(' ');
    format!("{} {}", words.next().unwrap_or_default().to_lowercase(), words.next().unwrap_or_default())
}

/// The sentence with which a database is refused that is behind.
pub(crate) fn behind(pending: &[Pending], database: &str) -> String {
    let program = program_name();
    let first = pending.first().map_or("", |pending| pending.name.as_str());
    let count = match pending.len() {
        1 => format!("{first} has yet to run there"),
        count => format!("{count} migrations have yet to run there, the first is {first}"),
    };
    format!(
        "the database {database} is behind this program: {count}. Run `{program} migrate` with the same --database \
         (`{program} migrate --dry-run` shows what it does), or serve with --migrate in development"
    )
}
