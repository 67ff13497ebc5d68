//! Path → endpoint. Every path of the conventions is words and ids: ids are taken out, what is left is looked up.

use restwell_model::routes::{Endpoint, VARIABLE};
use restwell_model::scalar::uuid_text;
use std::collections::HashMap;
use uuid::Uuid;

/// Ids that a path has at most: `/offers/{id}/renew-commands/{commandId}`.
const MAX_IDS: usize = 2;

/// The service's endpoints by pattern.
#[derive(Debug)]
pub(crate) struct Router {
    endpoints: HashMap<String, (usize, Endpoint)>,
}

/// An endpoint, and the ids of the path that led to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RouteMatch<'a> {
    /// Of the service's endpoints.
    pub(crate) index: usize,
    /// What is there.
    pub(crate) endpoint: &'a Endpoint,
    /// The ids, in the path's order; `None` for a command id that is no UUID.
    pub(crate) ids: [Option<Uuid>; MAX_IDS],
}

impl Router {
    /// A router of these endpoints.
    pub(crate) fn new(endpoints: Vec<Endpoint>) -> Self {
        let indexed = endpoints.into_iter().enumerate();
        Self { endpoints: indexed.map(|(index, endpoint)| (endpoint.pattern.clone(), (index, endpoint))).collect() }
    }

    /// The patterns of all paths, in the order of the endpoints' indexes.
    pub(crate) fn patterns(&self) -> Vec<String> {
        let mut known: Vec<_> = self.endpoints.values().collect();
        known.sort_unstable_by_key(|(index, _)| *index);
        known.into_iter().map(|(_, endpoint)| endpoint.pattern.clone()).collect()
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
            is_command = count > 0 && segment.ends_with("-commands");
        }
        self.endpoints.get(&pattern).map(|(index, endpoint)| RouteMatch { index: *index, endpoint, ids })
    }
}
