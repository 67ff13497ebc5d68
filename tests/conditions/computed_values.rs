//! The values of random expressions are the same in memory and as columns of both databases.

use crate::expressions::Expressions;
use crate::world::{CallerFacts, EntityFacts, Random, World};
use crate::{Rows, inlined, well_typed};
use restwell_model::condition::sql::{SqlTarget, columns};
use restwell_model::condition::{PricePart, Scope, StaticType, Typed, check_value, evaluate, parse, reduce};
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Value};

/// Expressions of one statement.
const EXPRESSIONS: usize = 20;
/// What stands between values.
const SEPARATOR: char = '\u{1}';

/// Compares the values of some expressions for all entities; how many pairs were compared.
pub(crate) fn statement<R: Rows>(
    service: &Checked,
    world: &World,
    rows: &R,
    random: &mut Random,
) -> Result<usize, String> {
    let caller = CallerFacts::random(world, random);
    let scope = Scope { service, entity: service.resource("Offer"), old: false };
    let target = SqlTarget { dialect: R::DIALECT, tables: &world.tables, resource: "Offer", alias: "t" };
    let mut expressions: Vec<(String, Typed)> = Vec::new();
    let mut selected = Vec::new();
    while expressions.len() < EXPRESSIONS {
        let (text, ty) = Expressions::new(random).value();
        let typed = parse(&text).map_err(|mistake| vec![mistake]).and_then(|expr| check_value(&expr, &scope, &ty));
        let Some(typed) = well_typed(&text, typed)? else { continue };
        let reduced = Typed { ty: ty.clone(), ..reduce(&typed, &caller) };
        let sql = columns(&reduced, target).ok_or_else(|| format!("not SQL: {text}"))?;
        selected.extend(sql.iter().map(|sql| as_text(&inlined(sql, R::DIALECT), &ty, R::DIALECT)));
        expressions.push((text, Typed { ty, ..typed }));
    }
    let separator = format!(" || '{SEPARATOR}' || ");
    let sql = format!("SELECT {} FROM \"offers\" t ORDER BY t.\"id\"", selected.join(&separator));
    let found = rows.texts(&sql).map_err(|error| {
        let one = |column: &&String| rows.texts(&format!("SELECT {column} FROM \"offers\" t")).is_err();
        format!("{error}: {:?}", selected.iter().find(one))
    })?;
    for (offer, found) in world.offers().zip(&found) {
        let mut found = found.split(SEPARATOR);
        for (text, typed) in &expressions {
            let value = evaluate(typed, &EntityFacts { world, offer, caller: &caller });
            for expected in written(value.as_ref(), &typed.ty) {
                let found = found.next().unwrap_or_default();
                if !is_same(&expected, found, &typed.ty) {
                    return Err(format!("{text}\nin Rust {expected}, in SQL {found}\n{offer:?}"));
                }
            }
        }
    }
    Ok(EXPRESSIONS * world.offers().count())
}

fn as_text(column: &str, ty: &StaticType, dialect: Dialect) -> String {
    let text = match (ty, dialect) {
        (StaticType::Boolean, _) => format!("CASE WHEN {column} THEN 'true' ELSE 'false' END"),
        (StaticType::Reference(_), Dialect::Sqlite) => format!("lower(hex({column}))"),
        (StaticType::Number, Dialect::Postgres) => format!("CAST(CAST({column} AS double precision) AS text)"),
        (StaticType::Reference(_), Dialect::Postgres) => format!("replace(CAST({column} AS text), '-', '')"),
        (StaticType::Number, Dialect::Sqlite) => format!("printf('%!.17g', {column})"),
        _ => format!("CAST({column} AS text)"),
    };
    format!("CASE WHEN ({column}) IS NULL THEN 'null' ELSE {text} END")
}

/// The texts of a value: of a price, of its amount and its currency.
fn written(value: Option<&Value>, ty: &StaticType) -> Vec<String> {
    match (value, ty) {
        (Some(Value::Price(units, currency)), _) => vec![units.to_string(), currency.as_str().to_owned()],
        (Some(Value::Null), StaticType::Price) => {
            vec!["null".to_owned(); [PricePart::Amount, PricePart::Currency].len()]
        }
        (Some(Value::Null), _) => vec!["null".to_owned()],
        (Some(Value::Bool(flag)), _) => vec![flag.to_string()],
        (Some(Value::Int(number)), _) => vec![number.to_string()],
        (Some(Value::Float(number)), _) => vec![number.to_string()],
        (Some(Value::Text(text)), _) => vec![text.clone()],
        (Some(Value::Uuid(id)), _) => vec![id.simple().to_string()],
        (other, _) => vec![format!("{other:?}")],
    }
}

fn is_same(expected: &str, found: &str, ty: &StaticType) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    expected == found || (*ty == StaticType::Number && number(expected).is_some() && number(expected) == number(found))
}
