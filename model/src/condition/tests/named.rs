//! Named conditions: what the name stands for takes its place.

use super::super::*;
use super::evaluating::Known;
use super::market;
use crate::check::Checked;

/// The market, with conditions of the service, of offers and of watches.
fn with_named(of_service: &[(&str, &str)], of_offers: &[(&str, &str)], of_watches: &[(&str, &str)]) -> Checked {
    let mut service = market().into_inner();
    let named = |(name, text): &(&str, &str)| ((*name).to_owned(), Condition::new(*text));
    service.conditions = of_service.iter().map(named).collect();
    for (resource, conditions) in [("Offer", of_offers), ("Watch", of_watches)] {
        let resource = service.resources.iter_mut().find(|it| it.name == resource).unwrap();
        resource.conditions = conditions.iter().map(named).collect();
    }
    Checked::recorded(service)
}

fn on_offer(service: &Checked, text: &str) -> Result<Typed, Vec<Mistake>> {
    Condition::new(text).typed(&Scope { service, entity: service.resource("Offer"), old: true })
}

fn mistake(service: &Checked, text: &str) -> (MistakeCode, String) {
    let mistakes = on_offer(service, text).unwrap_err();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    (mistakes[0].code, mistakes[0].message.clone())
}

#[test]
fn the_text_takes_the_place_of_the_name() {
    let service = with_named(
        &[("desk", "\"desk\" in scopes || known"), ("known", "claims.team == \"a\"")],
        &[("open", "status == \"ACTIVE\" && quantity > 3"), ("mine", "open && (seller == caller || desk)")],
        &[],
    );
    let desk = "(\"desk\" in scopes || claims.team == \"a\")";
    let open = "(status == \"ACTIVE\" && quantity > 3)";
    for (text, written) in [
        ("open", open.to_owned()),
        ("mine", format!("{open} && (seller == caller || {desk})")),
        ("!open || old.quantity == 1", format!("!{open} || old.quantity == 1")),
        ("any(Watch.offer, user == caller && desk)", format!("any(Watch.offer, user == caller && {desk})")),
        ("desk ? quantity == 1 : open", format!("{desk} ? quantity == 1 : {open}")),
        // the variable goes first
        ("tags.exists(open, open == \"a\") && desk", format!("tags.exists(open, open == \"a\") && {desk}")),
    ] {
        assert_eq!(on_offer(&service, text), on_offer(&service, &written), "{text}");
        assert!(on_offer(&service, &written).is_ok(), "{written}");
    }
    let caller_alone = Scope { service: &service, entity: None, old: false };
    let [read, written] = ["desk", desk].map(|text| Condition::new(text).typed(&caller_alone).unwrap());
    assert_eq!(read, written);
}

/// A text that is null holds as little as one that is false, also where it is compared.
#[test]
fn a_condition_is_true_or_false() {
    let service = with_named(&[("chosen", "claims.chosen")], &[("shown", "featured")], &[]);
    let mut known = Known::new();
    known.set(11, crate::value::Value::Null);
    for text in ["shown == false", "!shown", "chosen == false", "!chosen", "(shown ? 1 : 2) == 2", "shown == chosen"] {
        assert_eq!(holds(&on_offer(&service, text).unwrap(), &known), Some(true), "{text}");
    }
}

#[test]
fn names_are_known_in_their_document_alone() {
    let service = with_named(
        &[],
        &[("open", "status == \"ACTIVE\"")],
        &[("own", "user == caller"), ("taken", "offer.open"), ("other", "offer != null && own")],
    );
    let place = "`open` is a condition on `Offer`, and is not known in `any` and `count`";
    assert_eq!(mistake(&service, "any(Watch.offer, open)"), (MistakeCode::Misplaced, place.to_owned()));
    for text in ["own", "any(Watch.offer, own)", "this.open", "old.open", "seller.open"] {
        assert_eq!(mistake(&service, text).0, MistakeCode::UnknownName, "{text}");
    }
    let watch = |text: &str| {
        Condition::new(text).typed(&Scope { service: &service, entity: service.resource("Watch"), old: false })
    };
    assert!(watch("other").is_ok());
    assert_eq!(watch("open").unwrap_err()[0].code, MistakeCode::UnknownName);
    assert_eq!(watch("offer.open").unwrap_err()[0].code, MistakeCode::UnknownName);
    let caller_alone = Scope { service: &service, entity: None, old: false };
    assert_eq!(Condition::new("open").typed(&caller_alone).unwrap_err()[0].code, MistakeCode::Misplaced);
}

/// A computed field reads the names of its own document, wherever it is read.
#[test]
fn a_computed_field_brings_the_names_of_its_document() {
    let mut service = with_named(&[], &[], &[("noted", "user != null")]).into_inner();
    let watch = service.resources.iter_mut().find(|it| it.name == "Watch").unwrap();
    let is_noted = crate::field::Field::new("isNoted", crate::field::Type::Boolean);
    watch.fields.push(crate::field::Field { computed: Some(Condition::new("noted && offer != null")), ..is_noted });
    let service = Checked::recorded(service);
    let written = on_offer(&service, "any(Watch.offer, user != null && offer != null)").unwrap();
    assert_eq!(on_offer(&service, "any(Watch.offer, isNoted)").unwrap(), written);
}

#[test]
fn rings_are_refused_and_so_is_what_grows() {
    let ring = with_named(&[], &[("one", "other || featured"), ("other", "!one")], &[]);
    assert_eq!(mistake(&ring, "one"), (MistakeCode::Misplaced, "`one` reads itself".to_owned()));
    let ring = with_named(&[("one", "other"), ("other", "one")], &[], &[]);
    assert_eq!(mistake(&ring, "featured && one"), (MistakeCode::Misplaced, "`one` reads itself".to_owned()));
    let texts: Vec<_> = (1..12).map(|number| (format!("c{number}"), format!("c{0} || c{0}", number - 1))).collect();
    let mut named: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    named.push(("c0", "quantity == 1"));
    let growing = with_named(&[], &named, &[]);
    assert!(on_offer(&growing, "c4").is_ok());
    assert_eq!(mistake(&growing, "c7").0, MistakeCode::TooLarge);
    let deep = "conditions read each other more than 8 deep";
    assert_eq!(mistake(&growing, "c11"), (MistakeCode::TooLarge, deep.to_owned()));
}

#[test]
fn models_are_compared_by_what_the_names_stand_for() {
    let service = with_named(
        &[("desk", "\"desk\" in scopes")],
        &[("open", "status=='ACTIVE'"), ("mine", "open && (seller == caller || desk)")],
        &[],
    );
    let offer = service.resource("Offer");
    for (text, written) in [
        ("mine", "status == \"ACTIVE\" && (seller == caller || \"desk\" in scopes)"),
        ("! open", "!(status == \"ACTIVE\")"),
        ("any(Watch.offer, desk && open)", "any(Watch.offer, \"desk\" in scopes && open)"),
        ("tags.exists(open, open == 'a' && desk)", "tags.exists(open, open == \"a\" && \"desk\" in scopes)"),
        ("[open, featured]", "[status == \"ACTIVE\", featured]"),
        ("caller.any(Watch.user,desk && offer==outer)", "caller.any(Watch.user, \"desk\" in scopes && offer == outer)"),
    ] {
        assert_eq!(written_out(&service, offer, &Condition::new(text)).as_str(), written, "{text}");
    }
    // what no check has seen is written out as far as there is room
    let ring = with_named(&[("one", "other && other"), ("other", "one || one")], &[], &[]);
    assert!(written_out(&ring, None, &Condition::new("one")).as_str().len() < 100_000);
}
