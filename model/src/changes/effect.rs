//! A change, and what it means for stored rows.

use crate::check::ModelPath;

/// One difference between the old and the new model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The place: in the new model, or in the old model if the place was `removed`.
    pub at: ModelPath,
    /// Whether only the old model has the place.
    pub removed: bool,
    /// The effect on stored rows.
    pub effect: Effect,
    /// What changed: a sentence without its subject, which is the place, and without a full stop.
    pub message: String,
}

/// The effect of a change on stored rows, from harmless to severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Rows stay, or become what the new model says, and nothing is lost.
    Safe,
    /// Nothing is lost, but the migration fails if the stored rows do not satisfy a check.
    Verified,
    /// Values are lost, or rows remain that the new model would refuse. This needs consent (`--allow-drop`).
    Consent,
    /// Stored rows need a value, which only a `default` can give them.
    Default,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A name of the service itself.
    Service,
    /// A resource is new.
    ResourceAdded,
    /// A resource was removed, with its table.
    ResourceDropped,
    /// A resource was renamed.
    ResourceRenamed,
    /// The plural of a resource changed, and with it the name of its table.
    Plural,
    /// A field is new.
    FieldAdded,
    /// A field was removed.
    FieldDropped,
    /// A field was renamed.
    FieldRenamed,
    /// The new type can hold every value of the old one.
    TypeWidened,
    /// The new type cannot hold every value of the old one.
    TypeNarrowed,
    /// The new type cannot hold the values of the old one: stored values are dropped.
    TypeReplaced,
    /// A constraint accepts more values.
    ConstraintLoosened,
    /// A constraint accepts fewer values.
    ConstraintTightened,
    /// An enum has more values.
    ValuesAdded,
    /// An enum has fewer values.
    ValuesDropped,
    /// A field is never null from now on.
    Required,
    /// A field may be null from now on.
    Optional,
    /// The default changed.
    Default,
    /// `immutable`, `readOnly`, `writeOnly` or `secret`.
    Writing,
    /// `filter` or `sort`, which add or remove an index.
    Indexed,
    /// A field or combination is unique from now on.
    UniqueAdded,
    /// A field or combination is no longer unique.
    UniqueDropped,
    /// `onDelete` or `show` of a reference.
    Reference,
    /// The views or versions that have a field.
    Scope,
    /// `owner` or the service's `users`.
    Owner,
    /// `under`.
    Under,
    /// Versions of a resource.
    Versions,
    /// Operations or their access.
    Operations,
    /// Views of a resource.
    Views,
    /// `search` or `count`.
    Lists,
    /// Commands of a resource.
    Commands,
    /// `deprecated` or `sunset`.
    Lifecycle,
}
