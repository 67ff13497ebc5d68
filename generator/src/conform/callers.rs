//! Who calls: the users of a run, and their tokens.

use super::access::TokenNeeds;
use super::provision::{UserClaims, merged};
use restwell_model::api::{Api, HttpOperation};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A token to get.
#[derive(Debug, Clone, Copy)]
pub struct TokenRequest<'a> {
    /// 1 for the user who owns what is created, 2 for another one.
    pub number: usize,
    /// The user's id, or the subject of their tokens: a UUID if the service has no resource of users.
    pub user: &'a str,
    /// The scopes that the token grants.
    pub scopes: &'a [String],
    /// Claims beside them: those that make the user, where the service makes users of claims; of a token with scopes
    /// also those that roles and conditions ask for.
    pub claims: &'a Map<String, Value>,
}

/// Gets tokens: a program, or in tests a function.
pub type TokenSource<'a> = Box<dyn FnMut(TokenRequest<'_>) -> Result<String, String> + 'a>;

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Caller {
    /// Nobody: without credentials.
    Nobody,
    /// Credentials that no service accepts.
    Bad,
    /// The first user, with every scope of the model.
    Master,
    /// The first user, without scopes.
    Owner,
    /// The second user, without scopes.
    Stranger,
    /// The second user, with every scope.
    Scoped,
}

impl Caller {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Bad => "bad token",
            Self::Master => "user 1, all scopes",
            Self::Owner => "user 1",
            Self::Stranger => "user 2",
            Self::Scoped => "user 2, all scopes",
        }
    }

    /// The user, from 1.
    pub(crate) const fn number(self) -> Option<usize> {
        match self {
            Self::Nobody | Self::Bad => None,
            Self::Master | Self::Owner => Some(1),
            Self::Stranger | Self::Scoped => Some(2),
        }
    }

    pub(crate) const fn has_scopes(self) -> bool {
        match self {
            Self::Master | Self::Scoped => true,
            Self::Nobody | Self::Bad | Self::Owner | Self::Stranger => false,
        }
    }
}

/// The users and their tokens.
pub(crate) struct Callers<'a> {
    source: Option<TokenSource<'a>>,
    /// The subjects of tokens.
    subjects: [String; 2],
    /// The ids that entities refer to.
    ids: [Option<String>; 2],
    /// Every scope that the model names.
    pub(crate) scopes: Vec<String>,
    /// The claims that its roles and conditions ask for.
    claims: Map<String, Value>,
    /// What makes each user.
    users: [UserClaims; 2],
    /// The values of users' fields for which roles and conditions hold.
    pub(crate) user_fields: Map<String, Value>,
    /// Whether tokens have subjects that are no ids of users.
    has_subjects: bool,
    /// Whose tokens the service has accepted.
    accepted: BTreeSet<Caller>,
    tokens: BTreeMap<Caller, String>,
    /// Every token of the run, to keep it out of the report.
    seen: BTreeSet<String>,
}

impl<'a> Callers<'a> {
    /// The callers of a service. `users`: the ids of its users, if they are known before.
    pub(crate) fn new(api: &Api<'_>, source: Option<TokenSource<'a>>, users: &[String], is_read_only: bool) -> Self {
        let given = |index: usize| users.get(index).cloned();
        let subjects = [Uuid::new_v4(), Uuid::new_v4()];
        // a run that is read-only makes no users
        let user = |index: usize| match given(index).is_some() || is_read_only {
            true => UserClaims::default(),
            false => UserClaims::of(api.service, subjects[index]),
        };
        let subject = |index: usize| given(index).unwrap_or_else(|| subjects[index].to_string());
        let TokenNeeds { scopes, claims, user: user_fields } = TokenNeeds::of(api);
        Self {
            source,
            subjects: [subject(0), subject(1)],
            ids: [given(0), given(1)],
            scopes: scopes.into_iter().collect(),
            claims,
            users: [user(0), user(1)],
            user_fields,
            has_subjects: api.service.user_subjects.is_some(),
            accepted: BTreeSet::new(),
            tokens: BTreeMap::new(),
            seen: BTreeSet::new(),
        }
    }

    pub(crate) fn has_tokens(&self) -> bool {
        self.source.is_some()
    }

    /// The id of a user, as references name it; `None` also if the run does not know it.
    pub(crate) fn id(&self, caller: Caller) -> Option<&str> {
        let number = caller.number()?;
        let known = self.ids[number - 1].as_deref();
        let is_subject = self.has_tokens() && !self.has_subjects;
        known.or_else(|| is_subject.then_some(self.subjects[number - 1].as_str()))
    }

    /// The subject of a user's tokens.
    pub(crate) fn subject(&self, number: usize) -> Option<&str> {
        self.subjects.get(number.checked_sub(1)?).map(String::as_str)
    }

    /// The service has a user of this id for the subject.
    pub(crate) fn learn(&mut self, number: usize, id: &str) {
        if let Some(known) = number.checked_sub(1).and_then(|index| self.ids.get_mut(index)) {
            known.get_or_insert_with(|| id.to_owned());
        }
    }

    /// What makes the user of a caller.
    pub(crate) fn user_claims(&self, caller: Caller) -> Option<&UserClaims> {
        self.users.get(caller.number()?.checked_sub(1)?)
    }

    /// The claims of a caller's token.
    fn claims_of(&self, caller: Caller) -> Map<String, Value> {
        let none = Map::new();
        let asked = if caller.has_scopes() { &self.claims } else { &none };
        merged(asked, self.user_claims(caller).map_or(&none, |user| &user.claims))
    }

    /// Whether the user has an entity, or was named on the command line.
    pub(crate) fn is_known(&self, number: usize) -> bool {
        self.ids.get(number - 1).is_some_and(Option::is_some)
    }

    /// A user has this id, and tokens with this subject.
    pub(crate) fn set(&mut self, number: usize, id: String, subject: String) {
        self.ids[number - 1] = Some(id);
        self.subjects[number - 1] = subject;
        self.tokens.clear();
        self.accepted.clear();
    }

    /// The scopes of a caller's token.
    pub(crate) fn scopes_of(&self, caller: Caller) -> &[String] {
        if caller.has_scopes() { &self.scopes } else { &[] }
    }

    /// Notes that the service has responded to a caller's token; `true` if it refuses the token, which it never
    /// accepted before.
    pub(crate) fn is_refused(&mut self, caller: Caller, status: u16) -> bool {
        if caller.number().is_none() {
            return false;
        }
        if status != 401 {
            self.accepted.insert(caller);
        }
        !self.accepted.contains(&caller)
    }

    /// A token in words: whose it is, and what was asked for.
    pub(crate) fn token_in_words(&self, caller: Caller) -> String {
        let subject = caller.number().map_or("", |number| self.subjects[number - 1].as_str());
        let scopes = self.scopes_of(caller).join(" ");
        let claims = Value::Object(self.claims_of(caller));
        format!("the token of {} (subject {subject}, scopes \"{scopes}\", claims {claims})", caller.word())
    }

    /// The value of `Authorization`, after `Bearer`.
    pub(crate) fn token(&mut self, caller: Caller) -> Result<Option<String>, String> {
        let Some(number) = caller.number() else {
            return Ok((caller == Caller::Bad).then(|| "not-a-token".to_owned()));
        };
        if let Some(token) = self.tokens.get(&caller) {
            return Ok(Some(token.clone()));
        }
        let claims = self.claims_of(caller);
        let Some(source) = &mut self.source else { return Err("no token".to_owned()) };
        let scopes = if caller.has_scopes() { &self.scopes[..] } else { &[] };
        let token = source(TokenRequest { number, user: &self.subjects[number - 1], scopes, claims: &claims })?;
        self.seen.insert(token.clone());
        self.tokens.insert(caller, token.clone());
        Ok(Some(token))
    }

    /// A text of the report without tokens.
    pub(crate) fn redacted(&self, text: &str) -> String {
        self.seen.iter().fold(text.to_owned(), |text, token| text.replace(token, "<token>"))
    }
}

/// Who calls an operation that is to succeed: the user who may do most; without tokens nobody, where that is enough.
pub(crate) fn caller_of(operation: &HttpOperation<'_>, callers: &Callers<'_>) -> Option<Caller> {
    match (callers.has_tokens(), operation.access.requires_credentials) {
        (true, _) => Some(Caller::Master),
        (false, false) => Some(Caller::Nobody),
        (false, true) => None,
    }
}
