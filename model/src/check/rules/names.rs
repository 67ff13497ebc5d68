//! Names (§2.1): their case, and whether they are singular or plural.

use crate::check::Fault;
use crate::check::FaultCode::{
    CamelCase, CountName, KebabCase, PascalCase, PluralArray, PluralPath, SingularField, SingularName, UpperSnake,
};
use crate::check::index::{Definition, DefinitionIndex, definitions_of};
use crate::check::place::Place;
use crate::check::rules::every_field;
use crate::field::{Field, Type};
use crate::names::head::{self, NamedValue, NumberVerdict};
use crate::names::{self, snake};
use crate::resource::Resource;
use crate::service::{Enum, Service};
use std::collections::HashSet;

/// The case of a resource's, object's or enum's name.
pub(super) fn definition(name: &str, faults: &mut Vec<Fault>) {
    if !names::is_pascal(name) {
        let fault = Place::Definition(name).name_fault(PascalCase, format!("`{name}` is not in PascalCase"));
        faults.push(with_proposal(fault, &names::pascal(name)));
    }
}

/// The number of definitions' names. One written inline is named after its field, whose name has been looked at.
pub(super) fn numbers(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let plural: Vec<&str> = definitions_of(index.service)
        .map(|(name, _)| name)
        .filter(|name| names::is_pascal(name) && head::of_definition(name) == NumberVerdict::Wrong)
        .collect();
    if plural.is_empty() {
        return;
    }
    let inline = inline_names(index, &plural);
    for name in plural.into_iter().filter(|name| !inline.contains(name)) {
        let fault = Place::Definition(name).name_fault(SingularName, format!("`{name}` is plural"));
        faults.push(with_proposal(fault, &names::singular(name)));
    }
}

/// Those of the names that end in the name of a field of their type.
fn inline_names<'a>(index: &DefinitionIndex<'a>, among: &[&'a str]) -> HashSet<&'a str> {
    let among: HashSet<&str> = among.iter().copied().collect();
    let mut inline = HashSet::new();
    every_field(index.service, |field, _| {
        let Type::Named { name } = field.ty.element() else { return };
        let is_array = matches!(field.ty, Type::Array { .. });
        if among.contains(name.as_str()) && name.ends_with(&names::inline_type("", &field.name, is_array)) {
            inline.extend(match index.get(name) {
                Some(Definition::Enum(found)) => Some(found.name.as_str()),
                Some(Definition::Object(found)) => Some(found.name.as_str()),
                _ => None,
            });
        }
    });
    inline
}

/// A resource's word in paths.
pub(super) fn plural(resource: &Resource, faults: &mut Vec<Fault>) {
    let (plural, definition) = (&resource.plural, Place::Definition(&resource.name));
    let at = definition.key("plural");
    if !names::is_kebab(plural) {
        let fault = at.fault(KebabCase, format!("`{plural}` is not in kebab-case"));
        faults.push(with_proposal(fault, &names::kebab(plural)));
    } else if !names::is_plural(plural) && *plural != names::plural_path(&resource.name) {
        let fault = at.fault(PluralPath, format!("`{plural}` is not plural"));
        faults.push(with_proposal(fault, &names::plural_path(&resource.name)));
    }
}

/// The words that the service gives itself.
pub(super) fn service(service: &Service, faults: &mut Vec<Fault>) {
    kebab(&service.name, &Place::Service.key("service"), faults);
    // a vendor's facets are separated by dots (RFC 6838 §3.2)
    for facet in service.vendor.split('.') {
        kebab(facet, &Place::Service.key("vendor"), faults);
    }
}

/// The name of a service, view or command.
pub(super) fn kebab(name: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if !names::is_kebab(name) {
        let fault = at.name_fault(KebabCase, format!("`{name}` is not in kebab-case"));
        faults.push(with_proposal(fault, &names::kebab(name)));
    }
}

/// An enum's values (§2.4.8).
pub(super) fn values(enumeration: &Enum, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&enumeration.name);
    let values = definition.key("values");
    for (position, value) in enumeration.values.iter().enumerate() {
        if !names::is_upper_snake(value) {
            let fault = values.index(position).fault(UpperSnake, format!("`{value}` is not in UPPER_SNAKE_CASE"));
            faults.push(with_proposal(fault, &names::snake(value).to_uppercase()));
        }
    }
}

/// A field's name: its case, then its number, then whether it is a count that is not called one.
pub(super) fn field(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let name = &field.name;
    if !names::is_camel(name) {
        let fault = at.name_fault(CamelCase, format!("`{name}` is not in camelCase"));
        faults.push(with_proposal(fault, &names::camel(name)));
    } else if matches!(field.ty, Type::Array { .. }) {
        let fault = at.name_fault(PluralArray, format!("`{name}` is an array, but its name is not plural"));
        let proposal = names::camel(&names::plural_path(name));
        faults.extend(judged(head::of_array(name), with_proposal(fault, &proposal)));
    } else if field.ty.is_free() {
        // `metadata` or `settings`: one value, and many in it
    } else if let Some(noun) = counted(field) {
        let counts = format!("{}Count", names::camel(&names::plural_path(noun)));
        let fault =
            at.name_fault(CountName, format!("`{name}` looks like a count, but its name does not end in `Count`"));
        faults.push(fault.help(format!("write `{counts}` or `totalCount`")));
    } else {
        let fault = at.name_fault(SingularField, format!("`{name}` is not an array, but its name is plural"));
        let verdict = head::of_single(name, named_value(&field.ty));
        faults.extend(judged(verdict, with_proposal(fault, &names::singular(name))));
    }
}

/// What the name of a field of this type may say.
fn named_value(ty: &Type) -> NamedValue {
    match ty {
        Type::Boolean => NamedValue::Boolean,
        Type::Integer { .. } | Type::Number { .. } | Type::Decimal { .. } => NamedValue::Number,
        _ => NamedValue::Other,
    }
}

/// The fault, as certain as the verdict.
fn judged(verdict: NumberVerdict, fault: Fault) -> Option<Fault> {
    match verdict {
        NumberVerdict::Fine => None,
        NumberVerdict::Doubtful => Some(fault.guess()),
        NumberVerdict::Wrong => Some(fault),
    }
}

/// The noun that a name like `totalItem` counts. A total of a measure, or of units, is not a count.
fn counted(field: &Field) -> Option<&str> {
    const MEASURES: [&str; 40] = [
        "amount",
        "area",
        "balance",
        "budget",
        "capacity",
        "cost",
        "credit",
        "debt",
        "discount",
        "distance",
        "duration",
        "energy",
        "expenditure",
        "fee",
        "height",
        "income",
        "length",
        "memory",
        "mileage",
        "paid",
        "points",
        "power",
        "price",
        "profit",
        "quantity",
        "rating",
        "revenue",
        "salary",
        "score",
        "size",
        "spend",
        "storage",
        "tax",
        "time",
        "turnover",
        "usage",
        "value",
        "volume",
        "wage",
        "weight",
    ];
    let noun = field.name.strip_prefix("total").filter(|noun| noun.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let words = snake(noun);
    // `totalPriceInCents`, `totalSizeOfFiles`
    let head = words.split("_in_").next().and_then(|words| words.split("_of_").next()).unwrap_or_default();
    let last = head.rsplit('_').next().unwrap_or_default();
    let is_measure = MEASURES.contains(&names::singular(last).as_str()) || MEASURES.contains(&last);
    let is_count = noun.ends_with("Count") || is_measure || head::is_unit(last) || head::has_no_noun(noun);
    let is_mass = names::is_singular(last) && names::is_plural(last);
    (matches!(field.ty, Type::Integer { .. }) && !is_count && !is_mass).then_some(noun)
}

/// What to write instead, unless nothing is left of the name.
fn with_proposal(fault: Fault, proposal: &str) -> Fault {
    match proposal {
        "" => fault,
        other if other.is_ascii() => fault.help(format!("write `{other}`")),
        _ => fault.help("use letters from a to z and digits"),
    }
}
