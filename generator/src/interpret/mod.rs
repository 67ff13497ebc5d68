//! From trees to the model: every key of the schema language, read against the tables of `keys`.
//!
//! All mistakes are collected. One mistake is one diagnostic: a misspelt key or word is reported and then taken for the
//! nearest known one, and what cannot be read at all is *spoilt*, so that no later rule complains about it again.

mod command;
mod document;
mod field;
mod inline;
pub(crate) mod keys;
mod mapping;
mod operations;
mod places;
mod resource;
mod suggest;
mod types;
mod values;
mod words;

pub use places::{Place, Places, Target};

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;
use restwell_model::{FaultCode, Service};
use std::collections::BTreeSet;

/// What the documents say.
#[derive(Debug)]
pub struct Interpreted<'a> {
    /// As far as it could be read.
    pub service: Service,
    /// Where each definition stands.
    pub places: Places<'a>,
    /// What was already reported as unreadable.
    pub spoilt: Spoilt,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Places that could not be read. A rule that finds fault with one of them only repeats what was said.
#[derive(Debug, Default)]
pub struct Spoilt {
    /// A whole definition is missing, so that any name may be a good one.
    definitions: bool,
    spans: Vec<Span>,
    fields: BTreeSet<String>,
}

/// Rules that look at other definitions, and find fault where one is missing.
const OF_OTHERS: &[FaultCode] = &[
    FaultCode::BadThrough,
    FaultCode::EmptySearch,
    FaultCode::NoUsers,
    FaultCode::OwnerNotUser,
    FaultCode::UnknownResource,
    FaultCode::UnknownType,
    FaultCode::Unsearchable,
    FaultCode::UnusedDefinition,
];

impl Spoilt {
    /// Whether a fault follows from what was already reported.
    #[must_use]
    pub fn explains(&self, code: FaultCode, at: Option<Target<'_>>) -> bool {
        let Some(Target { span, node }) = at else { return self.definitions };
        let names_unread_field = || node.and_then(Node::text).is_some_and(|text| self.fields.contains(text));
        let is_list = node.is_some_and(|node| !node.items().is_empty());
        self.definitions && OF_OTHERS.contains(&code)
            // below something unread, or a list with an item that was not
            || self.spans.iter().any(|spoilt| spoilt.contains(span) || is_list && span.contains(*spoilt))
            || names_unread_field()
    }
}

/// Reads the documents, in the order given; `are_all` tells whether no file is missing among them.
#[must_use]
pub fn interpret(documents: &[Node], are_all: bool) -> Interpreted<'_> {
    let mut interpreter = Interpreter::default();
    interpreter.spoilt.definitions = !are_all;
    for document in documents {
        interpreter.document(document);
    }
    interpreter.finish()
}

/// The model in the making.
#[derive(Default)]
struct Interpreter<'a> {
    service: Option<Service>,
    definitions: Definitions,
    places: Places<'a>,
    spoilt: Spoilt,
    diagnostics: Vec<Diagnostic>,
}

/// What the documents define, and what their fields define inline.
#[derive(Default)]
struct Definitions {
    enums: Vec<restwell_model::Enum>,
    objects: Vec<restwell_model::Object>,
    resources: Vec<restwell_model::Resource>,
}

impl<'a> Interpreter<'a> {
    fn finish(mut self) -> Interpreted<'a> {
        let mut service = self.service.take().unwrap_or_else(|| {
            if !self.spoilt.definitions {
                self.report(
                    Diagnostic::without_place(FaultCode::NoService, "no document is the service")
                        .help("write one file that begins with `service: <name>`"),
                );
            }
            self.spoilt.definitions = true;
            Service::new("service")
        });
        let Definitions { enums, objects, resources } = self.definitions;
        (service.enums, service.objects, service.resources) = (enums, objects, resources);
        service.sort();
        values::fill(&mut service, &self.places);
        Interpreted { service, places: self.places, spoilt: self.spoilt, diagnostics: self.diagnostics }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a value that cannot be read, and keeps later rules from coming back to it.
    fn spoil(&mut self, span: Span, diagnostic: Diagnostic) {
        self.spoilt.spans.push(span);
        self.report(diagnostic);
    }
}
