//! What the specimens' commands do.

use crate::by_hand::around::{Tag, TagQuery};
use crate::by_hand::specimen::{Colour, Specimen, SpecimenStatus};
use crate::treating::treat;
use restwell::{Call, Command, Enum, Object, Ref, Rejection, handlers};

/// Announced only.
#[derive(Debug, Clone, Command)]
#[command(on = Specimen, ready = false)]
pub(crate) struct Archive {
    pub(crate) reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum SpecimenTreatHow {
    Count,
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
}

#[derive(Debug, Clone, Object)]
pub(crate) struct TreatOutput {
    pub(crate) total_count: Option<i64>,
    pub(crate) colours: Vec<Colour>,
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
