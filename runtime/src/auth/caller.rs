//! The authenticated caller (§5).

use restwell_model::scalar::uuid_text;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

/// An authenticated caller.
///
/// ```
/// use restwell::{Caller, Uuid};
///
/// let caller = Caller::new(Uuid::now_v7()).with_scopes(["offers.admin"]);
/// assert!(caller.scopes.contains(&"offers.admin".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The id of the service's user.
    pub id: Uuid,
    /// The scopes that the token grants in addition.
    pub scopes: Vec<String>,
    /// The roles that the token names, for the service's own code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Whom the token is about, as its issuer calls them; `None` if something else than a token identified the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// All claims of the token.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claims: Map<String, Json>,
}

/// A name that is unique at its issuer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The issuer: `iss`.
    pub issuer: String,
    /// The name: `sub`.
    pub name: String,
    /// Whether the issuer is the one that the users are known by.
    #[serde(default)]
    pub(crate) knows_users: bool,
}

impl Subject {
    /// A person or program, as an issuer names it.
    #[must_use]
    pub fn new(issuer: &str, name: &str) -> Self {
        Self { issuer: issuer.to_owned(), name: name.to_owned(), knows_users: true }
    }

    /// The id that follows from issuer and name: a version 5 UUID of the name, in the namespace that is the version 5
    /// UUID of the issuer as a URL.
    #[must_use]
    pub fn id(&self) -> Uuid {
        let namespace = Uuid::new_v5(&Uuid::NAMESPACE_URL, self.issuer.as_bytes());
        Uuid::new_v5(&namespace, self.name.as_bytes())
    }

    /// What the users' field for subjects holds: of issuers that do not know the users, with their name, so that no
    /// issuer can speak for the users of another.
    pub(crate) fn key(&self) -> String {
        match self.knows_users {
            true => self.name.clone(),
            false => format!("{}#{}", self.issuer, self.name),
        }
    }

    /// The name, if it is the id of a user itself.
    pub(crate) fn user_id(&self) -> Option<Uuid> {
        uuid_text::parse(&self.name)
    }
}

impl Caller {
    /// The user of this id, with no scopes.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self { id, scopes: Vec::new(), roles: Vec::new(), subject: None, claims: Map::new() }
    }

    /// With these scopes instead.
    #[must_use]
    pub fn with_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// A claim by its name, or by its path: `realm_access.roles`.
    #[must_use]
    pub fn claim(&self, path: &str) -> Option<&Json> {
        claim_at(&self.claims, path)
    }
}

/// The claim of a name, or at a path. Names such as `https://example.com/roles` have dots of their own, so the whole
/// name comes first. A null says as little as a claim that is missing.
pub(super) fn claim_at<'c>(claims: &'c Map<String, Json>, path: &str) -> Option<&'c Json> {
    let whole = claims.get(path);
    let found = whole.or_else(|| {
        let (first, rest) = path.split_once('.')?;
        claim_at(claims.get(first)?.as_object()?, rest)
    });
    found.filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_id_of_a_subject_depends_on_its_issuer() {
        let subject = |issuer: &str| Subject::new(issuer, "auth0|507f1f77");
        let id = subject("https://one.example.com/").id();
        // by Python: uuid5(uuid5(NAMESPACE_URL, issuer), name)
        assert_eq!(id.to_string(), "c2e421d5-1166-50ea-93a5-5bf1f3dfb223");
        assert_ne!(id, subject("https://two.example.com/").id());
    }

    #[test]
    fn claims_are_found_by_name_and_by_path() {
        let claims = json!({ "a": { "b": { "c": 1 } }, "https://x.com/roles": ["r"], "n": null });
        let caller = Caller { claims: claims.as_object().cloned().unwrap_or_default(), ..Caller::new(Uuid::nil()) };
        assert_eq!(caller.claim("a.b.c"), Some(&json!(1)));
        assert_eq!(caller.claim("https://x.com/roles"), Some(&json!(["r"])));
        for missing in ["n", "a.c", "b", "a.b.c.d", ""] {
            assert_eq!(caller.claim(missing), None, "{missing}");
        }
    }
}
