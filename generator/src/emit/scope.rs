//! The names that a file uses but does not define: recorded when they are used, imported at the top of the file.
//!
//! A definition may have the name of a type of Rust or of the library. A file that defines or names it writes the path
//! of the other one (`restwell::Price`, `std::option::Option`); all other files write only the name of that. Derives
//! read a name without a path as that of Rust or of the library, so a definition of such a name always has its path.

use restwell_model::names::rust;
use std::collections::BTreeSet;

/// The imports of one file.
pub(super) struct Scope<'a> {
    own: &'a BTreeSet<&'a str>,
    /// The definitions that the file names.
    named: BTreeSet<&'a str>,
    library: BTreeSet<&'static str>,
    siblings: BTreeSet<String>,
}

impl<'a> Scope<'a> {
    /// The scope of a file that defines `own`, and whose fields name these definitions.
    pub(super) fn new(own: &'a BTreeSet<&'a str>, named: BTreeSet<&'a str>) -> Self {
        Self { own, named, library: BTreeSet::new(), siblings: BTreeSet::new() }
    }

    /// A type or derive of the library.
    pub(super) fn library(&mut self, name: &'static str) -> String {
        if self.is_definition(name) {
            return format!("restwell::{name}");
        }
        self.library.insert(name);
        name.to_owned()
    }

    /// A type of Rust that needs no import.
    pub(super) fn prelude(&self, name: &str) -> String {
        if self.is_definition(name) { rust::prelude_path(name) } else { name.to_owned() }
    }

    /// A type of the service.
    pub(super) fn definition(&mut self, name: &str) -> String {
        let is_own = self.own.contains(name);
        if rust::is_read_by_name(name) || (rust::is_derive(name) && !is_own) {
            return format!("super::{name}");
        }
        if !is_own {
            self.siblings.insert(name.to_owned());
        }
        name.to_owned()
    }

    /// Whether the name is that of a definition in this file.
    fn is_definition(&self, name: &str) -> bool {
        self.own.contains(name) || self.named.contains(name)
    }

    /// The imports: from the library, and from the other documents.
    pub(super) fn into_imports(self) -> (Vec<String>, Vec<String>) {
        (self.library.into_iter().map(str::to_owned).collect(), self.siblings.into_iter().collect())
    }
}
