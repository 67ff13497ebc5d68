//! The constraints of types: each one is valid, and together they accept at least one value.

use crate::check::Fault;
use crate::check::FaultCode::{
    BadBound, BadPattern, BadScale, ContradictoryBounds, MapValues, NestedArray, UnknownCurrency,
};
use crate::check::index::{Definition, DefinitionIndex};
use crate::check::place::Place;
use crate::check::rules::{every_field, repeated_names};
use crate::field::Type;
use crate::language::{DEFAULT_MAP_ENTRIES, MAX_JSON_BYTES, TypeClass};
use crate::pattern::{MOST_MEMORY, Pattern, PatternError};
use crate::scalar::Currency;
use rust_decimal::Decimal;
use std::fmt::Display;

/// Bytes of a body, as the library bounds them: what has to be longer can never be sent.
const BODY_SIZE: u32 = 1 << 20;
/// The shortest item of an array in JSON, with what comes after it: `0,`.
const ITEM_SIZE: u32 = 2;
/// The shortest entry of a map in JSON, with what comes after it: `"a":0,`.
const ENTRY_SIZE: u32 = 6;
/// Digits of a decimal in all.
const DECIMAL_DIGITS: u32 = 18;
/// Digits of a price's amount before the point.
const AMOUNT_DIGITS: u32 = 16;
/// Digits of a price's amount after the point (§2.4.7).
const AMOUNT_SCALE: u32 = 2;

/// The constraints of a type, and of what it lists.
pub(super) fn of_type(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    match ty.class() {
        TypeClass::Scalar(scalar) => (scalar.check)(ty, at, faults),
        TypeClass::Array(items) => of_array(ty, items, at, faults),
        TypeClass::Map(values) => of_map(ty, values, at, faults),
        TypeClass::Ref(_) | TypeClass::Named(_) => {}
    }
}

/// The lengths and the pattern of a `string`.
pub(crate) fn of_string(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::String { min_length, max_length, pattern, .. } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    bounds.ordered(("minLength", *min_length), ("maxLength", *max_length));
    bounds.fits_body("minLength", *min_length, BODY_SIZE);
    bounds.not_zero("maxLength", *max_length, "a string without characters is stored as null");
    if let Some(pattern) = pattern {
        self::pattern(pattern, &at.key("pattern"), faults);
    }
}

/// The bounds of an `integer`.
pub(crate) fn of_integer(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Integer { minimum, maximum } = ty else { return };
    BoundChecks { at, faults }.ordered(("minimum", *minimum), ("maximum", *maximum));
}

/// The bounds of a `number`.
pub(crate) fn of_number(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Number { minimum, maximum } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    bounds.each((*minimum, *maximum), |bound| (!bound.is_finite()).then(|| "is not finite".to_owned()));
    bounds.ordered(("minimum", *minimum), ("maximum", *maximum));
}

/// The digits and the bounds of a `decimal`.
pub(crate) fn of_decimal(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Decimal { minimum, maximum, scale } = ty else { return };
    BoundChecks { at, faults }.decimal(*minimum, *maximum, *scale);
}

/// The bounds of a `timestamp`.
pub(crate) fn of_timestamp(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Timestamp { minimum, maximum } = ty else { return };
    BoundChecks { at, faults }.ordered(("minimum", minimum.as_ref()), ("maximum", maximum.as_ref()));
}

/// The bounds of a `date`.
pub(crate) fn of_date(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Date { minimum, maximum } = ty else { return };
    BoundChecks { at, faults }.ordered(("minimum", minimum.as_ref()), ("maximum", maximum.as_ref()));
}

/// The bounds and the currencies of a `price`.
pub(crate) fn of_price(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Price { minimum, maximum, currencies } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    bounds.each((*minimum, *maximum), not_an_amount);
    bounds.ordered(("minimum", *minimum), ("maximum", *maximum));
    self::currencies(currencies, &at.key("currencies"), faults);
}

/// The size of a `json`.
pub(crate) fn of_json(ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Json { max_bytes } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    bounds.not_zero("maxBytes", *max_bytes, "no value has less than one byte");
    if let Some(bound) = max_bytes.filter(|bound| *bound > MAX_JSON_BYTES) {
        let message = format!("`maxBytes` is {bound}, and a `json` value can have at most {MAX_JSON_BYTES} bytes");
        let fault = at.key("maxBytes").fault(BadBound, message);
        faults.push(fault.help(format!("write `maxBytes: {MAX_JSON_BYTES}` or less")));
    }
}

fn of_map(ty: &Type, values: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Map { min_items, max_items, pattern, .. } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    match (min_items, max_items) {
        (Some(least), None) if *least > DEFAULT_MAP_ENTRIES => {
            let message =
                format!("`minItems` is {least}, and a map without `maxItems` has at most {DEFAULT_MAP_ENTRIES}");
            let fault = at.key("minItems").fault(ContradictoryBounds, message);
            bounds.faults.push(fault.help(format!("write a `maxItems` of {least} or more")));
        }
        _ => bounds.ordered(("minItems", *min_items), ("maxItems", *max_items)),
    }
    bounds.fits_body("minItems", *min_items, BODY_SIZE / ENTRY_SIZE);
    bounds.not_zero("maxItems", *max_items, "the map could only be empty");
    if let Some(pattern) = pattern {
        self::pattern(pattern, &at.key("pattern"), faults);
    }
    let at = at.key("values");
    match values {
        Type::Array { .. } | Type::Map { .. } | Type::Ref { .. } => faults.push(not_in_a_map(values.word(), &at)),
        _ => of_type(values, &at, faults),
    }
}

/// Objects as the values of maps.
pub(super) fn map_values(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    every_field(index.service, |field, at| {
        let (at, ty) = match &field.ty {
            Type::Array { items, .. } => (at.key("items"), &**items),
            ty => (*at, ty),
        };
        if let Type::Map { values, .. } = ty
            && index.object(values).is_some()
        {
            faults.push(not_in_a_map("object", &at.key("values")));
        }
    });
}

fn not_in_a_map(word: &str, at: &Place<'_>) -> Fault {
    let fault = at.fault(MapValues, format!("the values of a map cannot have the type `{word}`"));
    fault.help(match word {
        "ref" => "use an array of objects, each with a name and the reference".to_owned(),
        "object" => "use an array of objects, each with a name, or `values: { type: json }`".to_owned(),
        _ => format!(
            "write a scalar type or an enum, or `values: {{ type: json }}` for any value, also {}",
            match word {
                "array" => "a list",
                _ => "an object",
            }
        ),
    })
}

fn of_array(ty: &Type, items: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Type::Array { min_items, max_items, .. } = ty else { return };
    let mut bounds = BoundChecks { at, faults };
    bounds.ordered(("minItems", *min_items), ("maxItems", *max_items));
    bounds.fits_body("minItems", *min_items, BODY_SIZE / ITEM_SIZE);
    bounds.not_zero("maxItems", *max_items, "the array could only be empty");
    self::items(items, &at.key("items"), faults);
}

/// More different items than there are values.
pub(super) fn unique_items(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    every_field(index.service, |field, at| {
        let Type::Array { items, min_items: Some(least), unique_items: true, .. } = &field.ty else { return };
        let values = match &**items {
            Type::Boolean => 2,
            Type::Named { name } => match index.get(name) {
                Some(Definition::Enum(found)) => found.values.len(),
                _ => return,
            },
            _ => return,
        };
        if usize::try_from(*least).is_ok_and(|least| least > values) {
            let message = format!("`minItems` requires {least} different items, but only {values} exist");
            let fault = at.key("minItems").fault(ContradictoryBounds, message);
            faults.push(fault.help(format!("write `minItems: {values}` or less")));
        }
    });
}

fn items(items: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if matches!(items, Type::Array { .. }) {
        let fault = at.fault(NestedArray, "an array cannot contain arrays");
        faults.push(fault.help("put the inner array into an object, as a field"));
    } else {
        of_type(items, at, faults);
    }
}

fn pattern(pattern: &Pattern, at: &Place<'_>, faults: &mut Vec<Fault>) {
    match pattern.compiled() {
        Ok(_) => {}
        Err(PatternError::TooBig) => {
            let fault =
                at.fault(BadPattern, format!("the compiled pattern needs more than {MOST_MEMORY} bytes of memory"));
            faults.push(
                fault.help("limit the length with `minLength` and `maxLength` instead of repetitions in the pattern"),
            );
        }
        Err(PatternError::Syntax { reason, position }) => {
            let message = format!("the pattern does not compile: character {position}: {reason}");
            faults.push(at.fault(BadPattern, message).help(
                "write the pattern in the syntax of Rust's `regex` crate, without look-around and backreferences",
            ));
        }
    }
}

fn currencies(codes: &[String], at: &Place<'_>, faults: &mut Vec<Fault>) {
    repeated_names(codes.iter().map(String::as_str), at, faults);
    for (position, code) in codes.iter().enumerate() {
        if Currency::parse(code).is_none() {
            let fault =
                at.index(position).fault(UnknownCurrency, format!("`{code}` is not a currency code of ISO 4217"));
            let upper = code.to_ascii_uppercase();
            let is_upper = Currency::parse(&upper).is_some();
            faults.push(fault.help(if is_upper {
                format!("write `{upper}`")
            } else {
                "write a current code, like `EUR`".to_owned()
            }));
        }
    }
}

/// What keeps a number from being a price's amount (§2.4.7).
fn not_an_amount(bound: Decimal) -> Option<String> {
    if bound.is_sign_negative() && !bound.is_zero() {
        Some("is negative, but an amount cannot be negative".to_owned())
    } else {
        too_long(bound, AMOUNT_DIGITS, AMOUNT_SCALE)
    }
}

fn too_long(bound: Decimal, digits: u32, scale: u32) -> Option<String> {
    if bound.normalize().scale() > scale {
        Some(format!("has more than {scale} digits after the decimal point"))
    } else if bound.abs().trunc().mantissa() >= 10_i128.pow(digits) {
        Some(format!("has more than {digits} digits before the decimal point"))
    } else {
        None
    }
}

/// The rules about bounds, at one type.
struct BoundChecks<'a, 'f> {
    at: &'a Place<'a>,
    faults: &'f mut Vec<Fault>,
}

impl BoundChecks<'_, '_> {
    fn ordered<T: PartialOrd + Display>(&mut self, lower: (&str, Option<T>), upper: (&str, Option<T>)) {
        if let ((low_key, Some(low)), (high_key, Some(high))) = (lower, upper)
            && low > high
        {
            let message = format!("`{low_key}` is {low}, which is above `{high_key}`, {high}");
            let fault = self.at.key(low_key).fault(ContradictoryBounds, message);
            let fault = fault.also(self.at.key(high_key).path(), "the upper bound");
            self.faults.push(fault.help(format!("write `{low_key}: {high}, {high_key}: {low}`")));
        }
    }

    fn fits_body(&mut self, key: &str, bound: Option<u32>, most: u32) {
        if let Some(bound) = bound.filter(|bound| *bound > most) {
            let message = format!("`{key}` is {bound}, which does not fit into a body of {BODY_SIZE} bytes");
            self.faults.push(self.at.key(key).fault(BadBound, message).help(format!("write `{key}: {most}` or less")));
        }
    }

    fn not_zero(&mut self, key: &str, bound: Option<u32>, why: &str) {
        if bound == Some(0) {
            let fault = self.at.key(key).fault(ContradictoryBounds, format!("`{key}` is 0: {why}"));
            self.faults.push(fault.help(format!("write `{key}: 1` or more")));
        }
    }

    fn each<T: Copy + Display>(&mut self, bounds: (Option<T>, Option<T>), wrong: impl Fn(T) -> Option<String>) {
        for (key, bound) in [("minimum", bounds.0), ("maximum", bounds.1)] {
            if let Some((bound, reason)) = bound.and_then(|bound| Some((bound, wrong(bound)?))) {
                let fault = self.at.key(key).fault(BadBound, format!("{bound} {reason}"));
                self.faults.push(fault.help(format!("write a `{key}` that is a valid value of the field")));
            }
        }
    }

    fn decimal(&mut self, minimum: Option<Decimal>, maximum: Option<Decimal>, scale: u32) {
        if scale > DECIMAL_DIGITS {
            let message = format!("`scale` is {scale}, but a decimal has {DECIMAL_DIGITS} digits in total");
            let fault = self.at.key("scale").fault(BadScale, message);
            self.faults.push(fault.help(format!("write a `scale` from 0 to {DECIMAL_DIGITS}")));
            return;
        }
        self.each((minimum, maximum), |bound| too_long(bound, DECIMAL_DIGITS - scale, scale));
        self.ordered(("minimum", minimum), ("maximum", maximum));
    }
}
