//! A service from a checked model, without generated code: what `restwell serve` and `restwell dev` run.
//!
//! All that a model says is served as by a compiled service. What a team writes in Rust is not there: commands have no
//! handlers, and resources no rules.

use super::Builder;
use crate::messages::CustomMessages;
use crate::migrations::Migration;
use restwell_model::Checked;
use std::path::PathBuf;

/// A service to interpret: a checked model, and what belongs to it.
#[derive(Debug, Clone)]
pub struct Interpreted {
    /// The model.
    pub model: Checked,
    /// The service's own messages: the language, and the text in Fluent.
    pub messages: Vec<(String, String)>,
    /// The migrations in their order: the name, and the texts for SQLite and PostgreSQL. Where there are none, a
    /// database is brought along by the difference between the models.
    pub migrations: Vec<[String; 3]>,
    /// The database file that is used if the command line names no database; `None`: `<service>.db`.
    pub database: Option<PathBuf>,
    /// Commands succeed with outputs that are made from the model, instead of answering 501.
    pub mock_commands: bool,
    /// Entities of each resource that an empty database is filled with.
    pub sample: usize,
    /// A database that is behind is brought along at the start, as with `--migrate`.
    pub migrate: bool,
    /// What the model no longer has is dropped from the database.
    pub allow_drop: bool,
}

/// What a builder keeps of it.
#[derive(Debug, Clone)]
pub(crate) struct Interpretation {
    pub(super) model: Checked,
    pub(crate) database: Option<PathBuf>,
    pub(super) mock_commands: bool,
    pub(crate) sample: usize,
    pub(super) migrate: bool,
    pub(super) allow_drop: bool,
}

impl Interpreted {
    /// A model alone, in development: its database follows it.
    #[must_use]
    pub fn of(model: Checked) -> Self {
        Self {
            model,
            messages: Vec::new(),
            migrations: Vec::new(),
            database: None,
            mock_commands: false,
            sample: 0,
            migrate: true,
            allow_drop: false,
        }
    }
}

impl Interpretation {
    /// The commands that answer 501, as `Offer.renew`.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        if self.mock_commands {
            return Vec::new();
        }
        let commands = self.model.resources.iter().flat_map(|resource| {
            let ready = resource.commands.iter().filter(|command| command.ready && !resource.needs_no_code(command));
            ready.map(|command| format!("{}.{}", resource.name, command.name))
        });
        commands.collect()
    }
}

impl Builder {
    /// A service that is interpreted.
    pub fn interpreted(interpreted: Interpreted) -> Self {
        let Interpreted { model, messages, migrations, database, mock_commands, sample, migrate, allow_drop } =
            interpreted;
        let mut builder = Self::new(&model.name);
        builder.messages = messages.into_iter().map(|(language, text)| CustomMessages { language, text }).collect();
        builder.migrations = migrations
            .into_iter()
            .map(|[name, sqlite, postgres]| Migration {
                name: name.into(),
                sqlite: sqlite.into(),
                postgres: postgres.into(),
            })
            .collect();
        builder.interpretation = Some(Interpretation { model, database, mock_commands, sample, migrate, allow_drop });
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Command, Lifecycle, Resource, Service, Transition};

    #[test]
    fn a_command_that_is_a_transition_alone_is_answered() {
        let mut offer = Resource::new("Offer");
        offer.commands = vec![Command::new("end"), Command::new("renew")];
        offer.lifecycle = Some(Lifecycle {
            field: "status".to_owned(),
            initial: "ACTIVE".to_owned(),
            finals: Vec::new(),
            transitions: vec![Transition::new("end")],
        });
        let mut service = Service::new("shop");
        service.resources = vec![offer];
        let builder = Builder::interpreted(Interpreted::of(Checked::recorded(service)));
        assert_eq!(builder.interpretation.map(|it| it.unanswered()), Some(vec!["Offer.renew".to_owned()]));
    }
}
