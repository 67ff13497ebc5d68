//! Registers the names of definitions, inline ones included.

use super::Interpreter;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;
use restwell_model::FaultCode;

impl<'a> Interpreter<'a> {
    /// Records the place of a definition. If the name is taken, reports it and returns `false`.
    pub(super) fn define(&mut self, name: &str, node: &'a Node, place: Span) -> bool {
        if let Some(first) = self.places.definition(name) {
            let first = first.name;
            self.poisoned.spans.push(place);
            self.report(
                Diagnostic::new(FaultCode::DuplicateName, place, format!("two definitions are named `{name}`"))
                    .label("the second one is here")
                    .also(first, "the first one is here")
                    .help(
                        "rename one of the two; an inline definition gets its name from its field: \
                            `status` of `Offer` becomes `OfferStatus`",
                    ),
            );
            return false;
        }
        self.places.add(name, node, place);
        true
    }
}
