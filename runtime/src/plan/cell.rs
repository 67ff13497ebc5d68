//! The value of a column, owned and borrowed, for both databases.

use super::ResourceIndex;
use super::columns::SelectColumns;
use super::viewer::Viewer;
use uuid::Uuid;

/// A column's value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// NULL.
    Null,
    /// A whole number; booleans are 0 and 1.
    Int(i64),
    /// A double.
    Real(f64),
    /// Unicode, and JSON.
    Text(String),
    /// An id.
    Uuid(Uuid),
}

/// A column's value, borrowed. Text is UTF-8.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CellRef<'a> {
    /// NULL.
    Null,
    /// A whole number; booleans are 0 and 1.
    Int(i64),
    /// A double.
    Real(f64),
    /// Unicode, and JSON.
    Text(&'a [u8]),
    /// An id.
    Uuid(Uuid),
}

impl Cell {
    /// A body of JSON, which is UTF-8.
    pub(crate) fn of_json(body: Vec<u8>) -> Self {
        Self::Text(String::from_utf8(body).unwrap_or_default())
    }

    /// The same, borrowed.
    pub(crate) fn borrow(&self) -> CellRef<'_> {
        match self {
            Self::Null => CellRef::Null,
            Self::Int(number) => CellRef::Int(*number),
            Self::Real(number) => CellRef::Real(*number),
            Self::Text(text) => CellRef::Text(text.as_bytes()),
            Self::Uuid(id) => CellRef::Uuid(*id),
        }
    }

    /// The id in it.
    pub(crate) fn uuid(&self) -> Option<Uuid> {
        self.borrow().uuid()
    }

    /// Gives the cell's bytes to `write`, as long as that is not `None`. Different cells have different bytes, none of
    /// which begin with those of another; the first is a letter.
    pub(crate) fn write_bytes(&self, mut write: impl FnMut(&[u8]) -> Option<()>) -> Option<()> {
        match self {
            Self::Null => write(b"n"),
            Self::Int(number) => {
                write(b"i")?;
                write(&number.to_le_bytes())
            }
            Self::Real(number) => {
                write(b"r")?;
                write(&number.to_le_bytes())
            }
            Self::Text(text) => {
                write(b"t")?;
                write(&text.len().to_le_bytes())?;
                write(text.as_bytes())
            }
            Self::Uuid(id) => {
                write(b"u")?;
                write(id.as_bytes())
            }
        }
    }
}

impl CellRef<'_> {
    /// The same, owned.
    pub(crate) fn to_owned(self) -> Cell {
        match self {
            Self::Null => Cell::Null,
            Self::Int(number) => Cell::Int(number),
            Self::Real(number) => Cell::Real(number),
            // to read what may not be UTF-8 takes ten times as long
            Self::Text(text) => Cell::Text(match std::str::from_utf8(text) {
                Ok(text) => text.to_owned(),
                Err(_) => String::from_utf8_lossy(text).into_owned(),
            }),
            Self::Uuid(id) => Cell::Uuid(id),
        }
    }

    /// The id in it.
    pub(crate) fn uuid(self) -> Option<Uuid> {
        match self {
            Self::Uuid(id) => Some(id),
            _ => None,
        }
    }

    /// The whole number in it.
    pub(crate) fn int(self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(number),
            _ => None,
        }
    }
}

/// What is looked up of an entity that a reference inside an array points at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LookupKey<'a> {
    /// The statement over its table as `t`, for a viewer that sees all; it binds the id.
    pub(crate) sql: &'a str,
    /// The columns that it selects.
    pub(crate) columns: &'a SelectColumns,
    /// What follows them.
    pub(crate) tail: &'a str,
    /// Its resource, where not every caller sees all of it.
    pub(crate) restricted: Option<ResourceIndex>,
}

impl LookupKey<'_> {
    /// The statement for a viewer, and what it binds; `None`: that of all viewers, which binds the id alone.
    pub(crate) fn seen(self, viewer: &Viewer, id: Uuid) -> Option<(String, Vec<Cell>)> {
        let sees_all = viewer.is_everything() || (self.restricted.is_none() && !self.columns.have_flags());
        if sees_all && !self.columns.bind() {
            return None;
        }
        let mut values = Vec::new();
        let columns = self.columns.seen(viewer, &mut values);
        values.push(Cell::Uuid(id));
        let condition = viewer.condition(self.restricted, &mut values);
        Some((format!("SELECT {columns}{}{condition}", self.tail), values))
    }
}

/// A row to render: its cells, and a way to the entities that references inside its arrays point at.
pub(crate) trait Row {
    /// The value of a column; NULL where there is none.
    fn cell(&self, column: usize) -> CellRef<'_>;

    /// The cells of what a lookup finds by id; `None` where there is no such row, or it is not seen.
    fn look_up(&self, lookup: LookupKey<'_>, id: Uuid) -> Option<Vec<Cell>>;
}
