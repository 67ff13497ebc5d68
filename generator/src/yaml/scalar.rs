//! The core schema of YAML 1.2 (§10.3.2): what a plain scalar stands for. Quoted and block scalars are strings.

use super::{Node, NodeKind};

/// The value of a scalar, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar<'a> {
    /// `null`, `~`, or nothing at all.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `12`, `-3`, `0x1F`, `0o17`.
    Integer(&'a str),
    /// `1.5`, `1e3`, `.inf`.
    Float(&'a str),
    /// Anything else.
    String(&'a str),
}

/// The value of a node, if it is a scalar.
#[must_use]
pub fn resolve(node: &Node) -> Option<Scalar<'_>> {
    match &node.kind {
        NodeKind::Scalar { text, plain: true } => Some(resolve_plain(text)),
        NodeKind::Scalar { text, plain: false } => Some(Scalar::String(text)),
        _ => None,
    }
}

fn resolve_plain(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        _ if is_integer(text) => Scalar::Integer(text),
        _ if is_float(text) => Scalar::Float(text),
        _ => Scalar::String(text),
    }
}

fn is_integer(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    }
    all_digits(unsigned(text))
}

fn is_float(text: &str) -> bool {
    let body = unsigned(text);
    if matches!(body, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = body.split_once(['e', 'E']).map_or((body, None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let mantissa_holds = digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    mantissa_holds && exponent.is_none_or(|e| all_digits(unsigned(e)))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

impl Scalar<'_> {
    /// The integer, where it is one that fits.
    #[must_use]
    pub fn integer(self) -> Option<i64> {
        let Self::Integer(text) = self else { return None };
        match (text.strip_prefix("0o"), text.strip_prefix("0x")) {
            (Some(octal), _) => i64::from_str_radix(octal, 8).ok(),
            (_, Some(hex)) => i64::from_str_radix(hex, 16).ok(),
            _ => text.parse().ok(),
        }
    }

    /// The finite number, where it is one.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        let number = match self {
            Self::Integer(text) | Self::Float(text) => {
                self.integer().map_or_else(|| text.parse().ok(), |integer| Some(integer as f64))
            }
            _ => None,
        };
        number.filter(|n: &f64| n.is_finite())
    }

    /// With an article, for "expected …, found …".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::String(_) => "a text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_core_schemas_words_are_booleans_and_nulls() {
        for word in ["NO", "no", "yes", "on", "off", "y", "nul", "Nan"] {
            assert_eq!(resolve_plain(word), Scalar::String(word));
        }
        assert_eq!(resolve_plain("True"), Scalar::Bool(true));
        assert_eq!(resolve_plain("~"), Scalar::Null);
    }

    #[test]
    fn numbers_are_kept_as_written() {
        assert_eq!(resolve_plain("9999999.90"), Scalar::Float("9999999.90"));
        assert_eq!(resolve_plain("0x1F").integer(), Some(31));
        assert_eq!(resolve_plain("1e3").number(), Some(1000.0));
        for text in ["1_000", "1.2.3", "2027-06-30", ".", "e3", "1e", "0x", "+"] {
            assert_eq!(resolve_plain(text), Scalar::String(text), "{text}");
        }
    }

    #[test]
    fn what_is_not_finite_is_no_number() {
        assert_eq!(resolve_plain(".inf").number(), None);
        assert_eq!(resolve_plain("1e400").number(), None);
    }
}
