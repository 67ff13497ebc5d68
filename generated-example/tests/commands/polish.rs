//! The Polish messages of the marketplace's own codes (§4.9, §7.1), from the files beside the schemas.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The beginning of each code's message; what is built in is not the marketplace's.
const MESSAGES: &[(&str, &str)] = &[
    ("OfferStillActive", "Ta oferta jeszcze trwa."),
    ("EndsInThePast", "Z takim czasem trwania oferta byłaby już zakończona."),
    ("OfferEnded", "Ta oferta się zakończyła."),
    ("OutOfStock", "Zostały tylko 2 sztuki."),
    ("AlreadySent", "Zakupiony towar jest już w drodze."),
    ("AlreadyCancelled", "Ten zakup został już wycofany."),
    ("AlreadyDispatched", "Przewoźnik ma już tę przesyłkę."),
    ("NotWaiting", "Tej przesyłki nie ma już w placówce."),
    ("StoredTooLong", "Przesyłka czekała do 2 marca 2027 i"),
    ("AlreadyRefunded", "Pieniądze zostały już zwrócone."),
    ("MoreThanPaid", "Można zwrócić najwyżej zapłacone 12.50."),
    ("AlreadyAwarded", "Ten konkurs ma już zwycięzcę."),
    ("OrganizerCannotWin", "Organizator konkursu nie może go wygrać."),
    ("UserBlocked", "Ten użytkownik jest już zablokowany."),
];

/// The error, read by a Polish user, says what it should.
#[track_caller]
pub(crate) fn told(error: &Value) {
    let text = error["userMessage"].as_str().unwrap();
    if let Some((_, expected)) = MESSAGES.iter().find(|(code, _)| error["code"] == *code) {
        assert!(text.starts_with(expected), "{error}");
    }
    let is_english = error["message"].as_str().unwrap().chars().skip(1).eq(text.trim_end_matches('.').chars().skip(1));
    assert!(!is_english, "{error}");
}

/// Every code that the marketplace's handlers and rules raise has its messages, and is in the table above.
#[test]
fn every_code_that_is_raised_has_its_messages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let commands = fs::read_dir(root.join("src/commands")).unwrap().map(|entry| entry.unwrap().path());
    let sources = commands.chain([root.join("src/rules.rs")]).map(|path| fs::read_to_string(path).unwrap());
    let sources: String = sources.collect();
    let raised: Vec<&str> =
        sources.split("Rejection::new(\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(raised.len() > 10, "{raised:?}");
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
