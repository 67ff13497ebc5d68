//! Row → JSON bytes (§2.4), along steps that were compiled at start: no struct and no tree is built.

use super::cell::{Cell, CellRef, LookupKey, Row};
use super::columns::{FieldFlag, HiddenFields, OWN_ALIAS, SelectColumns};
use super::computed::{ColumnValue, column_sql};
use super::field_access::hiding_callers;
use super::form::{blank, scalar_form, write_float, write_int, write_price, write_text};
use super::items::Items;
use super::shown::{ShownField, TIMES, hidden, shown_fields};
use super::view::ResourceSource;
use super::viewer::{Sight, Viewer};
use super::{ResourceIndex, visible};
use restwell_model::language::JsonForm;
use restwell_model::scalar::uuid_text;
use restwell_model::tables::{self, Content, Slot, Table};
use restwell_model::{Field, Kind, Resource, Type};
use uuid::Uuid;

/// Bytes of one response that is rendered. Beyond it no more is looked up, and the response is refused: a page is
/// `PageTooLarge`, with how many entities would have fit; a single entity is `TooCostly`.
pub(crate) const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;

/// How a resource's rows become JSON in one version and view, and what the rows must hold for it.
#[derive(Debug)]
pub(crate) struct Render {
    steps: Vec<RenderStep>,
    /// ` LEFT JOIN …`: the tables whose fields references show, after the resource's own as `t`.
    pub(crate) joins: String,
    /// The same, one by one, where not every caller sees all that references show.
    restricted_joins: Vec<Join>,
    /// Whether it shows fields of other entities.
    pub(crate) reaches_out: bool,
    /// Whether it looks up rows while it writes one.
    pub(crate) looks_up: bool,
    /// The columns, each with its table's alias: the resource's own, in order, then computed and joined ones.
    pub(crate) columns: SelectColumns,
}

/// What a statement selects for a viewer.
pub(crate) struct SeenColumns {
    pub(crate) columns: String,
    pub(crate) joins: String,
    /// What they bind.
    pub(crate) values: Vec<Cell>,
}

#[derive(Debug)]
enum RenderStep {
    Literal(Vec<u8>),
    Scalar {
        column: usize,
        form: JsonForm,
    },
    Price {
        column: usize,
    },
    /// Null and past the next steps, if the column says that nothing is there.
    Nullable {
        column: usize,
        skip: usize,
    },
    Array {
        column: usize,
        items: Items,
    },
    /// JSON that is stored as it is rendered.
    Json {
        column: usize,
        blank: &'static str,
    },
    /// A text and past the next steps, if the column says that the other entity, or the field, is not seen.
    Hidden {
        column: usize,
        text: Vec<u8>,
        skip: usize,
    },
}

/// A table whose fields a reference shows.
#[derive(Debug)]
struct Join {
    /// Up to what is seen of it: ` LEFT JOIN "users" j0 ON j0."id" = t."seller_id"`.
    sql: String,
    /// Where not every caller sees all of it: the resource, its table, and the alias.
    restricted: Option<(ResourceIndex, String, String)>,
}

impl Render {
    /// The rendering of the fields that `has` lets through.
    pub(super) fn compile(source: ResourceSource<'_>, has: &dyn Fn(&Field) -> bool) -> Self {
        let (resource, table) = (source.resource, source.table());
        let own = table.columns.iter().map(|column| format!("t.\"{}\"", column.name)).collect();
        let mut compiler = RenderCompiler::new(source, has, own);
        compiler.literal("{\"id\":");
        compiler.scalar(tables::ID, JsonForm::Uuid);
        for (name, column) in TIMES {
            compiler.literal(&format!(",\"{name}\":"));
            compiler.scalar(column, JsonForm::Timestamp);
        }
        compiler.of = compiler.entity(resource, table, (OWN_ALIAS, true));
        compiler.fields(&resource.fields, &table.slots, 0, ReferenceDepth::Fully, ",");
        compiler.literal("}");
        let computes = resource.fields.iter().any(|field| field.computed.is_some() && has(field));
        let is_restricted = compiler.joins.iter().any(|join| join.restricted.is_some());
        let looks_up = |step: &RenderStep| matches!(step, RenderStep::Array { items, .. } if items.look_up());
        Self {
            // who sees a field, and what is computed, the database tells
            reaches_out: computes
                || !compiler.joins.is_empty()
                || !compiler.flags.is_empty()
                || compiler.steps.iter().any(looks_up),
            looks_up: compiler.steps.iter().any(looks_up),
            steps: compiler.steps,
            joins: compiler.joins.iter().map(|join| join.sql.as_str()).collect(),
            restricted_joins: if is_restricted { compiler.joins } else { Vec::new() },
            columns: SelectColumns::new(compiler.columns, compiler.flags, compiler.bound),
        }
    }

    /// What references show in a body that the service's own code made, which is the only column of its row; `None`:
    /// nothing.
    pub(super) fn of_body(source: ResourceSource<'_>, fields: &[Field], has: &dyn Fn(&Field) -> bool) -> Option<Self> {
        let items = Items::of_body(source, fields, has);
        items.look_up().then(|| Self {
            steps: vec![RenderStep::Array { column: 0, items }],
            joins: String::new(),
            restricted_joins: Vec::new(),
            reaches_out: true,
            looks_up: true,
            columns: SelectColumns::new(Vec::new(), Vec::new(), Vec::new()),
        })
    }

    /// What a statement selects of what a viewer sees; `None`: it sees all, and nothing is bound.
    pub(crate) fn seen(&self, viewer: &Viewer) -> Option<SeenColumns> {
        let sees_all = viewer.is_everything() || (self.restricted_joins.is_empty() && !self.columns.have_flags());
        if sees_all && !self.columns.bind() {
            return None;
        }
        let mut values = Vec::new();
        let columns = self.columns.seen(viewer, &mut values).into_owned();
        if sees_all || self.restricted_joins.is_empty() {
            return Some(SeenColumns { columns, joins: self.joins.clone(), values });
        }
        let mut sql = String::new();
        for join in &self.restricted_joins {
            sql.push_str(&join.sql);
            let Some((resource, table, alias)) = &join.restricted else { continue };
            match viewer.of_restricted(*resource) {
                Sight::All => {}
                Sight::Nothing => sql.push_str(" AND 1 = 0"),
                Sight::Where(predicate) => {
                    values.extend(predicate.values.iter().cloned());
                    let seen = format!(
                        " AND EXISTS (SELECT 1 FROM \"{table}\" t WHERE t.\"id\" = {alias}.\"id\" AND ({}))",
                        predicate.sql
                    );
                    sql.push_str(&seen);
                }
            }
        }
        Some(SeenColumns { columns, joins: sql, values })
    }

    /// Whether not every caller sees the same of an entity that is seen.
    pub(crate) fn is_restricted(&self) -> bool {
        let looks = |step: &RenderStep| matches!(step, RenderStep::Array { items, .. } if items.is_restricted());
        !self.restricted_joins.is_empty() || self.columns.have_flags() || self.steps.iter().any(looks)
    }

    /// Writes the entity that a row holds.
    pub(crate) fn write(&self, row: &impl Row, out: &mut Vec<u8>) {
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            match step {
                RenderStep::Literal(bytes) => out.extend_from_slice(bytes),
                RenderStep::Scalar { column, form } => write_cell(row.cell(*column), *form, out),
                RenderStep::Price { column } => match (row.cell(*column), row.cell(column + 1)) {
                    (CellRef::Int(minor), CellRef::Text(currency)) => write_price(minor, currency, out),
                    _ => out.extend_from_slice(b"null"),
                },
                RenderStep::Nullable { column, skip } => {
                    if matches!(row.cell(*column), CellRef::Null | CellRef::Int(0)) {
                        out.extend_from_slice(b"null");
                        steps.nth(skip - 1);
                    }
                }
                RenderStep::Hidden { column, text, skip } => {
                    if row.cell(*column) == CellRef::Null {
                        out.extend_from_slice(text);
                        steps.nth(skip - 1);
                    }
                }
                RenderStep::Json { column, blank } => match row.cell(*column) {
                    CellRef::Text(json) => out.extend_from_slice(json),
                    _ => out.extend_from_slice(blank.as_bytes()),
                },
                RenderStep::Array { column, items } => match row.cell(*column) {
                    CellRef::Text(json) => items.write(json, row, out),
                    _ => out.extend_from_slice(b"[]"),
                },
            }
        }
    }
}

fn write_cell(cell: CellRef<'_>, form: JsonForm, out: &mut Vec<u8>) {
    match cell {
        CellRef::Text(text) => write_text(text, out),
        CellRef::Int(number) => write_int(form, number, out),
        CellRef::Real(number) => write_float(number, out),
        CellRef::Uuid(id) => {
            out.push(b'"');
            uuid_text::write(&id, out);
            out.push(b'"');
        }
        CellRef::Null => out.extend_from_slice(b"null"),
    }
}

/// Whether references show more than their id: those of the entity itself do, those inside what another reference
/// shows do not, or two resources that show each other would never end.
#[derive(Clone, Copy, PartialEq)]
enum ReferenceDepth {
    Fully,
    IdOnly,
}

struct RenderCompiler<'a> {
    source: ResourceSource<'a>,
    has: &'a dyn Fn(&Field) -> bool,
    steps: Vec<RenderStep>,
    columns: Vec<String>,
    /// What the columns bind, each with the position of its column.
    bound: Vec<(usize, ColumnValue)>,
    joins: Vec<Join>,
    /// The entity whose fields are next, where not every caller sees all of them.
    of: Option<EntityTable>,
    flags: Vec<FieldFlag>,
}

/// An entity of which not every caller sees all fields, in a statement.
#[derive(Clone)]
struct EntityTable {
    resource: ResourceIndex,
    table: String,
    alias: String,
    /// Whether it is the one that is read, not one that it refers to.
    is_own: bool,
}

impl<'a> RenderCompiler<'a> {
    fn new(source: ResourceSource<'a>, has: &'a dyn Fn(&Field) -> bool, columns: Vec<String>) -> Self {
        let (steps, bound, joins, flags) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { source, has, steps, columns, bound, joins, of: None, flags }
    }

    fn entity(&self, resource: &Resource, table: &Table, (alias, is_own): (&str, bool)) -> Option<EntityTable> {
        let position = ResourceIndex::of(self.source.service, &resource.name)?;
        let is_hidden = resource.fields.iter().any(Field::is_hidden);
        is_hidden.then(|| EntityTable {
            resource: position,
            table: table.name.clone(),
            alias: alias.to_owned(),
            is_own,
        })
    }

    fn literal(&mut self, text: &str) {
        match self.steps.last_mut() {
            Some(RenderStep::Literal(bytes)) => bytes.extend_from_slice(text.as_bytes()),
            _ => self.steps.push(RenderStep::Literal(text.as_bytes().to_vec())),
        }
    }

    fn scalar(&mut self, column: usize, form: JsonForm) {
        self.steps.push(RenderStep::Scalar { column, form });
    }

    /// The fields of an object. `base` is how far the row's columns are from the table's: joined ones come later.
    fn fields(&mut self, fields: &[Field], slots: &[Slot], base: usize, shown: ReferenceDepth, first: &str) {
        let mut separator = first;
        for (field, slot) in fields.iter().zip(slots) {
            if !field.write_only && (self.has)(field) {
                for name in field.names() {
                    self.literal(&format!("{separator}\"{name}\":"));
                    self.if_seen(field, slot, base, shown, (self.source.resource, OWN_ALIAS));
                    separator = ",";
                }
            }
        }
    }

    /// The value of a field of an entity, whose table has an alias, if the viewer sees it.
    fn if_seen(&mut self, field: &Field, slot: &Slot, base: usize, shown: ReferenceDepth, of: (&Resource, &str)) {
        let value = |compiler: &mut Self| match field.computed {
            Some(_) => compiler.computed(of, field),
            None => compiler.field(&field.ty, slot, base, shown),
        };
        match self.flag(field) {
            None => value(self),
            Some(column) => {
                self.unless_hidden(column, blank(&field.ty).into(), value);
            }
        }
    }

    /// The column that tells whether the viewer sees a field, if not every caller does.
    fn flag(&mut self, field: &Field) -> Option<usize> {
        let EntityTable { resource, table, alias, is_own } = self.of.clone()?;
        let callers = hiding_callers(&self.source.service.resources[resource.position()], field)?;
        let fields = HiddenFields { resource, callers, is_own };
        if let Some(known) = self.flags.iter().find(|flag| flag.fields == fields && flag.alias == alias) {
            return Some(known.column);
        }
        let column = self.columns.len();
        self.columns.push(FieldFlag::ALL.to_owned());
        self.flags.push(FieldFlag { column, fields, alias, table });
        Some(column)
    }

    fn unless_hidden(&mut self, column: usize, text: Vec<u8>, content: impl FnOnce(&mut Self)) {
        let at = self.steps.len();
        self.steps.push(RenderStep::Hidden { column, text: text.clone(), skip: 0 });
        // a literal of its own, so that skipping it skips nothing before
        self.steps.push(RenderStep::Literal(Vec::new()));
        content(self);
        let skip = self.steps.len() - at - 1;
        self.steps[at] = RenderStep::Hidden { column, text, skip };
        self.steps.push(RenderStep::Literal(Vec::new()));
    }

    fn field(&mut self, ty: &Type, slot: &Slot, base: usize, shown: ReferenceDepth) {
        let column = base.wrapping_add(slot.columns.start);
        match (self.source.service.kind(ty), &slot.content) {
            (Kind::Object(object), Content::Object { optional, slots }) => {
                let fields = |compiler: &mut Self| {
                    compiler.literal("{");
                    compiler.fields(&object.fields, slots, base, shown, "");
                    compiler.literal("}");
                };
                if *optional { self.nullable(column, fields) } else { fields(self) }
            }
            (Kind::Scalar(Type::Ref { to, show, .. }), _) => self.nullable(column, |compiler| {
                compiler.literal("{\"id\":");
                compiler.scalar(column, JsonForm::Uuid);
                if shown == ReferenceDepth::Fully && !show.is_empty() {
                    compiler.join(to, show, column);
                }
                compiler.literal("}");
            }),
            (Kind::Array(items), _) => {
                let items = Items::compile(self.source, items, self.has, shown == ReferenceDepth::Fully);
                self.steps.push(RenderStep::Array { column, items });
            }
            (Kind::Map(_), _) => self.steps.push(RenderStep::Json { column, blank: blank(ty) }),
            (_, Content::Price) => self.steps.push(RenderStep::Price { column }),
            _ if scalar_form(ty) == JsonForm::Any => self.steps.push(RenderStep::Json { column, blank: blank(ty) }),
            _ => self.scalar(column, scalar_form(ty)),
        }
    }

    /// A field whose value is an expression over a row of this alias.
    fn computed(&mut self, of: (&Resource, &str), field: &Field) {
        let column = self.columns.len();
        for (sql, values) in column_sql(self.source, of, field).unwrap_or_default() {
            let column = self.columns.len();
            self.columns.push(sql);
            self.bound.extend(values.into_iter().map(|value| (column, value)));
        }
        match self.source.service.kind(&field.ty) {
            Kind::Scalar(Type::Ref { .. }) => self.nullable(column, |compiler| {
                compiler.literal("{\"id\":");
                compiler.scalar(column, JsonForm::Uuid);
                compiler.literal("}");
            }),
            Kind::Scalar(Type::Price { .. }) => self.steps.push(RenderStep::Price { column }),
            _ => self.scalar(column, scalar_form(&field.ty)),
        }
    }

    fn nullable(&mut self, column: usize, content: impl FnOnce(&mut Self)) {
        let at = self.steps.len();
        self.steps.push(RenderStep::Nullable { column, skip: 0 });
        // a literal of its own, so that skipping it skips nothing before
        self.steps.push(RenderStep::Literal(Vec::new()));
        content(self);
        let skip = self.steps.len() - at - 1;
        self.steps[at] = RenderStep::Nullable { column, skip };
        self.steps.push(RenderStep::Literal(Vec::new()));
    }

    /// Fields of the row that a reference points at, beside its id.
    fn join(&mut self, to: &str, show: &[String], on: usize) {
        let ResourceSource { service, tables, .. } = self.source;
        let (Some(resource), Some(table)) = (service.resource(to), tables.get(to)) else { return };
        let alias = format!("j{}", self.joins.len());
        let sql = format!(" LEFT JOIN \"{}\" {alias} ON {alias}.\"id\" = {}", table.name, self.columns[on]);
        let restricted = visible::restricted(service, to);
        let id = restricted.map(|_| {
            self.columns.push(format!("{alias}.\"id\""));
            self.columns.len() - 1
        });
        self.joins.push(Join { sql, restricted: restricted.map(|it| (it, table.name.clone(), alias.clone())) });
        let entity = self.entity(resource, table, (&alias, false));
        let outer = std::mem::replace(&mut self.of, entity);
        let all = |compiler: &mut Self| {
            for shown in shown_fields(resource, table, show, compiler.has) {
                // may be below zero, where the other table is the wider one
                let base = compiler.columns.len().wrapping_sub(shown.columns.start);
                let columns = &table.columns[shown.columns.clone()];
                compiler.columns.extend(columns.iter().map(|column| format!("{alias}.\"{}\"", column.name)));
                compiler.shown(&shown, base, (resource, &alias));
            }
        };
        match id {
            None => all(self),
            Some(column) => {
                self.unless_hidden(column, hidden(resource, table, show, self.has), all);
            }
        }
        self.of = outer;
    }

    /// A field of another entity, with a comma before it.
    fn shown(&mut self, shown: &ShownField<'_>, base: usize, of: (&Resource, &str)) {
        match shown.field {
            Some((field, slot)) => {
                for name in field.names() {
                    self.literal(&format!(",\"{name}\":"));
                    self.if_seen(field, slot, base, ReferenceDepth::IdOnly, of);
                }
            }
            None => {
                self.literal(&format!(",\"{}\":", shown.name));
                self.scalar(base.wrapping_add(shown.columns.start), JsonForm::Timestamp);
            }
        }
    }
}

/// Looks up what references inside arrays show.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// For a viewer that sees all; it binds the id.
    sql: String,
    /// What follows the columns.
    tail: String,
    render: Render,
    /// The other resource, where not every caller sees all of it.
    pub(super) restricted: Option<ResourceIndex>,
    /// What is shown of what is not seen, or not there.
    hidden: Vec<u8>,
}

impl Lookup {
    /// The fields that a reference to this resource shows.
    pub(super) fn compile(
        source: ResourceSource<'_>,
        to: &str,
        show: &[String],
        has: &dyn Fn(&Field) -> bool,
    ) -> Option<Self> {
        let ResourceSource { service, tables, .. } = source;
        let (resource, table) = (service.resource(to)?, tables.get(to)?);
        // the place of a column is that in the table; of those that nothing shows, however large, no value is fetched
        let mut columns = vec!["NULL".to_owned(); table.columns.len()];
        for column in shown_fields(resource, table, show, has).flat_map(|shown| shown.columns) {
            columns[column] = format!("t.\"{}\"", table.columns[column].name);
        }
        let mut compiler = RenderCompiler::new(source, has, columns);
        compiler.of = compiler.entity(resource, table, (OWN_ALIAS, false));
        for shown in shown_fields(resource, table, show, has) {
            compiler.shown(&shown, 0, (resource, OWN_ALIAS));
        }
        let columns = SelectColumns::new(compiler.columns, compiler.flags, compiler.bound);
        let tail = format!(" FROM \"{}\" t WHERE t.\"id\" = ?", table.name);
        let (steps, joins, restricted_joins) = (compiler.steps, String::new(), Vec::new());
        Some(Self {
            sql: format!("SELECT {}{tail}", columns.text()),
            tail,
            render: Render { steps, reaches_out: false, looks_up: false, joins, restricted_joins, columns },
            restricted: visible::restricted(service, to),
            hidden: hidden(resource, table, show, has),
        })
    }

    /// Whether not every caller sees all that it shows.
    pub(super) fn is_restricted(&self) -> bool {
        self.restricted.is_some() || self.render.columns.have_flags()
    }

    /// Writes the shown fields, each with a comma before it.
    pub(super) fn write(&self, id: Uuid, row: &impl Row, out: &mut Vec<u8>) {
        // an array of references is small, and what they show may not be
        if out.len() > MAX_PAGE_BYTES {
            return;
        }
        let (columns, restricted) = (&self.render.columns, self.restricted);
        match row.look_up(LookupKey { sql: &self.sql, columns, tail: &self.tail, restricted }, id) {
            Some(cells) => self.render.write(&Cells(&cells), out),
            None => out.extend_from_slice(&self.hidden),
        }
    }
}

/// A row in memory: one that is about to be written, or was looked up.
pub(crate) struct Cells<'a>(pub(crate) &'a [Cell]);

impl Row for Cells<'_> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.0.get(column).map_or(CellRef::Null, Cell::borrow)
    }

    fn look_up(&self, _: LookupKey<'_>, _: Uuid) -> Option<Vec<Cell>> {
        None
    }
}
