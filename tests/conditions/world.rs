//! Random entities of a small market, in memory and as rows.

use restwell_model::condition::{Condition, Facts, FieldPath, Subject};
use restwell_model::scalar::{Currency, Date, Timestamp, amount, decimal};
use restwell_model::tables::{Content, Dialect, Slot, Table, create};
use restwell_model::{Checked, Enum, Field, Object, Resource, Service, Type, Value};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use uuid::Uuid;

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }
}

pub(crate) fn service() -> Checked {
    let mut service = Service::new("market");
    service.users = Some("User".to_owned());
    let values = ["ACTIVE", "ENDED", "NEW"].map(str::to_owned).to_vec();
    service.enums.push(Enum::new("Status", values));
    let named = |name: &str| Type::Named { name: name.to_owned() };
    let price = || Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
    let integer = || Type::Integer { minimum: None, maximum: None };
    let decimal = |scale| Type::Decimal { minimum: None, maximum: None, scale };
    let timestamp = || Type::Timestamp { minimum: None, maximum: None };
    let date = || Type::Date { minimum: None, maximum: None };
    let list =
        |items: Type| Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false };
    let fields = |fields: Vec<(&str, Type)>| -> Vec<Field> {
        fields.into_iter().map(|(name, ty)| Field::new(name, ty)).collect()
    };
    let object = |name: &str, of| Object::new(name, fields(of));
    let mut details = object("Details", vec![("city", Type::string())]);
    // a column that has a default is not null where the object is absent
    details.fields[0].default = Some(json!("Ustka"));
    service.objects.push(object("Address", vec![("city", Type::string())]));
    service.objects.push(details);
    service.objects.push(object(
        "Option",
        vec![
            ("name", Type::string()),
            ("price", price()),
            ("at", timestamp()),
            ("weight", decimal(1)),
            ("chosen", Type::Boolean),
            ("maker", Type::reference("User")),
            ("day", date()),
        ],
    ));
    let mut resource = |name: &str, of| {
        let mut resource = Resource::new(name);
        resource.fields = fields(of);
        service.resources.push(resource);
    };
    resource(
        "User",
        vec![
            ("name", Type::string()),
            ("status", named("Status")),
            ("verified", Type::Boolean),
            ("score", integer()),
            ("employer", Type::reference("User")),
        ],
    );
    resource(
        "Offer",
        vec![
            ("name", Type::string()),
            ("status", named("Status")),
            ("seller", Type::reference("User")),
            ("price", price()),
            ("shipping", price()),
            ("quantity", integer()),
            ("weight", decimal(3)),
            ("fee", decimal(0)),
            ("ratio", Type::Number { minimum: None, maximum: None }),
            ("startingAt", timestamp()),
            ("endingAt", timestamp()),
            ("day", date()),
            ("period", Type::Duration),
            ("featured", Type::Boolean),
            ("address", named("Address")),
            ("details", named("Details")),
            ("tags", list(Type::string())),
            ("options", list(named("Option"))),
        ],
    );
    resource(
        "Watch",
        vec![("offer", Type::reference("Offer")), ("user", Type::reference("User")), ("note", Type::string())],
    );
    resource("Remark", vec![("watch", Type::reference("Watch")), ("author", Type::reference("User"))]);
    for (resource, name, ty, value) in [
        ("Offer", "doubled", price(), "price + price"),
        ("Offer", "isChosen", Type::Boolean, "options.exists(o, o.chosen && o.name == name)"),
        ("Offer", "isWatched", Type::Boolean, "any(Watch.offer, isNoted) && !isChosen"),
        ("Offer", "sellerName", Type::string(), "seller.employer.name"),
        ("Offer", "computedPeriod", Type::Duration, "endingAt - startingAt"),
        ("Watch", "isNoted", Type::Boolean, "note != null"),
    ] {
        let computed = Field { computed: Some(Condition::new(value)), ..Field::new(name, ty) };
        let resource = service.resources.iter_mut().find(|it| it.name == resource).expect("a resource");
        resource.fields.push(computed);
    }
    let named = |(name, text): (&str, &str)| (name.to_owned(), Condition::new(text));
    service.conditions = [("fromDesk", "\"a\" in scopes || claims.admin")].map(named).into();
    let offer = service.resources.iter_mut().find(|it| it.name == "Offer").expect("a resource");
    offer.conditions = [
        ("isOpen", "status == \"ACTIVE\" && (shown || seller == caller)"),
        ("shown", "featured"),
        ("chosen", "featured ? seller.verified : options.exists(o, o.chosen && fromDesk)"),
    ]
    .map(named)
    .into();
    Checked::recorded(service)
}

/// An entity: its id, when it was created, its fields.
#[derive(Debug)]
pub(crate) struct Entity {
    id: Uuid,
    created_at: i64,
    fields: Value,
}

pub(crate) struct World {
    service: Checked,
    pub(crate) tables: HashMap<String, Table>,
    entities: HashMap<String, Vec<Entity>>,
}

const NOW: i64 = 1_801_400_000_000;

impl World {
    pub(crate) fn new(service: &Checked, random: &mut Random, offers: usize) -> Self {
        let tables = service.resources.iter().map(|r| (r.name.clone(), Table::of(service, r))).collect();
        let mut world = Self { service: service.clone(), tables, entities: HashMap::new() };
        for (resource, count) in [("User", 8), ("Offer", offers), ("Watch", offers), ("Remark", 12)] {
            for number in 0..count {
                let id = Uuid::from_u128(((resource.len() as u128) << 64) + number as u128 + 1);
                let of = &service.resource(resource).expect("a resource").fields;
                let values = of.iter().map(|field| world.value(&field.ty, random)).collect();
                let entity = Entity { id, created_at: NOW - 1_000 * number as i64, fields: Value::Object(values) };
                world.entities.entry(resource.to_owned()).or_default().push(entity);
            }
        }
        world
    }

    pub(crate) fn offers(&self) -> impl Iterator<Item = &Entity> {
        self.entities["Offer"].iter()
    }

    fn value(&self, ty: &Type, random: &mut Random) -> Value {
        if random.below(5) == 0 && !matches!(ty, Type::Array { .. }) {
            return Value::Null;
        }
        let text = |text: &str| Value::Text(text.to_owned());
        match ty {
            Type::String { .. } => text(random.one_of(&["a", "A", "ab", "łódź", "ŁÓDŹ", "B", "ba", "Ustka", "it's"])),
            Type::Named { name } => match self.service.object(name) {
                Some(object) => {
                    let members = object.fields.iter().map(|field| self.value(&field.ty, random));
                    Value::Object(members.collect())
                }
                None => text(random.one_of(&["ACTIVE", "ENDED", "NEW"])),
            },
            Type::Price { .. } => {
                let units = random.one_of(&[0, 1, 999, 1_000, 1_050, 999_999_999_999_999_999]);
                Value::Price(units, Currency::parse(random.one_of(&["PLN", "PLN", "EUR"])).expect("a currency"))
            }
            Type::Integer { .. } => Value::Int(random.one_of(&[0, 1, 2, 3, -3, 12, (1 << 53) + 1, i64::MAX, i64::MIN])),
            Type::Decimal { .. } => {
                Value::Int(random.one_of(&[0, 1, 15, 1_500, 2_125, -3_000, 999_999_999_999_999_999]))
            }
            Type::Number { .. } => Value::Float(random.one_of(&[
                0.0,
                0.5,
                1.25,
                -2.0,
                3.0,
                0.1,
                0.075,
                1.005,
                1e-7,
                1e17,
                18_014_398_509_481_980.0,
                1e-200,
                -1e-320,
                5e-324,
                1e154,
                1e200,
                1e308,
                -f64::MAX,
                9_007_199_254_740_992.0,
                9_223_372_036_854_775_808.0,
            ])),
            Type::Timestamp { .. } => Value::Int(random.one_of(&[
                NOW,
                NOW + 1,
                Timestamp::parse("2027-01-31T12:00:00.000Z").expect("a timestamp").millis(),
                Timestamp::parse("2027-02-28T12:00:00.000Z").expect("a timestamp").millis(),
                Timestamp::parse("1969-12-31T23:59:59.999Z").expect("a timestamp").millis(),
                Timestamp::MIN.millis(),
                Timestamp::MAX.millis(),
            ])),
            Type::Date { .. } => {
                let day = Date::parse("2027-01-31").expect("a date").days();
                Value::Int(random.one_of(&[day, day + 1, day + 28, 0, -1, Date::MIN.days(), Date::MAX.days()]))
            }
            Type::Duration => text(random.one_of(&[
                "P1M",
                "PT36H",
                "P1Y2M",
                "P0.5M",
                "P2W",
                "PT0.0005S",
                "P1DT0.5S",
                "P999999999999999999D",
                "P1.5W",
                "PT1H1M1S",
            ])),
            Type::Boolean => Value::Bool(random.below(2) == 0),
            Type::Ref { to, .. } => match self.entities.get(to) {
                Some(entities) if !entities.is_empty() => Value::Uuid(entities[random.below(entities.len())].id),
                _ => Value::Null,
            },
            Type::Array { items, .. } => {
                Value::List((0..random.below(4)).map(|_| self.value(items, random)).filter(|v| !v.is_null()).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    fn entity(&self, resource: &str, id: Uuid) -> Option<&Entity> {
        self.entities.get(resource)?.iter().find(|entity| entity.id == id)
    }

    /// The tables and their rows.
    pub(crate) fn statements(&self, dialect: Dialect) -> Vec<String> {
        let is_own = |statement: &&String| !statement.contains("\"_restwell");
        let mut statements: Vec<_> = create(&self.service, dialect).iter().filter(is_own).cloned().collect();
        for resource in ["User", "Offer", "Watch", "Remark"] {
            let (table, of) = (&self.tables[resource], &self.service.resource(resource).expect("a resource").fields);
            for entity in &self.entities[resource] {
                let mut cells =
                    vec![Value::Uuid(entity.id), Value::Int(entity.created_at), Value::Int(entity.created_at)];
                cells.resize(table.columns.len(), Value::Null);
                self.fill(&table.slots, of, &entity.fields, table, &mut cells);
                let cells: Vec<_> = cells.iter().map(|cell| crate::literal(cell, dialect)).collect();
                statements.push(format!("INSERT INTO \"{}\" VALUES ({})", table.name, cells.join(",")));
            }
        }
        statements
    }

    fn fill(&self, slots: &[Slot], fields: &[Field], value: &Value, table: &Table, cells: &mut [Value]) {
        let members = match value {
            Value::Object(members) => members.clone(),
            _ => vec![Value::Null; fields.len()],
        };
        let is_absent = value.is_null();
        for ((slot, field), value) in slots.iter().zip(fields).zip(members) {
            let at = slot.columns.start;
            match (&slot.content, value) {
                (Content::Computed, _) => {}
                (Content::Object { optional, slots }, value) => {
                    if *optional {
                        cells[at] = if value.is_null() { Value::Null } else { Value::Bool(true) };
                    }
                    let Type::Named { name } = &field.ty else { panic!("an object") };
                    let object = self.service.object(name).expect("an object");
                    self.fill(slots, &object.fields, &value, table, cells);
                }
                (Content::Price, Value::Price(units, currency)) => {
                    cells[at] = Value::Int(units);
                    cells[at + 1] = Value::Text(currency.as_str().to_owned());
                }
                (Content::Array, value) => {
                    cells[at] = Value::Text(self.json(&field.ty, &value).to_string());
                }
                _ if is_absent => cells[at] = table.columns[at].default.clone(),
                (_, value) => cells[at] = value,
            }
        }
    }

    /// A value as arrays have it.
    fn json(&self, ty: &Type, value: &Value) -> Json {
        let text = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            write(&mut bytes);
            Json::String(String::from_utf8(bytes).expect("UTF-8"))
        };
        match (ty, value) {
            (Type::Array { items, .. }, Value::List(list)) => list.iter().map(|item| self.json(items, item)).collect(),
            (Type::Named { name }, Value::Object(members)) => {
                let fields = &self.service.object(name).expect("an object").fields;
                let member = |(field, value): (&Field, &Value)| (field.name.clone(), self.json(&field.ty, value));
                Json::Object(fields.iter().zip(members).map(member).collect())
            }
            (Type::Ref { .. }, Value::Uuid(id)) => json!({ "id": id }),
            (_, Value::Price(units, currency)) => {
                json!({ "amount": text(&|out| amount::write(*units, out)), "currency": currency.as_str() })
            }
            (Type::Timestamp { .. }, Value::Int(at)) => {
                text(&|out| Timestamp::from_millis(*at).expect("a time").write(out))
            }
            (Type::Date { .. }, Value::Int(days)) => text(&|out| Date::from_days(*days).expect("a date").write(out)),
            (Type::Decimal { scale, .. }, Value::Int(units)) => text(&|out| decimal::write(*units, *scale, out)),
            (_, Value::Text(text)) => text.as_str().into(),
            (_, Value::Bool(flag)) => (*flag).into(),
            (_, Value::Uuid(id)) => id.to_string().into(),
            _ => Json::Null,
        }
    }
}

/// The claims that a token can have.
const CLAIMS: [&str; 8] = ["city", "admin", "count", "ratio", "large", "nothing", "roles", "realm"];

/// A claim of any type of JSON.
fn claim(user: Uuid, random: &mut Random) -> Json {
    random.one_of(&[
        Json::Null,
        json!(true),
        json!(false),
        json!("Ustka"),
        json!("a"),
        json!("ACTIVE"),
        json!("3"),
        json!(user),
        json!("2027-01-31T12:00:00.000Z"),
        json!(3),
        json!(3.0),
        json!(2.5),
        json!(0.123_456_789_012_345_68),
        json!(9_007_199_254_740_993_u64),
        json!(18_446_744_073_709_551_615_u64),
        json!(-1e300),
        json!(["a", "ł", 3, null, "ACTIVE"]),
        json!([]),
        json!({ "role": "a" }),
        json!({}),
    ])
}

/// What is known of a caller alone.
pub(crate) struct CallerFacts {
    caller: Option<Uuid>,
    scopes: Vec<String>,
    claims: Json,
}

impl CallerFacts {
    pub(crate) fn random(world: &World, random: &mut Random) -> Self {
        let users = &world.entities["User"];
        let caller = (random.below(5) > 0).then(|| users[random.below(users.len())].id);
        let claims = CLAIMS.map(|name| (name.to_owned(), claim(users[0].id, random)));
        let claims = Json::Object(claims.into_iter().collect());
        Self { caller, scopes: vec!["a".to_owned(), "ACTIVE".to_owned()], claims }
    }
}

impl Facts for CallerFacts {
    fn caller(&self) -> Option<Option<Uuid>> {
        Some(self.caller)
    }

    fn scopes(&self) -> Option<&[String]> {
        Some(&self.scopes)
    }

    fn claim(&self, path: &str) -> Option<Option<&Json>> {
        Some(self.claims.pointer(&format!("/{}", path.replace('.', "/"))))
    }

    fn now(&self) -> Option<i64> {
        Some(NOW)
    }
}

/// Everything that is known about an offer.
pub(crate) struct EntityFacts<'a> {
    pub(crate) world: &'a World,
    pub(crate) offer: &'a Entity,
    pub(crate) caller: &'a CallerFacts,
}

impl Facts for EntityFacts<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        let entity = match of {
            Subject::This => Some(self.offer),
            Subject::Old => None,
            Subject::Entity { resource, id } => self.world.entity(resource, id),
        };
        let Some(entity) = entity else { return Some(Value::Null) };
        match path.dotted().as_str() {
            "id" => Some(Value::Uuid(entity.id)),
            "createdAt" | "updatedAt" => Some(Value::Int(entity.created_at)),
            _ => path.within(&entity.fields),
        }
    }

    fn referring(&self, resource: &str, field: &FieldPath, to: Uuid) -> Option<Vec<Uuid>> {
        let entities = self.world.entities.get(resource)?.iter();
        let refers = |entity: &&Entity| field.within(&entity.fields) == Some(Value::Uuid(to));
        Some(entities.filter(refers).map(|entity| entity.id).collect())
    }

    fn caller(&self) -> Option<Option<Uuid>> {
        self.caller.caller()
    }

    fn scopes(&self) -> Option<&[String]> {
        self.caller.scopes()
    }

    fn claim(&self, path: &str) -> Option<Option<&Json>> {
        self.caller.claim(path)
    }

    fn now(&self) -> Option<i64> {
        self.caller.now()
    }
}
