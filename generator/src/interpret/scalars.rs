//! Scalars of the language: texts, switches, numbers, and words from a list.

use super::mapping::Mapping;
use super::{Interpreter, keys, suggest};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Node, NodeKind};
use restwell_model::condition::Condition;
use restwell_model::field::Allow;
use restwell_model::{Access, FaultCode, Version, names};

impl<'a> Interpreter<'a> {
    /// A text. What YAML takes for a number, a boolean or null must be quoted.
    pub(super) fn text(&mut self, node: &'a Node) -> Option<&'a str> {
        match resolve(node) {
            Some(Scalar::String(text)) => Some(text),
            Some(Scalar::Null) if node.text() == Some("") => {
                self.wrong_type(node, "a text", Some("write a text after the colon, or remove the key".to_owned()));
                None
            }
            _ => {
                let help = node.text().map(|text| format!("quote it: \"{text}\""));
                self.wrong_type(node, "a text", help);
                None
            }
        }
    }

    /// The text under a key.
    pub(super) fn text_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<String> {
        mapping.get(key).and_then(|node| self.text(node)).map(str::to_owned)
    }

    /// A text for people under a key. A blank text is `None`; spaces at the ends of lines are removed.
    pub(super) fn prose_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<String> {
        let text = self.text_at(mapping, key)?;
        let lines: Vec<&str> = text.trim().split(['\n', '\r']).map(str::trim_end).collect();
        Some(lines.join("\n")).filter(|text| !text.is_empty())
    }

    /// A list of texts under a key.
    pub(super) fn texts_at(&mut self, mapping: &Mapping<'a>, key: &str, of: &str) -> Vec<String> {
        mapping.get(key).map(|node| self.texts(node, of)).unwrap_or_default()
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, node: &'a Node, of: &str) -> Vec<String> {
        let items = self.list(node, of);
        items.iter().filter_map(|item| self.text(item)).map(str::to_owned).collect()
    }

    /// `true` or `false` under a key.
    pub(super) fn flag_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<bool> {
        let node = mapping.get(key)?;
        if let Some(Scalar::Bool(value)) = resolve(node) {
            return Some(value);
        }
        self.wrong_type(
            node,
            "`true` or `false`",
            Some(format!("write `{key}: true` or `{key}: false`, without quotes")),
        );
        None
    }

    /// A switch that is off by default.
    pub(super) fn switch_at(&mut self, mapping: &Mapping<'a>, key: &str) -> bool {
        self.flag_at(mapping, key).unwrap_or(false)
    }

    /// A whole number under a key.
    pub(super) fn integer_at<N: TryFrom<i64>>(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<N> {
        let node = mapping.get(key)?;
        let Some(scalar @ Scalar::Integer(text)) = resolve(node) else {
            let is_quoted = node.text().is_some_and(|text| text.parse::<i64>().is_ok());
            let digits = || format!("write digits, as in `{key}: 10`");
            let help = if is_quoted { "write it without quotes".to_owned() } else { digits() };
            self.wrong_type(node, "an integer", Some(help));
            return None;
        };
        let number = scalar.integer().and_then(|number| N::try_from(number).ok());
        if number.is_none() {
            self.invalid(node, format!("`{text}` is out of range for `{key}`"), Some(range_help::<N>(key)));
        }
        number
    }

    /// A text under a key, read by the model.
    pub(super) fn parsed_at<T>(
        &mut self,
        mapping: &Mapping<'a>,
        key: &str,
        what: &str,
        example: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let node = mapping.get(key)?;
        let text = self.text(node)?;
        let parsed = parse(text);
        if parsed.is_none() {
            self.invalid(
                node,
                format!("`{text}` is not a valid {what}"),
                Some(format!("write `{key}: \"{example}\"`")),
            );
        }
        parsed
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&mut self, node: &'a Node, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let meant = self.unknown_word(node.span, text, what, &known)?;
        words.iter().find(|(word, _)| *word == meant).map(|(_, value)| *value)
    }

    /// Reports an unknown word, and returns the most similar known one.
    pub(super) fn unknown_word<'w>(
        &mut self,
        span: Span,
        word: &str,
        what: &str,
        known: &[&'w str],
    ) -> Option<&'w str> {
        let meant = names::nearest(word, known.iter().copied());
        self.unknown_word_for(meant, span, word, what, known);
        meant
    }

    /// Reports an unknown word that stands for another, as far as that is known.
    pub(super) fn unknown_word_for(&mut self, meant: Option<&str>, span: Span, word: &str, what: &str, known: &[&str]) {
        let message = format!("`{word}` is not a valid {what}");
        let diagnostic = Diagnostic::new(FaultCode::InvalidValue, span, message);
        self.poison(span, diagnostic.maybe_help(suggest::help(meant, known)));
    }

    /// Reports a value of the right type that is not valid.
    pub(super) fn invalid(&mut self, node: &Node, message: String, help: Option<String>) {
        self.poison(node.span, Diagnostic::new(FaultCode::InvalidValue, node.span, message).maybe_help(help));
    }

    /// Versions under a key, in the order of writing.
    pub(super) fn versions_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<Vec<Version>> {
        let items = self.list(mapping.get(key)?, "versions");
        Some(items.iter().filter_map(|item| self.version(item)).collect())
    }

    fn version(&mut self, node: &'a Node) -> Option<Version> {
        let text = self.text(node)?;
        let version = text.parse();
        if let Err(message) = &version {
            let help = names::nearest(text, ["public.v1", "beta.v1"]).map(|word| format!("did you mean `{word}`?"));
            self.invalid(node, String::clone(message), help);
        }
        version.ok()
    }

    /// `access`: a word or a list of words; by default `anyone`.
    pub(super) fn access(&mut self, mapping: &Mapping<'a>) -> Vec<Access> {
        self.access_at(mapping, "access").unwrap_or_else(|| vec![Access::Anyone])
    }

    /// The same under another key, if it is given.
    pub(super) fn access_at(&mut self, mapping: &Mapping<'a>, key: &str) -> Option<Vec<Access>> {
        let node = mapping.get(key)?;
        let access = match &node.kind {
            NodeKind::Sequence(items) => items.iter().filter_map(|item| self.access_word(item)).collect(),
            _ => self.access_word(node).into_iter().collect::<Vec<_>>(),
        };
        if node.kind == NodeKind::Sequence(Vec::new()) {
            self.invalid(
                node,
                format!("the `{key}` list is empty, so it lets no caller in"),
                Some(match key {
                    "access" => "list who has access, or remove the operation".to_owned(),
                    _ => format!("list who is let in, or remove `{key}`"),
                }),
            );
        }
        Some(if access.is_empty() { vec![Access::Anyone] } else { access })
    }

    fn access_word(&mut self, node: &'a Node) -> Option<Access> {
        if matches!(node.kind, NodeKind::Mapping(_)) {
            let mapping = self.mapping(node, node.span.head(), &[&keys::WHEN])?;
            return self.text_at(&mapping, "when").map(|text| Access::When(Condition::new(text)));
        }
        let text = self.text(node)?;
        let access = text.parse();
        if let (Err(_), Some(scope)) = (&access, text.strip_prefix("scope:")) {
            return Some(Access::Scope(scope.to_owned())); // the rules of the model check the name of a scope
        }
        if let Err(message) = &access {
            let meant = names::nearest(text, Access::WORDS);
            let help = meant.map(|word| format!("did you mean `{word}`?"));
            let diagnostic =
                Diagnostic::new(FaultCode::InvalidValue, node.span, String::clone(message)).maybe_help(help);
            self.poison(node.span, diagnostic);
            return meant.and_then(|word| word.parse().ok());
        }
        access.ok()
    }

    /// `allow`: rules and reasons.
    pub(super) fn allow(&mut self, mapping: &Mapping<'a>) -> Allow {
        let Some(node) = mapping.get("allow") else { return Allow::new() };
        let entries = self.named(node);
        entries.iter().filter_map(|entry| Some((entry.key.text.clone(), self.text(&entry.value)?.to_owned()))).collect()
    }
}

/// Lengths, counts and digits begin at zero; other numbers have 64 bits.
fn range_help<N: TryFrom<i64>>(key: &str) -> String {
    if N::try_from(-1).is_err() {
        format!("write 0 or more, as in `{key}: 10`")
    } else {
        format!("write a number from {} to {}", i64::MIN, i64::MAX)
    }
}

/// With an article, for "found …".
pub(super) fn describe(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::Sequence(_) => "a list",
        NodeKind::Mapping(_) => "a mapping",
        NodeKind::Scalar { text, plain: true } if text.is_empty() => "nothing",
        NodeKind::Scalar { .. } | NodeKind::Refused => resolve(node).map_or("nothing", Scalar::describe),
    }
}
