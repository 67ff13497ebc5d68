//! The stand-in for a resource whose derive failed, so that a command without a resource is one error, not two.

use super::{Describe, Mismatch, Resource, Shape, Typed, Use};
use restwell_model::Value;

/// No resource at all. Nothing that names it compiles, for the failed derive has said why.
#[derive(Debug)]
pub enum Stub {}

impl Describe for Stub {
    const SHAPE: Shape = Shape::Resource;
    const NAME: &'static str = "";
    const MODEL: &'static str = "";
    const USES: &'static [Use] = &[];
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
