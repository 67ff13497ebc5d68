//! The table of a resource: its columns, its indexes, and the columns of each field.
//!
//! A scalar is one column, a price two (`buy_now_amount` in minor units, `buy_now_currency`), a reference `seller_id`
//! with a foreign key, an object its fields' columns (`address_city`), an array or a map one column of
//! JSON. An optional object
//! has a column with its own name that records whether it is present. References inside arrays get a [`Link`] table, so
//! that the database guards them as well.

mod added_indexes;
mod builder;
mod ddl;
mod defaults;
mod identifier;
mod internal_tables;
mod store_limits;
mod visible_columns;

pub use added_indexes::{AddedIndex, STATE_INDEX, added_indexes};
pub use ddl::{Dialect, all, create, foreign_keys};
pub use identifier::MAX_IDENTIFIER;

pub(crate) use builder::is_never_null;
pub(crate) use ddl::{ForeignKey, NamedIndex, create_of_service, primary_key, references};
pub(crate) use defaults::text;
pub(crate) use identifier::identifier;
pub use internal_tables::{AddedColumn, OPERATION_MARK, added_columns};
pub(crate) use internal_tables::{NAMING_COMMANDS, NAMING_RESOURCES, SEARCHES_TABLE, event_tables};
pub use store_limits::{
    INDEXED_BYTES, IndexedValues, MAX_INDEX_COLUMNS, MAX_RESULT_COLUMNS, MAX_ROW_BYTES, MAX_SHOWING,
    indexed_characters, shown_references,
};

use crate::check::Checked;
use crate::field::OnDelete;
use crate::names::{self, COMMON_FIELDS};
use crate::resource::{Lifecycle, Resource};
use crate::value::Value;
use builder::TableBuilder;
use std::ops::Range;

/// Columns before the first field's.
pub const COMMON: [(&str, ColumnKind); 3] =
    [("id", ColumnKind::Uuid), ("created_at", ColumnKind::Integer), ("updated_at", ColumnKind::Integer)];
/// The index of `id` in every table.
pub const ID: usize = 0;
/// The index of `created_at` in every table.
pub const CREATED_AT: usize = 1;
/// The index of `updated_at` in every table.
pub const UPDATED_AT: usize = 2;

/// A resource's table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The plural in snake case: `general_deliveries`.
    pub name: String,
    /// The common ones, then the fields' in the model's order.
    pub columns: Vec<Column>,
    /// How many of them, from the first, are the primary key.
    pub key: usize,
    /// Where each field lies, in the model's order.
    pub slots: Vec<Slot>,
    /// What no two rows share.
    pub uniques: Vec<Unique>,
    /// Columns that are filtered or sorted by, each indexed together with the id: the rows of one value are in the
    /// order of ids. What a unique field's own index finds needs no other.
    pub indexes: Vec<usize>,
    /// Columns whose texts are filtered without their case, each indexed so together with the id. What a field's own
    /// `unique: ignoreCase` finds needs no other.
    pub folded_indexes: Vec<usize>,
    /// Columns that lists filter by, and one that they sort by, in one index.
    pub combined: Vec<Combined>,
    /// References inside arrays.
    pub links: Vec<Link>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// In snake case.
    pub name: String,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// Whether it may be null.
    pub nullable: bool,
    /// The default value: null, or a value of one column.
    pub default: Value,
    /// The row it points at.
    pub references: Option<Foreign>,
    /// Of a text: its bytes at most.
    pub text_bytes: usize,
}

impl Column {
    /// A column that is never null, without a default, which points at nothing.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: ColumnKind) -> Self {
        let (name, text_bytes) = (name.into(), usize::MAX);
        Self { name, kind, nullable: false, default: Value::Null, references: None, text_bytes }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// true or false.
    Boolean,
    /// 64 bits.
    Integer,
    /// A double.
    Real,
    /// Unicode.
    Text,
    /// 16 bytes.
    Uuid,
    /// JSON text in the form it is rendered in.
    Json,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign {
    /// The other resource.
    pub resource: String,
    /// Its table.
    pub table: String,
    /// The path of an error about the reference: `seller.id`.
    pub path: String,
    /// What deleting the other row does.
    pub on_delete: OnDelete,
}

/// The columns of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The field's name, as in JSON.
    pub name: String,
    /// Its columns.
    pub columns: Range<usize>,
    /// How they are laid out.
    pub content: Content,
}

/// How a field's columns are laid out.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// One column.
    Scalar,
    /// Minor units, then the currency.
    Price,
    /// One column: the id.
    Reference,
    /// The presence column of an optional one, then the fields'.
    Object {
        /// Whether the first column records if the object is there.
        optional: bool,
        /// The columns of its fields.
        slots: Vec<Slot>,
    },
    /// One column of JSON.
    Array,
    /// One column of JSON.
    Map,
    /// None: its value is computed when a row is read.
    Computed,
}

/// Columns that no two rows share.
#[derive(Debug, Clone, PartialEq)]
pub struct Unique {
    /// The columns.
    pub columns: Vec<usize>,
    /// Whether texts that differ in case alone are the same: the index is on what [`fold_case`] makes of them.
    ///
    /// [`fold_case`]: crate::case_folding::fold_case
    pub ignores_case: bool,
    /// The paths of its fields: an error is at the first that the request's version and view have.
    pub paths: Vec<String>,
}

/// The columns of an index for lists; the id follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combined {
    /// Those that a list filters by.
    pub filtered: Vec<usize>,
    /// The one that it sorts by.
    pub sorted: usize,
}

/// An index that begins with some column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name in the database.
    pub name: String,
    /// Whether the ids of each value follow, in order.
    pub has_ids: bool,
}

/// References inside an array: a table of pairs, beside the JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// `<table>__<path>`.
    pub table: String,
    /// The names that lead to the reference, arrays passed through.
    pub path: Vec<String>,
    /// The other end.
    pub references: Foreign,
}

impl Table {
    /// A table with nothing but columns, of which the first `key` are its primary key.
    #[must_use]
    pub fn new(name: impl Into<String>, columns: Vec<Column>, key: usize) -> Self {
        Self {
            name: name.into(),
            columns,
            key,
            slots: Vec::new(),
            uniques: Vec::new(),
            indexes: Vec::new(),
            folded_indexes: Vec::new(),
            combined: Vec::new(),
            links: Vec::new(),
        }
    }

    /// The table of a resource.
    #[must_use]
    pub fn of(service: &Checked, resource: &Resource) -> Self {
        let mut builder = TableBuilder::new(service, table_name(resource));
        let slots = builder.slots(&resource.fields, &[], true);
        let mut table = builder.table;
        for (field, slot) in resource.fields.iter().zip(&slots) {
            let columns = &mut table.columns[slot.columns.clone()];
            for (column, default) in columns.iter_mut().zip(defaults::defaults(service, field)) {
                column.default = default;
            }
        }
        table.slots = slots;
        let of_fields = table.uniques.len();
        for combination in &resource.unique {
            let slots: Vec<_> = combination.iter().filter_map(|name| table.slot(name)).collect();
            let columns = slots.iter().flat_map(|slot| slot.columns.clone()).collect();
            let paths = slots.iter().map(|slot| slot.error_path("")).collect();
            table.uniques.push(Unique { columns, ignores_case: false, paths });
        }
        for combination in &resource.index {
            let mut filtered: Vec<_> = combination.iter().filter_map(|name| table.first_column(name)).collect();
            table.combined.extend(filtered.pop().map(|sorted| Combined { filtered, sorted }));
        }
        table.indexes.extend([CREATED_AT, UPDATED_AT]);
        // what scopes and owners look up
        let looked_up: Vec<_> = resource.under.iter().chain(&resource.owner).filter_map(|f| table.slot(f)).collect();
        let looked_up: Vec<_> = looked_up.iter().map(|slot| slot.columns.start).collect();
        table.indexes.extend(looked_up);
        // what the clock looks for
        let times = resource.lifecycle.iter().flat_map(Lifecycle::by_clock).filter_map(|(_, time)| table.slot(time));
        let times: Vec<_> = times.map(|slot| slot.columns.start).collect();
        table.indexes.extend(times);
        // deleting the other row looks for those that point at it; what begins a combination is found by that
        let leads = |uniques: &[Unique], column: usize| uniques.iter().any(|unique| unique.finds(column));
        let references = table.columns.iter().enumerate().filter(|(_, column)| column.references.is_some());
        let sought = references.map(|(column, _)| column).filter(|column| !leads(&table.uniques, *column));
        table.indexes.extend(sought.collect::<Vec<_>>());
        table.indexes.sort_unstable();
        table.indexes.dedup();
        let uniques = &table.uniques[..of_fields];
        table.indexes.retain(|column| !leads(uniques, *column));
        table.folded_indexes.retain(|column| !uniques.iter().any(|unique| unique.finds_folded(*column)));
        table
    }

    /// The table of a resource as a database has it: names that the database keeps for itself are written in another
    /// way ([`names::sql`]).
    #[must_use]
    pub fn in_database(service: &Checked, resource: &Resource, dialect: Dialect) -> Self {
        let mut table = Self::of(service, resource);
        let rename = |name: &mut String| *name = names::sql::table(name, dialect);
        rename(&mut table.name);
        for column in &mut table.columns {
            column.name = names::sql::column(&column.name, dialect);
            column.references.iter_mut().for_each(|foreign| rename(&mut foreign.table));
        }
        for link in &mut table.links {
            rename(&mut link.table);
            rename(&mut link.references.table);
        }
        table
    }

    /// The index that finds a column's values: its own, with the ids of each value in order, or a unique field's.
    #[must_use]
    pub fn index(&self, column: usize) -> Option<Index> {
        if self.indexes.contains(&column) {
            return Some(Index { name: self.index_of(&[column, ID]).name, has_ids: true });
        }
        let unique = self.uniques.iter().find(|unique| unique.finds(column))?;
        Some(Index { name: self.unique_index(unique).name, has_ids: false })
    }

    /// The index that finds a column's texts without their case.
    #[must_use]
    pub fn folded_index(&self, column: usize) -> Option<Index> {
        if self.folded_indexes.contains(&column) {
            return Some(Index { name: self.folded_index_of(column).name, has_ids: true });
        }
        let unique = self.uniques.iter().find(|unique| unique.finds_folded(column))?;
        Some(Index { name: self.unique_index(unique).name, has_ids: false })
    }

    /// The index that has the rows of one value of each filtered column in the order of another column.
    #[must_use]
    pub fn combined_index_for(&self, sorted: usize, has_one_value: impl Fn(usize) -> bool) -> Option<Index> {
        let serves = |combined: &&Combined| {
            combined.sorted == sorted && combined.filtered.iter().all(|column| has_one_value(*column))
        };
        let best = self.combined.iter().filter(serves).max_by_key(|combined| combined.filtered.len())?;
        Some(Index { name: self.combined_index(best).name, has_ids: true })
    }

    /// The first column of a field, or a common one.
    fn first_column(&self, field: &str) -> Option<usize> {
        let common = COMMON_FIELDS.iter().position(|name| *name == field);
        common.or_else(|| self.slot(field).map(|slot| slot.columns.start))
    }

    /// The column of this name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The path of the field that a column belongs to; none of the common ones.
    #[must_use]
    pub fn path(&self, column: usize) -> Option<String> {
        path_in(&self.slots, column)
    }

    /// The column that a filter or a sort key is on, by its name in query strings: `address.city`, `seller.id`,
    /// `buyNow.amount`; of a price as a whole, the amount.
    #[must_use]
    pub fn column_of(&self, name: &str) -> Option<usize> {
        names::COMMON_FIELDS.iter().position(|common| *common == name).or_else(|| column_in(&self.slots, name))
    }

    /// The columns of a field.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}

impl Unique {
    /// Whether its index finds the values of a column: folded ones are not what a filter looks for.
    fn finds(&self, column: usize) -> bool {
        !self.ignores_case && self.columns.first() == Some(&column)
    }

    /// Whether its index finds the texts of a column without their case.
    fn finds_folded(&self, column: usize) -> bool {
        self.ignores_case && self.columns.first() == Some(&column)
    }
}

impl Slot {
    /// The path that an error about this field's value has.
    fn error_path(&self, prefix: &str) -> String {
        let end = if self.content == Content::Reference { ".id" } else { "" };
        format!("{prefix}{}{end}", self.name)
    }
}

fn path_in(slots: &[Slot], column: usize) -> Option<String> {
    let slot = slots.iter().find(|slot| slot.columns.contains(&column))?;
    match &slot.content {
        Content::Object { slots, .. } => path_in(slots, column).map(|path| format!("{}.{path}", slot.name)),
        _ => Some(slot.error_path("")),
    }
}

fn column_in(slots: &[Slot], name: &str) -> Option<usize> {
    let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let slot = slots.iter().find(|slot| slot.name == first)?;
    let start = slot.columns.start;
    match (&slot.content, rest) {
        (Content::Scalar | Content::Price, None) | (Content::Reference, Some("id")) => Some(start),
        (Content::Price, Some("amount")) => Some(start),
        (Content::Price, Some("currency")) => Some(start + 1),
        (Content::Object { slots, .. }, Some(rest)) => column_in(slots, rest),
        _ => None,
    }
}

/// The table's name: the plural in snake case.
#[must_use]
pub fn table_name(resource: &Resource) -> String {
    identifier(names::snake(&resource.plural))
}
