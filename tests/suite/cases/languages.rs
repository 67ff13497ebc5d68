//! §4.9 and §7.1: the language of messages for users.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{NOBODY, created, path, specimen};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§4.9 en-* gives English, pl-PL Polish, anything else en-US", table),
    ("§4.9 several Accept-Language headers are one list", several_headers),
    ("§7.1 message is English for developers, userMessage for users in their language", both_messages),
    ("§7.1 with any status, the user gets a message in Polish", every_status),
    ("§7.1 numbers are counted as the language counts", plurals),
    ("Languages: a team's messages are of codes, of its own and in place of others, and of single fields", of_the_team),
    ("Languages: a team's language is negotiated; what it lacks is in English", own_language),
    ("Languages: the message of a handler's own code is in the reader's language", own_code),
    ("Languages: a stored error is in the language of each reader", stored),
    ("Languages: each language of a failed command has its own entity tag", tagged),
];

const ENGLISH: &str = "Please fill this in.";
const POLISH: &str = "Wypełnij to pole.";

/// A specimen without its name, posted by who reads this language.
fn refused(api: &Api, accept_language: &str) -> Reply {
    let request = api.request("POST", "/specimens").json(&specimen(&json!({ "name": null })));
    request.header("accept-language", accept_language).send().is(422)
}

#[track_caller]
fn message(reply: &Reply) -> String {
    reply.errors()[0]["userMessage"].as_str().expect("a text").to_owned()
}

fn table(api: &Api) {
    let (english, polish) = ((ENGLISH, "en-US"), (POLISH, "pl-PL"));
    let long = format!("pl{}", "-a".repeat(3000));
    for (accept_language, (text, language)) in [
        ("en-US", english),
        ("en-GB", english),
        ("en", english),
        ("EN-au", english),
        ("pl-PL", polish),
        ("pl", polish),
        ("PL-pl", polish),
        ("pl-DE", polish),
        ("de", english),
        ("de-DE, fr;q=0.9", english),
        ("de, pl;q=0.1", polish),
        ("*", english),
        ("pl;q=0.4, en;q=0.8", english),
        ("pl;q=0.8, en;q=0.4", polish),
        ("en;q=0.5, pl", polish),
        ("pl;q=0", english),
        ("pl;q=0, pl-PL;q=0, en;q=0.1", english),
        ("", english),
        ("nonsense of no form", english),
        ("pl;q=much", english),
        (",;=,", english),
        (&long, english),
    ] {
        let reply = refused(api, accept_language);
        assert_eq!(message(&reply), text, "{accept_language}: {reply}");
        assert_eq!(reply.expect_header("content-language"), language, "{accept_language}");
        assert!(reply.expect_header("vary").to_lowercase().contains("accept-language"), "{reply}");
    }
    let omitted = api.post("/specimens", &specimen(&json!({ "name": null }))).is(422);
    assert_eq!((message(&omitted).as_str(), omitted.expect_header("content-language").as_str()), english);
}

fn several_headers(api: &Api) {
    let request = api.request("GET", "/nothing").header("accept-language", "en;q=0.1\r\naccept-language: pl");
    assert_eq!(request.send().is(404).expect_header("content-language"), "pl-PL");
}

fn both_messages(api: &Api) {
    let (english, polish) = (refused(api, "en").errors(), refused(api, "pl").errors());
    assert_eq!(english[0]["message"], "is required");
    for key in ["message", "code", "details", "path"] {
        assert_eq!(english[0][key], polish[0][key], "{key}");
    }
    assert_ne!(english[0]["userMessage"], polish[0]["userMessage"]);
}

fn every_status(api: &Api) {
    let polish = |method: &str, target: &str| api.request(method, target).header("accept-language", "pl");
    let replies = [
        polish("GET", "/specimens").without("user-agent").send().is(400),
        polish("POST", "/specimens").body(b"{").send().is(400),
        polish("GET", "/sale/specimens").send().is(401),
        polish("GET", &format!("/specimens/{NOBODY}")).send().is(404),
        polish("GET", "/nothing").send().is(404),
        polish("DELETE", "/specimens").send().is(405),
        polish("GET", "/specimens").without("accept").send().is(406),
        polish("GET", "/events").send().is(406),
        polish("GET", &format!("/specimens?{}", "a".repeat(9000))).send().is(414),
        polish("POST", "/specimens").json(&json!({})).header("content-type", "text/plain").send().is(415),
        polish("GET", "/specimens?nothing=1").send().is(422),
    ];
    for reply in &replies {
        let message = message(reply);
        assert_eq!(reply.expect_header("content-language"), "pl-PL", "{reply}");
        assert!(!message.is_ascii() || message == "Adres jest za długi." || message.contains("jest"), "{message}");
    }
    let unknown = message(&replies[10]);
    assert_eq!(unknown, "„nothing” nie jest tu znane.");
    let fine = polish("GET", "/specimens").send().is(200);
    assert_eq!(fine.header("content-language"), None, "what is no message has no language");
}

fn plurals(api: &Api) {
    for (language, field, value, text) in [
        ("pl", "name", json!("x"), "Wpisz co najmniej 2 znaki."),
        ("en", "name", json!("x"), "Please enter at least 2 characters."),
        ("pl", "size", json!(1001), "Podaj wartość nie większą niż 1000."),
        ("pl", "weight", json!("1.2345"), "Podaj krótszą liczbę, najwyżej z 3 cyframi po kropce."),
    ] {
        let request = api.request("POST", "/specimens").json(&specimen(&json!({ field: value })));
        let reply = request.header("accept-language", language).send().is(422);
        assert_eq!(message(&reply), text, "{reply}");
    }
}

/// The messages for one body in a language, path by path.
fn messages(api: &Api, language: &str, body: &Value) -> Vec<(String, String)> {
    let reply = api.request("POST", "/specimens").json(body).header("accept-language", language).send().is(422);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    reply.errors().iter().map(|error| (text(&error["path"]), text(&error["userMessage"]))).collect()
}

#[track_caller]
fn are(found: &[(String, String)], expected: &[(&str, &str)]) {
    let found: Vec<_> = found.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(found, expected);
}

fn of_the_team(api: &Api) {
    let body = specimen(&json!({
        "note": "\0", "email": "nobody", "storage": { "shelf": null }, "readings": [4, -1], "hint": "\0",
    }));
    are(
        &messages(api, "en", &body),
        &[
            ("note", "A note cannot have these characters."),
            ("email", "That is no e-mail address."),
            ("storage.shelf", "On which shelf is it?"),
            ("readings.1", "No reading is below 0."),
            ("hint", "This text has characters that cannot be used."),
        ],
    );
    are(
        &messages(api, "pl", &body),
        &[
            ("note", "Notatka nie może zawierać tych znaków."),
            ("email", "Podaj adres e-mail, na przykład nazwa@example.com."),
            ("storage.shelf", "Na której półce?"),
            ("readings.1", "Żaden odczyt nie jest mniejszy niż 0."),
            ("hint", "Ten tekst zawiera niedozwolone znaki."),
        ],
    );
}

fn own_language(api: &Api) {
    let body = specimen(&json!({ "name": null, "email": "nobody", "link": "nowhere" }));
    let czech = [
        ("name", "Vyplňte prosím toto pole."),
        ("email", "To není e-mailová adresa."),
        ("link", "Please enter a full web address, like https://example.com."),
    ];
    are(&messages(api, "cs-CZ, en;q=0.5", &body), &czech);
    let request = |body: &Value| api.request("POST", "/specimens").json(body).header("accept-language", "cs");
    assert_eq!(request(&body).send().is(422).expect_header("content-language"), "cs, en-US");
    let nameless = specimen(&json!({ "name": null }));
    assert_eq!(request(&nameless).send().is(422).expect_header("content-language"), "cs");
    let missing = api.request("GET", "/nothing").header("accept-language", "cs").send().is(404);
    assert_eq!(missing.expect_header("content-language"), "en-US", "Czech has no message for it");
}

fn own_code(api: &Api) {
    let target = format!("{}/treat-commands/{NOBODY}", path("specimens", &created(api, &json!({}))));
    api.put(&target, &json!({ "how": "REFUSE" })).is(201);
    until_ended(api, &target);
    for (language, content_language, text) in
        [("pl", "pl-PL", "Nic już nie zostało."), ("cs", "cs", "Zbývá už jen 0."), ("fr", "en-US", "Only 0 are left.")]
    {
        let reply = api.request("GET", &target).header("accept-language", language).send().is(200);
        let error = &reply.json()["errors"][0];
        assert_eq!(error["userMessage"], text, "{reply}");
        assert_eq!(error["message"], "is more than the 0 that are left", "{reply}");
        assert_eq!(reply.expect_header("content-language"), content_language, "{reply}");
    }
    let input = json!({ "how": "COUNT", "password": "a".repeat(11) });
    let request = api.request("PUT", &format!("{}0", &target[..target.len() - 1])).json(&input);
    let reply = request.header("accept-language", "pl").send().is(422);
    assert_eq!(message(&reply), "Hasło ma najwyżej 10 zn.", "an input's message: {reply}");
}

#[track_caller]
fn until_ended(api: &Api, target: &str) {
    let begun = Instant::now();
    while api.get(target).is(200).json()["status"] == "RUNNING" {
        assert!(begun.elapsed() < Duration::from_secs(20), "the command never ends");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The path of a command that is FAILED because the specimen it is to make has a name that is too long.
fn failed(api: &Api) -> String {
    let target = format!("{}/treat-commands/{NOBODY}", path("specimens", &created(api, &json!({}))));
    api.request("PUT", &target).json(&json!({ "how": "WRONG" })).header("accept-language", "pl").send().is(201);
    until_ended(api, &target);
    target
}

fn stored(api: &Api) {
    let target = failed(api);
    let read = |method: &str, language: &str| {
        let request = api.request(method, &target).header("accept-language", language);
        if method == "PUT" { request.json(&json!({ "how": "WRONG" })).send() } else { request.send() }
    };
    for (language, content_language, text) in [
        ("pl-PL", "pl-PL", "Wpisz najwyżej 20 znaków."),
        ("en-GB", "en-US", "Please enter at most 20 characters."),
        ("de", "en-US", "Please enter at most 20 characters."),
    ] {
        for reply in [read("GET", language).is(200), read("PUT", language).is(201)] {
            let error = &reply.json()["errors"][0];
            assert_eq!(error["userMessage"], text, "{reply}");
            assert_eq!(error["message"], "must have at most 20 characters", "{reply}");
            assert_eq!(reply.expect_header("content-language"), content_language, "{reply}");
        }
    }
}

fn tagged(api: &Api) {
    let target = failed(api);
    let read = |language: &str| api.request("GET", &target).header("accept-language", language);
    let (english, polish) = (read("en").send().is(200), read("pl").send().is(200));
    let (english, polish) = (english.expect_header("etag"), polish.expect_header("etag"));
    assert_ne!(english, polish);
    assert_eq!(read("en-AU").send().is(200).expect_header("etag"), english, "the same answer has the same tag");
    let known = read("pl").header("if-none-match", &polish).send().is(304);
    assert_eq!(known.header("content-language"), None, "it has no text");
    let other: Value = read("en").header("if-none-match", &polish).send().is(200).json();
    assert_eq!(other["errors"][0]["userMessage"], "Please enter at most 20 characters.");
}
