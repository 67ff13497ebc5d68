//! Types and their constraints.

use super::Interpreter;
use super::field::FieldSite;
use super::keys::{self, KeyShape, KeySpec, KeyTable};
use super::mapping::Mapping;
use crate::source::Span;
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::scalar::{Date, Timestamp};
use restwell_model::{Enum, Object, OnDelete, Type, names};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Map, Value};

impl<'a> Interpreter<'a> {
    /// Reads a mapping with a `type`: a field, or an array's items. `common` are the keys that it has with any
    /// type, `place` is where it is named.
    pub(super) fn typed(
        &mut self,
        node: &'a Node,
        place: Span,
        common: &KeyTable,
        site: FieldSite<'_>,
    ) -> Option<(Mapping<'a>, Type)> {
        let NodeKind::Mapping(entries) = &node.kind else {
            let word = node.text().filter(|text| !text.is_empty()).unwrap_or("string");
            self.wrong_type(node, "a mapping", Some(format!("write `{{ type: {word} }}`")));
            return None;
        };
        let Some(word_node) = type_node(entries, common) else {
            let key = common.key("type").into_iter();
            key.for_each(|key| self.missing_key(common.what, key, place, node.span));
            return None;
        };
        let Some(word) = self.type_word(word_node) else {
            // without a type, its valid keys are unknown too
            self.poisoned.spans.push(node.span);
            return None;
        };
        match word {
            TypeName::Known(table) => {
                let mapping = self.mapping(node, place, &[common, table])?;
                let ty = self.type_of(table.what, node, &mapping, place, site);
                Some((mapping, ty))
            }
            TypeName::Name(name) => {
                let mapping = self.mapping(node, place, &[common, &keys::NAMED])?;
                Some((mapping, Type::Named { name: name.to_owned() }))
            }
        }
    }

    fn type_word(&mut self, node: &'a Node) -> Option<TypeName<'a>> {
        let text = self.text(node)?;
        if let Some(table) = keys::type_table(text) {
            return Some(TypeName::Known(table));
        }
        if text.starts_with(char::is_uppercase) {
            return Some(TypeName::Name(text));
        }
        let known: Vec<&str> = keys::TYPES.iter().map(|table| table.what).collect();
        // `int` is more like `time` than like `integer`
        let meant = keys::synonym(text).or_else(|| names::nearest(text, known.iter().copied()));
        self.unknown_word_for(meant, node.span, text, "type", &known);
        meant.and_then(keys::type_table).map(TypeName::Known)
    }

    fn type_of(&mut self, word: &str, node: &'a Node, mapping: &Mapping<'a>, place: Span, site: FieldSite<'_>) -> Type {
        if let Some(scalar) = keys::scalar_type(word) {
            return scalar.plain.clone().with_keys(self.values_of(mapping, &scalar.keys));
        }
        match word {
            "ref" => self.reference(mapping),
            "enum" => self.inline_enum(node, mapping, place, site),
            "object" => self.inline_object(node, mapping, place, site),
            "map" => self.map(mapping, site),
            _ => self.array(mapping, site),
        }
    }

    /// The given values of the keys of a table, in the form that the JSON of the model has.
    pub(super) fn values_of(&mut self, mapping: &Mapping<'a>, table: &KeyTable) -> Map<String, Value> {
        let mut values = Map::new();
        for key in table.keys.iter().filter(|key| mapping.get(key.name).is_some()) {
            if let Some(value) = self.value_of(mapping, key) {
                values.insert(key.name.to_owned(), value);
            }
        }
        values
    }

    /// The value of a key that depends on nothing else; `None` for others, and for values that were reported.
    fn value_of(&mut self, mapping: &Mapping<'a>, key: &KeySpec) -> Option<Value> {
        let name = key.name;
        match key.shape {
            KeyShape::Text | KeyShape::Name(_) | KeyShape::Path | KeyShape::Duration => {
                json(self.text_at(mapping, name))
            }
            KeyShape::Prose => json(self.prose_at(mapping, name)),
            KeyShape::Switch => json(self.flag_at(mapping, name)),
            KeyShape::Count => json(self.integer_at::<u32>(mapping, name)),
            KeyShape::Integer => json(self.integer_at::<i64>(mapping, name)),
            KeyShape::Number => json(self.number_at(mapping, name)),
            KeyShape::Decimal => json(self.decimal_at(mapping, name)),
            KeyShape::Timestamp => json(self.timestamp_at(mapping, name)),
            KeyShape::Date => json(self.date_at(mapping, name)),
            KeyShape::Format => json(self.word(mapping.get(name)?, name, keys::FORMATS)),
            KeyShape::Secret => json(self.word(mapping.get(name)?, name, keys::SECRETS)),
            KeyShape::OnDelete => json(self.on_delete(mapping.get(name)?)),
            KeyShape::Texts | KeyShape::Words => json(mapping.get(name).map(|node| self.texts(node, name))),
            KeyShape::Names(_, of) => json(mapping.get(name).map(|node| self.texts(node, of))),
            KeyShape::Combinations => json(mapping.get(name).map(|node| self.combinations(node))),
            KeyShape::Versions => json(self.versions_at(mapping, name)),
            KeyShape::Through => json(self.through(mapping)),
            KeyShape::Filter => json(mapping.get(name).map(|node| self.filter(node))),
            KeyShape::Unique => json(mapping.get(name).map(|node| self.uniqueness(node))),
            KeyShape::Search => json(mapping.get(name).map(|node| self.search(node))),
            KeyShape::Contact => mapping.get(name).and_then(|node| self.keys_of(node, &keys::CONTACT)),
            KeyShape::License => mapping.get(name).and_then(|node| self.keys_of(node, &keys::LICENSE)),
            KeyShape::Users => json(self.users(mapping)),
            KeyShape::Formerly(of) => json(mapping.get(name).and_then(|node| self.former_name(of, node))),
            KeyShape::Deprecations => json(mapping.get(name).map(|node| self.announcements(node))),
            KeyShape::Claims | KeyShape::Roles => json(mapping.get(name).map(|node| self.claims(node))),
            KeyShape::Condition => json(mapping.get(name).and_then(|node| self.condition(node))),
            KeyShape::Required => mapping.get(name).and_then(|node| self.required(node)),
            KeyShape::Rules => json(mapping.get(name).map(|node| self.rules(node))),
            KeyShape::Lifecycle => json(mapping.get(name).and_then(|node| self.lifecycle(node))),
            KeyShape::Transitions => json(mapping.get(name).and_then(|node| self.transitions(node))),
            KeyShape::Conditions | KeyShape::Assignments => json(mapping.get(name).map(|node| self.assignments(node))),
            KeyShape::States => json(mapping.get(name).map(|node| self.states(node))),
            KeyShape::Allow | KeyShape::AllowedChanges => json(Some(self.allow(mapping))),
            // `values` sets them once all types are known
            KeyShape::Default | KeyShape::Example => None,
            // the scopes in `access` are checked later, and the JSON of the model has only valid ones
            KeyShape::Access | KeyShape::Operations => None,
            // fields, and what depends on the name of the definition, have readers of their own
            KeyShape::Type | KeyShape::Views | KeyShape::Commands | KeyShape::Fields => None,
            KeyShape::Items | KeyShape::Values => None,
        }
    }

    fn reference(&mut self, mapping: &Mapping<'a>) -> Type {
        Type::Ref {
            to: self.text_at(mapping, "to").unwrap_or_default(),
            show: self.texts_at(mapping, "show", "fields"),
            on_delete: mapping.get("onDelete").and_then(|node| self.on_delete(node)).unwrap_or_default(),
        }
    }

    /// `onDelete: null` is the null of YAML, and it is intended.
    fn on_delete(&mut self, node: &'a Node) -> Option<OnDelete> {
        if node.text() == Some("null") {
            return Some(OnDelete::Null);
        }
        self.word(node, "value of `onDelete`", keys::ON_DELETE)
    }

    fn array(&mut self, mapping: &Mapping<'a>, site: FieldSite<'_>) -> Type {
        let items = mapping.get("items").and_then(|items| {
            let site = FieldSite { in_array: true, ..site };
            self.typed(items, items.span.head(), &keys::ITEMS, site).map(|(_, ty)| ty)
        });
        Type::Array {
            items: Box::new(items.unwrap_or(Type::string())),
            min_items: self.integer_at(mapping, "minItems"),
            max_items: self.integer_at(mapping, "maxItems"),
            unique_items: self.switch_at(mapping, "uniqueItems"),
        }
    }

    fn map(&mut self, mapping: &Mapping<'a>, site: FieldSite<'_>) -> Type {
        let values = mapping
            .get("values")
            .and_then(|values| self.typed(values, values.span.head(), &keys::VALUES, site).map(|(_, ty)| ty));
        Type::Map {
            values: Box::new(values.unwrap_or(Type::string())),
            min_items: self.integer_at(mapping, "minItems"),
            max_items: self.integer_at(mapping, "maxItems"),
            pattern: self.text_at(mapping, "pattern").map(Into::into),
        }
    }

    fn inline_enum(&mut self, node: &'a Node, mapping: &Mapping<'a>, place: Span, site: FieldSite<'_>) -> Type {
        let name = site.inline_name();
        let is_new = self.define(&name, node, place);
        let values = self.texts_at(mapping, "values", "values");
        let enumeration = Enum::new(&name, values);
        self.definitions.enums.extend(is_new.then_some(enumeration));
        Type::Named { name }
    }

    fn inline_object(&mut self, node: &'a Node, mapping: &Mapping<'a>, place: Span, site: FieldSite<'_>) -> Type {
        let name = site.inline_name();
        let is_new = self.define(&name, node, place);
        let fields = mapping.get("fields").map(|fields| self.fields(fields, &name)).unwrap_or_default();
        let object = Object::new(&name, fields);
        self.definitions.objects.extend(is_new.then_some(object));
        Type::Named { name }
    }

    fn number_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<f64> {
        let node = mapping.get(key)?;
        let number = resolve(node).and_then(Scalar::number);
        if number.is_none() {
            self.wrong_type(node, "a finite number", Some(format!("write digits, as in `{key}: 0.5`")));
        }
        number
    }

    /// An amount or a decimal: quoted or not, as written.
    fn decimal_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<Decimal> {
        let node = mapping.get(key)?;
        let Some(Scalar::Integer(text) | Scalar::Float(text) | Scalar::String(text)) = resolve(node) else {
            self.wrong_type(node, "a decimal", Some(format!("write digits, as in `{key}: 9.50`")));
            return None;
        };
        // the parser of the crate also takes underscores, signs and exponents
        let is_plain = text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let decimal = Some(text).filter(|_| is_plain).and_then(|text| Decimal::from_str_exact(text).ok());
        if decimal.is_none() {
            let help = format!("write digits with at most one decimal point, as in `{key}: 1000.00`");
            self.invalid(node, format!("`{text}` is not a decimal"), Some(help));
        }
        decimal
    }

    fn timestamp_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<Timestamp> {
        let example = "2027-06-30T12:00:00.000Z";
        self.parsed_at(mapping, key, "timestamp", example, |text| Timestamp::parse(text).ok())
    }

    fn date_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<Date> {
        self.parsed_at(mapping, key, "date", "2027-06-30", Date::parse)
    }
}

/// A value as the JSON of the model.
fn json(value: Option<impl Serialize>) -> Option<Value> {
    value.and_then(|value| serde_json::to_value(value).ok())
}

/// The value of `type:`.
enum TypeName<'a> {
    /// A type of the language.
    Known(&'static KeyTable),
    /// An enum or an object of the service.
    Name(&'a str),
}

/// The value of `type`, or of a misspelt `type`.
fn type_node<'a>(entries: &'a [Entry], common: &KeyTable) -> Option<&'a Node> {
    let misspelt = |entry: &&Entry| names::nearest(&entry.key.text, common.keys()) == Some("type");
    let unknown = || entries.iter().filter(|entry| common.find(&entry.key.text).is_none());
    let entry = entries.iter().find(|entry| entry.key.text == "type").or_else(|| unknown().find(misspelt));
    entry.map(|entry| &entry.value)
}

impl FieldSite<'_> {
    /// The name of an inline definition at this place.
    fn inline_name(self) -> String {
        names::inline_type(self.owner, self.field, self.in_array)
    }
}
