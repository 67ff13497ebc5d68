//! What is described: the same model as the same service has in YAML.

use crate::typed::{marketplace, other};
use marketplace::{Colour, Offer, Renew, User, Withdraw};
use restwell::Builder;
use restwell::typed::AssemblyError;
use restwell_model::{
    Access, Checked, Command, Enum, Field, Format, Object, OnDelete, Operation, OperationKind, Resource, Search,
    Service, Type, Version, View,
};
use serde_json::json;

mod rooms {
    use restwell::{Command, Resource};

    #[derive(Resource)]
    #[resource(operations(create, list, update(access = user), delete(access = anyone)))]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Room {
        name: String,
    }

    #[derive(Command)]
    #[command(on = Room)]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Close {
        reason: String,
    }

    #[derive(Command)]
    #[command(on = Room, access = anyone)]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Open {
        reason: String,
    }
}

mod paintings {
    use crate::typed::marketplace::{self as market, Colour as C};
    use restwell::{Ref, Resource};

    #[derive(Resource)]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Painting {
        main_colour: C,
        others: Vec<market::Colour>,
        painter: Ref<market::User>,
    }
}

mod bands {
    use restwell::{Ref, Resource};

    #[derive(Resource)]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Band {
        leader: Ref<Musician>,
        successor: Option<Ref<Band>>,
    }

    #[derive(Resource)]
    #[allow(dead_code, reason = "only described")]
    pub(super) struct Musician {
        band: Option<Ref<Band>>,
    }
}

fn described() -> Service {
    let builder = Builder::new("marketplace").title("Marketplace API").vendor("shop").users::<User>();
    builder.resource::<Offer>().model().expect("one piece")
}

fn required(name: &str, ty: Type) -> Field {
    Field { required: true, ..Field::new(name, ty) }
}

fn named(name: &str) -> Type {
    Type::Named { name: name.to_owned() }
}

fn array(items: Type) -> Type {
    Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false }
}

fn operation(kind: OperationKind, access: Access) -> Operation {
    Operation { access: vec![access], ..Operation::open(kind) }
}

fn text(max_length: u32) -> Type {
    Type::String { min_length: None, max_length: Some(max_length), pattern: None, format: None }
}

fn offer_fields() -> Vec<Field> {
    let seller = Type::Ref { to: "User".into(), show: vec!["name".into()], on_delete: OnDelete::Cascade };
    let price =
        Type::Price { minimum: "0.01".parse().ok(), maximum: None, currencies: vec!["PLN".into(), "EUR".into()] };
    let uri = Type::String { min_length: None, max_length: None, pattern: None, format: Some(Format::Uri) };
    let images = Type::Array { items: Box::new(uri), min_items: None, max_items: Some(16), unique_items: true };
    let decimal = |scale, minimum| Type::Decimal { minimum, maximum: None, scale };
    vec![
        Field {
            filter: true.into(),
            sort: true,
            description: Some("As buyers see it.".into()),
            ..required("name", text(75))
        },
        Field { immutable: true, filter: true.into(), ..required("seller", seller) },
        Field { filter: true.into(), sort: true, ..required("buyNow", price) },
        Field { filter: true.into(), default: Some(json!("WHITE")), ..Field::new("colour", named("Colour")) },
        required("address", named("Address")),
        Field::new("images", images),
        Field { default: Some(json!("1.5")), ..Field::new("vatRate", decimal(3, Some((-5).into()))) },
        required("fees", array(decimal(1, None))),
        Field {
            read_only: true,
            versions: Some(vec![Version::Beta(2)]),
            views: Some(vec!["sale".into()]),
            deprecated: true,
            sunset: restwell_model::scalar::Date::parse("2027-06-30"),
            renamed_from: Some("kind".into()),
            ..Field::new("type", Type::Integer { minimum: None, maximum: None })
        },
        Field { example: Some(json!(0.5)), ..Field::new("ratio2x", Type::Number { minimum: None, maximum: None }) },
    ]
}

#[test]
fn a_resource_is_described_with_all_its_attributes() {
    let owners = |kind| operation(kind, Access::Owner);
    let sale = View {
        name: "sale".into(),
        path: "/sale/offers".into(),
        through: None,
        filter: None,
        operations: vec![owners(OperationKind::List), owners(OperationKind::Get)],
        formerly: None,
        notice: None,
        allow: Default::default(),
    };
    let watched = View {
        name: "watched-by-me".into(),
        path: "/watched-offers".into(),
        through: "Watch.offer".to_owned().try_into().ok(),
        filter: None,
        operations: vec![Operation::open(OperationKind::List)],
        formerly: None,
        notice: None,
        allow: Default::default(),
    };
    let expected = Resource {
        description: Some("Something that a seller puts up for sale.\n\nIt is gone once it is sold.".into()),
        versions: vec![Version::PUBLIC, Version::Beta(2)],
        retired: vec![Version::Beta(1)],
        owner: Some("seller".into()),
        under: vec!["seller".into()],
        unique: vec![vec!["seller".into(), "name".into()]],
        operations: vec![
            operation(OperationKind::Create, Access::User),
            Operation::open(OperationKind::List),
            Operation::open(OperationKind::Get),
            Operation {
                access: vec![Access::Owner, Access::Scope("offers.admin".into())],
                is_async: true,
                ..Operation::open(OperationKind::Delete)
            },
        ],
        views: vec![sale, watched],
        count: false,
        search: Search::Fields(vec!["name".into(), "buyNow".into()]),
        fields: offer_fields(),
        allow: [("plural-path".to_owned(), "shown only".to_owned())].into(),
        ..Resource::new("Offer")
    };
    let offer = described().resource("Offer").cloned();
    assert_eq!(offer.map(|offer| Resource { commands: Vec::new(), ..offer }), Some(expected));
}

#[test]
fn commands_stand_in_their_resource_in_the_order_of_registration() {
    let input = |name, ty| required(name, ty);
    let timestamp = || Type::Timestamp { minimum: None, maximum: None };
    let renew = Command {
        description: Some("Puts an ended offer up again.".into()),
        access: vec![Access::Owner],
        open_by_default: false,
        input: vec![input("fromDate", timestamp()), input("duration", Type::Duration)],
        output: vec![Field::new("endingAt", timestamp()), Field::new("mood", named("Mood"))],
        timeout: "PT5S".into(),
        ..Command::new("renew")
    };
    let withdraw = Command {
        ready: false,
        deprecated: true,
        sunset: restwell_model::scalar::Date::parse("2027-06-30"),
        ..Command::new("take-down")
    };
    assert_eq!(described().resource("Offer").map(|offer| offer.commands.clone()), Some(vec![renew, withdraw]));
}

#[test]
fn what_a_resource_uses_is_described_with_it_and_outputs_are_not() {
    let service = described();
    let names = |names: Vec<&str>| names.join(" ");
    assert_eq!(names(service.objects.iter().map(|object| object.name.as_str()).collect()), "Address Line");
    assert_eq!(names(service.enums.iter().map(|object| object.name.as_str()).collect()), "Colour Mood");
    assert_eq!(names(service.resources.iter().map(|object| object.name.as_str()).collect()), "Offer User");
    assert_eq!(
        service.enumeration("Colour"),
        Some(&Enum {
            description: Some("What an offer looks like.".into()),
            ..Enum::new("Colour", vec!["WHITE".into(), "OFF_WHITE".into()])
        })
    );
    assert_eq!(
        service.object("Address"),
        Some(&Object {
            fields: vec![
                Field { filter: true.into(), ..Field::new("city", Type::string()) },
                required("countryCode", Type::Country),
                Field::new("lines", array(named("Line"))),
            ],
            ..Object::new("Address", Vec::new())
        })
    );
}

#[test]
fn the_service_has_the_settings_of_the_builder() {
    let service = described();
    assert_eq!((service.name.as_str(), service.title.as_deref()), ("marketplace", Some("Marketplace API")));
    assert_eq!((service.vendor.as_str(), service.users.as_deref()), ("shop", Some("User")));
}

#[test]
fn an_import_under_another_name_is_the_type_itself() {
    let service = Builder::new("gallery").resource::<paintings::Painting>().model().expect("one piece");
    let types: Vec<_> = service.resources[0].fields.iter().map(|field| field.ty.clone()).collect();
    assert_eq!(types, [named("Colour"), array(named("Colour")), Type::reference("User")]);
}

#[test]
fn resources_may_refer_to_each_other_and_to_themselves() {
    let builder = Builder::new("bands").resource::<bands::Band>().resource::<bands::Musician>();
    let model = builder.model().expect("one piece");
    let types = |at: usize| model.resources[at].fields.iter().map(|field| field.ty.clone()).collect::<Vec<_>>();
    assert_eq!(types(0), [Type::reference("Musician"), Type::reference("Band")]);
    assert_eq!(types(1), [Type::reference("Band")]);
}

#[test]
fn two_types_of_one_name_are_distinguished() {
    let errors = Builder::new("gallery").resource::<Offer>().resource::<other::Painting>().model();
    let [AssemblyError::SameName { name: "Colour", first, second }] = errors.as_ref().expect_err("a clash")[..] else {
        panic!("{errors:?}")
    };
    assert!(first.ends_with("marketplace::Colour") && second.ends_with("other::Colour"), "{first} {second}");
}

#[test]
fn a_command_needs_its_resource() {
    let errors = Builder::new("gallery").users::<User>().command::<Renew>().model();
    assert!(matches!(errors.expect_err("no Offer")[..], [AssemblyError::NoResource { resource: "Offer", .. }]));
}

#[test]
fn registering_twice_is_registering_once() {
    let once = described();
    let twice = Builder::new("marketplace").title("Marketplace API").vendor("shop").users::<User>();
    let twice = twice.resource::<User>().definition::<Colour>().resource::<Offer>().resource::<Offer>();
    let twice = twice.command::<Renew>().command::<Withdraw>().command::<Renew>();
    assert_eq!(twice.model(), Ok(once));
}

#[test]
fn writes_that_are_open_by_default_are_a_warning_as_in_yaml() {
    let builder = Builder::new("hotel").resource::<rooms::Room>().command::<rooms::Close>().command::<rooms::Open>();
    let checked = Checked::new(builder.model().expect("one piece")).expect("no error");
    let warnings: Vec<_> =
        checked.warnings().iter().map(|it| format!("{} {}: {}", it.code, it.at, it.message)).collect();
    assert_eq!(warnings, ["open-writes Room: anyone can call `create` and the command `close`, without a token"]);
}
