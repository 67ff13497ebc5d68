//! What a name is: a variable, a word of the language, a field, a field of what a reference points at.

use super::computed::computed_field;
use super::{Frame, Resolver, static_type};
use crate::check::suggestion;
use crate::condition::MAX_REFERENCE_STEPS;
use crate::condition::expr::{Expr, ExprKind};
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, Typed};
use crate::field::Field;
use crate::names;
use crate::resource::Resource;
use std::ops::Range;

/// The names that are not fields.
pub(super) const WORDS: [&str; 7] = ["caller", "claims", "now", "old", "outer", "scopes", "this"];

/// Digits of an amount after the point.
const AMOUNT_SCALE: u32 = 2;

impl<'a> Resolver<'a> {
    pub(super) fn name(&mut self, expr: &Expr, name: &str) -> Option<Typed> {
        let variables = &self.frame().variables;
        if let Some(position) = variables.iter().rposition(|(variable, _)| variable == name) {
            let ty = variables[position].1.clone();
            return Some(Typed::new(ty, Node::Field(FieldBase::Item(position), FieldPath::default())));
        }
        self.word(expr, name)?;
        match name {
            "caller" => {
                let users = self.scope.service.users.clone();
                return Some(Typed::new(users.map_or(StaticType::Uuid, StaticType::Reference), Node::Caller));
            }
            "scopes" => return Some(Typed::new(StaticType::List(Box::new(StaticType::Text)), Node::Scopes)),
            "claims" => {
                let help = "name a claim: `claims.role`";
                return self.mistake(
                    Mistake::new(&expr.span, MistakeCode::WrongType, "`claims` alone is not a value").help(help),
                );
            }
            "now" => return Some(Typed::new(StaticType::Timestamp, Node::Now)),
            "old" | "outer" | "this" => {
                let (base, resource) = self.base(&expr.span, name)?;
                let ty = StaticType::Reference(resource.name.clone());
                return Some(Typed::new(ty, Node::Field(base, FieldPath::common("id"))));
            }
            _ => {}
        }
        if let Some(named) = self.named_condition(&expr.span, name) {
            return named;
        }
        let resource = self.entity(&expr.span, name)?;
        if self.names_role(resource, name) {
            return self.role(&expr.span, name);
        }
        self.field(&expr.span, FieldBase::This, resource, name)
    }

    /// Whether a name is that of a role: a field of this name goes first.
    fn names_role(&self, resource: &Resource, name: &str) -> bool {
        let is_field = names::COMMON_FIELDS.contains(&name) || resource.field(name).is_some();
        !is_field && self.scope.service.roles.contains_key(name)
    }

    /// A word of the language must not be the name of a field, too, where the entity is known.
    fn word(&mut self, expr: &Expr, name: &str) -> Option<()> {
        let resource = self.frame().resource.filter(|_| WORDS.contains(&name));
        let Some(resource) = resource.filter(|resource| resource.field(name).is_some()) else { return Some(()) };
        let message = format!("`{name}` is a word of the language, and `{}` has a field of this name", resource.name);
        let mistake = Mistake::new(&expr.span, MistakeCode::Misplaced, message);
        self.mistakes.push(mistake.help(format!("rename the field, or read it as `this.{name}`")));
        None
    }

    /// What `old`, `outer` and `this` are, and of which resource.
    fn base(&mut self, span: &Range<usize>, name: &str) -> Option<(FieldBase, &'a Resource)> {
        let (help, message) = match name {
            "this" => return Some((FieldBase::This, self.entity(span, name)?)),
            "outer" => match self.outer() {
                Some(Frame { resource: Some(resource), .. }) => return Some((FieldBase::Outer, resource)),
                Some(_) => ("", "there is no `outer` here: this is a condition on the caller alone"),
                None => ("`outer` is known in the conditions of `any` and `count` only", "there is no `outer` here"),
            },
            _ if self.scope.old && self.frames.len() == 1 => {
                return Some((FieldBase::Old, self.entity(span, name)?));
            }
            _ => ("`old` is known in rules only", "there is no `old` here"),
        };
        let mistake = Mistake::new(span, MistakeCode::Misplaced, message);
        self.mistakes.push(if help.is_empty() { mistake } else { mistake.help(help) });
        None
    }

    /// What is outside of the `any` or `count` that is next around a part, in the same text.
    pub(super) fn outer(&self) -> Option<&Frame<'a>> {
        let around = self.frames.len().checked_sub(2)?;
        self.frames.get(around).filter(|_| around >= self.home)
    }

    /// The resource whose fields names are.
    fn entity(&mut self, span: &Range<usize>, name: &str) -> Option<&'a Resource> {
        if self.frame().resource.is_none() {
            let message = format!("`{name}` is not known here: this is a condition on the caller alone");
            let conditions = self.scope.service.conditions.keys().map(String::as_str);
            let known = ["caller", "claims", "now", "scopes"].into_iter().chain(conditions);
            let mistake = Mistake::new(span, MistakeCode::Misplaced, message);
            self.mistakes.push(mistake.suggest(suggestion(name, known)));
        }
        self.frame().resource
    }

    fn field(&mut self, span: &Range<usize>, base: FieldBase, resource: &'a Resource, name: &str) -> Option<Typed> {
        if let Some((field, value)) = computed_field(resource, name) {
            return match base {
                FieldBase::This => self.inline(span, resource, field, value),
                FieldBase::Old | FieldBase::Outer | FieldBase::Item(_) => self.computed_elsewhere(span, name),
            };
        }
        let (ty, path) = self.field_of(span, resource, name)?;
        Some(Typed::new(ty, Node::Field(base, path)))
    }

    /// A field of a resource: its type, and the way to it.
    fn field_of(&mut self, span: &Range<usize>, resource: &Resource, name: &str) -> Option<(StaticType, FieldPath)> {
        if names::COMMON_FIELDS.contains(&name) {
            let ty = match name {
                "id" => StaticType::Reference(resource.name.clone()),
                _ => StaticType::Timestamp,
            };
            return Some((ty, FieldPath::common(name)));
        }
        let (index, ty) = self.member_of(span, &resource.name, &resource.fields, name)?;
        Some((ty, FieldPath { names: vec![name.to_owned()], indexes: vec![index] }))
    }

    /// A field among those of a resource or an object.
    fn member_of(
        &mut self,
        span: &Range<usize>,
        of: &str,
        fields: &[Field],
        name: &str,
    ) -> Option<(usize, StaticType)> {
        let Some(index) = fields.iter().position(|field| field.name == name) else {
            let fields = fields.iter().map(|field| field.name.as_str());
            let service = self.scope.service;
            let named = service.roles.keys().chain(service.conditions.keys());
            let own = self.scope.entity.iter().flat_map(|resource| resource.conditions.keys());
            let known: Vec<_> = fields.chain(WORDS).chain(named.chain(own).map(String::as_str)).collect();
            let mistake = Mistake::new(span, MistakeCode::UnknownName, format!("`{of}` has no field `{name}`"));
            self.mistakes.push(mistake.suggest(suggestion(name, known)));
            return None;
        };
        let field = &fields[index];
        if field.secret.is_some() {
            let message = format!("`{name}` is a secret, whose value is not stored");
            self.mistakes.push(Mistake::new(span, MistakeCode::Misplaced, message));
            return None;
        }
        // a type of another service, which has its own fault
        static_type(self.scope.service, &field.ty).map(|ty| (index, ty))
    }

    pub(super) fn member(&mut self, expr: &Expr, receiver: &Expr, name: &str) -> Option<Typed> {
        let is_variable = |name: &str| self.frame().variables.iter().any(|(variable, _)| variable == name);
        if let ExprKind::Name(word) = &receiver.kind
            && !is_variable(word)
        {
            if word != "this" {
                self.word(receiver, word)?;
            }
            match word.as_str() {
                "claims" => return Some(Typed::new(StaticType::Claim, Node::Claim(name.to_owned()))),
                "old" | "outer" | "this" => {
                    let (base, resource) = self.base(&receiver.span, word)?;
                    return self.field(&expr.span, base, resource, name);
                }
                _ => {}
            }
        }
        let receiver = self.resolve(receiver)?;
        match (&receiver.ty, &receiver.node) {
            (StaticType::Claim, Node::Claim(path)) => {
                Some(Typed::new(StaticType::Claim, Node::Claim(format!("{path}.{name}"))))
            }
            (StaticType::Object(object), node) => {
                let object = self.scope.service.object(object)?;
                let (index, ty) = self.member_of(&expr.span, &object.name, &object.fields, name)?;
                let longer = |path: &FieldPath| FieldPath {
                    names: path.names.iter().cloned().chain([name.to_owned()]).collect(),
                    indexes: path.indexes.iter().copied().chain([index]).collect(),
                };
                let node = match node {
                    Node::Field(base, path) => Node::Field(*base, longer(path)),
                    Node::Follow(reference, resource, path) => {
                        Node::Follow(reference.clone(), resource.clone(), longer(path))
                    }
                    _ => return self.wrong(&expr.span, "only fields have members"),
                };
                Some(Typed::new(ty, node))
            }
            (StaticType::Reference(_), _) if name == "id" => Some(receiver),
            (StaticType::Reference(resource), _) => {
                let resource = self.scope.service.resource(resource)?;
                if computed_field(resource, name).is_some() {
                    return self.computed_elsewhere(&expr.span, name);
                }
                let (ty, path) = self.field_of(&expr.span, resource, name)?;
                let typed = Typed::new(ty, Node::Follow(receiver.clone().into(), resource.name.clone(), path));
                if steps(&typed) > MAX_REFERENCE_STEPS {
                    let message = format!("this passes through more than {MAX_REFERENCE_STEPS} references");
                    return self.mistake(Mistake::new(&expr.span, MistakeCode::TooLarge, message));
                }
                Some(typed)
            }
            (StaticType::Price, _) => {
                let (ty, part) = match name {
                    "amount" => (StaticType::Decimal(AMOUNT_SCALE), PricePart::Amount),
                    "currency" => (StaticType::Text, PricePart::Currency),
                    _ => {
                        let message = format!("a price has no `{name}`");
                        let mistake = Mistake::new(&expr.span, MistakeCode::UnknownName, message);
                        return self.mistake(mistake.help("a price has `amount` and `currency`"));
                    }
                };
                Some(Typed::new(ty, Node::Part(part, receiver.into())))
            }
            (ty, _) => {
                let message = format!("{ty} has no `{name}`");
                self.mistake(Mistake::new(&expr.span, MistakeCode::UnknownName, message))
            }
        }
    }
}

/// How many references a value is behind.
fn steps(typed: &Typed) -> usize {
    match &typed.node {
        Node::Follow(reference, ..) => 1 + steps(reference),
        _ => 0,
    }
}
