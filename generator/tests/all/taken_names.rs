//! A service whose definitions, commands, fields and values have the names of Rust and of the library: what is generated
//! compiles beside the types of these names, and serves.

use super::same_model::golden::taken_names as generated;
use restwell::{Call, Rejection, Stored, Uuid, handlers};
use restwell_model::{Checked, Type, sample};
use serde_json::{Map, Value, json};

/// The starter files of the handlers.
#[allow(unreachable_pub, reason = "as in the library of a service")]
#[rustfmt::skip]
#[path = "../golden/taken-names/commands/mod.rs"]
pub(crate) mod starters;

/// Handlers of some of the commands.
struct Written;

#[handlers]
impl generated::result::ResultCommands for Written {
    async fn call(&self, _: Call<generated::result::Call>) -> Result<generated::result::CallOutput, Rejection> {
        Ok(generated::result::CallOutput { result: Some("called".to_owned()) })
    }

    async fn rejection(&self, call: Call<generated::result::Rejection>) -> Result<(), Rejection> {
        restwell::not_ready!(call)
    }

    async fn commands(&self, _: Call<generated::result::Commands>) -> Result<(), Rejection> {
        Ok(())
    }

    async fn register(&self, _: Call<generated::result::Register>) -> Result<(), Rejection> {
        Ok(())
    }

    async fn self_(&self, call: Call<generated::result::SelfCommand>) -> Result<(), Rejection> {
        assert_eq!(call.input.crate_, "inside");
        Ok(())
    }
}

#[handlers]
impl generated::command::CommandCommands for Written {
    async fn command(
        &self,
        _: Call<generated::command::CommandCommand>,
    ) -> Result<generated::command::CommandCommandOutput, Rejection> {
        Ok(generated::command::CommandCommandOutput { super_: Some("above".to_owned()) })
    }
}

#[test]
fn the_starter_files_compile_beside_commands_of_any_name() {
    assert!(generated::service(starters::Commands::default()).model().is_ok());
}

#[test]
fn each_name_serves() {
    let running = restwell::testing::start(generated::service(Written));
    let client = running.client();
    let model = Checked::new(generated::service(Written).model().unwrap()).unwrap();
    let of = |name: &str| model.resource(name).unwrap();
    let mut ids = Map::new();
    for resource in model.resources.iter().filter(|it| !["Offer", "Keyword"].contains(&it.name.as_str())) {
        let path = resource.path();
        let id = client.post(&path, json!({ "name": "one" })).is(201).json["id"].clone();
        assert_eq!(client.get(&format!("{path}?name=one&sort=-name")).is(200).json["count"], 1, "{path}");
        ids.insert(resource.name.clone(), id);
    }

    // the types of the library and those of the service, side by side
    let mut offer =
        sample::entities(&model, 1, Uuid::now_v7).into_iter().find(|it| it.resource == "offers").unwrap().body;
    for field in &of("Offer").fields {
        if let Type::Ref { to, .. } = &field.ty {
            offer[&field.name] = json!({ "id": ids[to] });
        }
    }
    let offer = offer.as_object().unwrap();
    let written = client.post("/offers", offer).is(201);
    for (name, value) in offer {
        assert_eq!(&written.json[name], value, "{name}");
    }
    let read: Stored<generated::Offer> = written.read();
    assert_eq!(serde_json::to_value(&read).unwrap(), written.json);

    // every keyword is a field, a parameter and a key of sorting
    let keyword = of("Keyword");
    let fields = || keyword.fields.iter().filter(|it| it.filter.is_on()).map(|it| it.name.as_str());
    let body: Map<String, Value> = fields().map(|name| (name.to_owned(), json!("word"))).collect();
    let written = client.post("/keywords", &body).is(201);
    for name in fields() {
        assert_eq!(written.json[name], "word", "{name}");
        assert_eq!(client.get(&format!("/keywords?{name}=word&sort={name}")).is(200).json["count"], 1, "{name}");
    }
    assert_eq!(client.get("/self/keywords").is(200).json["count"], 1);
    let search = client.post("/keyword-searches", json!({ "self": "word", "crate": "word" })).is(201);
    assert_eq!(search.json["self"], "word");

    // kinds of options, commands, and what the derives bring
    for kind in ["SOME", "NONE", "SELF", "OK", "ERR", "DEFAULT", "BOX", "A1", "A_1"] {
        let option = client.post("/options", json!({ "name": kind, "kind": kind })).is(201);
        let read: Stored<generated::Option> = option.read();
        assert_eq!((option.json["kind"].as_str(), read.kind.is_some()), (Some(kind), true));
    }
    let result = format!("/results/{}", ids["Result"].as_str().unwrap());
    assert_eq!(client.command(&result, "call", json!({})).succeeded().json["result"], "called");
    client.command(&result, "self", json!({ "crate": "inside" })).succeeded();
    client.command(&result, "commands", json!({})).succeeded();
    client.command(&result, "rejection", json!({})).is(501);
    let command = format!("/commands/{}", ids["Command"].as_str().unwrap());
    assert_eq!(client.command(&command, "command", json!({})).succeeded().json["super"], "above");
    let found = running.seed(|transaction| async move {
        let query = generated::KeywordQuery::new().self_("word").r#gen("word").default("word").new_("word");
        let sorted = query.sort(generated::KeywordSort::SELF).sort_desc(generated::KeywordSort::TYPE).limit(2);
        transaction.list(sorted).await
    });
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].self_.as_deref(), found[0].r#type.as_deref()), (Some("word"), Some("word")));
    let _ = generated::OfferQuery_::new().sort(generated::OfferSort_::ID);
    let _ = (generated::OfferQueryQuery::new(), generated::OfferDraft::from(drafted()));
}

fn drafted() -> generated::OfferDraftDraft {
    generated::OfferDraftDraft { name: "one".to_owned() }
}
