//! The texts of one language, and how one of them is written with the values of an error.
//!
//! They are parsed once, when the service starts. Writing one follows the rules of Fluent, with the plural rules of the
//! language; a text that cannot be written whole is not written at all.

use super::times::TimeStyle;
use super::value::MessageValue;
use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement, Term, Variant, VariantKey,
};
use fluent_syntax::parser;
use fluent_syntax::unicode::unescape_unicode_to_string;
use restwell_model::messages::{DATETIME, MAX_PLACEABLES, NUMBER, PluralRules};
use std::collections::BTreeMap;

/// The texts of one language.
pub(super) struct LanguageTexts {
    messages: BTreeMap<String, Pattern<String>>,
    /// Without the dash.
    terms: BTreeMap<String, Term<String>>,
    plural_rules: PluralRules,
    times: TimeStyle,
}

/// Values by the names of variables or options.
pub(super) type NamedValues<'a> = BTreeMap<&'a str, MessageValue>;

/// A text that cannot be written: a value or a term is missing, or it refers to itself.
struct Unwritable;

impl LanguageTexts {
    /// Reads Fluent files. Later ones replace what earlier ones say.
    pub(super) fn new(tag: &str, files: &[&str]) -> Result<Self, String> {
        let mut texts = Self {
            messages: BTreeMap::new(),
            terms: BTreeMap::new(),
            plural_rules: PluralRules::of(tag),
            times: TimeStyle::of(tag),
        };
        for file in files {
            let resource = parser::parse_runtime((*file).to_owned());
            let resource = resource.map_err(|(_, errors)| format!("messages in `{tag}`: {errors:?}"))?;
            resource.body.into_iter().for_each(|entry| texts.add(entry));
        }
        Ok(texts)
    }

    fn add(&mut self, entry: Entry<String>) {
        match entry {
            Entry::Message(message) => {
                if let Some(value) = message.value {
                    self.messages.insert(message.id.name, value);
                }
            }
            Entry::Term(term) => {
                self.terms.insert(term.id.name.clone(), term);
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) | Entry::Junk { .. } => {}
        }
    }

    pub(super) const fn times(&self) -> TimeStyle {
        self.times
    }

    /// A message's text; `None` if there is none, or the error does not have a value that the message shows.
    pub(super) fn text(&self, id: &str, values: &NamedValues<'_>) -> Option<String> {
        let mut text = String::new();
        let mut writer = TextWriter { texts: self, placeables: 0, depth: 0 };
        let scope = TextScope { values, is_term: false };
        writer.pattern(self.messages.get(id)?, &scope, &mut text).is_ok().then_some(text)
    }
}

/// The variables that a pattern can use.
struct TextScope<'s> {
    values: &'s NamedValues<'s>,
    /// The variables of a term are its arguments, and all of them are optional.
    is_term: bool,
}

/// Writes one message.
struct TextWriter<'t> {
    texts: &'t LanguageTexts,
    /// Placeables so far.
    placeables: usize,
    /// Expressions around the current one.
    depth: usize,
}

impl<'t> TextWriter<'t> {
    fn pattern(
        &mut self,
        pattern: &'t Pattern<String>,
        scope: &TextScope<'_>,
        text: &mut String,
    ) -> Result<(), Unwritable> {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => text.push_str(value),
                PatternElement::Placeable { expression } => {
                    self.placeables += 1;
                    if self.placeables > MAX_PLACEABLES {
                        return Err(Unwritable);
                    }
                    self.expression(expression, scope, text)?;
                }
            }
        }
        Ok(())
    }

    fn expression(
        &mut self,
        expression: &'t Expression<String>,
        scope: &TextScope<'_>,
        text: &mut String,
    ) -> Result<(), Unwritable> {
        match expression {
            Expression::Inline(inline) => text.push_str(&self.value(inline, scope)?.into_text()),
            Expression::Select { selector, variants } => {
                let value = self.value(selector, scope)?;
                let chosen = variants.iter().find(|variant| self.matches(variant, &value));
                let chosen = chosen.or_else(|| variants.iter().find(|variant| variant.default));
                self.pattern(&chosen.ok_or(Unwritable)?.value, scope, text)?;
            }
        }
        Ok(())
    }

    /// Whether a variant is for a value: the first one that matches is chosen.
    fn matches(&self, variant: &Variant<String>, value: &MessageValue) -> bool {
        match (&variant.key, value) {
            (VariantKey::Identifier { name }, MessageValue::Text(text)) => name == text,
            (VariantKey::Identifier { name }, MessageValue::Number(number)) => {
                self.texts.plural_rules.category(number.kind, &number.digits).name() == name
            }
            (VariantKey::NumberLiteral { value }, MessageValue::Number(number)) => number.equals(value),
            (VariantKey::NumberLiteral { .. }, MessageValue::Text(_)) => false,
        }
    }

    fn value(
        &mut self,
        inline: &'t InlineExpression<String>,
        scope: &TextScope<'_>,
    ) -> Result<MessageValue, Unwritable> {
        self.depth += 1;
        if self.depth > MAX_PLACEABLES {
            return Err(Unwritable);
        }
        let value = match inline {
            InlineExpression::StringLiteral { value } => {
                MessageValue::Text(unescape_unicode_to_string(value).into_owned())
            }
            InlineExpression::NumberLiteral { value } => MessageValue::number(value),
            InlineExpression::VariableReference { id } => match scope.values.get(id.name.as_str()) {
                Some(value) => value.clone(),
                None if scope.is_term => MessageValue::Text(format!("{{${}}}", id.name)),
                None => return Err(Unwritable),
            },
            InlineExpression::FunctionReference { id, arguments } => self.call(&id.name, arguments, scope)?,
            InlineExpression::TermReference { id, attribute, arguments } => {
                let term = self.texts.terms.get(&id.name).ok_or(Unwritable)?;
                let pattern = match attribute {
                    None => &term.value,
                    Some(name) => {
                        let found = term.attributes.iter().find(|attribute| attribute.id.name == name.name);
                        &found.ok_or(Unwritable)?.value
                    }
                };
                let values = match arguments {
                    Some(arguments) => self.named(arguments, scope)?,
                    None => NamedValues::new(),
                };
                let mut text = String::new();
                self.pattern(pattern, &TextScope { values: &values, is_term: true }, &mut text)?;
                MessageValue::Text(text)
            }
            InlineExpression::Placeable { expression } => {
                let mut text = String::new();
                self.expression(expression, scope, &mut text)?;
                MessageValue::Text(text)
            }
            // a message cannot include another one
            InlineExpression::MessageReference { .. } => return Err(Unwritable),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn call(
        &mut self,
        function: &str,
        arguments: &'t CallArguments<String>,
        scope: &TextScope<'_>,
    ) -> Result<MessageValue, Unwritable> {
        let value = self.value(arguments.positional.first().ok_or(Unwritable)?, scope)?;
        match function {
            NUMBER => {
                let options = self.named(arguments, scope)?;
                Ok(options.iter().fold(value, |value, (name, option)| value.with_option(name, option)))
            }
            DATETIME => Ok(self.texts.times.datetime(value)),
            _ => Err(Unwritable),
        }
    }

    fn named(
        &mut self,
        arguments: &'t CallArguments<String>,
        scope: &TextScope<'_>,
    ) -> Result<NamedValues<'t>, Unwritable> {
        let named = arguments.named.iter();
        named.map(|argument| Ok((argument.name.name.as_str(), self.value(&argument.value, scope)?))).collect()
    }
}
