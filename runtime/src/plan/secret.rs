//! Secrets (`secret: argon2`): only their hash is stored, in the PHC string form, each with a salt of its own.

use argon2::password_hash::PasswordHash;
use restwell_model::{Checked, Field, Kind, Secret, Value};

/// Stands for a hash that is not there yet: of the same form and length, and no password has it.
pub(crate) const PLACEHOLDER: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Where a resource's secrets are, as positions in its values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets(Vec<(usize, SecretPath)>);

#[derive(Debug, Clone)]
enum SecretPath {
    /// The value is one.
    Here,
    /// Inside the object, or the array's objects.
    Inside(Secrets),
}

impl SecretPath {
    fn count(&self, value: &Value) -> usize {
        match (self, value) {
            (Self::Here, Value::Text(_)) => 1,
            (Self::Inside(_), Value::List(items)) => items.iter().map(|item| self.count(item)).sum(),
            (Self::Inside(secrets), Value::Object(values)) => {
                secrets.0.iter().filter_map(|(index, place)| Some(place.count(values.get(*index)?))).sum()
            }
            _ => 0,
        }
    }
}

impl Secrets {
    /// The secrets among these fields.
    pub(crate) fn compile(service: &Checked, fields: &[Field]) -> Self {
        let place = |field: &Field| match (field.secret, service.kind(field.ty.element())) {
            (Some(Secret::Argon2), _) => Some(SecretPath::Here),
            (None, Kind::Object(object)) => {
                let inside = Self::compile(service, &object.fields);
                (!inside.is_empty()).then_some(SecretPath::Inside(inside))
            }
            _ => None,
        };
        Self(fields.iter().enumerate().filter_map(|(index, field)| Some((index, place(field)?))).collect())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The position of the field with the most secrets, if there are more than `max` in all.
    pub(crate) fn excess(&self, value: &Value, max: usize) -> Option<usize> {
        let Value::Object(values) = value else { return None };
        let counts =
            self.0.iter().map(|(index, place)| (values.get(*index).map_or(0, |value| place.count(value)), *index));
        let (total, most) = counts.fold((0, (0, 0)), |(total, most), field| (total + field.0, most.max(field)));
        (total > max).then_some(most.1)
    }

    /// Takes the secrets out of a value, and leaves placeholders of the same form as their hashes.
    pub(crate) fn take(&self, value: &mut Value) -> Vec<String> {
        let mut taken = Vec::new();
        self.each(value, &mut |text| taken.push(std::mem::replace(text, PLACEHOLDER.to_owned())));
        taken
    }

    /// The same, but a hash is kept: the service's own code stores again what it has read.
    pub(crate) fn take_new(&self, value: &mut Value) -> Vec<String> {
        let mut taken = Vec::new();
        self.each(value, &mut |text| {
            if PasswordHash::new(text).is_err() {
                taken.push(std::mem::replace(text, PLACEHOLDER.to_owned()));
            }
        });
        taken
    }

    /// Puts hashes in the places of the secrets that were taken.
    pub(crate) fn put(&self, value: &mut Value, hashes: &[String]) {
        let mut hashes = hashes.iter();
        self.each(value, &mut |text| {
            if text == PLACEHOLDER
                && let Some(hash) = hashes.next()
            {
                text.clone_from(hash);
            }
        });
    }

    fn each(&self, value: &mut Value, visit: &mut dyn FnMut(&mut String)) {
        match value {
            Value::Object(values) => {
                for (index, place) in &self.0 {
                    match (place, values.get_mut(*index)) {
                        (SecretPath::Here, Some(Value::Text(text))) => visit(text),
                        (SecretPath::Inside(secrets), Some(inner)) => secrets.each(inner, visit),
                        _ => {}
                    }
                }
            }
            Value::List(items) => items.iter_mut().for_each(|item| self.each(item, visit)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first field is a secret, the third a list of objects whose second field is one.
    fn secrets() -> Secrets {
        let inside = Secrets(vec![(1, SecretPath::Here)]);
        Secrets(vec![(0, SecretPath::Here), (2, SecretPath::Inside(inside))])
    }

    fn value(texts: [&str; 4]) -> Value {
        let [first, second, third, fourth] = texts.map(|text| Value::Text(text.to_owned()));
        let object = Value::Object(vec![third, fourth]);
        Value::Object(vec![first, second, Value::List(vec![object])])
    }

    #[test]
    fn secrets_are_taken_and_put_wherever_they_are() {
        let mut taken = value(["hidden", "open", "open", "nested"]);
        assert_eq!(secrets().take(&mut taken), ["hidden", "nested"]);
        assert_eq!(taken, value([PLACEHOLDER, "open", "open", PLACEHOLDER]));
        secrets().put(&mut taken, &["#1".to_owned(), "#2".to_owned()]);
        assert_eq!(taken, value(["#1", "open", "open", "#2"]));
    }

    #[test]
    fn what_is_a_hash_already_stays_one() {
        let stored =
            "$argon2id$v=19$m=19456,t=2,p=1$ZmZmZmZmZmZmZmZmZmZmZg$3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w0";
        let mut taken = value([stored, "open", "open", "new"]);
        assert_eq!(secrets().take_new(&mut taken), ["new"]);
        secrets().put(&mut taken, &["#".to_owned()]);
        assert_eq!(taken, value([stored, "open", "open", "#"]));
    }

    #[test]
    fn secrets_are_counted() {
        let one = value(["hidden", "open", "open", "nested"]);
        assert_eq!((secrets().excess(&one, 2), secrets().excess(&one, 1)), (None, Some(2)));
    }

    #[test]
    fn the_placeholder_is_a_hash_like_others() {
        let hash = PasswordHash::new(PLACEHOLDER).unwrap();
        assert_eq!((hash.salt.unwrap().len(), hash.hash.unwrap().len()), (22, 32));
    }
}
