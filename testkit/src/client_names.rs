//! A service whose names are those of clients, of JavaScript and of Rust: its clients are compiled and called.

/// Resources that are called like types, files and functions of the clients, or like types of their languages.
const RESOURCES: &str = "AbortSignal Argument Array AsyncGenerator Base Blocking Box Builder Client Command \
    Condition Core Criterion Date Debug Draft Entity Equipment Error Event EventKind Exclude Feedback Filter From \
    Index Into Iterator List Map Media Metadata News Number Option Page Patchable Price Problem Promise \
    Query Request Response Result Send Series Some Stored String Symbol Time Token Transport Type User Vec";

/// Fields that are called like members of objects, of entities as clients keep them, and of their languages.
const FIELDS: &str = "async await clone constructor count default etag finally from gen hasOwnProperty index \
    key length limit location map metadata name new offset path prototype reference self sort then toJson \
    toString traceId type value valueOf";

/// Fields of these that would be other parameters of lists.
const NO_FILTERS: [&str; 3] = ["limit", "offset", "sort"];

/// Commands that are called like methods.
const COMMANDS: &str = "all async catch check-create clone constructor default endpoint events finally first \
    gen get-if-changed has-own-property names new next of pages renew renew-commands renew-sent-before self \
    stream super then to-string type under under-user value-of";

/// The schemas of a service, each with the name of its file.
#[must_use]
pub fn schemas(service: &str) -> Vec<(String, String)> {
    let mut schemas = vec![("service.yaml".to_owned(), format!("service: {service}\ntitle: Names\n"))];
    let simple = RESOURCES.split_whitespace().map(|name| (format!("{name}.yaml"), resource(name, "name")));
    schemas.extend(simple);
    schemas.push(("Sale.yaml".to_owned(), sale()));
    // types of `Saler` and `SaleRenew` begin with `Sale`, and their commands make events of one name
    schemas.push(("Saler.yaml".to_owned(), resource("Saler", "name") + &commands("renew-x")));
    schemas.push(("SalerRenew.yaml".to_owned(), resource("SalerRenew", "name") + &commands("x")));
    schemas.push(("Note.yaml".to_owned(), resource("Note", FIELDS)));
    schemas
}

fn resource(name: &str, fields: &str) -> String {
    let operations = ["list", "create", "get", "update", "patch", "delete"];
    let operations: String = operations.iter().map(|it| format!("  {it}: {{ access: anyone }}\n")).collect();
    let field = |name| {
        let filter = if NO_FILTERS.contains(&name) { "" } else { ", filter: true" };
        format!("  {name}: {{ type: string, maxLength: 9, sort: true{filter} }}\n")
    };
    let fields: String = fields.split_whitespace().map(field).collect();
    let search = if fields.contains("filter") { "search: true\n" } else { "" };
    format!("resource: {name}\n{search}operations:\n{operations}fields:\n{fields}")
}

/// Text that comes behind the fields of a resource.
fn commands(names: &str) -> String {
    let command = |name| {
        format!(
            "  {name}:\n    access: anyone\n    input: {{ then: {{ type: string }}, new: {{ type: string }} }}\n    \
             output: {{ toJson: {{ type: string }}, default: {{ type: string }} }}\n"
        )
    };
    let commands: String = names.split_whitespace().map(command).collect();
    format!("commands:\n{commands}")
}

/// Views, scoped collections, commands and enums written inline, whose types and functions have the same names.
fn sale() -> String {
    let enums: String = ["sort", "update", "search", "method"]
        .map(|name| format!("  {name}: {{ type: enum, values: [SOME, NONE, OK, UNKNOWN] }}\n"))
        .concat();
    let parts = "  filter: { type: object, fields: { note: { type: string, filter: true } } }\n  \
                 tags: { type: array, items: { type: string, maxLength: 9 } }\n  \
                 parts: { type: array, items: { type: object, fields: { note: { type: string } } } }\n";
    let references = "  buyer: { type: ref, to: User, immutable: true, filter: true, show: [name] }\n  \
                      client: { type: ref, to: Client, immutable: true }\n";
    let views = "views:\n  await: { operations: { list: { access: anyone }, get: { access: anyone } } }\n  \
                 client: { path: /my-sales, operations: { get: { access: anyone } } }\n  \
                 news: { path: /new-sales, operations: { list: { access: anyone } } }\n  \
                 user: { operations: { get: { access: anyone } } }\nunder: [buyer, client]\n";
    resource("Sale", "name") + &enums + parts + references + views + &commands(COMMANDS)
}
