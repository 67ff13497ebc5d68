//! Field types: maps a Rust type to a type of the model by its path.
//!
//! A derive sees tokens, not types. A name alone is that of the prelude or of the library if they have it; so is a path
//! that begins with their crates. Any other path leads to a type of the team's own, whatever its last name is:
//! `restwell::Price` is the library's, `super::Price` is not.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use restwell_model::Type;
use restwell_model::language::SCALAR_TYPES;
use restwell_model::names::rust::instead_of;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, GenericArgument, PathArguments, PathSegment, Result};

/// The model type of a Rust type.
pub(crate) struct FieldType {
    pub(crate) ty: Type,
    /// `Option<…>`.
    pub(crate) optional: bool,
    /// The other described type that it refers to.
    pub(crate) used: Option<ReferencedType>,
}

/// A described type that a field refers to.
pub(crate) enum ReferencedType {
    /// An object or an enum.
    Nested(syn::Path),
    /// The target of a `Ref`.
    Resource(syn::Path),
}

impl ReferencedType {
    /// The name in the model until the service is assembled: the path, as written.
    pub(crate) fn written(&self) -> String {
        written(self.path())
    }

    pub(crate) fn path(&self) -> &syn::Path {
        let (Self::Nested(path) | Self::Resource(path)) = self;
        path
    }
}

impl ToTokens for ReferencedType {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (path, written) = (self.path(), self.written());
        let constructor = match self {
            Self::Nested(_) => quote_spanned!(path.span()=> nested),
            Self::Resource(_) => quote_spanned!(path.span()=> resource),
        };
        tokens.extend(quote_spanned!(path.span()=> __restwell::Use::#constructor::<#path>(#written)));
    }
}

/// The crates of Rust.
const OF_RUST: [&str; 3] = ["alloc", "core", "std"];
/// The library, under its name in generated code.
const LIBRARY: &str = "restwell";
/// Types of other crates that the library exports as they are.
const EXPORTED: [(&str, &str); 3] = [("uuid", "Uuid"), ("rust_decimal", "Decimal"), ("serde_json", "Value")];
/// Crates with types that are likely to be tried in fields.
const TRIED: [&str; 5] = ["chrono", "http", "serde_json", "time", "url"];

/// Reads a field's type.
pub(crate) fn read(ty: &syn::Type) -> Result<FieldType> {
    match known(ty)?.as_deref() {
        Some("Option") => {
            let inner = argument(ty, last_segment(ty)?)?;
            match known(inner)?.as_deref() {
                Some("Option") => {
                    Err(Error::new_spanned(ty, "an `Option` inside an `Option` has no meaning: write one `Option`"))
                }
                Some("BTreeMap") => Err(Error::new_spanned(
                    ty,
                    "a map is never null, only empty: write the `BTreeMap` without `Option`",
                )),
                Some("Vec") => {
                    Err(Error::new_spanned(ty, "an array is never null, only empty: write the `Vec` without `Option`"))
                }
                _ => Ok(FieldType { optional: true, ..element(inner)? }),
            }
        }
        Some("Vec") => {
            let item = argument(ty, last_segment(ty)?)?;
            match known(item)?.as_deref() {
                Some("Option") => {
                    Err(Error::new_spanned(ty, "an item of an array is never null: write the `Vec` without `Option`"))
                }
                Some("Vec") => Err(Error::new_spanned(
                    ty,
                    "an array cannot contain arrays: put the inner `Vec` into a struct that derives `Object`",
                )),
                _ => array(item),
            }
        }
        _ => element(ty),
    }
}

fn array(item: &syn::Type) -> Result<FieldType> {
    let FieldType { ty, used, .. } = element(item)?;
    let ty = Type::Array { items: Box::new(ty), min_items: None, max_items: None, unique_items: false };
    Ok(FieldType { ty, optional: false, used })
}

/// Anything but `Option` and `Vec`.
fn element(ty: &syn::Type) -> Result<FieldType> {
    let known = known(ty)?;
    if known.as_deref() == Some("Ref") {
        let target = argument(ty, last_segment(ty)?)?;
        let path = plain_path(target)?.clone();
        let ty = Type::reference(&written(&path));
        return Ok(FieldType { ty, optional: false, used: Some(ReferencedType::Resource(path)) });
    }
    if known.as_deref() == Some("BTreeMap") {
        return map(ty);
    }
    if let Some((name, cure)) = known.as_deref().and_then(|name| Some((name, instead_of(name)?))) {
        return Err(Error::new_spanned(ty, format!("a field cannot have the type `{name}`: {cure}")));
    }
    let path = plain_path(ty)?;
    Ok(match known.as_deref().and_then(scalar) {
        Some(ty) => FieldType { ty, optional: false, used: None },
        None => {
            let named = Type::Named { name: written(path) };
            FieldType { ty: named, optional: false, used: Some(ReferencedType::Nested(path.clone())) }
        }
    })
}

/// `BTreeMap<String, T>`.
fn map(ty: &syn::Type) -> Result<FieldType> {
    let PathArguments::AngleBracketed(arguments) = &last_segment(ty)?.arguments else {
        return Err(Error::new_spanned(ty, "write `BTreeMap<String, …>`"));
    };
    let arguments: Vec<_> = arguments.args.iter().collect();
    let [GenericArgument::Type(name), GenericArgument::Type(value)] = arguments.as_slice() else {
        return Err(Error::new_spanned(ty, "write `BTreeMap<String, …>`"));
    };
    if known(name)?.as_deref() != Some("String") {
        return Err(Error::new_spanned(name, "the names of a map are texts: write `BTreeMap<String, …>`"));
    }
    let cure = match known(value)?.as_deref() {
        Some("Option") => "a value of a map is never null: write it without `Option`",
        Some("Vec" | "BTreeMap") => "a map has single values: write `serde_json::Value` for lists and objects",
        Some("Ref") => "a map has no references: write a `Vec` of a struct with the name and the `Ref`",
        _ => {
            let FieldType { ty, used, .. } = element(value)?;
            let ty = Type::Map { values: Box::new(ty), min_items: None, max_items: None, pattern: None };
            return Ok(FieldType { ty, optional: false, used });
        }
    };
    Err(Error::new_spanned(value, cure))
}

fn scalar(name: &str) -> Option<Type> {
    SCALAR_TYPES.iter().find(|scalar| scalar.rust.name() == name).map(|scalar| scalar.plain.clone())
}

/// The name by which a type is known; `None` of a path to a type of the team's own.
fn known(ty: &syn::Type) -> Result<Option<String>> {
    let name = last_segment(ty)?.ident.unraw().to_string();
    let segments = &path(ty)?.segments;
    let first = segments[0].ident.unraw().to_string();
    let is_known = match segments.len() {
        1 => true,
        2 if EXPORTED.contains(&(&first, &name)) => true,
        // `restwell::time` is a crate of its own
        _ if first == LIBRARY => segments[1].ident != "time" || instead_of(&name).is_some(),
        _ if TRIED.contains(&first.as_str()) => instead_of(&name).is_some(),
        _ => OF_RUST.contains(&first.as_str()),
    };
    Ok(is_known.then_some(name))
}

/// The last segment of a path, which has the arguments.
fn last_segment(ty: &syn::Type) -> Result<&PathSegment> {
    path(ty)?.segments.last().ok_or_else(|| no_type(ty))
}

fn path(ty: &syn::Type) -> Result<&syn::Path> {
    match ty {
        syn::Type::Group(group) => path(&group.elem),
        syn::Type::Paren(paren) => path(&paren.elem),
        syn::Type::Path(path) if path.qself.is_none() => Ok(&path.path),
        other => Err(no_type(other)),
    }
}

/// A path without arguments.
fn plain_path(ty: &syn::Type) -> Result<&syn::Path> {
    match ty {
        syn::Type::Group(group) => plain_path(&group.elem),
        syn::Type::Paren(paren) => plain_path(&paren.elem),
        syn::Type::Path(path) if path.qself.is_none() && path.path.segments.iter().all(|s| s.arguments.is_none()) => {
            Ok(&path.path)
        }
        other => Err(no_type(other)),
    }
}

fn no_type(ty: &syn::Type) -> Error {
    let cure = match ty {
        syn::Type::Reference(_) => "write the owned type, for example `String` instead of `&str`",
        syn::Type::Array(_) | syn::Type::Slice(_) => "write `Vec`, if necessary with `min_items` and `max_items`",
        syn::Type::Tuple(_) => "write a struct that derives `Object`",
        _ => "write a scalar, `Ref<T>`, or a type that derives `Object` or `Enum`",
    };
    Error::new_spanned(ty, format!("a field cannot have this type: {cure}"))
}

/// The one type argument of `Option`, `Vec`, `Ref`.
fn argument<'a>(ty: &syn::Type, segment: &'a PathSegment) -> Result<&'a syn::Type> {
    if let PathArguments::AngleBracketed(arguments) = &segment.arguments
        && arguments.args.len() == 1
        && let Some(GenericArgument::Type(argument)) = arguments.args.first()
    {
        return Ok(argument);
    }
    Err(Error::new_spanned(ty, format!("write `{0}<…>` with one type argument", segment.ident)))
}

fn written(path: &syn::Path) -> String {
    let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
    segments.join("::")
}
