//! What people do to a model between two versions. An edit that does not fit the model, or makes one that does not hold,
//! is not done.

use proptest::prelude::*;
use proptest::sample::select;
use restwell_model::{Checked, Enum, Field, Object, OnDelete, Resource, Service, Type, Uniqueness};
use serde_json::{Value, json};

/// An edit. Numbers choose among what there is.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    Add {
        place: usize,
        field: NewField,
        at: usize,
    },
    Drop {
        place: usize,
        field: usize,
    },
    Rename {
        place: usize,
        field: usize,
        name: usize,
    },
    Retype {
        place: usize,
        field: usize,
        ty: usize,
    },
    Default {
        place: usize,
        field: usize,
        is_other: Option<bool>,
    },
    Flag {
        place: usize,
        field: usize,
        flag: Flag,
    },
    /// Combinations that are unique.
    Unique {
        place: usize,
        fields: Option<(usize, usize)>,
    },
    AddResource {
        name: usize,
    },
    DropResource {
        place: usize,
    },
    RenameResource {
        place: usize,
        name: usize,
    },
    Plural {
        place: usize,
    },
    /// A value that the enum has, or not.
    Value {
        value: usize,
    },
}

#[derive(Debug, Clone)]
pub(super) struct NewField {
    name: usize,
    ty: usize,
    is_required: bool,
    has_default: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Flag {
    Required,
    /// With a default.
    Given,
    Filter,
    Sort,
    Unique,
}

const NAMES: [&str; 7] = ["name", "city", "level", "note", "code", "weight", "seller"];
const PLURALS: [&str; 7] = ["names", "cities", "levels", "notes", "codes", "weights", "sellers"];
const RESOURCES: [&str; 4] = ["User", "Offer", "Shop", "Visit"];
const VALUES: [&str; 4] = ["RED", "BLUE", "GREEN", "WHITE"];

pub(super) fn edit() -> impl Strategy<Value = Edit> {
    let (place, field, name, ty) = (0..8_usize, 0..8_usize, 0..NAMES.len(), 0..64_usize);
    let new = (name.clone(), ty.clone(), any::<bool>(), any::<bool>());
    let new = new.prop_map(|(name, ty, is_required, has_default)| NewField { name, ty, is_required, has_default });
    let flag = select(vec![Flag::Required, Flag::Given, Flag::Filter, Flag::Sort, Flag::Unique]);
    let default = proptest::option::of(any::<bool>());
    let resource = 0..RESOURCES.len();
    prop_oneof![
        8 => (place.clone(), new, field.clone()).prop_map(|(place, field, at)| Edit::Add { place, field, at }),
        2 => (place.clone(), field.clone()).prop_map(|(place, field)| Edit::Drop { place, field }),
        3 => (place.clone(), field.clone(), name).prop_map(|(place, field, name)| Edit::Rename { place, field, name }),
        4 => (place.clone(), field.clone(), ty).prop_map(|(place, field, ty)| Edit::Retype { place, field, ty }),
        3 => (place.clone(), field.clone(), default)
            .prop_map(|(place, field, is_other)| Edit::Default { place, field, is_other }),
        5 => (place.clone(), field.clone(), flag).prop_map(|(place, field, flag)| Edit::Flag { place, field, flag }),
        2 => (place.clone(), proptest::option::of((field.clone(), field)))
            .prop_map(|(place, fields)| Edit::Unique { place, fields }),
        1 => resource.clone().prop_map(|name| Edit::AddResource { name }),
        1 => place.clone().prop_map(|place| Edit::DropResource { place }),
        2 => (place.clone(), resource).prop_map(|(place, name)| Edit::RenameResource { place, name }),
        1 => place.prop_map(|place| Edit::Plural { place }),
        1 => (0..VALUES.len()).prop_map(|value| Edit::Value { value }),
    ]
}

/// What everything begins with.
pub(super) fn first() -> Checked {
    let mut service = Service::new("shop");
    let values = VALUES[..2].iter().map(|value| (*value).to_owned()).collect();
    service.enums = vec![Enum::new("Colour", values)];
    let fields = vec![Field { required: true, ..Field::new("city", Type::string()) }];
    service.objects = vec![Object::new("Address", fields)];
    let mut offer = Resource::new("Offer");
    offer.fields = vec![
        Field::new("place", named("Address")),
        Field { required: true, ..Field::new("home", named("Address")) },
        Field::new("colour", named("Colour")),
        Field::new("seller", Type::reference("User")),
    ];
    let mut user = Resource::new("User");
    user.fields = vec![Field { required: true, ..Field::new("name", Type::string()) }];
    service.resources = vec![offer, user];
    Checked::new(service).expect("a model")
}

/// The next version: what was said of names before is forgotten.
pub(super) fn edited(model: &Checked, edits: &[Edit]) -> Checked {
    let mut service = model.clone().into_inner();
    service.resources.iter_mut().for_each(|resource| resource.renamed_from = None);
    all_fields(&mut service).into_iter().flatten().for_each(|field| field.renamed_from = None);
    for edit in edits {
        let mut next = service.clone();
        if apply(&mut next, edit).is_some() && Checked::new(next.clone()).is_ok() {
            service = next;
        }
    }
    Checked::new(service).expect("each edit leaves a model that holds")
}

fn all_fields(service: &mut Service) -> Vec<&mut Vec<Field>> {
    let Service { objects, resources, .. } = service;
    let of_resources = resources.iter_mut().map(|resource| &mut resource.fields);
    objects.iter_mut().map(|object| &mut object.fields).chain(of_resources).collect()
}

fn fields(service: &mut Service, place: usize) -> Option<&mut Vec<Field>> {
    let mut all = all_fields(service);
    (!all.is_empty()).then(|| all.swap_remove(place % all.len()))
}

fn field(service: &mut Service, place: usize, field: usize) -> Option<&mut Field> {
    let fields = fields(service, place)?;
    let field = field.checked_rem(fields.len())?;
    fields.get_mut(field)
}

fn resource(service: &mut Service, place: usize) -> Option<&mut Resource> {
    let place = place.checked_rem(service.resources.len())?;
    service.resources.get_mut(place)
}

/// `None` where there is nothing that it could be done to.
fn apply(service: &mut Service, edit: &Edit) -> Option<()> {
    match edit {
        Edit::Add { place, field, at } => {
            let ty = types().swap_remove(field.ty % types().len());
            let default = field.has_default.then(|| default(&ty, false)).flatten();
            let new = Field { required: field.is_required, default, ..Field::new(name(&ty, field.name), ty) };
            let fields = fields(service, *place)?;
            if fields.iter().any(|field| field.name == new.name) {
                return None;
            }
            fields.insert(at % (fields.len() + 1), new);
        }
        Edit::Drop { place, field } => {
            let fields = fields(service, *place)?;
            fields.remove(field.checked_rem(fields.len())?);
        }
        Edit::Rename { place, field: which, name: to } => {
            let field = field(service, *place, *which)?;
            let to = name(&field.ty, *to).to_owned();
            let from = std::mem::replace(&mut field.name, to.clone());
            field.renamed_from = Some(field.renamed_from.take().unwrap_or_else(|| from.clone()));
            // combinations name it
            let fields = all_fields(service).len() - service.resources.len();
            let place = place % (fields + service.resources.len());
            if let Some(resource) = place.checked_sub(fields).and_then(|at| service.resources.get_mut(at)) {
                let names = resource.unique.iter_mut().flatten();
                names.filter(|name| **name == from).for_each(|name| name.clone_from(&to));
            }
        }
        Edit::Retype { place, field: which, ty } => {
            let field = field(service, *place, *which)?;
            field.ty = types().swap_remove(ty % types().len());
            field.default = field.default.take().and_then(|_| default(&field.ty, true));
        }
        Edit::Default { place, field: which, is_other } => {
            let field = field(service, *place, *which)?;
            field.default = is_other.and_then(|is_other| default(&field.ty, is_other));
        }
        Edit::Flag { place, field: which, flag } => {
            let field = field(service, *place, *which)?;
            match flag {
                Flag::Required => field.required = !field.required,
                Flag::Given => {
                    field.required = !field.required;
                    field.default = Some(default(&field.ty, false)?);
                }
                Flag::Filter => field.filter = (!field.filter.is_on()).into(),
                Flag::Sort => field.sort = !field.sort,
                Flag::Unique => {
                    field.unique = match (field.unique, &field.ty) {
                        (Uniqueness::Off, _) => Uniqueness::Exact,
                        (Uniqueness::Exact, Type::String { .. }) => Uniqueness::IgnoreCase,
                        (Uniqueness::Exact | Uniqueness::IgnoreCase, _) => Uniqueness::Off,
                    }
                }
            }
        }
        Edit::Unique { place, fields } => {
            let resource = resource(service, *place)?;
            match fields {
                Some((one, other)) => {
                    let name = |at: usize| Some(resource.fields[at.checked_rem(resource.fields.len())?].name.clone());
                    let names = vec![name(*one)?, name(*other)?];
                    resource.unique.push(names);
                }
                None => drop(resource.unique.pop()?),
            }
        }
        Edit::AddResource { name } => {
            let mut new = Resource::new(RESOURCES[*name]);
            new.fields =
                vec![Field::new("name", Type::string()), Field::new("seller", Type::reference(RESOURCES[*name]))];
            service.resources.push(new);
        }
        Edit::DropResource { place } => {
            let gone = service.resources.remove(place.checked_rem(service.resources.len())?).name;
            let is_kept = |field: &Field| !matches!(field.ty.element(), Type::Ref { to, .. } if *to == gone);
            all_fields(service).into_iter().for_each(|fields| fields.retain(is_kept));
        }
        Edit::RenameResource { place, name } => {
            let resource = resource(service, *place)?;
            let new = Resource::new(RESOURCES[*name]);
            let from = std::mem::replace(&mut resource.name, new.name.clone());
            resource.plural = new.plural;
            resource.renamed_from = Some(resource.renamed_from.take().unwrap_or_else(|| from.clone()));
            for field in all_fields(service).into_iter().flatten() {
                let element = match &mut field.ty {
                    Type::Array { items, .. } => &mut **items,
                    ty => ty,
                };
                if let Type::Ref { to, .. } = element
                    && *to == from
                {
                    to.clone_from(&new.name);
                }
            }
        }
        Edit::Plural { place } => {
            let resource = resource(service, *place)?;
            let usual = Resource::new(&resource.name).plural;
            resource.plural = if resource.plural == usual { format!("all-{usual}") } else { usual };
        }
        Edit::Value { value } => {
            let values = &mut service.enums.first_mut()?.values;
            let value = VALUES[*value].to_owned();
            match values.iter().position(|other| *other == value) {
                Some(at) => drop(values.remove(at)),
                None => values.push(value),
            }
        }
    }
    service.sort();
    Some(())
}

fn name(ty: &Type, number: usize) -> &'static str {
    if matches!(ty, Type::Array { .. }) { PLURALS[number] } else { NAMES[number] }
}

fn named(name: &str) -> Type {
    Type::Named { name: name.to_owned() }
}

fn types() -> Vec<Type> {
    let array =
        |items: Type| Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false };
    let map = |values: Type| Type::Map { values: Box::new(values), min_items: None, max_items: None, pattern: None };
    let to = |to: &str, on_delete| Type::Ref { to: to.to_owned(), show: Vec::new(), on_delete };
    let words = [
        "string",
        "integer",
        "number",
        "boolean",
        "uuid",
        "timestamp",
        "date",
        "time",
        "duration",
        "country",
        "price",
        "json",
    ];
    let plain = words.iter().map(|word| serde_json::from_value(json!({ "type": word })).expect("a type"));
    let decimal = |scale| Type::Decimal { minimum: None, maximum: None, scale };
    plain
        .chain([decimal(2), decimal(4), decimal(0), named("Colour"), named("Address")])
        .chain([
            Type::reference("User"),
            to("User", OnDelete::Null),
            to("Offer", OnDelete::Cascade),
            Type::reference("Offer"),
        ])
        .chain([array(Type::string()), array(Type::reference("User")), array(named("Address"))])
        .chain([map(Type::string()), map(named("Colour")), array(map(Type::Boolean))])
        .collect()
}

/// One of two values that a type has.
fn default(ty: &Type, is_other: bool) -> Option<Value> {
    let of = |one: Value, other: Value| Some(if is_other { other } else { one });
    match ty {
        Type::String { .. } => of(json!("it's"), json!(";\n\"\\")),
        Type::Integer { .. } => of(json!(7), json!(-9_007_199_254_740_991_i64)),
        Type::Number { .. } => of(json!(0.5), json!(-1.25)),
        Type::Decimal { .. } => of(json!("2"), json!("-3")),
        Type::Boolean => of(json!(true), json!(false)),
        Type::Uuid => of(json!("00000000-0000-7000-8000-000000000077"), json!("00000000-0000-7000-8000-000000000078")),
        Type::Timestamp { .. } => of(json!("2027-06-30T12:00:00.001Z"), json!("1960-01-01T00:00:00.000Z")),
        Type::Date { .. } => of(json!("2027-06-30"), json!("1960-01-01")),
        Type::Time => of(json!("12:00:00.000"), json!("00:00:00.001")),
        Type::Duration => of(json!("P2D"), json!("PT1H")),
        Type::Country => of(json!("PL"), json!("CZ")),
        Type::Price { .. } => {
            of(json!({ "amount": "5.00", "currency": "PLN" }), json!({ "amount": "0.01", "currency": "EUR" }))
        }
        Type::Json { .. } => of(json!({ "a": [1, null] }), json!("x")),
        Type::Map { values, .. } => {
            let value = default(values, is_other)?;
            of(json!({ "a": value }), json!({ "b": value, "a": value }))
        }
        Type::Named { name } if name == "Colour" => of(json!("RED"), json!("BLUE")),
        Type::Named { .. } => of(json!({ "city": "Toruń" }), json!({ "city": "Łódź" })),
        Type::Array { items, .. } if !matches!(**items, Type::Ref { .. }) => {
            let item = default(items, is_other)?;
            of(json!([item]), json!([item, item]))
        }
        _ => None,
    }
}
