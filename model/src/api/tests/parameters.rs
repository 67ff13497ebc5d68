//! Parameters of query strings (§4.3 to §4.6).

use super::{both, marketplace, operation, specimens};
use crate::api::{
    Api, FilterOperator, HttpOperation, OperationRole, ParameterKind, PathItem, PathSubject, QueryParameter, ValueType,
    VersionedName,
};
use crate::field::Match;
use crate::input::{Bound, Scalar};
use crate::resource::{OperationKind, Version};
use crate::routes::Action;
use std::collections::HashSet;

fn names<'b>(operation: &'b HttpOperation<'_>) -> Vec<&'b str> {
    operation.query.iter().map(|parameter| parameter.name.as_str()).collect()
}

fn parameter<'b, 'a>(operation: &'b HttpOperation<'a>, name: &str) -> &'b QueryParameter<'a> {
    operation.query.iter().find(|parameter| parameter.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn sorts<'b>(operation: &'b HttpOperation<'_>) -> &'b [VersionedName] {
    match &parameter(operation, "sort").kind {
        ParameterKind::Sort(names) => names,
        other => panic!("{other:?}"),
    }
}

/// The suffixes that a field has as parameters; `""` is equality.
fn suffixes(operation: &HttpOperation<'_>, field: &str) -> Vec<&'static str> {
    let of = |parameter: &QueryParameter<'_>| match &parameter.kind {
        ParameterKind::Filter { field: of, operator, .. } if of == field => Some(operator.suffix().unwrap_or("")),
        _ => None,
    };
    operation.query.iter().filter_map(of).collect()
}

const BOUNDS: [&str; 5] = ["", "gt", "gte", "lt", "lte"];

/// §4.4.1, §4.4.3, §4.4.4: one parameter for each filterable field, dotted where it is nested; bounds where the type is
/// ordered.
#[test]
fn filters_have_the_operators_of_their_types_4_4() {
    let service = specimens();
    let api = Api::of(&service);
    let list = operation(&api, "Specimen.list");
    let ordered = [
        "id",
        "createdAt",
        "updatedAt",
        "size",
        "ratio",
        "weight",
        "foundAt",
        "foundOn",
        "feedingTime",
        "value.amount",
    ];
    for field in ordered {
        assert_eq!(suffixes(list, field), BOUNDS, "{field}");
    }
    let unordered = [
        "code",
        "fragile",
        "batch",
        "lifespan",
        "countryCode",
        "language",
        "currency",
        "value.currency",
        "colour",
        "keeper.id",
        "registryNumber",
        "status",
    ];
    for field in unordered {
        assert_eq!(suffixes(list, field), [""], "{field}");
    }
    assert_eq!(suffixes(list, "name"), ["", "not", "startsWith", "startsWithIgnoreCase"]);
    assert_eq!(
        suffixes(list, "note"),
        ["", "not", "startsWith", "contains", "startsWithIgnoreCase", "containsIgnoreCase"]
    );
    for field in ["kind", "tag.id"] {
        assert_eq!(suffixes(list, field), ["", "not"], "{field}");
    }
    // not filterable; objects and references themselves; arrays; of another view; never rendered
    for field in ["serial", "value", "keeper", "storage", "readings", "parts", "costPrice.amount", "hint", "passphrase"]
    {
        assert_eq!(suffixes(list, field), [""; 0], "{field}");
    }
    assert!(names(list).contains(&"value.amount.gte"));
}

/// §4.4.5: several values of one field; and the decision "Filters".
#[test]
fn only_equalities_and_their_opposites_are_repeated_4_4_5() {
    for service in both() {
        for (_, operation) in Api::of(&service).operations() {
            for parameter in &operation.query {
                let is_equality = matches!(
                    parameter.kind,
                    ParameterKind::Filter { operator: FilterOperator::Equal | FilterOperator::Match(Match::Not), .. }
                );
                let is_list = matches!(
                    parameter.kind,
                    ParameterKind::Include(_) | ParameterKind::EventResource(_) | ParameterKind::EventType(_)
                );
                assert_eq!(parameter.is_repeatable, is_equality || is_list, "{}", parameter.name);
            }
        }
    }
}

/// Decisions, "Versions": what a version or view lacks cannot be named there.
#[test]
fn parameters_are_those_of_the_version_and_view() {
    let service = specimens();
    let api = Api::of(&service);
    let (list, sale) = (operation(&api, "Specimen.list"), operation(&api, "Specimen.sale.list"));
    assert_eq!(parameter(list, "habitat").versions, [Version::Beta(2)]);
    assert_eq!(parameter(list, "name").versions, [Version::Public, Version::Beta(2)]);
    assert!(!names(list).contains(&"costPrice.amount"));
    assert_eq!(suffixes(sale, "costPrice.amount"), BOUNDS);
    assert!(parameter(list, "legacyCode").deprecation.is_some());
    assert!(parameter(list, "limit").versions.is_empty());
}

/// §4.6: sortable is what declares it, and what every entity has; a price is sorted by its amount.
#[test]
fn sort_names_fields_4_6() {
    let service = marketplace();
    let api = Api::of(&service);
    let sorts: Vec<_> = sorts(operation(&api, "Offer.list")).iter().map(|sort| sort.name.as_str()).collect();
    let own = ["name", "category", "buyNow", "stock", "endingAt", "address.city", "address.countryCode"];
    assert_eq!(sorts[..3], ["id", "createdAt", "updatedAt"]);
    assert_eq!(sorts[3..], own);
}

/// §4.6, and the decision "Paging".
#[test]
fn pages_have_bounds_and_a_default_4_6() {
    for service in both() {
        let api = Api::of(&service);
        let lists = api.operations().map(|(_, operation)| operation);
        for list in lists.filter(|it| it.role == OperationRole::Action(Action::Operation(OperationKind::List))) {
            assert_eq!(parameter(list, "limit").kind, ParameterKind::Limit { default: 100, maximum: 1000 });
            assert_eq!(parameter(list, "offset").kind, ParameterKind::Offset { maximum: 2_147_483_648 });
        }
    }
}

/// §4.5: lists take the id of a search where there are searches.
#[test]
fn lists_take_searches_4_5() {
    let service = marketplace();
    let api = Api::of(&service);
    for id in ["Offer.list", "Offer.sale.list", "Offer.watched.list", "Offer.listUnderSeller"] {
        assert!(names(operation(&api, id)).contains(&"search.id"), "{id}");
    }
    assert!(!names(operation(&api, "Contest.list")).contains(&"search.id"));
}

fn is_command_without_input(api: &Api<'_>, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> bool {
    let OperationRole::Action(Action::PutCommand(command)) = operation.role else { return false };
    let PathSubject::Resource { resource, .. } = path.subject else { return false };
    api.service.resources[resource].commands[command].input.is_empty()
}

/// §4.3; the decision "Dry run" extends it to every operation that changes something.
#[test]
fn what_changes_something_can_be_tried_4_3() {
    for service in both() {
        let api = Api::of(&service);
        for (path, operation) in api.operations() {
            let names = names(operation);
            match operation.method {
                "GET" => assert!(!names.contains(&"dryRun"), "{}", operation.id),
                // there is nothing to include
                _ if is_command_without_input(&api, path, operation) => assert_eq!(names, ["dryRun"]),
                _ => assert_eq!(names, ["dryRun", "include"], "{}", operation.id),
            }
        }
    }
}

#[test]
fn include_names_properties_at_any_depth_4_3() {
    let service = marketplace();
    let api = Api::of(&service);
    let included = |id: &str| match &parameter(operation(&api, id), "include").kind {
        ParameterKind::Include(names) => names.clone(),
        other => panic!("{other:?}"),
    };
    let names: Vec<_> = included("Offer.create").into_iter().map(|it| it.name).collect();
    for name in
        ["name", "seller", "seller.id", "buyNow.amount", "address.city", "shippingOptions.price.currency", "status"]
    {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    for name in ["id", "createdAt", "costPrice", "note"] {
        assert!(!names.iter().any(|known| known == name), "{name}");
    }
    let condition = included("Offer.update").into_iter().find(|it| it.name == "condition").unwrap();
    assert_eq!(condition.versions, [Version::Beta(2)]);
    // a DELETE has the preferred version's
    assert!(!included("Offer.delete").iter().any(|it| it.name == "condition"));
    let of_command: Vec<_> = included("Offer.renew.submit").into_iter().map(|it| it.name).collect();
    assert_eq!(of_command, ["fromDate", "duration"]);
    let of_search: Vec<_> = included("Offer.createSearch").into_iter().map(|it| it.name).collect();
    assert_eq!(of_search[..2], ["limit", "offset"]);
    assert!(of_search.contains(&"shippingOptions.price.amount".to_owned()));
}

#[test]
fn no_name_is_there_twice() {
    for service in both() {
        let api = Api::of(&service);
        for (_, operation) in api.operations() {
            let names = names(operation);
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{}", operation.id);
        }
    }
}

#[test]
fn a_bound_is_a_suffix_4_4_4() {
    let words: Vec<_> = Bound::ALL.into_iter().filter_map(|bound| FilterOperator::Bound(bound).suffix()).collect();
    assert_eq!(words, ["gt", "gte", "lt", "lte"]);
    assert_eq!(FilterOperator::Equal.suffix(), None);
}

/// §4.4: a value that a filter does not take has a code that the list's responses name, and what has bounds is ordered.
#[test]
fn filters_are_read_by_their_types() {
    let texts =
        ["", "x", "\0", "1", "-1.555", "99999999999999999999", "true", "2026-11-22", "08:00", "P1D", "PL", "PLN"];
    for service in both() {
        let api = Api::of(&service);
        for (_, operation) in api.operations() {
            let possible: HashSet<_> = operation.responses.iter().flat_map(|it| it.codes.iter().copied()).collect();
            for parameter in &operation.query {
                let ParameterKind::Filter { value, operator, .. } = &parameter.kind else { continue };
                let scalar = scalar(value);
                // the order of ids is that of creation
                let has_bounds = scalar.is_ordered() || parameter.name.starts_with("id.");
                let fits = match operator {
                    FilterOperator::Equal => true,
                    FilterOperator::Bound(_) => has_bounds,
                    FilterOperator::Match(it) => !it.is_of_texts() || matches!(scalar, Scalar::String { .. }),
                };
                assert!(fits, "{}", parameter.name);
                let unexpected = texts.iter().filter_map(|text| scalar.parse_parameter(text).err());
                let unexpected: Vec<_> = unexpected.filter(|it| !possible.contains(&it.code)).collect();
                assert!(unexpected.is_empty(), "{}: {unexpected:?}", parameter.name);
            }
        }
    }
}

fn scalar(value: &ValueType<'_>) -> Scalar {
    match value {
        ValueType::Scalar(ty) => Scalar::compile(ty, None).unwrap(),
        ValueType::Enum(values) => Scalar::of_enum(values),
        ValueType::Words(words) => Scalar::of_words(words),
        ValueType::Amount => Scalar::of_price(None, None, &[]).into_iter().next().unwrap(),
        other => panic!("not a filter: {other:?}"),
    }
}
