//! The stand-in for a resource whose derive failed, so that a command without a resource is one error, not two.

use super::{Describe, Mismatch, Resource, Shape, TypeDescription, Typed};
use restwell_model::Value;

/// No resource at all. Nothing that names it compiles, for the failed derive has said why.
#[derive(Debug)]
pub enum Stub {}

impl Describe for Stub {
    const DESCRIPTION: TypeDescription = TypeDescription::new(Shape::Resource, "", "", &[]);
}

impl Typed for Stub {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        Err(Mismatch::expected("nothing", &value))
    }

    fn to_value(&self) -> Value {
        match *self {}
    }
}

impl Resource for Stub {}
