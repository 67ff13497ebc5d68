//! The types of texts of one form, from the rows of the scalar types.

use crate::emit::NotRust;
use askama::Template;
use restwell_model::language::{Characters, SCALAR_TYPES, TextShape};

/// `base/texts.rs`.
#[derive(Template)]
#[template(path = "client/rust/base/texts.rs", escape = "none")]
struct TextsFile {
    texts: Vec<TextType>,
}

struct TextType {
    name: &'static str,
    description: &'static str,
    /// What it looks like, in an error.
    form: &'static str,
    prefix: &'static str,
    /// A range.
    length: String,
    /// A function of a byte.
    is: &'static str,
}

macro_rules! forms {
    ($($variant:ident, $type:ident, $file:ident, $name:literal, $form:literal;)*) => {
        [$((stringify!($type), $form)),*]
    };
}

/// The names of the types.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    restwell_model::with_text_types!(forms).into_iter().map(|(name, _)| name)
}

/// The file.
pub(super) fn file() -> Result<String, NotRust> {
    let forms = restwell_model::with_text_types!(forms);
    let texts = forms.into_iter().filter_map(|(name, form)| {
        let row = SCALAR_TYPES.into_iter().find(|row| row.rust.name() == name)?;
        let shape = row.text_examples()?.shape;
        Some(TextType {
            name,
            description: row.keys.description,
            form,
            prefix: shape.prefix,
            length: length(&shape),
            is: is(shape.characters),
        })
    });
    let file = TextsFile { texts: texts.collect() };
    file.render().map(|text| text + "\n").map_err(|error| NotRust::new("base/texts.rs", error.to_string()))
}

fn length(shape: &TextShape) -> String {
    match shape.length {
        (least, Some(most)) => format!("{least}..={most}"),
        (least, None) => format!("{least}.."),
    }
}

/// `Characters::contain` in Rust.
const fn is(characters: Characters) -> &'static str {
    match characters {
        Characters::Capitals => "u8::is_ascii_uppercase",
        Characters::Digits => "u8::is_ascii_digit",
        Characters::Words => "|byte| byte.is_ascii_alphanumeric() || *byte == b'-'",
        Characters::Visible => "u8::is_ascii_graphic",
    }
}
