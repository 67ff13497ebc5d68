//! Help for unknown words.

/// `a`, `b` or `c`.
pub(super) fn list<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// "did you mean …", or all there is to choose from.
pub(super) fn help(nearest: Option<&str>, known: &[&str]) -> Option<String> {
    match nearest {
        Some(word) => Some(format!("did you mean `{word}`?")),
        None if known.is_empty() => None,
        None => Some(format!("write one of {}", list(known.iter().copied()))),
    }
}
