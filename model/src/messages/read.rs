//! Parses a Fluent text into its messages, with the place of every part that can be wrong.

use super::{DATETIME, MAX_PLACEABLES, MessageFault, MessagePlace};
use crate::FaultCode;
use fluent_syntax::ast::{Attribute, CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use std::ops::Range;

/// Opening braces and brackets of a message at most: nesting costs the parser stack.
const MAX_OPENINGS: usize = MAX_PLACEABLES;

/// What a file has.
#[derive(Debug, Default)]
pub(super) struct ParsedMessages<'t> {
    /// In the order of writing.
    pub(super) messages: Vec<MessageEntry<'t>>,
    /// Without the dash.
    pub(super) terms: Vec<MessageEntry<'t>>,
    pub(super) faults: Vec<MessageFault>,
}

/// A message or a term.
#[derive(Debug)]
pub(super) struct MessageEntry<'t> {
    pub(super) name: SourceWord<'t>,
    pub(super) attributes: Vec<SourceWord<'t>>,
    pub(super) uses: Vec<Usage<'t>>,
}

/// A word of the text, with its place.
#[derive(Debug, Clone)]
pub(super) struct SourceWord<'t> {
    pub(super) text: &'t str,
    pub(super) at: MessagePlace,
}

/// A variable, function, message or term that a text uses.
#[derive(Debug)]
pub(super) enum Usage<'t> {
    Variable(SourceWord<'t>),
    Message(SourceWord<'t>),
    /// A term, or one of its attributes.
    Term(SourceWord<'t>, Option<SourceWord<'t>>),
    Function(SourceWord<'t>),
    /// An option of `DATETIME`.
    TimeOption(SourceWord<'t>),
}

/// Reads a file.
pub(super) fn read(file: usize, text: &str) -> ParsedMessages<'_> {
    let mut reader = MessageReader { file, text, uses: Vec::new() };
    if let Some(fault) = reader.unreadable() {
        return ParsedMessages { faults: vec![fault], ..ParsedMessages::default() };
    }
    let (resource, errors) = match parser::parse(text) {
        Ok(resource) => (resource, Vec::new()),
        Err((resource, errors)) => (resource, errors),
    };
    let mut read = ParsedMessages::default();
    read.faults.extend(errors.into_iter().map(|error| reader.syntax(error.pos, &error.kind.to_string())));
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                message.value.iter().for_each(|value| reader.pattern(value));
                read.messages.push(reader.named(message.id.name, &message.attributes));
            }
            Entry::Term(term) => {
                reader.pattern(&term.value);
                read.terms.push(reader.named(term.id.name, &term.attributes));
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) | Entry::Junk { .. } => {}
        }
    }
    read
}

struct MessageReader<'t> {
    file: usize,
    text: &'t str,
    /// The uses in the current entry.
    uses: Vec<Usage<'t>>,
}

impl<'t> MessageReader<'t> {
    /// Finds text that must not reach the parser.
    fn unreadable(&self) -> Option<MessageFault> {
        if self.text.starts_with('\u{feff}') {
            return Some(MessageFault {
                help: "save the file without a byte order mark".to_owned(),
                ..self.syntax(0..3, "the file begins with a byte order mark")
            });
        }
        let (mut openings, mut start) = (0, 0);
        for line in self.text.split_inclusive('\n') {
            if begins_entry(line) {
                openings = 0;
            }
            for (at, _) in line.match_indices(['{', '(']) {
                openings += 1;
                if openings > MAX_OPENINGS {
                    let message = format!("a message has more than {MAX_OPENINGS} opening braces and brackets");
                    return Some(self.syntax(start + at..start + at + 1, &message));
                }
            }
            start += line.len();
        }
        None
    }

    fn syntax(&self, bytes: Range<usize>, problem: &str) -> MessageFault {
        let start = self.text.floor_char_boundary(bytes.start);
        let end = self.text.ceil_char_boundary(bytes.end.max(start));
        let mut letters = problem.chars();
        let message = letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
        MessageFault {
            code: FaultCode::FluentSyntax,
            at: MessagePlace { file: self.file, bytes: start..end },
            also: None,
            message,
            help: "write a message like `TooLong = At most { $maxLength } characters.`, and indent its other lines"
                .to_owned(),
        }
    }

    /// Builds the current entry.
    fn named(&mut self, name: &'t str, attributes: &[Attribute<&'t str>]) -> MessageEntry<'t> {
        attributes.iter().for_each(|attribute| self.pattern(&attribute.value));
        MessageEntry {
            name: self.word(name),
            attributes: attributes.iter().map(|attribute| self.word(attribute.id.name)).collect(),
            uses: std::mem::take(&mut self.uses),
        }
    }

    /// The parser's words are parts of the text.
    fn word(&self, word: &'t str) -> SourceWord<'t> {
        let start = (word.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        SourceWord { text: word, at: MessagePlace { file: self.file, bytes: start..start + word.len() } }
    }

    fn pattern(&mut self, pattern: &Pattern<&'t str>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                self.expression(expression);
            }
        }
    }

    fn expression(&mut self, expression: &Expression<&'t str>) {
        match expression {
            Expression::Inline(inline) => self.inline(inline),
            Expression::Select { selector, variants } => {
                self.inline(selector);
                variants.iter().for_each(|variant| self.pattern(&variant.value));
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&'t str>) {
        match inline {
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            InlineExpression::VariableReference { id } => self.uses.push(Usage::Variable(self.word(id.name))),
            InlineExpression::MessageReference { id, .. } => self.uses.push(Usage::Message(self.word(id.name))),
            InlineExpression::FunctionReference { id, arguments } => {
                self.uses.push(Usage::Function(self.word(id.name)));
                if id.name == DATETIME {
                    let options = arguments.named.iter().map(|option| Usage::TimeOption(self.word(option.name.name)));
                    self.uses.extend(options.collect::<Vec<_>>());
                }
                self.arguments(arguments);
            }
            InlineExpression::TermReference { id, attribute, arguments } => {
                let attribute = attribute.as_ref().map(|attribute| self.word(attribute.name));
                self.uses.push(Usage::Term(self.word(id.name), attribute));
                arguments.iter().for_each(|arguments| self.arguments(arguments));
            }
            InlineExpression::Placeable { expression } => self.expression(expression),
        }
    }

    fn arguments(&mut self, arguments: &CallArguments<&'t str>) {
        arguments.positional.iter().for_each(|argument| self.inline(argument));
        arguments.named.iter().for_each(|argument| self.inline(&argument.value));
    }
}

/// Whether a line can only begin a message or a term: nothing that goes on in the line before reaches beyond it.
fn begins_entry(line: &str) -> bool {
    let name = line.split_once('=').map(|(name, _)| name.trim_end_matches(' '));
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_part))
}
