//! The members of an object, found in one go over its text.

use super::json::{self, Malformed};
use super::reader::Reader;
use std::borrow::Cow;
use std::collections::HashSet;

/// The raw text of each known member, in the order of the names, and a word to the reader of each unknown one.
///
/// `name` gives the names by index; one that may not be named is `None`. What is `ignored` is taken and not looked at.
pub(super) fn find_members<'a, 'n>(
    text: &'a str,
    count: usize,
    name: impl Fn(usize) -> Option<&'n str>,
    ignored: &[&str],
    nearest: impl Fn(&str) -> Option<&'n str>,
    reader: &mut Reader<'_>,
) -> Result<Vec<Option<&'a str>>, Malformed> {
    let mut given = vec![None; count];
    let mut others: HashSet<Cow<'_, [u8]>> = HashSet::new();
    let mut expected = 0;
    json::members(text, |key, raw| {
        let is_called = |index: &usize| name(*index).is_some_and(|name| name.as_bytes() == &*key);
        // clients mostly send the members in the model's order
        match Some(expected).filter(is_called).or_else(|| (0..count).find(is_called)) {
            Some(index) => {
                expected = index + 1;
                if given[index].replace(raw).is_some() {
                    return Err(json::duplicate(&String::from_utf8_lossy(&key)));
                }
            }
            None if others.contains(&key) => return Err(json::duplicate(&String::from_utf8_lossy(&key))),
            None => {
                json::skip(raw)?;
                if ignored.iter().any(|name| name.as_bytes() == &*key) {
                    reader.has_id |= &*key == b"id" && raw != "null";
                } else {
                    let near = || std::str::from_utf8(&key).ok().and_then(&nearest);
                    reader.unknown(&String::from_utf8_lossy(&key), near);
                }
                others.insert(key);
            }
        }
        Ok(())
    })?;
    Ok(given)
}
