//! Checking any description ends without a panic, with the same result each time.

use crate::check::Checked;
use crate::field::{Field, OnDelete, Type};
use crate::pattern::Pattern;
use crate::resource::{Access, Command, Operation, OperationKind, Resource, Search, Through, Version, View};
use crate::service::{Enum, Object, Service};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use rust_decimal::Decimal;

/// Few words, so that names meet.
const WORDS: [&str; 18] = [
    "Offer",
    "User",
    "Colour",
    "Address",
    "offer",
    "seller",
    "sellerId",
    "names",
    "name",
    "buyNow",
    "buyNowAmount",
    "id",
    "self",
    "offers",
    "",
    "a b",
    "ÄÖ",
    "sale",
];

fn word() -> impl Strategy<Value = String> {
    select(&WORDS[..]).prop_map(str::to_owned)
}

fn words() -> impl Strategy<Value = Vec<String>> {
    vec(word(), 0..3)
}

fn scalar() -> impl Strategy<Value = Type> {
    let decimal =
        || option::of((any::<i64>(), 0..30_u32).prop_map(|(digits, scale)| Decimal::new(digits, scale.min(28))));
    let text = (option::of(0..4_u32), option::of(0..4_u32), option::of(select(vec!["[", "a{2}", "a{999}{999}"])));
    prop_oneof![
        text.prop_map(|(min_length, max_length, pattern)| Type::String {
            min_length,
            max_length,
            pattern: pattern.map(Pattern::from),
            format: None,
        }),
        (any::<Option<f64>>(), any::<Option<f64>>()).prop_map(|(minimum, maximum)| Type::Number { minimum, maximum }),
        (decimal(), decimal(), 0..40_u32).prop_map(|(minimum, maximum, scale)| Type::Decimal {
            minimum,
            maximum,
            scale
        }),
        (decimal(), decimal(), words()).prop_map(|(minimum, maximum, currencies)| Type::Price {
            minimum,
            maximum,
            currencies
        }),
        (word(), words(), select(vec![OnDelete::Restrict, OnDelete::Cascade, OnDelete::Null]))
            .prop_map(|(to, show, on_delete)| Type::Ref { to, show, on_delete }),
        word().prop_map(|name| Type::Named { name }),
        option::of(0..1_000_000_u32).prop_map(|max_bytes| Type::Json { max_bytes }),
        select(vec![Type::Boolean, Type::Duration, Type::Time, Type::Uuid]),
    ]
}

fn ty() -> impl Strategy<Value = Type> {
    scalar().prop_recursive(3, 6, 1, |items| {
        (items, option::of(0..4_u32), option::of(0..4_u32), any::<bool>(), any::<bool>()).prop_map(
            |(items, min_items, max_items, unique_items, is_map)| match is_map {
                false => Type::Array { items: Box::new(items), min_items, max_items, unique_items },
                true => Type::Map { values: Box::new(items), min_items, max_items, pattern: None },
            },
        )
    })
}

fn field() -> impl Strategy<Value = Field> {
    let json = option::of(select(vec![
        serde_json::json!(null),
        serde_json::json!(1e300),
        serde_json::json!("NEW"),
        serde_json::json!({ "id": [] }),
        serde_json::json!([[1], { "name": {} }]),
    ]));
    let lists = (option::of(words()), option::of(vec(version(), 0..2)), option::of(word()));
    (word(), ty(), any::<[bool; 8]>(), json.clone(), json, lists).prop_map(
        |(name, ty, flags, default, example, (views, versions, renamed_from))| {
            let [required, immutable, read_only, write_only, filter, sort, unique, deprecated] = flags;
            let field = Field::new(&name, ty);
            Field {
                required,
                immutable,
                read_only,
                write_only,
                filter: filter.into(),
                sort,
                unique: unique.into(),
                deprecated,
                default,
                example,
                views,
                versions,
                renamed_from,
                ..field
            }
        },
    )
}

fn version() -> impl Strategy<Value = Version> {
    select(vec![Version::Public, Version::Beta(0), Version::Beta(1), Version::Beta(2)])
}

fn operation() -> impl Strategy<Value = Operation> {
    let access = select(vec![Access::Anyone, Access::User, Access::Owner, Access::Scope("a b".to_owned())]);
    (select(&OperationKind::ALL[..]), vec(access, 0..3), any::<bool>()).prop_map(|(kind, access, is_async)| Operation {
        access,
        is_async,
        ..Operation::with_default_access(kind)
    })
}

fn view() -> impl Strategy<Value = View> {
    let path = select(vec!["", "/", "/offers", "/offers/x", "sale", "/docs/x", "//", "/sale/offers"]);
    let through = option::of((word(), word()).prop_map(|(resource, field)| Through { resource, field }));
    (word(), path, through, vec(operation(), 0..3)).prop_map(|(name, path, through, operations)| View {
        filter: None,
        name,
        path: path.to_owned(),
        through,
        operations,
        formerly: None,
        notice: None,
        allow: Default::default(),
    })
}

fn command() -> impl Strategy<Value = Command> {
    (word(), vec(field(), 0..2), vec(field(), 0..2), word()).prop_map(|(name, input, output, timeout)| Command {
        input,
        output,
        timeout,
        ..Command::new(&name)
    })
}

fn resource() -> impl Strategy<Value = Resource> {
    let search = prop_oneof![Just(Search::None), Just(Search::All), words().prop_map(Search::Fields)];
    let lists = (words(), vec(words(), 0..2), vec(version(), 0..3), vec(version(), 0..2));
    let parts = (vec(operation(), 0..4), vec(view(), 0..2), vec(command(), 0..2), vec(field(), 0..5));
    (word(), word(), option::of(word()), search, lists, parts).prop_map(
        |(name, plural, owner, search, lists, parts)| {
            let (under, unique, versions, retired) = lists;
            let (operations, views, commands, fields) = parts;
            let base = Resource::new(&name);
            Resource {
                plural,
                owner,
                search,
                under,
                unique,
                versions,
                retired,
                operations,
                views,
                commands,
                fields,
                ..base
            }
        },
    )
}

fn service() -> impl Strategy<Value = Service> {
    let enums = vec((word(), words()), 0..2).prop_map(|all| {
        let make = |(name, values): (String, _)| Enum::new(&name, values);
        all.into_iter().map(make).collect()
    });
    let objects = vec((word(), vec(field(), 0..3)), 0..4).prop_map(|all| {
        let make = |(name, fields): (String, _)| Object::new(&name, fields);
        all.into_iter().map(make).collect()
    });
    (word(), option::of(word()), enums, objects, vec(resource(), 0..4)).prop_map(
        |(name, users, enums, objects, resources)| Service { users, enums, objects, resources, ..Service::new(&name) },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn checking_comes_to_an_end_and_says_the_same_again(service in service()) {
        prop_assert_eq!(Checked::new(service.clone()), Checked::new(service));
    }

    #[test]
    fn every_fault_of_anything_has_a_message_and_a_help(service in service()) {
        for fault in Checked::new(service).err().unwrap_or_default() {
            prop_assert!(!fault.message.is_empty() && !fault.message.ends_with('.'), "{:?}", fault);
        }
    }
}
