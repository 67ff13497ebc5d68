//! What is different each time: ids, times, entity tags. The page shows those of one run; in another run each stands for
//! what it was when it came first, so that a page that mixes two of them up is found out.

use regex::{Captures, Regex};
use std::collections::HashMap;

/// What differs from run to run. Ids and tags are one thing each, wherever they stand; times just pass.
const VARYING: &str = concat!(
    r#"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|"[0-9a-f]{32}")"#,
    r"|(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{6}|\d{3})Z|date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT)",
);

/// The ids of the page, and what they are in this run.
pub(crate) struct Bindings {
    varying: Regex,
    actual: HashMap<String, String>,
    documented: HashMap<String, String>,
    /// Times that the page sends, and so must get back as they are.
    given: Vec<String>,
}

impl Bindings {
    pub(crate) fn new() -> Self {
        let varying = Regex::new(VARYING).expect("the pattern is one");
        Self { varying, actual: HashMap::new(), documented: HashMap::new(), given: Vec::new() }
    }

    /// The page's command as it is to be run now. What it names and nothing has shown before stands for itself.
    pub(crate) fn command(&mut self, command: &str) -> String {
        let varying = self.varying.clone();
        let now = varying.replace_all(command, |found: &Captures<'_>| {
            let word = &found[0];
            if found.name("id").is_none() {
                self.given.push(word.to_owned());
                return word.to_owned();
            }
            if !self.actual.contains_key(word) {
                self.bind(word, word);
            }
            self.actual[word].clone()
        });
        now.into_owned()
    }

    /// Whether what was printed is what the page shows; from here on its new ids are known.
    pub(crate) fn agree(&mut self, documented: &str, actual: &str) -> bool {
        let varying = self.varying.clone();
        let literals = |text: &str| varying.split(text).map(str::to_owned).collect::<Vec<_>>();
        literals(documented) == literals(actual)
            && varying.captures_iter(documented).zip(varying.captures_iter(actual)).all(|(d, a)| self.same(&d, &a))
    }

    fn same(&mut self, documented: &Captures<'_>, actual: &Captures<'_>) -> bool {
        let (shown, printed) = (&documented[0], &actual[0]);
        match (documented.name("id").is_some(), actual.name("id").is_some()) {
            (true, true) => match (self.actual.get(shown), self.documented.get(printed)) {
                (Some(known), _) => known == printed,
                (None, Some(_)) => false,
                (None, None) => {
                    self.bind(shown, printed);
                    true
                }
            },
            (false, false) => {
                shown.len() == printed.len() && (shown == printed || !self.given.iter().any(|given| given == shown))
            }
            _ => false,
        }
    }

    fn bind(&mut self, documented: &str, actual: &str) {
        self.actual.insert(documented.to_owned(), actual.to_owned());
        self.documented.insert(actual.to_owned(), documented.to_owned());
    }

    /// What was printed, in the page's words, for the page. Ids that are new come into it as they are.
    pub(crate) fn documented(&mut self, actual: &str) -> String {
        let varying = self.varying.clone();
        let shown = varying.replace_all(actual, |found: &Captures<'_>| {
            let word = &found[0];
            if found.name("id").is_some() && !self.documented.contains_key(word) {
                self.bind(word, word);
            }
            self.documented.get(word).cloned().unwrap_or_else(|| word.to_owned())
        });
        shown.into_owned()
    }
}
