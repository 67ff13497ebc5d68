//! The types of values in TypeScript.

use super::spelling::VersionNames;
use super::text::{comment, deprecated, described, literal};
use crate::client::{Direction, SharedTypes, VersionPlan};
use restwell_model::Type;
use restwell_model::api::{Api, FilterField, Property, SchemaKey, ValueType};
use restwell_model::field::Match;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Types of the core that a module uses.
#[derive(Debug, Default)]
pub(super) struct CoreNames {
    /// The names of types of the model: a resource may be a `Client`.
    taken: Rc<BTreeSet<String>>,
    used: RefCell<BTreeSet<&'static str>>,
}

impl CoreNames {
    /// Those of a module that also has these types.
    pub(super) fn beside(taken: Rc<BTreeSet<String>>) -> Self {
        Self { taken, used: RefCell::default() }
    }

    /// The name of a type in the module. Notes that it is used.
    pub(super) fn name(&self, name: &'static str) -> String {
        self.used.borrow_mut().insert(name);
        self.local(name)
    }

    fn local(&self, name: &str) -> String {
        if !self.is_taken(name) {
            return name.to_owned();
        }
        let mut local = format!("Core{name}");
        while self.is_taken(&local) {
            local.push('_');
        }
        local
    }

    /// Whether a type of the model has the name.
    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Whether none is used.
    pub(super) fn is_empty(&self) -> bool {
        self.used.borrow().is_empty()
    }

    /// What is imported.
    pub(super) fn imports(&self) -> Vec<String> {
        let import = |name: &&str| match self.local(name) {
            local if local == **name => local,
            local => format!("{name} as {local}"),
        };
        self.used.borrow().iter().map(import).collect()
    }
}

/// Writes types, and notes which named ones it has used.
#[derive(Debug)]
pub(super) struct TypeWriter<'p, 'a> {
    api: &'p Api<'a>,
    types: &'p SharedTypes<'a>,
    shared: RefCell<BTreeSet<String>>,
    core: CoreNames,
}

impl<'p, 'a> TypeWriter<'p, 'a> {
    /// A writer for a module of a version.
    pub(super) fn new(api: &'p Api<'a>, version: &'p VersionPlan<'a>, names: &VersionNames) -> Self {
        let core = CoreNames::beside(Rc::clone(&names.types));
        Self { api, types: &version.types, shared: RefCell::default(), core }
    }

    /// A writer for the core itself.
    pub(super) fn within_core(api: &'p Api<'a>, version: &'p VersionPlan<'a>) -> Self {
        Self { api, types: &version.types, shared: RefCell::default(), core: CoreNames::default() }
    }

    /// The types of `types.d.ts` that were used.
    pub(super) fn shared(&self) -> String {
        listed(self.shared.borrow().iter().map(String::as_str))
    }

    /// Whether no type of the core was used.
    pub(super) fn is_alone(&self) -> bool {
        self.core.is_empty()
    }

    /// Whether no type of `types.d.ts` was used.
    pub(super) fn is_plain(&self) -> bool {
        self.shared.borrow().is_empty()
    }

    /// The types of the core that were used.
    pub(super) fn core(&self) -> String {
        listed(self.core.imports().iter().map(String::as_str))
    }

    /// A type of the core.
    pub(super) fn of_core(&self, name: &'static str) -> String {
        self.core.name(name)
    }

    fn of_shared(&self, name: &str) -> String {
        self.shared.borrow_mut().insert(name.to_owned());
        name.to_owned()
    }

    /// The type of a value.
    pub(super) fn value(&self, value: &ValueType<'_>, direction: Direction) -> String {
        match value {
            ValueType::Scalar(ty) => scalar(ty).to_owned(),
            ValueType::Enum(values) => {
                let name = self.of_shared(&values.name);
                if direction == Direction::Response { format!("{}<{name}>", self.of_core("Open")) } else { name }
            }
            ValueType::Words(words) => union(words),
            ValueType::Amount => "string".to_owned(),
            ValueType::Price(_) => self.of_core("Price"),
            ValueType::Object { name, properties } => {
                let known = name.and_then(|name| self.types.object(name, direction, properties));
                known.map_or_else(|| self.inline(properties, direction), |name| self.of_shared(name))
            }
            ValueType::Reference { properties, .. } => self.inline(properties, direction),
            // a type of the model may be called `Array`
            ValueType::Array { items, .. } if self.core.is_taken("Array") => {
                format!("({})[]", self.value(items, direction))
            }
            ValueType::Array { items, .. } => format!("Array<{}>", self.value(items, direction)),
            ValueType::Map { values, .. } => format!("{{ [name: string]: {} }}", self.value(values, direction)),
            ValueType::Criterion { value, bounds, matches, takes_bounds } => {
                self.criterion(&self.value(value, direction), !bounds.is_empty(), matches, *takes_bounds)
            }
            ValueType::Schema(SchemaKey::Problem) => self.of_core("Problem"),
            ValueType::Schema(key) => match self.api.schema(*key) {
                Some(value) => self.value(value, direction),
                None => "unknown".to_owned(),
            },
            ValueType::Any => "unknown".to_owned(),
        }
    }

    /// An object on one line.
    fn inline(&self, properties: &[Property<'_>], direction: Direction) -> String {
        let shown = properties.iter().filter(|property| !property.is_ignored);
        let member = |property: &Property<'_>| {
            let note = deprecated(property.deprecation).map(|note| format!("/** {note} */ "));
            note.unwrap_or_default() + &self.member(property, direction)
        };
        let members: Vec<_> = shown.map(member).collect();
        format!("{{ {} }}", members.join("; "))
    }

    /// The members of an object, a line each, with comments.
    pub(super) fn members(&self, value: &ValueType<'_>, direction: Direction, indent: &str) -> String {
        let (ValueType::Object { properties, .. } | ValueType::Reference { properties, .. }) = value else {
            return String::new();
        };
        let shown = properties.iter().filter(|property| !property.is_ignored);
        let member = |property: &Property<'_>| {
            let description = property.field.and_then(|field| described(field.description.as_deref()));
            let parts: Vec<_> = description.into_iter().chain(deprecated(property.deprecation)).collect();
            format!("{}{indent}{};\n", comment(indent, &parts), self.member(property, direction))
        };
        shown.map(member).collect()
    }

    fn member(&self, property: &Property<'_>, direction: Direction) -> String {
        let is_criterion = matches!(property.value, ValueType::Criterion { .. });
        let is_any = matches!(property.value, ValueType::Scalar(Type::Json { .. }));
        let mark = if property.is_required { "" } else { "?" };
        let null = if property.is_nullable && !is_criterion && !is_any { " | null" } else { "" };
        format!("{}{mark}: {}{null}", property.name, self.value(&property.value, direction))
    }

    fn criterion(&self, value: &str, is_ordered: bool, matches: &[Match], takes_bounds: bool) -> String {
        if !takes_bounds {
            return format!("{}<{value}>", self.of_core("AnyOf"));
        }
        let mut operators = Vec::new();
        if is_ordered {
            operators.push(format!("{}<{value}>", self.of_core("Bounds")));
        }
        for matched in matches {
            let many =
                if matched.is_repeatable() { format!("{}<{value}>", self.of_core("AnyOf")) } else { value.to_owned() };
            operators.push(format!("{{ {}?: {many} }}", matched.word()));
        }
        let equal = format!("{}<{value}>", self.of_core("Equal"));
        match operators.as_slice() {
            [] => equal,
            [operators] => format!("{equal} | {operators}"),
            operators => format!("{equal} | ({})", operators.join(" & ")),
        }
    }

    /// The members of the filters of a list, nested along the dots.
    pub(super) fn filters(&self, fields: &[FilterField<'_>], indent: &str) -> String {
        let fields: Vec<_> = fields.iter().filter(|field| field.is_filter).map(|it| (it.name.as_str(), it)).collect();
        self.nested(&fields, indent)
    }

    fn nested(&self, fields: &[(&str, &FilterField<'_>)], indent: &str) -> String {
        let mut text = String::new();
        let mut done = BTreeSet::new();
        for (name, field) in fields {
            let Some((group, _)) = name.split_once('.') else {
                let value = self.value(&field.value, Direction::Create);
                let condition = self.criterion(&value, field.has_bounds, field.matches, true);
                let parts: Vec<_> = deprecated(field.deprecation).into_iter().collect();
                text += &format!("{}{indent}{name}?: {condition};\n", comment(indent, &parts));
                continue;
            };
            if done.insert(group) {
                let of_group: Vec<_> = fields
                    .iter()
                    .filter_map(|(name, field)| {
                        let (first, rest) = name.split_once('.')?;
                        (first == group).then_some((rest, *field))
                    })
                    .collect();
                let inner = self.nested(&of_group, &format!("{indent}  "));
                text += &format!("{indent}{group}?: {{\n{inner}{indent}}};\n");
            }
        }
        text
    }
}

/// The width of a line of code.
const WIDTH: usize = 100;

/// Names between the braces of an import: on one line if they fit.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.collect();
    let line = names.join(", ");
    if line.len() < WIDTH - 40 { format!(" {line} ") } else { format!("\n  {},\n", names.join(",\n  ")) }
}

/// A scalar: JSON has only three kinds of them.
fn scalar(ty: &Type) -> &'static str {
    match ty {
        Type::Integer { .. } | Type::Number { .. } => "number",
        Type::Boolean => "boolean",
        Type::Json { .. } => "unknown",
        // all others are texts (§2.4)
        _ => "string",
    }
}

/// `"A" | "B"`.
pub(super) fn union<T: AsRef<str>>(words: &[T]) -> String {
    if words.is_empty() {
        return "never".to_owned();
    }
    words.iter().map(|word| literal(word.as_ref())).collect::<Vec<_>>().join(" | ")
}
