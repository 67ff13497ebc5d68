//! Secrets (`secret: argon2`): only their hash is stored, in the PHC string form, each with a salt of its own.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, SaltString};
use restwell_model::{Checked, Field, Kind, Secret, Value};
use uuid::Uuid;

/// Where a resource's secrets are, as positions in its values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets(Vec<(usize, Place)>);

#[derive(Debug, Clone)]
enum Place {
    /// The value is one.
    Here,
    /// Inside the object, or the array's objects.
    Inside(Secrets),
}

/// A secret could not be hashed; nothing of it is told.
#[derive(Debug)]
pub(crate) struct HashError;

impl Secrets {
    /// The secrets among these fields.
    pub(crate) fn compile(service: &Checked, fields: &[Field]) -> Self {
        let place = |field: &Field| match (field.secret, service.kind(field.ty.element())) {
            (Some(Secret::Argon2), _) => Some(Place::Here),
            (None, Kind::Object(object)) => {
                let inside = Self::compile(service, &object.fields);
                (!inside.is_empty()).then_some(Place::Inside(inside))
            }
            _ => None,
        };
        Self(fields.iter().enumerate().filter_map(|(index, field)| Some((index, place(field)?))).collect())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts hashes in the place of the secrets. Slow on purpose: tens of milliseconds each.
    pub(crate) fn hash(&self, value: &mut Value) -> Result<(), HashError> {
        self.replace(value, &mut |_| false)
    }

    /// The same, but a hash stays as it is: what was stored is stored again by the service's own code.
    pub(crate) fn hash_new(&self, value: &mut Value) -> Result<(), HashError> {
        self.replace(value, &mut |text| PasswordHash::new(text).is_ok())
    }

    fn replace(&self, value: &mut Value, stays: &mut dyn FnMut(&str) -> bool) -> Result<(), HashError> {
        match value {
            Value::Object(values) => {
                for (index, place) in &self.0 {
                    match (place, values.get_mut(*index)) {
                        (Place::Here, Some(Value::Text(text))) if !stays(text) => *text = hashed(text)?,
                        (Place::Inside(secrets), Some(inner)) => secrets.replace(inner, stays)?,
                        _ => {}
                    }
                }
                Ok(())
            }
            Value::List(items) => items.iter_mut().try_for_each(|item| self.replace(item, stays)),
            _ => Ok(()),
        }
    }
}

fn hashed(secret: &str) -> Result<String, HashError> {
    // 122 random bits
    let salt = SaltString::encode_b64(Uuid::new_v4().as_bytes()).map_err(|_| HashError)?;
    let hash = Argon2::default().hash_password(secret.as_bytes(), &salt).map_err(|_| HashError)?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::password_hash::PasswordVerifier;

    #[test]
    fn secrets_are_hashed_wherever_they_are() {
        let inside = Secrets(vec![(1, Place::Here)]);
        let secrets = Secrets(vec![(0, Place::Here), (2, Place::Inside(inside))]);
        let text = |text: &str| Value::Text(text.to_owned());
        let object = Value::Object(vec![text("open"), text("hidden")]);
        let mut value = Value::Object(vec![text("hidden"), text("open"), Value::List(vec![object])]);
        secrets.hash(&mut value).unwrap();
        let Value::Object(values) = value else { panic!("an object stays one") };
        let [Value::Text(first), Value::Text(second), Value::List(items)] = &values[..] else { panic!("{values:?}") };
        let Value::Object(inner) = &items[0] else { panic!("{items:?}") };
        let Value::Text(nested) = &inner[1] else { panic!("{inner:?}") };
        assert_eq!(second, "open");
        assert_ne!(first, nested, "each has its own salt");
        for hash in [first, nested] {
            let parsed = PasswordHash::new(hash).unwrap();
            assert!(Argon2::default().verify_password(b"hidden", &parsed).is_ok());
        }
    }
}
