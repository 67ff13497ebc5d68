//! The Polish messages of the marketplace's own codes (§4.9, §7.1), from the files beside the schemas.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The beginnings of each code's messages; what is built in is not the marketplace's.
const MESSAGES: &[(&str, &[&str])] = &[
    (
        "WrongState",
        &[
            "Ten użytkownik jest już zablokowany.",
            "Ten użytkownik nie jest zablokowany.",
            "Ta oferta jeszcze trwa.",
            "Ta oferta się zakończyła.",
            "Ten zakup został już wycofany.",
            "Zakupiony towar jest już w drodze.",
            "Ten zakup nie został jeszcze opłacony.",
            "Pieniądze zostały już zwrócone.",
            "Ta przesyłka nie została jeszcze nadana.",
            "Przewoźnik ma już tę przesyłkę.",
            "Tej przesyłki nie ma już w placówce.",
            "Ten konkurs ma już zwycięzcę.",
        ],
    ),
    ("EndsInThePast", &["Z takim czasem trwania oferta byłaby już zakończona."]),
    ("OtherCurrency", &["Podaj ceny wysyłki w walucie oferty."]),
    ("OfferEnded", &["Ta oferta się zakończyła."]),
    ("OutOfStock", &["Tyle sztuk już nie zostało."]),
    ("UserBlocked", &["Zablokowany użytkownik nie może kupować ani sprzedawać."]),
    ("OtherOffer", &["Ten zakup dotyczy innej oferty."]),
    ("StoredTooLong", &["Przesyłka czekała do 2 marca 2027 i"]),
    ("MoreThanPaid", &["Można zwrócić najwyżej zapłacone 12.50."]),
    ("NotBegun", &["Ten konkurs jeszcze się nie zaczął."]),
    ("OrganizerCannotWin", &["Organizator konkursu nie może go wygrać."]),
];

/// The error, read by a Polish user, says what it should.
#[track_caller]
pub(crate) fn told(error: &Value) {
    let text = error["userMessage"].as_str().unwrap();
    if let Some((_, expected)) = MESSAGES.iter().find(|(code, _)| error["code"] == *code) {
        assert!(expected.iter().any(|expected| text.starts_with(expected)), "{error}");
    }
    let is_english = error["message"].as_str().unwrap().chars().skip(1).eq(text.trim_end_matches('.').chars().skip(1));
    assert!(!is_english, "{error}");
}

/// Every code that the marketplace's handlers and the rules of its schemas raise has its messages, and is in the table
/// above.
#[test]
fn every_code_that_is_raised_has_its_messages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let handlers = texts(&root.join("src/commands"));
    let schemas = texts(&root.join("../schemas"));
    let raised = handlers.split("Rejection::new(\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let codes = schemas.lines().filter_map(|line| line.trim().strip_prefix("code: "));
    let raised: Vec<&str> = raised.chain(codes.filter(|code| code.starts_with(char::is_uppercase))).collect();
    assert!(raised.len() > 8, "{raised:?}");
    for language in ["en", "pl"] {
        let file = root.join(format!("../schemas/messages/{language}.ftl"));
        let messages = fs::read_to_string(file).unwrap();
        let has = |code: &&&str| messages.lines().any(|line| line.starts_with(&format!("{code} =")));
        let missing: Vec<_> = raised.iter().filter(|code| !has(code)).collect();
        assert!(missing.is_empty(), "{language}: {missing:?}");
    }
    let unlisted: Vec<_> = raised.iter().filter(|code| !MESSAGES.iter().any(|(known, _)| known == *code)).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

/// The texts of the files of a folder.
fn texts(folder: &Path) -> String {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    files.map(|path| fs::read_to_string(path).unwrap()).collect()
}
