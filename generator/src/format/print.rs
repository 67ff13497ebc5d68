//! Prints pieces as text.

use super::layout::{Block, Line, Piece, Value};

/// The text of a document.
pub(super) fn print(document: &Block) -> String {
    let mut lines = Vec::new();
    block(document, 0, &mut lines);
    lines.join("\n") + "\n"
}

fn block(block: &Block, indent: usize, lines: &mut Vec<String>) {
    let first = lines.len();
    for piece in &block.pieces {
        self::piece(piece, indent, lines, lines.len() > first);
    }
    comments(&block.tail, indent, lines, lines.len() > first);
}

fn piece(piece: &Piece, indent: usize, lines: &mut Vec<String>, may_be_apart: bool) {
    let margin = " ".repeat(indent);
    comments(&piece.above, indent, lines, may_be_apart);
    if piece.is_apart && (may_be_apart || !piece.above.is_empty()) {
        lines.push(String::new());
    }
    let head = piece.key.as_ref().map_or_else(|| format!("{margin}-"), |key| format!("{margin}{key}:"));
    let beside = piece.beside.as_ref().map(|comment| format!(" {comment}")).unwrap_or_default();
    match &piece.value {
        Value::Nothing => lines.push(head + &beside),
        Value::Inline(text) => {
            let start = lines.len();
            text_lines(&format!("{head} "), text, indent + 2, lines);
            attach(&beside, start, text, lines);
        }
        Value::Below(text) => {
            lines.push(head);
            let start = lines.len();
            text_lines(&" ".repeat(indent + 2), text, indent + 2, lines);
            attach(&beside, start, text, lines);
        }
        Value::Block(inner) if piece.key.is_none() => {
            let start = lines.len();
            block(inner, indent + 2, lines);
            // the dash replaces the indentation of the first key
            if let Some(first) = lines.get_mut(start) {
                first.replace_range(indent..=indent, "-");
            }
        }
        Value::Block(inner) => {
            lines.push(head + &beside);
            block(inner, indent + 2, lines);
        }
    }
}

fn text_lines(head: &str, text: &[String], indent: usize, lines: &mut Vec<String>) {
    let margin = " ".repeat(indent);
    for (number, line) in text.iter().enumerate() {
        lines.push(match number {
            0 => format!("{head}{line}"),
            _ if line.is_empty() => String::new(),
            _ => format!("{margin}{line}"),
        });
    }
}

/// Puts a comment on the last line of a scalar. In a block scalar it would become text there, so it goes beside the
/// header.
fn attach(beside: &str, start: usize, text: &[String], lines: &mut [String]) {
    let is_block = text.len() > 1 && text[0].starts_with(['|', '>']);
    let line = if is_block { Some(start) } else { lines.len().checked_sub(1) };
    if let Some(line) = line.and_then(|line| lines.get_mut(line)) {
        line.push_str(beside);
    }
}

fn comments(comments: &[Line], indent: usize, lines: &mut Vec<String>, mut may_be_apart: bool) {
    for comment in comments {
        if comment.is_apart && may_be_apart {
            lines.push(String::new());
        }
        lines.push(format!("{}{}", " ".repeat(indent), comment.text));
        may_be_apart = true;
    }
}
