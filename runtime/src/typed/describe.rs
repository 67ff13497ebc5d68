//! The description of a type: its fragment of the model, and the other types that the fragment names.

use super::Typed;
use super::registry::{CommandFragment, Fragment};

/// A type that is part of a service's description. Derived, not written by hand.
pub trait Describe: Sized + 'static {
    /// The description. A derive writes this constant alone: each more would be compiled for each type.
    const DESCRIPTION: TypeDescription;
    /// Its kind in the model.
    const SHAPE: Shape = Self::DESCRIPTION.shape;
    /// Its name in the model.
    const NAME: &'static str = Self::DESCRIPTION.name;
    /// Its fragment of the model as JSON: a `Resource`, `Object`, `Enum` or `Command` of `restwell_model`.
    const MODEL: &'static str = Self::DESCRIPTION.model;
    /// The types that the fragment names.
    const USES: &'static [Use] = Self::DESCRIPTION.uses;
}

/// What [`Describe`] says of a type.
#[derive(Debug, Clone, Copy)]
pub struct TypeDescription {
    pub(super) shape: Shape,
    pub(super) name: &'static str,
    pub(super) model: &'static str,
    pub(super) uses: &'static [Use],
}

impl TypeDescription {
    /// The description of a type of this shape and name, with its fragment of the model and the types that this names.
    #[must_use]
    pub const fn new(shape: Shape, name: &'static str, model: &'static str, uses: &'static [Use]) -> Self {
        Self { shape, name, model, uses }
    }
}

/// Which part of the model a fragment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `restwell_model::Resource`.
    Resource,
    /// `restwell_model::Object`.
    Object,
    /// `restwell_model::Enum`.
    Enum,
    /// `restwell_model::Command`.
    Command,
}

/// A type that a fragment names: as its author wrote it, and how to find its own fragment. Its name in the model is
/// another one where it is imported under another name.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    pub(super) written: &'static str,
    pub(super) part: UsedPart,
}

/// How a type is used. Types name each other in circles, so that the fragments are found when they are asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum UsedPart {
    Nested(fn() -> Fragment),
    Command(fn() -> CommandFragment),
    Resource(fn() -> Fragment),
}

impl Use {
    /// An object or an enum: part of the description wherever it is used.
    #[must_use]
    pub const fn nested<T: Nested>(written: &'static str) -> Self {
        Self { written, part: UsedPart::Nested(Fragment::of::<T>) }
    }

    /// A command of the resource whose fragment this is: part of the description, after the commands before it.
    #[must_use]
    pub const fn command<R: Resource, C: Command<On = R>>() -> Self {
        Self { written: "", part: UsedPart::Command(CommandFragment::of::<C>) }
    }

    /// The target of a reference: only its name is needed, the resource itself is registered by who serves it.
    #[must_use]
    pub const fn resource<T: Resource>(written: &'static str) -> Self {
        Self { written, part: UsedPart::Resource(Fragment::of::<T>) }
    }
}

/// Something that the service serves. Derived.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "derive `restwell::Resource` for `{Self}`"
)]
pub trait Resource: Describe + Typed {}

/// A possible type of a field: an object or an enum. Derived with these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a field",
    label = "neither an object nor an enum",
    note = "derive `restwell::Object` or `restwell::Enum` for `{Self}`; if it is a resource, write `Ref<{Self}>`"
)]
pub trait Nested: Describe + Typed {}

/// A nested structure. Derived.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an object",
    label = "not an object",
    note = "derive `restwell::Object` for `{Self}`"
)]
pub trait Object: Describe + Typed {}

/// A closed list of values. Derived.
pub trait Enum: Nested {}

/// The input of a command on a resource's entities. Derived.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a command",
    label = "not a command",
    note = "derive `restwell::Command` for `{Self}`"
)]
pub trait Command: Describe + Typed {
    /// The resource that it is a command of.
    type On: Resource;
    /// The output of its handler; `()` for none.
    type Output: Object;
}

/// No fields: the output of a command that only succeeds or fails.
impl Describe for () {
    const DESCRIPTION: TypeDescription = TypeDescription::new(Shape::Object, "", r#"{"name":"","fields":[]}"#, &[]);
}

impl Object for () {}
