//! The rules that hold for a description, and the type that says they do.

mod catalogue;
mod fault;

pub use catalogue::FaultCode;
pub use fault::{Fault, Key, ModelPath};

use crate::field::Type;
use crate::service::{Enum, Object, Service};
use std::ops::Deref;

/// A service that breaks no rule. What is built from it checks nothing again.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked(Service);

impl Deref for Checked {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.0
    }
}

/// A type with its name looked up.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'a> {
    /// One value: anything but the rest.
    Scalar(&'a Type),
    /// One of these values.
    Enum(&'a Enum),
    /// A nested structure.
    Object(&'a Object),
    /// A list of these.
    Array(&'a Type),
}
