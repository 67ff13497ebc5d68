//! The kinds of changes.

use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// The kinds of changes. The name of a kind in kebab-case is the `kind` in `restwell diff`, and its key in
        /// `allow`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum ChangeKind {
            $($(#[$doc])* $kind,)*
        }

        impl ChangeKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];
        }
    };
}

kinds! {
    /// The name of the service.
    ServiceRenamed,
    /// The word in the media types.
    Vendor,
    /// The resource of the users, or how users are found.
    Users,
    /// A role, or the condition that it stands for.
    Role,
    /// A resource is new.
    ResourceAdded,
    /// A resource was removed, with its table.
    ResourceDropped,
    /// A resource was renamed.
    ResourceRenamed,
    /// The plural of a resource changed, and with it the name of its table.
    PluralChanged,
    /// A field is new.
    FieldAdded,
    /// A field was removed.
    FieldDropped,
    /// A field was renamed.
    FieldRenamed,
    /// The former name under which a field, a command, a view or a resource is served too.
    FormerName,
    /// The new type can hold every value of the old one.
    TypeWidened,
    /// The new type cannot hold every value of the old one.
    TypeNarrowed,
    /// The new type cannot hold the values of the old one: stored values are dropped.
    TypeReplaced,
    /// An enum or object has another name.
    TypeName,
    /// A constraint accepts more values.
    ConstraintLoosened,
    /// A constraint accepts fewer values.
    ConstraintTightened,
    /// An enum has another value.
    ValueAdded,
    /// An enum has lost a value.
    ValueDropped,
    /// A field is never null from now on.
    Required,
    /// A field may be null from now on.
    Optional,
    /// The default changed.
    Default,
    /// `immutable`.
    Immutable,
    /// `readOnly`.
    ReadOnly,
    /// `is`: whether and how a field is computed.
    Computed,
    /// `writeOnly`.
    WriteOnly,
    /// How a secret is stored.
    Secret,
    /// `filter`, which adds or removes an index.
    Filter,
    /// `sort`, which adds or removes an index.
    Sort,
    /// A field or combination is unique from now on.
    UniqueAdded,
    /// A field or combination is no longer unique.
    UniqueDropped,
    /// An index of several fields is new.
    IndexAdded,
    /// An index of several fields was removed.
    IndexDropped,
    /// The target of a reference.
    Target,
    /// `onDelete` of a reference.
    OnDelete,
    /// A field that a reference shows of the other entity.
    ShowAdded,
    /// A field that a reference no longer shows.
    ShowDropped,
    /// The views that have a field.
    FieldViews,
    /// The versions that have a field.
    FieldVersions,
    /// `owner`.
    Owner,
    /// A scoped collection is new.
    UnderAdded,
    /// A scoped collection was removed.
    UnderDropped,
    /// A version of a resource is served from now on.
    VersionAdded,
    /// A version of a resource is no longer served.
    VersionDropped,
    /// `retired`, of versions that are not served either way.
    Retired,
    /// An operation is new.
    OperationAdded,
    /// An operation was removed.
    OperationDropped,
    /// Who has access.
    Access,
    /// Who sees entities.
    Visible,
    /// Who sees a field.
    FieldVisible,
    /// Who may change a field.
    FieldWritable,
    /// `disclose`.
    Disclose,
    /// `async`.
    Async,
    /// A view is new.
    ViewAdded,
    /// A view was removed.
    ViewDropped,
    /// A view was renamed.
    ViewRenamed,
    /// The path of a view.
    ViewPath,
    /// `through` of a view.
    Through,
    /// `where` of a view.
    Where,
    /// `search`.
    Search,
    /// `count`.
    Count,
    /// A command is new.
    CommandAdded,
    /// A command was removed.
    CommandDropped,
    /// A command was renamed.
    CommandRenamed,
    /// `ready` of a command.
    Ready,
    /// `timeout` of a command.
    Timeout,
    /// A rule is new: stored rows have to keep it.
    RuleAdded,
    /// A rule was removed.
    RuleDropped,
    /// What a rule checks, or its message.
    RuleChanged,
    /// When a field is required.
    RequiredWhen,
    /// The field, the first or the last states of a lifecycle.
    States,
    /// A transition is new.
    TransitionAdded,
    /// A transition was removed.
    TransitionDropped,
    /// When or how a transition is made.
    TransitionChanged,
    /// `deprecated` or `sunset`.
    Lifecycle,
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for ChangeKind {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Self::deserialize(word.into_deserializer())
    }
}
