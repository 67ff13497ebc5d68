//! The cases of each section, derived from the interface of the service. They run in this order: what is created first
//! is what the others ask about, and what is deleted comes last.

mod bodies;
mod caching;
mod collections;
mod commands;
mod creation;
mod deletion;
mod dry_runs;
mod events;
mod filters;
mod languages;
mod matrix;
mod methods;
mod patch;
mod prepared;
mod replacement;
mod searches;
mod spoilt;
mod users;
mod validation;
mod values;

use super::case::Case;
use restwell_model::api::Api;

/// Every case for a service.
pub(super) fn cases<'a>(api: &'a Api<'a>) -> Vec<Case<'a>> {
    let mut cases = Vec::new();
    creation::add(api, &mut cases);
    searches::add(api, &mut cases);
    methods::add(api, &mut cases);
    matrix::add(api, &mut cases);
    caching::add(api, &mut cases);
    collections::add(api, &mut cases);
    filters::add(api, &mut cases);
    languages::add(api, &mut cases);
    validation::add(api, &mut cases);
    dry_runs::add(api, &mut cases);
    replacement::add(api, &mut cases);
    patch::add(api, &mut cases);
    commands::add(api, &mut cases);
    events::add(api, &mut cases);
    deletion::add(api, &mut cases);
    cases
}
