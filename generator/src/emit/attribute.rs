//! The text of an attribute. Arguments that equal the default are omitted.

use super::names::word;
use restwell_model::condition::Condition;
use restwell_model::field::Allow;
use restwell_model::names::rust::{self, ident};
use restwell_model::scalar::Date;
use restwell_model::{
    Access, Announcement, Formerly, Lifecycle, Operation, OperationKind, Rule, Transition, Version, names,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The arguments of an attribute, in the order in which they are shown.
#[derive(Default)]
pub(super) struct Attribute(Vec<String>);

impl Attribute {
    /// `filter`
    pub(super) fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.0.push(name.to_owned());
        }
    }

    /// `default = off`, where another type has the name of the draft
    pub(super) fn without_draft(&mut self, is_taken: bool) {
        self.value("default", is_taken.then_some("off"));
    }

    /// `query = OfferQuery_`, where another type has the name of one that the derive brings
    pub(super) fn brought(&mut self, name: &str, all: &BTreeSet<&str>, suffixes: &[&str]) {
        for suffix in suffixes {
            let brought = rust::brought(name, suffix, |it| all.contains(it));
            self.value(&names::snake(suffix), (brought != format!("{name}{suffix}")).then_some(brought));
        }
    }

    /// `scale = 3`, `owner = seller`
    pub(super) fn value(&mut self, name: &str, value: Option<impl Display>) {
        self.0.extend(value.map(|value| format!("{name} = {value}")));
    }

    /// `plural = "offers"`
    pub(super) fn text(&mut self, name: &str, text: Option<impl Display>) {
        self.value(name, text.map(|text| literal(&text.to_string())));
    }

    /// `show(name)`
    pub(super) fn list(&mut self, name: &str, items: &[String]) {
        if !items.is_empty() {
            self.nested(name, items);
        }
    }

    /// `under(seller)`: fields of the model by their names in Rust.
    pub(super) fn fields(&mut self, name: &str, fields: &[String]) {
        self.list(name, &fields.iter().map(|field| ident(field)).collect::<Vec<_>>());
    }

    /// `views(sale, "pre-sale")`
    pub(super) fn words(&mut self, name: &str, words: &[String]) {
        self.list(name, &words.iter().map(|item| word(item)).collect::<Vec<_>>());
    }

    /// `currencies("PLN")`, `versions("public.v1")`
    pub(super) fn texts(&mut self, name: &str, texts: &[impl ToString]) {
        self.list(name, &texts.iter().map(|text| literal(&text.to_string())).collect::<Vec<_>>());
    }

    /// `operations(list, get)`, with nothing in it, too
    pub(super) fn nested(&mut self, name: &str, items: &[String]) {
        self.0.push(format!("{name}({})", items.join(", ")));
    }

    /// `sunset = "2027-06-30"`, after `deprecated`
    pub(super) fn deprecation(&mut self, deprecated: bool, sunset: Option<Date>) {
        self.flag("deprecated", deprecated);
        self.text("sunset", sunset);
    }

    /// `deprecations("operations.delete" = "2027-06-30", "fields.name.filter")`
    pub(super) fn announcements(&mut self, announcements: &[Announcement]) {
        let one = |it: &Announcement| match it.sunset {
            Some(day) => format!("{} = {}", literal(&it.what), literal(&day.to_string())),
            None => literal(&it.what),
        };
        self.list("deprecations", &announcements.iter().map(one).collect::<Vec<_>>());
    }

    /// `formerly("title" = "2027-06-30")`, `formerly("Listing" = "2027-06-30", plural = "listings")`
    pub(super) fn formerly(&mut self, formerly: Option<&Formerly>) {
        let Some(former) = formerly else { return };
        let mut items = vec![format!("{} = {}", literal(&former.name), literal(&former.sunset.to_string()))];
        for (key, text) in [("plural", &former.plural), ("path", &former.path)] {
            items.extend(text.as_deref().map(|text| format!("{key} = {}", literal(text))));
        }
        self.nested("formerly", &items);
    }

    /// `versions("public.v1", "beta.v2")`
    pub(super) fn versions(&mut self, name: &str, versions: &[Version]) {
        self.texts(name, versions);
    }

    /// `access = [owner, "scope:offers.admin"]`; `is_default`: what there is without it
    pub(super) fn access(&mut self, access: &[Access], is_default: bool) {
        match access {
            [Access::Anyone] if is_default => {}
            access => self.callers("access", access),
        }
    }

    /// `visible = [owner, moderator]`
    pub(super) fn callers(&mut self, name: &str, callers: &[Access]) {
        let one = |access: &Access| match access {
            Access::Scope(_) => literal(&access.to_string()),
            Access::Anyone | Access::User | Access::Owner => access.to_string(),
            Access::Role(name) => word(name),
            Access::Named(name) => word(name.as_str()),
            Access::When(condition) => format!("when({})", literal(condition.as_str())),
        };
        match callers {
            [] => {}
            [only] => self.value(name, Some(one(only))),
            several => {
                let all = several.iter().map(one).collect::<Vec<_>>().join(", ");
                self.value(name, Some(format!("[{all}]")));
            }
        }
    }

    /// `conditions(staff = "property in caller.employers")`
    pub(super) fn conditions(&mut self, conditions: &BTreeMap<String, Condition>) {
        let one =
            |(name, condition): (&String, &Condition)| format!("{} = {}", word(name), literal(condition.as_str()));
        self.list("conditions", &conditions.iter().map(one).collect::<Vec<_>>());
    }

    /// `required(when = "kind == \"AUCTION\"")`
    pub(super) fn condition(&mut self, name: &str, word: &str, condition: Option<&Condition>) {
        self.0.extend(condition.map(|text| format!("{name}({word} = {})", literal(text.as_str()))));
    }

    /// `rule(check = "…", code = "EndsBeforeStart", path = "endingAt", message = "…")`
    pub(super) fn rule(&mut self, rule: &Rule) {
        let mut arguments = Self::default();
        arguments.text("check", Some(&rule.check));
        arguments.text("code", Some(&rule.code));
        arguments.text("path", rule.path.as_ref());
        arguments.text("message", rule.message.as_ref());
        self.nested("rule", &arguments.into_items());
    }

    /// `lifecycle(field = status, initial = "ACTIVE", transition(end, from("ACTIVE"), to = "ENDED"))`
    pub(super) fn lifecycle(&mut self, lifecycle: &Lifecycle) {
        let mut arguments = Self::default();
        arguments.value("field", Some(ident(&lifecycle.field)));
        arguments.text("initial", Some(&lifecycle.initial));
        arguments.texts("final", &lifecycle.finals);
        for transition in &lifecycle.transitions {
            arguments.nested("transition", &self::transition(transition));
        }
        self.nested("lifecycle", &arguments.into_items());
    }

    /// `operations(create(access = user), list)`
    pub(super) fn operations(&mut self, operations: &[Operation]) {
        let items: Vec<String> = operations.iter().map(operation).collect();
        self.nested("operations", &items);
    }

    /// `allow("plural-array" = "data is the domain's word")`
    pub(super) fn allow(&mut self, allow: &Allow) {
        let rules: Vec<String> =
            allow.iter().map(|(rule, reason)| format!("{} = {}", literal(rule), literal(reason))).collect();
        self.list("allow", &rules);
    }

    /// The arguments; `None` where there are none.
    pub(super) fn finish(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(", "))
    }

    /// The arguments, which may be none.
    pub(super) fn into_items(self) -> Vec<String> {
        self.0
    }
}

fn transition(transition: &Transition) -> Vec<String> {
    let mut arguments = Attribute::default();
    arguments.flag(&word(&transition.name), true);
    arguments.texts("from", &transition.from);
    arguments.text("to", Some(&transition.to));
    let set = transition.set.iter().map(|(field, value)| format!("{} = {}", ident(field), literal(value.as_str())));
    arguments.list("set", &set.collect::<Vec<_>>());
    arguments.text("when", transition.when.as_ref());
    arguments.value("at", transition.at.as_deref().map(ident));
    arguments.into_items()
}

fn operation(operation: &Operation) -> String {
    let mut attribute = Attribute::default();
    attribute.access(&operation.access, operation.open_by_default == operation.kind.is_write());
    attribute.flag("async", operation.is_async);
    let word = operation.kind.word();
    attribute.finish().map_or_else(|| word.to_owned(), |arguments| format!("{word}({arguments})"))
}

/// Whether operations are those that a resource has without saying so.
pub(super) fn are_default(operations: &[Operation]) -> bool {
    operations == OperationKind::DEFAULT.map(Operation::with_default_access)
}

/// A text as a literal.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}
