//! Former names in objects, in items of arrays and in commands: the clients have both names wherever an object can have them, and say of the former one
//! when it goes away.

use restwell_generator::client::{ClientPackage, ClientPlan, rust, typescript};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_model::api::Api;
use std::fmt::Debug;

const OFFER: &str = "
resource: Offer
search: true
operations:
  create: { access: anyone }
  list: { access: anyone }
  get: { access: anyone }
fields:
  place:
    type: object
    fields:
      town: { type: string, filter: true, sort: true, formerly: { name: city, sunset: \"2027-06-30\" } }
";

const RECIPE: &str = "
resource: Recipe
operations:
  create: { access: anyone }
  get: { access: anyone }
commands:
  cook:
    access: anyone
    input:
      total: { type: integer, required: true, formerly: { name: count, sunset: \"2027-06-30\" } }
    output:
      report: { type: string, formerly: { name: text, sunset: \"2027-06-30\" } }
fields:
  lines:
    type: array
    items:
      type: object
      fields:
        key: { type: string, required: true, formerly: { name: code, sunset: \"2027-06-30\" } }
";

fn model(schema: &str) -> Checked {
    let compiled = compile(&[File::new("service.yaml", "service: shop\n"), File::new("schema.yaml", schema)]);
    compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).0
}

/// The generated files of a client, one after the other, without the layout of their lines.
fn text<E: Debug>(schema: &str, package: fn(&ClientPlan<'_>) -> Result<ClientPackage, E>) -> String {
    let model = model(schema);
    let package = package(&ClientPlan::of(&Api::of(&model))).expect("a client");
    let texts = package.generated.iter().map(|file| file.text.as_str());
    texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    let missing: Vec<_> = parts.iter().filter(|part| !text.contains(*part)).collect();
    assert!(missing.is_empty(), "{missing:#?}\n{text}");
}

#[test]
fn typescript_has_both_names() {
    let going = "/** @deprecated It may be gone from 2027-06-30. */";
    has(
        &text(OFFER, typescript::package),
        &[
            &format!("town: string | null; {going} city: string | null;"),
            &format!("town?: string | null; {going} city?: string | null;"),
            &format!("place?: {{ town?: Equal<string>; {going} city?: Equal<string> }} | null;"),
            &format!("place: {{ town: Equal<string>; {going} city: Equal<string> }} | null;"),
            &format!("place?: {{ town?: Equal<string>; {going} city?: Equal<string>; }};"),
            "\"place.town\" | \"-place.town\" | \"place.city\" | \"-place.city\"",
        ],
    );
}

#[test]
fn rust_has_both_names() {
    let going = "/// /// It goes away on 2027-06-30.";
    let text = text(OFFER, rust::package);
    has(
        &text,
        &[
            &format!("/// `city`. {going} #[serde(default)] pub city: Option<String>,"),
            &format!("/// Only entities whose `place.city` is null. {going} #[must_use] pub fn place_city_is_null("),
            &format!("/// By `place.city`. {going} pub const PLACE_CITY: Self = Self(\"place.city\");"),
        ],
    );
    // of the entity, its draft, the criteria and the search that is stored
    assert_eq!(text.matches(&format!("/// `city`. {going}")).count(), 4, "{text}");
    assert_eq!(text.matches("/// `town`. #[serde").count(), 4, "{text}");
}

#[test]
fn typescript_has_both_names_of_items_and_of_commands() {
    let going = "/** @deprecated It may be gone from 2027-06-30. */";
    has(
        &text(RECIPE, typescript::package),
        &[
            &format!("key: string; {going} code: string;"),
            &format!("total: number; {going} count: number;"),
            &format!("report: string | null; {going} text: string | null;"),
            &format!("total: number; {going} count?: number;"),
        ],
    );
}

#[test]
fn rust_has_both_names_of_items_and_of_commands() {
    let text = text(RECIPE, rust::package);
    for name in ["code", "count", "text"] {
        let field = format!("/// `{name}`. /// /// It goes away on 2027-06-30. #[serde(");
        assert!(text.contains(&field), "{name}: {text}");
    }
}
