//! The order of keys in a mapping: keys of the language have the order of their table.

use crate::interpret::keys::{self, KeyShape, KeySpec, KeyTable, Part};
use crate::yaml::Node;
use restwell_model::OperationKind;

/// The role of a node in the language.
#[derive(Debug, Clone, Copy)]
pub(super) enum Inside {
    /// A document of this kind.
    Document,
    /// A mapping of the keys of a table.
    Keys(&'static KeyTable),
    /// A mapping of these keys and those of its type.
    Typed(&'static KeyTable),
    /// A mapping whose keys the team chose, in the order of writing.
    Named(&'static Inside),
    /// A list of mappings of the keys of a table.
    Items(&'static KeyTable),
    /// Operations by their words.
    Operations,
    /// Anything else, which is left in its order.
    Anything,
}

static FIELD: Inside = Inside::Typed(&keys::FIELD);
static VIEW: Inside = Inside::Keys(&keys::VIEW);
static TRANSITION: Inside = Inside::Keys(&keys::TRANSITION);
static COMMAND: Inside = Inside::Keys(&keys::COMMAND);

/// The rank of a key. Unknown keys come last, in their written order.
pub(super) type Rank = (Part, usize);
const LAST: Rank = (Part::Use, usize::MAX);

impl Inside {
    /// The rank of a key in its mapping.
    pub(super) fn rank(self, mapping: &Node, name: &str) -> Rank {
        match self {
            // all alike: sorting keeps their order
            Self::Named(_) | Self::Items(_) | Self::Anything => LAST,
            Self::Operations => OperationKind::ALL
                .iter()
                .position(|kind| kind.word() == name)
                .map_or(LAST, |position| (Part::Type, position)),
            Self::Document | Self::Keys(_) | Self::Typed(_) => self
                .tables(mapping)
                .into_iter()
                .flatten()
                .zip([0, 1])
                .find_map(|(table, number)| {
                    let position = table.keys.iter().position(|key| key.name == name)?;
                    // of one part, those that every field has come first: `type` before `to`
                    Some((table.keys[position].part, number * keys::FIELD.keys.len() + position))
                })
                .unwrap_or(LAST),
        }
    }

    /// What the value under a key is.
    pub(super) fn below(self, mapping: &Node, name: &str) -> Self {
        match self {
            Self::Named(each) => *each,
            Self::Operations => Self::Keys(&keys::OPERATION),
            Self::Items(_) | Self::Anything => Self::Anything,
            Self::Document | Self::Keys(_) | Self::Typed(_) => match self.key(mapping, name).map(|key| key.shape) {
                Some(KeyShape::Fields) => Self::Named(&FIELD),
                Some(KeyShape::Views) => Self::Named(&VIEW),
                Some(KeyShape::Commands) => Self::Named(&COMMAND),
                Some(KeyShape::Operations) => Self::Operations,
                Some(KeyShape::Deprecations) => Self::Items(&keys::ANNOUNCEMENT),
                Some(KeyShape::Formerly(of)) => Self::Keys(of.keys()),
                Some(KeyShape::Contact) => Self::Keys(&keys::CONTACT),
                Some(KeyShape::License) => Self::Keys(&keys::LICENSE),
                Some(KeyShape::Users) => Self::Keys(&keys::USERS),
                Some(KeyShape::Required) => Self::Keys(&keys::REQUIRED),
                Some(KeyShape::Rules) => Self::Keys(&keys::RULE),
                Some(KeyShape::Lifecycle) => Self::Keys(&keys::LIFECYCLE),
                Some(KeyShape::Transitions) => Self::Named(&TRANSITION),
                Some(KeyShape::Items) => Self::Typed(&keys::ITEMS),
                Some(KeyShape::Values) => Self::Typed(&keys::VALUES),
                _ => Self::Anything,
            },
        }
    }

    /// What the items of a list are.
    pub(super) fn of_items(self) -> Self {
        match self {
            Self::Items(table) => Self::Keys(table),
            _ => Self::Anything,
        }
    }

    /// Whether a key whose value takes several lines comes after all other keys: otherwise the other keys of a field
    /// would be hard to find below the fields in it.
    pub(super) fn is_long(self, mapping: &Node, name: &str) -> bool {
        let shape = || self.key(mapping, name).map(|key| key.shape);
        matches!(self, Self::Typed(_)) && matches!(shape(), Some(KeyShape::Fields | KeyShape::Items | KeyShape::Values))
    }

    fn key(self, mapping: &Node, name: &str) -> Option<&'static KeySpec> {
        self.tables(mapping).into_iter().flatten().find_map(|table| table.key(name))
    }

    /// The tables that hold for a mapping.
    fn tables(self, mapping: &Node) -> [Option<&'static KeyTable>; 2] {
        match self {
            Self::Document => [document_table(mapping), None],
            Self::Keys(table) => [Some(table), None],
            Self::Typed(common) => {
                let word = mapping.entry("type").and_then(|entry| entry.value.text());
                [Some(common), word.and_then(keys::type_table)]
            }
            Self::Named(_) | Self::Items(_) | Self::Operations | Self::Anything => [None, None],
        }
    }
}

/// The table of a document, by the key of its kind.
fn document_table(document: &Node) -> Option<&'static KeyTable> {
    let is_of = |table: &&&'static KeyTable| table.keys().next().is_some_and(|kind| document.entry(kind).is_some());
    keys::DOCUMENT_TABLES.iter().find(is_of).copied()
}
