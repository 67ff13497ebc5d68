//! The lines: how a row is written, and read again, cell by cell as its column's kind says.

use super::layout::{Layout, TableLayout};
use super::{Sum, Summary};
use crate::plan::cell::Cell;
use restwell_model::tables::ColumnKind;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use twox_hash::xxhash3_128::Hasher;
use uuid::Uuid;

/// The form of the lines; another one gets another number.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct DumpHeader {
    /// The form of what follows.
    restwell: u32,
    service: String,
    /// Of the tables that the model needs.
    model: String,
    /// The columns of each, in the order of their values.
    tables: BTreeMap<String, Vec<String>>,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct DumpTrailer {
    /// The rows of each table, and their checksum.
    end: BTreeMap<String, (u64, String)>,
}

/// The checksum of a table's lines, as they come.
#[derive(Default)]
pub(super) struct Checksum {
    rows: u64,
    hasher: Hasher,
}

impl Checksum {
    pub(super) fn add(&mut self, line: &[u8]) {
        self.rows += 1;
        self.hasher.write(line);
    }

    pub(super) fn sum(&self) -> Sum {
        Sum { rows: self.rows, checksum: format!("{:032x}", self.hasher.finish_128()) }
    }
}

/// The first line of a service's file.
pub(super) fn header(layout: &Layout) -> Result<Vec<u8>, String> {
    line(&DumpHeader {
        restwell: FORMAT,
        service: layout.service.clone(),
        model: layout.print(),
        tables: column_names(layout),
    })
}

/// The columns of each table.
fn column_names(layout: &Layout) -> BTreeMap<String, Vec<String>> {
    let names = |table: &TableLayout| table.columns.iter().map(|(name, _)| name.clone()).collect();
    layout.tables.iter().map(|table| (table.name.clone(), names(table))).collect()
}

/// The layout of a file with this first line, which is that of this service, but for columns that versions have added.
pub(super) fn check_header(text: &[u8], layout: &Layout) -> Result<Layout, String> {
    let form: serde_json::Value = serde_json::from_slice(text).map_err(|_| no_export())?;
    match form["restwell"].as_u64() {
        Some(form) if form == u64::from(FORMAT) => {}
        Some(form) => return Err(format!("it is of form {form}, which this program does not know; it reads {FORMAT}")),
        None => return Err(no_export()),
    }
    let header: DumpHeader = serde_json::from_value(form).map_err(|_| no_export())?;
    if header.service != layout.service {
        return Err(format!("it is of the service `{}`, and this is `{}`", header.service, layout.service));
    }
    let has = |table: &str, column: &str| {
        header.tables.get(table).is_some_and(|columns| columns.iter().any(|known| known == column))
    };
    let of_file = layout.as_in(has);
    if header.model != of_file.print() {
        return Err(format!("it was made by another model: {}", difference(&header.tables, layout)));
    }
    // a line has its values in this order
    if header.tables != column_names(&of_file) {
        return Err("its first line lists other columns than its model has: something was altered".to_owned());
    }
    Ok(of_file)
}

fn no_export() -> String {
    "`export` did not write this file".to_owned()
}

/// The first table or column that differs.
fn difference(theirs: &BTreeMap<String, Vec<String>>, ours: &Layout) -> String {
    for table in &ours.tables {
        let Some(columns) = theirs.get(&table.name) else { return format!("it lacks the table `{}`", table.name) };
        if let Some((name, _)) = table.columns.iter().find(|(name, _)| !columns.contains(name)) {
            return format!("its table `{}` lacks the column `{name}`", table.name);
        }
        if let Some(name) = columns.iter().find(|name| !table.columns.iter().any(|(known, _)| known == *name)) {
            return format!("its table `{}` has a column `{name}` more", table.name);
        }
    }
    match theirs.keys().find(|name| ours.table(name).is_none()) {
        Some(name) => format!("it has a table `{name}` more"),
        None => "a column is of another type".to_owned(),
    }
}

/// The last line.
pub(super) fn end(summary: &Summary) -> Result<Vec<u8>, String> {
    let end = summary.0.iter().map(|(name, sum)| (name.clone(), (sum.rows, sum.checksum.clone())));
    line(&DumpTrailer { end: end.collect() })
}

/// What a last line says; `None`: it is none.
pub(super) fn read_end(text: &[u8]) -> Option<Summary> {
    let DumpTrailer { end } = serde_json::from_slice(text).ok()?;
    Some(Summary(end.into_iter().map(|(name, (rows, checksum))| (name, Sum { rows, checksum })).collect()))
}

fn line(content: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut line = serde_json::to_vec(content).map_err(|error| error.to_string())?;
    line.push(b'\n');
    Ok(line)
}

/// The line of a row.
pub(super) fn of_row(table: &TableLayout, row: &[Cell]) -> Result<Vec<u8>, String> {
    let values =
        row.iter().zip(&table.columns).map(|(cell, (_, kind))| value(cell, *kind)).collect::<Result<_, _>>()?;
    let values: Vec<Box<RawValue>> = values;
    line(&BTreeMap::from([(&table.name, values)]))
}

fn value(cell: &Cell, kind: ColumnKind) -> Result<Box<RawValue>, String> {
    let text = match (cell, kind) {
        (Cell::Int(number), ColumnKind::Boolean) => (*number != 0).to_string(),
        (Cell::Int(number), _) => number.to_string(),
        // SQLite knows no negative zero
        (Cell::Real(number), _) if *number == 0.0 => "0".to_owned(),
        (Cell::Real(number), _) => number.to_string(),
        (Cell::Text(text), _) => serde_json::to_string(text).map_err(|error| error.to_string())?,
        (Cell::Uuid(id), _) => format!("\"{id}\""),
        (Cell::Null, _) => "null".to_owned(),
    };
    RawValue::from_string(text).map_err(|error| error.to_string())
}

/// The table and the row of a line.
pub(super) fn read_row<'l>(text: &[u8], layout: &'l Layout) -> Result<(&'l TableLayout, Vec<Cell>), String> {
    let wrong = || "is not a row".to_owned();
    let row: BTreeMap<String, Vec<&RawValue>> = serde_json::from_slice(text).map_err(|_| wrong())?;
    let [(name, values)] = row.into_iter().collect::<Vec<_>>().try_into().map_err(|_| wrong())?;
    let table = layout.table(&name).ok_or_else(|| format!("is of a table `{name}`, which is none"))?;
    if values.len() != table.columns.len() {
        return Err(format!("has {} values, and `{name}` has {} columns", values.len(), table.columns.len()));
    }
    let cells = values.into_iter().zip(&table.columns).map(|(value, (column, kind))| {
        cell(value.get(), *kind).ok_or_else(|| format!("has a value for `{column}` that is not of its type"))
    });
    Ok((table, cells.collect::<Result<_, _>>()?))
}

fn cell(text: &str, kind: ColumnKind) -> Option<Cell> {
    Some(match (text, kind) {
        ("null", _) => Cell::Null,
        ("true", ColumnKind::Boolean) => Cell::Int(1),
        ("false", ColumnKind::Boolean) => Cell::Int(0),
        (_, ColumnKind::Boolean) => return None,
        (_, ColumnKind::Integer) => Cell::Int(text.parse().ok()?),
        (_, ColumnKind::Real) => Cell::Real(text.parse().ok()?),
        (_, ColumnKind::Text) => Cell::Text(serde_json::from_str(text).ok()?),
        (_, ColumnKind::Json) => {
            let json: String = serde_json::from_str(text).ok()?;
            // statements read it as a table; which JSON it may be, its field says
            serde_json::from_str::<serde::de::IgnoredAny>(&json).ok()?;
            Cell::Text(json)
        }
        (_, ColumnKind::Uuid) => Cell::Uuid(Uuid::parse_str(&serde_json::from_str::<String>(text).ok()?).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use restwell_model::{Checked, Field, Resource, Service, Type};

    fn layout() -> Layout {
        let mut thing = Resource::new("Thing");
        thing.fields = vec![
            Field::new("name", Type::string()),
            Field::new("weight", Type::Number { minimum: None, maximum: None }),
            Field::new("sold", Type::Boolean),
        ];
        Layout::of(&Checked::new(Service { resources: vec![thing], ..Service::new("shop") }).unwrap())
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(
            id in any::<u128>(), time in any::<i64>(), name in any::<String>(), weight in any::<f64>(), sold in any::<Option<bool>>(),
        ) {
            prop_assume!(weight.is_finite());
            let layout = layout();
            let table = layout.table("things").unwrap();
            let row = vec![
                Cell::Uuid(Uuid::from_u128(id)), Cell::Int(time), Cell::Int(time), Cell::Text(name),
                Cell::Real(weight + 0.0), sold.map_or(Cell::Null, |sold| Cell::Int(sold.into())),
            ];
            let line = of_row(table, &row).unwrap();
            let (found, read) = read_row(&line, &layout).unwrap();
            prop_assert_eq!(&found.name, "things");
            prop_assert_eq!(read, row);
        }

        #[test]
        fn no_line_is_read_in_a_panic(line in any::<Vec<u8>>(), json in "[\\[\\]{}\",:0-9a-z]{0,40}") {
            let layout = layout();
            for text in [line, json.into_bytes()] {
                let _ = (read_row(&text, &layout), read_end(&text), check_header(&text, &layout));
            }
        }
    }

    #[test]
    fn a_file_of_an_earlier_version_lacks_what_was_added_since() {
        let shop = Checked::new(Service::new("shop")).unwrap();
        let ours = Layout::of(&shop);
        let columns = |layout: &Layout, table: &str| layout.table(table).unwrap().columns.len();
        let first = ours.as_in(|_, _| false);
        assert_eq!(columns(&first, "_restwell_events") + 1, columns(&ours, "_restwell_events"));
        // some were added earlier than others
        let second = ours.as_in(|_, column| column == "actor_id" || column == "creator_id");
        assert_eq!(columns(&second, "_restwell_searches"), columns(&first, "_restwell_searches") + 1);
        for theirs in [first, second, Layout::of(&shop)] {
            let found = check_header(&header(&theirs).unwrap(), &ours).unwrap();
            assert_eq!(found.print(), theirs.print());
        }
    }

    #[test]
    fn the_lists_of_columns_are_those_of_the_model() {
        let ours = layout();
        let mut forged: serde_json::Value = serde_json::from_slice(&header(&ours).unwrap()).unwrap();
        forged["tables"]["things"].as_array_mut().unwrap().swap(3, 4);
        let message = refused(&serde_json::to_vec(&forged).unwrap(), &ours);
        assert!(message.contains("lists other columns"), "{message}");
    }

    fn refused(header: &[u8], ours: &Layout) -> String {
        check_header(header, ours).err().expect("it is refused")
    }

    #[test]
    fn a_header_of_something_else_says_what() {
        let ours = layout();
        assert!(check_header(&header(&ours).unwrap(), &ours).is_ok());
        let mut theirs = layout();
        theirs.service = "market".to_owned();
        let message = refused(&header(&theirs).unwrap(), &ours);
        assert_eq!(message, "it is of the service `market`, and this is `shop`");
        let mut theirs = layout();
        theirs.tables[0].columns.remove(3);
        let message = refused(&header(&theirs).unwrap(), &ours);
        assert_eq!(message, "it was made by another model: its table `things` lacks the column `name`");
        assert_eq!(refused(b"{}\n", &ours), no_export());
        assert!(refused(b"{\"restwell\":2}", &ours).contains("form 2"));
    }
}
