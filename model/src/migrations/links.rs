//! Pairs the tables of references inside arrays by the fields that contain the arrays.

use super::moves::{ColumnMove, Moves, TableMove, ValueSource};
use crate::changes::{Pair, pairs};
use crate::check::{Checked, Kind, ModelPath};
use crate::field::{Field, Type};
use crate::resource::Resource;
use crate::tables::Table;

type Paths = Vec<(Vec<String>, Vec<String>)>;

pub(super) fn pair(moves: &mut Moves, old: (&Checked, &Resource, &Table), new: (&Checked, &Resource, &Table)) {
    let mut paths = Paths::new();
    fields((old.0, new.0), (&old.1.fields, &new.1.fields), (&[], &[]), &mut paths);
    let before = |path: &[String]| {
        let (path, _) = paths.iter().find(|(_, now)| now == path)?;
        old.2.links.iter().find(|link| link.path == *path)
    };
    for link in &new.2.links {
        let now = new.2.of_link(link);
        match before(&link.path) {
            Some(link) => {
                let mut at = ModelPath::definition(&new.1.name).key("fields");
                at = link.path.iter().take(1).fold(at, |at, name| at.key(name));
                let column = |column| ColumnMove { source: ValueSource::Old(column), fill: None, at: at.clone() };
                let columns = (0..now.columns.len()).map(column).collect();
                moves.tables.push(TableMove { old: old.2.of_link(link), new: now, columns });
            }
            None => moves.created.push(now),
        }
    }
    let is_gone =
        |path: &Vec<String>| !new.2.links.iter().any(|link| before(&link.path).is_some_and(|l| l.path == *path));
    moves.dropped.extend(old.2.links.iter().filter(|link| is_gone(&link.path)).map(|link| old.2.of_link(link)));
}

/// The references on both sides: how each is reached.
fn fields(
    services: (&Checked, &Checked),
    (old, new): (&[Field], &[Field]),
    (before, now): (&[String], &[String]),
    found: &mut Paths,
) {
    for pair in pairs(old, new) {
        let Pair::Both(old, new) = pair else { continue };
        let step = |path: &[String], name: &String| -> Vec<String> { path.iter().chain([name]).cloned().collect() };
        let (before, now) = (step(before, &old.name), step(now, &new.name));
        match (services.0.kind(old.ty.element()), services.1.kind(new.ty.element())) {
            (Kind::Scalar(Type::Ref { .. }), Kind::Scalar(Type::Ref { .. })) => found.push((before, now)),
            // an object never leads to itself
            (Kind::Object(old), Kind::Object(new)) => {
                fields(services, (&old.fields, &new.fields), (&before, &now), found);
            }
            _ => {}
        }
    }
}
