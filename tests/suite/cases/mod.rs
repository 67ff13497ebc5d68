//! What is tested, in the order of the conventions.

mod arrays;
mod bounds;
mod browsers;
mod budgets;
mod caching;
mod change_all;
mod codes;
mod command_lists;
mod commands;
mod compression;
mod criteria;
mod deleting;
mod deprecation;
mod dry_runs;
mod errors;
mod events;
mod failures;
mod filters;
mod former_names;
mod free_values;
mod headers;
mod heads;
mod hooks;
mod languages;
mod later;
mod lifecycles;
mod limits;
mod listed_names;
mod numbers;
mod objects;
mod operations;
mod order;
mod owners;
mod paging;
mod parsing;
mod patching;
mod prices;
mod queries;
mod reading_back;
mod rejections;
mod replacing;
mod representation;
mod rules;
mod rules_in_the_schema;
mod scopes;
mod searches;
mod secrets;
mod streams;
mod text;
mod times;
mod uniqueness;
mod users;
mod versions;
mod views;
mod watching;

use crate::Case;

/// Every case.
pub(crate) fn all() -> impl Iterator<Item = Case> {
    [
        representation::CASES,
        text::CASES,
        numbers::CASES,
        times::CASES,
        codes::CASES,
        prices::CASES,
        objects::CASES,
        arrays::CASES,
        bounds::CASES,
        headers::CASES,
        languages::CASES,
        operations::CASES,
        filters::CASES,
        paging::CASES,
        queries::CASES,
        searches::CASES,
        criteria::CASES,
        secrets::CASES,
        commands::CASES,
        reading_back::CASES,
        command_lists::CASES,
        later::CASES,
        rules::CASES,
        rules_in_the_schema::CASES,
        lifecycles::CASES,
        owners::CASES,
        users::CASES,
        crate::access::CASES,
        crate::coverage::CASES,
        scopes::CASES,
        views::CASES,
        errors::CASES,
        failures::CASES,
        rejections::CASES,
        order::CASES,
        parsing::CASES,
        replacing::CASES,
        patching::CASES,
        uniqueness::CASES,
        deleting::CASES,
        versions::CASES,
        caching::CASES,
        change_all::CASES,
        compression::CASES,
        browsers::CASES,
        dry_runs::CASES,
        deprecation::CASES,
        former_names::CASES,
        free_values::CASES,
        listed_names::CASES,
        events::CASES,
        streams::CASES,
        watching::CASES,
        limits::CASES,
        budgets::CASES,
        heads::CASES,
        hooks::CASES,
    ]
    .into_iter()
    .flatten()
    .copied()
}
