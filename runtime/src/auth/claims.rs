//! The claims of a token with a valid signature → the caller: identity and permissions. When and for whom it is valid
//! is checked in `token`.
//!
//! What is read must be said once: a member that stands twice, at the top or in what is read of it, refuses the token
//! (RFC 7519 §4). What nobody reads may be anything, and is not handed on unless it is plain JSON.

use super::caller::{Caller, Subject, claim_at};
use restwell_model::scalar::uuid_text;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value as Json};
use std::fmt;
use uuid::Uuid;

/// The claim with the subject of a token (RFC 7519 §4.1.2).
const SUBJECT: &str = "sub";
/// The claims that have scopes, the first that there is: RFC 9068 §2.2.3, and the name that Okta and Azure AD have for
/// it.
const SCOPES: [&str; 2] = ["scope", "scp"];
/// The claims that have roles, all that there are: of Azure AD and RFC 9068 §2.2.3.1, and of Keycloak.
const ROLES: [&str; 2] = ["roles", "realm_access.roles"];
/// Characters of a subject at most (OpenID Connect Core 1.0 §2).
pub(crate) const MAX_SUBJECT: usize = 255;

/// No time is this many seconds after 1970: 2^64.
const BEYOND_TIMES: f64 = 18_446_744_073_709_551_616.0;

/// Which claims are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClaimNames {
    pub(crate) subject: String,
    pub(crate) scopes: Vec<String>,
    pub(crate) roles: Vec<String>,
}

impl Default for ClaimNames {
    fn default() -> Self {
        let owned = |names: [&str; 2]| names.map(str::to_owned).to_vec();
        Self { subject: SUBJECT.to_owned(), scopes: owned(SCOPES), roles: owned(ROLES) }
    }
}

/// The claims of a token. Some are not plain JSON, and may not be read.
pub(super) struct Claims {
    known: Map<String, Json>,
    unreadable: Vec<String>,
}

impl Claims {
    /// Reads an object whose members have different names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let members: RawClaims = serde_json::from_str(text).map_err(|_| "its claims are not an object".to_owned())?;
        let mut claims = Self { known: Map::new(), unreadable: Vec::new() };
        for (name, value) in members.0 {
            if claims.known.contains_key(&name) || claims.unreadable.contains(&name) {
                return Err("it has a claim twice".to_owned());
            }
            match serde_json::from_str::<Plain>(value.get()) {
                Ok(Plain(value)) => drop(claims.known.insert(name, value)),
                Err(_) => claims.unreadable.push(name),
            }
        }
        Ok(claims)
    }

    /// A time (RFC 7519 §2, NumericDate): seconds since 1970, which may have a fraction.
    pub(super) fn time(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.stated(name)? else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| (0.0..BEYOND_TIMES).contains(seconds));
        seconds.map(Some).ok_or_else(|| format!("its claim `{name}` is not a time"))
    }

    /// Whom it is for (RFC 7519 §4.1.3): a text, or several.
    pub(super) fn audience(&self) -> Result<Option<Vec<&str>>, String> {
        let wrong = || "its claim `aud` is neither a text nor an array of texts".to_owned();
        match self.stated("aud")? {
            None => Ok(None),
            Some(Json::String(name)) => Ok(Some(vec![name])),
            Some(Json::Array(items)) => {
                items.iter().map(Json::as_str).collect::<Option<Vec<_>>>().map(Some).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
        }
    }

    /// A claim by its name, null or not.
    fn stated(&self, name: &str) -> Result<Option<&Json>, String> {
        // refuses one that is not plain JSON
        self.read(name)?;
        Ok(self.known.get(name))
    }

    fn read(&self, path: &str) -> Result<Option<&Json>, String> {
        let is_of = |name: &&String| {
            path.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        match self.unreadable.iter().find(is_of) {
            Some(_) => Err(format!("its claim `{path}` is not plain JSON")),
            None => Ok(claim_at(&self.known, path)),
        }
    }

    fn texts(&self, path: &str) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.read(path)? else { return Ok(None) };
        let wrong = || format!("its claim `{path}` is neither a text nor an array of texts");
        match value {
            Json::String(text) => Ok(Some(scopes_in(text))),
            Json::Array(items) => {
                let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
                texts.collect::<Option<Vec<_>>>().map(Some).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }

    /// The caller of an issuer's token. `knows_users`: its subjects that are UUIDs are ids of users.
    pub(super) fn caller(self, issuer: &str, names: &ClaimNames, knows_users: bool) -> Result<Caller, String> {
        // one issuer, not a list with it (RFC 7519 §4.1.1)
        if self.read("iss")?.and_then(Json::as_str) != Some(issuer) {
            return Err(format!("its issuer (`iss`) is not `{issuer}`"));
        }
        let name = match self.read(&names.subject)? {
            Some(Json::String(name)) => subject(name)?,
            Some(_) => return Err(format!("its claim `{}` is not a text", names.subject)),
            None => return Err(format!("it has no claim `{}`", names.subject)),
        };
        let subject = Subject { knows_users, ..Subject::new(issuer, &name) };
        let mut scopes = None;
        for path in &names.scopes {
            scopes = match scopes {
                Some(found) => Some(found),
                None => self.texts(path)?,
            };
        }
        let mut roles = Vec::new();
        for path in &names.roles {
            roles.extend(self.roles(path));
        }
        let id = subject.user_id().filter(|_| knows_users).unwrap_or_else(|| subject.id());
        let scopes = scopes.unwrap_or_default();
        Ok(Caller { id, scopes, roles, subject: Some(subject), claims: self.known })
    }

    /// The roles of a claim. Nothing is granted by them here, so one of another form has none.
    fn roles(&self, path: &str) -> Vec<String> {
        self.texts(path).ok().flatten().unwrap_or_default()
    }
}

/// A subject that can be told from every other: not one that is only written in another way.
fn subject(name: &str) -> Result<String, String> {
    let is_plain = name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && name.trim() == name;
    if name.is_empty() || name.len() > MAX_SUBJECT || !is_plain {
        return Err(format!("its subject is not a text of 1 to {MAX_SUBJECT} ASCII characters without blanks around"));
    }
    if uuid_text::parse(name).is_none() && Uuid::try_parse(name).is_ok() {
        return Err("its subject is a UUID that is not written in lower case with four dashes".to_owned());
    }
    Ok(name.to_owned())
}

/// The scopes of a text: separated by spaces, and by nothing else (RFC 6749 §3.3).
pub(super) fn scopes_in(text: &str) -> Vec<String> {
    text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}

/// The members of an object, as they stand.
struct RawClaims(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for RawClaims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = RawClaims;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawClaims, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawClaims(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

/// A JSON value in which no object has a member twice.
struct Plain(Json);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PlainValue.deserialize(deserializer).map(Plain)
    }
}

struct PlainValue;

impl<'de> DeserializeSeed<'de> for PlainValue {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlainValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("not a number"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Self)? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if members.insert(name, map.next_value_seed(Self)?).is_some() {
                return Err(A::Error::custom("a member twice"));
            }
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(claims: &str) -> Result<Caller, String> {
        let claims = claims.replacen('{', r#"{"iss":"https://login.example.com","#, 1);
        Claims::parse(&claims)?.caller("https://login.example.com", &ClaimNames::default(), true)
    }

    #[test]
    fn what_is_read_is_said_once() {
        for (claims, is_good) in [
            (r#"{"sub":"a"}"#, true),
            (r#"{"sub":"a","x":1e400}"#, true),
            (r#"{"sub":"a","x":{"y":1,"y":2}}"#, true),
            (r#"{"sub":"a","scope":{"y":1,"y":2}}"#, false),
            (r#"{"sub":"a","sub":"a"}"#, false),
            (r#"{"sub":"a","x":1,"x":1}"#, false),
            (r#"["sub"]"#, false),
        ] {
            assert_eq!(caller(claims).is_ok(), is_good, "{claims}");
        }
        let caller = caller(r#"{"sub":"a","x":1e400,"y":[{"z":null}]}"#).unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!(caller.claims.keys().collect::<Vec<_>>(), ["iss", "sub", "y"]);
    }

    #[test]
    fn a_subject_has_one_spelling() {
        let long = "x".repeat(MAX_SUBJECT);
        for good in ["auth0|507f", "10769150350006150715113082367", "a b", "x@clients", &long] {
            assert!(subject(good).is_ok(), "{good}");
        }
        let too_long = "x".repeat(MAX_SUBJECT + 1);
        for bad in ["", " a", "a ", "a\n", "é", "019E7045-7260-726B-B2A7-4DE452E6B438", &too_long] {
            assert!(subject(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn roles_are_gathered() {
        let claims = r#"{"sub":"a","roles":["x"],"realm_access":{"roles":["y","z"]}}"#;
        assert_eq!(caller(claims).unwrap_or_else(|reason| panic!("{reason}")).roles, ["x", "y", "z"]);
    }
}
