//! The built-in messages, and what is found in a team's.

use super::read::{Usage, read};
use super::{BUILT_IN, BuiltIn, MessageFault, MessageFile, check, flat, language, lookup};
use crate::ErrorCode;
use crate::FaultCode::{self, *};
use crate::check::Checked;
use crate::condition::Condition;
use crate::field::{Field, Type};
use crate::resource::{Command, Resource, Rule};
use crate::service::{Object, Service};
use std::collections::{BTreeMap, BTreeSet};

/// The messages of a language, and the variables that each uses.
fn messages(of: &BuiltIn) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let read = read(0, of.text);
    assert_eq!(read.faults, [], "{}", of.language);
    let variables = |uses: &[Usage<'static>]| {
        let variable = |used: &Usage<'static>| match used {
            Usage::Variable(word) => Some(word.text),
            _ => None,
        };
        uses.iter().filter_map(variable).collect()
    };
    let count = read.messages.len();
    let messages: BTreeMap<_, _> = read.messages.iter().map(|it| (it.name.text, variables(&it.uses))).collect();
    assert_eq!(messages.len(), count, "{}: a message appears twice", of.language);
    messages
}

/// §4.9, §7.1: a code without its sentence in one of the languages fails here.
#[test]
fn every_code_has_its_message_in_every_language_and_nothing_else_has() {
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
    for built_in in &BUILT_IN {
        let messages = messages(built_in);
        let missing: Vec<_> = codes.iter().filter(|code| !messages.contains_key(**code)).collect();
        assert!(missing.is_empty(), "{} lacks {missing:?}", built_in.language);
        let foreign: Vec<_> = messages.keys().filter(|id| !codes.contains(id)).collect();
        assert!(foreign.is_empty(), "{}: of no code: {foreign:?}", built_in.language);
    }
}

#[test]
fn all_languages_use_the_same_variables() {
    let [english, others @ ..] = &BUILT_IN;
    let expected = messages(english);
    for other in others {
        for (id, variables) in messages(other) {
            assert_eq!(variables, expected[id], "{id} in {}", other.language);
        }
    }
}

#[test]
fn no_message_uses_what_details_never_carry() {
    for built_in in BUILT_IN {
        let file = MessageFile { language: built_in.language, text: built_in.text };
        assert_eq!(check(&[file], None), []);
    }
}

#[test]
fn built_in_languages_are_known_by_either_tag() {
    for (tag, known) in
        [("en", "en"), ("EN-us", "en"), ("pl-PL", "pl"), ("en-GB", "en-GB"), ("de", "de"), ("PT-br", "pt-BR")]
    {
        assert_eq!(language(tag).as_deref(), Some(known), "{tag}");
    }
    for tag in ["", "english", "xx", "pl_PL", "pl-XX", "e", "../pl"] {
        assert_eq!(language(tag), None, "{tag}");
    }
}

#[test]
fn a_tag_is_looked_up_in_shorter_ones() {
    let all = |tag| lookup(tag).collect::<Vec<_>>();
    assert_eq!(all("pl"), ["pl"]);
    assert_eq!(all("zh-Hant-TW"), ["zh-Hant-TW", "zh-Hant", "zh"]);
    assert_eq!(all("de-u-co-phonebk"), ["de-u-co-phonebk", "de-u-co", "de"]);
}

#[test]
fn the_id_of_a_field_is_its_path_without_indexes() {
    assert_eq!(flat("Offer", "name", "TooLong"), "Offer_name_TooLong");
    assert_eq!(flat("Offer", "buyNow.amount", "TooLarge"), "Offer_buyNow_amount_TooLarge");
    assert_eq!(flat("Product", "parameterGroups.0.values.12", "TooLong"), "Product_parameterGroups_values_TooLong");
}

/// Offers with a name, an address, prices, a reference, and a command.
fn service() -> Checked {
    let array =
        |items: Type| Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false };
    let price = Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
    let mut user = Resource::new("User");
    user.fields = vec![Field::new("name", Type::string())];
    let mut offer = Resource::new("Offer");
    offer.fields = vec![
        Field::new("name", Type::string()),
        Field::new("buyNow", price),
        Field::new("seller", Type::reference("User")),
        Field::new("addresses", array(Type::Named { name: "Address".to_owned() })),
    ];
    let mut renew = Command::new("renew");
    renew.input = vec![Field::new("fromDate", Type::string())];
    offer.commands = vec![renew];
    let mut service = Service::new("shop");
    service.objects = vec![Object::new("Address", vec![Field::new("city", Type::string())])];
    service.resources = vec![user, offer];
    Checked::new(service).expect("no rule is broken")
}

fn faults(files: &[(&str, &str)]) -> Vec<MessageFault> {
    let files: Vec<_> = files.iter().map(|&(language, text)| MessageFile { language, text }).collect();
    check(&files, Some(&service()))
}

/// The codes, and what each points at.
fn found<'t>(files: &[(&str, &'t str)]) -> Vec<(FaultCode, &'t str)> {
    let place = |fault: &MessageFault| (fault.code, &files[fault.at.file].1[fault.at.bytes.clone()]);
    faults(files).iter().map(place).collect()
}

#[test]
fn ids_of_codes_and_of_fields_are_taken() {
    let ids = [
        "TooLong",
        "OfferStillActive",
        "Offer_name_TooLong",
        "Offer_buyNow_amount_TooLarge",
        "Offer_buyNow_TooLarge",
        "Offer_seller_id_NotFound",
        "Offer_addresses_city_Required",
        "Offer_addresses_TooFewItems",
        "Offer_fromDate_OfferStillActive",
        "Offer_commandId_CommandIdUsed",
        "Offer_createdAt_InvalidTimestamp",
    ];
    let text: String = ids.iter().map(|id| format!("{id} = No.\n")).collect();
    assert_eq!(faults(&[("en", &text)]), []);
}

#[test]
fn unknown_ids_are_reported_with_the_nearest_known_one() {
    let cases = [
        ("ToLong", "write `TooLong`"),
        ("tooLong", "write `TooLong`"),
        ("offerStillActive", "write the code in PascalCase"),
        ("Offer_TooLong", "resource, field and code"),
        ("Ofer_name_TooLong", "write `Offer`"),
        ("Offer_nmae_TooLong", "write `name`"),
        ("Offer_name_ToLong", "write `TooLong`"),
        ("Offer_name_first_TooLong", "`name` has no fields"),
        ("Offer_addresses_town_TooLong", "the known names are `city`"),
        ("User_commandId_CommandIdUsed", "the known names are `name`, `id`, `createdAt`, `updatedAt`"),
        ("Offer__TooLong", "the known names are"),
        ("Offer_name_", "write the code in PascalCase"),
    ];
    for (id, help) in cases {
        let text = format!("{id} = No.\n");
        let faults = faults(&[("en", &text)]);
        assert_eq!(faults.len(), 1, "{id}: {faults:?}");
        assert_eq!(faults[0].code, UnknownMessage, "{id}");
        assert_eq!(&text[faults[0].at.bytes.clone()], id);
        assert!(faults[0].help.contains(help), "{id}: {}", faults[0].help);
    }
}

#[test]
fn variables_are_those_of_the_code() {
    let text = "TooLong = { $maxLength } { $minLength } { $field }\n\
                Forbidden = { $field }\n\
                Offer_name_TooShort = { NUMBER($maxLength) ->\n   *[other] { $minLength }\n }\n\
                OfferStillActive = { $whatever }\n";
    let expected = [(UnknownVariable, "minLength"), (UnknownVariable, "field"), (UnknownVariable, "maxLength")];
    assert_eq!(found(&[("en", text)]), expected);
}

#[test]
fn references_lead_to_terms_of_the_language() {
    let english = "-shop = Shop\n    .gender = f\nA = { -shop } { -stop } { UPPER($x) } { B }\nB = { -shop.gendre ->\n    \
                   [f] a\n   *[m] b\n }\n";
    let polish = "A = { -shop }\nB = b\n";
    let expected = [
        (UnknownReference, "stop"),
        (UnknownReference, "UPPER"),
        (UnknownReference, "B"),
        (UnknownReference, "gendre"),
        (UnknownReference, "shop"),
    ];
    assert_eq!(found(&[("en", english), ("pl", polish)]), expected);
}

#[test]
fn times_have_a_function_without_options() {
    let text = "OfferEnded = { DATETIME($when) } { NUMBER($count, minimumFractionDigits: 2) }\n\
                OfferSold = { DATETIME($when, dateStyle: \"long\") }\n";
    assert_eq!(found(&[("en", text)]), [(UnknownReference, "dateStyle")]);
}

#[test]
fn a_language_has_a_message() {
    let terms = "# later\n-shop = Laden\n";
    assert_eq!(faults(&[("de", terms)]).iter().map(|fault| fault.code).collect::<Vec<_>>(), [NoMessages]);
    assert_eq!(faults(&[("de", "")]).len(), 1);
    // in another file
    assert_eq!(faults(&[("de", terms), ("de", "Forbidden = Der { -shop } erlaubt das nicht.\n")]), []);
    // one that cannot be read may have some
    assert_eq!(faults(&[("de", "TooLong = {")]).iter().map(|fault| fault.code).collect::<Vec<_>>(), [FluentSyntax]);
}

#[test]
fn a_term_has_the_variables_that_it_is_called_with() {
    let text =
        "-shop = { $case ->\n   *[nominative] Sklep\n    [genitive] Sklepu\n }\nA = { -shop(case: \"genitive\") }\n";
    assert_eq!(faults(&[("pl", text)]), []);
}

#[test]
fn what_one_language_says_the_others_say() {
    // built-in codes are there in Polish, and not in German
    let english = "TooLong = No.\nOfferEnded = No.\nOffer_name_TooLong = No.\n";
    let expected = [
        (MissingTranslation, "TooLong"),
        (MissingTranslation, "OfferEnded"),
        (MissingTranslation, "Offer_name_TooLong"),
        (MissingTranslation, "Offer_name_TooLong"),
    ];
    assert_eq!(found(&[("en", english), ("pl", "OfferEnded = Nie.\n"), ("de", "Forbidden = Nein.\n")]), expected);
    // a region has what its language has
    assert_eq!(found(&[("en", english), ("en-GB", "TooLong = Rather not.\n")]), []);
    assert_eq!(found(&[("en-US", english), ("pl-PL", english)]), []);
    // a language alone is complete
    assert_eq!(found(&[("de", "OfferEnded = Nein.\n")]), []);
}

#[test]
fn files_of_one_language_are_one() {
    let files = [("en", "A = a\n"), ("en-US", "B = b\nA = a\n"), ("pl", "A = a\nB = b\n")];
    assert_eq!(found(&files), [(DuplicateMessage, "A")]);
    assert_eq!(faults(&files)[0].also.as_ref().unwrap().0.file, 0);
}

#[test]
fn invalid_fluent_is_reported_and_the_rest_is_read() {
    let text = "TooLong = { $maxLength\nForbidden = { $x }\nNotFound\n";
    let codes: Vec<_> = faults(&[("en", text)]).iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [FluentSyntax, UnknownVariable, FluentSyntax]);
    assert_eq!(found(&[("en", "A = a\n    .b = c\n")]), [(MessageAttribute, "b")]);
    assert_eq!(found(&[("nowhere", "A = a\n")]), [(UnknownLanguage, "")]);
    assert_eq!(found(&[("en", "\u{feff}A = a\n")]), [(FluentSyntax, "\u{feff}")]);
}

#[test]
fn nesting_costs_no_stack() {
    for opening in ["{", "{ F(", "{\n", "{ -t(\")\", ", "{ x ->\n *[a] "] {
        let text = format!("A = {}", opening.repeat(100_000));
        assert_eq!(found(&[("en", &text)])[0].0, FluentSyntax, "{opening}");
    }
    let text = "A = { $a } (b)\n".repeat(100);
    assert!(faults(&[("en", &text)]).iter().all(|fault| fault.code == DuplicateMessage));
}

/// A rule needs a message in each language that the service has messages for.
#[test]
fn rules_without_a_message_are_found() {
    let rule = |code: &str, path: Option<&str>| Rule {
        check: Condition::new("name != \"x\""),
        code: code.to_owned(),
        path: path.map(str::to_owned),
        message: None,
    };
    let mut offer = Resource::new("Offer");
    offer.fields = vec![Field::new("name", Type::string())];
    offer.rules = vec![rule("Unnamed", None), rule("Misnamed", Some("name")), rule("Ended", None)];
    let service = Checked::new(Service { resources: vec![offer], ..Service::new("shop") }).expect("no rule is broken");
    let found = |files: &[(&str, &str)]| -> Vec<String> {
        let files: Vec<_> = files.iter().map(|&(language, text)| MessageFile { language, text }).collect();
        check(&files, Some(&service)).into_iter().map(|fault| format!("{} {}", fault.code, fault.message)).collect()
    };
    assert_eq!(found(&[]), [""; 0]);
    let missing =
        |code: &str, tag: &str| format!("rule-without-message the rule `{code}` of `Offer` has no message in `{tag}`");
    let only = "Offer_name_Misnamed = Nie ta nazwa.";
    assert_eq!(found(&[("pl", only)]), [missing("Unnamed", "pl"), missing("Ended", "pl")]);
    // a regional language inherits those of its base language
    let whole = "Unnamed = a\nEnded = b\nMisnamed = c";
    assert_eq!(found(&[("de", whole), ("de-AT", "Unnamed = d")]), [""; 0]);
    // what another language says is a missing translation
    let of_pl = found(&[("en", whole), ("pl", only)]);
    assert!(of_pl.iter().all(|fault| fault.starts_with("missing-translation")), "{of_pl:?}");
    assert_eq!(of_pl.iter().filter(|fault| fault.contains("in `pl`")).count(), 3, "{of_pl:?}");
}
