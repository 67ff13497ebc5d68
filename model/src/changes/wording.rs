//! How a message names the two values of a key: "changed from `restrict` to `cascade`".

use serde::Serialize;
use serde_json::Value;

/// In characters. A longer value is cut off here: a message is one line.
const MAX_SHOWN: usize = 80;
/// Characters before the first difference of two values that are equal for longer than is shown.
const LEAD: usize = 20;

/// "changed from … to …"; `absent` stands for a key that is not given.
pub(super) fn changed(old: &impl Serialize, new: &impl Serialize, absent: &str) -> String {
    let (old, new) = (json(old), json(new));
    let skipped = skipped(&old, &new);
    let shown = |value: &Value| shown(value, skipped).unwrap_or_else(|| absent.to_owned());
    format!("changed from {} to {}", shown(&old), shown(&new))
}

/// `a`, `b`; `None` for no names.
fn names<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    Some(names.map(|name| quoted(name, 0)).collect::<Vec<_>>().join(", ")).filter(|list| !list.is_empty())
}

fn json(value: &impl Serialize) -> Value {
    // the values of keys are scalars and lists of texts, which JSON can always hold
    serde_json::to_value(value).unwrap_or_default()
}

/// How many characters are left out at the beginning of both values, so that what differs is shown.
fn skipped(old: &Value, new: &Value) -> usize {
    let (Some(old), Some(new)) = (text(old), text(new)) else { return 0 };
    let is_cut = [&old, &new].iter().any(|text| text.chars().nth(MAX_SHOWN).is_some());
    let equal = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    if is_cut && equal + LEAD >= MAX_SHOWN { equal - LEAD } else { 0 }
}

/// A value that is shown as one text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.iter().all(Value::is_string) => None,
        other => Some(other.to_string()),
    }
}

/// A value in backticks; `None` for null and an empty list, which both mean that the key is not given.
fn shown(value: &Value, skipped: usize) -> Option<String> {
    match (value, text(value)) {
        (_, Some(text)) => Some(quoted(&text, skipped)),
        (Value::Array(items), None) => names(items.iter().filter_map(Value::as_str)),
        (_, None) => None,
    }
}

/// Control characters are escaped: in a migration the message is a comment, which a line break would end.
fn quoted(text: &str, skipped: usize) -> String {
    let mut shown = if skipped > 0 { "…".to_owned() } else { String::new() };
    for (index, c) in text.chars().skip(skipped).enumerate() {
        match c {
            _ if index == MAX_SHOWN => {
                shown.push('…');
                break;
            }
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_values_are_named() {
        assert_eq!(changed(&"restrict", &"cascade", "none"), "changed from `restrict` to `cascade`");
        assert_eq!(changed(&false, &true, "none"), "changed from `false` to `true`");
        assert_eq!(changed(&None::<&str>, &json!({ "city": 1 }), "none"), "changed from none to `{\"city\":1}`");
        assert_eq!(changed(&["a", "b"], &json!([]), "all"), "changed from `a`, `b` to all");
    }

    #[test]
    fn a_value_stays_on_its_line() {
        let shown = quoted(&format!("a\nDROP TABLE offers;\r\u{85}\u{2028}{}", "x".repeat(MAX_SHOWN)), 0);
        assert!(!shown.contains(['\n', '\r', '\u{85}', '\u{2028}']), "{shown}");
        assert!(shown.ends_with("x…`"), "{shown}");
    }

    #[test]
    fn what_differs_late_is_shown() {
        let value = |end: &str| format!("{} && {end}", "a".repeat(100));
        let said = changed(&value("level > 1"), &value("level > 2"), "none");
        assert_eq!(said, "changed from `…aaaaaaaa && level > 1` to `…aaaaaaaa && level > 2`");
        let shorter = value("level > 1").chars().take(90).collect::<String>();
        assert!(changed(&shorter, &value("x"), "none").starts_with("changed from `…aaaaaaaaaaaaaaaaaaaa` to `…aaaa"));
    }
}
