//! A document of schemas through the generator: read, interpreted, checked; then diagnostics, or code.

use restwell_generator::{Compiled, File, compile, emit, format, render};
use serde_json::Value as Json;

/// What most documents refer to.
const SERVICE: &str = "service: shop\nusers: User\n";
const USER: &str = "resource: User\nfields: { name: { type: string } }\n";

pub(crate) fn judge(data: &[u8]) {
    let compiled = compiled(data);
    for diagnostic in &compiled.diagnostics {
        assert!(!render::text(diagnostic, &compiled.sources, false).is_empty());
        let json: Json = serde_json::from_str(&render::json(diagnostic, &compiled.sources)).expect("it is JSON");
        for span in json["spans"].as_array().expect("spans") {
            let byte = |end: &str| span[end]["byte"].as_u64().expect("a place");
            assert!(byte("start") <= byte("end"), "{span}");
        }
    }
    let is_refused = compiled.diagnostics.iter().any(restwell_generator::Diagnostic::is_error);
    assert_eq!(is_refused, compiled.service.is_none(), "refused if and only if there is a mistake");
    if let Some((service, origins)) = &compiled.service {
        emit(service, origins, &compiled.messages, &[]).expect("what is emitted is Rust");
    }
    judge_format(data, &compiled);
}

/// A document means the same once it is formatted, and is formatted only once.
fn judge_format(data: &[u8], compiled: &Compiled) {
    let Ok(formatted) = format::format(0, &File::new("a.yaml", data)).1 else { return };
    let again = format::format(0, &File::new("a.yaml", formatted.as_str())).1;
    assert_eq!(again.as_ref(), Ok(&formatted), "formatting is done at once");
    // a mistake may be gone afterwards: keys that stood in another order than theirs
    let Some((before, _)) = &compiled.service else { return };
    let after = self::compiled(formatted.as_bytes()).service;
    assert_eq!(Some(before), after.as_ref().map(|(service, _)| service), "formatting changed the model: {formatted}");
}

fn compiled(data: &[u8]) -> Compiled {
    let files = [("a.yaml", data), ("service.yaml", SERVICE.as_bytes()), ("user.yaml", USER.as_bytes())];
    compile(&files.map(|(name, bytes)| File::new(name, bytes)))
}
