//! Reads the member of a struct, with its attribute, as a field of the model.

use crate::attribute::{self, Argument};
use crate::context::Context;
use crate::types::{self, FieldType, ReferencedType};
use crate::{constraints, docs, symbol};
use proc_macro2::Ident;
use restwell_model::condition::Condition;
use restwell_model::language::{self, KeyShape};
use restwell_model::{Field, ModelPath, Type, names};
use serde_json::{Map, Value};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Result, Visibility};

/// A member of a struct, read.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) ty: syn::Type,
    /// Whether the type is an `Option`.
    pub(crate) is_optional: bool,
    pub(crate) field: Field,
    pub(crate) used: Option<ReferencedType>,
    /// Whether all of it could be read.
    pub(crate) is_sound: bool,
}

impl Member {
    /// The digits after the point, where it holds decimals.
    pub(crate) fn scale(&self) -> Option<u32> {
        match self.field.ty.element() {
            Type::Decimal { scale, .. } => Some(*scale),
            _ => None,
        }
    }

    /// Whether the struct cannot be made without it: it is never null, and has no default.
    pub(crate) fn has_to_be_given(&self) -> bool {
        self.field.required && self.field.default.is_none() && !self.is_optional
    }
}

/// The fields of the model.
pub(crate) fn fields(members: &[Member]) -> Vec<Field> {
    members.iter().map(|member| member.field.clone()).collect()
}

/// The fields that could be read, without what depends on other parts of a definition that could not be: rules about
/// one field hold for them all the same.
pub(crate) fn sound_fields(members: &[Member]) -> Vec<Field> {
    let alone = |member: &Member| Field {
        views: None,
        versions: None,
        required_when: None,
        default_is: None,
        computed: None,
        visible: Vec::new(),
        writable: Vec::new(),
        ..member.field.clone()
    };
    members.iter().filter(|member| member.is_sound && member.field.computed.is_none()).map(alone).collect()
}

/// Reads the members of a struct. Their place in the model is `at`.
pub(crate) fn members(input: &DeriveInput, at: &ModelPath, context: &mut Context) -> Vec<Member> {
    if !input.generics.params.is_empty() {
        context.error(Error::new_spanned(&input.generics, "this type cannot have generic parameters"));
        return Vec::new();
    }
    let members = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                context.error(Error::new_spanned(fields, "fields need names: write `{ name: Type, … }`"));
                Vec::new()
            }
        },
        Data::Enum(_) | Data::Union(_) => {
            context.error(Error::new_spanned(
                &input.ident,
                "this derive works on structs only; for an enum derive `Enum`",
            ));
            Vec::new()
        }
    };
    members.into_iter().filter_map(|member| read(member, at, context)).collect()
}

fn read(member: &syn::Field, at: &ModelPath, context: &mut Context) -> Option<Member> {
    let ident = member.ident.clone()?;
    let before = context.count();
    let arguments = context.note(attribute::arguments(&member.attrs, "field"));
    let FieldType { ty, optional, used } = context.note(types::read(&member.ty))?;
    let arguments = arguments?;
    let renamed = arguments.iter().find(|argument| argument.name.text() == symbol::NAME);
    let mut field = Field::new(&name(&ident, renamed), ty);
    field.required = !optional && !field.ty.is_never_null();
    field.description = docs::description(&member.attrs);

    let at = at.key(&field.name);
    mark(&at, member, &ident, &arguments, used.as_ref(), context);
    if let Some(renamed) = renamed {
        context.places.key(&at, renamed.place());
    }
    let mut keys = Map::new();
    context.each(&at, &arguments, &[], |_, argument| put(&mut field, &mut keys, optional, argument));
    let mut field = field.with_keys(keys);
    // what is computed may be null, whatever the type of the member
    field.required &= optional || field.computed.is_none();
    let (visibility, ty) = (member.vis.clone(), member.ty.clone());
    let is_sound = context.count() == before;
    Some(Member { ident, visibility, ty, is_optional: optional, field, used, is_sound })
}

/// Compares the types of members with the model: what may be null is an `Option`, and nothing else.
pub(crate) fn options(members: &[Member], at: &ModelPath, may_be_null: impl Fn(&Field) -> bool, context: &mut Context) {
    for Member { ty, is_optional, field, .. } in members.iter().filter(|member| !member.field.ty.is_never_null()) {
        match (is_optional, may_be_null(field)) {
            (true, false) => {
                let required = context.places.find(&at.key(&field.name).key(symbol::REQUIRED)).clone();
                context.error(Error::new_spanned(required, REQUIRED_OPTION));
            }
            (false, true) if field.computed.is_some() => {
                let cure = format!("`{}` is computed, and may be null: its type is an `Option`", field.name);
                context.error(Error::new_spanned(ty, cure));
            }
            (false, true) => {
                let cure = format!(
                    "`{}` is null until the service sets it: write `#[field(required)]` and an `Option`, or give it a \
                     `default`",
                    field.name
                );
                context.error(Error::new_spanned(ty, cure));
            }
            (true, true) | (false, false) => {}
        }
    }
}

const REQUIRED_OPTION: &str = "a required field is not an `Option`: write its type without `Option`";

/// The name in JSON: that of the attribute, or the member's name in camelCase.
fn name(ident: &Ident, renamed: Option<&Argument>) -> String {
    let given = renamed.and_then(|argument| argument.text().ok());
    given.unwrap_or_else(|| names::camel(&ident.unraw().to_string()))
}

/// Records the tokens of a field outside its attribute, and those of its items' constraints.
fn mark(
    at: &ModelPath,
    member: &syn::Field,
    ident: &Ident,
    arguments: &[Argument],
    used: Option<&ReferencedType>,
    context: &mut Context,
) {
    let places = &mut context.places;
    if !places.is_recorded() {
        return;
    }
    places.key(at, ident);
    places.value(at, ident);
    let (items, values) = (at.key("items"), at.key("values"));
    for of in [at, &items, &values, &items.key("values")] {
        places.value(&of.key("type"), &member.ty);
        if let Some(used) = used {
            places.value(&of.key("type"), used.path());
            places.value(&of.key("to"), used.path());
        }
    }
    for argument in arguments {
        for of in [&items, &values, &items.key("values")] {
            places.argument(of, argument);
        }
    }
}

/// Reads one argument: sets it, or adds it to the keys that are set together.
fn put(field: &mut Field, keys: &mut Map<String, Value>, optional: bool, argument: &Argument) -> Result<()> {
    let word = argument.name.text();
    match (word.as_str(), symbol::key(&language::FIELD, argument)) {
        (symbol::NAME, _) => drop(argument.text()?),
        (symbol::REQUIRED, _) if !argument.is_flag() => field.required_when = Some(condition(argument, symbol::WHEN)?),
        (symbol::DEFAULT, _) if argument.is_list() => field.default_is = Some(condition(argument, symbol::IS)?),
        (symbol::REQUIRED, _) => field.required = required(field, optional, argument)?,
        (_, Some(key)) => match key.shape {
            KeyShape::Default => field.default = Some(argument.json(&field.ty)?),
            KeyShape::Example => field.example = Some(argument.json(&field.ty)?),
            _ => constraints::collect(keys, key, argument)?,
        },
        (_, None) => constraints::put(&mut field.ty, argument)?,
    }
    Ok(())
}

/// `required(when = "kind == \"AUCTION\"")`, `default(is = "now")`: the expression under the only word.
fn condition(argument: &Argument, word: &str) -> Result<Condition> {
    match argument.list()? {
        [only] if only.name.text() == word => only.text().map(Condition::new),
        _ => Err(Error::new_spanned(argument, format!("write `{}({word} = \"…\")`", argument.name.text()))),
    }
}

/// The type decides whether a field is required, except for an array or a map, which is never null but may be omitted,
/// and for what is null until the service sets it.
fn required(field: &Field, optional: bool, argument: &Argument) -> Result<bool> {
    if field.ty.is_never_null() || optional {
        return argument.flag();
    }
    Err(Error::new_spanned(argument, "a field that is not an `Option` is always required: remove `required`"))
}
