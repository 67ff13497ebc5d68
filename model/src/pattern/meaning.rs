//! What a pattern means: the syntax of Rust's `regex` crate, but `\d`, `\w` and `\b` are ASCII, as in ECMA-262.
//!
//! Otherwise a service would take Arabic digits where the document that it publishes says `\d` to clients, for whom
//! these are not digits.

use super::PatternError;
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassAscii, ClassAsciiKind, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet,
    ClassSetItem, Flag, Flags, FlagsItem, FlagsItemKind, Group, GroupKind, Span,
};
use regex_syntax::hir::Hir;
use regex_syntax::hir::translate::Translator;

/// The meaning of a pattern. The parser bounds its nesting, so the functions here can be recursive.
pub(super) fn of(pattern: &str) -> Result<Hir, PatternError> {
    let wrong = |reason: String, span: &Span| PatternError::Syntax {
        reason,
        position: pattern.get(..span.start.offset).map_or(0, |before| before.chars().count()) + 1,
    };
    let mut ast = Parser::new().parse(pattern).map_err(|error| wrong(error.kind().to_string(), error.span()))?;
    to_ascii(&mut ast);
    Translator::new().translate(pattern, &ast).map_err(|error| wrong(error.kind().to_string(), error.span()))
}

/// Replaces the classes and assertions whose meaning differs between languages by those of ASCII.
fn to_ascii(ast: &mut Ast) {
    match ast {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Literal(_) | Ast::Dot(_) | Ast::ClassUnicode(_) => {}
        Ast::Assertion(assertion) if is_of_words(&assertion.kind) => {
            *ast = Ast::group(without_unicode(assertion));
        }
        Ast::Assertion(_) => {}
        Ast::ClassPerl(class) => {
            if let Some(item) = ascii_class(class) {
                *ast = Ast::class_bracketed(ClassBracketed {
                    span: class.span,
                    negated: false,
                    kind: ClassSet::Item(item),
                });
            }
        }
        Ast::ClassBracketed(class) => set_to_ascii(&mut class.kind),
        Ast::Repetition(repetition) => to_ascii(&mut repetition.ast),
        Ast::Group(group) => to_ascii(&mut group.ast),
        Ast::Alternation(all) => all.asts.iter_mut().for_each(to_ascii),
        Ast::Concat(all) => all.asts.iter_mut().for_each(to_ascii),
    }
}

fn set_to_ascii(set: &mut ClassSet) {
    match set {
        ClassSet::Item(item) => item_to_ascii(item),
        ClassSet::BinaryOp(operation) => {
            set_to_ascii(&mut operation.lhs);
            set_to_ascii(&mut operation.rhs);
        }
    }
}

fn item_to_ascii(item: &mut ClassSetItem) {
    match item {
        ClassSetItem::Perl(class) => {
            if let Some(ascii) = ascii_class(class) {
                *item = ascii;
            }
        }
        ClassSetItem::Bracketed(class) => set_to_ascii(&mut class.kind),
        ClassSetItem::Union(union) => union.items.iter_mut().for_each(item_to_ascii),
        ClassSetItem::Empty(_)
        | ClassSetItem::Literal(_)
        | ClassSetItem::Range(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Unicode(_) => {}
    }
}

/// `\s` stays: the portable form lists its characters.
fn ascii_class(class: &ClassPerl) -> Option<ClassSetItem> {
    let kind = match class.kind {
        ClassPerlKind::Digit => ClassAsciiKind::Digit,
        ClassPerlKind::Word => ClassAsciiKind::Word,
        ClassPerlKind::Space => return None,
    };
    Some(ClassSetItem::Ascii(ClassAscii { span: class.span, kind, negated: class.negated }))
}

fn is_of_words(kind: &AssertionKind) -> bool {
    match kind {
        AssertionKind::StartLine | AssertionKind::EndLine | AssertionKind::StartText | AssertionKind::EndText => false,
        AssertionKind::WordBoundary
        | AssertionKind::NotWordBoundary
        | AssertionKind::WordBoundaryStart
        | AssertionKind::WordBoundaryEnd
        | AssertionKind::WordBoundaryStartAngle
        | AssertionKind::WordBoundaryEndAngle
        | AssertionKind::WordBoundaryStartHalf
        | AssertionKind::WordBoundaryEndHalf => true,
    }
}

/// `(?-u:\b)`
fn without_unicode(assertion: &Assertion) -> Group {
    let span = assertion.span;
    let kinds = [FlagsItemKind::Negation, FlagsItemKind::Flag(Flag::Unicode)];
    let items = kinds.into_iter().map(|kind| FlagsItem { span, kind }).collect();
    Group {
        span,
        kind: GroupKind::NonCapturing(Flags { span, items }),
        ast: Box::new(Ast::assertion(assertion.clone())),
    }
}

#[cfg(test)]
mod tests {
    use crate::pattern::Pattern;

    #[test]
    fn digits_and_words_are_ascii() {
        let finds = |pattern: &str, text: &str| Pattern::from(pattern).compiled().unwrap().is_match(text);
        for pattern in [r"^\d$", r"^[\d.]$", r"^[[\d]&&[^5]]$", r"(?i)^\d$", r"^(\d)?$"] {
            assert!(finds(pattern, "7"), "{pattern}");
            assert!(!finds(pattern, "٧"), "{pattern}");
        }
        for pattern in [r"^\w$", r"^[\w-]$", r"^(?:\w|-)+$"] {
            assert!(finds(pattern, "z") && finds(pattern, "_"), "{pattern}");
            assert!(!finds(pattern, "ż"), "{pattern}");
        }
        assert!(finds(r"^\D$", "٧") && finds(r"^\W$", "ż") && finds(r"^[\W]$", "ż") && !finds(r"^\D$", "7"));
        // the end of a word of ASCII
        assert!(finds(r"^a\b", "aż") && !finds(r"^a\B", "aż") && finds(r"^a\b{end}", "aż") && finds(r"^a\>", "aż"));
        // what is left to Unicode
        assert!(finds(r"^\s$", "\u{3000}") && finds(r"^\p{L}$", "ż") && finds("^.$", "٧"));
    }
}
