//! What a name can be the name of, and how it is written in a schema.

use restwell_model::names;

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Role {
    Service,
    Vendor,
    AccessName,
    Resource,
    /// A resource with a collection below its entities.
    Parent,
    Plural,
    FormerResource,
    FormerPlural,
    Object,
    Enum,
    EnumValue,
    StringField,
    UniqueField,
    ScalarField,
    EnumField,
    ReferenceField,
    ObjectField,
    /// A field of an inline object.
    MemberField,
    StringsField,
    ObjectsField,
    ReferencesField,
    /// A field of the objects of an array.
    ItemField,
    WriteOnlyField,
    ReadOnlyField,
    DefaultField,
    ComputedField,
    FormerField,
    /// A field that a reference to its resource shows.
    ShownField,
    /// A field that conditions read.
    ConditionField,
    IndexedField,
    /// A field that has messages of its own.
    MessageField,
    OwnerField,
    /// A reference with a scoped collection.
    ScopeField,
    LifecycleField,
    LifecycleState,
    /// A transition that the clock makes.
    Transition,
    View,
    ViewPath,
    FormerView,
    FormerViewPath,
    Command,
    CommandInput,
    CommandInputs,
    CommandOutput,
    FormerCommand,
    RuleCode,
}

impl Role {
    pub(crate) const ALL: [Self; 46] = [
        Self::Service,
        Self::Vendor,
        Self::AccessName,
        Self::Resource,
        Self::Parent,
        Self::Plural,
        Self::FormerResource,
        Self::FormerPlural,
        Self::Object,
        Self::Enum,
        Self::EnumValue,
        Self::StringField,
        Self::UniqueField,
        Self::ScalarField,
        Self::EnumField,
        Self::ReferenceField,
        Self::ObjectField,
        Self::MemberField,
        Self::StringsField,
        Self::ObjectsField,
        Self::ReferencesField,
        Self::ItemField,
        Self::WriteOnlyField,
        Self::ReadOnlyField,
        Self::DefaultField,
        Self::ComputedField,
        Self::FormerField,
        Self::ShownField,
        Self::ConditionField,
        Self::IndexedField,
        Self::MessageField,
        Self::OwnerField,
        Self::ScopeField,
        Self::LifecycleField,
        Self::LifecycleState,
        Self::Transition,
        Self::View,
        Self::ViewPath,
        Self::FormerView,
        Self::FormerViewPath,
        Self::Command,
        Self::CommandInput,
        Self::CommandInputs,
        Self::CommandOutput,
        Self::FormerCommand,
        Self::RuleCode,
    ];

    /// The word as the role writes it.
    pub(crate) fn spell(self, word: &str) -> String {
        match self {
            Self::Service => names::kebab(word),
            // a plural that is made of the word, and the word itself
            Self::Plural | Self::FormerPlural if word.len().is_multiple_of(2) => {
                names::plural_path(&names::pascal(word))
            }
            Self::Plural | Self::FormerPlural => names::kebab(word),
            Self::View | Self::ViewPath | Self::FormerView | Self::FormerViewPath => names::kebab(word),
            Self::Vendor | Self::Command | Self::FormerCommand | Self::Transition => names::kebab(word),
            Self::Resource | Self::Parent | Self::FormerResource | Self::Object | Self::Enum | Self::RuleCode => {
                names::pascal(word)
            }
            Self::EnumValue | Self::LifecycleState => names::snake(word).to_ascii_uppercase(),
            _ => names::camel(word),
        }
    }

    /// Whether a service has one such name only.
    pub(crate) fn is_of_service(self) -> bool {
        matches!(self, Self::Service | Self::Vendor)
    }

    /// Whether the name has documents of its own.
    pub(crate) fn is_of_documents(self) -> bool {
        matches!(
            self,
            Self::Resource
                | Self::Parent
                | Self::Plural
                | Self::FormerResource
                | Self::FormerPlural
                | Self::Object
                | Self::Enum
                | Self::AccessName
        )
    }

    /// Whether a resource has one such name only.
    pub(crate) fn is_exclusive(self) -> bool {
        matches!(
            self,
            Self::OwnerField | Self::ScopeField | Self::LifecycleField | Self::LifecycleState | Self::Transition
        )
    }
}
