//! Names and the definitions that have them, those written inline included.

use super::Interpreter;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;
use restwell_model::FaultCode;

impl<'a> Interpreter<'a> {
    /// Notes where a definition stands; `false`, and reported, where its name is taken.
    pub(super) fn define(&mut self, name: &str, node: &'a Node, place: Span) -> bool {
        if let Some(first) = self.places.definition(name) {
            let first = first.name;
            self.spoilt.spans.push(place);
            self.report(
                Diagnostic::new(FaultCode::DuplicateName, place, format!("two definitions are called `{name}`"))
                    .label("the second")
                    .also(first, "the first")
                    .help("rename one of the two; what is written inline is called by its field: `Offer` and `status` make `OfferStatus`"),
            );
            return false;
        }
        self.places.add(name, node, place);
        true
    }
}
