//! An expression as it was written, with the place of every part.

use std::ops::Range;

/// A part of an expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: ExprKind,
}

/// What a part of an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Boolean(bool),
    /// `12`.
    Integer(i64),
    /// `12.50`: 1250 at scale 2.
    Decimal {
        /// In units of the last digit.
        units: i64,
        /// Digits after the point.
        scale: u32,
    },
    /// `"text"`.
    Text(String),
    /// `["A", "B"]`.
    List(Vec<Expr>),
    /// `status`.
    Name(String),
    /// `seller.status`.
    Member(Box<Expr>, String),
    /// `size(x)`, and with a receiver `x.contains(y)`.
    Call {
        /// Before the dot.
        receiver: Option<Box<Expr>>,
        /// The function.
        function: String,
        /// The place of the function's name.
        name_span: Range<usize>,
        /// In parentheses.
        arguments: Vec<Expr>,
    },
    /// `!x`.
    Not(Box<Expr>),
    /// `-x`.
    Negate(Box<Expr>),
    /// `x + y`.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `c ? x : y`.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `in`
    In,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
}

impl Operator {
    /// As it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
        }
    }

    /// How tightly it binds; operators of one level are grouped from the left.
    #[must_use]
    pub(super) const fn level(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual
            | Self::In => 3,
            Self::Add | Self::Subtract => 4,
            Self::Multiply => 5,
        }
    }
}

impl Expr {
    /// The places of the names that stand for true or false, where nothing else can stand, or where that can stand too.
    /// `is_truth`: that can be the value of the whole.
    pub(crate) fn named_truths(&self, is_truth: bool) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.collect_truths(is_truth, &mut found);
        found
    }

    fn collect_truths(&self, is_truth: bool, found: &mut Vec<Range<usize>>) {
        match &self.kind {
            ExprKind::Name(_) if is_truth => found.push(self.span.clone()),
            ExprKind::Not(inner) => inner.collect_truths(true, found),
            ExprKind::Binary(operator, one, other) => {
                let joins = matches!(operator, Operator::Or | Operator::And | Operator::Equal | Operator::NotEqual);
                one.collect_truths(joins, found);
                other.collect_truths(joins, found);
            }
            ExprKind::Choose(condition, yes, no) => {
                condition.collect_truths(true, found);
                yes.collect_truths(true, found);
                no.collect_truths(true, found);
            }
            ExprKind::Call { function, receiver, arguments, .. } => {
                if let Some(receiver) = receiver {
                    receiver.collect_truths(false, found);
                }
                let has_condition = matches!(function.as_str(), "any" | "count" | "exists" | "all");
                for (position, argument) in arguments.iter().enumerate() {
                    argument.collect_truths(has_condition && position > 0, found);
                }
            }
            ExprKind::List(items) => items.iter().for_each(|item| item.collect_truths(false, found)),
            ExprKind::Member(inner, _) | ExprKind::Negate(inner) => inner.collect_truths(false, found),
            _ => {}
        }
    }

    /// Whether a part of it calls this function.
    pub(crate) fn calls(&self, name: &str) -> bool {
        match &self.kind {
            ExprKind::Call { receiver, function, arguments, .. } => {
                function == name
                    || receiver.as_ref().is_some_and(|receiver| receiver.calls(name))
                    || arguments.iter().any(|argument| argument.calls(name))
            }
            ExprKind::List(items) => items.iter().any(|item| item.calls(name)),
            ExprKind::Member(inner, _) | ExprKind::Not(inner) | ExprKind::Negate(inner) => inner.calls(name),
            ExprKind::Binary(_, one, other) => one.calls(name) || other.calls(name),
            ExprKind::Choose(condition, yes, no) => condition.calls(name) || yes.calls(name) || no.calls(name),
            ExprKind::Null
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Decimal { .. }
            | ExprKind::Text(_)
            | ExprKind::Name(_) => false,
        }
    }
}

/// Expressions are equal if they say the same, wherever they stand.
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (
                ExprKind::Call { receiver, function, arguments, .. },
                ExprKind::Call { receiver: other_receiver, function: other_function, arguments: others, .. },
            ) => receiver == other_receiver && function == other_function && arguments == others,
            (kind, other) => kind == other,
        }
    }
}
