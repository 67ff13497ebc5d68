//! Rules that run because of each other: a rule changes an entity, whose rules change another one, and so on.

use super::rejection::{Cause, Rejection};
use std::fmt;
use std::sync::Arc;

/// Rules that may run because of each other. Beyond it they are a mistake: most often two that call each other.
const MAX_RULE_DEPTH: usize = 16;

/// The rules that led to a change, the last one first; none for what a request or a handler changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleChain(Option<Arc<RuleLink>>);

/// A rule that runs.
#[derive(Debug)]
struct RuleLink {
    resource: String,
    rule: &'static str,
    because_of: RuleChain,
    depth: usize,
}

impl RuleChain {
    /// With a rule of a resource at its end.
    pub(super) fn to(&self, resource: &str, rule: &'static str) -> Self {
        let link = RuleLink { resource: resource.to_owned(), rule, because_of: self.clone(), depth: self.depth() + 1 };
        Self(Some(Arc::new(link)))
    }

    /// Whether one more change may run its rules.
    ///
    /// # Errors
    ///
    /// They would be too deep.
    pub(super) fn may_go_on(&self) -> Result<(), Rejection> {
        match self.depth() < MAX_RULE_DEPTH {
            true => Ok(()),
            false => {
                let reason = format!("more than {MAX_RULE_DEPTH} rules ran because of each other: {self}");
                Err(Rejection(Cause::RulesTooDeep(reason)))
            }
        }
    }

    fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.depth)
    }
}

/// `Offer.after_update > User.before_update`: the first one first.
impl fmt::Display for RuleChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(link) = &self.0 else { return Ok(()) };
        if link.because_of.0.is_some() {
            write!(f, "{} > ", link.because_of)?;
        }
        write!(f, "{}.{}", link.resource, link.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_shows_its_rules_and_ends() {
        let mut chain = RuleChain::default();
        for _ in 0..MAX_RULE_DEPTH / 2 {
            chain.may_go_on().unwrap();
            chain = chain.to("Offer", "after_update").to("User", "before_update");
        }
        assert!(chain.to_string().starts_with("Offer.after_update > User.before_update > Offer.after_update > "));
        assert!(
            matches!(chain.may_go_on(), Err(Rejection(Cause::RulesTooDeep(text))) if text.ends_with(&chain.to_string()))
        );
    }
}
