//! The parser and the printer.

use super::super::*;
use proptest::prelude::*;

fn printed(text: &str) -> String {
    parse(text).map_or_else(|mistake| format!("{:?} {}", mistake.span, mistake.message), |expr| expr.to_string())
}

#[test]
fn expressions_have_one_canonical_text() {
    let cases = [
        ("a==b", "a == b"),
        ("a && (b || c)", "a && (b || c)"),
        ("(a && b) || c", "a && b || c"),
        ("!(a == null)", "!(a == null)"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("c ? x : (d ? y : z)", "c ? x : d ? y : z"),
        ("(c ? x : y).z", "(c ? x : y).z"),
        ("'it\\'s' in [\"a\",'b\"']", "\"it's\" in [\"a\", \"b\\\"\"]"),
        ("size(tags)>0", "size(tags) > 0"),
        ("options.exists(o, o.price.amount < 10.50)", "options.exists(o, o.price.amount < 10.50)"),
        ("-5 - -x", "-5 - -x"),
        ("any(Watch.offer, user==caller)", "any(Watch.offer, user == caller)"),
        ("caller . any(M.user,p==outer.p)", "caller.any(M.user, p == outer.p)"),
        ("(seller).count(Offer.seller)<3", "seller.count(Offer.seller) < 3"),
        ("\"\\u0142\\n\"", "\"ł\\n\""),
    ];
    for (text, canonical) in cases {
        assert_eq!(printed(text), canonical, "{text}");
        assert_eq!(printed(canonical), canonical);
    }
}

#[test]
fn mistakes_have_places() {
    let cases = [
        ("", 0..0, "expected a value or a name, found the end"),
        ("a = b", 2..3, "`=` has no meaning here"),
        ("a == ", 5..5, "expected a value or a name, found the end"),
        ("a and b", 2..5, "expected an operator or the end, found `and`"),
        ("(a", 2..2, "expected `)`, found the end"),
        ("\"abc", 0..4, "the text has no closing quote"),
        ("a / 2", 2..3, "`/` has no meaning here"),
        ("12x", 0..3, "`12x` is not a number"),
        ("9223372036854775808", 0..19, "`9223372036854775808` is not a whole number of 64 bits"),
        ("ł", 0..2, "`ł` has no meaning here"),
        ("\"\\q\"", 1..3, "`\\q` is not an escape"),
    ];
    for (text, span, message) in cases {
        let mistake = parse(text).unwrap_err();
        assert_eq!((mistake.span, mistake.message.as_str()), (span, message), "{text}");
    }
}

#[test]
fn conditions_are_bounded() {
    let too_large = |text: String| parse(&text).unwrap_err().code;
    assert_eq!(too_large("a".repeat(MAX_CONDITION_BYTES + 1)), MistakeCode::TooLarge);
    assert_eq!(too_large("(".repeat(MAX_CONDITION_DEPTH + 1)), MistakeCode::TooLarge);
    assert_eq!(too_large("!".repeat(MAX_CONDITION_DEPTH + 2)), MistakeCode::TooLarge);
    assert_eq!(too_large(vec!["a"; MAX_CONDITION_NODES].join("&&")), MistakeCode::TooLarge);
    assert_eq!(too_large(vec!["1"; MAX_CONDITION_DEPTH + 1].join("+")), MistakeCode::TooLarge);
    assert_eq!(too_large(format!("a in [{}]", vec!["1"; MAX_CONDITION_LIST + 1].join(","))), MistakeCode::TooLarge);
}

fn any_expr() -> impl Strategy<Value = Expr> {
    let at = |kind| Expr { span: 0..0, kind };
    let leaf = prop_oneof![
        Just(ExprKind::Null),
        any::<bool>().prop_map(ExprKind::Boolean),
        any::<i64>().prop_map(ExprKind::Integer),
        (-999_999_i64..999_999, 1_u32..6).prop_map(|(units, scale)| ExprKind::Decimal { units, scale }),
        "[ -~ął\n\t]{0,6}".prop_map(ExprKind::Text),
        "[a-h]{1,2}".prop_map(ExprKind::Name),
    ]
    .prop_map(at);
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let operator = prop::sample::select(vec![
            Operator::Or,
            Operator::And,
            Operator::Equal,
            Operator::NotEqual,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
            Operator::In,
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
        ]);
        let arguments = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (operator, boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            boxed.clone().prop_map(ExprKind::Not),
            boxed.clone().prop_map(ExprKind::Negate),
            (boxed.clone(), "[a-h]{1,2}").prop_map(|(a, name)| ExprKind::Member(a, name)),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(c, a, b)| ExprKind::Choose(c, a, b)),
            arguments.clone().prop_map(ExprKind::List),
            (prop::option::of(boxed), "[a-h]{1,2}", arguments).prop_map(|(receiver, function, arguments)| {
                ExprKind::Call { receiver, function, name_span: 0..0, arguments }
            }),
        ]
        .prop_map(at)
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(expr in any_expr()) {
        let text = expr.to_string();
        match parse(&text) {
            Ok(read) => prop_assert_eq!(read, expr, "{}", text),
            Err(mistake) => prop_assert_eq!(mistake.code, MistakeCode::TooLarge, "{} {:?}", text, mistake),
        }
    }

    #[test]
    fn no_text_panics(text in "[a-c0-9.\\\\\"'()\\[\\],?:!=<>&|+* ąu-]{0,60}") {
        if let Ok(expr) = parse(&text) {
            prop_assert_eq!(parse(&expr.to_string()).ok(), Some(expr));
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = super::on_offer(&text);
    }
}
