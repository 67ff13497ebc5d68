//! The whole description: a service and the definitions that resources share.
//!
//! Every front end (YAML, derives, the `model` output of a running service) produces a [`Service`]. An inline enum or
//! object is a definition like any other, under the name from `names::inline_type`, so that the code behind the front
//! ends handles only one form.

use crate::announcement::Announcement;
use crate::condition::Condition;
use crate::field::{Allow, Deprecation, Field};
use crate::resource::Resource;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A service: its name and everything it serves. Definitions are sorted by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    /// Kebab-case: the crate, the event subjects.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What the service is, before what its documentation says of every service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The URL of the terms under which it may be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms_of_service: Option<String>,
    /// Who answers questions about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// The license of the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<License>,
    /// The word in `application/vnd.<vendor>.public.v1+json` (§9.1).
    pub vendor: String,
    /// The resource whose id is the authenticated caller's.
    pub users: Option<String>,
    /// How these are found, where their ids are not those of callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_subjects: Option<UserSubjects>,
    /// Names for conditions on the caller alone, which access lists use.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Condition>,
    /// Names for conditions on the caller alone, which all conditions and access lists of the service know.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, Condition>,
    /// Changes of this document, and resources that were removed, that are meant: each with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
    /// Enums, shared by name.
    pub enums: Vec<Enum>,
    /// Nested structures, shared by name.
    pub objects: Vec<Object>,
    /// What the service serves.
    pub resources: Vec<Resource>,
}

/// The default vendor.
pub const DEFAULT_VENDOR: &str = "service";

impl Service {
    /// A service with a name and nothing else yet.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: None,
            description: None,
            terms_of_service: None,
            contact: None,
            license: None,
            vendor: DEFAULT_VENDOR.to_owned(),
            users: None,
            user_subjects: None,
            roles: BTreeMap::new(),
            conditions: BTreeMap::new(),
            allow: Allow::new(),
            enums: Vec::new(),
            objects: Vec::new(),
            resources: Vec::new(),
        }
    }

    /// The enum of this name.
    #[must_use]
    pub fn enumeration(&self, name: &str) -> Option<&Enum> {
        self.enums.iter().find(|e| e.name == name)
    }

    /// The object of this name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|o| o.name == name)
    }

    /// The resource of this name.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|r| r.name == name)
    }

    /// Brings the definitions into their canonical order: by name.
    pub fn sort(&mut self) {
        self.enums.sort_by(|a, b| a.name.cmp(&b.name));
        self.objects.sort_by(|a, b| a.name.cmp(&b.name));
        self.resources.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// Who answers questions about a service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// A person or a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// An address for mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// The license of a service's interface.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct License {
    /// `Apache 2.0`.
    pub name: String,
    /// As SPDX has it: `Apache-2.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// How the user is found whom a token is about (decisions, "Credentials").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserSubjects {
    /// The field of the users that has the subject of their tokens.
    pub subject: String,
    /// The claims that the fields of a new user are made of. Without it, users are not made at first sight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provision: Option<BTreeMap<String, String>>,
}

/// A closed list of upper-case values (§2.4.8).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Enum {
    /// PascalCase.
    pub name: String,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `UPPER_SNAKE`, in the order of writing.
    pub values: Vec<String>,
    /// Values that go away, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deprecations: Vec<Announcement>,
    /// What `deprecations` say of its values: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notices: BTreeMap<String, Deprecation>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

/// A nested structure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Object {
    /// PascalCase.
    pub name: String,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// In the order of writing.
    pub fields: Vec<Field>,
    /// Parts of it that go away, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deprecations: Vec<Announcement>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Enum {
    /// An enum of this name and these values, with every key at its default.
    #[must_use]
    pub fn new(name: &str, values: Vec<String>) -> Self {
        Self {
            name: name.to_owned(),
            description: None,
            values,
            deprecations: Vec::new(),
            notices: BTreeMap::new(),
            allow: Allow::new(),
        }
    }
}

impl Object {
    /// An object of this name and these fields, with every key at its default.
    #[must_use]
    pub fn new(name: &str, fields: Vec<Field>) -> Self {
        Self { name: name.to_owned(), description: None, fields, deprecations: Vec::new(), allow: Allow::new() }
    }
}
