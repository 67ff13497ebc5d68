//! Builds the model from the trees: every key of the schema language is read with the tables of
//! [`language`](restwell_model::language).
//!
//! All faults are collected, and one mistake gives one diagnostic: a misspelt key or word is reported and then treated
//! as the most similar known one, and a part that cannot be read is *poisoned*, so that no later rule reports it again.

mod command;
mod document;
mod field;
mod inline;
mod mapping;
mod operations;
mod resource;
mod rules;
mod scalars;
mod source_map;
mod suggest;
mod types;
mod values;

pub(crate) use restwell_model::language as keys;
pub use source_map::{DefinitionPlace, SourceMap, SourceTarget};

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;
use restwell_model::{FaultCode, Service};
use std::collections::BTreeSet;

/// The result of reading the documents.
#[derive(Debug)]
pub struct Interpreted<'a> {
    /// The parts of the service that could be read.
    pub service: Service,
    /// The place of each definition.
    pub places: SourceMap<'a>,
    /// The parts that were already reported as unreadable.
    pub poisoned: Poisoned,
    /// The faults.
    pub diagnostics: Vec<Diagnostic>,
}

/// Places that could not be read. A fault that a rule finds there only follows from a reported one.
#[derive(Debug, Default)]
pub struct Poisoned {
    /// A whole definition could not be read, so that any name may be valid.
    definitions: bool,
    spans: Vec<Span>,
    fields: BTreeSet<String>,
}

/// Rules that look at other definitions, and report a fault if one is missing.
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

impl Poisoned {
    /// Whether a fault follows from what was already reported.
    #[must_use]
    pub fn explains(&self, code: FaultCode, at: Option<SourceTarget<'_>>) -> bool {
        let Some(SourceTarget { span, node }) = at else { return self.definitions };
        let names_unread_field = || node.and_then(Node::text).is_some_and(|text| self.fields.contains(text));
        let is_list = node.is_some_and(|node| !node.items().is_empty());
        self.definitions && OF_OTHERS.contains(&code)
            // inside an unreadable part, or a list with an unreadable item
            || self.spans.iter().any(|poisoned| poisoned.contains(span) || is_list && span.contains(*poisoned))
            || names_unread_field()
    }
}

/// Reads the documents, in the order given; `are_all` tells whether no file is missing among them.
#[must_use]
pub fn interpret(documents: &[Node], are_all: bool) -> Interpreted<'_> {
    let mut interpreter = Interpreter::default();
    interpreter.poisoned.definitions = !are_all;
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
    places: SourceMap<'a>,
    poisoned: Poisoned,
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
            if !self.poisoned.definitions {
                self.report(
                    Diagnostic::without_place(FaultCode::NoService, "no document describes the service")
                        .help("add a file that begins with `service: <name>`"),
                );
            }
            self.poisoned.definitions = true;
            Service::new("service")
        });
        let Definitions { enums, objects, resources } = self.definitions;
        (service.enums, service.objects, service.resources) = (enums, objects, resources);
        service.sort();
        values::fill(&mut service, &self.places);
        Interpreted { service, places: self.places, poisoned: self.poisoned, diagnostics: self.diagnostics }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a value that cannot be read, and poisons it so that later rules do not report it again.
    fn poison(&mut self, span: Span, diagnostic: Diagnostic) {
        self.poisoned.spans.push(span);
        self.report(diagnostic);
    }
}
