//! From a text in Fluent to its messages, with the place of each thing that can be wrong.

use super::{MessageFault, MessagePlace};
use crate::FaultCode;
use fluent_syntax::ast::{Attribute, CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use std::ops::Range;

/// Opening braces and brackets of a message at most: nesting costs the parser stack, and what is resolved has as many
/// places at most.
const MAX_OPENINGS: usize = 100;

/// What a file has.
#[derive(Debug, Default)]
pub(super) struct Read<'t> {
    /// In the order of writing.
    pub(super) messages: Vec<Named<'t>>,
    /// Without the dash.
    pub(super) terms: Vec<Named<'t>>,
    pub(super) faults: Vec<MessageFault>,
}

/// A message or a term.
#[derive(Debug)]
pub(super) struct Named<'t> {
    pub(super) name: Word<'t>,
    pub(super) attributes: Vec<Word<'t>>,
    pub(super) uses: Vec<Use<'t>>,
}

/// A word of the text, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) at: MessagePlace,
}

/// What a message puts into its text.
#[derive(Debug)]
pub(super) enum Use<'t> {
    Variable(Word<'t>),
    Message(Word<'t>),
    /// A term, or one of its attributes.
    Term(Word<'t>, Option<Word<'t>>),
    Function(Word<'t>),
}

/// Reads a file.
pub(super) fn read(file: usize, text: &str) -> Read<'_> {
    let mut reader = Reader { file, text, uses: Vec::new() };
    if let Some(fault) = reader.unreadable() {
        return Read { faults: vec![fault], ..Read::default() };
    }
    let (resource, errors) = match parser::parse(text) {
        Ok(resource) => (resource, Vec::new()),
        Err((resource, errors)) => (resource, errors),
    };
    let mut read = Read::default();
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

struct Reader<'t> {
    file: usize,
    text: &'t str,
    /// Of the entry at hand.
    uses: Vec<Use<'t>>,
}

impl<'t> Reader<'t> {
    /// What the parser should not be given.
    fn unreadable(&self) -> Option<MessageFault> {
        if self.text.starts_with('\u{feff}') {
            return Some(MessageFault {
                help: "save the file without a byte order mark".to_owned(),
                ..self.syntax(0..3, "a byte order mark stands at the beginning")
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
            help: "a message is written `TooLong = At most { $maxLength } characters.`; its other lines are indented"
                .to_owned(),
        }
    }

    /// The entry at hand, whole.
    fn named(&mut self, name: &'t str, attributes: &[Attribute<&'t str>]) -> Named<'t> {
        attributes.iter().for_each(|attribute| self.pattern(&attribute.value));
        Named {
            name: self.word(name),
            attributes: attributes.iter().map(|attribute| self.word(attribute.id.name)).collect(),
            uses: std::mem::take(&mut self.uses),
        }
    }

    /// The parser's words are parts of the text.
    fn word(&self, word: &'t str) -> Word<'t> {
        let start = (word.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Word { text: word, at: MessagePlace { file: self.file, bytes: start..start + word.len() } }
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
            InlineExpression::VariableReference { id } => self.uses.push(Use::Variable(self.word(id.name))),
            InlineExpression::MessageReference { id, .. } => self.uses.push(Use::Message(self.word(id.name))),
            InlineExpression::FunctionReference { id, arguments } => {
                self.uses.push(Use::Function(self.word(id.name)));
                self.arguments(arguments);
            }
            InlineExpression::TermReference { id, attribute, arguments } => {
                let attribute = attribute.as_ref().map(|attribute| self.word(attribute.name));
                self.uses.push(Use::Term(self.word(id.name), attribute));
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
