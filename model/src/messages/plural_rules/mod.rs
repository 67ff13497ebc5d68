//! Which plural form of a message a number selects, by the rules of its language.
//!
//! The rules are CLDR's: `cardinal` and `ordinal` are written from its data, by a program. A language has a rule for
//! each category but `other`, which is what remains.

mod cardinal;
mod operands;
mod ordinal;
#[cfg(test)]
mod tests;

use super::lookup;
use operands::{Operand, Operands};

/// A plural form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluralCategory {
    /// `zero`.
    Zero,
    /// `one`.
    One,
    /// `two`.
    Two,
    /// `few`.
    Few,
    /// `many`.
    Many,
    /// `other`, which every language has.
    Other,
}

impl PluralCategory {
    /// Its name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::One => "one",
            Self::Two => "two",
            Self::Few => "few",
            Self::Many => "many",
            Self::Other => "other",
        }
    }
}

/// What a number says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluralKind {
    /// How many: `3 items`.
    Cardinal,
    /// Which one: `the 3rd item`.
    Ordinal,
}

/// The rules of one language.
#[derive(Debug, Clone, Copy)]
pub struct PluralRules {
    cardinal: &'static [CategoryRule],
    ordinal: &'static [CategoryRule],
}

impl PluralRules {
    /// The rules of the language of a tag, or of its shorter forms. A language that CLDR does not know has no form but
    /// `other`.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        let find = |groups: &'static [LanguageGroup]| {
            let group = lookup(tag).find_map(|tag| groups.iter().find(|group| group.languages.contains(&tag)));
            group.map_or(&[][..], |group| group.rules)
        };
        Self { cardinal: find(cardinal::LANGUAGES), ordinal: find(ordinal::LANGUAGES) }
    }

    /// The category of a number, which is written as `1.50`: its digits count, not only its value.
    #[must_use]
    pub fn category(&self, kind: PluralKind, number: &str) -> PluralCategory {
        let rules = match kind {
            PluralKind::Cardinal => self.cardinal,
            PluralKind::Ordinal => self.ordinal,
        };
        let holds = |operands: Operands| rules.iter().find(|(_, ways)| is_met(ways, &operands));
        Operands::parse(number).and_then(holds).map_or(PluralCategory::Other, |(category, _)| *category)
    }
}

/// Languages that have the same rules.
#[derive(Debug)]
struct LanguageGroup {
    languages: &'static [&'static str],
    rules: &'static [CategoryRule],
}

/// A category, and the ways to belong to it. All relations of a way must hold.
type CategoryRule = (PluralCategory, &'static [&'static [Relation]]);

/// A comparison of an operand, or of its remainder, with ranges.
#[derive(Debug)]
struct Relation {
    operand: Operand,
    /// Zero if the operand itself is compared.
    modulus: u64,
    is_within: bool,
    ranges: &'static [(u64, u64)],
}

const fn is(operand: Operand, modulus: u64, ranges: &'static [(u64, u64)]) -> Relation {
    Relation { operand, modulus, is_within: true, ranges }
}

const fn is_not(operand: Operand, modulus: u64, ranges: &'static [(u64, u64)]) -> Relation {
    Relation { operand, modulus, is_within: false, ranges }
}

fn is_met(ways: &[&[Relation]], operands: &Operands) -> bool {
    ways.iter().any(|way| way.iter().all(|relation| relation.holds(operands)))
}

impl Relation {
    fn holds(&self, operands: &Operands) -> bool {
        let value = operands.get(self.operand).map(|value| value.checked_rem(self.modulus).unwrap_or(value));
        let is_within =
            value.is_some_and(|value| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&value)));
        is_within == self.is_within
    }
}
