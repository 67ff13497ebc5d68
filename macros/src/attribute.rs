//! An attribute's arguments as one tree, each with its tokens: `#[field(max_length = 75, show(name), filter)]`.
//!
//! All attributes have this grammar. The readers (`resource`, `field`, …) give the words their meaning: they request
//! the form that an argument must have, such as a flag, a text, a number or a list.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use restwell_model::{Type, names};
use rust_decimal::Decimal;
use std::str::FromStr;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Lit, LitStr, Meta, Result, Token, bracketed, parenthesized, token};

/// A word with its value.
pub(crate) struct Argument {
    pub(crate) name: ArgumentName,
    pub(crate) given: ArgumentValue,
}

/// A word, or a text for names that are not Rust identifiers.
pub(crate) enum ArgumentName {
    Word(Ident),
    Text(LitStr),
}

pub(crate) enum ArgumentValue {
    /// `filter`
    Nothing,
    /// `max_length = 75`
    Value(AttributeValue),
    /// `show(name)`
    List(token::Paren, Vec<Argument>),
}

pub(crate) enum AttributeValue {
    /// `user`, `Offer`, `offers::Offer`
    Path(syn::Path),
    /// `"ACTIVE"`, `-5`, `true`
    Literal(Lit),
    /// `json("…")`
    Json(Ident, LitStr),
    /// `when("status == \"DRAFT\"")`
    When(Ident, LitStr),
    /// `[owner, "scope:offers.admin"]`
    Any(token::Bracket, Vec<AttributeValue>),
}

/// The arguments of all attributes of this name, in the order of writing.
pub(crate) fn arguments(attributes: &[Attribute], name: &str) -> Result<Vec<Argument>> {
    let mut all = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        match &attribute.meta {
            Meta::Path(_) => {}
            meta => {
                let list = meta.require_list()?;
                all.extend(list.parse_args_with(Punctuated::<Argument, Token![,]>::parse_terminated)?);
            }
        }
    }
    Ok(all)
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        let given = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            ArgumentValue::Value(input.parse()?)
        } else if input.peek(token::Paren) {
            let content;
            let paren = parenthesized!(content in input);
            let list = Punctuated::<Argument, Token![,]>::parse_terminated(&content)?;
            ArgumentValue::List(paren, list.into_iter().collect())
        } else {
            ArgumentValue::Nothing
        };
        Ok(Self { name, given })
    }
}

impl Parse for ArgumentName {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            input.parse().map(Self::Text)
        } else {
            // keywords, too: `async`
            input.call(Ident::parse_any).map(Self::Word)
        }
    }
}

impl Parse for AttributeValue {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Bracket) {
            let content;
            let bracket = bracketed!(content in input);
            let values = Punctuated::<AttributeValue, Token![,]>::parse_terminated(&content)?;
            return Ok(Self::Any(bracket, values.into_iter().collect()));
        }
        if input.peek(Lit) || input.peek(Token![-]) {
            return input.parse().map(Self::Literal);
        }
        let path = syn::Path::parse_mod_style(input)?;
        match path.get_ident() {
            Some(word) if word == "json" && input.peek(token::Paren) => {
                let content;
                parenthesized!(content in input);
                Ok(Self::Json(word.clone(), content.parse()?))
            }
            Some(word) if word == "when" && input.peek(token::Paren) => {
                let content;
                parenthesized!(content in input);
                Ok(Self::When(word.clone(), content.parse()?))
            }
            _ => Ok(Self::Path(path)),
        }
    }
}

impl ArgumentName {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Word(word) => word.unraw().to_string(),
            Self::Text(text) => text.value(),
        }
    }
}

impl Argument {
    /// `filter`: a word without a value.
    pub(crate) fn flag(&self) -> Result<bool> {
        match &self.given {
            ArgumentValue::Nothing => Ok(true),
            _ => Err(self.expected(|name| format!("write `{name}` without a value"))),
        }
    }

    /// Whether it is a word without a value.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.given, ArgumentValue::Nothing)
    }

    /// Whether it has a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.given, ArgumentValue::List(..))
    }

    /// `count = false`.
    pub(crate) fn truth(&self) -> Result<bool> {
        match &self.given {
            ArgumentValue::Value(AttributeValue::Literal(Lit::Bool(truth))) => Ok(truth.value),
            _ => Err(self.expected(|name| format!("write `{name} = true` or `{name} = false`"))),
        }
    }

    /// `plural = "offers"`.
    pub(crate) fn text(&self) -> Result<String> {
        match &self.given {
            ArgumentValue::Value(AttributeValue::Literal(Lit::Str(text))) => Ok(text.value()),
            _ => Err(self.expected(|name| format!("write `{name} = \"…\"`"))),
        }
    }

    /// A text of a form that the model reads: `sunset = "2027-06-30"`.
    pub(crate) fn parsed<T>(&self, form: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let text = self.text()?;
        parse(&text).ok_or_else(|| Error::new_spanned(self.place(), format!("`{text}` is not {form}")))
    }

    /// `max_length = 75`.
    pub(crate) fn count(&self) -> Result<u32> {
        self.number("a count, such as 0 or 10")
    }

    /// `minimum = -5`.
    pub(crate) fn integer(&self) -> Result<i64> {
        self.number("a 64-bit integer")
    }

    /// `minimum = 0.5`.
    pub(crate) fn float(&self) -> Result<f64> {
        self.number("a number")
    }

    /// `minimum = 0.01` or `minimum = "0.01"`, exactly as written.
    pub(crate) fn decimal(&self) -> Result<Decimal> {
        let form = "a decimal number";
        if self.digits().is_some() { self.number(form) } else { self.parsed(form, |text| text.parse().ok()) }
    }

    fn number<T: FromStr>(&self, form: &str) -> Result<T> {
        let digits = self.digits().ok_or_else(|| self.expected(|name| format!("write a number: `{name} = …`")))?;
        digits.parse().map_err(|_| Error::new_spanned(self.place(), format!("`{digits}` is not {form}")))
    }

    /// The digits of a number literal.
    fn digits(&self) -> Option<&str> {
        match &self.given {
            ArgumentValue::Value(AttributeValue::Literal(Lit::Int(number))) => Some(number.base10_digits()),
            ArgumentValue::Value(AttributeValue::Literal(Lit::Float(number))) => Some(number.base10_digits()),
            _ => None,
        }
    }

    /// `default = "ACTIVE"`, `default = -5`, `default = json("{…}")`: JSON in the form of the type.
    pub(crate) fn json(&self, ty: &Type) -> Result<serde_json::Value> {
        match &self.given {
            // decimals are texts in JSON, and may be written as numbers here
            ArgumentValue::Value(AttributeValue::Literal(Lit::Int(_) | Lit::Float(_)))
                if matches!(ty, Type::Decimal { .. }) =>
            {
                Ok(serde_json::Value::from(self.digits()))
            }
            ArgumentValue::Value(AttributeValue::Literal(Lit::Int(_))) => self.integer().map(Into::into),
            ArgumentValue::Value(AttributeValue::Literal(Lit::Float(_))) => self.float().map(Into::into),
            ArgumentValue::Value(AttributeValue::Literal(Lit::Bool(truth))) => Ok(truth.value.into()),
            ArgumentValue::Value(AttributeValue::Literal(Lit::Str(text))) => Ok(text.value().into()),
            ArgumentValue::Value(AttributeValue::Json(_, text)) => serde_json::from_str(&text.value())
                .map_err(|error| Error::new_spanned(text, format!("this is not JSON: {error}"))),
            _ => Err(self.expected(|name| format!("write a literal, or `{name} = json(\"…\")`"))),
        }
    }

    /// `secret = argon2`.
    pub(crate) fn word(&self) -> Result<String> {
        match &self.given {
            ArgumentValue::Value(AttributeValue::Path(path)) if path.get_ident().is_some() => {
                Ok(path.segments[0].ident.unraw().to_string())
            }
            _ => Err(self.expected(|name| format!("write a word: `{name} = …`"))),
        }
    }

    /// `owner = seller`: a field, by the name it has in the model.
    pub(crate) fn field(&self) -> Result<String> {
        self.word().map(|word| names::camel(&word))
    }

    /// `output = RenewOutput`.
    pub(crate) fn path(&self) -> Result<syn::Path> {
        match &self.given {
            ArgumentValue::Value(AttributeValue::Path(path)) => Ok(path.clone()),
            _ => Err(self.expected(|name| format!("write a type: `{name} = …`"))),
        }
    }

    /// `query = ListQuery`: a type that the derive makes.
    pub(crate) fn ident(&self) -> Result<Ident> {
        let path = self.path()?;
        path.get_ident().cloned().ok_or_else(|| self.expected(|name| format!("write a name: `{name} = …`")))
    }

    /// `operations(…)`.
    pub(crate) fn list(&self) -> Result<&[Argument]> {
        match &self.given {
            ArgumentValue::List(_, list) if !list.is_empty() => Ok(list),
            _ => Err(self.expected(|name| format!("write a list: `{name}(…)`"))),
        }
    }

    /// `currencies("PLN", "EUR")`, `views(sale)`.
    pub(crate) fn words(&self) -> Result<Vec<String>> {
        self.list()?.iter().map(Self::item).collect()
    }

    /// `under(seller)`: fields, by the names they have in the model.
    pub(crate) fn fields(&self) -> Result<Vec<String>> {
        Ok(self.words()?.iter().map(|word| names::camel(word)).collect())
    }

    /// `commands(Renew, End)`: types by their names.
    pub(crate) fn types(&self) -> Result<Vec<Ident>> {
        let one = |item: &Self| match (&item.name, &item.given) {
            (ArgumentName::Word(word), ArgumentValue::Nothing) => Ok(word.clone()),
            _ => Err(Error::new_spanned(item, "write only the name of a type here")),
        };
        self.list()?.iter().map(one).collect()
    }

    /// One item of a plain list: a name and nothing more.
    pub(crate) fn item(&self) -> Result<String> {
        match &self.given {
            ArgumentValue::Nothing => Ok(self.name.text()),
            _ => Err(Error::new_spanned(self, "write only a name here")),
        }
    }

    /// The tokens for an error in the value: the value, or the word if there is no value.
    pub(crate) fn place(&self) -> &dyn ToTokens {
        match &self.given {
            ArgumentValue::Nothing => &self.name,
            ArgumentValue::Value(value) => value,
            ArgumentValue::List(..) => self,
        }
    }

    fn expected(&self, form: impl FnOnce(&str) -> String) -> Error {
        Error::new_spanned(self, form(&self.name.to_token_stream().to_string()))
    }
}

impl ToTokens for ArgumentName {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Word(word) => word.to_tokens(tokens),
            Self::Text(text) => text.to_tokens(tokens),
        }
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.name.to_tokens(tokens);
        match &self.given {
            ArgumentValue::Nothing => {}
            ArgumentValue::Value(value) => value.to_tokens(tokens),
            ArgumentValue::List(paren, list) => paren.surround(tokens, |tokens| tokens.extend(quote!(#(#list),*))),
        }
    }
}

impl ToTokens for AttributeValue {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Path(path) => path.to_tokens(tokens),
            Self::Literal(literal) => literal.to_tokens(tokens),
            Self::Json(word, text) | Self::When(word, text) => tokens.extend(quote!(#word(#text))),
            Self::Any(bracket, values) => bracket.surround(tokens, |tokens| tokens.extend(quote!(#(#values),*))),
        }
    }
}
