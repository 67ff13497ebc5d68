//! The options that say whose tokens are accepted.

use super::claims::ClaimNames;
use clap::Args;
use restwell_model::scalar::IsoDuration;
use std::time::Duration;

/// How far the clocks of issuer and service may differ by default.
const LEEWAY: Duration = Duration::from_secs(30);
/// The greatest distance of clocks that can be set: beyond it, the end of a token would mean little.
const MAX_LEEWAY: Duration = Duration::from_secs(600);
/// Issuers at most.
const MAX_ISSUERS: usize = 16;
/// Instead of a key set: where the issuer's discovery document says.
const DISCOVERY: &str = "discovery";
/// The heading of the options in `--help`.
const CREDENTIALS: &str = "Credentials";

/// The issuers whose tokens are accepted, and their keys.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeyOptions {
    /// The JSON Web Key Set that tokens are signed with: a URL or a file. By default the issuer's discovery document
    /// names it. With several issuers, one each, in their order; `discovery` for the default.
    #[arg(long, env = "JWKS", help_heading = CREDENTIALS, value_name = "URL|FILE", value_delimiter = ',')]
    pub(crate) jwks: Vec<String>,
    /// The issuer of the tokens (`iss`): `https://login.example.com`; several, separated by commas. Without it, tokens
    /// are signed with a development key.
    #[arg(long, env = "ISSUER", help_heading = CREDENTIALS, value_delimiter = ',')]
    pub(crate) issuer: Vec<String>,
    /// The audience of the tokens (`aud`): this service. With several issuers, one for all, or one each.
    #[arg(long, env = "AUDIENCE", help_heading = CREDENTIALS, value_delimiter = ',')]
    pub(crate) audience: Vec<String>,
    /// The claim that says whom a token is about: a name, or a path, `user.id`. By default `sub`. With several issuers,
    /// one for all, or one each.
    #[arg(long, env = "SUBJECT_CLAIM", help_heading = CREDENTIALS, value_name = "CLAIM", value_delimiter = ',')]
    pub(crate) subject_claim: Vec<String>,
    /// The claims that have scopes, separated by commas; the first that a token has counts. By default `scope,scp`.
    #[arg(long, env = "SCOPE_CLAIM", help_heading = CREDENTIALS, value_name = "CLAIM", value_delimiter = ',')]
    pub(crate) scope_claim: Vec<String>,
    /// The claims that have roles, separated by commas; all count. By default `roles,realm_access.roles`.
    #[arg(long, env = "ROLE_CLAIM", help_heading = CREDENTIALS, value_name = "CLAIM", value_delimiter = ',')]
    pub(crate) role_claim: Vec<String>,
    /// How far the clocks of issuer and service may be apart, as an ISO 8601 duration, at most PT10M. By default PT30S.
    #[arg(long, env = "TOKEN_LEEWAY", help_heading = CREDENTIALS, value_name = "DURATION", value_parser = leeway)]
    pub(crate) token_leeway: Option<Duration>,
}

/// An issuer, and the tokens that are taken of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub(crate) jwks: Option<String>,
    pub(crate) issuer: String,
    pub(crate) audience: String,
    pub(crate) claims: ClaimNames,
    pub(crate) leeway: Duration,
    /// Whether subjects that are UUIDs are ids of users.
    pub(crate) knows_users: bool,
}

impl Issuer {
    /// With all that can be left out left out.
    pub(crate) fn new(issuer: &str, audience: &str, jwks: Option<&str>) -> Self {
        Self {
            jwks: jwks.map(str::to_owned),
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            claims: ClaimNames::default(),
            leeway: LEEWAY,
            knows_users: true,
        }
    }
}

impl KeyOptions {
    /// The issuers that they name. Half of one is refused: a check left out is worse than a service that does not
    /// start.
    pub(crate) fn issuers(&self) -> Result<Vec<Issuer>, String> {
        let issuers = given(&self.issuer);
        let (jwks, audiences) = (given(&self.jwks), given(&self.audience));
        match (issuers.len(), audiences.len()) {
            (0, 0) if jwks.is_empty() => return Ok(Vec::new()),
            (0, _) => {
                return Err("--jwks and --audience need --issuer: the `iss` of the tokens that are taken".to_owned());
            }
            (_, 0) => {
                return Err("--issuer is given without --audience: tokens that the issuer made for others would be \
                            taken; name the `aud` of those for this service"
                    .to_owned());
            }
            (count, _) if count > MAX_ISSUERS => return Err(format!("--issuer: at most {MAX_ISSUERS}")),
            _ => {}
        }
        let count = issuers.len();
        let repeated = issuers.iter().enumerate().find(|(index, issuer)| issuers[..*index].contains(issuer));
        if let Some((_, issuer)) = repeated {
            return Err(format!("--issuer names {issuer} twice"));
        }
        if !jwks.is_empty() && jwks.len() != count {
            return Err(format!("--jwks: {} for {count} issuers; one each, or `{DISCOVERY}`", jwks.len()));
        }
        let each = |name: &str, given: &[&str], default: &str| match given {
            [] => Ok(vec![default.to_owned(); count]),
            [one] => Ok(vec![(*one).to_owned(); count]),
            all if all.len() == count => Ok(all.iter().map(|&text| text.to_owned()).collect()),
            all => Err(format!("--{name}: {} for {count} issuers; one for all, or one each", all.len())),
        };
        let audiences = each("audience", &audiences, "")?;
        let defaults = ClaimNames::default();
        let subjects = each("subject-claim", &given(&self.subject_claim), &defaults.subject)?;
        let names = |given: Vec<&str>, default: &[String]| match given.as_slice() {
            [] => default.to_vec(),
            names => names.iter().map(|&name| name.to_owned()).collect(),
        };
        let scopes = names(given(&self.scope_claim), &defaults.scopes);
        let roles = names(given(&self.role_claim), &defaults.roles);
        let all =
            issuers.iter().zip(audiences).zip(subjects).enumerate().map(|(index, ((issuer, audience), subject))| {
                let jwks = jwks.get(index).copied().filter(|jwks| *jwks != DISCOVERY);
                Issuer {
                    claims: ClaimNames { subject, scopes: scopes.clone(), roles: roles.clone() },
                    leeway: self.token_leeway.unwrap_or(LEEWAY),
                    ..Issuer::new(issuer, &audience, jwks)
                }
            });
        Ok(all.collect())
    }
}

/// The values that are there. An empty variable is none.
fn given(values: &[String]) -> Vec<&str> {
    values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()).collect()
}

fn leeway(text: &str) -> Result<Duration, String> {
    let duration = IsoDuration::parse(text).and_then(|duration| duration.to_std());
    duration.filter(|leeway| *leeway <= MAX_LEEWAY).ok_or_else(|| "not a duration from PT0S to PT10M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(jwks: &str, issuer: &str, audience: &str) -> KeyOptions {
        let option = |text: &str| text.split(',').map(str::to_owned).collect();
        KeyOptions { jwks: option(jwks), issuer: option(issuer), audience: option(audience), ..KeyOptions::default() }
    }

    #[test]
    fn half_of_an_issuer_is_refused() {
        assert_eq!(KeyOptions::default().issuers(), Ok(Vec::new()));
        assert_eq!(options("", "", " ").issuers(), Ok(Vec::new()), "an empty variable is none");
        for half in [options("k", "", ""), options("k", "i", ""), options("", "i", ""), options("", "", "a")] {
            assert!(half.issuers().is_err(), "{half:?}");
        }
        for whole in [options("k", "i", "a"), options("", "i", "a")] {
            assert_eq!(whole.issuers().map(|issuers| issuers.len()), Ok(1), "{whole:?}");
        }
    }

    #[test]
    fn several_issuers_share_or_have_their_own() {
        let two = options("discovery,k", "i,j", "a").issuers().unwrap_or_else(|reason| panic!("{reason}"));
        let seen: Vec<_> =
            two.iter().map(|it| (it.issuer.as_str(), it.audience.as_str(), it.jwks.as_deref())).collect();
        assert_eq!(seen, [("i", "a", None), ("j", "a", Some("k"))]);
        for wrong in [options("k", "i,j", "a"), options("", "i,j", "a,b,c"), options("", "i,i", "a")] {
            assert!(wrong.issuers().is_err(), "{wrong:?}");
        }
    }
}
