//! Parses bytes into the tree.
//!
//! The parser's events are pulled one by one, so that nesting costs no stack and is bounded here. What the language
//! refuses (anchors, aliases, `<<`, tags, a second document, a key twice) is reported where it stands; a syntax error
//! ends the file, everything else leaves a tree that the next stage can go on with.

use super::byte_offsets::ByteOffsets;
use super::outdented::{IndentedText, Indents, outdented};
use super::tabs::{report_tabs, tab_indentation};
use super::{Entry, Node, NodeKind, YamlKey};
use crate::diagnostic::Diagnostic;
use crate::source::{File, Source, Span};
use restwell_model::FaultCode;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};
use std::collections::HashMap;

/// The largest file that is read.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting, the outermost mapping counted.
pub const MAX_DEPTH: usize = 64;

/// What may stand before the text, and is not part of it.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads the one document of a file. Without a tree there is at least one diagnostic.
#[must_use]
pub fn read(index: usize, file: &File) -> (Source, Option<Node>, Vec<Diagnostic>) {
    let (source, fault) = decode(index, file);
    if let Some(fault) = fault {
        return (source, None, vec![fault]);
    }
    let mut indents = Indents::default();
    let (root, mut diagnostics) = loop {
        let indented = indents.apply(source.text.trim_start_matches(BYTE_ORDER_MARK));
        let mut reader = Reader::new(index, &source.text, indented.as_ref());
        let root = reader.document().unwrap_or_default();
        if !reader.outdented.is_some_and(|bracket| indents.add(bracket)) {
            break (root, reader.diagnostics);
        }
    };
    if let Some(root) = &root {
        report_tabs(root, &source, &mut diagnostics);
    }
    (source, root, diagnostics)
}

/// The text of a file, or the reason why it cannot be read.
fn decode(index: usize, file: &File) -> (Source, Option<Diagnostic>) {
    let at = |start: usize, end: usize| Span { file: index, start, end };
    if file.bytes.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; the limit is {MAX_BYTES}", file.bytes.len());
        let fault =
            Diagnostic::new(FaultCode::YamlSyntax, at(0, 0), message).help("put each resource into its own file");
        return (Source::new(file, String::new()), Some(fault));
    }
    let text = match std::str::from_utf8(&file.bytes) {
        Ok(text) => text,
        Err(error) => {
            let text = String::from_utf8_lossy(&file.bytes).into_owned();
            let start = error.valid_up_to();
            let end = start + char::REPLACEMENT_CHARACTER.len_utf8();
            let fault = Diagnostic::new(FaultCode::YamlSyntax, at(start, end), "the file is not valid UTF-8")
                .label(format!("the byte 0x{:02X} is not the start of a character", file.bytes[start]))
                .help("save the file as UTF-8");
            return (Source::new(file, text), Some(fault));
        }
    };
    let fault = text.char_indices().find(|(at, c)| !is_printable(*at, *c)).map(|(start, c)| {
        let message = format!("YAML does not allow the character U+{:04X}", u32::from(c));
        Diagnostic::new(FaultCode::YamlSyntax, at(start, start + c.len_utf8()), message)
            .help("write it as an escape in double quotes, or remove it")
    });
    (Source::new(file, text.to_owned()), fault)
}

/// YAML 1.2 §5.1. A NUL would otherwise be taken for the end of the file.
fn is_printable(at: usize, c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        BYTE_ORDER_MARK => at == 0,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    }
}

/// Reading has to stop. The diagnostics contain the reason.
struct Stop;

struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    places: ByteOffsets<'t>,
    open: Vec<Open>,
    /// A closing bracket that the parser refused, and the spaces that it needs.
    outdented: Option<(usize, usize)>,
    diagnostics: Vec<Diagnostic>,
}

/// A collection whose end has not been read yet.
enum Open {
    Sequence { start: usize, items: Vec<Node> },
    Mapping { start: usize, entries: Vec<Entry>, seen: HashMap<String, Span>, key: Pending },
}

/// What a mapping expects next.
enum Pending {
    YamlKey,
    ValueOf(YamlKey),
    /// The key was refused; skip its value.
    ValueOfNothing,
}

impl<'t> Reader<'t> {
    fn new(file: usize, text: &'t str, indented: Option<&'t IndentedText>) -> Self {
        let places = ByteOffsets::new(file, text, indented);
        let events = Parser::new_from_str(indented.map_or(places.parsed, |indented| &indented.text));
        Self { events, places, open: Vec::new(), outdented: None, diagnostics: Vec::new() }
    }

    /// The whole file: its one document, and nothing after it.
    fn document(&mut self) -> Result<Option<Node>, Stop> {
        let mut root = None;
        let mut started = false;
        while let Some(event) = self.events.next_event() {
            let (event, span) = event.map_err(|error| self.syntax(&error))?;
            let span = self.places.span(span);
            match event {
                Event::DocumentStart(_) if started => {
                    self.report(
                        Diagnostic::new(
                            FaultCode::YamlSyntax,
                            span,
                            "a file contains one document, but a second one begins here",
                        )
                        .help("move it to its own file"),
                    );
                    break;
                }
                Event::DocumentStart(_) => started = true,
                Event::StreamEnd => break,
                event => {
                    if let Some(node) = self.event(event, span)? {
                        root = Some(node);
                    }
                }
            }
        }
        if root.as_ref().is_none_or(Node::is_null) {
            let start = Span { file: self.places.file, start: 0, end: 0 };
            self.report(
                Diagnostic::new(FaultCode::UnknownDocument, start, "the file does not contain a document")
                    .help("begin the file with `service:`, `resource:`, `object:` or `enum:`, or delete it"),
            );
            return Ok(None);
        }
        Ok(root)
    }

    /// Takes an event; gives the root once it is whole.
    fn event(&mut self, event: Event<'t>, span: Span) -> Result<Option<Node>, Stop> {
        let node = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_properties(anchor, tag.is_some(), span);
                let plain = style == ScalarStyle::Plain;
                // the parser gives an omitted value the place of the token after it: `{ a, b: 1 }`
                let span = match style {
                    ScalarStyle::Plain if text.is_empty() => span.head(),
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => self.within_quotes(span),
                    _ => span,
                };
                Node { span, kind: NodeKind::Scalar { text: text.into_owned(), plain } }
            }
            Event::Alias(_) => {
                self.alias(span);
                Node { span, kind: NodeKind::Refused }
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_properties(anchor, tag.is_some(), span);
                self.open(Open::Sequence { start: span.start, items: Vec::new() }, span)?;
                return Ok(None);
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_properties(anchor, tag.is_some(), span);
                let (entries, seen, key) = (Vec::new(), HashMap::new(), Pending::YamlKey);
                self.open(Open::Mapping { start: span.start, entries, seen, key }, span)?;
                return Ok(None);
            }
            Event::SequenceEnd | Event::MappingEnd => match self.close(span) {
                Some(node) => node,
                None => return Ok(None),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                return Ok(None);
            }
        };
        Ok(self.place(node))
    }

    fn open(&mut self, collection: Open, span: Span) -> Result<(), Stop> {
        if self.open.len() == MAX_DEPTH {
            let message = format!("the document is nested deeper than {MAX_DEPTH} levels");
            let help = "move inner objects to their own files, as in `object: Address`";
            self.report(Diagnostic::new(FaultCode::YamlSyntax, span, message).help(help));
            return Err(Stop);
        }
        self.open.push(collection);
        Ok(())
    }

    /// The collection that ends here. A block's end mark stands at the next token, so its end is that of its last
    /// child; a bracket's mark reaches over the comment after it.
    fn close(&mut self, span: Span) -> Option<Node> {
        let (start, last, kind) = match self.open.pop()? {
            Open::Sequence { start, items } => {
                (start, items.last().map(|item| item.span.end), NodeKind::Sequence(items))
            }
            Open::Mapping { start, entries, .. } => (
                start,
                entries.last().map(|entry| entry.value.span.end.max(entry.key.span.end)),
                NodeKind::Mapping(entries),
            ),
        };
        let end = if span.end > span.start { span.start + 1 } else { last.unwrap_or(span.end) };
        Some(Node { span: Span { file: span.file, start, end: end.max(start) }, kind })
    }

    /// Adds a complete node to its collection; returns the node if it is the root.
    fn place(&mut self, node: Node) -> Option<Node> {
        match self.open.last_mut() {
            None => return Some(node),
            Some(Open::Sequence { items, .. }) => items.push(node),
            Some(Open::Mapping { entries, seen, key, .. }) => match std::mem::replace(key, Pending::YamlKey) {
                Pending::YamlKey => {
                    let read = read_key(node, seen, &mut self.diagnostics);
                    *key = read.map_or(Pending::ValueOfNothing, Pending::ValueOf);
                }
                Pending::ValueOf(key) => entries.push(Entry { key, value: node }),
                Pending::ValueOfNothing => {}
            },
        }
        None
    }

    /// The place of a text in quotes: within brackets the parser's mark reaches over the comment after it.
    fn within_quotes(&self, span: Span) -> Span {
        let text = self.places.parsed.get(span.start - self.places.skipped..);
        let length = text.and_then(quoted_length);
        Span { end: length.map_or(span.end, |length| span.start + length), ..span }
    }

    fn refuse_properties(&mut self, anchor: usize, tagged: bool, span: Span) {
        if anchor != 0 {
            let at = self.places.word_from('&', span);
            self.report(
                Diagnostic::new(FaultCode::AliasRefused, at, "anchors are not part of the schema language")
                    .help("write the value out, or define an `object` or `enum` and use its name"),
            );
        }
        if tagged {
            let at = self.places.word_from('!', span);
            self.report(
                Diagnostic::new(FaultCode::YamlSyntax, at, "tags are not part of the schema language")
                    .help("remove the tag"),
            );
        }
    }

    fn alias(&mut self, span: Span) {
        let at = self.places.word_from('*', span);
        self.report(Diagnostic::new(FaultCode::AliasRefused, at, "aliases are not part of the schema language").help(
            "write the value out, or define an `object` or `enum` and use its name; quote a text that begins with `*`",
        ));
    }

    fn syntax(&mut self, error: &ScanError) -> Stop {
        let at = self.places.mark(error.marker());
        self.outdented = outdented(&self.places, self.places.offset(error.marker()), self.open_bracket());
        if self.places.parsed[self.places.offset(error.marker())..].starts_with('*') {
            self.alias(at); // of an anchor that is not there
        } else if let Some(tab) = self.places.tab_before(at.start) {
            self.report(tab_indentation(tab));
        } else {
            let message = format!("the file is not valid YAML: {}", error.info());
            let diagnostic = Diagnostic::new(FaultCode::YamlSyntax, at, message);
            self.report(match self.open_bracket() {
                Some(bracket) => diagnostic
                    .also(bracket, "this is not closed")
                    .help("put a comma between entries and close every bracket; quote a text that contains `: `"),
                None => {
                    diagnostic.help("indent all entries of a mapping or list equally; quote a text that contains `: `")
                }
            });
        }
        Stop
    }

    /// The innermost `{` or `[` that is open.
    fn open_bracket(&self) -> Option<Span> {
        let (Open::Sequence { start, .. } | Open::Mapping { start, .. }) = *self.open.last()?;
        let is_bracket = self.places.parsed[start - self.places.skipped..].starts_with(['{', '[']);
        is_bracket.then_some(Span { file: self.places.file, start, end: start + 1 })
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The bytes up to the closing quote of the one that a text begins with.
fn quoted_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.first().filter(|byte| matches!(byte, b'\'' | b'"'))?;
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The key that a node is; `None`, and reported, where it cannot be one.
fn read_key(node: Node, seen: &mut HashMap<String, Span>, diagnostics: &mut Vec<Diagnostic>) -> Option<YamlKey> {
    let span = node.span;
    let text = match node.kind {
        NodeKind::Scalar { text, plain } if !(plain && text == "<<") => text,
        NodeKind::Scalar { .. } => {
            let message = "merge keys are not part of the schema language";
            diagnostics.push(Diagnostic::new(FaultCode::AliasRefused, span, message).help("list the keys here"));
            return None;
        }
        NodeKind::Sequence(_) | NodeKind::Mapping(_) => {
            let message = "a key must be a word, not a list or a mapping";
            diagnostics
                .push(Diagnostic::new(FaultCode::WrongType, span, message).help("write one word before the colon"));
            return None;
        }
        // has been reported
        NodeKind::Refused => return None,
    };
    if let Some(first) = seen.get(&text) {
        diagnostics.push(
            Diagnostic::new(FaultCode::DuplicateKey, span, format!("the key `{text}` appears twice"))
                .label("it appears again here")
                .also(*first, "it first appears here")
                .help("remove one of the two"),
        );
        return None;
    }
    seen.insert(text.clone(), span);
    Some(YamlKey { span, text })
}
