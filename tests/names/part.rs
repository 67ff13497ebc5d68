//! What a draw adds to the schemas of its service: the name in its role, and what has to be around it.

use crate::document::{Part, mark, marked};
use crate::draw::Draw;
use crate::role::Role;

/// Types of scalars, with what their fields can have.
const SCALARS: [&str; 14] = [
    "type: integer, filter: true, sort: true",
    "type: number, filter: true, sort: true",
    "type: decimal, filter: true, sort: true",
    "type: boolean, filter: true",
    "type: uuid, filter: true, unique: true",
    "type: timestamp, filter: true, sort: true",
    "type: date, filter: true, sort: true",
    "type: time, filter: true, sort: true",
    "type: duration",
    "type: country, filter: true, sort: true",
    "type: currency, filter: true",
    "type: timezone, filter: true",
    "type: price, filter: true, sort: true",
    "type: language, filter: [not]",
];

const SUNSET: &str = "sunset: \"2031-06-30\"";
const ALL_OPERATIONS: &str = "operations:\n  create: { access: anyone }\n  list:\n  get:\n  update: { access: \
 anyone }\n  \
                              patch: { access: anyone }\n  delete: { access: anyone }\n";

/// What a resource has that stands for itself.
fn resource(head: &str, tail: &str) -> String {
    format!(
        "resource: {head}{ALL_OPERATIONS}search: true\nfields:\n  stripe: {{ type: string, maxLength: 30, filter: \
         true, sort: \
         true }}\n{tail}"
    )
}

impl Draw {
    /// What the name adds to its service, or to the resource `host` that it shares with others.
    pub(crate) fn part(&self, host: &str) -> Part {
        let (n, number) = (marked(self), self.number);
        let allow = self.allow.map(|code| format!("allow: {{ {code}: \"the name is drawn\" }}"));
        let (allow_line, allow) = (
            allow.as_ref().map(|it| format!("{it}\n")).unwrap_or_default(),
            allow.map(|it| format!(", {it}")).unwrap_or_default(),
        );
        let field = |keys: &str| Part::field(format!("{n}: {{ {keys}{allow} }}"));
        match self.role {
            Role::Service => Part { service: Some(n), ..Part::default() },
            Role::Vendor => Part { vendor: Some(n), ..Part::default() },
            Role::AccessName => Part {
                roles: vec![format!("{n}: '\"zebra\" in scopes'")],
                documents: vec![format!(
                    "resource: Gnu{number}\noperations:\n  list: {{ access: [{n}, user] }}\n  create: {{ access: \
                     user }}\n\
                     fields:\n  stripe: {{ type: string }}\n"
                )],
                ..Part::default()
            },
            Role::Resource => {
                let own = "  partner: { type: ref, to: NAME, show: [stripe], filter: true, onDelete: null }\n  \
                           partners: { type: array, items: { type: ref, to: NAME } }\n  \
                           kind: { type: enum, values: [BIG, SMALL], filter: true }\n";
                Part::document(resource(
                    &format!(
                        "{n}\n{allow_line}commands:\n  feed: {{ access: anyone, input: {{ amount: {{ type: integer \
                         }} }}, output: {{ rest: \
                         {{ type: integer }} }} }}\n"
                    ),
                    &own.replace("NAME", &self.quoted()),
                ))
            }
            Role::Parent => {
                let child = format!("Gnu{number}\nunder: [host]\n");
                let keys = "required: true, filter: true, onDelete: cascade";
                let host = format!("  host: {{ type: ref, to: {}, {keys} }}\n", self.quoted());
                Part {
                    documents: vec![resource(&format!("{n}\n{allow_line}"), ""), resource(&child, &host)],
                    ..Part::default()
                }
            }
            Role::Plural => Part::document(resource(&format!("Gnu{number}\nplural: {n}\n"), "")),
            Role::FormerResource => {
                let former = format!("Gnu{number}\nformerly: {{ name: {n}, {SUNSET} }}\n");
                Part::document(resource(&former, ""))
            }
            Role::FormerPlural => {
                let former = format!("Gnu{number}\nformerly: {{ name: Emu{number}, plural: {n}, {SUNSET} }}\n");
                Part::document(resource(&former, ""))
            }
            Role::Object => {
                let (one, many) = (format!("part{number}"), format!("parts{number}"));
                let document = format!(
                    "object: {n}\n{allow_line}fields:\n  stripe: {{ type: string, filter: true }}\n  size: {{ \
                     type: integer, filter: true }}\n"
                );
                let ty = self.quoted();
                let fields =
                    format!("  {one}: {{ type: {ty} }}\n  {many}: {{ type: array, items: {{ type: {ty} }} }}\n");
                Part { documents: vec![document, resource(&format!("Gnu{number}\n"), &fields)], ..Part::default() }
            }
            Role::Enum => {
                let document = format!("enum: {n}\n{allow_line}values: [BIG, SMALL]\n");
                let ty = self.quoted();
                let fields = format!(
                    "  part: {{ type: {ty}, filter: true }}\n  parts: {{ type: array, items: {{ type: {ty} }} }}\n"
                );
                Part { documents: vec![document, resource(&format!("Gnu{number}\n"), &fields)], ..Part::default() }
            }
            Role::EnumValue => {
                Part::field(format!("kind{number}: {{ type: enum, values: [ZEBRA, {n}], filter: true, sort: true }}"))
            }
            Role::StringField => field(
                "type: string, maxLength: 20, filter: [not, startsWith, contains, startsWithIgnoreCase, containsIgnoreCase], sort: true",
            ),
            Role::UniqueField => field("type: string, maxLength: 40, unique: ignoreCase, filter: true"),
            Role::ScalarField => field(SCALARS[number % SCALARS.len()]),
            Role::EnumField => field("type: enum, values: [BIG, SMALL], filter: true, sort: true"),
            Role::ReferenceField => field("type: ref, to: Zebra, show: [stripe], filter: true, onDelete: null"),
            Role::ObjectField => field(
                "type: object, fields: { size: { type: integer, filter: true, sort: true }, colour: { type: string } }",
            ),
            Role::MemberField => Part::field(format!(
                "part{number}: {{ type: object, fields: {{ {n}: {{ type: string, maxLength: 20, filter: true, \
                 sort: true{allow} \
                 }} }} }}"
            )),
            Role::StringsField => field("type: array, maxItems: 3, items: { type: string, maxLength: 20 }"),
            Role::ObjectsField => field("type: array, items: { type: object, fields: { size: { type: integer } } }"),
            Role::ReferencesField => field("type: array, items: { type: ref, to: Zebra }"),
            Role::ItemField => Part::field(format!(
                "items{number}: {{ type: array, items: {{ type: object, fields: {{ {n}: {{ type: string, \
                 maxLength: 20{allow} }} }} \
                 }} }}"
            )),
            Role::WriteOnlyField => field("type: string, maxLength: 20, writeOnly: true"),
            Role::ReadOnlyField => field("type: integer, readOnly: true, default: 3, filter: true"),
            Role::DefaultField => field("type: string, maxLength: 20, default: zebra, required: true, filter: true"),
            Role::ComputedField => field("type: string, is: stripe"),
            Role::FormerField => Part::field(format!(
                "part{number}: {{ type: string, maxLength: 20, filter: true, sort: true, formerly: {{ name: {n}, \
                 {SUNSET} }} }}"
            )),
            Role::ShownField => {
                let shown = format!("part{number}: {{ type: ref, to: {host}, show: [{n}], onDelete: null }}");
                Part {
                    fields: vec![format!("{n}: {{ type: integer, filter: true{allow} }}"), shown],
                    ..Part::default()
                }
            }
            Role::ConditionField => Part {
                rules: vec![format!(
                    "check: '{0} == null || {0} != \"gnu\"'\n    code: NoGnu{number}\n    path: {1}",
                    marked_plainly(self),
                    marked(self)
                )],
                ..field("type: string, maxLength: 20, filter: true")
            },
            Role::IndexedField => Part {
                index: vec![format!("[{n}, createdAt]"), format!("[stripe, {n}]")],
                ..field("type: string, maxLength: 20, filter: true, sort: true")
            },
            Role::MessageField => Part {
                messages: vec![format!("{host}_{}_TooLong = At most {{ $maxLength }}.", marked_plainly(self))],
                ..field("type: string, maxLength: 20, filter: true")
            },
            Role::OwnerField => Part {
                head: vec![format!("owner: {n}\n")],
                ..field("type: ref, to: Zookeeper, filter: true, immutable: true")
            },
            Role::ScopeField => Part {
                head: vec![format!("under: [{n}]\n")],
                ..field("type: ref, to: Zebra, filter: true, onDelete: cascade")
            },
            Role::LifecycleField => Part {
                head: vec![format!(
                    "lifecycle:\n  field: {n}\n  initial: BIG\n  transitions:\n    grow: {{ from: SMALL, to: BIG \
                     }}\n    shrink: {{ \
                     from: BIG, to: SMALL }}\n"
                )],
                commands: vec!["grow: { access: anyone }".to_owned(), "shrink: { access: anyone }".to_owned()],
                ..field("type: enum, values: [BIG, SMALL], readOnly: true, filter: true")
            },
            Role::LifecycleState => Part {
                head: vec![format!(
                    "lifecycle:\n  field: stage\n  initial: {n}\n  transitions:\n    grow: {{ from: SMALL, to: {n} \
                     }}\n    shrink: {{ \
                     from: {n}, to: SMALL }}\n"
                )],
                commands: vec!["grow: { access: anyone }".to_owned(), "shrink: { access: anyone }".to_owned()],
                ..Part::field(format!("stage: {{ type: enum, values: [{n}, SMALL], readOnly: true, filter: true }}"))
            },
            Role::Transition => Part {
                head: vec![format!(
                    "lifecycle:\n  field: stage\n  initial: BIG\n  transitions:\n    {n}: {{ from: BIG, to: SMALL, \
                     at: due }}\n    \
                     grow: {{ from: SMALL, to: BIG }}\n"
                )],
                commands: vec!["grow: { access: anyone }".to_owned()],
                fields: vec![
                    "stage: { type: enum, values: [BIG, SMALL], readOnly: true, filter: true }".to_owned(),
                    "due: { type: timestamp, minimum: \"2090-01-01T00:00:00.000Z\" }".to_owned(),
                ],
                ..Part::default()
            },
            Role::View => Part::view(format!(
                "{n}: {{ operations: {{ list: {{ access: user }}, get: {{ access: user }}, create: {{ access: user \
                 }} }} }}"
            )),
            Role::ViewPath => Part::view(format!(
                "view{number}: {{ path: {}, operations: {{ list: {{ access: user }}, get: {{ access: user }} }} }}",
                marked_path(self)
            )),
            Role::FormerView => Part::view(format!(
                "view{number}: {{ operations: {{ list: {{ access: user }} }}, formerly: {{ name: {n}, {SUNSET} }} }}"
            )),
            Role::FormerViewPath => Part::view(format!(
                "view{number}: {{ path: /view{number}, operations: {{ list: {{ access: user }} }}, formerly: {{ \
                 name: old{number}, \
                 path: {}, {SUNSET} }} }}",
                marked_path(self)
            )),
            Role::Command => Part::command(format!(
                "{n}: {{ access: anyone, input: {{ amount: {{ type: integer, required: true }} }}, output: {{ \
                 rest: {{ type: \
                 integer }} }} }}"
            )),
            Role::CommandInput => Part::command(format!(
                "feed{number}: {{ access: anyone, input: {{ {n}: {{ {}{allow} }} }} }}",
                SCALARS[number % SCALARS.len()].split(", filter").next().unwrap_or_default()
            )),
            Role::CommandInputs => Part::command(format!(
                "feed{number}: {{ access: anyone, input: {{ {n}: {{ type: array, items: {{ type: ref, to: Zebra \
                 }}{allow} }} }} }}"
            )),
            Role::CommandOutput => Part::command(format!(
                "feed{number}: {{ access: anyone, output: {{ {n}: {{ type: enum, values: [BIG, SMALL]{allow} }} }} }}"
            )),
            Role::FormerCommand => Part::command(format!(
                "feed{number}: {{ access: anyone, input: {{ amount: {{ type: integer }} }}, formerly: {{ name: \
                 {n}, {SUNSET} }} }}"
            )),
            Role::RuleCode => Part {
                rules: vec![format!("check: 'stripe == null || stripe != \"gnu{number}\"'\n    code: {n}")],
                messages: vec![format!("{} = No gnu.", marked_plainly(self))],
                ..Part::default()
            },
        }
    }

    /// The name in quotes, where it refers to its definition.
    fn quoted(&self) -> String {
        format!("\"{}\"", self.name)
    }
}

/// The name without quotes, inside another text.
fn marked_plainly(draw: &Draw) -> String {
    mark(draw.number, &draw.name)
}

/// The path of one segment.
fn marked_path(draw: &Draw) -> String {
    mark(draw.number, &format!("\"/{}\"", draw.name))
}
