//! The data of the templates.

use askama::Template;

/// A file of the generated code: one document of the schemas.
#[derive(Template)]
#[template(path = "document.rs.txt")]
pub(super) struct DocumentView {
    /// What comes from the library.
    pub(super) library: Vec<String>,
    /// What comes from the other documents.
    pub(super) siblings: Vec<String>,
    pub(super) structs: Vec<StructView>,
    pub(super) enums: Vec<EnumView>,
    /// After the structs that they belong to.
    pub(super) commands: Vec<StructView>,
    /// Where there are commands to be written.
    pub(super) handlers: Option<TraitView>,
}

/// The trait of a resource's commands.
#[derive(Template)]
#[template(path = "trait.rs.txt")]
pub(super) struct TraitView {
    pub(super) resource: String,
    pub(super) name: String,
    /// The path of the type of outcomes.
    pub(super) result: String,
    pub(super) methods: Vec<MethodView>,
}

/// A command as a method.
pub(super) struct MethodView {
    /// A literal for each line.
    pub(super) docs: Vec<String>,
    pub(super) name: String,
    pub(super) input: String,
    pub(super) output: String,
}

/// A struct with a derive.
#[derive(Template)]
#[template(path = "struct.rs.txt")]
pub(super) struct StructView {
    /// A literal for each line.
    pub(super) docs: Vec<String>,
    pub(super) kind: DeriveKind,
    /// The path of the derive.
    pub(super) derive: String,
    pub(super) attribute: Option<String>,
    pub(super) name: String,
    pub(super) members: Vec<MemberView>,
}

/// A member of a struct.
pub(super) struct MemberView {
    pub(super) docs: Vec<String>,
    pub(super) attribute: Option<String>,
    pub(super) name: String,
    pub(super) ty: String,
}

/// What a struct describes.
#[derive(Clone, Copy)]
pub(super) enum DeriveKind {
    Resource,
    Object,
    Command,
}

impl DeriveKind {
    pub(super) const fn derive(self) -> &'static str {
        match self {
            Self::Resource => "Resource",
            Self::Object => "Object",
            Self::Command => "Command",
        }
    }

    const fn attribute(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Object => "object",
            Self::Command => "command",
        }
    }
}

/// An enum with its values.
#[derive(Template)]
#[template(path = "enum.rs.txt")]
pub(super) struct EnumView {
    pub(super) docs: Vec<String>,
    /// The path of the derive.
    pub(super) derive: String,
    pub(super) attribute: Option<String>,
    pub(super) name: String,
    pub(super) variants: Vec<VariantView>,
    /// The variant that takes all other values, and its type.
    pub(super) fallback: (String, String),
}

/// One value of an enum.
pub(super) struct VariantView {
    /// The value, where the name does not give it back.
    pub(super) value: Option<String>,
    pub(super) name: String,
}

/// `mod.rs`: the modules, their types, and the service put together.
#[derive(Template)]
#[template(path = "root.rs.txt")]
pub(super) struct RootView {
    pub(super) modules: Vec<ModuleView>,
    pub(super) name: String,
    pub(super) title: Option<String>,
    /// The calls with what the documentation says of the service.
    pub(super) about: Vec<String>,
    pub(super) vendor: String,
    pub(super) users: Option<String>,
    pub(super) subjects: Option<SubjectsView>,
    /// Names and conditions.
    pub(super) roles: Vec<(String, String)>,
    /// The same, of named conditions.
    pub(super) conditions: Vec<(String, String)>,
    /// Changes that are meant, and the reasons.
    pub(super) allow: Vec<(String, String)>,
    pub(super) resources: Vec<RegisteredView>,
    /// The traits of commands that are to be written, with their modules.
    pub(super) handlers: Vec<String>,
    /// The parameter for the type that implements them.
    pub(super) parameter: String,
    /// Definitions that no resource leads to.
    pub(super) others: Vec<String>,
    pub(super) messages: Vec<MessagesView>,
    /// Their names as literals.
    pub(super) migrations: Vec<String>,
}

/// How users are found by the subjects of tokens. Both are literals.
pub(super) struct SubjectsView {
    pub(super) field: String,
    /// Pairs of a field and a claim.
    pub(super) claims: Option<String>,
}

/// A language's messages. Both are literals.
pub(super) struct MessagesView {
    pub(super) language: String,
    pub(super) path: String,
}

/// A module and what it brings to the root.
pub(super) struct ModuleView {
    pub(super) name: String,
    pub(super) types: Vec<String>,
}

/// A resource's registration.
pub(super) struct RegisteredView {
    pub(super) name: String,
    /// It is registered already, as the users.
    pub(super) is_users: bool,
    /// Some of its commands need handlers.
    pub(super) has_handlers: bool,
}

/// A description as the lines of a doc comment, each a literal that begins with the space after `///`.
pub(super) fn docs(description: Option<&str>) -> Vec<String> {
    description.unwrap_or_default().lines().map(|line| format!("{:?}", format!(" {line}"))).collect()
}
