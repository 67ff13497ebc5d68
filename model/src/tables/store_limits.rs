//! What the databases can store at most: bytes of a row and of an index, and columns of indexes and results.
//!
//! PostgreSQL keeps a row in one page. Of a row that is too large it moves long values out, the longest first; a
//! pointer of 18 bytes stays of each. Numbers, ids and texts of up to 23 bytes always stay. So a row of many fields may
//! not fit, whatever the length of each.

use super::{Column, ColumnKind, Combined, Table, Unique};
use crate::case_folding::FOLDED_BYTES;
use crate::check::{Checked, Kind};
use crate::field::{Field, Type};
use crate::resource::Resource;

/// Bytes of a row that PostgreSQL stores, with its header.
pub const MAX_ROW_BYTES: usize = 8_160;
/// Bytes of the header of a row: a bit for each column that the table has or had, of which there are 1,600 at most.
const ROW_HEADER_BYTES: usize = 224;
/// Bytes of a text that stays in its row, with the byte before it that tells the length.
const INLINE_BYTES: usize = 24;
/// What numbers of 64 bits are aligned to.
const ALIGNMENT: usize = 8;

/// Bytes of a text that PostgreSQL can always index together with the id. Characters have four at most.
pub const INDEXED_BYTES: usize = 2_600;
/// Bytes of all values of an index that PostgreSQL can always index together with the id.
const MAX_INDEXED_BYTES: usize = INDEXED_BYTES + 2 * VALUE_BYTES;
/// Bytes beside those of a value: its length and its alignment.
const VALUE_BYTES: usize = 8;
/// Columns of an index on PostgreSQL.
pub const MAX_INDEX_COLUMNS: usize = 32;

/// References of a resource that show fields of other entities: SQLite joins 64 tables, and a list may filter by
/// others.
pub const MAX_SHOWING: usize = 60;
/// Columns of a result: PostgreSQL returns 1,664, and a list may select more than it shows.
pub const MAX_RESULT_COLUMNS: usize = 1_600;

/// References of a resource that show fields of other entities: each is a join of the statements that read it.
#[must_use]
pub fn shown_references(service: &Checked, resource: &Resource) -> usize {
    fn of(service: &Checked, fields: &[Field]) -> usize {
        let each = fields.iter().map(|field| match service.kind(&field.ty) {
            Kind::Object(object) => of(service, &object.fields),
            Kind::Scalar(Type::Ref { show, .. }) => usize::from(!show.is_empty()),
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => 0,
        });
        each.sum()
    }
    of(service, &resource.fields)
}

/// Characters of a text that PostgreSQL can always index, as it is or folded.
#[must_use]
pub fn indexed_characters(ignores_case: bool) -> usize {
    INDEXED_BYTES / if ignores_case { FOLDED_BYTES } else { char::MAX.len_utf8() }
}

/// Bytes of the texts that are stored of a field's values, at most; `usize::MAX`: any number.
pub(super) fn text_bytes(service: &Checked, field: &Field) -> usize {
    if field.secret.is_some() {
        // a hash, whatever the length of the secret
        return usize::MAX;
    }
    match service.kind(&field.ty) {
        Kind::Enum(values) => values.values.iter().map(String::len).max().unwrap_or(0),
        Kind::Scalar(Type::String { max_length, .. }) => {
            max_length.map_or(usize::MAX, |length| (length as usize).saturating_mul(char::MAX.len_utf8()))
        }
        Kind::Scalar(Type::Duration | Type::Json { .. }) | Kind::Array(_) | Kind::Map(_) => usize::MAX,
        Kind::Scalar(Type::Country) => 2,
        Kind::Scalar(Type::Currency | Type::Price { .. }) => 3,
        Kind::Scalar(_) | Kind::Object(_) => SHORT_BYTES,
    }
}

/// Bytes of a value that is no free text, at most: of a number, an id, a language, a time zone.
const SHORT_BYTES: usize = 64;

impl Column {
    /// Adds a value to a row of PostgreSQL that ends here.
    fn end_of_row(&self, end: usize) -> usize {
        match self.kind {
            ColumnKind::Boolean => end + 1,
            ColumnKind::Integer | ColumnKind::Real => end.next_multiple_of(ALIGNMENT) + 8,
            ColumnKind::Uuid => end + 16,
            ColumnKind::Text | ColumnKind::Json => end + self.text_bytes.saturating_add(1).min(INLINE_BYTES),
        }
    }

    /// Bytes that an index has of its values, at most.
    fn indexed_bytes(&self, ignores_case: bool) -> usize {
        match self.kind {
            ColumnKind::Text if ignores_case => (self.text_bytes / char::MAX.len_utf8()).saturating_mul(FOLDED_BYTES),
            ColumnKind::Text => self.text_bytes,
            // never in an index
            ColumnKind::Json => 0,
            ColumnKind::Boolean | ColumnKind::Integer | ColumnKind::Real | ColumnKind::Uuid => SHORT_BYTES,
        }
    }
}

/// The values of an index: its columns, and whether it has their texts folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedValues {
    /// The columns, without the id.
    pub columns: Vec<usize>,
    /// Whether it has what [`fold_case`](crate::case_folding::fold_case) makes of the texts.
    pub ignores_case: bool,
}

impl IndexedValues {
    /// How many bytes too many an index has of values of these bytes.
    #[must_use]
    pub fn excess(&self, bytes: impl Fn(usize) -> usize) -> usize {
        let bytes = self.columns.iter().map(|column| bytes(*column).saturating_add(VALUE_BYTES));
        bytes.fold(0, usize::saturating_add).saturating_sub(MAX_INDEXED_BYTES)
    }
}

impl Table {
    /// Bytes of a row on PostgreSQL of which nothing more can be moved out, at most.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        let end = self.columns.iter().fold(ROW_HEADER_BYTES, |end, column| column.end_of_row(end));
        end.next_multiple_of(ALIGNMENT)
    }

    /// The values of each index.
    pub fn indexed_values(&self) -> impl Iterator<Item = IndexedValues> {
        let uniques = self.uniques.iter().map(|Unique { columns, ignores_case, .. }| IndexedValues {
            columns: columns.clone(),
            ignores_case: *ignores_case,
        });
        let one = |column: &usize| vec![*column];
        let folded =
            self.folded_indexes.iter().map(move |column| IndexedValues { columns: one(column), ignores_case: true });
        let others = self.combined.iter().map(Combined::columns).chain(self.indexes.iter().map(one));
        uniques.chain(folded).chain(others.map(|columns| IndexedValues { columns, ignores_case: false }))
    }

    /// Whether PostgreSQL may not be able to index some values.
    #[must_use]
    pub fn may_exceed(&self, values: &IndexedValues) -> bool {
        values.excess(|column| self.columns[column].indexed_bytes(values.ignores_case)) > 0
    }
}

impl Combined {
    /// Its columns, without the id.
    #[must_use]
    pub fn columns(&self) -> Vec<usize> {
        self.filtered.iter().copied().chain([self.sorted]).collect()
    }
}
