//! The derives that turn hand-written structs into resources, objects, enums and commands of a Restwell service.
//!
//! Each is a pipeline of three steps: read (tokens to the model, every part remembering its place), check (the rules of
//! `restwell-model`, the same that YAML meets, their faults shown at those places), expand. What is emitted is small: the
//! model's fragment as a text, and a line per field that converts it.

mod attribute;
mod common;
mod constraints;
mod docs;
mod places;
mod reading;
mod types;
mod words;

mod command;
mod enumeration;
mod field;
mod object;
mod operations;
mod query;
mod resource;

mod expand;
mod fallback;
mod handlers;

#[cfg(test)]
mod tests;

use fallback::Derive;
use proc_macro::TokenStream;
use syn::{DeriveInput, Result, parse_macro_input};

/// Makes a struct a resource of the service.
///
/// Its name is the resource's, its doc comment the description, its fields (without `id`, `createdAt`, `updatedAt`, which
/// every resource has) the properties.
///
/// ```ignore
/// /// Something that a seller puts up for sale.
/// #[derive(Debug, Clone, Resource)]
/// #[resource(owner = seller, under(seller), search, operations(create(access = user), list, get, update(access = owner)))]
/// pub struct Offer {
///     #[field(max_length = 75, filter, sort)]
///     pub name: String,
///     #[field(show(name), immutable, filter)]
///     pub seller: Ref<User>,
///     #[field(format = "uri", max_items = 16)]
///     pub images: Vec<String>,
/// }
/// ```
///
/// # `#[resource(…)]`
///
/// Fields are named as in Rust.
///
/// | argument | meaning |
/// |---|---|
/// | `plural = "offers"` | the path's word, where the derived plural is wrong |
/// | `versions("public.v1", "beta.v2")` | the versions served; without it `public.v1` |
/// | `retired("beta.v1")` | versions answered 410 |
/// | `deprecated`, `sunset = "2027-06-30"` | announced as going away, and when |
/// | `owner = seller` | the reference that names the owner |
/// | `under(seller)` | references that make scoped collections: `/users/{userId}/offers` |
/// | `unique(seller, name)` | a combination that no two entities share; repeatable |
/// | `operations(create(access = user), list, delete(async))` | what may be done; without it all but `patch`, by anyone |
/// | `view(sale, path = "…", through = "Watch.offer", operations(list))` | the same entities under another path, which is `/<view>/<plural>` if it is not given; repeatable; a name with dashes is a text |
/// | `count = false` | collections without `count` |
/// | `search`, `search(name, buy_now)` | a search resource over all that can be filtered, or over these fields |
/// | `renamed_from = "Proposal"` | the name it had, so that a migration renames |
/// | `allow("plural-array" = "reason")` | rules switched off, with the reason |
///
/// `access` is `anyone`, `user`, `owner`, a text like `"scope:offers.admin"`, or a list of these: `[owner, "scope:…"]`.
///
/// # `#[field(…)]`
///
/// The type says what a field holds: `String`, `i64`, `f64`, `Decimal`, `bool`, `Uuid`, `Timestamp`, `Date`, `Time`,
/// `IsoDuration`, `Country`, `Language`, `Currency`, `Price`, `Ref<T>` of a resource, `Vec<T>`, or a type that derives
/// `Object` or `Enum`. It is required if it is no `Option`; a `Vec` is never an `Option`.
///
/// | argument | meaning |
/// |---|---|
/// | `name = "html5"` | its name in JSON, where that is not the Rust name in camelCase |
/// | `required` | of a `Vec`: a request without it gets 422 |
/// | `default = "ACTIVE"`, `example = -5` | a literal, or `json("…")` for prices, arrays and objects |
/// | `immutable` | taken at creation only |
/// | `read_only`, `write_only` | set by the service only; accepted but never rendered |
/// | `secret = argon2` | of what is `write_only`: only its hash is kept |
/// | `filter`, `sort`, `unique` | a query parameter; may stand in `sort`; shared by no two entities |
/// | `views(sale)`, `versions("beta.v2")` | the views and versions that have it; without it all |
/// | `deprecated`, `sunset = "2027-06-30"` | announced as going away, and when |
/// | `renamed_from = "price"` | the name it had |
/// | `allow("plural-array" = "reason")` | rules switched off, with the reason |
/// | `min_length`, `max_length`, `pattern = "…"`, `format = "email"` or `"uri"` | of a `String` |
/// | `minimum`, `maximum` | of numbers, prices (the amount), timestamps and dates (as texts) |
/// | `scale = 3` | digits after the point of a `Decimal`; without it 2 |
/// | `currencies("PLN", "EUR")` | those that a `Price` may be in |
/// | `show(name)`, `on_delete = restrict`, `cascade` or `null` | of a `Ref`: fields rendered beside the id; what deleting the other entity does |
/// | `min_items`, `max_items`, `unique_items` | of a `Vec`; the other constraints in its attribute hold for its items |
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    derive(input, Derive::Resource, |input| {
        let (resource, members) = resource::read(input)?;
        expand::resource(input, &resource, &members)
    })
}

/// Makes a struct a nested structure, which fields of any resource can have as their type.
///
/// Its fields are written like those of a [resource](macro@Resource). `#[object(allow("…" = "reason"))]` switches rules
/// off.
///
/// ```ignore
/// #[derive(Debug, Clone, Object)]
/// pub struct Address {
///     #[field(filter, sort)]
///     pub city: String,
///     pub country_code: Country,
/// }
/// ```
#[proc_macro_derive(Object, attributes(object, field))]
pub fn derive_object(input: TokenStream) -> TokenStream {
    derive(input, Derive::Object, |input| {
        let (object, members) = object::read(input)?;
        expand::object(input, &object, &members)
    })
}

/// Makes an enum a list of values, which fields of any resource can have as their type.
///
/// A variant stands for its name in upper case: `OffWhite` for `OFF_WHITE`.
///
/// | attribute | meaning |
/// |---|---|
/// | `#[value("SNOW")]` on a variant | another value |
/// | `#[value(unknown)]` on a variant `Unknown(String)` | takes stored values that the enum does not know (§2.4.8); without it they are an error |
/// | `#[enumeration(allow("…" = "reason"))]` | rules switched off |
///
/// ```ignore
/// #[derive(Debug, Clone, Enum)]
/// pub enum Colour {
///     White,
///     #[value("OFF_BLACK")]
///     Anthracite,
///     #[value(unknown)]
///     Unknown(String),
/// }
/// ```
#[proc_macro_derive(Enum, attributes(enumeration, value))]
pub fn derive_enum(input: TokenStream) -> TokenStream {
    derive(input, Derive::Enum, |input| {
        let (enumeration, cases) = enumeration::read(input)?;
        expand::enumeration(&input.ident, &enumeration, &cases)
    })
}

/// Makes a struct the input of a command on a resource's entities: `/offers/{id}/renew-commands/{commandId}`.
///
/// Its fields are written like those of a [resource](macro@Resource); a unit struct is a command without input.
///
/// | argument of `#[command(…)]` | meaning |
/// |---|---|
/// | `on = Offer` | the resource; must be given |
/// | `name = "renew"` | the command's name, where that is not the struct's, dashed |
/// | `access = owner` | who may, as in an operation; without it anyone |
/// | `output = RenewOutput` | an [object](macro@Object) whose fields become the command's output |
/// | `timeout = "PT30S"` | past it the command is FAILED; without it 30 seconds |
/// | `ready = false` | announced, answered 501 |
/// | `deprecated`, `sunset = "2027-06-30"` | announced as going away, and when |
/// | `allow("…" = "reason")` | rules switched off |
///
/// ```ignore
/// /// Puts an ended offer up again.
/// #[derive(Debug, Clone, Command)]
/// #[command(on = Offer, access = owner, output = RenewOutput)]
/// pub struct Renew {
///     pub from_date: Timestamp,
///     pub duration: IsoDuration,
/// }
/// ```
#[proc_macro_derive(Command, attributes(command, field))]
pub fn derive_command(input: TokenStream) -> TokenStream {
    derive(input, Derive::Command, |input| expand::command(&input.ident, &command::read(input)?))
}

/// Stands before the impl of a resource's commands, and tells the service which of them are not written yet: those whose
/// body is `not_ready!(call)` answer 501.
///
/// ```ignore
/// #[handlers]
/// impl OfferCommands for Commands {
///     async fn renew(&self, call: Call<Renew>) -> Result<RenewOutput, Rejection> {
///         not_ready!(call)
///     }
/// }
/// ```
#[proc_macro_attribute]
pub fn handlers(_: TokenStream, item: TokenStream) -> TokenStream {
    handlers::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn derive(
    input: TokenStream,
    derive: Derive,
    expand: impl FnOnce(&DeriveInput) -> Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(|error| fallback::stubs(derive, &input, &error)).into()
}
