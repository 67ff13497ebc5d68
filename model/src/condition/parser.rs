//! The parser: recursive descent, one function per level of precedence.

use super::expr::{Expr, ExprKind, Operator};
use super::lexer::{Lexeme, lex};
use super::mistake::{Mistake, MistakeCode};
use super::{MAX_CONDITION_BYTES, MAX_CONDITION_DEPTH, MAX_CONDITION_LIST, MAX_CONDITION_NODES};
use std::ops::Range;

/// Parses a condition.
///
/// # Errors
///
/// The first mistake, with its place.
pub fn parse(text: &str) -> Result<Expr, Mistake> {
    if text.len() > MAX_CONDITION_BYTES {
        let message = format!("the condition has {} bytes, more than {MAX_CONDITION_BYTES}", text.len());
        return Err(Mistake::new(&(0..text.len()), MistakeCode::TooLarge, message));
    }
    let mut parser = Parser { lexemes: lex(text)?, at: 0, depth: 0, nodes: 0 };
    let expr = parser.choice()?;
    match parser.peek() {
        Lexeme::End => Ok(expr),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser {
    lexemes: Vec<(Lexeme, Range<usize>)>,
    at: usize,
    depth: usize,
    nodes: usize,
}

/// The operators of each level, the loosest first.
const LEVELS: [&[Operator]; 5] = [
    &[Operator::Or],
    &[Operator::And],
    &[
        Operator::Equal,
        Operator::NotEqual,
        Operator::LessOrEqual,
        Operator::GreaterOrEqual,
        Operator::Less,
        Operator::Greater,
        Operator::In,
    ],
    &[Operator::Add, Operator::Subtract],
    &[Operator::Multiply],
];

impl Parser {
    fn peek(&self) -> &Lexeme {
        &self.lexemes[self.at].0
    }

    fn span(&self) -> Range<usize> {
        self.lexemes[self.at].1.clone()
    }

    /// Takes the next lexeme; the end stays.
    fn take(&mut self) -> (Lexeme, Range<usize>) {
        let taken = self.lexemes[self.at].clone();
        self.at = (self.at + 1).min(self.lexemes.len() - 1);
        taken
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Lexeme::Sign(next) if *next == sign);
        if is_next {
            self.take();
        }
        is_next
    }

    fn expect(&mut self, sign: &'static str) -> Result<Range<usize>, Mistake> {
        let span = self.span();
        if self.takes(sign) { Ok(span) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> Mistake {
        let found = match self.peek() {
            Lexeme::Word(word) => format!("`{word}`"),
            Lexeme::Integer(_) | Lexeme::Decimal(..) => "a number".to_owned(),
            Lexeme::Text(_) => "a text".to_owned(),
            Lexeme::Sign(sign) => format!("`{sign}`"),
            Lexeme::End => "the end".to_owned(),
        };
        let message = format!("expected {wanted}, found {found}");
        let mistake = Mistake::new(&self.span(), MistakeCode::Syntax, message);
        match self.peek() {
            Lexeme::Word(word) if word == "and" => mistake.help("write `&&`"),
            Lexeme::Word(word) if word == "or" => mistake.help("write `||`"),
            Lexeme::Word(word) if word == "not" => mistake.help("write `!`"),
            _ => mistake,
        }
    }

    fn node(&mut self, span: Range<usize>, kind: ExprKind) -> Result<Expr, Mistake> {
        self.nodes += 1;
        if self.nodes > MAX_CONDITION_NODES {
            let message = format!("the condition has more than {MAX_CONDITION_NODES} parts");
            return Err(Mistake::new(&span, MistakeCode::TooLarge, message));
        }
        Ok(Expr { span, kind })
    }

    /// Parses one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Mistake>) -> Result<T, Mistake> {
        self.depth += 1;
        if self.depth > MAX_CONDITION_DEPTH {
            let message = format!("the condition is nested more than {MAX_CONDITION_DEPTH} levels deep");
            return Err(Mistake::new(&self.span(), MistakeCode::TooLarge, message));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// `c ? x : y`, or anything else.
    fn choice(&mut self) -> Result<Expr, Mistake> {
        self.deeper(|parser| {
            let condition = parser.binary(0)?;
            if !parser.takes("?") {
                return Ok(condition);
            }
            let yes = parser.choice()?;
            parser.expect(":")?;
            let no = parser.choice()?;
            let span = condition.span.start..no.span.end;
            parser.node(span, ExprKind::Choose(condition.into(), yes.into(), no.into()))
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Mistake> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        let mut operands = 1;
        while let Some(operator) = operators.iter().find(|operator| self.is_operator(**operator)) {
            self.take();
            let right = self.binary(level + 1)?;
            // a tree of one level is as deep as it has operators
            operands += 1;
            if operands > MAX_CONDITION_DEPTH && !matches!(operator, Operator::And | Operator::Or) {
                let message = format!("more than {MAX_CONDITION_DEPTH} operands in a row");
                return Err(Mistake::new(&right.span, MistakeCode::TooLarge, message));
            }
            let span = left.span.start..right.span.end;
            left = self.node(span, ExprKind::Binary(*operator, left.into(), right.into()))?;
        }
        Ok(left)
    }

    fn is_operator(&self, operator: Operator) -> bool {
        match self.peek() {
            Lexeme::Sign(sign) => *sign == operator.symbol(),
            Lexeme::Word(word) => operator == Operator::In && word == "in",
            _ => false,
        }
    }

    fn unary(&mut self) -> Result<Expr, Mistake> {
        let start = self.span().start;
        if self.takes("!") {
            let inner = self.deeper(Self::unary)?;
            return self.node(start..inner.span.end, ExprKind::Not(inner.into()));
        }
        if !self.takes("-") {
            return self.member();
        }
        let negative = match self.peek() {
            Lexeme::Integer(number) => 0_i64.checked_sub_unsigned(*number).map(ExprKind::Integer),
            Lexeme::Decimal(units, scale) => Some(ExprKind::Decimal { units: -units, scale: *scale }),
            _ => None,
        };
        if let Some(kind) = negative {
            let (_, span) = self.take();
            return self.node(start..span.end, kind);
        }
        let inner = self.deeper(Self::unary)?;
        self.node(start..inner.span.end, ExprKind::Negate(inner.into()))
    }

    fn member(&mut self) -> Result<Expr, Mistake> {
        let mut expr = self.primary()?;
        let mut steps = 0;
        while self.takes(".") {
            steps += 1;
            if steps > MAX_CONDITION_DEPTH {
                let message = format!("more than {MAX_CONDITION_DEPTH} names in a row");
                return Err(Mistake::new(&self.span(), MistakeCode::TooLarge, message));
            }
            let span = self.span();
            let Lexeme::Word(name) = self.peek().clone() else { return Err(self.unexpected("a name")) };
            self.take();
            expr = if self.takes("(") {
                let start = expr.span.start;
                let (arguments, end) = self.arguments(")")?;
                let receiver = Some(Box::new(expr));
                self.node(start..end, ExprKind::Call { receiver, function: name, name_span: span, arguments })?
            } else {
                self.node(expr.span.start..span.end, ExprKind::Member(expr.into(), name))?
            };
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, Mistake> {
        let (lexeme, span) = match self.peek() {
            Lexeme::Sign("(" | "[") | Lexeme::Word(_) | Lexeme::Integer(_) | Lexeme::Decimal(..) | Lexeme::Text(_) => {
                self.take()
            }
            _ => return Err(self.unexpected("a value or a name")),
        };
        let kind = match lexeme {
            Lexeme::Word(word) if self.takes("(") => {
                let (arguments, end) = self.arguments(")")?;
                let call = ExprKind::Call { receiver: None, function: word, name_span: span.clone(), arguments };
                return self.node(span.start..end, call);
            }
            Lexeme::Word(word) => match word.as_str() {
                "null" => ExprKind::Null,
                "true" => ExprKind::Boolean(true),
                "false" => ExprKind::Boolean(false),
                "in" => return Err(Mistake::new(&span, MistakeCode::Syntax, "`in` needs a value before it")),
                _ => ExprKind::Name(word),
            },
            Lexeme::Integer(number) => match i64::try_from(number) {
                Ok(number) => ExprKind::Integer(number),
                Err(_) => {
                    let message = format!("`{number}` is not a whole number of 64 bits");
                    return Err(Mistake::new(&span, MistakeCode::Syntax, message));
                }
            },
            Lexeme::Decimal(units, scale) => ExprKind::Decimal { units, scale },
            Lexeme::Text(text) => ExprKind::Text(text),
            Lexeme::Sign("[") => {
                let (items, end) = self.arguments("]")?;
                return self.node(span.start..end, ExprKind::List(items));
            }
            _ => {
                let inner = self.choice()?;
                self.expect(")")?;
                return Ok(inner);
            }
        };
        self.node(span, kind)
    }

    /// Expressions up to a closing sign, and where it ends.
    fn arguments(&mut self, close: &'static str) -> Result<(Vec<Expr>, usize), Mistake> {
        let mut found = Vec::new();
        let end = self.span().end;
        if self.takes(close) {
            return Ok((found, end));
        }
        loop {
            if found.len() == MAX_CONDITION_LIST {
                let message = format!("more than {MAX_CONDITION_LIST} values in a list");
                return Err(Mistake::new(&self.span(), MistakeCode::TooLarge, message));
            }
            found.push(self.choice()?);
            let end = self.span().end;
            if self.takes(close) {
                return Ok((found, end));
            }
            if !self.takes(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }
}
