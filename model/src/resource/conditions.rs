//! All conditions of a resource.

use super::{Access, Resource};
use crate::condition::Condition;

impl Resource {
    /// Its conditions, wherever they stand.
    #[must_use]
    pub fn all_conditions(&self) -> Vec<&Condition> {
        let mut found: Vec<&Condition> = self.conditions.values().collect();
        found.extend(self.visible.iter().filter_map(Access::condition));
        for operations in self.views.iter().map(|view| &view.operations).chain([&self.operations]) {
            found.extend(operations.iter().flat_map(|operation| &operation.access).filter_map(Access::condition));
        }
        found.extend(self.views.iter().filter_map(|view| view.filter.as_ref()));
        found.extend(self.commands.iter().flat_map(|command| &command.access).filter_map(Access::condition));
        found.extend(self.rules.iter().map(|rule| &rule.check));
        for transition in self.lifecycle.iter().flat_map(|lifecycle| &lifecycle.transitions) {
            found.extend(&transition.when);
            found.extend(transition.set.values());
        }
        for field in &self.fields {
            found.extend(field.visible.iter().chain(&field.writable).filter_map(Access::condition));
            found.extend([&field.required_when, &field.default_is, &field.computed].into_iter().flatten());
        }
        found
    }
}
