//! Arguments that several attributes have: versions, dates, access, and rules that are switched off.

use crate::attribute::{self, Argument, ArgumentValue, AttributeValue};
use crate::context::Context;
use crate::symbol;
use proc_macro2::Ident;
use restwell_model::condition::Condition;
use restwell_model::field::Allow;
use restwell_model::language::Renamed;
use restwell_model::scalar::Date;
use restwell_model::{Access, Announcement, Formerly, ModelPath, Version, names};
use syn::{DeriveInput, Error, Lit, Result};

/// `sunset = "2027-06-30"`.
pub(crate) fn date(argument: &Argument) -> Result<Date> {
    argument.parsed("a date like 2027-06-30", Date::parse)
}

/// `versions("public.v1", "beta.v2")`.
pub(crate) fn versions(argument: &Argument) -> Result<Vec<Version>> {
    let version = |item: &Argument| item.item()?.parse().map_err(|error| Error::new_spanned(&item.name, error));
    argument.list()?.iter().map(version).collect()
}

/// `allow("plural-array" = "data is the domain's word")`.
pub(crate) fn allow(argument: &Argument) -> Result<Allow> {
    argument.list()?.iter().map(|rule| Ok((rule.name.text(), rule.text()?))).collect()
}

/// `deprecations("operations.delete" = "2027-06-30", "fields.name.filter")`.
pub(crate) fn announcements(argument: &Argument) -> Result<Vec<Announcement>> {
    let one = |part: &Argument| {
        let sunset = if part.is_flag() { None } else { Some(date(part)?) };
        Ok(Announcement { what: part.name.text(), sunset })
    };
    argument.list()?.iter().map(one).collect()
}

/// `formerly("title" = "2027-06-30")`; of a resource also `plural = "listings"`, of a view `path = "/seen-offers"`.
pub(crate) fn former_name(of: Renamed, argument: &Argument) -> Result<Formerly> {
    let wrong = || Error::new_spanned(argument, "write one name and its day: `formerly(\"title\" = \"2027-06-30\")`");
    let (one, others) = argument.list()?.split_first().ok_or_else(wrong)?;
    let mut former = Formerly::new(&one.name.text(), date(one)?);
    for other in others {
        match (of, other.name.text().as_str()) {
            (Renamed::Resource, symbol::PLURAL) => former.plural = Some(other.text()?),
            (Renamed::View, symbol::PATH) => former.path = Some(other.text()?),
            _ => return Err(wrong()),
        }
    }
    Ok(former)
}

/// `access = owner`, `access = [owner, "scope:offers.admin"]`.
pub(crate) fn access(argument: &Argument) -> Result<Vec<Access>> {
    match &argument.given {
        ArgumentValue::Value(AttributeValue::Any(_, all)) if !all.is_empty() => all.iter().map(one_access).collect(),
        ArgumentValue::Value(one) => Ok(vec![one_access(one)?]),
        _ => Err(Error::new_spanned(argument, "write `access = user`, `owner`, `anyone` or `\"scope:…\"`")),
    }
}

fn one_access(value: &AttributeValue) -> Result<Access> {
    let word = match value {
        AttributeValue::When(_, condition) => return Ok(Access::When(Condition::new(condition.value()))),
        AttributeValue::Path(path) if path.get_ident().is_some() => names::camel(&path.segments[0].ident.to_string()),
        AttributeValue::Literal(Lit::Str(text)) => text.value(),
        other => return Err(Error::new_spanned(other, "write `user`, `owner`, `anyone` or `\"scope:…\"`")),
    };
    word.parse().map_err(|error: String| Error::new_spanned(value, error))
}

/// `serde = off`, `default = off`: the type implements it in another way.
pub(crate) fn off(argument: &Argument) -> Result<()> {
    let name = argument.name.text();
    match argument.word() {
        Ok(word) if word == "off" => Ok(()),
        _ => {
            Err(Error::new_spanned(argument, format!("write `{name} = off`, if the type implements it in another way")))
        }
    }
}

/// Whether the attribute has this argument.
pub(crate) fn has(input: &DeriveInput, attribute: &str, what: &str) -> bool {
    let arguments = attribute::arguments(&input.attrs, attribute).unwrap_or_default();
    arguments.iter().any(|argument| argument.name.text() == what)
}

/// The type that an argument of the attribute names: `query = ListQuery`.
pub(crate) fn named(input: &DeriveInput, attribute: &str, what: &str) -> Option<Ident> {
    let arguments = attribute::arguments(&input.attrs, attribute).unwrap_or_default();
    arguments.iter().find(|argument| argument.name.text() == what)?.ident().ok()
}

/// What an object or an enum announces, and the rules that it switches off.
pub(crate) fn definition(
    input: &DeriveInput,
    attribute: &str,
    at: &ModelPath,
    context: &mut Context,
) -> (Vec<Announcement>, Allow) {
    let (mut rules, mut announced) = (Allow::new(), Vec::new());
    if let Some(arguments) = context.note(attribute::arguments(&input.attrs, attribute)) {
        context.each(at, &arguments, &[], |_, argument| {
            match argument.name.text().as_str() {
                symbol::ALLOW => rules = allow(argument)?,
                symbol::DEPRECATIONS => announced = announcements(argument)?,
                symbol::SERDE | symbol::DEFAULT => off(argument)?,
                symbol::OUTPUT if attribute == symbol::OBJECT => drop(argument.flag()?),
                symbol::QUERY | symbol::SORT if attribute == symbol::OBJECT => drop(argument.ident()?),
                _ if attribute == symbol::OBJECT => return Err(symbol::IN_OBJECT.unknown(argument)),
                _ => return Err(symbol::IN_ENUMERATION.unknown(argument)),
            }
            Ok(())
        });
    }
    (announced, rules)
}
