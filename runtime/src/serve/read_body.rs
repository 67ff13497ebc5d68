//! Reading what a body says: a small one at once, a large one where it keeps no other request waiting.

use super::body::ReceivedBody;
use super::failure::Failure;
use super::{BodyPlan, Engine};
use crate::limits::ClientKey;
use crate::plan::{CommandIndex, Plans, RepresentationId, ResourceIndex};
use restwell_model::Value;
use restwell_model::input::{Body, Malformed, Preset, Reading, Shape};
use std::sync::Arc;
use uuid::Uuid;

/// What a body is of.
pub(super) trait ShapeSource: Clone + Send + 'static {
    /// How it is read.
    fn shape<'a>(&'a self, plans: &'a Plans) -> &'a Shape;
}

impl ShapeSource for RepresentationId {
    fn shape<'a>(&'a self, plans: &'a Plans) -> &'a Shape {
        &plans.representation(*self).shape
    }
}

impl ShapeSource for (ResourceIndex, CommandIndex) {
    fn shape<'a>(&'a self, plans: &'a Plans) -> &'a Shape {
        &plans.resources[self.0].commands[self.1].shape
    }
}

impl ShapeSource for BodyPlan {
    fn shape<'a>(&'a self, plans: &'a Plans) -> &'a Shape {
        Self::shape(self, plans)
    }
}

impl Engine {
    /// Reads a body. `given`: what stands for fields that it omits.
    pub(super) async fn read_body(
        &self,
        (client, body): (ClientKey, &ReceivedBody),
        of: &impl ShapeSource,
        reading: Reading,
        given: &[(&str, Uuid)],
    ) -> Result<Body, Failure> {
        if body.is_small() {
            return Ok(read(of.shape(&self.plans), &body.bytes, reading, given)?);
        }
        let (plans, bytes, of) = (Arc::clone(&self.plans), body.bytes.clone(), of.clone());
        let given: Vec<_> = given.iter().map(|(field, id)| ((*field).to_owned(), *id)).collect();
        Ok(self.offload.run(client, move || read(of.shape(&plans), &bytes, reading, &given)).await??)
    }
}

fn read(shape: &Shape, body: &[u8], reading: Reading, given: &[(impl AsRef<str>, Uuid)]) -> Result<Body, Malformed> {
    let presets = given.iter().map(|(field, id)| Preset { field: field.as_ref(), value: Value::Uuid(*id) });
    let presets: Vec<_> = presets.collect();
    shape.read(body, reading, &presets)
}
