//! The names that a file uses but does not define: recorded when they are used, imported at the top of the file.

use std::collections::BTreeSet;

/// The imports of one file.
pub(super) struct Scope<'a> {
    own: &'a BTreeSet<&'a str>,
    library: BTreeSet<&'static str>,
    siblings: BTreeSet<String>,
}

impl<'a> Scope<'a> {
    /// The scope of a file that defines `own`.
    pub(super) fn new(own: &'a BTreeSet<&'a str>) -> Self {
        Self { own, library: BTreeSet::new(), siblings: BTreeSet::new() }
    }

    /// A type or derive of the library.
    pub(super) fn library(&mut self, name: &'static str) -> &'static str {
        self.library.insert(name);
        name
    }

    /// A type of the service.
    pub(super) fn definition(&mut self, name: &str) -> String {
        if !self.own.contains(name) {
            self.siblings.insert(name.to_owned());
        }
        name.to_owned()
    }

    /// The imports: from the library, and from the other documents.
    pub(super) fn into_imports(self) -> (Vec<String>, Vec<String>) {
        (self.library.into_iter().map(str::to_owned).collect(), self.siblings.into_iter().collect())
    }
}
