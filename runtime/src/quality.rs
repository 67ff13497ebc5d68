//! The quality of an element of `Accept`, `Accept-Encoding`, `Accept-Language` (RFC 9110, section 12.4.2).

/// Parses `0`, `0.5`, `1.000` into thousandths; `None` if it is not a quality.
pub(crate) fn parse_quality(value: &str) -> Option<u32> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|b| b.is_ascii_digit());
    if !matches!(whole, "0" | "1") || !digits {
        return None;
    }
    let thousandths = format!("{whole}{fraction:0<3}").parse().ok()?;
    if thousandths <= 1000 { Some(thousandths) } else { None }
}
