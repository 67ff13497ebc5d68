//! Models of every type, key and constraint. Names and references fit together, so that many of them hold; the rest is
//! left to chance. Without what the rules find fault with, each of them is a service.

mod repair;

pub use repair::repaired;

use proptest::collection::vec;
use proptest::option::{self, weighted};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use restwell_model::Pattern;
use restwell_model::field::{Allow, Filter, Match};
use restwell_model::language::MATCHES;
use restwell_model::scalar::{Date, Timestamp};
use restwell_model::{
    Access, Announcement, Command, Enum, Field, FieldNotices, Format, Formerly, Object, OnDelete, Operation,
    OperationKind, Resource, Search,
};
use restwell_model::{Secret, Service, Through, Type, Uniqueness, Version, View};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// Words of one thing, and of several.
const NAMES: [(&str, &str); 10] = [
    ("name", "names"),
    ("city", "cities"),
    ("colour", "colours"),
    ("level", "levels"),
    ("comment", "comments"),
    ("seller", "sellers"),
    ("line2", "lines"),
    ("buyNow", "buyNows"),
    ("weight", "weights"),
    ("true", "trues"),
];
const VIEWS: [&str; 2] = ["sale", "pre-sale"];

/// A whole service, which may have faults.
pub fn any_service() -> impl Strategy<Value = Service> {
    let head = (prose(), select(&["service", "acme.shop"][..]), option::of(Just("User".to_owned())));
    // boxed, because such values are large, and are moved on the stack of a test
    let parts = (enumeration().boxed(), object().boxed(), resource("User").boxed(), resource("Offer").boxed());
    (head, parts).prop_map(|((title, vendor, users), (colour, address, user, offer))| {
        let (vendor, resources) = (vendor.to_owned(), vec![user, offer]);
        let mut service = Service {
            title,
            vendor,
            users,
            enums: vec![colour],
            objects: vec![address],
            resources,
            ..Service::new("shop")
        };
        service.sort();
        service
    })
}

fn enumeration() -> impl Strategy<Value = Enum> {
    let values = subsequence(vec!["RED", "NO", "NULL", "A_1", "TRUE"], 1..5);
    (prose(), values, allow()).prop_map(|(description, values, allow)| Enum {
        description,
        allow,
        ..Enum::new("Colour", owned(values))
    })
}

/// Of plain types only: an object in itself would never end.
fn object() -> impl Strategy<Value = Object> {
    (prose(), fields(prop_oneof![scalar(), array(scalar())].boxed()), allow())
        .prop_map(|(description, fields, allow)| Object { description, allow, ..Object::new("Address", fields) })
}

fn resource(name: &'static str) -> impl Strategy<Value = Resource> {
    let old_name = weighted(0.1, Just("Thing".to_owned()));
    let texts = (prose(), select(vec![None, Some("goods")]), old_name, renamed(), allow());
    let references =
        (weighted(0.1, names()), subsequence(vec!["seller"], 0..=1), vec(subsequence(vec!["name", "city"], 2), 0..2));
    let lists = (versions(), subsequence(vec![Version::Beta(1)], 0..=1), end(), announcements());
    let calls = (operations(), views(), any::<bool>(), search(), commands());
    let parts = (texts.boxed(), references.boxed(), lists.boxed(), calls.boxed(), fields(ty()).boxed());
    parts.prop_map(move |(texts, references, lists, calls, fields)| {
        let (description, plural, renamed_from, formerly, allow) = texts;
        let formerly = formerly.map(|former| Formerly { name: format!("Former{name}"), ..former });
        let (owner, under, unique) = references;
        let (versions, retired, (deprecated, sunset), deprecations) = lists;
        let (operations, views, count, search, commands) = calls;
        let base = Resource::new(name);
        let plural = plural.map_or(base.plural, |_| format!("{}-goods", name.to_lowercase()));
        let (under, unique) = (owned(under), unique.into_iter().map(owned).collect());
        Resource {
            name: base.name,
            description,
            plural,
            versions,
            retired,
            deprecated,
            sunset,
            deprecations,
            owner,
            under,
            unique,
            index: Vec::new(),
            operations,
            views,
            count,
            search,
            commands,
            rules: Vec::new(),
            lifecycle: None,
            fields,
            renamed_from: renamed_from.filter(|_| formerly.is_none()),
            formerly,
            allow,
            ..base
        }
    })
}

/// Parts that it may or may not have.
fn announcements() -> impl Strategy<Value = Vec<Announcement>> {
    let parts = subsequence(vec!["operations.delete", "count", "fields.name.filter"], 0..3);
    (weighted(0.1, parts), end()).prop_map(|(parts, (_, sunset))| {
        let announced = |what: &str| Announcement { what: what.to_owned(), sunset };
        parts.unwrap_or_default().into_iter().map(announced).collect()
    })
}

fn commands() -> impl Strategy<Value = Vec<Command>> {
    let one =
        (prose(), access(), fields(ty()), fields(ty()), select(vec!["PT30S", "P1D"]), any::<bool>(), end(), renamed());
    let one = (one, allow()).prop_map(|(one, allow)| {
        let (description, access, input, output, timeout, ready, (deprecated, sunset), formerly) = one;
        let base = Command::new("");
        Command {
            description,
            access,
            open_by_default: false,
            input,
            output,
            timeout: timeout.to_owned(),
            ready,
            deprecated,
            sunset,
            formerly,
            allow,
            ..base
        }
    });
    vec(one, 0..2).prop_map(|all| {
        let command = |(one, name): (Command, &str)| {
            let formerly = one.formerly.map(|former| Formerly { name: format!("former-{name}"), ..former });
            Command { name: name.to_owned(), formerly, ..one }
        };
        all.into_iter().zip(["renew", "null"]).map(command).collect()
    })
}

fn views() -> impl Strategy<Value = Vec<View>> {
    let through = || weighted(0.1, Just(Through { resource: "Offer".to_owned(), field: "seller".to_owned() }));
    let one = (operations(), through(), renamed(), allow());
    vec(one, 0..=VIEWS.len()).prop_map(|all| {
        let view = |((operations, through, formerly, allow), name): ((_, _, Option<Formerly>, _), &str)| View {
            name: name.to_owned(),
            path: format!("/{name}/things"),
            filter: None,
            through,
            operations,
            formerly: formerly.map(|former| Formerly { name: format!("former-{name}"), ..former }),
            notice: None,
            allow,
        };
        all.into_iter().zip(VIEWS).map(view).collect()
    })
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    (subsequence(&OperationKind::ALL[..], 1..=6), vec((access(), rarely()), 6)).prop_map(|(kinds, more)| {
        let operation = |(kind, (access, is_async))| Operation { access, is_async, ..Operation::open(kind) };
        kinds.into_iter().zip(more).map(operation).collect()
    })
}

fn access() -> impl Strategy<Value = Vec<Access>> {
    let scope = Access::Scope("offers.admin#1".to_owned());
    select(vec![
        vec![Access::Anyone],
        vec![Access::User],
        vec![scope.clone()],
        vec![Access::Owner, scope],
        vec![Access::User, Access::Owner],
    ])
}

fn search() -> impl Strategy<Value = Search> {
    prop_oneof![4 => Just(Search::None), 1 => Just(Search::All), 1 => vec(names(), 0..2).prop_map(Search::Fields)]
}

fn versions() -> impl Strategy<Value = Vec<Version>> + Clone {
    select(vec![
        vec![Version::Public],
        vec![Version::Public, Version::Beta(2)],
        vec![Version::Beta(2), Version::Beta(65535)],
    ])
}

fn fields(ty: BoxedStrategy<Type>) -> impl Strategy<Value = Vec<Field>> {
    subsequence(&NAMES[..], 0..4).prop_flat_map(move |names| {
        names.into_iter().map(|(one, several)| field(one, several, ty.clone()).boxed()).collect::<Vec<_>>()
    })
}

fn field(one: &'static str, several: &'static str, ty: BoxedStrategy<Type>) -> impl Strategy<Value = Field> {
    let flags = [rarely(), rarely(), rarely(), rarely(), rarely(), rarely(), rarely()];
    let words: Vec<Match> = MATCHES.iter().map(|(_, it)| *it).collect();
    let matches = weighted(0.2, subsequence(words, 1..=MATCHES.len()));
    let lists =
        (weighted(0.05, Just(vec!["sale".to_owned()])), weighted(0.05, versions()), end(), matches, any::<bool>());
    let texts = (
        prose(),
        weighted(0.05, Just("Red bicycle".to_owned())),
        (weighted(0.05, Just("former".to_owned())), weighted(0.05, former_name())),
        allow(),
        weighted(0.05, Just(Secret::Argon2)),
    );
    ty.prop_flat_map(|ty| (weighted(0.2, value(&ty)), weighted(0.2, value(&ty)), Just(ty))).prop_flat_map(
        move |(default, example, ty)| {
            let name = if matches!(ty, Type::Array { .. }) { several } else { one };
            (flags.clone(), lists.clone(), texts.clone()).prop_map(move |(flags, lists, texts)| {
                let [required, immutable, read_only, write_only, filter, sort, unique] = flags;
                let (views, versions, (deprecated, sunset), matches, ignores_case) = lists;
                let filter = matches.filter(|_| filter).map_or(filter.into(), Filter::With);
                let (description, placeholder, (renamed_from, formerly), allow, secret) = texts;
                let unique = match ty {
                    Type::String { .. } if unique && ignores_case => Uniqueness::IgnoreCase,
                    _ => unique.into(),
                };
                let (name, ty) = (name.to_owned(), ty.clone());
                let (default, example) = (default.clone(), example.clone());
                Field {
                    name,
                    ty,
                    required,
                    required_when: None,
                    default,
                    default_is: None,
                    computed: None,
                    immutable,
                    read_only,
                    write_only,
                    secret,
                    visible: Vec::new(),
                    writable: Vec::new(),
                    filter,
                    sort,
                    unique,
                    views,
                    versions,
                    placeholder,
                    deprecated,
                    sunset,
                    description,
                    example,
                    renamed_from,
                    formerly,
                    notices: FieldNotices::default(),
                    allow,
                }
            })
        },
    )
}

/// Whether a part has a former name, which follows from its own.
fn renamed() -> impl Strategy<Value = Option<Formerly>> + Clone {
    weighted(0.2, former_name())
}

fn former_name() -> impl Strategy<Value = Formerly> + Clone {
    let day = Date::parse("2027-06-30").expect("a day");
    select(vec!["former", "name"]).prop_map(move |name| Formerly::new(name, day))
}

fn ty() -> BoxedStrategy<Type> {
    let shared = select(vec!["Colour", "Address"]).prop_map(|name| Type::Named { name: name.to_owned() });
    let one = prop_oneof![6 => scalar(), 1 => reference(), 1 => shared].boxed();
    let one = prop_oneof![12 => one, 1 => map()].boxed();
    prop_oneof![4 => one.clone(), 1 => array(one)].boxed()
}

fn map() -> impl Strategy<Value = Type> {
    let shared = Just(Type::Named { name: "Colour".to_owned() });
    let pattern = option::of(select(vec!["^[a-z]+$", "\"\\d+'"]));
    (prop_oneof![4 => scalar(), 1 => shared], bounds(0..9_u32), pattern).prop_map(
        |(values, (min_items, max_items), pattern)| Type::Map {
            values: Box::new(values),
            min_items,
            max_items: max_items.map(|max| max + 1),
            pattern: pattern.map(Pattern::from),
        },
    )
}

fn array(items: impl Strategy<Value = Type>) -> impl Strategy<Value = Type> {
    (items, bounds(0..9_u32), any::<bool>()).prop_map(|(items, (min_items, max_items), unique_items)| Type::Array {
        items: Box::new(items),
        min_items,
        max_items: max_items.map(|max| max + 1),
        unique_items,
    })
}

fn reference() -> impl Strategy<Value = Type> {
    let on_delete = select(vec![OnDelete::Restrict, OnDelete::Cascade, OnDelete::Null]);
    (select(vec!["User", "Offer"]), subsequence(vec!["createdAt"], 0..=1), on_delete)
        .prop_map(|(to, show, on_delete)| Type::Ref { to: to.to_owned(), show: owned(show), on_delete })
}

fn scalar() -> impl Strategy<Value = Type> {
    let pattern = option::of(select(vec!["^[A-Z]{3}-[0-9]{2}$", "\"\\d+'", "a # b"]));
    let format = option::of(select(vec![Format::Email, Format::Uri]));
    let decimal = || bounds((-99_999..99_999_i64).prop_map(|digits| Decimal::new(digits, 2)));
    let amount = || bounds((0..99_999_i64).prop_map(|digits| Decimal::new(digits, 2)));
    let currencies = subsequence(vec!["PLN".to_owned(), "EUR".to_owned()], 0..=2);
    let times =
        ["0001-01-01T00:00:00.000Z", "2027-06-30T12:00:00.001Z"].map(|text| Timestamp::parse(text).expect("a time"));
    prop_oneof![
        (bounds(1..99_u32), pattern, format).prop_map(|((min_length, max_length), pattern, format)| Type::String {
            min_length,
            max_length,
            pattern: pattern.map(Pattern::from),
            format,
        }),
        bounds(any::<i64>()).prop_map(|(minimum, maximum)| Type::Integer { minimum, maximum }),
        bounds(prop::num::f64::NORMAL).prop_map(|(minimum, maximum)| Type::Number { minimum, maximum }),
        (decimal(), 2..6_u32).prop_map(|((minimum, maximum), scale)| Type::Decimal { minimum, maximum, scale }),
        (amount(), currencies).prop_map(|((minimum, maximum), currencies)| Type::Price {
            minimum,
            maximum,
            currencies
        }),
        bounds(select(times.to_vec())).prop_map(|(minimum, maximum)| Type::Timestamp { minimum, maximum }),
        bounds(date()).prop_map(|(minimum, maximum)| Type::Date { minimum, maximum }),
        option::of(select(vec![4_u32, 1000])).prop_map(|max_bytes| Type::Json { max_bytes }),
        select(vec![
            Type::Boolean,
            Type::Uuid,
            Type::Time,
            Type::Duration,
            Type::Country,
            Type::Language,
            Type::Currency,
            Type::Timezone,
            Type::Phone,
        ]),
    ]
}

/// None, one or two bounds, in order.
fn bounds<T: PartialOrd + Clone + std::fmt::Debug>(
    value: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = (Option<T>, Option<T>)> {
    (option::of(value.clone()), option::of(value)).prop_map(|(one, other)| match (one, other) {
        (Some(one), Some(other)) if one > other => (Some(other), Some(one)),
        bounds => bounds,
    })
}

/// A value of a type.
fn value(ty: &Type) -> BoxedStrategy<Value> {
    match ty {
        Type::Integer { .. } => any::<i64>().prop_map(Value::from).boxed(),
        Type::Number { .. } => prop::num::f64::NORMAL.prop_map(Value::from).boxed(),
        Type::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        Type::Decimal { .. } => select(vec![json!("1.50"), json!("-0.00"), json!("12")]).boxed(),
        Type::Price { .. } => {
            select(vec![json!({ "amount": "5.00", "currency": "PLN" }), json!({ "amount": "9" })]).boxed()
        }
        Type::Array { items, .. } => vec(value(items), 0..3).prop_map(Value::from).boxed(),
        Type::Map { values, .. } => (vec(value(values), 0..3), select(vec!["", "a"]))
            .prop_map(|(values, name)| {
                let named =
                    values.into_iter().enumerate().map(|(n, value)| (format!("{name}{}", "b".repeat(n)), value));
                Value::Object(named.collect())
            })
            .boxed(),
        Type::Json { .. } => select(vec![json!({}), json!({ "a": [1, null, "x"] }), json!("x"), json!(false)]).boxed(),
        Type::Named { name } if name == "Address" => {
            select(vec![json!({}), json!({ "country": "NO", "number": [1.5, { "a": null }] })]).boxed()
        }
        _ => select(vec!["RED", "P2D", "NO", "2027-06-30", "12:00:00.000", "# \u{1f332}\n", "1.50"])
            .prop_map(Value::from)
            .boxed(),
    }
}

/// Whether it goes away, and when.
fn end() -> impl Strategy<Value = (bool, Option<Date>)> + Clone {
    prop_oneof![9 => Just((false, None)), 1 => (any::<bool>(), weighted(0.5, date()))]
}

fn date() -> impl Strategy<Value = Date> + Clone {
    select(["0001-01-01", "2027-06-30"].map(|text| Date::parse(text).expect("a date")).to_vec())
}

/// Texts of one line and of several, without blanks at the ends of lines.
fn prose() -> impl Strategy<Value = Option<String>> + Clone {
    weighted(0.2, "[a-z#:|>'\"{}\\[\\],&*!%@\\\\é🌲-]{1,60}( [a-z#?-]{1,40}){0,3}(\n\n?  [a-z#]{1,9}){0,2}")
}

fn allow() -> impl Strategy<Value = Allow> + Clone {
    prop_oneof![
        9 => Just(Allow::new()),
        1 => Just(Allow::from([("plural-array".to_owned(), "data is the domain's \"word\"".to_owned())])),
    ]
}

fn names() -> impl Strategy<Value = String> {
    select(&NAMES[..]).prop_map(|(one, _)| one.to_owned())
}

fn rarely() -> impl Strategy<Value = bool> + Clone {
    prop::bool::weighted(0.08)
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}
