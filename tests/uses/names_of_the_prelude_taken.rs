//! What is emitted names everything absolutely: the names around it may be anything, those of the prelude, of the
//! library and of the code of the derives itself.

use restwell::{Command, Enum, Object, Resource};

pub struct Result;
pub struct Value;
pub struct Ok;
pub struct Err;
pub struct Some;
pub struct None;
pub struct Box;
pub struct Ref;
pub trait Into {}
pub trait From {}
pub trait Typed {}
pub trait Default {}
pub trait Clone {}
pub trait Send {}
pub trait Iterator {}
pub trait Query {}
mod core {}
mod std {}

/// What stands for the types of the library and of Rust has a path that leads elsewhere.
#[derive(Object)]
pub struct Pair {
    pub value: ::std::string::String,
    pub field: i64,
    pub count: Mode,
    pub price: restwell::Price,
    pub own: self::Price,
    pub text: ::core::option::Option<self::String>,
    pub items: ::std::vec::Vec<super::names_of_the_prelude_taken::Vec>,
}

#[derive(Enum)]
pub enum Mode {
    Value,
    Text,
    Some,
    None,
    Ok,
    Err,
    Self_,
    #[value(unknown)]
    Unknown(::std::string::String),
}

#[derive(Object)]
pub struct Price {
    #[field(filter, sort)]
    pub amount: restwell::Decimal,
}

#[derive(Object)]
pub struct String {
    pub text: ::std::string::String,
}

#[derive(Object)]
pub struct Vec {
    pub count: i64,
}

/// One letter, as the parameters of the code of the derives are named.
#[derive(Object)]
pub struct Q {
    #[field(filter, sort)]
    pub name: ::std::string::String,
}

#[derive(Object)]
pub struct S {
    #[field(filter, sort)]
    pub name: ::std::string::String,
}

pub struct OptionQuery;
pub struct OptionSort;

/// Called like types of Rust; so are its queries.
#[derive(Resource)]
#[resource(query = Choices, sort = ChoiceKeys, owner = self_, unique(self_, r#gen), commands(Renew))]
pub struct Option {
    #[field(filter, sort)]
    pub name: ::std::string::String,
    #[field(filter)]
    pub self_: restwell::Ref<self::Option>,
    #[field(filter, sort)]
    pub r#gen: ::core::option::Option<::std::string::String>,
    #[field(filter, sort, name = "super")]
    pub above: ::core::option::Option<restwell::Price>,
    #[field(filter, sort)]
    pub default: ::core::option::Option<i64>,
    #[field(filter)]
    pub new: ::core::option::Option<i64>,
    pub q: self::Q,
    pub inner: self::S,
    pub price: self::Price,
}

#[derive(Command)]
#[command(on = Option, output = Pair)]
pub struct Renew {
    pub crate_: ::core::option::Option<::std::string::String>,
}

#[test]
fn names_lead_to_the_types_that_their_paths_say() {
    let model = restwell::Builder::new("taken").resource::<Option>().model();
    let model = model.unwrap_or_else(|errors| panic!("{errors:?}"));
    let option = &model.resources[0];
    assert_eq!(option.owner.as_deref(), ::core::option::Option::Some("self"));
    let names: ::std::vec::Vec<_> = option.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["name", "self", "gen", "super", "default", "new", "q", "inner", "price"]);
    assert!(matches!(option.fields[3].ty, restwell_model::Type::Price { .. }));
    assert_eq!(option.fields[1].ty, restwell_model::Type::reference("Option"));
    assert_eq!(option.fields[8].ty, restwell_model::Type::Named { name: "Price".to_owned() });
    assert_eq!(option.commands[0].input[0].name, "crate");
    let names: ::std::vec::Vec<_> = model.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["Price", "Q", "S", "String", "Vec"]);
    let query = Choices::new().self_id(restwell::Uuid::nil()).r#gen("x").default(1).new_(2);
    let _ = query.q(QQuery::new().name("x")).sort(ChoiceKeys::q(QSort::NAME)).sort_desc(ChoiceKeys::GEN);
}
