//! A command (§2.6), ready to serve: how its input is read, how it is written, how long it may take.

use super::form::{Fields, Form};
use restwell_model::input::Shape;
use restwell_model::scalar::IsoDuration;
use restwell_model::tables::Table;
use restwell_model::{Access, Checked, Command, Deprecation, Field, Kind, Type, Value};
use std::collections::HashMap;
use std::time::Duration;

/// What `check` lets pass as a timeout is a length; this is for what it does not.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A command of a resource.
#[derive(Debug)]
pub(crate) struct CommandPlan {
    /// Kebab-case: `renew`.
    pub(crate) name: String,
    /// Who may.
    pub(crate) access: Vec<Access>,
    /// Whether the model says that it is ready.
    pub(crate) is_ready: bool,
    /// Whether it is going away.
    pub(crate) deprecation: Option<Deprecation>,
    /// Past it the command is FAILED.
    pub(crate) timeout: Duration,
    /// How its input is read.
    pub(crate) shape: Shape,
    /// The input's fields, in the model's order.
    pub(crate) input: Fields,
    /// The output's fields, in the model's order.
    pub(crate) output: Fields,
    /// Per field of the input: whether it is never shown.
    hidden: Vec<bool>,
    /// The references in the input: the names that lead to each, and the table that it points into.
    pub(crate) references: Vec<(Vec<String>, String)>,
}

impl CommandPlan {
    /// Compiles a command.
    pub(super) fn compile(service: &Checked, tables: &HashMap<String, Table>, command: &Command) -> Self {
        let mut references = Vec::new();
        find_references(service, tables, &command.input, &mut Vec::new(), &mut references);
        Self {
            name: command.name.clone(),
            access: command.access.clone(),
            is_ready: command.ready,
            deprecation: Deprecation::of(command.deprecated, command.sunset),
            timeout: IsoDuration::parse(&command.timeout).and_then(|length| length.to_std()).unwrap_or(LONGEST),
            shape: Shape::compile(service, &command.input, &[], &|_| true),
            input: Fields::of(service, &command.input),
            output: Fields::of(service, &command.output),
            hidden: command.input.iter().map(|field| field.write_only).collect(),
            references,
        }
    }

    /// The path's word: `renew-commands`.
    pub(crate) fn segment(&self) -> String {
        format!("{}-commands", self.name)
    }

    /// Writes the members of the input that are shown.
    pub(crate) fn write_input(&self, input: &Value, out: &mut Vec<u8>) {
        let Value::Object(values) = input else { return };
        let fields = self.input.names().iter().zip(&self.input.forms).zip(values).zip(&self.hidden);
        for (((name, form), value), _) in fields.filter(|(_, hidden)| !**hidden) {
            Fields::write_member(name, form, value, out);
            out.push(b',');
        }
    }

    /// What the output is until there is one: nulls and empty lists.
    pub(crate) fn blank_output(&self) -> Value {
        let blank = |form: &Form| match form {
            Form::Array(_) => Value::List(Vec::new()),
            _ => Value::Null,
        };
        Value::Object(self.output.forms.iter().map(blank).collect())
    }
}

fn find_references(
    service: &Checked,
    tables: &HashMap<String, Table>,
    fields: &[Field],
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, String)>,
) {
    for field in fields {
        path.push(field.name.clone());
        match service.kind(field.ty.element()) {
            Kind::Scalar(Type::Ref { to, .. }) => {
                let table = tables.get(to).map(|table| table.name.clone());
                found.extend(table.map(|table| (path.clone(), table)));
            }
            // the depth of objects in objects is bounded: `check` refuses rings
            Kind::Object(object) => find_references(service, tables, &object.fields, path, found),
            _ => {}
        }
        path.pop();
    }
}
