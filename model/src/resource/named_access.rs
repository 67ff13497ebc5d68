//! Which words of access lists are named conditions.

use super::{Access, Resource};
use crate::condition::Condition;
use crate::service::Service;

/// Makes a [`Access::Named`] of each word that is the name of a condition, of the service or of the resource, and a
/// [`Access::Role`] of every other one.
pub(crate) fn note(service: &mut Service) {
    let Service { conditions, resources, .. } = service;
    for resource in resources {
        let own = std::mem::take(&mut resource.conditions);
        let is_named = |name: &str| conditions.contains_key(name) || own.contains_key(name);
        resource.each_access_list(|list| list.iter_mut().for_each(|access| access.settle(&is_named)));
        resource.conditions = own;
    }
}

impl Access {
    fn settle(&mut self, is_named: &dyn Fn(&str) -> bool) {
        match self {
            Self::Role(name) if is_named(name) => *self = Self::Named(Condition::new(name.clone())),
            Self::Named(name) if !is_named(name.as_str()) => *self = Self::Role(name.to_string()),
            _ => {}
        }
    }
}

impl Resource {
    /// Changes each access list of the resource, wherever it stands.
    pub(crate) fn each_access_list(&mut self, mut change: impl FnMut(&mut Vec<Access>)) {
        change(&mut self.visible);
        let of_views = self.views.iter_mut().flat_map(|view| &mut view.operations);
        for operation in self.operations.iter_mut().chain(of_views) {
            change(&mut operation.access);
        }
        self.commands.iter_mut().for_each(|command| change(&mut command.access));
        for field in &mut self.fields {
            change(&mut field.visible);
            change(&mut field.writable);
        }
    }
}
