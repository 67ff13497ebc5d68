//! Compares what conditions say: rules, conditional `required`, lifecycles.

use super::pairs::{Pair, Renamable, pairs};
use super::stored_rows::of_rows;
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Effect, Finding};
use crate::check::ModelPath;
use crate::condition::Condition;
use crate::field::Field;
use crate::resource::{Lifecycle, Resource, Rule, Transition};
use ChangeDirection::{Changed, Gone, Narrower, New, Unchanged, Wider};

/// What is said of a new condition that stored rows may break.
const VERIFIED: (Effect, &str) = (Effect::Verified, "no stored row may break it");
/// What is said of one that depends on more than what is stored.
const UNVERIFIED: (Effect, &str) = (Effect::Safe, "it holds for writes from then on, and stored rows are not verified");

impl Renamable for Transition {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Comparison<'_> {
    /// A rule is the same as long as it has its code and its path.
    pub(super) fn rules(&mut self, old: &[Rule], new: &[Rule], at: &ModelPath) {
        let is_of = |one: &Rule, other: &Rule| (&one.code, &one.path) == (&other.code, &other.path);
        for (index, rule) in new.iter().enumerate() {
            let at = at.index(index);
            match old.iter().find(|before| is_of(before, rule)) {
                None => {
                    let finding = Finding::new(ChangeKind::RuleAdded, &at, format!("`{}` is new", rule.code));
                    let (effect, note) = self.on_rows(&at, |resource| Some(&resource.rules.get(index)?.check));
                    self.push(finding.sides(Narrower, Unchanged, Unchanged).rows(effect, note));
                }
                Some(before) if before.check != rule.check => {
                    let message = format!("`{}` {}", rule.code, changed(&before.check, &rule.check, "none"));
                    let finding = Finding::new(ChangeKind::RuleChanged, &at.key("check"), message);
                    let (effect, note) = self.on_rows(&at, |resource| Some(&resource.rules.get(index)?.check));
                    self.push(finding.sides(Changed, Unchanged, Unchanged).rows(effect, note));
                }
                Some(before) => self.key((&before.text(), &rule.text()), "none", |message| {
                    Finding::new(ChangeKind::RuleChanged, &at.key("message"), message)
                }),
            }
        }
        for (index, rule) in old.iter().enumerate().filter(|(_, rule)| !new.iter().any(|now| is_of(now, rule))) {
            let finding =
                Finding::new(ChangeKind::RuleDropped, &at.index(index), format!("`{}` was removed", rule.code));
            self.push(Finding { removed: true, ..finding.sides(Wider, Unchanged, Unchanged) });
        }
    }

    /// `required: { when: … }`.
    pub(super) fn required_when(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        let (effect, note) =
            if new.required_when.is_some() { self.required_on_rows(new, at) } else { (Effect::Safe, "") };
        let (old, new) = (&old.required_when, &new.required_when);
        self.key((old, new), "none", |message| {
            let finding = Finding::new(ChangeKind::RequiredWhen, &at.key("required").key("when"), message);
            let requests = match (old, new) {
                (None, _) => Narrower,
                (_, None) => Wider,
                _ => Changed,
            };
            finding.sides(requests, Unchanged, Unchanged).rows(effect, note)
        });
    }

    /// What `required: { when: … }` of a field means for stored rows.
    pub(super) fn required_on_rows(&self, field: &Field, at: &ModelPath) -> (Effect, &'static str) {
        self.on_rows(at, |resource| resource.field(&field.name)?.required_when.as_ref())
    }

    /// What a new condition of a resource means for its stored rows: the condition as the new model has it.
    fn on_rows(&self, at: &ModelPath, condition: impl Fn(&Resource) -> Option<&Condition>) -> (Effect, &'static str) {
        let resource = at.definition.as_deref().and_then(|name| self.named.resource(name));
        let typed = resource.and_then(|resource| of_rows(self.named, resource, condition(resource)?));
        if typed.is_some() { VERIFIED } else { UNVERIFIED }
    }

    pub(super) fn states(&mut self, old: Option<&Lifecycle>, new: Option<&Lifecycle>, at: &ModelPath) {
        let heads = |lifecycle: &Lifecycle| (lifecycle.field.clone(), lifecycle.initial.clone());
        self.key((&old.map(heads), &new.map(heads)), "none", |message| {
            let finding = Finding::new(ChangeKind::States, at, message);
            finding.sides(Changed, Changed, Unchanged)
        });
        let finals = |lifecycle: Option<&Lifecycle>| lifecycle.map(|it| it.finals.clone()).unwrap_or_default();
        self.key((&finals(old), &finals(new)), "none", |message| {
            Finding::new(ChangeKind::States, &at.key("final"), message)
        });
        let transitions = [old, new].map(|lifecycle| lifecycle.map_or(&[][..], |it| &it.transitions));
        for pair in pairs(transitions[0], transitions[1]) {
            match pair {
                Pair::New(new) => {
                    let at = at.key("transitions").key(&new.name);
                    self.push(Finding::new(ChangeKind::TransitionAdded, &at, "is new").calls(New));
                }
                Pair::Old(old) => {
                    let at = at.key("transitions").key(&old.name);
                    let finding = Finding::new(ChangeKind::TransitionDropped, &at, "was removed").calls(Gone);
                    self.push(Finding { removed: true, ..finding });
                }
                Pair::Both(old, new) => {
                    let at = at.key("transitions").key(&new.name);
                    self.key((old, new), "none", |message| {
                        Finding::new(ChangeKind::TransitionChanged, &at, message).calls(Changed)
                    });
                }
            }
        }
    }
}
