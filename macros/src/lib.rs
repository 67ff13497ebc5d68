//! The derives that turn hand-written structs into resources, objects, enums and commands of a Restwell service.
//!
//! Each derive has three steps: read (tokens to the model, with the tokens of every part), check (with the rules of
//! `restwell-model`, which YAML has too; faults are reported at the tokens), expand. The output is small: the
//! definition as a text, and one line for the conversion of each field.

mod attribute;
mod common;
mod constraints;
mod context;
mod docs;
mod symbol;
mod token_map;
mod types;

mod command;
mod draft;
mod enumeration;
mod field;
mod object;
mod operations;
mod query;
mod resource;
mod rules;

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
/// The name of the struct becomes the name of the resource, its doc comment the description, and its fields the
/// properties. Do not list `id`, `createdAt` and `updatedAt`: every resource has them.
///
/// ```ignore
/// /// An item that a seller offers for sale.
/// #[derive(Debug, Clone, Resource)]
/// #[resource(
///     owner = seller, under(seller), search,
///     operations(create(access = user), list, get, update(access = owner)),
/// )]
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
/// Arguments name fields by their Rust names.
///
/// | argument | meaning |
/// |---|---|
/// | `plural = "offers"` | the plural in paths, if the derived plural is wrong |
/// | `versions("public.v1", "beta.v2")` | the versions; default: `public.v1` |
/// | `retired("beta.v1")` | old versions; requests for them get 410 |
/// | `deprecated`, `sunset = "2027-06-30"` | marks it as deprecated; the day of its removal |
/// | `owner = seller` | the reference to the user who owns an entity |
/// | `under(seller)` | references with a scoped collection: `/users/{userId}/offers` |
/// | `deprecations("operations.delete" = "2027-06-30")` | parts that go away, by their paths in the schema |
/// | `unique(seller, name)` | a combination of fields whose values no two entities share; repeatable |
/// | `index(category, price)` | an index for lists that filter by `category` and sort by `price`; repeatable |
/// | `operations(create(access = user), list, delete(async))` | the operations and who has access; default: all except `patch`, open to anyone |
/// | `view(sale, path = "…", through = "Watch.offer", operations(list))` | the same entities under another path, by default `/<view>/<plural>`; repeatable; write a name with dashes in quotes |
/// | `commands(Renew, End)` | the structs of its commands, in their order; commands without a [handler](macro@handlers) get 501 |
/// | `count = false` | collections without `count` |
/// | `search`, `search(name, buy_now)` | a search resource for all filterable fields, or for these fields |
/// | `renamed_from = "Proposal"` | the old name, so that the migration renames the table |
/// | `formerly("Proposal" = "2027-06-30", plural = "proposals")` | the former name, whose paths and events are served until the day; a view has it too, with `path = "…"` |
/// | `serde = off` | without `Serialize` and `Deserialize`, for a type that has its own |
/// | `default = off` | without `Default`, or the draft (`OfferDraft`) from which an offer is made without naming all fields |
/// | `query = OfferFilters`, `sort = OfferKeys` | other names for `OfferQuery` and `OfferSort` |
/// | `allow("plural-array" = "reason")` | rules that are switched off, each with the reason |
///
/// `access` is `anyone`, `user`, `owner`, a string like `"scope:offers.admin"`, or a list of these: `[owner,
/// "scope:…"]`.
///
/// # `#[field(…)]`
///
/// The type of a field is `String`, `i64`, `f64`, `bool`, a type of values that the library exports (`Decimal`, `Uuid`,
/// `Timestamp`, `Country`, `Price`, …), `Ref<T>` of a resource, `Vec<T>`, or a type that derives `Object` or `Enum`. A
/// type of yours with the name of one of Rust or of the library is written with a path: `super::Price`. A field is
/// required unless its type is an `Option`; a `Vec` is never an `Option`. What is `read_only` without a default is null
/// until the service sets it, and therefore an `Option`.
///
/// | argument | meaning |
/// |---|---|
/// | `name = "html5"` | the name in JSON; default: the Rust name in camelCase, without `_` at its end |
/// | `required` | for a `Vec`: a request without it gets 422; for an `Option` with `read_only`: not null once it is set |
/// | `is = "price * quantity"` | computed whenever an entity is read; an `Option`, and ignored when written |
/// | `default = "ACTIVE"`, `example = -5` | a literal, or `json("…")` for prices, arrays and objects |
/// | `immutable` | can be set at creation only |
/// | `read_only`, `write_only` | only the service sets it; accepted in requests but never rendered |
/// | `secret = argon2` | for a `write_only` field: only the hash is stored |
/// | `filter`, `sort`, `unique` | allows it as a query parameter; allows it in `sort`; no two entities have the same value |
/// | `unique = ignore_case` | the same, and values that differ in case alone are the same; for a `String` |
/// | `views(sale)`, `versions("beta.v2")` | the views and versions that have the field; default: all |
/// | `placeholder = "Red bicycle"` | an example of what to type, for forms |
/// | `deprecated`, `sunset = "2027-06-30"` | marks it as deprecated; the day of its removal |
/// | `renamed_from = "price"` | the old name |
/// | `formerly("price" = "2027-06-30")` | a former name that is served beside the present one, and its last day |
/// | `allow("plural-array" = "reason")` | rules that are switched off, each with the reason |
/// | `min_length`, `max_length`, `pattern = "…"`, `format = "email"` or `"uri"` | for a `String` |
/// | `minimum`, `maximum` | for numbers, prices (the amount), timestamps and dates (as strings) |
/// | `scale = 3` | the number of digits after the decimal point of a `Decimal`; default: 2 |
/// | `currencies("PLN", "EUR")` | the accepted currencies of a `Price` |
/// | `show(name)`, `on_delete = restrict`, `cascade` or `null` | for a `Ref`: fields rendered beside the id; what happens when the other entity is deleted |
/// | `min_items`, `max_items`, `unique_items` | for a `Vec`; all other constraints apply to its items |
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    derive(input, Derive::Resource, |input| expand::resource(input, &resource::read(input)?))
}

/// Makes a struct a nested object, which fields of any resource can have as their type.
///
/// Its fields are written like those of a [resource](macro@Resource). `#[object(allow("…" = "reason"))]` switches
/// rules off; `serde = off`, `default = off`, `query` and `sort` are those of resources. `#[object(output)]` is for the
/// output of a command: it has the rules of outputs.
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
/// The value of a variant is its name in UPPER_SNAKE_CASE: `OffWhite` is `OFF_WHITE`.
///
/// | attribute | meaning |
/// |---|---|
/// | `#[value("SNOW")]` on a variant | a different value |
/// | `#[value(unknown)]` on a variant `Unknown(String)` | receives stored values that the enum does not have (§2.4.8); without it they are an error |
/// | `#[enumeration(allow("…" = "reason"))]` | rules that are switched off |
/// | `#[enumeration(serde = off)]` | without `Serialize` and `Deserialize`, for a type that has its own |
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
        expand::enumeration(input, &enumeration, &cases)
    })
}

/// Makes a struct the input of a command on a resource's entities: `/offers/{id}/renew-commands/{commandId}`.
///
/// Its fields are written like those of a [resource](macro@Resource); a unit struct is a command without input.
///
/// | argument of `#[command(…)]` | meaning |
/// |---|---|
/// | `on = Offer` | the resource; required |
/// | `name = "renew"` | the name of the command; default: the name of the struct in kebab-case |
/// | `access = owner` | who has access, as in an operation; default: `anyone` |
/// | `output = RenewOutput` | an [object](macro@Object) whose fields become the output of the command |
/// | `timeout = "PT30S"` | after this time the command is FAILED; default: 30 seconds |
/// | `ready = false` | only announced; requests get 501 |
/// | `deprecated`, `sunset = "2027-06-30"` | marks it as deprecated; the day of its removal |
/// | `allow("…" = "reason")` | rules that are switched off |
/// | `serde = off`, `default = off` | as for resources |
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
    derive(input, Derive::Command, |input| expand::command(input, &command::read(input)?))
}

/// Makes the methods of an impl the handlers of a resource's commands, for `Builder::commands`: each method with a
/// `Call<…>` handles the command in it. Commands whose handler is only `not_ready!(call)` respond with 501.
///
/// The impl is that of the trait which `restwell generate` writes, or one without a trait.
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
