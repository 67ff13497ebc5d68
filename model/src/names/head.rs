//! Whether a name is singular or plural, judged by its head: the noun that the other words describe.
//!
//! The last word is the head of most names, but not of all. In `sizeInBytes` and `idsToAdd` it stands before the
//! preposition or the infinitive, in `patternsAllowed` before the participle, and a predicate such as `hasManyFiles` or
//! `allowsRefunds` has none. So a rule that looks at the last word alone errs there, and what it finds is either
//! certain, or a guess, or nothing.

mod words;

use super::{is_plural, is_singular, snake};
use words::{
    ADJECTIVE_ENDINGS, ADJECTIVES, AUXILIARIES, BOUNDS, CONJUNCTIONS, DETERMINERS, EITHER, FUNCTION_WORDS, NOUNS_IN_ED,
    PARTICIPLES, PREDICATES, PREPOSITIONS, UNITS, VERBS,
};

/// How certain it is that the number of a name is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberVerdict {
    /// The number is right, or the name has no noun that has a number.
    Fine,
    /// The number may be wrong.
    Doubtful,
    /// The number is wrong.
    Wrong,
}

/// What the values of a field are, as far as its name depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedValue {
    /// True or false: the name may be a predicate.
    Boolean,
    /// A number: the name may end in its unit.
    Number,
    /// Any other single value.
    Other,
}

/// The number of the name of a single value.
#[must_use]
pub fn of_single(name: &str, value: NamedValue) -> NumberVerdict {
    let words = Words::of(name);
    if is_singular(name) || words.end_in(FUNCTION_WORDS) {
        return NumberVerdict::Fine;
    }
    match value {
        NamedValue::Boolean if words.are_predicate() => return NumberVerdict::Fine,
        NamedValue::Boolean => return NumberVerdict::Doubtful,
        NamedValue::Number if words.end_in(UNITS) && words.count() > 1 => return NumberVerdict::Fine,
        NamedValue::Number if words.begin_with(BOUNDS) && words.count() > 1 => return NumberVerdict::Doubtful,
        NamedValue::Number | NamedValue::Other => {}
    }
    if let Some(head) = words.before_preposition() {
        return if head.is_singular() { NumberVerdict::Fine } else { NumberVerdict::Doubtful };
    }
    let is_guess = words.end_in(UNITS)
        || words.end_in(EITHER)
        || words.end_in(PREDICATES)
        || words.begin_with(PREPOSITIONS)
        || words.begin_with(AUXILIARIES)
        || words.begin_with(VERBS) && words.count() > 1
        || words.end_in_acronym();
    if is_guess { NumberVerdict::Doubtful } else { NumberVerdict::Wrong }
}

/// The number of the name of an array.
#[must_use]
pub fn of_array(name: &str) -> NumberVerdict {
    if is_plural(name) {
        return NumberVerdict::Fine;
    }
    let words = Words::of(name);
    if words.begin_with(PREPOSITIONS)
        || words.end_in(PREPOSITIONS)
        || words.have_any(AUXILIARIES)
        || words.begin_with(CONJUNCTIONS)
        || words.end_in(EITHER)
        || words.end_in(DETERMINERS)
        || words.count() == 1 && words.begin_with(VERBS)
        || words.end_in_acronym()
    {
        return NumberVerdict::Doubtful;
    }
    if words.have_plural_before_participle() {
        return NumberVerdict::Fine;
    }
    let head = words.before_preposition().unwrap_or_else(|| words.clone());
    let noun = head.before_participles();
    match (noun.count(), noun.count() < words.count()) {
        (0, _) => NumberVerdict::Fine,
        (_, true) if noun.is_plural() => NumberVerdict::Fine,
        (_, true) => NumberVerdict::Doubtful,
        (_, false) if noun.ends_like_an_adjective() => NumberVerdict::Doubtful,
        (_, false) => NumberVerdict::Wrong,
    }
}

/// Whether a definition describes several things.
#[must_use]
pub fn of_definition(name: &str) -> NumberVerdict {
    let head = || Words::of(name).before_preposition();
    if is_singular(name) || head().is_some_and(|head| head.is_singular()) {
        NumberVerdict::Fine
    } else {
        NumberVerdict::Wrong
    }
}

/// Whether a word is a unit, such as `seconds`.
#[must_use]
pub fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

/// Whether a name is nothing but participles: `added`, `blockedBy`, `blocking`.
#[must_use]
pub fn has_no_noun(name: &str) -> bool {
    let words = Words::of(name);
    let is_outside =
        |word: &String| is_participle(word) || word.ends_with("ing") || PREPOSITIONS.contains(&word.as_str());
    words.0.iter().all(is_outside)
}

/// The words of a name, in lower case.
#[derive(Debug, Clone)]
struct Words(Vec<String>);

impl Words {
    fn of(name: &str) -> Self {
        Self(snake(name).split('_').map(str::to_owned).collect())
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn last(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    fn begin_with(&self, words: &[&str]) -> bool {
        self.0.first().is_some_and(|first| words.contains(&first.as_str()))
    }

    fn end_in(&self, words: &[&str]) -> bool {
        words.contains(&self.last())
    }

    fn is_singular(&self) -> bool {
        is_singular(self.last())
    }

    fn is_plural(&self) -> bool {
        is_plural(self.last())
    }

    /// The words before the first preposition, if there are words on both of its sides.
    fn before_preposition(&self) -> Option<Self> {
        let at = self.0.iter().skip(1).position(|word| PREPOSITIONS.contains(&word.as_str()))? + 1;
        (at + 1 < self.count()).then(|| Self(self.0[..at].to_vec()))
    }

    /// The words without the participles at their end.
    fn before_participles(&self) -> Self {
        let end = self.0.iter().rposition(|word| !is_participle(word)).map_or(0, |last| last + 1);
        Self(self.0[..end].to_vec())
    }

    /// Whether a name of true or false says something of a thing, instead of naming one.
    fn are_predicate(&self) -> bool {
        let is_one = self.count() == 1;
        let begins_with_verb = !is_one && (self.begin_with(VERBS) || !is_singular(&self.0[0]));
        let has_participle = || !is_one && self.0.iter().any(|word| is_participle(word));
        let has_singular_head = || self.before_preposition().is_some_and(|head| head.is_singular());
        begins_with_verb
            || self.have_any(AUXILIARIES)
            || self.end_in(PREDICATES)
            || has_participle()
            || has_singular_head()
    }

    fn ends_like_an_adjective(&self) -> bool {
        let last = self.last();
        self.end_in(ADJECTIVES) || ADJECTIVE_ENDINGS.iter().any(|end| last.len() > end.len() + 1 && last.ends_with(end))
    }

    /// Acronyms: `dns`, `js`, and file systems.
    fn end_in_acronym(&self) -> bool {
        !self.last().contains(['a', 'e', 'i', 'o', 'u', 'y']) || self.last().ends_with("fs")
    }

    /// Whether a participle follows a plural: `teamsProvidingAccess`.
    fn have_plural_before_participle(&self) -> bool {
        let is_active = |word: &str| word.len() > 5 && word.ends_with("ing");
        // with something behind it, for `salesMeeting` is a meeting
        self.0.windows(3).any(|words| !is_singular(&words[0]) && (is_active(&words[1]) || is_participle(&words[1])))
    }

    fn have_any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|word| words.contains(&word.as_str()))
    }
}

fn is_participle(word: &str) -> bool {
    PARTICIPLES.contains(&word) || word.len() > 3 && word.ends_with("ed") && !NOUNS_IN_ED.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use NumberVerdict::{Doubtful, Fine, Wrong};

    #[test]
    fn a_predicate_has_no_number() {
        for name in [
            "hasManyFiles",
            "hasMultipleSingleFiles",
            "allowsRefunds",
            "defaultForNewRepos",
            "showTips",
            "expires",
            "membersCanCreateRepositories",
            "approvedByOwners",
            "requireCodeOwnerReviews",
            "isForGuests",
        ] {
            assert_eq!(of_single(name, NamedValue::Boolean), Fine, "{name}");
        }
        assert_eq!(of_single("colours", NamedValue::Boolean), Doubtful);
        assert_eq!(of_single("openIssues", NamedValue::Boolean), Doubtful);
    }

    #[test]
    fn a_unit_is_no_plural() {
        for name in ["lengthInMetres", "sizeInBytes", "timeoutSeconds", "retentionDays", "numberOfSeats"] {
            assert_eq!(of_single(name, NamedValue::Number), Fine, "{name}");
        }
        assert_eq!(of_single("days", NamedValue::Number), Doubtful);
    }

    #[test]
    fn a_plural_of_a_single_value_is_wrong() {
        for (name, value) in [
            ("colours", NamedValue::Other),
            ("openIssues", NamedValue::Number),
            ("settings", NamedValue::Other),
            ("workingDirectories", NamedValue::Other),
            ("points", NamedValue::Number),
        ] {
            assert_eq!(of_single(name, value), Wrong, "{name}");
        }
        for name in ["expires", "deleteDuplicates", "nfs", "glusterfs"] {
            assert_eq!(of_single(name, NamedValue::Other), Doubtful, "{name}");
        }
        assert_eq!(of_single("maxItems", NamedValue::Number), Doubtful);
        assert_eq!(of_single("addressMeAs", NamedValue::Other), Fine);
        assert_eq!(of_single("dns", NamedValue::Other), Fine);
        assert_eq!(of_single("os", NamedValue::Other), Fine);
    }

    #[test]
    fn the_head_of_an_array_may_stand_before_its_last_word() {
        for name in [
            "repositoryIdsToAdd",
            "idsToAdd",
            "patternsAllowed",
            "filesOfCommit",
            "added",
            "chosen",
            "images",
            "teamsProvidingAccess",
        ] {
            assert_eq!(of_array(name), Fine, "{name}");
        }
        for name in [
            "fileToAdd",
            "fileAdded",
            "following",
            "available",
            "active",
            "busy",
            "from",
            "inheritedFrom",
            "groupBy",
            "ifAnyMatch",
            "mustMatch",
            "include",
            "all",
            "tls",
            "os",
        ] {
            assert_eq!(of_array(name), Doubtful, "{name}");
        }
        for name in ["image", "parameterGroup", "command", "newsFeed", "history"] {
            assert_eq!(of_array(name), Wrong, "{name}");
        }
    }

    #[test]
    fn a_definition_is_judged_by_its_head_too() {
        for name in ["Offer", "ChangeOfPlans", "News", "SalesOrder"] {
            assert_eq!(of_definition(name), Fine, "{name}");
        }
        for name in ["Offers", "OrderLines"] {
            assert_eq!(of_definition(name), Wrong, "{name}");
        }
    }
}
