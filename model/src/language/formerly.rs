//! The keys of `formerly`.

use super::Literal::Text;
use super::keys::{KeySpec, KeyTable, key};
use super::{Case, KeyShape, Renamed};

/// The keys of `formerly` of a field.
static FORMER_FIELD: KeyTable = KeyTable { keys: &[former_name(Case::Camel, "title"), FORMER_SUNSET], ..FORMER };

/// The keys of `formerly` of a command.
static FORMER_COMMAND: KeyTable = KeyTable { keys: &[former_name(Case::Kebab, "prolong"), FORMER_SUNSET], ..FORMER };

/// The keys of `formerly` of a view.
static FORMER_VIEW: KeyTable = KeyTable {
    keys: &[
        former_name(Case::Kebab, "seen"),
        key("path", KeyShape::Path, "The former path, if it was not `/<view>/<resources>`.")
            .example(Text("/seen-offers")),
        FORMER_SUNSET,
    ],
    ..FORMER
};

/// The keys of `formerly` of a resource.
static FORMER_RESOURCE: KeyTable = KeyTable {
    keys: &[
        former_name(Case::Pascal, "Listing"),
        key("plural", KeyShape::Name(Case::Kebab), "The former plural in paths, if it was not the derived one.")
            .example(Text("listings")),
        FORMER_SUNSET,
    ],
    ..FORMER
};

const FORMER: KeyTable = KeyTable {
    what: "`formerly`",
    description: "The former name, which is served beside the present one until the day.",
    keys: &[],
};

const FORMER_SUNSET: KeySpec = key("sunset", KeyShape::Date, "The day on which the former name is removed.")
    .required()
    .example(Text("2027-06-30"));

const fn former_name(case: Case, example: &'static str) -> KeySpec {
    key("name", KeyShape::Name(case), "The former name.").required().example(Text(example))
}

impl Renamed {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Field, Self::Command, Self::View, Self::Resource];

    /// The keys of `formerly`.
    #[must_use]
    pub fn keys(self) -> &'static KeyTable {
        match self {
            Self::Field => &FORMER_FIELD,
            Self::Command => &FORMER_COMMAND,
            Self::View => &FORMER_VIEW,
            Self::Resource => &FORMER_RESOURCE,
        }
    }

    /// The name of their schema for editors.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Field => "formerly",
            Self::Command => "command.formerly",
            Self::View => "view.formerly",
            Self::Resource => "resource.formerly",
        }
    }
}
