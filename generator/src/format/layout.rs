//! Turns the tree and the comments into pieces: the printed entries in their order, each with its comments.

use super::WIDTH;
use super::order::Inside;
use super::scan::{Comment, scan};
use crate::yaml::{Node, NodeKind};
use std::collections::HashMap;

/// A mapping or a list that is printed on several lines.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) is_list: bool,
    pub(super) pieces: Vec<Piece>,
    /// Comments after the last piece.
    pub(super) tail: Vec<Line>,
}

/// An entry of a mapping or an item of a list.
#[derive(Debug)]
pub(super) struct Piece {
    /// The comments above it.
    pub(super) above: Vec<Line>,
    /// Whether it has a blank line before it, and after the comments.
    pub(super) is_apart: bool,
    pub(super) key: Option<String>,
    pub(super) value: Value,
    /// The comment on its line.
    pub(super) beside: Option<String>,
}

/// A comment on its own line.
#[derive(Debug)]
pub(super) struct Line {
    /// Whether it has a blank line before it.
    pub(super) is_apart: bool,
    pub(super) text: String,
}

/// What a piece holds.
#[derive(Debug)]
pub(super) enum Value {
    /// A key without a value.
    Nothing,
    /// On the line of its key: a scalar, or a collection in flow style. A scalar may have more lines.
    Inline(Vec<String>),
    /// On the line after its key.
    Below(Vec<String>),
    Block(Block),
}

/// Lays out a document.
pub(super) fn lay_out(text: &str, root: &Node, inside: Inside) -> Block {
    let found = scan(text, root);
    let mut layout = Layout { text, comments: &found.comments, headers: &found.headers };
    let mut block = layout.block(root, inside, 0, FollowingNode::END);
    block.tail.extend(layout.take(usize::MAX));
    block
}

struct Layout<'t, 's> {
    text: &'t str,
    /// Those that have no place yet.
    comments: &'s [Comment<'t>],
    headers: &'s HashMap<usize, &'t str>,
}

/// The start of the next node, and its column, from 1.
#[derive(Clone, Copy)]
struct FollowingNode {
    start: usize,
    column: usize,
}

impl FollowingNode {
    const END: Self = Self { start: usize::MAX, column: 0 };
}

/// An entry or an item of the tree.
struct Child<'n> {
    start: usize,
    key: Option<&'n crate::yaml::YamlKey>,
    value: &'n Node,
}

fn children(node: &Node) -> Vec<Child<'_>> {
    let entries = node.entries().iter().map(|e| Child { start: e.key.span.start, key: Some(&e.key), value: &e.value });
    let items = node.items().iter().map(|item| Child { start: item.span.start, key: None, value: item });
    entries.chain(items).collect()
}

impl<'t> Layout<'t, '_> {
    /// A collection in block style.
    fn block(&mut self, node: &Node, inside: Inside, indent: usize, next: FollowingNode) -> Block {
        let is_list = matches!(node.kind, NodeKind::Sequence(_));
        let children = children(node);
        let column = self.column(node.span.start);
        let mut pieces = Vec::with_capacity(children.len());
        for (position, child) in children.iter().enumerate() {
            let next = match children.get(position + 1) {
                Some(next) => FollowingNode { start: next.start, column },
                None if self.is_flow(node) => FollowingNode { start: node.span.end, column },
                None => next,
            };
            let below = child.key.map_or_else(|| inside.of_items(), |key| inside.below(node, &key.text));
            let piece = self.piece(child, below, indent, next);
            let rank = child.key.map(|key| {
                let is_long = matches!(piece.value, Value::Block(_)) && inside.is_long(node, &key.text);
                (is_long, inside.rank(node, &key.text))
            });
            pieces.push((rank, piece));
        }
        pieces.sort_by_key(|(rank, _)| *rank);
        let tail = if self.is_flow(node) { self.take(node.span.end) } else { self.tail(column, next) };
        Block { is_list, pieces: pieces.into_iter().map(|(_, piece)| piece).collect(), tail }
    }

    fn piece(&mut self, child: &Child<'_>, inside: Inside, indent: usize, next: FollowingNode) -> Piece {
        let is_apart = self.is_apart(child.start);
        let mut above = self.take(child.start);
        let head = child.key.map_or(child.start, |key| key.span.end);
        let key = child.key.map(|key| self.word(key.span.start, key.span.end, &key.text));
        let mut beside = None;
        let value = if is_nothing(child.value) {
            beside = self.beside(head, next);
            Value::Nothing
        } else if let Some(lines) = self.inline(child.value, inside) {
            let has_header = self.headers.contains_key(&child.value.span.start);
            beside = if has_header { self.beside(head, next) } else { None };
            above.extend(self.take(child.value.span.start));
            beside = beside.or_else(|| self.beside(child.value.span.end, next));
            let before = indent + key.as_ref().map_or(0, String::len) + 2;
            let place = place(child.value, lines, before, indent + 2, has_header);
            place.unwrap_or_else(|| Value::Block(self.block(child.value, inside, indent + 2, next)))
        } else {
            if child.key.is_some() {
                beside = self.beside(head, FollowingNode { start: child.value.span.start, ..next });
            }
            let mut block = self.block(child.value, inside, indent + 2, next);
            if self.is_flow(child.value) {
                // the bracket beside the comment is not printed
                let after = self.beside(child.value.span.end, next);
                block.tail.extend(after.map(|text| Line { is_apart: false, text }));
            }
            Value::Block(block)
        };
        let mut piece = Piece { above, is_apart, key, value, beside };
        piece.lift();
        piece
    }

    /// The text of a scalar, or of a collection in flow style that has no comments; `None` of anything else.
    fn inline(&self, node: &Node, inside: Inside) -> Option<Vec<String>> {
        match &node.kind {
            NodeKind::Scalar { text, plain } => Some(self.scalar(node, text, *plain)),
            _ if self.is_flow(node) && !self.has_comments(node) => Some(vec![self.flow(node, inside)]),
            _ => None,
        }
    }

    fn scalar(&self, node: &Node, text: &str, is_plain: bool) -> Vec<String> {
        let written = &self.text[node.span.range()];
        if let Some(header) = self.headers.get(&node.span.start) {
            // what depends on spaces is written in quotes: how far it was indented, how many lines are at its end,
            // blanks that are all of its last line
            let end = node.span.end;
            let blanks = self.text[end..].find(|c| c != ' ' && c != '\t').unwrap_or(self.text.len() - end);
            let written = &self.text[node.span.start..end + blanks];
            let has_blank_lines = text.trim_end_matches('\n').trim_end_matches([' ', '\t']).ends_with('\n');
            return if header.contains(|c: char| c == '+' || c.is_ascii_digit()) || has_blank_lines {
                vec![quoted(text)]
            } else {
                let indent = self.column(node.span.start) - 1;
                let lines = written.lines().enumerate().map(|(number, line)| {
                    let line = if number == 0 { line } else { line.get(indent..).unwrap_or_default() };
                    line.to_owned()
                });
                std::iter::once((*header).to_owned()).chain(lines).collect()
            };
        }
        if !is_plain && (written.is_empty() || written.starts_with(['|', '>'])) {
            return vec![quoted(text)]; // a block scalar of nothing, or of nothing but blanks
        }
        written.lines().map(|line| line.trim_matches([' ', '\t', '\r']).to_owned()).collect()
    }

    /// A node on one line.
    fn flow(&self, node: &Node, inside: Inside) -> String {
        match &node.kind {
            NodeKind::Scalar { text, .. } => self.word(node.span.start, node.span.end, text),
            NodeKind::Sequence(items) => {
                let items: Vec<String> = items.iter().map(|item| self.flow(item, inside.of_items())).collect();
                format!("[{}]", items.join(", "))
            }
            NodeKind::Mapping(entries) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.sort_by_key(|entry| inside.rank(node, &entry.key.text));
                let entry = |entry: &&crate::yaml::Entry| {
                    let key = self.word(entry.key.span.start, entry.key.span.end, &entry.key.text);
                    match self.flow(&entry.value, inside.below(node, &entry.key.text)) {
                        nothing if nothing.is_empty() => format!("{key}:"),
                        value => format!("{key}: {value}"),
                    }
                };
                match entries.iter().map(entry).collect::<Vec<_>>().join(", ") {
                    nothing if nothing.is_empty() => "{}".to_owned(),
                    entries => format!("{{ {entries} }}"),
                }
            }
            NodeKind::Refused => String::new(),
        }
    }

    /// A key or scalar as written, on one line in any case; a block of text is in quotes there.
    fn word(&self, start: usize, end: usize, text: &str) -> String {
        let written = &self.text[start..end];
        let is_block = self.headers.contains_key(&start);
        if is_block || written.contains('\n') { quoted(text) } else { written.to_owned() }
    }

    /// The comments before a place that have none yet.
    fn take(&mut self, before: usize) -> Vec<Line> {
        let count = self.comments.iter().take_while(|comment| comment.start < before).count();
        self.take_first(count)
    }

    /// The comments that follow a block and are indented like it.
    fn tail(&mut self, column: usize, next: FollowingNode) -> Vec<Line> {
        let is_ours = |comment: &&Comment<'_>| {
            let own = self.column(comment.start);
            comment.start < next.start && own >= column && own > next.column
        };
        let count = self.comments.iter().take_while(is_ours).count();
        self.take_first(count)
    }

    fn take_first(&mut self, count: usize) -> Vec<Line> {
        let (taken, rest) = self.comments.split_at(count);
        self.comments = rest;
        let line = |comment: &Comment<'_>| Line {
            is_apart: is_apart(&self.text[..comment.start]),
            text: comment.text.to_owned(),
        };
        taken.iter().map(line).collect()
    }

    /// The comment on the line on which something ends.
    fn beside(&mut self, end: usize, next: FollowingNode) -> Option<String> {
        let comment = *self.comments.first()?;
        let is_ours = !comment.is_alone
            && comment.start < next.start
            && self.text.get(end..comment.start).is_some_and(|between| !between.contains('\n'));
        if !is_ours {
            return None;
        }
        self.comments = &self.comments[1..];
        Some(comment.text.to_owned())
    }

    fn has_comments(&self, node: &Node) -> bool {
        self.comments.iter().any(|comment| node.span.range().contains(&comment.start))
    }

    fn is_flow(&self, node: &Node) -> bool {
        self.text[node.span.start..].starts_with(['{', '['])
    }

    /// Whether there is a blank line before a key or an item.
    fn is_apart(&self, start: usize) -> bool {
        let before = self.text[..start].trim_end_matches(' ');
        is_apart(before.strip_suffix('-').unwrap_or(before))
    }

    /// From 1, in characters.
    fn column(&self, at: usize) -> usize {
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..at].chars().count() + 1
    }
}

impl Piece {
    /// Comments inside an item before its first key are printed above the item, and so are those of an empty
    /// collection.
    fn lift(&mut self) {
        let Value::Block(block) = &mut self.value else { return };
        if block.pieces.is_empty() {
            self.above.append(&mut block.tail);
            self.value = Value::Inline(vec![if block.is_list { "[]" } else { "{}" }.to_owned()]);
        } else if self.key.is_none() {
            self.above.append(&mut block.pieces[0].above);
        }
    }
}

/// Where the lines of a value go, which begin beside its key or, indented, below it. A collection that does not fit
/// beside takes lines of its own.
fn place(node: &Node, lines: Vec<String>, beside: usize, below: usize, has_header: bool) -> Option<Value> {
    let width = lines.first().map_or(0, |line| line.chars().count());
    let is_scalar = matches!(node.kind, NodeKind::Scalar { .. });
    if beside + width <= WIDTH || has_header || children(node).is_empty() && !is_scalar {
        return Some(Value::Inline(lines));
    }
    is_scalar.then(|| if below + width <= WIDTH { Value::Below(lines) } else { Value::Inline(lines) })
}

/// Whether a text ends in a blank line.
fn is_apart(before: &str) -> bool {
    let spaces = &before[before.trim_end().len()..];
    spaces.matches('\n').count() > 1
}

/// A key without a value.
fn is_nothing(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, plain: true } if text.is_empty())
}

/// In double quotes, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
