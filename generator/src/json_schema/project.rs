//! The schema for one project: its own names are offered where a document refers to them. Other names stay possible,
//! because one writes a reference before what it refers to.

use super::json_schema;
use restwell_model::field::Field;
use restwell_model::{Checked, Type, names};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The schema of a document of this service.
#[must_use]
pub fn json_schema_for(service: &Checked) -> Value {
    let mut schema = json_schema();
    ProjectNames::of(service).offer(&mut schema);
    schema
}

/// What documents can refer to.
struct ProjectNames {
    resources: BTreeSet<String>,
    /// Enums and objects that have a document.
    types: BTreeSet<String>,
    /// References of resources.
    references: BTreeSet<String>,
    /// References of resources, with the resource: `Watch.offer`.
    ways: BTreeSet<String>,
}

impl ProjectNames {
    fn of(service: &Checked) -> Self {
        let definitions = service.enums.iter().map(|it| &it.name).chain(service.objects.iter().map(|it| &it.name));
        let inline = inline_names(service);
        let references = service.resources.iter().flat_map(|resource| {
            let is_reference = |field: &&Field| matches!(field.ty, Type::Ref { .. });
            resource.fields.iter().filter(is_reference).map(move |field| (&resource.name, &field.name))
        });
        Self {
            resources: service.resources.iter().map(|resource| resource.name.clone()).collect(),
            types: definitions.filter(|name| !inline.contains(*name)).cloned().collect(),
            references: references.clone().map(|(_, field)| field.clone()).collect(),
            ways: references.map(|(resource, field)| format!("{resource}.{field}")).collect(),
        }
    }

    /// The names that the value of a key can be.
    fn of_key(&self, key: &str) -> Option<&BTreeSet<String>> {
        match key {
            "to" | "users" => Some(&self.resources),
            "type" => Some(&self.types),
            "owner" | "under" => Some(&self.references),
            "through" => Some(&self.ways),
            _ => None,
        }
    }

    /// Goes over the properties of all mappings.
    fn offer(&self, schema: &mut Value) {
        let Value::Object(members) = schema else {
            if let Value::Array(items) = schema {
                items.iter_mut().for_each(|item| self.offer(item));
            }
            return;
        };
        for (keyword, value) in members.iter_mut() {
            match value {
                // `if` says which keys another schema is for
                Value::Object(properties) if keyword == "properties" => self.offer_in(properties),
                _ if keyword == "if" => {}
                value => self.offer(value),
            }
        }
    }

    fn offer_in(&self, properties: &mut Map<String, Value>) {
        for (key, schema) in properties {
            match self.of_key(key).filter(|names| !names.is_empty()) {
                Some(names) => add(schema, names),
                None => self.offer(schema),
            }
        }
    }
}

/// Adds names to what a value can be, or each item of a list.
fn add(schema: &mut Value, names: &BTreeSet<String>) {
    let Value::Object(members) = schema else { return };
    if let Some(items) = members.get_mut("items") {
        return add(items, names);
    }
    // what is not a mapping is a name
    if let Some(name) = members.get_mut("else") {
        return add(name, names);
    }
    let keywords = ["type", "pattern", "$ref"];
    let own: Map<String, Value> =
        keywords.iter().filter_map(|word| Some(((*word).to_owned(), members.remove(*word)?))).collect();
    members.insert("anyOf".to_owned(), json!([{ "enum": names }, own]));
}

/// The names of the definitions that are written in a field.
fn inline_names(service: &Checked) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut add = |owner: &str, fields: &[Field]| {
        for field in fields {
            let is_array = matches!(field.ty, Type::Array { .. });
            found.insert(names::inline_type(owner, &field.name, is_array));
        }
    };
    for object in &service.objects {
        add(&object.name, &object.fields);
    }
    for resource in &service.resources {
        add(&resource.name, &resource.fields);
        for command in &resource.commands {
            let owner = format!("{}{}", resource.name, names::pascal(&command.name));
            add(&owner, &command.input);
            add(&owner, &command.output);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

    use super::*;
    use crate::compile;
    use crate::source::File;

    fn service() -> Checked {
        let documents = [
            "service: shop\nusers: User\n",
            "enum: Colour\nvalues: [RED]\n",
            "resource: User\noperations: { get: { access: user } }\nfields: { name: { type: string } }\n",
            "resource: Offer\nowner: seller\noperations: { get: { access: owner } }\nfields:\n  \
             seller: { type: ref, to: User, required: true }\n  colour: { type: Colour }\n  \
             status: { type: enum, values: [ACTIVE] }\n",
        ];
        let file = |(index, text): (usize, &&str)| File {
            path: format!("{index}.yaml"),
            origin: format!("{index}.yaml"),
            bytes: text.as_bytes().to_vec(),
        };
        let files: Vec<_> = documents.iter().enumerate().map(file).collect();
        compile(&files).service.unwrap().0
    }

    #[test]
    fn names_of_the_project_are_offered_and_others_stay_possible() {
        let schema = json_schema_for(&service());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let document = |to: &str, ty: &str| {
            let buyer = json!({ "type": "ref", "to": to });
            json!({ "resource": "Sale", "fields": { "buyer": buyer, "colour": { "type": ty } } })
        };
        assert!(validator.is_valid(&document("User", "Colour")));
        assert!(validator.is_valid(&document("Buyer", "Shade")), "not written yet");
        assert!(!validator.is_valid(&document("a b", "Colour")));
        let text = schema.to_string();
        assert!(text.contains(r#"{"enum":["Offer","User"]}"#), "{text}");
        assert!(text.contains(r#"{"enum":["Colour"]}"#) && text.contains(r#"{"enum":["Offer.seller"]}"#));
        assert!(!text.contains("OfferStatus"));
    }
}
