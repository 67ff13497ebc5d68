//! `allow` itself: it names a rule that can be switched off, or a kind of change that is meant, and gives a reason.

use crate::changes::ChangeKind;
use crate::check::FaultCode::{EmptyReason, NotAllowable, UnknownRule};
use crate::check::index::suggestion;
use crate::check::place::Place;
use crate::check::{Fault, FaultCode};
use crate::compatibility::service_change;
use crate::field::Allow;
use crate::service::Service;

/// The exemptions of one place.
pub(super) fn allow(allow: &Allow, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let at = at.key("allow");
    for (code, reason) in allow {
        let at = at.key(code);
        match code.parse::<FaultCode>() {
            Err(()) if code.parse::<ChangeKind>().is_ok() => empty_reason(code, reason, &at, faults),
            Err(()) => {
                let mut fault = at.name_fault(UnknownRule, format!("the rule `{code}` does not exist"));
                fault.help = suggestion(code, allowable());
                faults.push(fault);
            }
            Ok(rule) if !rule.allowable() => {
                let fault = at.name_fault(NotAllowable, format!("`{code}` cannot be switched off"));
                let codes: Vec<String> = allowable().map(|code| format!("`{code}`")).collect();
                faults.push(fault.help(format!("these rules can be switched off: {}", codes.join(", "))));
            }
            Ok(_) => empty_reason(code, reason, &at, faults),
        }
    }
}

/// The exemptions of the service: changes of its document, and removed resources.
pub(super) fn of_service(service: &Service, faults: &mut Vec<Fault>) {
    let (document, at);
    document = Place::Service;
    at = document.key("allow");
    for (key, reason) in &service.allow {
        let at = at.key(key);
        match service_change(key) {
            Some((place, _)) if place.definition.as_deref().is_some_and(|name| service.resource(name).is_some()) => {
                let fault = at.name_fault(UnknownRule, format!("`{key}` is about a resource that still exists"));
                faults.push(fault.help("remove it, or remove the resource"));
            }
            Some(_) => empty_reason(key, reason, &at, faults),
            None => {
                let fault = at.name_fault(UnknownRule, format!("`{key}` is not a change that the service can allow"));
                let help =
                    "write the kind of a change of this document, or `Offer.resource-dropped` of a removed resource";
                faults.push(fault.help(help));
            }
        }
    }
}

fn empty_reason(code: &str, reason: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if reason.trim().is_empty() {
        let fault = at.fault(EmptyReason, format!("`allow` gives no reason for `{code}`"));
        faults.push(fault.help(format!("write `{code}: \"the reason for the exemption\"`")));
    }
}

fn allowable() -> impl Iterator<Item = &'static str> {
    FaultCode::ALL.iter().filter(|code| code.allowable()).map(|code| code.code())
}
