//! Whether a body of a response is one of its type (§2.3, §2.4): what it lacks, what it has too many, what is not in
//! its form.

use restwell_model::api::{Api, Property, ValueType};
use restwell_model::input::check_json;
use restwell_model::scalar::{Date, Time, Timestamp};
use restwell_model::{ErrorCode, Type};
use serde_json::Value;

/// Faults of one body that are looked for.
const MAX_FAULTS: usize = 10;

/// What is wrong with a body, each as what was expected.
pub(crate) fn faults(api: &Api<'_>, schema: &ValueType<'_>, json: &Value) -> Vec<String> {
    let mut reader = BodyReader { api, faults: Vec::new() };
    reader.value(schema, json, "");
    reader.faults
}

struct BodyReader<'a> {
    api: &'a Api<'a>,
    faults: Vec<String>,
}

impl BodyReader<'_> {
    fn fault(&mut self, at: &str, expected: &str) {
        if self.faults.len() < MAX_FAULTS {
            let at = if at.is_empty() { "the body" } else { at };
            self.faults.push(format!("{expected} at `{at}`"));
        }
    }

    fn value(&mut self, ty: &ValueType<'_>, json: &Value, at: &str) {
        match ty {
            ValueType::Scalar(ty) => self.scalar(ty, json, at),
            ValueType::Enum(known) => {
                let is_known = json.as_str().is_some_and(|word| known.values.iter().any(|value| value == word));
                if !is_known {
                    self.fault(at, &format!("one of {}", known.values.join(", ")));
                }
            }
            ValueType::Words(words) => {
                if !json.as_str().is_some_and(|word| words.contains(&word)) {
                    self.fault(at, &format!("one of {}", words.join(", ")));
                }
            }
            ValueType::Amount => self.amount(json, at),
            ValueType::Price(_) => {
                let members = json.as_object().map(|object| object.keys().map(String::as_str).collect::<Vec<_>>());
                if members.as_deref() != Some(&["amount", "currency"][..]) {
                    return self.fault(at, "a price: `amount` and `currency`, and nothing else");
                }
                self.amount(&json["amount"], &format!("{at}.amount"));
                self.scalar(&Type::Currency, &json["currency"], &format!("{at}.currency"));
            }
            ValueType::Reference { properties, .. } | ValueType::Object { properties, .. } => {
                self.object(properties, json, at);
            }
            ValueType::Array { items, .. } => match json.as_array() {
                Some(list) => {
                    for (index, item) in list.iter().enumerate() {
                        self.value(items, item, &format!("{at}.{index}"));
                    }
                }
                None => self.fault(at, "an array, `[]` if it is empty"),
            },
            ValueType::Map { values, .. } => match json.as_object() {
                Some(map) => {
                    for (name, value) in map {
                        self.value(values, value, &format!("{at}.{name}"));
                    }
                }
                None => self.fault(at, "a map, `{}` if it is empty"),
            },
            // searches: what is stored has been read by the service
            ValueType::Criterion { .. } | ValueType::Any => {}
            ValueType::Schema(key) => {
                if let Some(schema) = self.api.schema(*key) {
                    self.value(schema, json, at);
                }
            }
        }
    }

    fn object(&mut self, properties: &[Property<'_>], json: &Value, at: &str) {
        let Some(object) = json.as_object() else { return self.fault(at, "an object") };
        let inner = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
        for property in properties {
            let at = inner(&property.name);
            match object.get(&*property.name) {
                None if property.is_required => self.fault(&at, "a value or null"),
                Some(Value::Null) if !property.is_nullable => self.fault(&at, "a value other than null"),
                None | Some(Value::Null) => {}
                Some(value) => self.value(&property.value, value, &at),
            }
        }
        for name in object.keys().filter(|name| properties.iter().all(|property| property.name != name.as_str())) {
            self.fault(&inner(name), "no such property");
        }
    }

    fn amount(&mut self, json: &Value, at: &str) {
        let is_amount = json.as_str().and_then(|text| text.split_once('.')).is_some_and(|(whole, cents)| {
            let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            are_digits(whole) && are_digits(cents) && cents.len() == 2
        });
        if !is_amount {
            self.fault(at, "an amount like 12.30, with two decimals, in a text");
        }
    }

    /// The form in which values are rendered is stricter than that in which they are accepted.
    fn scalar(&mut self, ty: &Type, json: &Value, at: &str) {
        if matches!(ty, Type::Json { .. }) {
            return;
        }
        let text = json.as_str().unwrap_or_default();
        let rendered = match ty {
            Type::Timestamp { .. } => {
                Some((Timestamp::parse(text).ok().map(|it| it.to_string()), "yyyy-MM-ddTHH:mm:ss.SSSZ"))
            }
            Type::Date { .. } => Some((Date::parse(text).map(|it| it.to_string()), "yyyy-MM-dd")),
            Type::Time => Some((Time::parse(text).map(|it| it.to_string()), "HH:mm:ss.SSS")),
            _ => None,
        };
        if let Some((rendered, form)) = rendered {
            if rendered.as_deref() != Some(text) {
                self.fault(at, &format!("the form {form}"));
            }
            return;
        }
        if let Type::Decimal { scale, .. } = ty
            && text.split_once('.').map_or(0, |(_, digits)| digits.len()) != *scale as usize
        {
            return self.fault(at, &format!("a decimal with {scale} digits after the point, in a text"));
        }
        if text.trim().is_empty() && json.is_string() && !matches!(ty, Type::String { .. }) {
            return self.fault(at, "null instead of an empty text");
        }
        let expected = match ty {
            Type::String { .. } => (!json.is_string()).then_some("a text"),
            Type::Integer { .. } => (!json.is_i64()).then_some("a whole number"),
            Type::Number { .. } => (!json.is_number()).then_some("a number"),
            Type::Boolean => (!json.is_boolean()).then_some("true or false"),
            _ => return self.text_form(ty, json, at),
        };
        if let Some(expected) = expected {
            self.fault(at, expected);
        }
    }

    /// A text that has a form of its own: constraints are those of requests.
    fn text_form(&mut self, ty: &Type, json: &Value, at: &str) {
        let is_form = |code: ErrorCode| {
            !matches!(
                code,
                ErrorCode::TooShort
                    | ErrorCode::TooLong
                    | ErrorCode::PatternMismatch
                    | ErrorCode::NotEmail
                    | ErrorCode::NotUri
                    | ErrorCode::TooSmall
                    | ErrorCode::TooLarge
                    | ErrorCode::CurrencyNotAllowed
            )
        };
        let problems = check_json(self.api.service, ty, json);
        if let Some(problem) = problems.into_iter().find(|problem| is_form(problem.code)) {
            self.fault(at, &format!("a value that {}", problem.message()));
        }
    }
}
