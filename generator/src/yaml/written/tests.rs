//! Each character of a text has its place, in whichever style it is written.

use super::*;
use crate::source::File;
use crate::yaml::read;
use proptest::prelude::*;

/// The text of the value under `key`, the file, and the characters as they are written.
fn read_value(file: &str) -> (String, Vec<Written>) {
    let (_, root, faults) = read(0, &File::new("a.yaml", file));
    assert_eq!(faults, [], "{file}");
    let root = root.unwrap();
    let value = &root.entry("key").unwrap().value;
    let text = value.text().unwrap().to_owned();
    let characters = characters(file, &value.span.range(), &text);
    (text, characters.unwrap_or_else(|| panic!("no places in {file:?}")))
}

/// What a part of a value is written as.
fn marked<'f>(file: &'f str, part: &str) -> &'f str {
    let (_, root, _) = read(0, &File::new("a.yaml", file));
    let root = root.unwrap();
    let value = &root.entry("key").unwrap().value;
    let text = value.text().unwrap();
    let start = text.find(part).unwrap_or_else(|| panic!("{part:?} is not in {text:?}"));
    let place = place_of_part(file, &value.span.range(), text, &(start..start + part.len())).unwrap();
    &file[place]
}

#[test]
fn a_part_is_marked_in_each_style() {
    for (file, part, expected) in [
        ("key: status == nmae\n", "nmae", "nmae"),
        ("key: a\n  == nmae\n", "nmae", "nmae"),
        ("key: a\n\n\n  == nmae\n", "nmae", "nmae"),
        ("key: 'it''s == nmae'\n", "nmae", "nmae"),
        ("key: 'it''s == nmae'\n", "t's", "t''s"),
        ("key: 'a\n  b == nmae'\n", "nmae", "nmae"),
        ("key: \"a == \\\"b\\\" && nmae\"\n", "nmae", "nmae"),
        ("key: \"a == \\\"b\\\" && nmae\"\n", "\"b\"", "\\\"b\\\""),
        ("key: \"\\x61\\u0062\\U0001D11E nmae\"\n", "nmae", "nmae"),
        ("key: \"\\x61\\u0062\\U0001D11E nmae\"\n", "b𝄞", "\\u0062\\U0001D11E"),
        ("key: \"a \\\n  == nmae\"\n", "nmae", "nmae"),
        ("key: \"a \\\n\n  == nmae\"\n", "nmae", "nmae"),
        ("key: \"é == \\t\\\n  \\ nmae\"\n", "nmae", "nmae"),
        ("key: |\n  é ==\n   nmae\n", "nmae", "nmae"),
        ("key: |2-\n    a\n  nmae\n\nother: 1\n", "nmae", "nmae"),
        ("key: |+ # why\n\n  a\n\n  nmae\n\n\nother: 1\n", "nmae", "nmae"),
        ("key: >\n  a ==\n  nmae\n", "nmae", "nmae"),
        ("key: >-\n\n  a ==\n\n\n   b\n\n  c\n  nmae\n", "nmae", "nmae"),
        ("key: >1\n   a\n  b\n c\n nmae", "nmae", "nmae"),
        ("key: >\r\n  a ==\r\n  nmae\r\n", "nmae", "nmae"),
        ("key: |\n  a\n  nmae   \n", "nmae ", "nmae "),
    ] {
        assert_eq!(marked(file, part), expected, "{file:?}");
    }
}

#[test]
fn an_end_is_marked_at_the_last_character() {
    for (file, expected) in [("key: 'a == é'\n", "é"), ("key: |\n  a ==\n\n", "="), ("key: \"a \\x3d\"\n", "\\x3d")] {
        let (text, _) = read_value(file);
        let (_, root, _) = read(0, &File::new("a.yaml", file));
        let span = root.unwrap().entry("key").unwrap().value.span.range();
        let place = place_of_part(file, &span, &text, &(text.len()..text.len())).unwrap();
        assert_eq!(&file[place], expected);
    }
}

/// How a text is written, from random numbers.
struct Writer {
    choices: Vec<u8>,
    next: usize,
    out: String,
}

impl Writer {
    fn choose(&mut self, of: u8) -> u8 {
        self.next += 1;
        self.choices[self.next % self.choices.len()] % of
    }

    /// A line break and an indentation.
    fn break_line(&mut self) {
        let blank = if self.choose(3) == 0 { "  " } else { "" };
        let indentation = " ".repeat(2 + usize::from(self.choose(3)));
        self.out += &format!("{blank}\n{indentation}");
    }

    /// A character of a flow scalar that may be folded: a space, or a line break of the text.
    fn fold(&mut self, c: char) {
        self.break_line();
        if c == '\n' {
            self.break_line();
        }
    }

    fn plain(&mut self, text: &str, quote: bool) {
        for c in text.chars() {
            match c {
                '\n' => self.fold(c),
                ' ' if self.choose(3) == 0 => self.fold(c),
                '\'' if quote => self.out += "''",
                c => self.out.push(c),
            }
        }
    }

    fn double(&mut self, text: &str) {
        let characters: Vec<char> = text.chars().collect();
        for (index, c) in characters.iter().copied().enumerate() {
            let code = u32::from(c);
            let is_next_word = characters.get(index + 1).is_none_or(|next| !" \n".contains(*next));
            match (c, self.choose(8)) {
                (' ' | '\n', 0) if is_next_word && index > 0 && !" \n".contains(characters[index - 1]) => self.fold(c),
                ('\n', _) => self.out += "\\n",
                (_, 1) if code < 256 => self.out += &format!("\\x{code:02x}"),
                (_, 2) if code < 65536 => self.out += &format!("\\u{code:04X}"),
                (_, 3) => self.out += &format!("\\U{code:08x}"),
                // a continued line
                (_, 4) if is_next_word => self.out += &format!("\\U{code:08x}\\\n   "),
                ('"' | '\\', _) => self.out.extend(['\\', c]),
                (c, _) => self.out.push(c),
            }
        }
    }

    fn literal(&mut self, text: &str) {
        for line in text.split('\n') {
            self.out += &format!("\n  {line}");
        }
    }

    fn folded(&mut self, text: &str) {
        self.out += "\n  ";
        for c in text.chars() {
            match c {
                '\n' => self.out += "\n\n  ",
                ' ' if self.choose(3) == 0 => self.out += "\n  ",
                c => self.out.push(c),
            }
        }
    }
}

/// Whether what is written stands for a character.
fn stands_for(written: &str, c: char) -> bool {
    let is_break = written.contains('\n') || written.is_empty();
    match c {
        '\n' => is_break || written == "\\n" || written.starts_with('\\'),
        ' ' => is_break || written == " " || written.starts_with('\\'),
        '\'' => ["'", "''"].contains(&written) || written.starts_with('\\'),
        c => {
            let mut own = [0; 4];
            let digits = written.trim_start_matches(['\\', 'x', 'u', 'U']);
            written == &*c.encode_utf8(&mut own)
                || written == format!("\\{c}")
                || (written.len() > 3 && u32::from_str_radix(digits, 16) == Ok(u32::from(c)))
        }
    }
}

fn check(text: &str, file: &str) -> Result<(), TestCaseError> {
    let (read, characters) = read_value(file);
    prop_assert_eq!(read.strip_suffix('\n').unwrap_or(&read), text, "{}", file);
    let mut end = 0;
    for (c, place) in characters {
        prop_assert!(place.start >= end, "{:?}", file);
        end = place.end;
        prop_assert!(stands_for(&file[place.clone()], c), "{:?} is {:?} in {:?}", c, &file[place], file);
    }
    Ok(())
}

proptest! {
    #[test]
    fn each_character_is_found_where_it_is_written(
        text in "[a-zé€𝄞'\"\\\\=!&|.]{1,5}([ \n][a-zé€𝄞'\"\\\\=!&|.]{1,5}){0,6}",
        choices in prop::collection::vec(any::<u8>(), 16),
        header in 0..4_usize,
    ) {
        let writer = || Writer { choices: choices.clone(), next: 0, out: String::new() };
        let written = |write: &dyn Fn(&mut Writer)| { let mut it = writer(); write(&mut it); it.out };
        check(&text, &format!("key: '{}'\n", written(&|it| it.plain(&text, true))))?;
        check(&text, &format!("key: \"{}\"\nother: 1\n", written(&|it| it.double(&text))))?;
        // without signs that begin something else
        check(&format!("a{text}"), &format!("key: a{}\n", written(&|it| it.plain(&text, false))))?;
        let header = ["", "-", "2", "2- # why"][header];
        check(&text, &format!("key: |{header}{}\nother: 1\n", written(&|it| it.literal(&text))))?;
        check(&text, &format!("é: 1\nkey: >{header}{}\n", written(&|it| it.folded(&text))))?;
    }
}
