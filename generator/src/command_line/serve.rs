//! `restwell serve`: serves a schemas folder without generating or compiling anything.

use super::report::Report;
use super::{Failure, check, files};
use crate::messages::LanguageMessages;
use crate::migrations::{self, Migrations};
use clap::Args;
use restwell::Interpreted;
use restwell::interpreted::{ProgramOptions, run_interpreted};
use restwell_model::Checked;
use restwell_model::tables::Dialect;
use std::path::{Path, PathBuf};

/// Entities of each resource that `--sample` makes at most.
const MAX_SAMPLE: i64 = 10_000;

/// The options of `restwell serve`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false, disable_help_subcommand = true)]
pub(super) struct Serve {
    /// Folder with the schemas: all *.yaml, *.yml and *.ftl files in it, at any depth
    #[arg(default_value = "schemas")]
    dir: PathBuf,
    /// Let commands succeed, with outputs made from the model, instead of answering 501
    #[arg(long)]
    mock_commands: bool,
    /// Fill a new database with this number of entities of each resource, with plausible values
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(0..=MAX_SAMPLE))]
    sample: u32,
    #[command(flatten)]
    program: ProgramOptions,
}

pub(super) fn run(options: &Serve, report: &Report) -> Result<(), Failure> {
    let (model, _, messages) = check::checked(&options.dir, None, report)?;
    let folder = options.dir.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut interpreted = interpreted(model, messages);
    match ready_migrations(&folder.join(migrations::MIGRATIONS_FOLDER), &interpreted.model)? {
        ProjectMigrations::UpToDate(migrations) => interpreted.migrations = migrations,
        ProjectMigrations::Behind if options.program.names_database() => {
            return Err(Failure::Other(
                "the schemas have changed since the last migration: run `restwell generate`, or leave out the database \
                 to use one for development"
                    .to_owned(),
            ));
        }
        ProjectMigrations::None | ProjectMigrations::Behind => {
            interpreted.database = Some(development_database(&interpreted.model));
        }
    }
    // only the database for development follows the schemas without being told to
    interpreted.migrate = interpreted.database.is_some() && !options.program.names_database();
    interpreted.mock_commands = options.mock_commands;
    interpreted.sample = options.sample as usize;
    let program = format!("restwell serve {}", options.dir.display());
    run_interpreted(interpreted, &options.program, &program).map_err(Failure::Other)
}

/// The file of the database that follows the schemas, whatever migrations there are.
pub(super) fn development_database(model: &Checked) -> PathBuf {
    PathBuf::from(format!("{}.dev.db", model.name))
}

/// What is interpreted.
pub(super) fn interpreted(model: Checked, messages: Vec<LanguageMessages>) -> Interpreted {
    let messages = messages.into_iter().map(|messages| (messages.language, messages.text)).collect();
    Interpreted { messages, ..Interpreted::of(model) }
}

/// The migrations of a project.
enum ProjectMigrations {
    /// There are none.
    None,
    /// They lead to the model.
    UpToDate(Vec<[String; 3]>),
    /// The model has changed since.
    Behind,
}

fn ready_migrations(folder: &Path, model: &Checked) -> Result<ProjectMigrations, Failure> {
    let present = files::read_present(folder)?;
    let migrations = Migrations::read(&present).map_err(Failure::Other)?;
    if migrations.names.is_empty() {
        return Ok(ProjectMigrations::None);
    }
    if migrations.next(model).names.len() > migrations.names.len() {
        return Ok(ProjectMigrations::Behind);
    }
    let text = |name: &str, dialect| {
        let path = format!("{name}/{}", migrations::file(dialect));
        present.get(&path).map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default()
    };
    let texts =
        migrations.names.iter().map(|name| [name.clone(), text(name, Dialect::Sqlite), text(name, Dialect::Postgres)]);
    Ok(ProjectMigrations::UpToDate(texts.collect()))
}
