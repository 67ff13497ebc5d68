//! Every way a request can fail: its code, its HTTP status and its text, declared once (§7).

use serde_json::{Map, Value as Json};

macro_rules! catalogue {
    ($($(#[doc = $doc:literal])+ $name:ident $status:literal $text:literal;)+) => {
        /// The `code` of an error object. Stable: clients match on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $name,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The word in the error object.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// The HTTP status of an answer with this error (§7.2).
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

            /// The text, with `{variable}` for what `details` carries.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it means, for the docs.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc,)+).trim_ascii(),)+ }
            }
        }
    };
}

catalogue! {
    /// The body is not JSON, has a duplicate key, or nests too deep.
    MalformedJson 400 "the body is not valid JSON: {reason}";
    /// The `User-Agent` header is missing or blank (§4.1).
    MissingUserAgent 400 "the User-Agent header is required";
    /// The request cannot be read as HTTP, or its path is not well-formed.
    MalformedRequest 400 "the request is malformed";
    /// No credentials, or bad ones (§5).
    Unauthenticated 401 "valid credentials are required";
    /// The caller is not allowed to do this (§5).
    Forbidden 403 "the caller is not allowed to do this";
    /// A rule of the service does not allow the caller to do this; responses have the code of that rule instead.
    RejectedForbidden 403 "is not allowed";
    /// Nothing is served at this path, or the entity does not exist.
    ResourceNotFound 404 "there is nothing here";
    /// A rule of the service does not find what the request needs; responses have the code of that rule instead.
    RejectedNotFound 404 "is not there";
    /// The path exists, but not with this method.
    MethodNotAllowed 405 "the method is not available here; it is one of {allow}";
    /// `Accept` is missing, unreadable, or matches no served version (§4.1, §9).
    NotAcceptable 406 "Accept must match one of {served}";
    /// By a rule of the service, the request conflicts with the present state; responses have the code of that rule
    /// instead.
    RejectedConflict 409 "conflicts with the present state";
    /// The version was retired (§9).
    VersionRetired 410 "this version is retired; one of {served} is served";
    /// The search has expired.
    SearchExpired 410 "this search has expired; create a new one";
    /// The command was finished so long ago that the service has only its id.
    CommandExpired 410 "this command is no longer kept; it is not executed again";
    /// The service no longer keeps the event of `Last-Event-ID`, so later events may be missing.
    EventsGone 410 "the events after this Last-Event-ID are no longer kept; start again without it";
    /// `If-Match` does not name the entity's present state, or `If-None-Match` of a change does.
    PreconditionFailed 412 "the entity's present state is not one that If-Match and If-None-Match permit";
    /// The body is longer than the service accepts.
    BodyTooLarge 413 "the body must have at most {maxBytes} bytes";
    /// The URI is longer than the service accepts (§8).
    UriTooLong 414 "the URI must have at most {maxLength} bytes";
    /// `Content-Type` is missing, or not a version that is served here (§4.1, §9).
    UnsupportedMediaType 415 "Content-Type must be one of {served}";
    /// The body has a `Content-Encoding`.
    UnsupportedEncoding 415 "the body must come without Content-Encoding";
    /// A required property is missing or null.
    Required 422 "is required";
    /// The JSON type is not the property's.
    WrongType 422 "must be of type {expected}";
    /// Text with NUL or a lone surrogate.
    InvalidText 422 "must be Unicode text without NUL";
    /// Fewer characters than `minLength`.
    TooShort 422 "must have at least {minLength} characters";
    /// More characters than `maxLength`.
    TooLong 422 "must have at most {maxLength} characters";
    /// The text does not match the pattern.
    PatternMismatch 422 "must match the pattern {pattern}";
    /// Not an e-mail address.
    NotEmail 422 "must be an e-mail address";
    /// Not an absolute URI.
    NotUri 422 "must be an absolute URI";
    /// Below the minimum.
    TooSmall 422 "must be at least {minimum}";
    /// Above the maximum.
    TooLarge 422 "must be at most {maximum}";
    /// A timestamp that is not in UTC (§2.4.3).
    NotUtc 422 "must be in UTC, ending in Z";
    /// Not a timestamp in the form of §2.4.3.
    InvalidTimestamp 422 "must be a timestamp of the form yyyy-MM-ddTHH:mm:ss.SSSZ";
    /// Not a date.
    InvalidDate 422 "must be a date of the form yyyy-MM-dd";
    /// Not a time in the form of §2.4.4.
    InvalidTime 422 "must be a time of the form HH:mm:ss.SSS";
    /// Not an ISO 8601 duration.
    InvalidDuration 422 "must be an ISO 8601 duration like P1DT12H";
    /// Not an assigned ISO 3166 alpha-2 code (§2.4.5).
    InvalidCountry 422 "must be an ISO 3166 alpha-2 country code in upper case";
    /// Not a language tag (§2.4.6).
    InvalidLanguage 422 "must be a language tag like pl-PL";
    /// Not an assigned ISO 4217 code (§2.4.7).
    InvalidCurrency 422 "must be an ISO 4217 currency code";
    /// Not a name of the IANA time zone database.
    InvalidTimezone 422 "must be an IANA time zone like Europe/Warsaw";
    /// Not a phone number in the form of E.164.
    InvalidPhone 422 "must be a phone number like +48123456789: a plus sign and 2 to 15 digits, the first not 0";
    /// Not an amount in the form of §2.4.7.
    InvalidAmount 422 "must be an amount like 12.30";
    /// Not a decimal.
    InvalidDecimal 422 "must be a decimal like 12.30, in a string";
    /// More digits than the decimal can have.
    TooManyDigits 422 "must have at most {scale} digits after the point and 18 in all";
    /// A currency that is not accepted here.
    CurrencyNotAllowed 422 "must be one of {currencies}";
    /// Not a value of the enum.
    UnknownValue 422 "must be one of {values}";
    /// Not a UUID in lower case (§2.2).
    InvalidUuid 422 "must be a UUID in lower case";
    /// A reference to nothing.
    NotFound 422 "there is no such entity";
    /// Fewer items than `minItems`.
    TooFewItems 422 "must have at least {minItems} items";
    /// An operation of the PATCH is not one of RFC 6902, or cannot be applied here.
    InvalidPatch 422 "{reason}";
    /// A `test` of the PATCH found a different value.
    TestFailed 422 "is not what the patch expects";
    /// More items than `maxItems`.
    TooManyItems 422 "must have at most {maxItems} items";
    /// An item that is already in the array.
    DuplicateItem 422 "is already in the array";
    /// A name in a map that is empty, or has too many characters.
    InvalidName 422 "must have a name of 1 to {maxLength} characters";
    /// A name in a map that does not match its pattern.
    NameMismatch 422 "must have a name that matches the pattern {pattern}";
    /// More bytes of JSON than `maxBytes`.
    TooManyBytes 422 "must have at most {maxBytes} bytes as JSON without blanks";
    /// JSON that nests deeper than a `json` value may.
    TooDeep 422 "must nest at most {maxDepth} levels deep";
    /// A number in JSON of any form that has too many digits, or would have them without its exponent.
    NumberTooLong 422 "must be a number of at most {maxDigits} digits, written without an exponent";
    /// A property that does not exist here.
    UnknownProperty 422 "is not a property here";
    /// A query parameter that does not exist here.
    UnknownParameter 422 "is not a parameter here";
    /// The value of a query parameter is out of range or malformed.
    InvalidParameter 422 "{reason}";
    /// A query parameter appears twice, but is allowed only once.
    RepeatedParameter 422 "may be given once only";
    /// Another entity has this value already.
    NotUnique 422 "is taken by another entity";
    /// Other entities refer to this one.
    StillReferenced 422 "other entities still refer to this one";
    /// The property can be set only at creation.
    Immutable 422 "cannot be changed after creation";
    /// The body and the path name different entities (§2.1).
    PathMismatch 422 "must be the entity that the path names";
    /// A field was sent under its present and its former name, with two values that both differ from the stored one.
    NamesDiffer 422 "`{other}` has another value";
    /// The page would have more bytes than the service renders at once.
    PageTooLarge 422 "the page would have more than {maxBytes} bytes; {fits} entities fit";
    /// Filters beside `search.id` (§4.5).
    SearchFiltersFixed 422 "a search's filters cannot be overridden; create a new search";
    /// The command id was used for something else.
    CommandIdUsed 422 "this command id was used for another command";
    /// The entity is not in a state in which the command can be done, or the condition of its transition does not hold.
    WrongState 422 "cannot be done in the state {state}[: the condition of `{unmet}` does not hold]";
    /// A rule of the service refuses the request; responses have the code of that rule instead.
    Rejected 422 "is refused";
    /// A rule of the service that reads what the caller does not see refuses the change.
    RuleBroken 422 "this breaks a rule of the service";
    /// The command did not finish within its timeout (§3).
    Timeout 422 "this took too long";
    /// An operator has cancelled the command before its end.
    Cancelled 422 "this was cancelled";
    /// Too many requests (§8).
    RateLimited 429 "too many requests";
    /// The request's head is larger than the service accepts, or has more headers.
    HeadTooLarge 431 "the request line and headers must have at most {maxBytes} bytes, and be at most {maxHeaders} headers";
    /// An unexpected error; the log has the reason, by the trace id.
    InternalError 500 "something went wrong";
    /// Announced, but not ready yet.
    NotReady 501 "this is not ready yet";
    /// A service behind this one failed.
    BadGateway 502 "a service behind this one failed";
    /// The database is unreachable or too busy.
    Unavailable 503 "the service is unavailable for the moment";
    /// The list, search or deletion takes more work than one request may cause.
    TooCostly 503 "this takes more work than one request may cause; {narrow}";
    /// A service behind this one is late, or the request took too long.
    GatewayTimeout 504 "a service behind this one did not answer in time";
}

impl ErrorCode {
    /// The codes in whose place responses have codes of the service's own rules: one for each status that a rule can
    /// choose, in the order of checks (decisions, "Order of checks").
    pub const REJECTIONS: [Self; 4] =
        [Self::RejectedNotFound, Self::RejectedForbidden, Self::RejectedConflict, Self::Rejected];

    /// What `details` carries: what the text has places for.
    #[must_use]
    pub fn variables(self) -> Vec<&'static str> {
        places(self.text()).collect()
    }

    /// What `details` carries only sometimes: what a part of the text in brackets has places for.
    pub fn optional_variables(self) -> impl Iterator<Item = &'static str> {
        let parts = self.text().split('[').skip(1).filter_map(|part| Some(part.split_once(']')?.0));
        parts.flat_map(places)
    }
}

/// The places of a text, in braces.
fn places(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}

/// One error object to be: what, where, and the limits that were broken.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its code.
    pub code: ErrorCode,
    /// The property, dotted, or the query parameter; `None` for headers and the rest.
    pub path: Option<String>,
    /// What `details` carries; empty renders as null.
    pub details: Map<String, Json>,
    /// Of the [`ErrorCode::REJECTIONS`]: the team's own code and text.
    pub custom: Option<CustomError>,
}

/// An error that a team's own code declares: its code in PascalCase, and its English text with `{variable}` for what
/// `details` carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomError {
    /// The word in the error object.
    pub code: String,
    /// For developers.
    pub text: String,
    /// The fields that the rule reads; none of rules that are written in Rust.
    pub fields: Box<[String]>,
}

impl Problem {
    /// A problem of the request as a whole.
    #[must_use]
    pub fn new(code: ErrorCode) -> Self {
        Self { code, path: None, details: Map::new(), custom: None }
    }

    /// A problem with a code and a text of the team's own.
    #[must_use]
    pub fn custom(code: &str, text: &str) -> Self {
        let custom = CustomError { code: code.to_owned(), text: text.to_owned(), fields: Box::default() };
        Self { custom: Some(custom), ..Self::new(ErrorCode::Rejected) }
    }

    /// The word in the error object.
    #[must_use]
    pub fn name(&self) -> &str {
        self.custom.as_ref().map_or(self.code.name(), |custom| &custom.code)
    }

    /// A problem of one property or parameter.
    #[must_use]
    pub fn at(code: ErrorCode, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::new(code) }
    }

    /// With a detail, as `{"maxLength":75}`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The code's text with the details filled in, for developers. A part in brackets stands only where its details do.
    #[must_use]
    pub fn message(&self) -> String {
        if let Some(custom) = &self.custom {
            return self.filled(&custom.text);
        }
        let Some((before, (part, after))) =
            self.code.text().split_once('[').and_then(|(before, tail)| Some((before, tail.split_once(']')?)))
        else {
            return self.filled(self.code.text());
        };
        let part = if places(part).all(|name| self.details.contains_key(name)) { part } else { "" };
        self.filled(&[before, part, after].concat())
    }

    fn filled(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, tail)| Some((before, tail.split_once('}')?)))
        {
            out.push_str(before);
            if let Some(detail) = self.details.get(name) {
                out.push_str(&shown(detail));
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// A detail within a text: strings without quotes, lists with commas.
#[must_use]
pub fn shown(detail: &Json) -> String {
    match detail {
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_fill_the_text() {
        let problem = Problem::at(ErrorCode::TooLong, "name").with("maxLength", 75);
        assert_eq!(problem.message(), "must have at most 75 characters");
        let state = Problem::new(ErrorCode::WrongState).with("state", "PAID");
        assert_eq!(state.message(), "cannot be done in the state PAID");
        let unmet = state.with("unmet", "ship");
        assert_eq!(unmet.message(), "cannot be done in the state PAID: the condition of `ship` does not hold");
        let values = Problem::at(ErrorCode::UnknownValue, "colour").with("values", vec!["RED", "BLACK"]);
        assert_eq!(values.message(), "must be one of RED, BLACK");
    }

    #[test]
    fn variables_are_the_places_of_a_text() {
        assert_eq!(ErrorCode::WrongState.variables(), ["state", "unmet"]);
        assert_eq!(ErrorCode::WrongState.optional_variables().collect::<Vec<_>>(), ["unmet"]);
        let optional = ErrorCode::ALL.iter().filter(|code| code.optional_variables().next().is_some());
        assert_eq!(optional.collect::<Vec<_>>(), [&ErrorCode::WrongState]);
    }

    #[test]
    fn codes_are_errors_only() {
        assert!(ErrorCode::ALL.iter().all(|code| (400..600).contains(&code.status())));
    }
}
