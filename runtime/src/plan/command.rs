//! A command (§2.6), ready to serve: how its input is read, how it is written, how long it may take.

use super::ResourceIndex;
use super::form::{FieldForms, Form, WrittenNames};
use super::lifecycle::TransitionPlan;
use super::render::Render;
use super::stored_names::StoredNames;
use restwell_model::input::Shape;
use restwell_model::scalar::IsoDuration;
use restwell_model::{Checked, Command, Field, Kind, Resource, Type, Value};
use std::sync::Arc;
use std::time::Duration;

/// What `check` lets pass as a timeout is a length; this is for what it does not.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A command of a resource.
#[derive(Debug)]
pub(crate) struct CommandPlan {
    /// Kebab-case: `renew`.
    pub(crate) name: String,
    /// What it may be called in the database.
    pub(crate) stored_names: StoredNames,
    /// Whether the model says that it is ready.
    pub(crate) is_ready: bool,
    /// The transition that it makes.
    pub(crate) transition: Option<TransitionPlan>,
    /// Whether it is done by its transition alone.
    pub(crate) needs_no_code: bool,
    /// Past it the command is FAILED.
    pub(crate) timeout: Duration,
    /// How its input is read.
    pub(crate) shape: Shape,
    /// The input's fields, in the model's order.
    pub(crate) input: FieldForms,
    /// The output's fields, in the model's order.
    pub(crate) output: FieldForms,
    /// What references in the output show, if they show anything.
    pub(crate) shown: Option<Arc<Render>>,
    /// What of the input is never shown.
    write_only: WriteOnly,
    /// The references in the input: the names that lead to each, and the resource that it points at.
    pub(crate) references: Vec<(Vec<String>, ResourceIndex)>,
}

impl CommandPlan {
    /// Compiles a command.
    pub(super) fn compile(service: &Checked, resource: &Resource, command: &Command) -> Self {
        let mut references = Vec::new();
        find_references(service, &command.input, &mut Vec::new(), &mut references);
        Self {
            name: command.name.clone(),
            stored_names: StoredNames::new([false, true].map(|is_former| command.name_of(is_former))),
            is_ready: command.ready,
            transition: resource.transition_of(command).map(|it| TransitionPlan::compile(service, resource, it)),
            needs_no_code: resource.needs_no_code(command),
            timeout: IsoDuration::parse(&command.timeout).and_then(|length| length.to_std()).unwrap_or(LONGEST),
            shape: Shape::compile(service, &command.input, &[], &|_| true),
            input: FieldForms::of(service, &command.input),
            output: FieldForms::of(service, &command.output),
            shown: None,
            write_only: WriteOnly::of(service, &command.input),
            references,
        }
    }

    /// The same, with what references in the output show.
    pub(super) fn showing(self, shown: Option<Render>) -> Self {
        Self { shown: shown.map(Arc::new), ..self }
    }

    /// Whether it can be done without a handler.
    pub(crate) fn is_done_by_transition(&self) -> bool {
        self.is_ready && self.needs_no_code
    }

    /// Writes the members of the input that are shown.
    pub(crate) fn write_input(&self, input: &Value, out: &mut Vec<u8>) {
        let mut shown = input.clone();
        self.write_only.remove_from(&mut shown);
        self.input.write_members(&shown, WrittenNames::All, out);
    }

    /// What the output is until there is one: nulls and empty lists.
    pub(crate) fn blank_output(&self) -> Value {
        let blank = |form: &Form| match form {
            Form::Array(_) => Value::List(Vec::new()),
            Form::Map(_) => Value::Map(Vec::new()),
            _ => Value::Null,
        };
        Value::Object(self.output.forms.iter().map(blank).collect())
    }
}

/// The `writeOnly` fields of an object and of the objects in it.
#[derive(Debug, Default)]
struct WriteOnly(Vec<(usize, WriteOnlyPart)>);

#[derive(Debug)]
enum WriteOnlyPart {
    /// The field itself.
    Whole,
    /// Fields of the object, or of the array's objects, that it holds.
    Within(WriteOnly),
}

impl WriteOnly {
    fn of(service: &Checked, fields: &[Field]) -> Self {
        let part = |field: &Field| match service.kind(field.ty.element()) {
            _ if field.write_only => Some(WriteOnlyPart::Whole),
            // the depth of objects in objects is bounded: `check` refuses cycles
            Kind::Object(object) => {
                Some(Self::of(service, &object.fields)).filter(|inner| !inner.0.is_empty()).map(WriteOnlyPart::Within)
            }
            _ => None,
        };
        Self(fields.iter().enumerate().filter_map(|(index, field)| Some((index, part(field)?))).collect())
    }

    /// Makes the fields of a value, or of all values of a list, absent.
    fn remove_from(&self, value: &mut Value) {
        match value {
            Value::List(values) => values.iter_mut().for_each(|value| self.remove_from(value)),
            Value::Object(values) => {
                for (index, part) in &self.0 {
                    let Some(value) = values.get_mut(*index) else { continue };
                    match part {
                        WriteOnlyPart::Whole => *value = Value::Absent,
                        WriteOnlyPart::Within(inner) => inner.remove_from(value),
                    }
                }
            }
            _ => {}
        }
    }
}

fn find_references(
    service: &Checked,
    fields: &[Field],
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, ResourceIndex)>,
) {
    for field in fields {
        path.push(field.name.clone());
        match service.kind(field.ty.element()) {
            Kind::Scalar(Type::Ref { to, .. }) => {
                let target = ResourceIndex::of(service, to);
                found.extend(target.map(|target| (path.clone(), target)));
            }
            // the depth of objects in objects is bounded: `check` refuses rings
            Kind::Object(object) => find_references(service, &object.fields, path, found),
            _ => {}
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Object, Resource, Service};

    fn text(name: &str, write_only: bool) -> Field {
        let ty = Type::String { min_length: None, max_length: None, pattern: None, format: None };
        Field { write_only, ..Field::new(name, ty) }
    }

    /// §2.6: the representation of a command has its input, but for what is `writeOnly`, at any depth.
    #[test]
    fn write_only_fields_of_objects_are_not_shown() {
        let fields = vec![text("user", false), text("password", true)];
        let named = Type::Named { name: "Login".to_owned() };
        let list =
            Type::Array { items: Box::new(named.clone()), min_items: None, max_items: None, unique_items: false };
        let mut command = Command::new("connect");
        command.input =
            vec![text("note", false), text("token", true), Field::new("login", named), Field::new("logins", list)];
        let mut service = Service::new("shop");
        service.objects = vec![Object::new("Login", fields)];
        let mut resource = Resource::new("Server");
        resource.commands = vec![command.clone()];
        service.resources = vec![resource];
        let service = Checked::new(service).expect("no mistake");
        let plan = CommandPlan::compile(&service, &Resource::new("Offer"), &command);
        let text = |text: &str| Value::Text(text.to_owned());
        let login = || Value::Object(vec![text("ada"), text("secret")]);
        let input = Value::Object(vec![Value::Null, text("secret"), login(), Value::List(vec![login()])]);
        let mut written = Vec::new();
        plan.write_input(&input, &mut written);
        let expected = r#""note":null,"login":{"user":"ada"},"logins":[{"user":"ada"}]"#;
        assert_eq!(String::from_utf8_lossy(&written), expected);
    }
}
