//! The columns of a statement that reads entities. Where some callers do not see all fields, further columns tell
//! which fields the viewer sees of each entity: they are null for those that are hidden.

use super::ResourceIndex;
use super::cell::Cell;
use super::computed::ColumnValue;
use super::viewer::{Sight, Viewer};
use std::borrow::Cow;

/// The columns that a statement selects.
#[derive(Debug, Default)]
pub(crate) struct SelectColumns {
    /// For those who see all.
    text: String,
    /// One by one, where some callers do not.
    list: Vec<String>,
    flags: Vec<FieldFlag>,
    /// What computed columns bind, each with the position of its column, in their order.
    bound: Vec<(usize, ColumnValue)>,
}

/// A column that tells whether the viewer sees some fields of an entity.
#[derive(Debug)]
pub(super) struct FieldFlag {
    /// Its position.
    pub(super) column: usize,
    /// The fields.
    pub(super) fields: HiddenFields,
    /// The alias of the table of the entity, and the table.
    pub(super) alias: String,
    pub(super) table: String,
}

/// Fields of a resource that the same callers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HiddenFields {
    pub(crate) resource: ResourceIndex,
    /// The position of these callers among those that fields of the resource are visible to.
    pub(crate) callers: usize,
    /// Whether the fields are those of the entity that is read, not of one that it refers to.
    pub(crate) is_own: bool,
}

/// The alias of the table of the entities that are read.
pub(super) const OWN_ALIAS: &str = "t";

/// What a flag is of fields that are seen.
const SEEN: &str = "CAST(1 AS bigint)";
/// What it is of others.
const HIDDEN: &str = "CAST(NULL AS bigint)";

impl SelectColumns {
    pub(super) fn new(list: Vec<String>, flags: Vec<FieldFlag>, bound: Vec<(usize, ColumnValue)>) -> Self {
        let text = list.join(",");
        Self { text, list: if flags.is_empty() { Vec::new() } else { list }, flags, bound }
    }

    /// For those who see all.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether some callers do not see all.
    pub(crate) fn have_flags(&self) -> bool {
        !self.flags.is_empty()
    }

    /// Whether they bind something for every viewer.
    pub(crate) fn bind(&self) -> bool {
        !self.bound.is_empty()
    }

    /// For a viewer. Adds what they bind.
    pub(crate) fn seen(&self, viewer: &Viewer, values: &mut Vec<Cell>) -> Cow<'_, str> {
        let mut bound = self.bound.iter().peekable();
        if self.flags.is_empty() || viewer.is_everything() {
            values.extend(bound.map(|(_, value)| value.cell()));
            return Cow::Borrowed(&self.text);
        }
        let mut list: Vec<Cow<'_, str>> = self.list.iter().map(|column| Cow::Borrowed(column.as_str())).collect();
        // in the order of their columns, as their values are bound
        for flag in &self.flags {
            while let Some((_, value)) = bound.next_if(|(column, _)| *column < flag.column) {
                values.push(value.cell());
            }
            list[flag.column] = flag.seen(viewer, values);
        }
        values.extend(bound.map(|(_, value)| value.cell()));
        Cow::Owned(list.join(","))
    }
}

impl FieldFlag {
    /// The column for those who see all.
    pub(super) const ALL: &str = SEEN;

    fn seen(&self, viewer: &Viewer, values: &mut Vec<Cell>) -> Cow<'static, str> {
        let Self { alias, table, .. } = self;
        match viewer.fields(self.fields) {
            Sight::All => SEEN.into(),
            Sight::Nothing => HIDDEN.into(),
            Sight::Where(predicate) => {
                values.extend(predicate.values.iter().cloned());
                let sql = &predicate.sql;
                if alias == OWN_ALIAS {
                    return format!("CASE WHEN ({sql}) THEN {SEEN} END").into();
                }
                let holds = format!("EXISTS (SELECT 1 FROM \"{table}\" t WHERE t.\"id\" = {alias}.\"id\" AND ({sql}))");
                format!("CASE WHEN {holds} THEN {SEEN} END").into()
            }
        }
    }
}
