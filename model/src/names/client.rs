//! Names that the clients of all languages share: the methods of a collection, and types that need other names.

use super::camel;
use std::collections::BTreeSet;

/// The methods that a collection may have beside its commands, in camelCase, in any language.
///
/// `of`, `endpoint`, `names` and `clone` are in Rust only. A test of the generator compares this list with the clients.
pub const COLLECTION_METHODS: [&str; 26] = [
    "all",
    "checkCreate",
    "checkDelete",
    "checkPatch",
    "checkSearch",
    "checkUpdate",
    "clone",
    "count",
    "create",
    "createSearch",
    "delete",
    "edit",
    "endpoint",
    "get",
    "getIfChanged",
    "getSearch",
    "list",
    "names",
    "of",
    "pages",
    "patch",
    "search",
    "searches",
    "then",
    "under",
    "update",
];

/// What JavaScript calls on any object, or what each object has. A command of such a name would be sent by
/// `await offers`, by `${offers}` or by `JSON.stringify(offers)`.
pub const OBJECT_MEMBERS: [&str; 8] = [
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "then",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// What else the method of a command brings: `renewSentBefore`, `renewCommands`.
const OF_COMMAND: [&str; 2] = ["SentBefore", "Commands"];

/// The methods of a collection's commands, in their order: `mark-as-paid` is `markAsPaid`. If another method has the
/// name, it ends in `Command`. `others` are the methods that only this collection has: `underUser`.
#[must_use]
pub fn command_methods(commands: &[&str], others: impl IntoIterator<Item = String>) -> Vec<String> {
    let fixed = COLLECTION_METHODS.iter().chain(&OBJECT_MEMBERS).map(|name| (*name).to_owned());
    let mut taken: BTreeSet<String> = fixed.chain(others).collect();
    let mut order: Vec<usize> = (0..commands.len()).collect();
    // a command whose name is free keeps it, whatever the others are called
    order.sort_by_cached_key(|at| {
        let name = camel(commands[*at]);
        (taken.contains(&name), name.len(), name)
    });
    let mut methods = vec![String::new(); commands.len()];
    for at in order {
        let mut name = camel(commands[at]);
        loop {
            let all: Vec<_> = [""].iter().chain(&OF_COMMAND).map(|ending| format!("{name}{ending}")).collect();
            if all.iter().all(|name| !taken.contains(name)) {
                taken.extend(all);
                break;
            }
            name.push_str("Command");
        }
        methods[at] = name;
    }
    methods
}

/// A name that nothing else in a client has: the name itself, or the name with `_`, which no name of a model ends in.
pub fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    while !taken.insert(free.clone()) {
        free.push('_');
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(commands: &[&str]) -> Vec<String> {
        command_methods(commands, ["underUser".to_owned()])
    }

    #[test]
    fn a_command_called_like_another_method_ends_in_command() {
        for name in COLLECTION_METHODS.iter().chain(&OBJECT_MEMBERS).chain(&["underUser"]) {
            assert_eq!(methods(&[&super::super::kebab(name)]), [format!("{name}Command")]);
        }
        for (name, method) in [("renew", "renew"), ("mark-as-paid", "markAsPaid"), ("catch", "catch")] {
            assert_eq!(methods(&[name]), [method]);
        }
    }

    #[test]
    fn commands_have_methods_of_their_own() {
        assert_eq!(methods(&["list", "list-command"]), ["listCommandCommand", "listCommand"]);
        assert_eq!(methods(&["renew-commands", "renew"]), ["renewCommandsCommand", "renew"]);
        assert_eq!(methods(&["renew", "renew-sent-before"]), ["renew", "renewSentBeforeCommand"]);
    }

    #[test]
    fn a_name_that_is_taken_ends_in_an_underscore() {
        let mut taken = BTreeSet::from(["Offer".to_owned()]);
        assert_eq!(["Offer", "Offer", "Client"].map(|name| free(name, &mut taken)), ["Offer_", "Offer__", "Client"]);
    }
}
