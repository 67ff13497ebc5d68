//! The check of a JSON Web Token (RFC 7519), the same for tokens of an issuer and of a development key. Only the check
//! of its signature differs, so that is left to the caller of this module.
//!
//! Nothing of a token counts before its signature has been checked, but for the parameters of its header, by which the
//! key is chosen.

use super::MAX_TOKEN;
use super::caller::Caller;
use super::claims::{ClaimNames, Claims};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a token may say it is (RFC 9068 for the second): not one that is made for something else than access.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];

/// What the claims of a token must say.
#[derive(Debug, Clone)]
pub(super) struct TokenRequirements {
    /// `iss`.
    pub(super) issuer: String,
    /// Is in `aud`; `None`: the tokens are for this service alone, whatever they say.
    pub(super) audience: Option<String>,
    /// How far the clocks of issuer and service may be apart.
    pub(super) leeway: Duration,
    /// The claims that are read.
    pub(super) names: ClaimNames,
    /// Whether subjects that are UUIDs are ids of users.
    pub(super) knows_users: bool,
}

/// A token whose header can be read. Its signature has not been checked.
pub(super) struct UnverifiedToken<'t> {
    header: TokenHeader,
    /// Header and claims, as they are signed.
    pub(super) signed: &'t str,
    claims: &'t str,
    /// As it is sent, in base64url.
    pub(super) signature: &'t str,
}

/// The header's parameters that are looked at. Null is not the same as a parameter that is missing (RFC 7515 §4.1).
#[derive(Deserialize)]
struct TokenHeader {
    alg: String,
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

/// The JSON of a part. All of it must be UTF-8, also what is ignored (RFC 7519 §7.2).
fn decoded(part: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

impl<'t> UnverifiedToken<'t> {
    /// Reads a token.
    ///
    /// # Errors
    ///
    /// The reason for refusing it, independent of its signer, for people.
    pub(super) fn read(token: &'t str) -> Result<Self, String> {
        if token.len() > MAX_TOKEN {
            return Err(format!("it has more than {MAX_TOKEN} bytes"));
        }
        let malformed = || "it is not a JSON Web Token".to_owned();
        let (signed, signature) = token.rsplit_once('.').ok_or_else(malformed)?;
        let (header, claims) = signed.split_once('.').ok_or_else(malformed)?;
        URL_SAFE_NO_PAD.decode(signature).map_err(|_| malformed())?;
        let header = decoded(header).ok_or_else(malformed)?;
        let header: TokenHeader = serde_json::from_str(&header).map_err(|_| malformed())?;
        if !header.is_for_access() {
            return Err("its header says that it is for something else than access (`typ`, `crit`)".to_owned());
        }
        Ok(Self { header, signed, claims, signature })
    }

    /// The algorithm that it names.
    pub(super) fn algorithm(&self) -> &str {
        &self.header.alg
    }

    /// The id of its key, if it names one.
    pub(super) fn key_id(&self) -> Option<&str> {
        self.header.kid.as_deref()
    }
}

impl TokenHeader {
    /// Whether it asks for nothing that is not understood here (RFC 7515 §4.1.11, RFC 8725 §3.11).
    fn is_for_access(&self) -> bool {
        let is_type = |given: &String| TYPES.iter().any(|known| given.eq_ignore_ascii_case(known));
        self.crit.is_none() && self.typ.as_ref().is_none_or(is_type)
    }
}

impl TokenRequirements {
    /// The caller whom a token names that has a good signature, or why there is none. The reason says what is demanded,
    /// and nothing of the token.
    pub(super) fn caller(&self, token: &UnverifiedToken<'_>) -> Result<Caller, String> {
        let claims = Claims::parse(&decoded(token.claims).ok_or("it is malformed")?)?;
        self.check_term(&claims, since_1970())?;
        self.check_audience(&claims)?;
        claims.caller(&self.issuer, &self.names, self.knows_users)
    }

    /// `exp` (RFC 7519 §4.1.4) and `nbf` (RFC 7519 §4.1.5). `now`: seconds since 1970.
    fn check_term(&self, claims: &Claims, now: f64) -> Result<(), String> {
        let leeway = self.leeway.as_secs_f64();
        let end = claims.time("exp")?.ok_or("it has no claim `exp`")?;
        if now >= end + leeway {
            return Err("it has expired".to_owned());
        }
        match claims.time("nbf")? {
            Some(begin) if begin > now + leeway => Err("it is not valid yet (`nbf`)".to_owned()),
            _ => Ok(()),
        }
    }

    /// `aud` (RFC 7519 §4.1.3).
    fn check_audience(&self, claims: &Claims) -> Result<(), String> {
        let Some(audience) = &self.audience else { return Ok(()) };
        match claims.audience()? {
            Some(named) if named.contains(&audience.as_str()) => Ok(()),
            Some(_) => Err(format!("its audience (`aud`) is not `{audience}`")),
            None => Err("it has no claim `aud`".to_owned()),
        }
    }
}

/// The present time, as claims have it.
fn since_1970() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn requirements(leeway: u64) -> TokenRequirements {
        TokenRequirements {
            issuer: "https://login.example.com".to_owned(),
            audience: Some("shop".to_owned()),
            leeway: Duration::from_secs(leeway),
            names: ClaimNames::default(),
            knows_users: true,
        }
    }

    fn read(header: &str) -> Result<(), String> {
        UnverifiedToken::read(&format!("{}.e30.AA", URL_SAFE_NO_PAD.encode(header))).map(drop)
    }

    #[test]
    fn a_header_with_something_critical_is_refused() {
        for (header, is_good) in [
            (r#"{"alg":"HS256"}"#, true),
            (r#"{"alg":"HS256","typ":"at+JWT","x":{"y":[1]}}"#, true),
            (r#"{"alg":"HS256","typ":"dpop+jwt"}"#, false),
            (r#"{"alg":"HS256","typ":null}"#, false),
            (r#"{"alg":"HS256","crit":["urn:example:x"]}"#, false),
            (r#"{"alg":"HS256","crit":[]}"#, false),
            (r#"{"alg":"HS256","crit":null}"#, false),
            (r#"{"alg":"HS256","crit":["b64"],"b64":false}"#, false),
            (r#"{"alg":"HS256","kid":null}"#, false),
            (r#"{"alg":"HS256","alg":"HS256"}"#, false),
            (r#"{"alg":null}"#, false),
            ("[]", false),
        ] {
            assert_eq!(read(header).is_ok(), is_good, "{header}");
        }
        let ill = URL_SAFE_NO_PAD.encode(b"{\"alg\":\"HS256\",\"x\":\"\xff\"}");
        for bad in ["", "x", "e30", "e30.e30", "..", &format!("{ill}.e30.AA")] {
            assert!(UnverifiedToken::read(bad).is_err(), "{bad}");
        }
        assert!(UnverifiedToken::read(&"x".repeat(MAX_TOKEN + 1)).is_err_and(|reason| reason.contains("bytes")));
    }

    #[test]
    fn times_may_have_a_fraction() {
        let check = |leeway: u64, claims: &str, now: f64| {
            let claims = Claims::parse(claims)?;
            requirements(leeway).check_term(&claims, now)
        };
        for (leeway, claims, now, is_good) in [
            (0, r#"{"exp":1000}"#, 999.9, true),
            (0, r#"{"exp":1000}"#, 1000.0, false),
            (0, r#"{"exp":1000.5}"#, 1000.4, true),
            (0, r#"{"exp":1000.5}"#, 1000.6, false),
            (0, r#"{"exp":1.0005e3}"#, 1000.4, true),
            (30, r#"{"exp":1000}"#, 1029.0, true),
            (30, r#"{"exp":1000}"#, 1030.5, false),
            (0, r#"{"exp":2000,"nbf":1000.5}"#, 1000.4, false),
            (0, r#"{"exp":2000,"nbf":1000.5}"#, 1000.5, true),
            (30, r#"{"exp":2000,"nbf":1030}"#, 1000.0, true),
            (0, r#"{"exp":9223372036854775807}"#, 1000.0, true),
            (0, r#"{"exp":18446744073709551616}"#, 1000.0, false),
            (0, r#"{"exp":1e300}"#, 1000.0, false),
            (0, r#"{"exp":1e400}"#, 1000.0, false),
            (0, r#"{"exp":-1}"#, 1000.0, false),
            (0, r#"{"exp":"2000"}"#, 1000.0, false),
            (0, r#"{"exp":null}"#, 1000.0, false),
            (0, r#"{}"#, 1000.0, false),
            (0, r#"{"exp":2000,"nbf":null}"#, 1000.0, false),
            (0, r#"{"exp":2000,"nbf":"0"}"#, 1000.0, false),
            (0, r#"{"exp":2000,"nbf":-1}"#, 1000.0, false),
        ] {
            assert_eq!(check(leeway, claims, now).is_ok(), is_good, "{claims} at {now}, leeway {leeway}");
        }
    }

    #[test]
    fn an_audience_is_one_of_those_that_are_named() {
        let check = |aud: Json| requirements(0).check_audience(&Claims::parse(&json!({ "aud": aud }).to_string())?);
        for (aud, is_good) in [
            (json!("shop"), true),
            (json!(["others", "shop"]), true),
            (json!("shops"), false),
            (json!([]), false),
            (json!(["shop", 5]), false),
            (json!({ "shop": 1 }), false),
            (json!(null), false),
        ] {
            assert_eq!(check(aud.clone()).is_ok(), is_good, "{aud}");
        }
        let anybody = TokenRequirements { audience: None, ..requirements(0) };
        assert!(Claims::parse("{}").and_then(|claims| anybody.check_audience(&claims)).is_ok());
    }
}
