//! Names in JavaScript and TypeScript.

use super::client::OBJECT_MEMBERS;

/// The words that no variable can have in a module: the keywords of all versions of ECMAScript, what strict mode
/// refuses, and two names that TypeScript keeps for itself.
const RESERVED: [&str; 51] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "globalThis",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    // a module that exports it is awaited like a promise by `import()`
    "then",
];

/// Members of the value that has all collections of a service.
pub const CLIENT_MEMBERS: [&str; 2] = ["client", "events"];

/// What a package exports beside its collections in camelCase.
const EXPORTS: [&str; 1] = ["metadata"];

/// Types that the declarations use by their names.
pub const GLOBAL_TYPES: [&str; 4] = ["AbortSignal", "Array", "AsyncGenerator", "Exclude"];

/// Files of a package beside those of its resources.
const FILES: [&str; 4] = ["events", "index", "media-type", "types"];

/// The function that makes a collection: `offers`. One that cannot be called so ends in `Collection`.
#[must_use]
pub fn collection_function(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}Collection") } else { name.to_owned() }
}

/// The function that makes the client of a service: `marketplace`. One that cannot be called so ends in `Service`.
#[must_use]
pub fn service_function(name: &str) -> String {
    if RESERVED.contains(&name) || EXPORTS.contains(&name) { format!("{name}Service") } else { name.to_owned() }
}

/// Whether the value that has all collections has a member of this name, or each object has.
#[must_use]
pub fn is_client_member(name: &str) -> bool {
    CLIENT_MEMBERS.contains(&name) || OBJECT_MEMBERS.contains(&name)
}

/// The name of a resource's files: its plural, unless another file is called so, or Windows cannot have one.
#[must_use]
pub fn file_stem(plural: &str) -> String {
    let is_taken = FILES.contains(&plural) || super::packages::is_device(plural);
    if is_taken { format!("{plural}-resource") } else { plural.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_language_are_no_functions() {
        for (name, function) in [("arguments", "argumentsCollection"), ("offers", "offers"), ("then", "thenCollection")]
        {
            assert_eq!(collection_function(name), function);
        }
        for (name, function) in [("delete", "deleteService"), ("metadata", "metadataService"), ("events", "events")] {
            assert_eq!(service_function(name), function);
        }
    }

    #[test]
    fn files_have_names_of_their_own() {
        for (plural, stem) in [("types", "types-resource"), ("con", "con-resource"), ("offers", "offers")] {
            assert_eq!(file_stem(plural), stem);
        }
    }
}
