//! What users read, in the languages of a service.

use super::*;
use http::{HeaderMap, HeaderValue, header};
use restwell_model::{ErrorCode, Problem, Service};

fn messages(files: &[(&str, &str)]) -> Result<Messages, String> {
    let owned =
        |(language, text): &(&str, &str)| CustomMessages { language: (*language).to_owned(), text: (*text).to_owned() };
    let model = Checked::new(Service::new("shop")).expect("an empty service breaks no rule");
    Messages::new(&model, &files.iter().map(owned).collect::<Vec<_>>())
}

/// The translations, and the value of `Content-Language`.
fn translated(messages: &Messages, accept_language: &str, problems: &[Problem]) -> (Vec<String>, String) {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::try_from(accept_language).unwrap());
    let mut reader = Reader::new(messages, &headers, None);
    let texts = problems.iter().map(|problem| reader.translate(problem)).collect();
    (texts, reader.content_language().to_str().unwrap().to_owned())
}

#[track_caller]
fn says(messages: &Messages, accept_language: &str, problem: Problem, text: &str, content_language: &str) {
    let expected = (vec![text.to_owned()], content_language.to_owned());
    assert_eq!(translated(messages, accept_language, &[problem]), expected);
}

#[test]
fn polish_counts_in_its_four_ways() {
    let messages = messages(&[]).unwrap();
    for (count, text) in [
        (1, "Wpisz najwyżej 1 znak."),
        (2, "Wpisz najwyżej 2 znaki."),
        (5, "Wpisz najwyżej 5 znaków."),
        (12, "Wpisz najwyżej 12 znaków."),
        (22, "Wpisz najwyżej 22 znaki."),
    ] {
        says(&messages, "pl", Problem::new(ErrorCode::TooLong).with("maxLength", count), text, "pl-PL");
    }
    let half = Problem::new(ErrorCode::TooLong).with("maxLength", 1.5);
    says(&messages, "pl", half, "Wpisz najwyżej 1.5 znaku.", "pl-PL");
    let one = Problem::new(ErrorCode::TooFewItems).with("minItems", 1);
    says(&messages, "en", one, "Please add at least 1 item.", "en-US");
}

#[test]
fn languages_count_in_their_ways() {
    let cases: [(&str, &[(f64, &str)]); 12] = [
        ("ro", &[(0.0, "few"), (1.0, "one"), (19.0, "few"), (20.0, "other"), (101.0, "few"), (120.0, "other")]),
        ("lt", &[(1.0, "one"), (2.0, "few"), (10.0, "other"), (11.0, "other"), (21.0, "one"), (1.5, "many")]),
        ("ar", &[(0.0, "zero"), (2.0, "two"), (3.0, "few"), (11.0, "many"), (100.0, "other"), (103.0, "few")]),
        ("be", &[(1.0, "one"), (2.0, "few"), (5.0, "many"), (11.0, "many"), (21.0, "one"), (22.0, "few")]),
        ("br", &[(1.0, "one"), (2.0, "two"), (3.0, "few"), (5.0, "other"), (22.0, "two"), (1e6, "many")]),
        ("he", &[(1.0, "one"), (2.0, "two"), (3.0, "other"), (20.0, "other"), (0.5, "one")]),
        ("mt", &[(0.0, "few"), (1.0, "one"), (2.0, "two"), (3.0, "few"), (11.0, "many"), (20.0, "other")]),
        ("fr", &[(0.0, "one"), (1.5, "one"), (2.0, "other"), (1e6, "many"), (2e6, "many"), (1_000_001.0, "other")]),
        ("es", &[(0.0, "other"), (1.0, "one"), (1e6, "many")]),
        ("it", &[(0.0, "other"), (1.0, "one"), (1e6, "many")]),
        ("pt-BR", &[(0.0, "one"), (1.0, "one"), (2.0, "other"), (1e6, "many")]),
        ("pt-PT", &[(0.0, "other"), (1.0, "one"), (1e6, "many")]),
    ];
    let text = "TooLong = { $maxLength ->\n    [zero] zero\n    [one] one\n    [two] two\n    [few] few\n    \
                [many] many\n   *[other] other\n}\n";
    let files = cases.map(|(language, _)| (language, text));
    let messages = messages(&files).unwrap();
    let mut wrong = Vec::new();
    for (language, counts) in cases {
        for (count, expected) in counts {
            let problem = Problem::new(ErrorCode::TooLong).with("maxLength", *count);
            let (texts, _) = translated(&messages, language, &[problem]);
            if texts != [*expected] {
                wrong.push(format!("{language} {count}: {}, not {expected}", texts[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_digit_of_a_limit_is_lost() {
    let messages = messages(&[]).unwrap();
    let most = Problem::new(ErrorCode::TooLarge).with("maximum", i64::MAX);
    says(&messages, "en", most, "Please enter 9223372036854775807 or less.", "en-US");
    let cents = Problem::new(ErrorCode::TooLarge).with("maximum", "9999999.99");
    says(&messages, "en", cents, "Please enter 9999999.99 or less.", "en-US");
    let values = Problem::new(ErrorCode::UnknownValue).with("values", vec!["RED", "BLACK"]);
    says(&messages, "pl", values, "Wybierz jedną z wartości: RED, BLACK.", "pl-PL");
}

#[test]
fn a_team_replaces_adds_and_falls_back_to_english() {
    let german = "TooLong = Höchstens { $maxLength } Zeichen.\nOfferEnded = Das Angebot ist beendet.\n";
    let english = "OfferEnded = It ended { $when }.\nTooLong = Too long.\n";
    let polish = "OfferEnded = Koniec { $when }.\n";
    let messages = messages(&[("en", english), ("pl", polish), ("de", german)]).unwrap();
    let long = || Problem::new(ErrorCode::TooLong).with("maxLength", 3);
    let ended = || Problem::custom("OfferEnded", "the offer ended {when}");
    says(&messages, "de-AT, pl;q=0.5", long(), "Höchstens 3 Zeichen.", "de");
    says(&messages, "en-GB", long(), "Too long.", "en-US");
    says(&messages, "pl", long(), "Wpisz najwyżej 3 znaki.", "pl-PL");
    says(&messages, "de", ended(), "Das Angebot ist beendet.", "de");
    says(&messages, "pl", ended().with("when", "today"), "Koniec today.", "pl-PL");
    // what a message needs and the error has not: the next one speaks, and at last the handler's own text
    says(&messages, "pl", ended(), "The offer ended .", "en-US");
    says(&messages, "de", Problem::new(ErrorCode::Forbidden), "You are not allowed to do this.", "en-US");
    says(&messages, "pl", Problem::custom("Nobody", "nobody {knew}").with("knew", 1), "Nobody 1.", "en-US");
    let (_, both) = translated(&messages, "de", &[Problem::new(ErrorCode::Forbidden), long(), long()]);
    assert_eq!(both, "de, en-US");
}

#[test]
fn times_are_written_for_the_reader() {
    let files = [
        ("en", "OfferEnded = It ended on { $when }, { DATETIME($when) }.\n"),
        ("pl", "OfferEnded = Koniec: { $when }.\n"),
        ("de", "OfferEnded = Ende: { DATETIME($when) }.\n"),
    ];
    let messages = messages(&files).unwrap();
    let ended = || Problem::custom("OfferEnded", "the offer ended {when}").with("when", "2027-03-01T08:30:00.000Z");
    let english = "It ended on March 1, 2027, 08:30 UTC, March 1, 2027, 08:30 UTC.";
    says(&messages, "en", ended(), english, "en-US");
    says(&messages, "pl", ended(), "Koniec: 1 marca 2027, 08:30 UTC.", "pl-PL");
    says(&messages, "de", ended(), "Ende: 2027-03-01 08:30 UTC.", "de");
    assert_eq!(ended().message(), "the offer ended 2027-03-01T08:30:00.000Z", "developers read it as it is");
    // without a message the text of the code itself
    let closed = Problem::custom("ShopClosed", "closed until {when}").with("when", "2027-03-01");
    says(&messages, "pl", closed, "Closed until March 1, 2027.", "en-US");
}

#[test]
fn a_region_is_heard_before_its_language() {
    let files = [("en-GB", "InvalidCountry = Kindly choose a country.\n"), ("zh-Hant", "NotReady = 尚未提供。\n")];
    let messages = messages(&[files[0]]).unwrap();
    says(&messages, "en-GB", Problem::new(ErrorCode::InvalidCountry), "Kindly choose a country.", "en-GB");
    says(&messages, "en-GB", Problem::new(ErrorCode::InvalidCurrency), "Please choose a currency.", "en-US");
    says(&messages, "en-IE", Problem::new(ErrorCode::InvalidCountry), "Please choose a country.", "en-US");
    let messages = self::messages(&[files[1]]).unwrap();
    says(&messages, "zh-hant-TW", Problem::new(ErrorCode::NotReady), "尚未提供。", "zh-Hant");
}

#[test]
fn a_mistake_is_reported_with_its_line() {
    let error = messages(&[("pl", "NotReady = Nie.\nTooLong = { $max }\n"), ("nowhere", "")]).unwrap_err();
    let lines: Vec<_> = error.lines().collect();
    assert_eq!(
        lines,
        [
            "messages in `pl`, line 2: the message `TooLong` has no variable `$max`; the known \
             variables are `$maxLength`, `$field`",
            "messages in `nowhere`, line 1: the language `nowhere` does not exist; name the file by a language \
             tag, such as `pl`, `de` or `pt-BR`",
        ]
    );
}

#[test]
fn numbers_are_selected_and_written_as_messages_ask() {
    let text = "\
TooLong = { $maxLength ->
    [0] none
    [one] one
    [1] never
    [1000] a thousand
   *[other] { $maxLength }
}
TooLarge = { NUMBER($maximum, minimumFractionDigits: 2) ->
    [1] exactly one: { NUMBER($maximum, minimumFractionDigits: 2) }
    [one] one
   *[other] { NUMBER($maximum, minimumFractionDigits: 2) } or { 1.50 } or { NUMBER(3, type: \"ordinal\", style: \"x\") }
}
TooManyItems = { NUMBER($maxItems, type: \"ordinal\") ->
    [one] { $maxItems }st
    [two] { $maxItems }nd
    [few] { $maxItems }rd
   *[other] { $maxItems }th
}
";
    let messages = messages(&[("en-GB", text)]).unwrap();
    let long = |count: f64| Problem::new(ErrorCode::TooLong).with("maxLength", count);
    for (count, text) in [(0.0, "none"), (-0.0, "none"), (1.0, "one"), (1000.0, "a thousand"), (-2.5, "-2.5")] {
        says(&messages, "en-GB", long(count), text, "en-GB");
    }
    let large = |maximum| Problem::new(ErrorCode::TooLarge).with("maximum", maximum);
    says(&messages, "en-GB", large(serde_json::json!(1)), "exactly one: 1.00", "en-GB");
    says(&messages, "en-GB", large(serde_json::json!(2.125)), "2.125 or 1.50 or 3", "en-GB");
    says(&messages, "en-GB", large(serde_json::json!("7.5")), "7.5 or 1.50 or 3", "en-GB");
    for (count, text) in [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (113, "113th")] {
        says(&messages, "en-GB", Problem::new(ErrorCode::TooManyItems).with("maxItems", count), text, "en-GB");
    }
    let huge = Problem::new(ErrorCode::TooManyItems).with("maxItems", u64::MAX);
    says(&messages, "en-GB", huge, "18446744073709551615th", "en-GB");
}

#[test]
fn terms_have_arguments_and_attributes() {
    let text = "\
-shop = { $case ->
    [genitive] sklepu { $name }
   *[nominative] sklep { $name }
}
    .gender = masculine
-title = { -shop(case: \"genitive\", name: \"x\") } { $field }
NotReady = { -shop(name: \"U\\u0041\") }, { -shop(case: \"genitive\", name: 1.0) }, { -shop }
Forbidden = { -shop.gender ->
    [masculine] zamknięty { \"{\" }
   *[other] zamknięta
}
Required = { -title }
";
    let messages = messages(&[("pl", text)]).unwrap();
    let ready = "sklep UA, sklepu 1.0, sklep {$name}";
    says(&messages, "pl", Problem::new(ErrorCode::NotReady), ready, "pl-PL");
    says(&messages, "pl", Problem::new(ErrorCode::Forbidden), "zamknięty {", "pl-PL");
    // a term has its own arguments only
    says(&messages, "pl", Problem::at(ErrorCode::Required, "name"), "sklepu x {$field}", "pl-PL");
}

#[test]
fn terms_without_an_end_are_not_written() {
    let mut text = String::from("-a = { -b }\n-b = { -a }\nForbidden = { -a }\nNotReady = { -c0 }\n-c9 = x\n");
    for level in 0..9 {
        text.push_str(&format!("-c{level} = {}\n", format!("{{ -c{} }}", level + 1).repeat(10)));
    }
    let messages = messages(&[("pl", &text)]).unwrap();
    says(&messages, "pl", Problem::new(ErrorCode::Forbidden), "You are not allowed to do this.", "en-US");
    let (texts, _) = translated(&messages, "pl", &[Problem::new(ErrorCode::NotReady)]);
    assert_eq!(texts, [BUILT_IN[0].text.split_once("\nNotReady = ").unwrap().1.lines().next().unwrap()]);
}
