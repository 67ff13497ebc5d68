//! Operations and their access: the rules that need only one definition.

use crate::check::Fault;
use crate::check::FaultCode::{AsyncRead, BadScope, DiscloseNothing, EmptyResource, RedundantAccess, RepeatedName};
use crate::check::place::Place;
use crate::check::rules::{repeated_names, repeats};
use crate::resource::{Access, Operation, OperationKind, Resource};

/// A resource that no path leads to.
pub(super) fn of_no_path(resource: &Resource, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if resource.operations.is_empty() && resource.views.is_empty() && resource.commands.is_empty() {
        let message = format!("no request reaches `{}`: it has no operations, views and commands", resource.name);
        faults.push(at.fault(EmptyResource, message).help("write `operations: [list, get]`, or remove the resource"));
    }
}

/// The operations of a resource or a view.
pub(super) fn operations(operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for (_, _, kind) in repeats(operations.iter().map(|operation| operation.kind)) {
        let word = kind.word();
        let fault = at.key(word).name_fault(RepeatedName, format!("`{word}` appears twice in this list"));
        faults.push(fault.help("remove one of them"));
    }
    for operation in operations {
        let word = operation.kind.word();
        let at = at.key(word);
        access(&operation.access, &at.key("access"), faults);
        if operation.is_async && matches!(operation.kind, OperationKind::List | OperationKind::Get) {
            let fault = at.key("async").fault(AsyncRead, format!("`{word}` reads, so it must respond with its result"));
            faults.push(fault.help("remove `async`"));
        }
    }
}

/// Who sees the entities of a resource.
pub(super) fn visible(resource: &Resource, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let visible = at.key("visible");
    if !resource.visible.is_empty() {
        access(&resource.visible, &visible, faults);
    } else if resource.disclose {
        let fault =
            at.key("disclose").fault(DiscloseNothing, "every caller sees the entities, so nothing is disclosed");
        faults.push(fault.help("say who sees them with `visible`, or remove `disclose`"));
    }
}

/// The access of an operation or a command.
pub(super) fn access(access: &[Access], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let words: Vec<String> = access.iter().map(ToString::to_string).collect();
    repeated_names(words.iter().map(String::as_str), at, faults);
    for (position, word) in words.iter().enumerate() {
        if access[position].condition().is_none() && word.parse::<Access>().is_err() {
            let fault = at
                .index(position)
                .fault(BadScope, format!("`{word}` has characters that a scope in a token cannot have"));
            faults.push(fault.help("use letters, digits and dots, as in `scope:offers.admin`"));
        }
    }
    let position = |word: &Access| access.iter().position(|other| other == word);
    let other_than = |word: &Access| access.iter().position(|other| other != word);
    if access.is_empty() {
        let fault = at.fault(RedundantAccess, "the access list is empty, so it lets no caller in");
        faults.push(fault.help("list who has access (`anyone` is possible), or remove the operation"));
    } else if let (Some(_), Some(other)) = (position(&Access::Anyone), other_than(&Access::Anyone)) {
        let word = &words[other];
        let fault = at.index(other).fault(RedundantAccess, format!("`{word}` has no effect beside `anyone`"));
        faults.push(fault.help(format!("write `anyone` or `{word}`")));
    } else if let (Some(_), Some(owner)) = (position(&Access::User), position(&Access::Owner)) {
        let message = "`owner` has no effect beside `user`, because every owner is a user";
        faults.push(at.index(owner).fault(RedundantAccess, message).help("write `user` or `owner`"));
    }
}
