//! How a message names the two values of a key: "changed from `restrict` to `cascade`".

use serde::Serialize;
use serde_json::Value;

/// In characters. A longer value is cut off here: a message is one line.
const MAX_SHOWN: usize = 80;

/// "changed from … to …"; `absent` stands for a key that is not given.
pub(super) fn changed(old: &impl Serialize, new: &impl Serialize, absent: &str) -> String {
    let shown = |value: Value| shown(&value).unwrap_or_else(|| absent.to_owned());
    format!("changed from {} to {}", shown(json(old)), shown(json(new)))
}

/// `a`, `b`; `None` for no names.
fn names<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    Some(names.map(quoted).collect::<Vec<_>>().join(", ")).filter(|list| !list.is_empty())
}

fn json(value: &impl Serialize) -> Value {
    // the values of keys are scalars and lists of texts, which JSON can always hold
    serde_json::to_value(value).unwrap_or_default()
}

/// A value in backticks; `None` for null and an empty list, which both mean that the key is not given.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(quoted(text)),
        Value::Array(items) if items.iter().all(Value::is_string) => names(items.iter().filter_map(Value::as_str)),
        other => Some(quoted(&other.to_string())),
    }
}

/// Control characters are escaped: in a migration the message is a comment, which a line break would end.
fn quoted(text: &str) -> String {
    let mut shown = String::new();
    for (index, c) in text.chars().enumerate() {
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
        let shown = quoted(&format!("a\nDROP TABLE offers;\r\u{85}\u{2028}{}", "x".repeat(MAX_SHOWN)));
        assert!(!shown.contains(['\n', '\r', '\u{85}', '\u{2028}']), "{shown}");
        assert!(shown.ends_with("x…`"), "{shown}");
    }
}
