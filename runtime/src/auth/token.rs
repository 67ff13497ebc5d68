//! The check of one token: its signature by the keys that there are, then what it says.

use super::MAX_TOKEN;
use super::caller::Caller;
use super::keys::Keys;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode};
use restwell_model::scalar::uuid_text;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// How far the clocks of issuer and service may be apart, in seconds.
const LEEWAY: u64 = 30;
/// What a token may say it is (RFC 9068 for the second): not one that is made for something else than access.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];
/// Claims that a token must have.
const REQUIRED: [&str; 4] = ["exp", "iss", "aud", "sub"];

/// What tokens must say, per algorithm.
pub(super) struct TokenRequirements {
    rs256: Validation,
    es256: Validation,
    eddsa: Validation,
}

/// What is thought of a token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenVerdict {
    /// It is good.
    Good(Caller),
    /// It is not valid, with any key.
    Bad,
    /// It is signed with none of these keys, but might be with a newer one.
    UnknownKey,
}

/// The header's parameters that are looked at here. `jsonwebtoken` takes null for one that is missing; RFC 7515 §4.1
/// does not allow it.
#[derive(Deserialize)]
struct TokenHeader {
    alg: Algorithm,
    #[serde(default, deserialize_with = "present")]
    kid: Option<String>,
    #[serde(default, deserialize_with = "present")]
    typ: Option<String>,
    #[serde(default, deserialize_with = "present")]
    crit: Option<IgnoredAny>,
}

/// A value of the type itself, never null.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    // it is checked by `Validation`, which would take a list with the issuer in it, too (RFC 7519 §4.1.1)
    #[serde(rename = "iss")]
    _iss: String,
    scope: Option<Scopes>,
    /// Some issuers' name for it.
    scp: Option<Scopes>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Scopes {
    Text(String),
    List(Vec<String>),
}

impl Scopes {
    fn list(self) -> Vec<String> {
        match self {
            Self::Text(text) => scopes_in(&text),
            Self::List(list) => list,
        }
    }
}

/// The scopes of a text: separated by spaces, and by nothing else (RFC 6749 §3.3).
pub(super) fn scopes_in(text: &str) -> Vec<String> {
    text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}

impl TokenRequirements {
    /// Of tokens that this issuer made for this audience.
    pub(super) fn of(issuer: &str, audience: &str) -> Self {
        let demands = |algorithm| {
            let mut validation = Validation::new(algorithm);
            validation.leeway = LEEWAY;
            validation.validate_nbf = true;
            validation.set_issuer(&[issuer]);
            validation.set_audience(&[audience]);
            validation.set_required_spec_claims(&REQUIRED);
            validation
        };
        Self { rs256: demands(Algorithm::RS256), es256: demands(Algorithm::ES256), eddsa: demands(Algorithm::EdDSA) }
    }

    /// Those of tokens that are signed by one of the algorithms that are taken.
    fn by(&self, algorithm: Algorithm) -> Option<&Validation> {
        match algorithm {
            Algorithm::RS256 => Some(&self.rs256),
            Algorithm::ES256 => Some(&self.es256),
            Algorithm::EdDSA => Some(&self.eddsa),
            _ => None,
        }
    }

    /// Checks a token.
    pub(super) fn check(&self, token: &str, keys: &Keys) -> TokenVerdict {
        if token.len() > MAX_TOKEN {
            return TokenVerdict::Bad;
        }
        // not even an algorithm is known by the name `none`
        let Some(header) = TokenHeader::of(token) else { return TokenVerdict::Bad };
        let Some(demands) = self.by(header.alg).filter(|_| header.is_for_access()) else { return TokenVerdict::Bad };
        let (is_named, candidates) = keys.find(header.kid.as_deref(), header.alg);
        for candidate in candidates {
            // claims must be UTF-8, the ignored ones as well (RFC 7519 §7.2): only the raw text is checked as a whole
            match decode::<Box<RawValue>>(token, &candidate.key, demands) {
                Ok(token) => return caller(token.claims.get()).map_or(TokenVerdict::Bad, TokenVerdict::Good),
                Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => {}
                Err(_) => return TokenVerdict::Bad,
            }
        }
        if is_named { TokenVerdict::Bad } else { TokenVerdict::UnknownKey }
    }
}

impl TokenHeader {
    fn of(token: &str) -> Option<Self> {
        let (header, _) = token.split_once('.')?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()
    }

    /// Whether it asks for nothing that is not understood here (RFC 7515 §4.1.11, RFC 8725 §3.11).
    fn is_for_access(&self) -> bool {
        let is_type = |given: &String| TYPES.iter().any(|known| given.eq_ignore_ascii_case(known));
        self.crit.is_none() && self.typ.as_ref().is_none_or(is_type)
    }
}

fn caller(claims: &str) -> Option<Caller> {
    let claims: Claims = serde_json::from_str(claims).ok()?;
    let id = uuid_text::parse(&claims.sub)?;
    Some(Caller { id, scopes: claims.scope.or(claims.scp).map(Scopes::list).unwrap_or_default() })
}
