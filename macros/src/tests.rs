//! Token streams into models, and faults to the tokens that they are of.

#![expect(clippy::needless_pass_by_value, reason = "token streams are written where they are passed")]

use crate::{command, draft, enumeration, expand, object, resource};
use proc_macro2::TokenStream;
use quote::quote;
use restwell_model::field::{Filter, Match};
use restwell_model::{Command, Enum, Field, Object, OnDelete, Resource, Search, Type, Version};
use serde_json::json;
use syn::DeriveInput;

fn input(tokens: TokenStream) -> DeriveInput {
    syn::parse2(tokens).unwrap()
}

fn resource(tokens: TokenStream) -> Resource {
    resource::read(&input(tokens)).map_err(|error| error.to_string()).unwrap().resource
}

/// The field of a resource that has no other.
fn field(tokens: TokenStream) -> Field {
    resource(quote!(struct Offer { #tokens })).fields.remove(0)
}

/// All that is wrong, each with the text of its first token.
fn faults(tokens: TokenStream) -> Vec<(String, Option<String>)> {
    let source = tokens.to_string();
    let parsed = input(source.parse().unwrap());
    let Err(errors) = resource::read(&parsed) else { return Vec::new() };
    errors.into_iter().map(|error| (error.to_string(), error.span().source_text())).collect()
}

fn array(items: Type) -> Type {
    Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false }
}

#[test]
fn a_plain_struct_is_a_resource_with_every_default() {
    let read = resource(quote!(
        /// Line one.
        ///
        ///  Indented.
        struct GeneralDelivery {
            name: Option<String>,
        }
    ));
    let expected = Resource {
        description: Some("Line one.\n\n Indented.".into()),
        fields: vec![Field::new("name", Type::string())],
        ..Resource::new("GeneralDelivery")
    };
    assert_eq!(read, expected);
}

#[test]
fn names_are_snake_case_here_and_camel_case_there() {
    let read = resource(quote!(
        #[resource(owner = main_seller, under(main_seller, r#type), unique(main_seller, r#type), search(main_seller),
            index(main_seller, updated_at))]
        struct Offer {
            #[field(show(first_name), filter)]
            main_seller: Ref<User>,
            r#type: Ref<offers::Type>,
        }
    ));
    assert_eq!(read.owner.as_deref(), Some("mainSeller"));
    assert_eq!(read.under, ["mainSeller", "type"]);
    assert_eq!(read.unique, [["mainSeller", "type"]]);
    assert_eq!(read.index, [["mainSeller", "updatedAt"]]);
    assert_eq!(read.search, Search::Fields(vec!["mainSeller".into()]));
    let show = vec!["firstName".into()];
    assert_eq!(read.fields[0].ty, Type::Ref { to: "User".into(), show, on_delete: OnDelete::Restrict });
    assert_eq!((read.fields[1].name.as_str(), &read.fields[1].ty), ("type", &Type::reference("offers::Type")));
}

#[test]
fn an_attribute_may_be_written_in_parts() {
    let read = resource(quote!(
        #[resource(versions("public.v1", "beta.v2"))]
        #[resource(count = false, plural = "offerings")]
        struct Offer {
            #[field(filter)]
            #[field(sort)]
            name: String,
        }
    ));
    assert_eq!(read.versions, [Version::PUBLIC, Version::Beta(2)]);
    assert_eq!((read.count, read.plural.as_str()), (false, "offerings"));
    assert!(read.fields[0].filter.is_on() && read.fields[0].sort);
}

#[test]
fn a_views_path_follows_a_plural_that_is_given_after_it() {
    let read = resource(quote!(
        #[resource(view(sale, operations(get, list)), plural = "offerings")]
        struct Offer {
            name: String,
        }
    ));
    assert_eq!(read.views[0].path, "/sale/offerings");
}

#[test]
fn constraints_of_an_array_are_its_own_or_its_items() {
    let read = field(quote!(#[field(required, min_items = 1, max_length = 9)] names: Vec<String>));
    let items = Type::String { min_length: None, max_length: Some(9), pattern: None, format: None };
    let ty = Type::Array { items: Box::new(items), min_items: Some(1), max_items: None, unique_items: false };
    assert_eq!(read, Field { required: true, ..Field::new("names", ty) });
}

#[test]
fn an_array_of_what_is_described_elsewhere_names_it_as_written() {
    assert_eq!(field(quote!(sizes: Vec<shop::Size>)).ty, array(Type::Named { name: "shop::Size".into() }));
}

#[test]
fn a_path_tells_the_types_of_rust_and_of_the_library_from_others() {
    let ty = |tokens| field(quote!(#[field(allow("singular-field" = "x", "plural-array" = "x"))] of: #tokens)).ty;
    let named = |name: &str| Type::Named { name: name.to_owned() };
    let price = ty(quote!(Price));
    assert!(matches!(price, Type::Price { .. }));
    for known in [quote!(restwell::Price), quote!(::restwell::Price), quote!(std::option::Option<restwell::Price>)] {
        assert_eq!(ty(known), price);
    }
    for known in [quote!(uuid::Uuid), quote!(restwell::Uuid), quote!(Option<Uuid>)] {
        assert_eq!(ty(known), Type::Uuid);
    }
    assert_eq!(ty(quote!(::std::string::String)), Type::string());
    assert_eq!(ty(quote!(::std::vec::Vec<super::Vec>)), array(named("super::Vec")));
    assert_eq!(ty(quote!(restwell::Ref<super::Ref>)), Type::reference("super::Ref"));
    for own in ["super::Price", "self::Option", "crate::shop::Vec", "shop::Value", "super::Ref", "shop::Url"] {
        assert_eq!(ty(own.parse().unwrap()), named(own));
    }
    for known in [quote!(serde_json::Value), quote!(restwell::Value)] {
        assert!(matches!(ty(known), Type::Json { .. }));
    }
    let faults = faults(quote!(
        struct Offer {
            of: std::collections::HashMap<String, String>,
        }
    ));
    assert!(faults[0].0.ends_with("write `BTreeMap`"), "{faults:?}");
}

#[test]
fn an_underscore_at_the_end_escapes_a_keyword() {
    let read = resource(quote!(
        #[resource(unique(self_, crate_), query = ListQuery)]
        struct Offer {
            self_: Option<String>,
            crate_: Option<String>,
        }
    ));
    assert_eq!(read.unique, [["self", "crate"]]);
    let names: Vec<_> = read.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["self", "crate"]);
}

#[test]
fn bounds_and_defaults_are_taken_as_written() {
    let decimal = field(quote!(#[field(minimum = -0.10, maximum = "5", default = 1.50)] rate: Option<Decimal>));
    let (minimum, maximum) = ("-0.10".parse().ok(), "5".parse().ok());
    assert_eq!(decimal.ty, Type::Decimal { minimum, maximum, scale: 2 });
    assert_eq!(decimal.default, Some(json!("1.50")));

    let integer = field(quote!(#[field(minimum = -5, default = -1)] rank: Option<i64>));
    assert_eq!(integer.ty, Type::Integer { minimum: Some(-5), maximum: None });
    assert_eq!(integer.default, Some(json!(-1)));

    let price = field(quote!(#[field(example = json(r#"{"amount":"1.00","currency":"PLN"}"#))] fee: Price));
    assert_eq!(price.example, Some(json!({"amount": "1.00", "currency": "PLN"})));
}

#[test]
fn a_filter_lists_what_it_adds_to_equality() {
    let filter = |tokens| field(tokens).filter;
    assert_eq!(filter(quote!(#[field(filter)] name: String)), Filter::On);
    let all = Filter::With(vec![Match::Not, Match::StartsWith, Match::Contains]);
    assert_eq!(filter(quote!(#[field(filter(not, starts_with, contains))] name: String)), all);
    let in_any_case = Filter::With(vec![Match::StartsWithIgnoreCase, Match::ContainsIgnoreCase]);
    let field = quote!(#[field(filter(starts_with_ignore_case, contains_ignore_case))] name: String);
    assert_eq!(filter(field), in_any_case);
}

#[test]
fn a_placeholder_is_a_text() {
    let read = field(quote!(#[field(placeholder = "+48 …")] phone: Option<Phone>));
    assert_eq!(read, Field { placeholder: Some("+48 …".into()), ..Field::new("phone", Type::Phone) });
}

#[test]
fn an_object_and_an_enum_are_read() {
    let (read, _) = object::read(&input(quote!(
        struct Address {
            city: String,
        }
    )))
    .unwrap();
    let city = Field { required: true, ..Field::new("city", Type::string()) };
    assert_eq!(read, Object::new("Address", vec![city]));

    let (read, _) = enumeration::read(&input(quote!(
        enum Colour {
            OffWhite,
            #[value("SNOW")]
            White,
            #[value(unknown)]
            Other(String),
        }
    )))
    .unwrap();
    let values = vec!["OFF_WHITE".into(), "SNOW".into()];
    assert_eq!(read, Enum::new("Colour", values));
}

#[test]
fn a_commands_name_is_its_structs() {
    let read = command::read(&input(quote!(
        #[command(on = Offer)]
        struct PutUp;
    )))
    .unwrap();
    assert_eq!(read.command, Command::new("put-up"));
    assert!(read.output.is_none());
}

#[test]
fn everything_wrong_is_said_at_once() {
    let faults = faults(quote!(
        #[resource(plurl = "x", count = 3)]
        struct Offer {
            #[field(maximum = "a")]
            weight: u8,
            #[field(filter = true)]
            name: String,
        }
    ));
    let places: Vec<_> = faults.iter().filter_map(|(_, place)| place.as_deref()).collect();
    assert_eq!(places, ["u8", "filter = true", "plurl", "count = 3"]);
}

#[test]
fn a_fault_of_a_rule_is_shown_at_the_nearest_token() {
    let at = |tokens| {
        let faults = faults(tokens);
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults.into_iter().find_map(|(_, place)| place)
    };
    let of = |field: TokenStream| quote!(struct Offer { #field });
    assert_eq!(at(of(quote!(#[field(min_length = 9, max_length = 7)] name: String))).as_deref(), Some("9"));
    assert_eq!(at(of(quote!(#[field(min_length = 9, max_length = 7)] names: Vec<String>))).as_deref(), Some("9"));
    assert_eq!(at(of(quote!(image: Vec<String>))).as_deref(), Some("image"));
    assert_eq!(at(of(quote!(#[field(sort)] images: Vec<String>))).as_deref(), Some("sort"));
    let owner = quote!(
        #[resource(owner = nobody)]
        struct Offer {
            name: String,
        }
    );
    assert_eq!(at(owner).as_deref(), Some("nobody"));
}

/// Lines of formatted code.
fn lines(tokens: TokenStream) -> usize {
    prettyplease::unparse(&syn::parse2(tokens).unwrap()).lines().count()
}

#[test]
fn a_resource_of_ten_fields_costs_few_lines() {
    let input = input(quote!(
        pub struct Offer {
            pub name: String,
            pub seller: Ref<User>,
            pub buy_now: Price,
            pub address: Address,
            pub stock: Option<i64>,
            #[field(default = "WHITE")]
            pub colour: Option<Colour>,
            pub images: Vec<String>,
            pub weight: Option<Decimal>,
            pub ending_at: Option<Timestamp>,
            pub note: Option<String>,
        }
    ));
    let declared = resource::read(&input).unwrap();
    // serde is two calls, however many fields there are
    assert_eq!(lines(expand::serde(&input, "resource")), 15);
    let draft = lines(expand::output(&draft::of(&input, "resource", &declared.members)));
    let all = lines(expand::resource(&input, &declared).unwrap());
    println!("{all} lines, of which {draft} are the draft");
    assert!(draft <= 40 && all <= 360, "{all} {draft}");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let told = faults(quote!(
        #[resource(operations(lst))]
        struct Offer {
            #[field(max_lenght = 5)]
            name: String,
            #[field(minimum = 5, maximum = 1)]
            stock: i64,
            #[field(min_length = 5, max_length = 1)]
            note: String,
            #[field(views(unread))]
            colour: String,
            number: u8,
        }
    ));
    let places: Vec<_> = told.iter().filter_map(|(_, place)| place.as_deref()).collect();
    assert_eq!(places, ["max_lenght", "u8", "lst", "5", "5"], "{told:#?}");
}

#[test]
fn a_rule_that_names_no_field_is_told_at_its_place() {
    let told = faults(quote!(
        #[resource(
            rule(check = "endsAt > startsAt", code = "EndsBeforeStart"),
            rule(check = "endsOn > startsAt", code = "EndsEarly"),
            rule(check = "seller.score > 3 && size(place.town) > 1", code = "Bad"),
            rule(check = "count(Bid.offer) < 3 && caller != seller", code = "Many"),
            rule(check = "endsAt >", code = "Unfinished")
        )]
        struct Offer {
            starts_at: Timestamp,
            ends_at: Timestamp,
            seller: Ref<User>,
            place: Place,
            #[field(is = "ends_at")]
            until: Option<Timestamp>,
        }
    ));
    let places: Vec<_> = told.iter().filter_map(|(_, place)| place.as_deref()).collect();
    assert_eq!(places, ["\"endsOn > startsAt\"", "\"endsAt >\"", "\"ends_at\""], "{told:#?}");
    assert!(told[0].0.contains("`Offer` has no field `endsOn`\nhelp: "), "{told:#?}");
}
