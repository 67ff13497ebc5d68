//! The list of the commands that an entity was sent: its filters and sort keys.
//!
//! It is read as any list is, over the columns of [`COMMAND_ROWS`].

use super::list_parameters::ListParameters;
use super::query::Query;
use restwell_model::Problem;
use restwell_model::api::{STATUS, command_filter_fields};
use restwell_model::tables::{COMMON, Column, ColumnKind, Content, Slot, Table};

/// The commands of one type that an entity was sent and that are kept, with their status as it is rendered. Bound: the
/// entity, both names of the command and of the resource, and since when finished ones are kept.
pub(crate) const COMMAND_ROWS: &str = "(SELECT *, CASE \"status\" WHEN 0 THEN 'RUNNING' WHEN 1 THEN 'SUCCESSFUL' ELSE 'FAILED' END AS \"status_name\" \
     FROM \"_restwell_commands\" WHERE \"entity_id\" = ? AND \"command\" IN (?, ?) AND \"resource\" IN (?, ?) \
     AND (\"status\" = 0 OR (\"status\" < 3 AND \"updated_at\" >= ?))) AS t";

/// Reads the requests for lists of commands.
#[derive(Debug)]
pub(crate) struct CommandListPlan {
    /// The columns that are filtered and sorted by.
    pub(crate) table: Table,
    parameters: ListParameters,
}

impl CommandListPlan {
    /// The same for every command.
    pub(super) fn compile() -> Self {
        let mut columns: Vec<_> = COMMON.iter().map(|&(name, kind)| Column::new(name, kind)).collect();
        let status = columns.len();
        columns.push(Column::new("status_name", ColumnKind::Text));
        let mut table = Table::new("", columns, 1);
        table.slots = vec![Slot { name: STATUS.to_owned(), columns: status..status + 1, content: Content::Scalar }];
        let parameters = ListParameters::compile(&command_filter_fields(), &table, false);
        Self { table, parameters }
    }

    /// Reads the parameters of a request.
    pub(crate) fn read(&self, given: &[(String, String)]) -> (Query, Vec<Problem>) {
        self.parameters.read(given)
    }
}
