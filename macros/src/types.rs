//! Field types: maps a Rust type to a type of the model by its name.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use restwell_model::Type;
use restwell_model::language::SCALAR_TYPES;
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

/// Reads a field's type.
pub(crate) fn read(ty: &syn::Type) -> Result<FieldType> {
    let segment = last_segment(ty)?;
    match segment.ident.unraw().to_string().as_str() {
        "Option" => {
            let inner = argument(ty, segment)?;
            match last_segment(inner)?.ident.to_string().as_str() {
                "Option" => {
                    Err(Error::new_spanned(ty, "an `Option` inside an `Option` has no meaning: write one `Option`"))
                }
                "Vec" => {
                    Err(Error::new_spanned(ty, "an array is never null, only empty: write the `Vec` without `Option`"))
                }
                _ => Ok(FieldType { optional: true, ..element(inner)? }),
            }
        }
        "Vec" => {
            let item = argument(ty, segment)?;
            match last_segment(item)?.ident.to_string().as_str() {
                "Option" => {
                    Err(Error::new_spanned(ty, "an item of an array is never null: write the `Vec` without `Option`"))
                }
                "Vec" => Err(Error::new_spanned(
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
    let segment = last_segment(ty)?;
    let name = segment.ident.unraw().to_string();
    if name == "Ref" {
        let target = argument(ty, segment)?;
        let path = plain_path(target)?.clone();
        let ty = Type::reference(&written(&path));
        return Ok(FieldType { ty, optional: false, used: Some(ReferencedType::Resource(path)) });
    }
    if let Some(cure) = cure(&name) {
        return Err(Error::new_spanned(ty, format!("a field cannot have the type `{name}`: {cure}")));
    }
    let path = plain_path(ty)?;
    Ok(match scalar(&name) {
        Some(ty) => FieldType { ty, optional: false, used: None },
        None => {
            let named = Type::Named { name: written(path) };
            FieldType { ty: named, optional: false, used: Some(ReferencedType::Nested(path.clone())) }
        }
    })
}

fn scalar(name: &str) -> Option<Type> {
    SCALAR_TYPES.iter().find(|scalar| scalar.rust.name() == name).map(|scalar| scalar.plain.clone())
}

/// What to write instead of a type that is likely to be tried.
fn cure(name: &str) -> Option<&'static str> {
    Some(match name {
        "i8" | "i16" | "i32" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            "write `i64`, if necessary with `minimum` and `maximum`"
        }
        "f32" => "write `f64`",
        "str" | "char" | "Cow" => "write `String`",
        "Url" | "Uri" => "write `String` with `format = \"uri\"`",
        "Box" | "Rc" | "Arc" => "write the inner type",
        "HashMap" | "BTreeMap" | "Value" => "write a struct that derives `Object`",
        "HashSet" | "BTreeSet" => "write `Vec` with `unique_items`",
        "VecDeque" | "LinkedList" => "write `Vec`",
        "SystemTime" | "Instant" | "DateTime" | "OffsetDateTime" => "write `Timestamp`",
        "NaiveDate" => "write `Date`",
        "NaiveTime" => "write `Time`",
        "Duration" => "write `IsoDuration`",
        _ => return None,
    })
}

/// The last segment of a path, by which a type is known.
fn last_segment(ty: &syn::Type) -> Result<&PathSegment> {
    let path = match ty {
        syn::Type::Group(group) => return last_segment(&group.elem),
        syn::Type::Paren(paren) => return last_segment(&paren.elem),
        syn::Type::Path(path) if path.qself.is_none() => &path.path,
        other => return Err(no_type(other)),
    };
    path.segments.last().ok_or_else(|| no_type(ty))
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
