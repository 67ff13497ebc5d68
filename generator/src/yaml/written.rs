//! How a scalar is written: which characters of the file stand for each character of its text.
//!
//! A text of YAML is written in one of five styles, with escapes, doubled quotes, folded lines and indentation, which
//! the parser resolves. A mistake inside of a text is shown where it is written. What is decoded here is compared with
//! what the parser has read; if they differ, no place is given.

#[cfg(test)]
mod tests;

use std::ops::Range;

/// A character of a text, and the bytes that stand for it.
type Written = (char, Range<usize>);

/// The bytes of a file that stand for a part of a scalar's text. The scalar is written in `span`. A part that is
/// nothing, such as the end, is the last character before it.
pub(crate) fn place_of_part(file: &str, span: &Range<usize>, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let characters = characters(file, span, text)?;
    let before = text.get(..part.start)?;
    let first = if part.is_empty() {
        // line breaks at the end belong to the style
        before.trim_end_matches('\n').chars().count().saturating_sub(1)
    } else {
        before.chars().count()
    };
    let last = first.max((first + text.get(part.clone())?.chars().count()).saturating_sub(1));
    Some(characters.get(first)?.1.start..characters.get(last)?.1.end)
}

/// The characters of a text as they are written: in the style in which they are the text.
fn characters(file: &str, span: &Range<usize>, text: &str) -> Option<Vec<Written>> {
    let written = file.get(span.clone())?;
    let quoted = || {
        let quote = written.chars().next().filter(|c| ['\'', '"'].contains(c))?;
        let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
        Flow { written: inner, at: 0, offset: span.start + 1, quote: Some(quote), read: Vec::new() }.read()
    };
    let plain = || Flow { written, at: 0, offset: span.start, quote: None, read: Vec::new() }.read();
    let block = |is_folded| Some(block(&block_lines(file, span.start, text)?, is_folded));
    let same = |read| same_text(read, text);
    let flow = quoted().and_then(same).or_else(|| plain().and_then(same));
    flow.or_else(|| block(false).and_then(same)).or_else(|| block(true).and_then(same))
}

/// The characters of a text, if that is what was read. Of the line breaks at its end a block has more, and the end of
/// the file none.
fn same_text(mut read: Vec<Written>, text: &str) -> Option<Vec<Written>> {
    let length = text.chars().count();
    let end = read.last().map_or(0, |(_, place)| place.end);
    let missing = text.chars().skip(read.len()).take_while(|c| *c == '\n');
    read.extend(missing.map(|c| (c, end..end)));
    read.truncate(length);
    (read.len() == length && read.iter().map(|(c, _)| *c).eq(text.chars())).then_some(read)
}

/// Whether a text begins with a line break, and its length.
fn line_break(text: &str) -> Option<usize> {
    if text.starts_with("\r\n") { Some(2) } else { text.starts_with(['\n', '\r']).then_some(1) }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// Reads a plain or a quoted scalar.
struct Flow<'t> {
    /// Without quotes.
    written: &'t str,
    at: usize,
    /// The place of the first byte.
    offset: usize,
    quote: Option<char>,
    read: Vec<Written>,
}

impl Flow<'_> {
    fn read(mut self) -> Option<Vec<Written>> {
        while let Some(next) = self.rest().chars().next() {
            let blank = blanks(self.rest());
            match (self.quote, next) {
                _ if line_break(&self.rest()[blank..]).is_some() => self.fold(blank),
                (Some('\''), '\'') if self.rest().starts_with("''") => self.take('\'', 2),
                (Some('"'), '\\') => self.escape()?,
                // the end of another text
                (Some(quote), _) if next == quote => return None,
                _ => self.take(next, next.len_utf8()),
            }
        }
        Some(self.read)
    }

    fn rest(&self) -> &str {
        &self.written[self.at..]
    }

    /// The next bytes stand for a character.
    fn take(&mut self, character: char, length: usize) {
        let start = self.offset + self.at;
        self.read.push((character, start..start + length));
        self.at += length;
    }

    /// A line break with the blanks around it is a space; with empty lines after it, a line break for each of these.
    fn fold(&mut self, blank: usize) {
        let start = self.at;
        self.at += blank;
        self.skip_break();
        if !self.empty_lines() {
            self.read.push((' ', self.offset + start..self.offset + self.at));
        }
    }

    fn skip_break(&mut self) {
        self.at += line_break(self.rest()).unwrap_or(0);
    }

    /// Skips indentation. Each empty line stands for a line break.
    fn empty_lines(&mut self) -> bool {
        let mut is_any = false;
        loop {
            let blank = blanks(self.rest());
            let Some(length) = line_break(&self.rest()[blank..]) else {
                self.at += blank;
                return is_any;
            };
            self.take('\n', blank + length);
            is_any = true;
        }
    }

    /// YAML 1.2 §5.7.
    fn escape(&mut self) -> Option<()> {
        let escaped = self.rest()[1..].chars().next()?;
        let plain = match escaped {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            ' ' | '"' | '/' | '\\' => escaped,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => return self.hexadecimal(2),
            'u' => return self.hexadecimal(4),
            'U' => return self.hexadecimal(8),
            '\n' | '\r' => {
                self.at += 1;
                self.skip_break();
                self.empty_lines();
                return Some(());
            }
            _ => return None,
        };
        self.take(plain, 1 + escaped.len_utf8());
        Some(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<()> {
        let code = u32::from_str_radix(self.rest().get(2..2 + digits)?, 16).ok()?;
        self.take(char::from_u32(code)?, 2 + digits);
        Some(())
    }
}

/// A line of a block scalar: its content behind the indentation, and its line break.
struct BlockLine<'t> {
    content: &'t str,
    start: usize,
    line_break: Range<usize>,
}

impl BlockLine<'_> {
    /// Whether lines are folded at it; not where it is indented more than the others.
    fn is_folded(&self) -> bool {
        !self.content.is_empty() && !self.content.starts_with([' ', '\t'])
    }
}

/// Reads the lines of a block scalar.
fn block(lines: &[BlockLine<'_>], is_folded: bool) -> Vec<Written> {
    let mut read = Vec::new();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let contents = line.content.char_indices();
        read.extend(contents.map(|(at, c)| (c, line.start + at..line.start + at + c.len_utf8())));
        let empty = lines[index + 1..].iter().take_while(|line| line.content.is_empty()).count();
        let breaks = lines[index..=index + empty].iter().map(|line| ('\n', line.line_break.clone()));
        match lines.get(index + 1 + empty) {
            Some(next) if is_folded && line.is_folded() && next.is_folded() => {
                if empty == 0 {
                    read.push((' ', line.line_break.start..next.start));
                }
                read.extend(breaks.skip(1));
            }
            _ => read.extend(breaks.filter(|(_, place)| !place.is_empty())),
        }
        index += 1 + empty;
    }
    read
}

/// The lines of a block scalar whose first content that is not empty begins at a byte: what is before that in its line
/// is the indentation of all.
fn block_lines<'t>(file: &'t str, first: usize, text: &str) -> Option<Vec<BlockLine<'t>>> {
    let mut start = file.get(..first)?.rfind('\n')? + 1;
    let indent = first - start;
    // the empty lines before it
    for _ in text.chars().take_while(|c| *c == '\n') {
        start = file[..start.checked_sub(1)?].rfind('\n')? + 1;
    }
    let mut read = Vec::new();
    for line in file[start..].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let spaces = content.len() - content.trim_start_matches(' ').len();
        if spaces < indent && spaces < content.len() {
            break;
        }
        let skipped = spaces.min(indent);
        let (content_start, end) = (start + skipped, start + content.len());
        read.push(BlockLine {
            content: &content[skipped..],
            start: content_start,
            line_break: end..start + line.len(),
        });
        start += line.len();
    }
    Some(read)
}
