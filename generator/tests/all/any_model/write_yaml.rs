//! A model as YAML: a document for each definition, and the service's own. Every text is quoted, so that nothing
//! depends on what it looks like; JSON's escapes are YAML's.

use restwell_model::{Access, Command, Enum, Field, Object, Operation, Resource, Search, Service, Type, Version, View};
use restwell_model::{Format, OnDelete, Secret};
use serde::Serialize;

/// The documents of a service.
pub(crate) fn documents(service: &Service) -> Vec<String> {
    let mut head = vec![("service", json(&service.name)), ("vendor", json(&service.vendor))];
    push(&mut head, "title", &service.title);
    push(&mut head, "users", &service.users);
    let all = std::iter::once(head)
        .chain(service.enums.iter().map(enumeration))
        .chain(service.objects.iter().map(object))
        .chain(service.resources.iter().map(resource));
    all.map(|entries| text(&entries)).collect()
}

/// Keys and what stands after them, as text: what the model keeps in the order of writing, JSON's maps would sort.
type Entries = Vec<Entry>;
type Entry = (&'static str, String);

/// Block style at the top, flow style below it.
fn text(entries: &[Entry]) -> String {
    entries.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

fn push<T: Serialize>(entries: &mut Entries, key: &'static str, value: &Option<T>) {
    entries.extend(value.as_ref().map(|value| (key, json(&value))));
}

fn push_if(entries: &mut Entries, key: &'static str, is_set: bool, value: String) {
    entries.extend(is_set.then_some((key, value)));
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap()
}

fn mapping(entries: &[Entry]) -> String {
    let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

fn enumeration(one: &Enum) -> Entries {
    let Enum { name, description, values, deprecations, notices: _, allow } = one;
    let mut entries = vec![
        ("enum", json(&name)),
        ("values", json(&values)),
        ("deprecations", json(&deprecations)),
        ("allow", json(&allow)),
    ];
    push(&mut entries, "description", description);
    entries
}

fn object(one: &Object) -> Entries {
    let Object { name, description, fields, deprecations, allow } = one;
    let mut entries = vec![
        ("object", json(&name)),
        ("fields", self::fields(fields)),
        ("deprecations", json(&deprecations)),
        ("allow", json(&allow)),
    ];
    push(&mut entries, "description", description);
    entries
}

fn resource(one: &Resource) -> Entries {
    let Resource { name, description, plural, versions, retired, deprecated, sunset, owner, under, .. } = one;
    let Resource { unique, operations, views, count, search, commands, fields, renamed_from, allow, .. } = one;
    let mut entries = vec![
        ("resource", json(&name)),
        ("plural", json(&plural)),
        ("versions", json(&versions)),
        ("retired", json(&retired)),
        ("deprecated", json(&deprecated)),
        ("deprecations", json(&one.deprecations)),
        ("under", json(&under)),
        ("unique", json(&unique)),
        ("operations", self::operations(operations)),
        ("views", named(views.iter().map(|view| (&view.name, self::view(view))))),
        ("count", json(&count)),
        ("search", self::search(search)),
        ("commands", named(commands.iter().map(|command| (&command.name, self::command(command))))),
        ("fields", self::fields(fields)),
        ("allow", json(&allow)),
    ];
    push(&mut entries, "description", description);
    push(&mut entries, "sunset", sunset);
    push(&mut entries, "owner", owner);
    push(&mut entries, "renamedFrom", renamed_from);
    push(&mut entries, "formerly", &one.formerly);
    entries
}

fn named<'n>(all: impl Iterator<Item = (&'n String, String)>) -> String {
    let entries: Vec<String> = all.map(|(name, value)| format!("{}: {value}", json(name))).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// A list where they are all open, and a mapping otherwise.
fn operations(operations: &[Operation]) -> String {
    let is_open = |one: &&Operation| **one == Operation::with_default_access(one.kind);
    if operations.iter().all(|one| is_open(&one)) {
        return json(&operations.iter().map(|one| one.kind.word()).collect::<Vec<_>>());
    }
    let entries: Vec<Entry> = operations.iter().map(|one| (one.kind.word(), operation(one, is_open(&one)))).collect();
    mapping(&entries)
}

fn operation(one: &Operation, is_open: bool) -> String {
    if is_open {
        return "null".to_owned();
    }
    mapping(&[("access", access(&one.access)), ("async", json(&one.is_async))])
}

/// A word where it is one, and a list otherwise.
fn access(all: &[Access]) -> String {
    match all {
        [one] => json(&one),
        all => json(&all),
    }
}

fn search(search: &Search) -> String {
    match search {
        Search::None => json(&false),
        Search::All => json(&true),
        Search::Fields(fields) => json(&fields),
    }
}

fn view(one: &View) -> String {
    let View { name: _, path, through, filter, operations, formerly, notice: _, allow } = one;
    let mut entries =
        vec![("path", json(&path)), ("operations", self::operations(operations)), ("allow", json(&allow))];
    push(&mut entries, "through", through);
    push(&mut entries, "where", filter);
    push(&mut entries, "formerly", formerly);
    mapping(&entries)
}

fn command(one: &Command) -> String {
    // the access is written
    let Command {
        name: _,
        description,
        access,
        open_by_default: _,
        input,
        output,
        timeout,
        ready,
        deprecated,
        sunset,
        formerly,
        notice: _,
        allow,
    } = one;
    let mut entries = vec![
        ("access", self::access(access)),
        ("input", fields(input)),
        ("output", fields(output)),
        ("timeout", json(&timeout)),
        ("ready", json(&ready)),
        ("deprecated", json(&deprecated)),
        ("allow", json(&allow)),
    ];
    push(&mut entries, "description", description);
    push(&mut entries, "sunset", sunset);
    push(&mut entries, "formerly", formerly);
    mapping(&entries)
}

fn fields(fields: &[Field]) -> String {
    named(fields.iter().map(|field| (&field.name, self::field(field))))
}

fn field(one: &Field) -> String {
    let Field { name: _, ty, required, default, immutable, read_only, write_only, secret, filter, sort, .. } = one;
    let Field { unique, views, versions, placeholder, deprecated, sunset, .. } = one;
    let Field { description, example, renamed_from, allow, .. } = one;
    let mut entries = self::ty(ty);
    let flags = [
        ("required", required),
        ("immutable", immutable),
        ("readOnly", read_only),
        ("writeOnly", write_only),
        ("sort", sort),
        ("deprecated", deprecated),
    ];
    entries.extend(flags.into_iter().filter(|(_, is_set)| **is_set).map(|(key, _)| (key, json(&true))));
    push_if(&mut entries, "filter", filter.is_on(), json(filter));
    push_if(&mut entries, "unique", unique.is_on(), json(unique));
    push(&mut entries, "default", default);
    push(&mut entries, "secret", &secret.map(|Secret::Argon2| "argon2"));
    push(&mut entries, "views", views);
    push::<Vec<Version>>(&mut entries, "versions", versions);
    push(&mut entries, "placeholder", placeholder);
    push(&mut entries, "sunset", sunset);
    push(&mut entries, "description", description);
    push(&mut entries, "example", example);
    push(&mut entries, "formerly", &one.formerly);
    push(&mut entries, "renamedFrom", renamed_from);
    push_if(&mut entries, "allow", !allow.is_empty(), json(&allow));
    mapping(&entries)
}

fn ty(ty: &Type) -> Entries {
    let mut entries = vec![("type", json(ty.word()))];
    match ty {
        Type::String { min_length, max_length, pattern, format } => {
            push(&mut entries, "minLength", min_length);
            push(&mut entries, "maxLength", max_length);
            push(&mut entries, "pattern", pattern);
            let word = |format: &Format| match format {
                Format::Email => "email",
                Format::Uri => "uri",
            };
            push(&mut entries, "format", &format.as_ref().map(word));
        }
        Type::Integer { minimum, maximum } => bounds(&mut entries, minimum, maximum),
        Type::Number { minimum, maximum } => bounds(&mut entries, minimum, maximum),
        Type::Timestamp { minimum, maximum } => bounds(&mut entries, minimum, maximum),
        Type::Date { minimum, maximum } => bounds(&mut entries, minimum, maximum),
        Type::Decimal { minimum, maximum, scale } => {
            bounds(&mut entries, minimum, maximum);
            entries.push(("scale", json(&scale)));
        }
        Type::Price { minimum, maximum, currencies } => {
            bounds(&mut entries, minimum, maximum);
            push_if(&mut entries, "currencies", !currencies.is_empty(), json(&currencies));
        }
        Type::Ref { to, show, on_delete } => {
            let word = match on_delete {
                OnDelete::Restrict => "restrict",
                OnDelete::Cascade => "cascade",
                OnDelete::Null => "null",
            };
            entries.extend([("to", json(&to)), ("show", json(&show)), ("onDelete", word.to_owned())]);
        }
        Type::Array { items, min_items, max_items, unique_items } => {
            entries.extend([("items", mapping(&self::ty(items))), ("uniqueItems", json(&unique_items))]);
            push(&mut entries, "minItems", min_items);
            push(&mut entries, "maxItems", max_items);
        }
        Type::Map { values, min_items, max_items, pattern } => {
            entries.push(("values", mapping(&self::ty(values))));
            push(&mut entries, "minItems", min_items);
            push(&mut entries, "maxItems", max_items);
            push(&mut entries, "pattern", pattern);
        }
        Type::Json { max_bytes } => push(&mut entries, "maxBytes", max_bytes),
        Type::Boolean | Type::Uuid | Type::Time | Type::Duration => {}
        Type::Country | Type::Language | Type::Currency | Type::Phone | Type::Timezone | Type::Named { .. } => {}
    }
    entries
}

fn bounds<T: Serialize>(entries: &mut Entries, minimum: &Option<T>, maximum: &Option<T>) {
    push(entries, "minimum", minimum);
    push(entries, "maximum", maximum);
}
