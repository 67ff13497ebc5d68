//! Reads doc comments, which become the descriptions of the model.

use syn::{Attribute, Expr, Lit, Meta};

/// The text of the doc comments: a line each, without the space that a comment begins with.
pub(crate) fn description(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(literal) = &pair.value else { return None };
    match &literal.lit {
        Lit::Str(text) if pair.path.is_ident("doc") => {
            let text = text.value();
            Some(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
        }
        _ => None,
    }
}
