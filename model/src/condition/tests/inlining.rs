//! Computed fields in conditions: their expressions, as far as they can take the place of the name.

use super::super::*;
use super::market;
use crate::check::Checked;
use crate::field::{Field, Type};

/// The market, with computed whole numbers in an offer.
fn with_computed(fields: impl IntoIterator<Item = (String, String)>) -> Checked {
    let mut service = market().into_inner();
    let integer = Type::Integer { minimum: None, maximum: None };
    let computed = |(name, value): (String, String)| Field {
        computed: Some(Condition::new(value)),
        ..Field::new(&name, integer.clone())
    };
    service.resources[0].fields.extend(fields.into_iter().map(computed));
    Checked::recorded(service)
}

fn on_offer(service: &Checked, text: &str) -> Result<Typed, Vec<Mistake>> {
    Condition::new(text).typed(&Scope { service, entity: service.resource("Offer"), old: true })
}

fn named(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn the_expression_takes_the_place_of_the_name() {
    let service = with_computed([named("twice", "quantity * 2"), named("more", "twice + 1")]);
    let written = on_offer(&service, "(quantity * 2 + 1) > 3").unwrap();
    assert_eq!(on_offer(&service, "more > 3").unwrap(), written);
    let reads = on_offer(&service, "more > 3").unwrap().reads();
    assert_eq!(reads.fields.into_iter().collect::<Vec<_>>(), ["quantity"]);
    for elsewhere in ["old.twice == 1", "any(Watch.offer, offer.twice == 1)"] {
        let mistakes = on_offer(&service, elsewhere).unwrap_err();
        assert_eq!(mistakes[0].message, "`twice` is computed, and can be read of the entity itself only");
    }
}

#[test]
fn a_role_is_read_by_its_name() {
    let mut service = market().into_inner();
    let condition = "\"a\" in scopes || caller.kind == \"X\"";
    service.roles.insert("moderator".to_owned(), Condition::new(condition));
    // a field of the same name goes first
    service.roles.insert("featured".to_owned(), Condition::new("true"));
    service.roles.insert("known".to_owned(), Condition::new("true"));
    let service = Checked::recorded(service);
    let written = on_offer(&service, &format!("quantity > 3 && (caller != null && ({condition}))")).unwrap();
    assert_eq!(on_offer(&service, "quantity > 3 && moderator").unwrap(), written);
    assert!(on_offer(&service, "any(Watch.offer, moderator && user == caller)").unwrap().reads().caller);
    assert!(!on_offer(&service, "featured").unwrap().reads().caller);
    // nobody holds a role
    let nobody = super::evaluating::Known { caller: None, ..super::evaluating::Known::new() };
    assert_eq!(holds(&on_offer(&service, "known").unwrap(), &nobody), Some(false));
    assert_eq!(holds(&on_offer(&service, "known").unwrap(), &super::evaluating::Known::new()), Some(true));
    // a role is no field: neither of the entity as such, nor of another
    for (text, code) in [("this.moderator", MistakeCode::UnknownName), ("seller.moderator", MistakeCode::UnknownName)] {
        assert_eq!(on_offer(&service, text).unwrap_err()[0].code, code, "{text}");
    }
    let role = Scope { service: &service, entity: None, old: false };
    assert_eq!(Condition::new("moderator").typed(&role).unwrap_err()[0].code, MistakeCode::Misplaced);
}

#[test]
fn what_is_computed_from_itself_is_a_mistake() {
    let service = with_computed([named("one", "other + 1"), named("other", "one - 1")]);
    let mistakes = on_offer(&service, "one == 1").unwrap_err();
    assert_eq!(mistakes.len(), 1);
    assert_eq!((mistakes[0].span.clone(), mistakes[0].code), (0..3, MistakeCode::Misplaced));
    assert_eq!(mistakes[0].message, "`one` is computed from itself");
}

/// Each field is twice the one before: written out, the last one has more parts than can be counted.
#[test]
fn expressions_that_grow_are_refused_at_once() {
    let fields = (1..200).map(|number| (format!("f{number}"), format!("f{0} + f{0}", number - 1)));
    let service = with_computed(std::iter::once(named("f0", "quantity")).chain(fields));
    on_offer(&service, "f4 == 1").unwrap();
    for (text, message) in [
        (
            "f7 + f7 + f7 == f7",
            "with the computed fields, roles and conditions that it reads it has more than 300 parts",
        ),
        ("f199 == f199", "computed fields read each other more than 8 deep"),
    ] {
        let mistakes = on_offer(&service, text).unwrap_err();
        assert_eq!((mistakes.len(), mistakes[0].code), (1, MistakeCode::TooLarge));
        assert_eq!(mistakes[0].message, message);
    }
}
