//! What the commands of `Specimen` do.

use super::Commands;
use crate::generated::specimen::{Release, SpecimenCommands, Treat, TreatOutput};
use crate::generated::{Colour, SpecimenStatus, SpecimenTreatHow, Tag, TagQuery};
use crate::treating::treat;
use restwell::{Call, Rejection, handlers, not_ready};

#[handlers]
impl SpecimenCommands for Commands {
    async fn treat(&self, call: Call<Treat>) -> Result<TreatOutput, Rejection> {
        treat!(call)
    }

    async fn release(&self, call: Call<Release>) -> Result<(), Rejection> {
        not_ready!(call)
    }
}
