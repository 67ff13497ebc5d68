//! Renames the fields of objects that are stored as JSON: in arrays, in commands, in searches, and in operations that
//! are not done yet.
//!
//! A renamed field of an object that is not in an array is a column, which is renamed as such. All other names that a
//! row contains are renamed here, so that programs read and write the names of their own model alone.

use crate::changes::{Pair, pairs};
use crate::check::{Checked, Kind};
use crate::field::{Field, Type};
use crate::tables::{Dialect, text};

/// The names that change in a JSON value.
pub(super) enum JsonRenames {
    /// In an object: in these of its members.
    Object(Vec<MemberRename>),
    /// In each item of an array.
    Items(Box<Self>),
}

/// A member that gets another name, or whose value has renames.
pub(super) struct MemberRename {
    old: String,
    new: String,
    replaces: Replaced,
    inside: Option<JsonRenames>,
}

/// The member that has the new name already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replaced {
    /// There is none, or it gets another name itself.
    Nothing,
    /// The old objects may have one: of a field that was removed earlier. It is the renamed one where the old name is
    /// missing.
    Remainder,
    /// The old model has one, and the new one does not.
    Removed,
}

/// A JSON value in SQLite: its type, its text if it is an array or an object, and its text in any case.
struct SqliteValue {
    kind: String,
    container: String,
    json: String,
}

impl JsonRenames {
    /// Between the fields of both models; `None` if no name changes.
    pub(super) fn of_fields((old, before): (&Checked, &[Field]), (new, now): (&Checked, &[Field])) -> Option<Self> {
        let old_names: Vec<_> = before.iter().map(|field| field.name.as_str()).collect();
        let both = pairs(before, now).into_iter().filter_map(|pair| match pair {
            Pair::Both(before, now) => Some((before, now)),
            Pair::New(_) | Pair::Old(_) => None,
        });
        let both: Vec<_> = both.collect();
        let member = |(before, now): &(&Field, &Field)| {
            let inside = Self::of_types((old, &before.ty), (new, &now.ty));
            let is_renamed = before.name != now.name;
            let replaces = match is_renamed && !both.iter().any(|(before, _)| before.name == now.name) {
                false => Replaced::Nothing,
                true if old_names.contains(&now.name.as_str()) => Replaced::Removed,
                true => Replaced::Remainder,
            };
            let (old, new) = (before.name.clone(), now.name.clone());
            (is_renamed || inside.is_some()).then_some(MemberRename { old, new, replaces, inside })
        };
        Self::of_members(both.iter().filter_map(member).collect())
    }

    /// In a member of an object whose other members stay.
    pub(super) fn within(member: &str, inside: Self) -> Self {
        let name = || member.to_owned();
        Self::Object(vec![MemberRename { old: name(), new: name(), replaces: Replaced::Nothing, inside: Some(inside) }])
    }

    /// Between two types.
    pub(super) fn of_types((old, before): (&Checked, &Type), (new, now): (&Checked, &Type)) -> Option<Self> {
        match (old.kind(before), new.kind(now)) {
            // an object never leads to itself
            (Kind::Object(before), Kind::Object(now)) => Self::of_fields((old, &before.fields), (new, &now.fields)),
            (Kind::Array(before), Kind::Array(now)) => {
                Self::of_types((old, before), (new, now)).map(|items| Self::Items(Box::new(items)))
            }
            _ => None,
        }
    }

    /// Whether a name stands for something else than before.
    pub(super) fn reuse_names(&self) -> bool {
        match self {
            Self::Items(items) => items.reuse_names(),
            Self::Object(members) => members.iter().any(|member| {
                let is_old = |other: &MemberRename| other.old == member.new && other.old != other.new;
                let is_reused = member.replaces == Replaced::Removed || members.iter().any(is_old);
                is_reused || member.inside.as_ref().is_some_and(Self::reuse_names)
            }),
        }
    }

    fn of_members(members: Vec<MemberRename>) -> Option<Self> {
        (!members.is_empty()).then_some(Self::Object(members))
    }

    /// The text of a column of JSON with the new names: SQL.
    pub(super) fn sql(&self, column: &str, dialect: Dialect) -> String {
        match dialect {
            Dialect::Postgres => format!("({})::text", self.postgres(&format!("{column}::json"), 0)),
            Dialect::Sqlite => {
                let value = SqliteValue {
                    kind: format!("json_type({column})"),
                    container: column.to_owned(),
                    json: column.to_owned(),
                };
                self.sqlite(&value, 0)
            }
        }
    }

    /// The value with the new names. `json`, unlike `jsonb`, keeps the text of what is not renamed.
    fn postgres(&self, value: &str, depth: usize) -> String {
        let row = format!("e{depth}");
        let inner = |renames: &Self| renames.postgres(&format!("{row}.value"), depth + 1);
        match self {
            Self::Items(items) => {
                let list = format!("coalesce(string_agg(({})::text, ',' ORDER BY {row}.n), '')", inner(items));
                let rows = format!("json_array_elements({value}) WITH ORDINALITY {row}(value, n)");
                format!(
                    "CASE json_typeof({value}) WHEN 'array' THEN (SELECT ('[' || {list} || ']')::json FROM {rows}) \
                     ELSE {value} END"
                )
            }
            Self::Object(members) => {
                let name = format!("to_json({})::text", renamed(members, &row));
                let json = replaced(members, &row, &format!("{row}.value"), inner);
                let list = format!("coalesce(string_agg({name} || ':' || ({json})::text, ',' ORDER BY {row}.n), '')");
                let rows = format!("json_each({value}) WITH ORDINALITY {row}(key, value, n)");
                let kept = kept(members, &row, |old| format!("({value} -> {}) IS NULL", text(old)));
                format!(
                    "CASE json_typeof({value}) WHEN 'object' THEN \
                     (SELECT ('{{' || {list} || '}}')::json FROM {rows}{kept}) ELSE {value} END"
                )
            }
        }
    }

    fn sqlite(&self, value: &SqliteValue, depth: usize) -> String {
        let SqliteValue { kind, container, json } = value;
        let row = format!("e{depth}");
        let of_row = SqliteValue {
            kind: format!("{row}.type"),
            container: format!("{row}.value"),
            json: format!("{container} -> {row}.fullkey"),
        };
        let inner = |renames: &Self| renames.sqlite(&of_row, depth + 1);
        match self {
            Self::Items(items) => {
                let list = format!("json_group_array(json({}) ORDER BY {row}.key)", inner(items));
                format!(
                    "CASE {kind} WHEN 'array' THEN (SELECT {list} FROM json_each({container}) {row}) ELSE {json} END"
                )
            }
            Self::Object(members) => {
                let member = replaced(members, &row, &of_row.json, inner);
                let list = format!("json_group_object({}, json({member}))", renamed(members, &row));
                let kept =
                    kept(members, &row, |old| format!("json_type({container}, {}) IS NULL", text(&format!("$.{old}"))));
                format!(
                    "CASE {kind} WHEN 'object' THEN (SELECT {list} FROM json_each({container}) {row}{kept}) \
                     ELSE {json} END"
                )
            }
        }
    }
}

/// The new name of the member in a row.
fn renamed(members: &[MemberRename], row: &str) -> String {
    let cases = members.iter().filter(|member| member.old != member.new);
    let cases: String = cases.map(|it| format!(" WHEN {} THEN {}", text(&it.old), text(&it.new))).collect();
    if cases.is_empty() { format!("{row}.key") } else { format!("CASE {row}.key{cases} ELSE {row}.key END") }
}

/// The value of the member in a row, with the renames inside.
fn replaced(members: &[MemberRename], row: &str, value: &str, inner: impl Fn(&JsonRenames) -> String) -> String {
    let cases = members.iter().filter_map(|member| Some((&member.old, inner(member.inside.as_ref()?))));
    let cases: String = cases.map(|(old, json)| format!(" WHEN {} THEN {json}", text(old))).collect();
    if cases.is_empty() { value.to_owned() } else { format!("CASE {row}.key{cases} ELSE {value} END") }
}

/// Leaves out members that others replace. `lacks`: whether the object has no member of this name.
fn kept(members: &[MemberRename], row: &str, lacks: impl Fn(&str) -> String) -> String {
    let condition = |member: &MemberRename| {
        let is_other = format!("{row}.key <> {}", text(&member.new));
        match member.replaces {
            Replaced::Nothing => None,
            Replaced::Remainder => Some(format!("({is_other} OR {})", lacks(&member.old))),
            Replaced::Removed => Some(is_other),
        }
    };
    let conditions: Vec<_> = members.iter().filter_map(condition).collect();
    if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) }
}
