//! The checked model for tools, as `GET /model.json` shows it.

use crate::check::Checked;
use crate::field::{Allow, Field};
use crate::service::Service;

/// The model without what concerns the team alone: how secrets are stored, and which rules it has switched off, with
/// its reasons.
#[must_use]
pub fn model_document(service: &Checked) -> Service {
    let mut shown = Service::clone(service);
    shown.enums.iter_mut().for_each(|definition| definition.allow = Allow::new());
    for object in &mut shown.objects {
        object.allow = Allow::new();
        object.fields.iter_mut().for_each(clear);
    }
    for resource in &mut shown.resources {
        resource.allow = Allow::new();
        resource.views.iter_mut().for_each(|view| view.allow = Allow::new());
        resource.fields.iter_mut().for_each(clear);
        for command in &mut resource.commands {
            command.allow = Allow::new();
            command.input.iter_mut().chain(&mut command.output).for_each(clear);
        }
    }
    shown
}

fn clear(field: &mut Field) {
    field.secret = None;
    field.allow = Allow::new();
}
