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
    endpoints: HashMap<String, Endpoint>,
}

/// An endpoint, and the ids of the path that led to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// What is there.
    pub(crate) endpoint: &'a Endpoint,
    /// The ids, in the path's order; `None` for a command id that is no UUID.
    pub(crate) ids: [Option<Uuid>; MAX_IDS],
}

impl Router {
    /// A router of these endpoints.
    pub(crate) fn new(endpoints: Vec<Endpoint>) -> Self {
        Self { endpoints: endpoints.into_iter().map(|endpoint| (endpoint.pattern.clone(), endpoint)).collect() }
    }

    /// The endpoint at a path.
    pub(crate) fn find(&self, path: &str) -> Option<Found<'_>> {
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
        self.endpoints.get(&pattern).map(|endpoint| Found { endpoint, ids })
    }
}
