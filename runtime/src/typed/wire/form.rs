//! The form of a type in JSON, compiled from the model.

use super::read::WireReader;
use restwell_model::input::{Scalar, Token};
use restwell_model::language::{JsonForm, TypeClass};
use restwell_model::scalar::{Currency, Date, Time, Timestamp, amount, string};
use restwell_model::{Field, Resource, Service, Type, Value};
use serde::de::DeserializeSeed;
use std::borrow::Cow;

/// How the values of a type are written and read.
#[derive(Debug)]
pub(super) enum WireForm {
    /// One value.
    Scalar(WireScalar),
    /// A text: the type itself knows its values.
    Enum,
    /// `{amount, currency}`.
    Price(Box<[WireForm; 2]>),
    /// `{id}`, and where it is: under this path [`ResponseDetails`](super::ResponseDetails) have what is shown beside.
    Reference(String),
    /// Named fields.
    Object(Vec<WireField>),
    /// A list.
    Array(Box<WireForm>),
    /// Values under free names.
    Map(Box<WireForm>),
    /// Any JSON.
    Json,
}

/// A scalar type.
#[derive(Debug)]
pub(super) struct WireScalar {
    pub(super) json: JsonForm,
    reader: Scalar,
    /// After "expected".
    pub(super) what: String,
}

/// A property of an object.
#[derive(Debug)]
pub(super) struct WireField {
    pub(super) name: String,
    /// Another name, under which it is served as well.
    pub(super) former: Option<String>,
    /// Its name inside those of the objects around it.
    pub(super) path: String,
    pub(super) form: WireForm,
    pub(super) is_required: bool,
    pub(super) is_write_only: bool,
    default: Option<Value>,
}

impl WireForm {
    /// The form of a described type.
    pub(super) fn compile(service: &Service, described: &DescribedType) -> Result<Self, String> {
        let mut compiler = FormCompiler { service, inside: Vec::new() };
        match described {
            DescribedType::Enum => Ok(Self::Enum),
            DescribedType::Fields(fields) => compiler.object(fields, "", Field::may_be_null),
            DescribedType::Resource(it) => compiler.object(&it.fields, "", |field| it.may_be_null(field)),
        }
    }

    /// What is expected, in words.
    pub(super) fn what(&self) -> &str {
        match self {
            Self::Scalar(scalar) => &scalar.what,
            Self::Enum => "a string",
            Self::Price(_) => "a price like {\"amount\": \"12.30\", \"currency\": \"PLN\"}",
            Self::Reference(_) => "a reference like {\"id\": …}",
            Self::Object(_) => "an object",
            Self::Array(_) => "an array",
            Self::Map(_) => "a map",
            Self::Json => "JSON",
        }
    }
}

impl WireScalar {
    /// A value out of a JSON text, number or boolean.
    pub(super) fn parse(&self, token: &Token<'_>) -> Option<Value> {
        self.reader.parse(token).ok()
    }

    /// Whether it is written so in JSON.
    pub(super) const fn takes(&self, token: &Token<'_>) -> bool {
        match self.json {
            JsonForm::Integer | JsonForm::Number => matches!(token, Token::Number(_)),
            JsonForm::Boolean => matches!(token, Token::Bool(_)),
            _ => matches!(token, Token::Text(_)),
        }
    }

    /// Whether a blank text is null (§2.4.1).
    pub(super) fn is_blank(&self, text: &str) -> bool {
        self.reader.takes_blank() && string::is_blank(text)
    }
}

impl WireField {
    /// The value if it is not given; `None`: it is missing.
    pub(super) fn absent(&self) -> Option<Value> {
        match (&self.default, &self.form) {
            (Some(default), _) => Some(default.clone()),
            (None, WireForm::Array(_)) if !self.is_required => Some(Value::List(Vec::new())),
            (None, WireForm::Map(_)) if !self.is_required => Some(Value::Map(Vec::new())),
            (None, _) if !self.is_required => Some(Value::Null),
            (None, _) => None,
        }
    }

    /// The value if a response does not have it: what is not known is null, and a text that is write-only is empty.
    pub(super) fn absent_from_response(&self) -> Option<Value> {
        match &self.form {
            WireForm::Array(_) if !self.is_required => Some(Value::List(Vec::new())),
            WireForm::Map(_) if !self.is_required => Some(Value::Map(Vec::new())),
            _ if !self.is_required => Some(Value::Null),
            WireForm::Scalar(scalar) if self.is_write_only && scalar.reader.takes_blank() => {
                Some(Value::Text(String::new()))
            }
            _ => self.default.clone(),
        }
    }
}

/// What a description describes.
pub(in crate::typed) enum DescribedType {
    /// A list of values.
    Enum,
    /// Fields of an object or of a command.
    Fields(Vec<Field>),
    /// The fields of a resource.
    Resource(Box<Resource>),
}

struct FormCompiler<'a> {
    service: &'a Service,
    /// The objects that it is inside of.
    inside: Vec<&'a str>,
}

impl<'a> FormCompiler<'a> {
    fn object(
        &mut self,
        fields: &[Field],
        path: &str,
        may_be_null: impl Fn(&Field) -> bool,
    ) -> Result<WireForm, String> {
        let fields = fields.iter().map(|field| self.field(field, path, may_be_null(field)));
        fields.collect::<Result<_, _>>().map(WireForm::Object)
    }

    fn field(&mut self, field: &Field, path: &str, may_be_null: bool) -> Result<WireField, String> {
        let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
        let form = self.of(&field.ty, &path)?;
        let default = match &field.default {
            Some(json) => {
                let read = WireReader::of(&form).deserialize(json);
                Some(read.map_err(|error| format!("the default of `{path}`: {error}"))?)
            }
            None => None,
        };
        let (is_required, is_write_only) = (field.required && !may_be_null, field.write_only);
        let (name, former) = (field.name.clone(), field.former().map(|(former, _)| former.to_owned()));
        Ok(WireField { name, former, path, form, is_required, is_write_only, default })
    }

    fn of(&mut self, ty: &Type, path: &str) -> Result<WireForm, String> {
        Ok(match ty.class() {
            TypeClass::Ref(_) => WireForm::Reference(path.to_owned()),
            TypeClass::Array(items) => WireForm::Array(Box::new(self.of(items, path)?)),
            TypeClass::Map(values) => WireForm::Map(Box::new(self.of(values, path)?)),
            TypeClass::Scalar(scalar) if scalar.json == JsonForm::Any => WireForm::Json,
            TypeClass::Named(name) => match self.service.object(name) {
                Some(found) if self.inside.contains(&found.name.as_str()) => {
                    return Err(format!("`{name}` contains itself, at `{path}`"));
                }
                Some(found) => {
                    self.inside.push(&found.name);
                    let form = self.object(&found.fields, path, Field::may_be_null)?;
                    self.inside.pop();
                    form
                }
                None => WireForm::Enum,
            },
            TypeClass::Scalar(scalar) if scalar.json == JsonForm::Price => {
                let [amount, currency] = Scalar::of_price(None, None, &[]);
                let one = |reader, what: &str| {
                    WireForm::Scalar(WireScalar { json: JsonForm::Text, reader, what: what.to_owned() })
                };
                WireForm::Price(Box::new([one(amount, amount::FORM), one(currency, Currency::FORM)]))
            }
            TypeClass::Scalar(scalar) => {
                let plain = match ty {
                    Type::Decimal { scale, .. } => Type::Decimal { minimum: None, maximum: None, scale: *scale },
                    _ => scalar.plain.clone(),
                };
                let reader = scalar.reader.compile(&plain).ok_or_else(|| format!("`{path}` cannot be read"))?;
                let json = scalar.form(ty);
                WireForm::Scalar(WireScalar { json, reader, what: what(scalar.keys.what, json, ty) })
            }
        })
    }
}

/// A type in words, with an example where its form is one.
fn what(word: &str, json: JsonForm, ty: &Type) -> String {
    let form: Cow<'static, str> = match json {
        JsonForm::Timestamp => Timestamp::FORM.into(),
        JsonForm::Date => Date::FORM.into(),
        JsonForm::Time => Time::FORM.into(),
        JsonForm::Uuid => "a UUID in lower case".into(),
        JsonForm::Decimal { scale } => {
            format!("a string of a decimal with at most {scale} digits after the point").into()
        }
        JsonForm::Integer => "an integer of 64 bits".into(),
        JsonForm::Number | JsonForm::Boolean | JsonForm::Price | JsonForm::Text | JsonForm::Any => {
            match ty.scalar().and_then(|scalar| scalar.text_examples()) {
                Some(examples) => format!("a {word} like {}", examples.example).into(),
                None => format!("a {word}").into(),
            }
        }
    };
    form.into_owned()
}
