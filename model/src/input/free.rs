//! Values whose parts a model does not describe: any JSON, and values of one type under free names.

use super::json::{self, Malformed};
use super::read::Read;
use super::reader::{Reader, Reading};
use super::token::Token;
use crate::error::{ErrorCode, Problem};
use crate::language::{DEFAULT_JSON_BYTES, DEFAULT_MAP_ENTRIES};
use crate::pattern::Pattern;
use crate::value::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Levels of nesting that a `json` value may have, the outermost counted: 422 `TooDeep` beyond.
pub const MAX_JSON_DEPTH: usize = 32;
/// Characters of a name in a map at most: 422 `InvalidName` beyond.
pub const MAX_MAP_NAME: usize = 64;

/// Digits of a number in a `json` value, written without an exponent: 422 `NumberTooLong` beyond. The databases compute
/// with no more, and every such number is a finite double, as most readers of JSON need it.
pub const MAX_NUMBER_DIGITS: usize = 300;

/// How any JSON is read.
#[derive(Debug, Clone)]
pub struct AnyJson {
    max_bytes: u32,
}

/// The names of a map, and how its values are read.
#[derive(Debug, Clone)]
pub struct MapShape {
    values: Read,
    min_items: Option<u32>,
    max_items: u32,
    pattern: Option<Pattern>,
}

impl AnyJson {
    /// That of a type with this bound.
    #[must_use]
    pub fn new(max_bytes: Option<u32>) -> Self {
        Self { max_bytes: max_bytes.unwrap_or(DEFAULT_JSON_BYTES) }
    }

    /// Reads a value that is not null.
    pub(super) fn read(&self, text: &str, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        let (before, mut canonical) = (reader.count(), String::with_capacity(text.len()));
        write_canonical(text, 0, reader, &mut canonical)?;
        if canonical.len() > self.max_bytes as usize {
            reader.problem(Problem::new(ErrorCode::TooManyBytes).with("maxBytes", self.max_bytes));
        }
        Ok(if reader.count() == before { Value::Json(canonical) } else { Value::Null })
    }
}

/// The text of a JSON value without blanks, the names of its objects in order, its numbers as they are written. Two
/// values are the same if their texts are. `None` of what is no JSON, or has a name twice, a text that is none, or more
/// levels than a value may have.
#[must_use]
pub fn canonical_json(text: &str) -> Option<String> {
    let (mut reader, mut canonical) = (Reader::new(Reading::Create), String::new());
    write_canonical(text.trim(), 0, &mut reader, &mut canonical).ok()?;
    (reader.count() == 0).then_some(canonical)
}

/// The members of an object, in the order of their names.
fn members_by_name(text: &str) -> Result<BTreeMap<Cow<'_, [u8]>, &str>, Malformed> {
    let mut found = BTreeMap::new();
    json::members(text, |key, value| {
        let word = String::from_utf8_lossy(&key).into_owned();
        match found.insert(key, value) {
            Some(_) => Err(json::duplicate(&word)),
            None => Ok(()),
        }
    })?;
    Ok(found)
}

fn write_canonical(text: &str, depth: usize, reader: &mut Reader<'_>, out: &mut String) -> Result<(), Malformed> {
    let is_container = text.starts_with(['{', '[']);
    if is_container && depth == MAX_JSON_DEPTH {
        json::skip(text)?;
        reader.problem(Problem::new(ErrorCode::TooDeep).with("maxDepth", MAX_JSON_DEPTH));
        return Ok(());
    }
    match text.as_bytes().first() {
        Some(b'{') => {
            out.push('{');
            for (position, (name, value)) in members_by_name(text)?.into_iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                match std::str::from_utf8(&name) {
                    Ok(name) if !name.contains('\0') => {
                        out.push_str(&quoted(name));
                        out.push(':');
                        reader.within(super::excerpt(name), |reader| write_canonical(value, depth + 1, reader, out))?;
                    }
                    _ => {
                        json::skip(value)?;
                        reader.problem(Problem::new(ErrorCode::InvalidText));
                    }
                }
            }
            out.push('}');
        }
        Some(b'[') => {
            out.push('[');
            let mut position = 0;
            json::items(text, |item| {
                if position > 0 {
                    out.push(',');
                }
                let mut index = itoa::Buffer::new();
                let index = index.format(position);
                position += 1;
                reader.within(index, |reader| write_canonical(item, depth + 1, reader, out))
            })?;
            out.push(']');
        }
        _ => {
            json::skip(text)?;
            match Token::of(text) {
                Token::Number(number) if digits(number) > MAX_NUMBER_DIGITS => {
                    reader.problem(Problem::new(ErrorCode::NumberTooLong).with("maxDigits", MAX_NUMBER_DIGITS));
                }
                // PostgreSQL keeps no text with NUL
                Token::Text(text) if text.contains('\0') => reader.problem(Problem::new(ErrorCode::InvalidText)),
                Token::Text(text) => out.push_str(&quoted(&text)),
                Token::BadText => reader.problem(Problem::new(ErrorCode::InvalidText)),
                _ => out.push_str(text),
            }
        }
    }
    Ok(())
}

/// The digits of a number without its exponent: as many as that moves the point by, too.
fn digits(number: &str) -> usize {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.trim_start_matches('+').parse::<i32>().map_or(usize::MAX, |it| it.unsigned_abs() as usize);
    mantissa.len().saturating_add(exponent)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl MapShape {
    /// The shape of a map of these values.
    pub(super) fn new(values: Read, bounds: (Option<u32>, Option<u32>), pattern: Option<Pattern>) -> Self {
        let (min_items, max_items) = bounds;
        Self { values, min_items, max_items: max_items.unwrap_or(DEFAULT_MAP_ENTRIES), pattern }
    }

    /// How many names it has at least.
    pub(super) fn least(&self) -> Option<u32> {
        self.min_items
    }

    /// What its values are.
    #[must_use]
    pub fn values(&self) -> &Read {
        &self.values
    }

    pub(super) fn read(&self, text: &str, required: bool, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        if !text.starts_with('{') {
            json::skip(text)?;
            reader.problem(Problem::new(ErrorCode::WrongType).with("expected", "object"));
            return Ok(Value::Map(Vec::new()));
        }
        let found = members_by_name(text)?;
        self.constrain(found.len(), required, reader);
        // a value has no stored one that it could keep something of
        let outer = std::mem::replace(&mut reader.reading, Reading::Create);
        let mut entries = Vec::new();
        for (key, value) in found {
            let name = std::str::from_utf8(&key).ok().filter(|name| !name.contains('\0'));
            let Some(name) = name.filter(|_| !reader.is_full()) else {
                json::skip(value)?;
                reader.problem(Problem::new(ErrorCode::InvalidText));
                continue;
            };
            // an empty name is nowhere in a path
            if name.is_empty() {
                json::skip(value)?;
                reader.problem(Problem::new(ErrorCode::InvalidName).with("maxLength", MAX_MAP_NAME));
                continue;
            }
            let read = reader.within(super::excerpt(name), |reader| {
                self.constrain_name(name, reader);
                self.values.read(value, true, reader)
            })?;
            entries.push((name.to_owned(), read));
        }
        reader.reading = outer;
        Ok(Value::Map(entries))
    }

    fn constrain(&self, count: usize, required: bool, reader: &mut Reader<'_>) {
        if let Some(min) = self.min_items.filter(|min| count < *min as usize && (required || count > 0)) {
            reader.problem(Problem::new(ErrorCode::TooFewItems).with("minItems", min));
        }
        if count > self.max_items as usize {
            reader.problem(Problem::new(ErrorCode::TooManyItems).with("maxItems", self.max_items));
        }
    }

    fn constrain_name(&self, name: &str, reader: &mut Reader<'_>) {
        if !is_map_name(name) {
            reader.problem(Problem::new(ErrorCode::InvalidName).with("maxLength", MAX_MAP_NAME));
        } else if let Some(pattern) = self.pattern.as_ref().filter(|pattern| pattern.misses(name)) {
            reader.problem(Problem::new(ErrorCode::NameMismatch).with("pattern", &**pattern));
        }
    }
}

/// Whether a text has the length of a name in a map.
#[must_use]
pub fn is_map_name(name: &str) -> bool {
    (1..=MAX_MAP_NAME).contains(&name.chars().take(MAX_MAP_NAME + 1).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(read: &Read, text: &str) -> Vec<(ErrorCode, Option<String>)> {
        read.read_alone(text, false).into_iter().map(|problem| (problem.code, problem.path)).collect()
    }

    fn any() -> Read {
        Read::Json(AnyJson::new(None))
    }

    fn map(values: Read) -> Read {
        let pattern = Pattern::from("^[a-z]");
        Read::Map(Box::new(MapShape::new(values, (None, None), Some(pattern))))
    }

    #[test]
    fn any_json_is_canonical_and_keeps_its_digits() {
        let text = " { \"b\" : [ 1.50 , 1e40, -0 ], \"a\\u0062\":\"\\u00e9\\/\", \"a\": null } ";
        let expected = r#"{"a":null,"ab":"é/","b":[1.50,1e40,-0]}"#;
        assert_eq!(canonical_json(text).as_deref(), Some(expected));
        assert_eq!(canonical_json(expected).as_deref(), Some(expected));
        assert_eq!(any().default_value("0.10"), Value::Json("0.10".to_owned()));
        assert_eq!(any().default_value("null"), Value::Null);
        assert_eq!(any().default_value("\"\""), Value::Json("\"\"".to_owned()));
    }

    #[test]
    fn wrong_json_has_a_path() {
        assert_eq!(
            problems(&any(), r#"{"a":["\ud800",{"b":"\ud800"}]}"#),
            [(ErrorCode::InvalidText, Some("a.0".to_owned())), (ErrorCode::InvalidText, Some("a.1.b".to_owned()))]
        );
        assert_eq!(problems(&any(), r#"{"\ud800":1}"#), [(ErrorCode::InvalidText, None)]);
        assert_eq!(problems(&any(), r#"{"a":{"b":1,"b":2}}"#), [(ErrorCode::MalformedJson, None)]);
        assert_eq!(problems(&any(), r#"{"a":1,"\u0061":2}"#), [(ErrorCode::MalformedJson, None)]);
    }

    #[test]
    fn any_json_has_bounds() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(problems(&any(), &nested(MAX_JSON_DEPTH)), []);
        let deep = problems(&any(), &nested(MAX_JSON_DEPTH + 1));
        assert_eq!(deep[0].0, ErrorCode::TooDeep);
        let four = Read::Json(AnyJson::new(Some(4)));
        assert_eq!(problems(&four, "[ 1, 2 ]"), [(ErrorCode::TooManyBytes, None)]);
        assert_eq!(problems(&four, "[ 12 ]"), []);
        assert_eq!(problems(&four, "\"éé\""), [(ErrorCode::TooManyBytes, None)]);
        let long = format!("[{}]", "1".repeat(MAX_NUMBER_DIGITS + 1));
        assert_eq!(problems(&any(), &long), [(ErrorCode::NumberTooLong, Some("0".to_owned()))]);
        assert_eq!(problems(&any(), "1e300"), [(ErrorCode::NumberTooLong, None)]);
        assert_eq!(problems(&any(), "-1E-99999999999"), [(ErrorCode::NumberTooLong, None)]);
        assert_eq!(problems(&any(), r#"["\u0000"]"#), [(ErrorCode::InvalidText, Some("0".to_owned()))]);
    }

    #[test]
    fn the_names_of_a_map_are_checked() {
        let map = map(any());
        assert_eq!(map.default_value(r#"{"b":1,"a":"x"}"#), {
            let json = |text: &str| Value::Json(text.to_owned());
            Value::Map(vec![("a".to_owned(), json("\"x\"")), ("b".to_owned(), json("1"))])
        });
        assert_eq!(map.default_value("null"), Value::Map(Vec::new()));
        let long = format!("{{\"{}\":1}}", "ż".repeat(MAX_MAP_NAME + 1));
        assert_eq!(problems(&map, &long)[0].0, ErrorCode::InvalidName);
        assert_eq!(problems(&map, r#"{"":1}"#), [(ErrorCode::InvalidName, None)]);
        assert_eq!(problems(&map, r#"{"A":1}"#), [(ErrorCode::NameMismatch, Some("A".to_owned()))]);
        assert_eq!(problems(&map, r#"{"a":null}"#), [(ErrorCode::Required, Some("a".to_owned()))]);
        assert_eq!(problems(&map, "[]"), [(ErrorCode::WrongType, None)]);
        assert_eq!(problems(&map, r#"{"a":1,"a":2}"#), [(ErrorCode::MalformedJson, None)]);
        let many: Vec<_> = (0..=DEFAULT_MAP_ENTRIES).map(|n| format!("\"n{n}\":1")).collect();
        assert_eq!(problems(&map, &format!("{{{}}}", many.join(",")))[0].0, ErrorCode::TooManyItems);
    }
}
