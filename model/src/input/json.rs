//! JSON text, one level at a time: members and items as raw slices, duplicate keys and depth refused.

use super::excerpt;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// Levels of nesting a body may have, the outermost counted.
pub const MAX_DEPTH: usize = 64;

/// The text is not JSON that the service reads: 400.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed(pub String);

impl From<serde_json::Error> for Malformed {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// Checks a whole body: UTF-8, depth. Its syntax is checked when its levels are read.
pub(super) fn text(body: &[u8]) -> Result<&str, Malformed> {
    let text = std::str::from_utf8(body).map_err(|_| Malformed("it is not UTF-8".to_owned()))?;
    if is_too_deep(body) {
        return Err(Malformed(format!("it nests deeper than {MAX_DEPTH} levels")));
    }
    Ok(text)
}

fn is_too_deep(body: &[u8]) -> bool {
    // nearly every body has too few brackets to be too deep
    if openings(body) <= MAX_DEPTH {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return true;
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// The brackets that open. Each part is counted in a single byte, many of which are added up by one instruction.
fn openings(body: &[u8]) -> usize {
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(*byte == b'{') | u8::from(*byte == b'[')).sum::<u8>();
    body.chunks(u8::MAX.into()).map(|part| usize::from(count(part))).sum()
}

/// Calls `member` with each key and value of an object. Keys are bytes: they may hold lone surrogates.
pub fn members<'a>(
    text: &'a str,
    mut member: impl FnMut(Cow<'a, [u8]>, &'a str) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(Members(&mut member))?;
    Ok(json.end()?)
}

/// Calls `item` with each item of an array.
pub fn items<'a>(text: &'a str, mut item: impl FnMut(&'a str) -> Result<(), Malformed>) -> Result<(), Malformed> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_seq(Items(&mut item))?;
    Ok(json.end()?)
}

/// Checks a body that is not read otherwise: UTF-8, depth, syntax, duplicate keys.
pub fn well_formed(body: &[u8]) -> Result<(), Malformed> {
    skip(text(body)?)
}

/// Checks text that is not read otherwise: its syntax, and that no object in it has a key twice.
pub(super) fn skip(text: &str) -> Result<(), Malformed> {
    match text.trim_start().as_bytes().first() {
        Some(b'{') => {
            let mut seen = HashSet::new();
            members(text, |key, value| {
                let word = String::from_utf8_lossy(&key).into_owned();
                if !seen.insert(key) {
                    return Err(duplicate(&word));
                }
                skip(value)
            })
        }
        Some(b'[') => items(text, skip),
        _ => Ok(serde_json::from_str::<&RawValue>(text).map(|_| ())?),
    }
}

pub(super) fn duplicate(key: &str) -> Malformed {
    Malformed(format!("the key `{}` appears twice in one object", excerpt(key)))
}

struct Members<'f, F>(&'f mut F);

impl<'a, F> Visitor<'a> for Members<'_, F>
where
    F: FnMut(Cow<'a, [u8]>, &'a str) -> Result<(), Malformed>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(KeyBytes(key)) = map.next_key()? {
            let value: &'a RawValue = map.next_value()?;
            (self.0)(key, value.get()).map_err(|Malformed(reason)| A::Error::custom(reason))?;
        }
        Ok(())
    }
}

struct Items<'f, F>(&'f mut F);

impl<'a, F> Visitor<'a> for Items<'_, F>
where
    F: FnMut(&'a str) -> Result<(), Malformed>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(item) = seq.next_element::<&'a RawValue>()? {
            (self.0)(item.get()).map_err(|Malformed(reason)| A::Error::custom(reason))?;
        }
        Ok(())
    }
}

struct KeyBytes<'a>(Cow<'a, [u8]>);

impl<'a> serde::Deserialize<'a> for KeyBytes<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'a> Visitor<'a> for Bytes {
            type Value = KeyBytes<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_bytes<E>(self, key: &'a [u8]) -> Result<Self::Value, E> {
                Ok(KeyBytes(Cow::Borrowed(key)))
            }

            fn visit_bytes<E>(self, key: &[u8]) -> Result<Self::Value, E> {
                Ok(KeyBytes(Cow::Owned(key.to_vec())))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_the_outermost() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(text(nested(64).as_bytes()).is_ok());
        assert!(text(nested(65).as_bytes()).is_err());
        let brackets_in_text = format!("\"{}\"", "[".repeat(100));
        assert!(text(brackets_in_text.as_bytes()).is_ok());
        assert!(text(nested(600).as_bytes()).is_err());
    }

    #[test]
    fn duplicate_keys_are_found_at_any_level() {
        assert!(skip(r#"{"a":[{"b":1,"c":2}]}"#).is_ok());
        assert!(skip(r#"{"a":[{"b":1,"b":2}]}"#).is_err());
        assert!(skip(r#"{"a":1,"\u0061":2}"#).is_err());
    }

    #[test]
    fn keys_may_hold_lone_surrogates() {
        assert!(skip(r#"{"\ud800":1}"#).is_ok());
    }
}
