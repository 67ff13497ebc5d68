//! The names that a file can use: its own, those of other documents, those of the library.

use std::collections::BTreeSet;

/// What generated files have of the library and of Rust under their own names. No command's struct is called so.
const TAKEN: [&str; 23] = [
    "Command",
    "Country",
    "Currency",
    "Date",
    "Decimal",
    "Enum",
    "IsoDuration",
    "Language",
    "None",
    "Object",
    "Ok",
    "Option",
    "Price",
    "Ref",
    "Resource",
    "Result",
    "Self",
    "Some",
    "String",
    "Time",
    "Timestamp",
    "Uuid",
    "Vec",
];

/// The scope of one file: what it has to import is noted as it is used.
pub(super) struct Scope<'a> {
    own: &'a BTreeSet<&'a str>,
    taken: BTreeSet<String>,
    library: BTreeSet<&'static str>,
    siblings: BTreeSet<String>,
}

impl<'a> Scope<'a> {
    /// The scope of a file that defines `own`, in a service that defines `all`.
    pub(super) fn new(own: &'a BTreeSet<&'a str>, all: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = all.into_iter().chain(TAKEN).map(str::to_owned).collect();
        Self { own, taken, library: BTreeSet::new(), siblings: BTreeSet::new() }
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

    /// A name for a struct of this file alone: the one wished for, or a longer one where that is taken.
    pub(super) fn claim(&mut self, wish: &str, suffix: &str) -> String {
        let mut name = wish.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push_str(suffix);
        }
        name
    }

    /// What is to be imported: from the library, and from the other documents.
    pub(super) fn into_imports(self) -> (Vec<String>, Vec<String>) {
        (self.library.into_iter().map(str::to_owned).collect(), self.siblings.into_iter().collect())
    }
}
