//! `restwell fmt`: one way to write a document, nothing lost, nothing meant otherwise.

use super::common;
use restwell_generator::{File, format::format};
use std::fs;

fn formatted(text: &str) -> String {
    format(0, &File::new("offer.yaml", text)).1.unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

/// The text comes out as expected, and stays so.
#[track_caller]
fn assert_formatted(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected, "a second time");
}

#[test]
fn keys_of_the_language_have_their_order() {
    assert_formatted(
        "fields:\n  name: { filter: true, maxLength: 9, required: true, type: string }\nsearch: true\nowner: seller\nresource: Offer\n",
        "resource: Offer\nowner: seller\nsearch: true\nfields:\n  name: { type: string, required: true, maxLength: 9, filter: true }\n",
    );
}

#[test]
fn names_that_the_team_gave_keep_theirs() {
    let text = "resource: Offer\nviews:\n  sale: { operations: [list] }\n  about: { operations: [list, get] }\n\
                fields:\n  zip: { type: string }\n  area: { type: string }\n";
    assert_formatted(text, text);
}

#[test]
fn operations_have_the_order_of_their_kinds_where_they_are_a_mapping() {
    assert_formatted(
        "resource: Offer\noperations:\n  delete: { async: true, access: owner }\n  list:\nfields: {}\n",
        "resource: Offer\noperations:\n  list:\n  delete: { access: owner, async: true }\nfields: {}\n",
    );
}

#[test]
fn what_takes_many_lines_comes_after_what_takes_one() {
    assert_formatted(
        "object: Box\nfields:\n  parts:\n    items:\n      type: object\n      fields:\n        name: { type: string }\n    type: array\n    maxItems: 4\n",
        "object: Box\nfields:\n  parts:\n    type: array\n    maxItems: 4\n    items:\n      type: object\n      fields:\n        name: { type: string }\n",
    );
}

#[test]
fn comments_go_with_what_they_are_about() {
    assert_formatted(
        "# Ours.\n\nresource: Offer # goods\nsearch: true # all\n# who\nowner: seller\nfields: # in their order\n  # first\n  name: { type: string } # the name\n  # and no more\n# the end\n",
        "# Ours.\n\nresource: Offer # goods\n# who\nowner: seller\nsearch: true # all\nfields: # in their order\n  # first\n  name: { type: string } # the name\n  # and no more\n# the end\n",
    );
}

#[test]
fn a_flow_collection_with_comments_takes_a_line_for_each() {
    assert_formatted(
        "enum: Colour\nvalues: [ # from light\n  WHITE, # snow\n  # to dark\n  BLACK\n] # all\n",
        "enum: Colour\nvalues:\n  # from light\n  - WHITE # snow\n  # to dark\n  - BLACK\n  # all\n",
    );
}

#[test]
fn a_key_that_is_a_block_of_text_is_quoted() {
    assert_formatted(
        "? explicit key # Empty value\n? |\n  block key\n: - one # Explicit compact\n  - two # block value\n",
        "explicit key: # Empty value\n\"block key\\n\":\n  - one # Explicit compact\n  - two # block value\n",
    );
}

#[test]
fn a_comment_after_a_text_in_quotes_within_brackets_stays() {
    assert_formatted(
        "enum: Colour\nvalues: [ \"WHITE\" # snow\n , 'BLA''CK' # it's\n ]\n",
        "enum: Colour\nvalues:\n  - \"WHITE\" # snow\n  - 'BLA''CK' # it's\n",
    );
    assert_formatted(
        "resource: Offer\nfields: { \"a \\\"b\\\"\" # comment\n  :{ type: \"string\" # text\n } }\n",
        "resource: Offer\nfields:\n  \"a \\\"b\\\"\": # comment\n    type: \"string\" # text\n",
    );
}

#[test]
fn a_comment_after_a_flow_collection_is_beside_it() {
    assert_formatted(
        "resource: Offer\nunder: [ seller ] # a\nfields: {  }\n",
        "resource: Offer\nunder: [seller] # a\nfields: {}\n",
    );
}

#[test]
fn a_block_text_keeps_the_blanks_at_its_end() {
    for header in ["|", "|-", ">", ">-"] {
        let text = format!("resource: Offer\ndescription: {header}\n  one  \n  two \t \nfields: {{}} # none\n");
        assert_formatted(&text, &text);
        let text = format!("resource: Offer\nfields: {{}}\ndescription: {header}\n    two  ");
        let expected = format!("resource: Offer\ndescription: {header}\n  two  \nfields: {{}}\n");
        assert_eq!(formatted(&text), expected);
    }
    // a last line of nothing but blanks
    let text = "resource: Offer\ndescription: |\n  two\n     \nfields: {}\n";
    assert_formatted(text, "resource: Offer\ndescription: \"two\\n   \\n\"\n\nfields: {}\n");
}

#[test]
fn a_block_text_of_blanks_is_quoted() {
    for (header, quoted) in [("|", r#""\t\n""#), (">", r#""\t\n""#), ("|-", r#""\t""#)] {
        let formatted = formatted(&format!("resource: Offer\ndescription: {header}\n  \t\nfields: {{}}\n"));
        assert!(formatted.contains(&format!("\ndescription: {quoted}\n")), "{header}: {formatted}");
    }
}

#[test]
fn an_entry_without_a_value_has_none_afterwards() {
    assert_formatted(
        "resource: Offer\nfields:\n  name: { required, type: string }\n",
        "resource: Offer\nfields:\n  name: { type: string, required: }\n",
    );
}

#[test]
fn what_is_longer_than_a_line_takes_several() {
    let text = "x".repeat(100);
    assert_formatted(
        &format!("resource: Offer\nfields:\n  name: {{ description: {text}, type: string }}\n"),
        &format!("resource: Offer\nfields:\n  name:\n    type: string\n    description: {text}\n"),
    );
}

#[test]
fn blank_lines_stay_one_by_one() {
    assert_formatted(
        "\n\nresource: Offer\n\n\n\nfields:\n\n  name: { type: string }\n\n\n  note: { type: string }\n\n",
        "resource: Offer\n\nfields:\n  name: { type: string }\n\n  note: { type: string }\n",
    );
}

#[test]
fn texts_of_several_lines_keep_their_lines() {
    assert_formatted(
        "resource: Offer\ndescription: |-  # why\n     One.\n\n       Two.\nplural: \"of\n    fers\"\nfields: {}\n",
        "resource: Offer\ndescription: |- # why\n  One.\n\n    Two.\nplural: \"of\n  fers\"\nfields: {}\n",
    );
}

#[test]
fn texts_whose_spaces_count_are_quoted() {
    assert_formatted(
        "resource: Offer\ndescription: |2\n   One.\nfields: {}\n",
        "resource: Offer\ndescription: \" One.\\n\"\nfields: {}\n",
    );
    assert_formatted(
        "resource: Offer\ndescription: |+\n  One.\n\nfields: {}\n",
        "resource: Offer\ndescription: \"One.\\n\\n\"\n\nfields: {}\n",
    );
}

#[test]
fn signs_in_texts_are_neither_comments_nor_headers() {
    let text = "resource: Offer\ndescription: \"a # b | c > d\"\nplural: a#b\nfields: {}\n";
    assert_formatted(text, text);
}

#[test]
fn lists_of_mappings_stand_under_their_dashes() {
    assert_formatted(
        "resource: Offer\nunique:\n-\n  # both\n  - seller\n  - name\n- [a, b]\nfields: {}\n",
        "resource: Offer\nunique:\n  # both\n  - - seller\n    - name\n  - [a, b]\nfields: {}\n",
    );
}

#[test]
fn line_ends_and_marks_of_other_systems_go() {
    assert_formatted(
        "\u{feff}---\r\nresource: Offer # ä\r\nfields: {}\r\n...\r\n",
        "resource: Offer # ä\nfields: {}\n",
    );
}

#[test]
fn what_does_not_read_is_left_alone() {
    for text in ["resource: [", "resource: Offer\nresource: Offer\n", "a: &b c\n", "", "{}", "only words"] {
        assert!(format(0, &File::new("offer.yaml", text)).1.is_err_and(|faults| !faults.is_empty()), "{text}");
    }
}

/// A text with a comment put in at each line in turn: above the line, and at its end.
fn with_comments(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    (0..lines.len()).flat_map(move |number| {
        let with = |line: String| {
            let mut lines = lines.clone();
            lines[number] = line;
            lines.join("\n") + "\n"
        };
        let line = &lines[number];
        let margin = &line[..line.len() - line.trim_start().len()];
        [with(format!("{margin}# kept\n{line}")), with(format!("{line} # kept"))]
    })
}

#[test]
fn a_comment_is_kept_wherever_it_stands() {
    let root = common::tests("../..");
    for dir in ["schemas", "schemas/shared", "tests/schemas", "generator/tests/golden/every-key/schemas"] {
        for path in fs::read_dir(root.join(dir)).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_none_or(|extension| extension != "yaml") {
                continue;
            }
            for text in with_comments(&fs::read_to_string(&path).unwrap()) {
                // in a text of several lines it is no comment, and may end the text
                let Ok(formatted) = format(0, &File::new("any.yaml", text.as_str())).1 else { continue };
                assert_eq!(formatted.matches("# kept").count(), 1, "{text}\nbecame\n{formatted}");
                assert_eq!(self::formatted(&formatted), formatted, "a second time");
            }
        }
    }
}
