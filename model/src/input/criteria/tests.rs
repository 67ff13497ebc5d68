//! Reading the data of a search: what becomes of each way to write a criterion.

use super::{Bound, Criteria, CriterionTest, MAX_OBJECTS, MAX_VALUES, Search, Sought};
use crate::check::Checked;
use crate::error::ErrorCode;
use crate::field::{Field, Filter, Match, Type};
use crate::resource::{self, Resource};
use crate::service::{Object, Service};
use crate::value::Value;

fn text() -> Type {
    Type::String { min_length: None, max_length: None, pattern: None, format: None }
}

fn integer() -> Type {
    Type::Integer { minimum: None, maximum: None }
}

fn filterable(name: &str, ty: Type) -> Field {
    Field { filter: Filter::On, ..Field::new(name, ty) }
}

fn list(items: Type) -> Type {
    Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false }
}

fn criteria(search: resource::Search) -> Option<Criteria> {
    let fields = vec![Field::new("name", text()), Field::new("values", list(text()))];
    let mut service = Service::new("shop");
    service.objects = vec![Object::new("Group", fields)];
    let group = || Type::Named { name: "Group".to_owned() };
    let mut offer = Resource::new("Offer");
    offer.search = search;
    offer.fields = vec![
        filterable("name", text()),
        filterable("stock", integer()),
        Field::new("note", text()),
        filterable("buyNow", Type::Price { minimum: None, maximum: None, currencies: Vec::new() }),
        Field::new("tags", list(text())),
        Field::new("groups", list(group())),
        filterable("hidden", text()),
        Field { filter: Filter::With(vec![Match::Not, Match::StartsWith]), ..Field::new("code", text()) },
    ];
    service.resources = vec![offer];
    let service = Checked::new(service).expect("no mistake");
    Criteria::compile(&service, &service.resources[0], &|field| field.name != "hidden")
}

fn all() -> Criteria {
    criteria(resource::Search::All).expect("a search")
}

#[track_caller]
fn read(body: &str) -> Search {
    all().read(body.as_bytes()).expect("JSON")
}

#[track_caller]
fn condition(body: &str, index: usize) -> CriterionTest {
    let search = read(body);
    assert_eq!(search.problems, []);
    search.conditions[index].clone()
}

fn value(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn criteria_are_what_can_be_searched_for() {
    let names = |criteria: &Criteria| criteria.iter().map(|c| c.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&all()), ["name", "stock", "buyNow", "tags", "groups", "code"]);
    let groups = all().iter().find(|criterion| criterion.name() == "groups").map(|c| c.sought().clone());
    assert!(matches!(groups, Some(Sought::Objects(inner)) if names(&inner) == ["name", "values"]));
    let chosen = criteria(resource::Search::Fields(vec!["groups".to_owned(), "name".to_owned()])).expect("a search");
    assert_eq!(names(&chosen), ["name", "groups"]);
    assert!(criteria(resource::Search::None).is_none());
}

#[test]
fn paths_of_criteria() {
    for path in ["limit", "name", "buyNow", "buyNow.amount", "groups", "groups.values"] {
        assert!(all().has(path), "{path}");
    }
    for path in ["note", "hidden", "buyNow.net", "name.x", "groups.0", "", "."] {
        assert!(!all().has(path), "{path}");
    }
}

#[test]
fn ways_to_write_a_criterion() {
    let one_of = |values: &[&str], is_listed| {
        let values = values.iter().map(|text| value(text)).collect();
        CriterionTest::OneOf { values, is_listed }
    };
    assert_eq!(condition(r#"{"name":"a"}"#, 0), one_of(&["a"], false));
    assert_eq!(condition(r#"{"name":["a","b"]}"#, 0), one_of(&["a", "b"], true));
    let range = CriterionTest::Range {
        bounds: vec![(Bound::Gt, Value::Int(1)), (Bound::Lte, Value::Int(5))],
        matches: vec![],
        is_null: None,
    };
    assert_eq!(condition(r#"{"stock":{"lte":5,"gt":1}}"#, 1), range);
    assert_eq!(
        condition(r#"{"name":{"isNull":true}}"#, 0),
        CriterionTest::Range { bounds: vec![], matches: vec![], is_null: Some(true) }
    );
    let group = |values| CriterionTest::Object(vec![CriterionTest::Anything, values]);
    let groups = CriterionTest::Objects(vec![group(one_of(&["x"], true)), group(CriterionTest::Anything)]);
    assert_eq!(condition(r#"{"groups":[{"values":["x"]},{}]}"#, 4), groups);
    assert_eq!(condition(r#"{"tags":"a"}"#, 3), one_of(&["a"], false));
    assert_eq!(condition(r#"{"tags":["a","b"]}"#, 3), one_of(&["a", "b"], true));
    let matched = |it, values: &[&str]| {
        let values = values.iter().map(|text| value(text)).collect();
        CriterionTest::Range { bounds: vec![], matches: vec![(it, values)], is_null: None }
    };
    assert_eq!(condition(r#"{"code":{"not":["a","b"],"startsWith":" "}}"#, 5), matched(Match::Not, &["a", "b"]));
    assert_eq!(condition(r#"{"code":{"startsWith":"a","not":[]}}"#, 5), matched(Match::StartsWith, &["a"]));
    let search = read(r#"{"limit":3,"offset":0}"#);
    assert_eq!((search.limit, search.offset), (Some(3), Some(0)));
}

#[test]
fn no_criterion() {
    for blank in ["null", r#""""#, r#""  ""#, "[]", "[ \n]", "{}"] {
        for name in ["name", "stock", "buyNow"] {
            let search = read(&format!(r#"{{"{name}":{blank}}}"#));
            assert_eq!(search.problems, [], "{name} {blank}");
            assert!(!search.conditions.iter().any(CriterionTest::is_given), "{name} {blank}");
        }
    }
}

#[test]
fn no_order_no_range() {
    let search = read(r#"{"name":{"gt":"a","isNul":true}}"#);
    let found: Vec<_> = search.problems.iter().map(|p| (p.code, p.path.as_deref().unwrap_or_default())).collect();
    assert_eq!(found, [(ErrorCode::UnknownProperty, "name.gt"), (ErrorCode::UnknownProperty, "name.isNul")]);
    assert_eq!(search.problems[1].details.get("nearest"), Some(&"isNull".into()));
    let search = read(r#"{"name":{"not":"a"},"code":{"contains":"a","startsWith":["a"]}}"#);
    let found: Vec<_> = search.problems.iter().map(|p| (p.code, p.path.as_deref().unwrap_or_default())).collect();
    let wrong = (ErrorCode::WrongType, "code.startsWith");
    assert_eq!(found, [wrong, (ErrorCode::UnknownProperty, "name.not"), (ErrorCode::UnknownProperty, "code.contains")]);
}

#[test]
fn bounds_are_reported_once() {
    let values = vec!["1"; MAX_VALUES + 10].join(",");
    let search = read(&format!(r#"{{"stock":[{values}]}}"#));
    let paths: Vec<_> = search.problems.iter().filter_map(|problem| problem.path.as_deref()).collect();
    assert_eq!(paths, [format!("stock.{MAX_VALUES}")]);
    let objects = vec!["{}"; MAX_OBJECTS + 10].join(",");
    let search = read(&format!(r#"{{"groups":[{objects}]}}"#));
    let paths: Vec<_> = search.problems.iter().filter_map(|problem| problem.path.as_deref()).collect();
    assert_eq!(paths, [format!("groups.{MAX_OBJECTS}")]);
}

#[test]
fn malformed() {
    for body in
        ["", "{", r#"{"name":1,"name":2}"#, r#"{"stock":[{"a":1,"a":2}]}"#, r#"{"groups":[{"name":1,"name":2}]}"#]
    {
        assert!(all().read(body.as_bytes()).is_err(), "{body}");
    }
    let deep = format!(r#"{{"name":{}1{}}}"#, "[".repeat(64), "]".repeat(64));
    assert!(all().read(deep.as_bytes()).is_err());
}
