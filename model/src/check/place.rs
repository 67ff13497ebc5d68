//! The place that a rule looks at. It allocates a path only when the rule finds a fault.

use super::{Fault, FaultCode, ModelPath};

/// A place in the description, as a chain of borrowed steps. Rules walk thousands of these and turn hardly any into a
/// [`ModelPath`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    Service,
    Definition(&'a str),
    Key(&'a Place<'a>, &'a str),
    Index(&'a Place<'a>, usize),
}

impl<'a> Place<'a> {
    pub(crate) fn key(&'a self, name: &'a str) -> Self {
        Self::Key(self, name)
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }

    pub(crate) fn path(&self) -> ModelPath {
        match self {
            Self::Service => ModelPath::service(),
            Self::Definition(name) => ModelPath::definition(name),
            Self::Key(parent, name) => parent.path().key(name),
            Self::Index(parent, index) => parent.path().index(*index),
        }
    }

    /// A fault of the value here.
    pub(crate) fn fault(&self, code: FaultCode, message: impl Into<String>) -> Fault {
        Fault::new(code, self.path(), message)
    }

    /// A fault of the name that leads here.
    pub(crate) fn name_fault(&self, code: FaultCode, message: impl Into<String>) -> Fault {
        Fault::new(code, self.path().of_key(), message)
    }
}
