//! A change, and what it means for stored rows.

use crate::check::ModelPath;

/// One thing that is another in the new model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which kind of change.
    pub what: What,
    /// Where: in the new model, or in the old one where it is `gone`.
    pub at: ModelPath,
    /// Whether only the old model has the place.
    pub gone: bool,
    /// What it means for stored rows.
    pub effect: Effect,
    /// What happened there: a sentence that lacks its subject, the place, and its full stop.
    pub message: String,
}

/// What a change means for stored rows. The later, the graver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Rows stay, or become what the new model says, and nothing is lost.
    Safe,
    /// Nothing is lost, but a migration may fail: it goes through only where the stored rows allow it.
    Verified,
    /// Values are lost, or rows remain that the new model would refuse: somebody has to say that this is meant.
    Consent,
    /// Rows need a value that the model does not give: a `default` gives it.
    Default,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// A name of the service itself.
    Service,
    /// A resource is new.
    ResourceAdded,
    /// A resource is gone, its table too.
    ResourceDropped,
    /// A resource has another name.
    ResourceRenamed,
    /// A resource's table has another name, for its plural is another.
    Plural,
    /// A field is new.
    FieldAdded,
    /// A field is gone.
    FieldDropped,
    /// A field has another name.
    FieldRenamed,
    /// A type that holds every value of the old one.
    TypeWidened,
    /// A type that does not hold every value of the old one.
    TypeNarrowed,
    /// A type that has nothing to do with the old one: stored values are dropped.
    TypeReplaced,
    /// A constraint takes more than it did.
    ConstraintLoosened,
    /// A constraint takes less than it did.
    ConstraintTightened,
    /// An enum has more values.
    ValuesAdded,
    /// An enum has lost values.
    ValuesDropped,
    /// Never null from now on.
    Required,
    /// May be null from now on.
    Optional,
    /// Another default.
    Default,
    /// `immutable`, `readOnly`, `writeOnly` or `secret`.
    Writing,
    /// `filter`, `sort`: an index more or less.
    Indexed,
    /// No two entities share it from now on.
    UniqueAdded,
    /// Entities may share it from now on.
    UniqueDropped,
    /// What deleting the other entity does, or what of it is shown.
    Reference,
    /// The views or versions that a field has.
    Scope,
    /// `owner` or the service's `users`.
    Owner,
    /// `under`.
    Under,
    /// Versions of a resource.
    Versions,
    /// Operations and who may call them.
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
