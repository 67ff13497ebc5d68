//! The check of one token: its signature by the keys that there are, then what it says.

use super::keys::Keys;
use crate::auth::caller::Caller;
use crate::auth::claims::Claims;
use crate::auth::{Issuer, MAX_TOKEN};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// What a token may say it is (RFC 9068 for the second): not one that is made for something else than access.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];
/// Claims that a token must have, beside its subject.
const REQUIRED: [&str; 3] = ["exp", "iss", "aud"];

/// What the tokens of an issuer must say, per algorithm.
pub(super) struct TokenRequirements {
    issuer: Issuer,
    rs256: Validation,
    es256: Validation,
    eddsa: Validation,
}

/// The verdict on a token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenVerdict {
    /// It is good.
    Good(Caller),
    /// It is not valid, with any key; this is why, for people.
    Bad(String),
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

impl TokenRequirements {
    /// Of the tokens of an issuer.
    pub(super) fn of(issuer: &Issuer) -> Self {
        let demands = |algorithm| {
            let mut validation = Validation::new(algorithm);
            validation.leeway = issuer.leeway.as_secs();
            validation.validate_nbf = true;
            validation.set_issuer(&[&issuer.issuer]);
            validation.set_audience(&[&issuer.audience]);
            validation.set_required_spec_claims(&REQUIRED);
            validation
        };
        Self {
            rs256: demands(Algorithm::RS256),
            es256: demands(Algorithm::ES256),
            eddsa: demands(Algorithm::EdDSA),
            issuer: issuer.clone(),
        }
    }

    /// The issuer of the tokens.
    pub(super) fn issuer(&self) -> &str {
        &self.issuer.issuer
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
        let bad = |reason: &str| TokenVerdict::Bad(reason.to_owned());
        if token.len() > MAX_TOKEN {
            return TokenVerdict::Bad(format!("it has more than {MAX_TOKEN} bytes"));
        }
        // not even an algorithm is known by the name `none`
        let Some(header) = TokenHeader::of(token) else {
            return bad("it is not a JSON Web Token with a known algorithm");
        };
        let Some(demands) = self.by(header.alg) else { return bad("it is not signed with RS256, ES256 or EdDSA") };
        if !header.is_for_access() {
            return bad("its header says that it is for something else than access (`typ`, `crit`)");
        }
        let (is_named, candidates) = keys.find(header.kid.as_deref(), header.alg);
        for candidate in candidates {
            // claims must be UTF-8, the ignored ones as well (RFC 7519 §7.2): only the raw text is checked as a whole
            match decode::<Box<RawValue>>(token, &candidate.key, demands) {
                Ok(token) => return self.caller(token.claims.get()).map_or_else(TokenVerdict::Bad, TokenVerdict::Good),
                Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => {}
                Err(error) => return TokenVerdict::Bad(self.reason(error.kind())),
            }
        }
        if is_named { bad("it is not signed with the key of its `kid`") } else { TokenVerdict::UnknownKey }
    }

    fn caller(&self, claims: &str) -> Result<Caller, String> {
        let claims = Claims::parse(claims)?;
        claims.caller(&self.issuer.issuer, &self.issuer.claims, self.issuer.knows_users)
    }

    /// Why a token whose signature is good is none that is taken. It says what is demanded, and nothing of the token.
    fn reason(&self, kind: &ErrorKind) -> String {
        match kind {
            ErrorKind::ExpiredSignature => "it has expired".to_owned(),
            ErrorKind::ImmatureSignature => "it is not valid yet (`nbf`)".to_owned(),
            ErrorKind::InvalidAudience => format!("its audience (`aud`) is not `{}`", self.issuer.audience),
            ErrorKind::InvalidIssuer => format!("its issuer (`iss`) is not `{}`", self.issuer.issuer),
            ErrorKind::MissingRequiredClaim(name) => format!("it has no claim `{name}`"),
            _ => "it is malformed".to_owned(),
        }
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

/// The issuer that a token names, before anything of it is checked: by it only the keys are chosen.
pub(super) fn named_issuer(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        iss: String,
    }
    if token.len() > MAX_TOKEN {
        return None;
    }
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice::<Named>(&claims).ok().map(|named| named.iss)
}
