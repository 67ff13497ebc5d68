//! What the specimens' commands do.

use crate::by_hand::around::{Tag, TagQuery};
use crate::by_hand::specimen::{Colour, Specimen, SpecimenStatus};
use crate::treating::treat;
use restwell::serde_json::Value;
use restwell::{Call, Command, Enum, Object, Ref, Rejection, handlers};
use std::collections::BTreeMap;

/// Announced only.
#[derive(Debug, Clone, Command)]
#[command(on = Specimen, ready = false)]
pub(crate) struct Archive {
    pub(crate) reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum SpecimenTreatHow {
    Count,
    Describe,
    Refuse,
    Panic,
    Hang,
    Clash,
    Vanish,
    Trouble,
    ReadBack,
    Wrong,
    #[value(unknown)]
    Unknown(String),
}

/// Does what a test wants done.
#[derive(Debug, Clone, Command)]
#[command(on = Specimen, output = TreatOutput, timeout = "PT2S")]
pub(crate) struct Treat {
    pub(crate) how: SpecimenTreatHow,
    pub(crate) tag: Option<Ref<Tag>>,
    #[field(default = 1, minimum = 1)]
    pub(crate) amount: Option<i64>,
    #[field(write_only, max_length = 10)]
    pub(crate) password: Option<String>,
    #[field(max_items = 3)]
    pub(crate) traits: BTreeMap<String, String>,
    #[field(max_bytes = 100)]
    pub(crate) settings: Option<Value>,
}

#[derive(Debug, Clone, Object)]
pub(crate) struct TreatOutput {
    pub(crate) total_count: Option<i64>,
    pub(crate) colours: Vec<Colour>,
    pub(crate) scores: BTreeMap<String, i64>,
    pub(crate) receipt: Option<Value>,
}

/// Its keeper gives it up.
#[derive(Debug, Clone, Command)]
#[command(on = Specimen, access = owner)]
pub(crate) struct Release;

/// What the commands work with.
pub(crate) struct Commands;

#[handlers]
impl Commands {
    async fn treat(&self, call: Call<Treat>) -> Result<TreatOutput, Rejection> {
        treat!(call)
    }
}
