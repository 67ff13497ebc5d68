//! The form of a key's value.

use serde_json::Value;

/// The form of a value. The interpreter reads it by a function of its own, which knows what to say of a wrong one; the
/// JSON Schema is written from this, and a test holds the two together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyShape {
    /// Any text.
    Text,
    /// A text for people, of any number of lines.
    Prose,
    /// Text in one case.
    Name(Case),
    /// An absolute path of dashed words.
    Path,
    /// `Watch.offer`.
    Through,
    /// `true`, `false`.
    Switch,
    /// 64-bit signed.
    Integer,
    /// From 0, in 32 bits.
    Count,
    /// A finite double.
    Number,
    /// As written, quoted or not.
    Decimal,
    /// `2027-06-30T12:00:00.000Z`.
    Timestamp,
    /// `2027-06-30`.
    Date,
    /// ISO 8601.
    Duration,
    /// A word of [`FORMATS`](super::FORMATS).
    Format,
    /// A word of [`ON_DELETE`](super::ON_DELETE).
    OnDelete,
    /// A word of [`SECRETS`](super::SECRETS).
    Secret,
    /// The word of a type, or the name of a definition.
    Type,
    /// A list of texts.
    Texts,
    /// A list of texts that are words in Rust, where they can be.
    Words,
    /// A list of texts in one case; the word says what they are, for messages.
    Names(Case, &'static str),
    /// A list of lists of fields.
    Combinations,
    /// A list of versions.
    Versions,
    /// The access: a word, or a list of words.
    Access,
    /// A list of operations, or a mapping from operations to their access.
    Operations,
    /// Views by name.
    Views,
    /// Commands by name.
    Commands,
    /// Fields by name.
    Fields,
    /// The type of an array's items.
    Items,
    /// The type of a map's values.
    Values,
    /// `true`, `false`, or a list of words of [`MATCHES`](super::MATCHES).
    Filter,
    /// `true`, `false`, or a word of [`UNIQUENESS`](super::UNIQUENESS).
    Unique,
    /// `true`, `false`, or a list of fields.
    Search,
    /// Who answers questions about a service.
    Contact,
    /// The license of a service's interface.
    License,
    /// The resource of the users, or that with the field of their subjects.
    Users,
    /// Fields, and the claims that they are made of.
    Claims,
    /// A former name, and its day.
    Formerly(Renamed),
    /// Parts that go away, each with its day.
    Deprecations,
    /// Roles, and the conditions on the caller that they stand for.
    Roles,
    /// Names, and the conditions that they stand for.
    Conditions,
    /// A condition, or an expression of the same language.
    Condition,
    /// `true`, `false`, or the condition under which a value is needed.
    Required,
    /// A list of rules.
    Rules,
    /// States and transitions.
    Lifecycle,
    /// Transitions by name.
    Transitions,
    /// Fields, and the expressions that they are set to.
    Assignments,
    /// A word in upper case, or a list of these.
    States,
    /// Rules and reasons.
    Allow,
    /// Changes of the service, or removed resources, and reasons.
    AllowedChanges,
    /// A value of the field.
    Default,
    /// A value of the field, or null.
    Example,
}

/// What can be served under a former name too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renamed {
    /// A field.
    Field,
    /// A command.
    Command,
    /// A view.
    View,
    /// A resource.
    Resource,
}

/// How a name is written (§2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `GeneralDelivery`.
    Pascal,
    /// `buyNow`.
    Camel,
    /// `general-deliveries`.
    Kebab,
    /// `Kebab` words joined by dots.
    DottedKebab,
    /// `LIKE_NEW`.
    UpperSnake,
}

/// A value that the tables can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Literal {
    /// `true`, `false`.
    Flag(bool),
    /// A number.
    Number(u32),
    /// A text.
    Text(&'static str),
    /// A list of texts.
    Texts(&'static [&'static str]),
    /// A mapping.
    Map(&'static [(&'static str, Self)]),
    /// A list.
    List(&'static [Self]),
}

impl Literal {
    /// As JSON.
    #[must_use]
    pub fn json(self) -> Value {
        match self {
            Self::Flag(flag) => flag.into(),
            Self::Number(number) => number.into(),
            Self::Text(text) => text.into(),
            Self::Texts(texts) => texts.iter().copied().collect(),
            Self::Map(entries) => {
                Value::Object(entries.iter().map(|(key, value)| ((*key).to_owned(), value.json())).collect())
            }
            Self::List(items) => items.iter().map(|item| item.json()).collect(),
        }
    }
}
