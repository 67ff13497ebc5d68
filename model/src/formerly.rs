//! `formerly`: the name that something had, served beside the present one until a day.

use crate::field::Deprecation;
use crate::scalar::Date;
use serde::{Deserialize, Serialize};

/// The former name of a field, a command, a view or a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Formerly {
    /// The former name.
    pub name: String,
    /// Of a resource: the former plural, if it was not the derived one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plural: Option<String>,
    /// Of a view: the former path, if it was not the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The day of its removal.
    pub sunset: Date,
}

impl Formerly {
    /// A former name until a day.
    #[must_use]
    pub fn new(name: &str, sunset: Date) -> Self {
        Self { name: name.to_owned(), plural: None, path: None, sunset }
    }

    /// What those who use the former name are told.
    #[must_use]
    pub fn deprecation(&self) -> Deprecation {
        Deprecation { sunset: Some(self.sunset) }
    }
}

/// The present name of something, or its former one.
pub(crate) fn name_of<'n>(name: &'n str, former: Option<&'n Formerly>, is_former: bool) -> &'n str {
    former.filter(|_| is_former).map_or(name, |former| &former.name)
}

/// The same for names of operations. A former one is never the present one: what keeps its name, and was at another
/// path, gets a word before it.
pub(crate) fn label_of(name: &str, former: Option<&Formerly>, is_former: bool, word: &str) -> String {
    match name_of(name, former, is_former) {
        same if is_former && same == name => format!("{word}{name}"),
        other => other.to_owned(),
    }
}
