//! For any bytes, the result is diagnostics or a service, never a panic; and the tree is what YAML specifies.

use proptest::prelude::*;
use restwell_generator::yaml::scalar::{Scalar, resolve};
use restwell_generator::yaml::{self, Node, NodeKind};
use restwell_generator::{File, compile, emit, render};

const OFFER: &str = include_str!("../golden/every-key/schemas/offer.yaml");

/// Goes all the way, rendering what is found.
fn try_out(bytes: Vec<u8>) {
    try_out_as("a.yaml", bytes);
}

fn try_out_as(name: &str, bytes: Vec<u8>) {
    let service = File::new("service.yaml", "service: shop\nusers: User\n");
    let user = File::new("user.yaml", "resource: User\nfields: { name: { type: string } }\n");
    let compiled = compile(&[File::new(name, bytes), service, user]);
    for diagnostic in &compiled.diagnostics {
        assert!(!render::text(diagnostic, &compiled.sources, false).is_empty());
        assert!(!render::json(diagnostic, &compiled.sources).is_empty());
    }
    match &compiled.service {
        Some((service, origins)) => {
            drop(emit(service, origins, &compiled.messages, &[]).expect("what is emitted is Rust"));
        }
        None => assert!(!compiled.diagnostics.is_empty(), "refused without a diagnostic"),
    }
}

/// Bits of which schemas are made, and of which trouble is.
fn fragment() -> impl Strategy<Value = String> {
    let words = [
        "resource: Offer\n",
        "fields:\n",
        "  name: ",
        "{ type: string }\n",
        "{ type: ",
        "ref, to: User }\n",
        "[",
        "]",
        "{",
        "}",
        ",",
        ": ",
        "\n",
        "  ",
        "\t",
        "- ",
        "&a ",
        "*a",
        "!!str ",
        "<<: *a\n",
        "|\n",
        ">-\n",
        "\"",
        "'",
        "#",
        "---\n",
        "...\n",
        "? ",
        "%YAML 1.2\n",
        "null",
        "~",
        "żółć",
        "日本",
        "\u{feff}",
        "\0",
        "\r\n",
        "\u{85}",
        "operations: [list]\n",
        "access: owner\n",
        "allow: { plural-array: \"\" }\n",
        "0x",
        "1e400",
        "default: ",
    ];
    prop::sample::select(words.map(str::to_owned).to_vec())
}

/// Bits of which messages are made.
fn message_fragment() -> impl Strategy<Value = String> {
    let words = [
        "TooLong = ",
        "A = b\n",
        "-t = ",
        "{ ",
        " }",
        "{",
        "}",
        "{ $maxLength }",
        "{ -t }",
        "{ $x ->\n",
        "    [one] ",
        "   *[other] ",
        "\n",
        "    ",
        "# ",
        ".a = b",
        "User_name_TooLong = ",
        "NUMBER(",
        ")",
        "\"",
        "\\u00",
        "żółć",
        "\u{feff}",
        "\r\n",
        "=",
        "_",
        "\t",
        "\0",
        "日本",
        "{ \"{\" }",
    ];
    prop::sample::select(words.map(str::to_owned).to_vec())
}

/// A value that YAML can write, with text keys.
fn value() -> impl Strategy<Value = serde_yaml::Value> {
    let leaf = prop_oneof![
        Just(serde_yaml::Value::Null),
        any::<bool>().prop_map(serde_yaml::Value::from),
        any::<i64>().prop_map(serde_yaml::Value::from),
        "[ -~żółć\n]{0,12}".prop_map(serde_yaml::Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_yaml::Value::from),
            prop::collection::btree_map("[a-zA-Zż]{1,8}", inner, 0..5).prop_map(|map| {
                serde_yaml::Value::Mapping(map.into_iter().map(|(key, value)| (key.into(), value)).collect())
            }),
        ]
    })
}

/// The tree as values.
fn to_value(node: &Node) -> serde_yaml::Value {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(to_value).collect::<Vec<_>>().into(),
        NodeKind::Mapping(entries) => {
            let pairs = entries.iter().map(|entry| (entry.key.text.as_str().into(), to_value(&entry.value)));
            serde_yaml::Value::Mapping(pairs.collect())
        }
        NodeKind::Scalar { .. } | NodeKind::Refused => match resolve(node) {
            Some(Scalar::Bool(value)) => value.into(),
            Some(scalar @ Scalar::Integer(_)) => scalar.integer().unwrap().into(),
            Some(scalar @ Scalar::Float(_)) => scalar.number().unwrap().into(),
            Some(Scalar::String(text)) => text.into(),
            Some(Scalar::Null) | None => serde_yaml::Value::Null,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_out(bytes);
    }

    #[test]
    fn any_bytes_of_messages_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        try_out_as("messages/en.ftl", bytes);
    }

    #[test]
    fn any_fragments_of_messages_are_answered(fragments in prop::collection::vec(message_fragment(), 0..30)) {
        try_out_as("messages/pl.ftl", fragments.concat().into_bytes());
    }

    #[test]
    fn any_fragments_of_schemas_are_answered(fragments in prop::collection::vec(fragment(), 0..30)) {
        try_out(fragments.concat().into_bytes());
    }

    #[test]
    fn a_schema_with_any_bytes_replaced_is_answered(
        at in 0..OFFER.len(), length in 0..20_usize, bytes in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let mut text = OFFER.as_bytes().to_vec();
        text.splice(at..(at + length).min(OFFER.len()), bytes);
        try_out(text);
    }

    #[test]
    fn a_schema_with_any_two_lines_swapped_is_answered(
        first in 0..OFFER.lines().count(), second in 0..OFFER.lines().count(),
    ) {
        let mut lines: Vec<&str> = OFFER.lines().collect();
        lines.swap(first, second);
        try_out(lines.join("\n").into_bytes());
    }

    #[test]
    fn the_tree_is_what_another_reader_sees(value in value()) {
        let text = serde_yaml::to_string(&value).unwrap();
        let (_, node, diagnostics) = yaml::read(0, &File::new("a.yaml", text.as_str()));
        match node {
            Some(node) => {
                prop_assert!(diagnostics.is_empty(), "{:?}\n{}", diagnostics, text);
                prop_assert_eq!(to_value(&node), value, "{}", text);
            }
            None => prop_assert!(value.is_null(), "{:?}\n{}", diagnostics, text),
        }
    }
}

#[test]
fn deep_nesting_is_refused_and_costs_no_stack() {
    for opening in ["[", "{a: ", "- "] {
        let compiled = compile(&[File::new("a.yaml", opening.repeat(100_000))]);
        assert!(compiled.service.is_none());
        assert!(!compiled.diagnostics.is_empty());
    }
}

#[test]
fn a_large_file_is_refused() {
    let compiled = compile(&[File::new("a.yaml", vec![b' '; yaml::MAX_BYTES + 1])]);
    assert!(compiled.diagnostics[0].message.contains("bytes"));
    let messages = compile(&[File::new("en.ftl", vec![b' '; yaml::MAX_BYTES + 1])]);
    assert!(messages.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("bytes")));
}
