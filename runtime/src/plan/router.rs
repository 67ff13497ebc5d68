//! Path → endpoint. Every path of the conventions is words and ids: the ids are removed, and the rest is looked up.

use super::endpoint::EndpointPlan;
use foldhash::fast::RandomState;
use restwell_model::routes::{COMMANDS, VARIABLE};
use restwell_model::scalar::uuid_text;
use std::collections::HashMap;
use uuid::Uuid;

/// Ids that a path has at most: `/offers/{id}/renew-commands/{commandId}`.
const MAX_IDS: usize = 2;

/// The service's endpoints.
#[derive(Debug)]
pub(crate) struct Router {
    endpoints: Vec<EndpointPlan>,
    /// The index of each, by its pattern. Clients look patterns up and add none.
    by_pattern: HashMap<String, usize, RandomState>,
}

/// An endpoint, and the ids of the path that led to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RouteMatch<'a> {
    /// Of the service's endpoints.
    pub(crate) index: usize,
    /// What is there.
    pub(crate) endpoint: &'a EndpointPlan,
    /// The ids, in the path's order; `None` for a command id that is no UUID.
    pub(crate) ids: [Option<Uuid>; MAX_IDS],
}

impl Router {
    /// A router of these endpoints.
    pub(super) fn new(endpoints: Vec<EndpointPlan>) -> Self {
        let patterns = endpoints.iter().enumerate().map(|(index, endpoint)| (endpoint.pattern.clone(), index));
        Self { by_pattern: patterns.collect(), endpoints }
    }

    /// All endpoints, in the order of their indexes.
    pub(crate) fn endpoints(&self) -> &[EndpointPlan] {
        &self.endpoints
    }

    /// The endpoint at a path.
    pub(crate) fn find(&self, path: &str) -> Option<RouteMatch<'_>> {
        let mut pattern = String::with_capacity(path.len());
        let (mut ids, mut count, mut is_command) = ([None; MAX_IDS], 0, false);
        for segment in path.strip_prefix('/')?.split('/') {
            pattern.push('/');
            let id = uuid_text::parse(segment);
            if id.is_some() || is_command {
                *ids.get_mut(count)? = id;
                count += 1;
                pattern.push_str(VARIABLE);
            } else {
                pattern.push_str(segment);
            }
            is_command = count > 0 && segment.ends_with(COMMANDS);
        }
        let index = *self.by_pattern.get(&pattern)?;
        Some(RouteMatch { index, endpoint: self.endpoints.get(index)?, ids })
    }
}
