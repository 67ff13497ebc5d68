//! The functions, and what they take.

use super::Resolver;
use super::names::WORDS;
use crate::check::suggestion;
use crate::condition::LOWER;
use crate::condition::expr::{Expr, ExprKind};
use crate::condition::literals;
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{Node, StaticType, TextTest, Typed};
use crate::scalar::Timezone;
use std::ops::Range;

const FUNCTIONS: [&str; 8] = ["any", "count", "days", "duration", LOWER, "size", "timestamp", "today"];
const METHODS: [&str; 7] = ["all", "any", "contains", "count", "endsWith", "exists", "startsWith"];

/// Whether a function has this name.
pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name) || METHODS.contains(&name)
}

impl Resolver<'_> {
    pub(super) fn function(
        &mut self,
        expr: &Expr,
        function: &str,
        name_span: &Range<usize>,
        arguments: &[Expr],
    ) -> Option<Typed> {
        match function {
            "any" | "count" => self.referring(&expr.span, None, function, arguments),
            "duration" | "timestamp" => {
                let [argument] = arguments else { return self.count_of_arguments(expr, function, "one text") };
                let ExprKind::Text(text) = &argument.kind else {
                    return self.wrong(&argument.span, format!("`{function}` takes a text in quotes"));
                };
                let (ty, example) = match function {
                    "duration" => (StaticType::Duration, "P3D"),
                    _ => (StaticType::Timestamp, "2026-12-01T08:00:00.000Z"),
                };
                match literals::from_text(text, &ty) {
                    Some(value) => Some(Typed::constant(ty, value)),
                    None => {
                        let message = format!("`{text}` is not {ty}");
                        let mistake = Mistake::new(&argument.span, MistakeCode::ImpossibleValue, message);
                        self.mistake(mistake.help(format!("write `{function}(\"{example}\")`")))
                    }
                }
            }
            "days" => match arguments {
                [from, to] => self.days(from, to),
                _ => self.count_of_arguments(expr, function, "two dates: `days(startingOn, endingOn)`"),
            },
            "today" => {
                let form = "the name of a time zone in quotes: `today(\"Europe/Warsaw\")`";
                let [argument] = arguments else { return self.count_of_arguments(expr, function, form) };
                let ExprKind::Text(name) = &argument.kind else {
                    return self.wrong(&argument.span, format!("`today` takes {form}"));
                };
                match Timezone::parse(name) {
                    Some(zone) => Some(Typed::new(StaticType::Date, Node::Today(zone))),
                    None => {
                        let message = format!("`{name}` is not a time zone");
                        let mistake = Mistake::new(&argument.span, MistakeCode::ImpossibleValue, message);
                        self.mistake(mistake.help(format!("`today` takes {form}")))
                    }
                }
            }
            LOWER => {
                let [argument] = arguments else { return self.count_of_arguments(expr, function, "one text") };
                let text = self.text(argument)?;
                Some(Typed::new(StaticType::Text, Node::Lower(text.into())))
            }
            "size" => {
                let [argument] = arguments else {
                    return self.count_of_arguments(expr, function, "one text or list");
                };
                let sized = self.resolve(argument)?;
                match &sized.ty {
                    StaticType::Text | StaticType::Enum(_) | StaticType::List(_) | StaticType::Claim => {
                        Some(sized.by_choice(&mut |sized| Typed::new(StaticType::Integer, Node::Size(sized.into()))))
                    }
                    ty => {
                        let message = format!("`size` takes a text or a list, this is {ty}");
                        self.wrong(&argument.span, message)
                    }
                }
            }
            _ => {
                let mistake =
                    Mistake::new(name_span, MistakeCode::UnknownName, format!("there is no function `{function}`"));
                let help = if METHODS.contains(&function) {
                    Some(format!("write `x.{function}(…)`"))
                } else {
                    suggestion(function, FUNCTIONS)
                };
                self.mistake(mistake.suggest(help))
            }
        }
    }

    pub(super) fn method(
        &mut self,
        expr: &Expr,
        receiver: &Expr,
        function: &str,
        name_span: &Range<usize>,
        arguments: &[Expr],
    ) -> Option<Typed> {
        let test = match function {
            "any" | "count" => return self.referring(&expr.span, Some(receiver), function, arguments),
            "exists" | "all" => return self.quantifier(receiver, function, name_span, arguments),
            "startsWith" => TextTest::StartsWith,
            "endsWith" => TextTest::EndsWith,
            "contains" => TextTest::Contains,
            _ => {
                let mistake =
                    Mistake::new(name_span, MistakeCode::UnknownName, format!("there is no function `{function}`"));
                let help = if FUNCTIONS.contains(&function) {
                    Some(format!("write `{function}(x)`"))
                } else {
                    suggestion(function, METHODS)
                };
                return self.mistake(mistake.suggest(help));
            }
        };
        let [argument] = arguments else { return self.count_of_arguments(receiver, function, "one text") };
        let (one, other) = (self.text(receiver), self.text(argument));
        Some(Typed::new(StaticType::Boolean, Node::Text(test, one?.into(), other?.into())))
    }

    fn count_of_arguments(&mut self, expr: &Expr, function: &str, wanted: &str) -> Option<Typed> {
        self.wrong(&expr.span, format!("`{function}` takes {wanted}"))
    }

    /// A part that is a text.
    fn text(&mut self, expr: &Expr) -> Option<Typed> {
        let typed = self.resolve(expr)?;
        match typed.ty {
            StaticType::Text | StaticType::Enum(_) => Some(typed),
            StaticType::Claim => Some(typed.claim_as(&StaticType::Text)),
            StaticType::List(_) => {
                let mistake = Mistake::new(&expr.span, MistakeCode::WrongType, "expected a text, found a list");
                self.mistake(mistake.help("write `x in list`"))
            }
            ty => self.wrong(&expr.span, format!("expected a text, found {ty}")),
        }
    }

    fn quantifier(
        &mut self,
        receiver: &Expr,
        function: &str,
        name_span: &Range<usize>,
        arguments: &[Expr],
    ) -> Option<Typed> {
        let form = "a name for an item and a condition on it: `options.exists(o, o.price.amount < 10)`";
        let [variable, body] = arguments else { return self.count_of_arguments(receiver, function, form) };
        let ExprKind::Name(name) = &variable.kind else {
            return self.wrong(&variable.span, format!("`{function}` takes {form}"));
        };
        if WORDS.contains(&name.as_str()) {
            let message = format!("`{name}` is a word of the language, and not a name for an item");
            return self.mistake(Mistake::new(&variable.span, MistakeCode::Misplaced, message));
        }
        let list = self.resolve(receiver)?;
        let StaticType::List(item) = &list.ty else {
            let message = format!("`{function}` needs a list, this is {}", list.ty);
            return self.wrong(name_span, message);
        };
        if !matches!(list.node, Node::Field(..) | Node::Follow(..)) {
            return self.wrong(&receiver.span, format!("`{function}` needs a list of the entity"));
        }
        let item = (**item).clone();
        let position = self.frame().variables.len();
        let last = self.frames.len() - 1;
        self.frames[last].variables.push((name.clone(), item));
        let body = self.condition(body);
        self.frames[last].variables.pop();
        let body = body?.into();
        let node = Node::Quantifier { is_all: function == "all", list: list.into(), variable: position, body };
        Some(Typed::new(StaticType::Boolean, node))
    }
}
