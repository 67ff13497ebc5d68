//! Bodies of up to the limit: large ones that are right, and wrong ones with as many mistakes as fit.

use super::{Manner, Shot, heads, read};
use crate::site::Site;
use crate::values::{Budget, NOWHERE};
use restwell_model::routes::Action;
use restwell_model::{Field, OperationKind, Type};
use serde_json::{Value, json};

/// `MAX_BODY`, less what stands around it.
pub(super) const LARGEST: usize = 1024 * 1024 - 1024;
/// Bytes of a body that is right: they are counted roughly.
const RIGHT: usize = 900_000;
/// `MAX_DEPTH`, less the body's own object.
const DEEPEST: usize = 63;
/// What a secret has at most, where the model does not say.
const LONGEST_SECRET: usize = 1_000;

/// A body that costs little by itself.
const SMALL: usize = 16_000;

/// A property that no resource has.
const UNKNOWN: &str = "unheardOf";

pub(super) fn is_taken(site: &Site<'_>) -> bool {
    ["POST", "PUT"].contains(&site.action.method())
}

pub(super) fn is_created(site: &Site<'_>) -> bool {
    site.is(OperationKind::Create)
}

/// Such a part so often as a body holds.
pub(super) fn repeated(part: &str) -> String {
    part.repeat(LARGEST / part.len()).trim_end_matches(',').to_owned()
}

/// A body that is right, as large as the model lets it be.
pub(super) fn right(site: &Site<'_>, number: usize) -> Value {
    Value::Object(site.values.body(site.settable().into_iter(), number, Budget::bytes(RIGHT)))
}

pub(super) fn largest(site: &Site<'_>) -> Vec<Shot> {
    read(&site.json("", &right(site, NOWHERE)))
}

/// Tried only, and each property named.
pub(super) fn dry_run(site: &Site<'_>) -> Vec<Shot> {
    let names = site.settable().into_iter().map(|field| format!("&include={}", field.name)).collect::<String>();
    read(&site.json(&format!("dryRun=true{names}"), &right(site, NOWHERE)))
}

/// The property that takes most: an array's where there is one.
fn array(site: &Site<'_>) -> String {
    let is_array = |field: &&Field| matches!(field.ty, Type::Array { .. });
    site.settable().into_iter().find(is_array).map_or(UNKNOWN.to_owned(), |field| field.name.clone())
}

fn text(site: &Site<'_>) -> String {
    let is_text = |field: &&Field| matches!(field.ty, Type::String { .. });
    site.settable().into_iter().find(is_text).map_or(UNKNOWN.to_owned(), |field| field.name.clone())
}

pub(super) fn tiny_elements(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!(r#"{{"{}":[{}]}}"#, array(site), repeated("1,"))))
}

pub(super) fn tiny_objects(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!(r#"{{"{}":[{}]}}"#, array(site), repeated("{},"))))
}

pub(super) fn unknown_properties(site: &Site<'_>) -> Vec<Shot> {
    let mut body = String::with_capacity(LARGEST);
    for number in 0.. {
        if body.len() + 16 > LARGEST {
            break;
        }
        body += &format!(r#","u{number}":1"#);
    }
    read(&site.send("", format!("{{{}}}", body.trim_start_matches(','))))
}

pub(super) fn repeated_property(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!("{{{}}}", repeated(&format!(r#""{}":"x","#, text(site))))))
}

pub(super) fn too_deep(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", "[".repeat(LARGEST)))
}

/// As deep as it may be, again and again.
pub(super) fn deepest(site: &Site<'_>) -> Vec<Shot> {
    let (open, close) = ("[".repeat(DEEPEST - 1), "]".repeat(DEEPEST - 1));
    read(&site.send("", format!(r#"{{"{}":[{}]}}"#, array(site), repeated(&format!("{open}{close},")))))
}

pub(super) fn longest_text(site: &Site<'_>) -> Vec<Shot> {
    let texts = ["x", "😀", " ", "\\\\"].map(repeated);
    texts.iter().flat_map(|value| read(&site.send("", format!(r#"{{"{}":"{value}"}}"#, text(site))))).collect()
}

pub(super) fn longest_escapes(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!(r#"{{"{}":"{}"}}"#, text(site), repeated("\\ud83d\\ude00"))))
}

/// Digits in everything that could be a number, and in what could not.
pub(super) fn longest_number(site: &Site<'_>) -> Vec<Shot> {
    let digits = repeated("9");
    let is_number =
        |field: &&Field| matches!(field.ty, Type::Integer { .. } | Type::Number { .. } | Type::Decimal { .. });
    let name = site.settable().into_iter().find(is_number).map_or_else(|| text(site), |field| field.name.clone());
    let values = [digits.clone(), format!("\"{digits}\""), format!("1e{}", &digits[..1000])];
    values.iter().flat_map(|value| read(&site.send("", format!(r#"{{"{name}":{value}}}"#)))).collect()
}

/// Values with hardly any text.
pub(super) fn empty_arrays(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!(r#"{{"{}":[{}]}}"#, array(site), repeated("[],"))))
}

/// Which an error must not repeat.
pub(super) fn longest_key(site: &Site<'_>) -> Vec<Shot> {
    read(&site.send("", format!(r#"{{"{}":1}}"#, repeated("k"))))
}

/// A small body with many headers, all but its end.
pub(super) fn small_stalled(site: &Site<'_>) -> Vec<Shot> {
    let request = site.send("", format!(r#"{{"{}":"{}"}}"#, text(site), "x".repeat(SMALL)));
    let mut shot = Shot::of(Manner::Idle, &heads::with_most(request, SMALL / 2));
    shot.bytes.pop();
    vec![shot]
}

pub(super) fn stalled(site: &Site<'_>) -> Vec<Shot> {
    vec![Shot::of(Manner::Stall, &site.send("", repeated("1,")))]
}

pub(super) fn has_secret(site: &Site<'_>) -> bool {
    let is_entity = matches!(site.action, Action::Operation(OperationKind::Create | OperationKind::Update));
    is_entity && site.settable().into_iter().any(|field| field.secret.is_some())
}

/// A body that is right and has every secret, as long as it may be.
fn with_secrets(site: &Site<'_>) -> Value {
    let fields = site.settable();
    let mut body = site.values.body(fields.iter().copied(), NOWHERE, Budget::bytes(0));
    for field in fields.iter().filter(|field| field.secret.is_some()) {
        let Type::String { max_length, .. } = field.ty else { continue };
        let length = max_length.map_or(LONGEST_SECRET, |length| length as usize);
        body.insert(field.name.clone(), json!("s".repeat(length)));
    }
    Value::Object(body)
}

pub(super) fn secret(site: &Site<'_>) -> Vec<Shot> {
    let query = if is_created(site) { "dryRun=true" } else { "" };
    [query, ""].iter().flat_map(|query| read(&site.json(query, &with_secrets(site)))).collect()
}

pub(super) fn secret_left(site: &Site<'_>) -> Vec<Shot> {
    vec![Shot::of(Manner::Leave, &site.json("", &with_secrets(site)))]
}
