//! A service and what was written to it, side by side.

use crate::draft::{Draft, draft};
use crate::fields::{Field, KEEPER, NOTEBOOK, PHOTO, SPECIMEN, STOCK_ENTRY, TAG};
use proptest::prelude::*;
use proptest::sample::Index;
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::{self, Database};
use restwell_testkit::wire::{Answer, BETA, PUBLIC, Wire};
use serde_json::{Value, json};

/// A change to what is stored.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Create(Draft),
    Replace(Index, Draft),
    Delete(Index),
    Notebook { keeper: Index, title: Index },
    Bookmark { keeper: Index, notebook: Index },
    Photo(Index),
    Entry(Index),
}

pub(crate) fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        6 => draft().prop_map(Write::Create),
        3 => (any::<Index>(), draft()).prop_map(|(which, draft)| Write::Replace(which, draft)),
        1 => any::<Index>().prop_map(Write::Delete),
        2 => any::<(Index, Index)>().prop_map(|(keeper, title)| Write::Notebook { keeper, title }),
        1 => any::<(Index, Index)>().prop_map(|(keeper, notebook)| Write::Bookmark { keeper, notebook }),
        1 => any::<Index>().prop_map(Write::Photo),
        1 => any::<Index>().prop_map(Write::Entry),
    ]
}

type Shown = Box<dyn Fn(&World) -> Vec<Value>>;

/// Where something is asked for, by whom, in which version.
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) version: &'static str,
    pub(crate) token: Option<String>,
    /// The array's name.
    pub(crate) collection: &'static str,
    pub(crate) has_count: bool,
    /// What it can be asked for.
    pub(crate) fields: Vec<&'static Field>,
    /// What it shows of the world, in the order of creation.
    shown: Shown,
}

impl Place {
    /// Whether searches are used here.
    pub(crate) fn is_searchable(&self) -> bool {
        self.collection == "specimens"
    }

    /// What it shows now.
    pub(crate) fn entities(&self, world: &World) -> Vec<Value> {
        (self.shown)(world)
    }
}

/// The service, and its expected entities with the fields of all versions and views.
pub(crate) struct World {
    pub(crate) wire: Wire,
    running: Running,
    keepers: Vec<Value>,
    tags: Vec<Value>,
    pub(crate) specimens: Vec<Value>,
    notebooks: Vec<Value>,
    bookmarks: Vec<Value>,
    photos: Vec<Value>,
    entries: Vec<Value>,
    drafts: usize,
    /// Goes after the service that has it open.
    _database: Option<Database>,
}

impl World {
    /// A fresh service with the callers and tags that entities refer to.
    pub(crate) fn new() -> Self {
        let database = postgres::chosen();
        let setup = Setup::of(restwell_tests::generated_service());
        let setup = match &database {
            Some(database) => setup.database(database.url()),
            None => setup,
        };
        let running = setup.start();
        let wire = Wire::to(running.address());
        let [keepers, tags, specimens, notebooks, bookmarks, photos, entries] = [const { Vec::new() }; 7];
        let mut world = Self {
            wire,
            running,
            keepers,
            tags,
            specimens,
            notebooks,
            bookmarks,
            photos,
            entries,
            drafts: 0,
            _database: database,
        };
        for (name, email) in [("Ida", Some("ida@example.com")), ("Jan", None), ("Ida", Some("jan@example.com"))] {
            let keeper = world.create("/keepers", PUBLIC, None, &json!({ "name": name, "email": email }));
            world.keepers.push(keeper);
        }
        for name in ["old", "rare"] {
            let tag = world.create("/tags", PUBLIC, None, &json!({ "name": name }));
            world.tags.push(tag);
        }
        world
    }

    fn token(&self, keeper: &Value) -> String {
        self.running.token(keeper["id"].as_str().and_then(|id| id.parse().ok()).expect("a keeper has an id"), &[])
    }

    fn create(&mut self, path: &str, version: &str, token: Option<&str>, body: &Value) -> Value {
        let reply = self.wire.send("POST", path.as_bytes(), version, token, Some(body));
        assert_eq!(reply.status, 201, "POST {path} {body}\n{}", reply.body);
        reply.json()
    }

    /// Does a change, which must succeed, to the service and to the model.
    pub(crate) fn write(&mut self, write: &Write) {
        match write {
            Write::Create(draft) => self.create_specimen(draft),
            Write::Replace(which, draft) if !self.specimens.is_empty() => {
                self.replace_specimen(which.index(self.specimens.len()), draft);
            }
            Write::Delete(which) if !self.specimens.is_empty() => {
                let gone = self.specimens.remove(which.index(self.specimens.len()));
                let path = format!("/specimens/{}", text(&gone["id"]));
                let reply = self.wire.send("DELETE", path.as_bytes(), PUBLIC, None, None);
                assert_eq!(reply.status, 204, "{}", reply.body);
                self.photos.retain(|photo| photo["specimen"]["id"] != gone["id"]);
            }
            Write::Notebook { keeper, title } => {
                let token = self.token(keeper.get(&self.keepers));
                let body = json!({ "title": NOTEBOOK[1].any(*title) });
                let notebook = self.create("/notebooks", PUBLIC, Some(&token), &body);
                self.notebooks.push(notebook);
            }
            Write::Bookmark { keeper, notebook } if !self.notebooks.is_empty() => {
                let (keeper, notebook) = (keeper.get(&self.keepers), notebook.get(&self.notebooks));
                let is_known =
                    |known: &Value| known["keeper"]["id"] == keeper["id"] && known["notebook"]["id"] == notebook["id"];
                if !self.bookmarks.iter().any(is_known) {
                    let (token, body) = (self.token(keeper), json!({ "notebook": { "id": notebook["id"] } }));
                    let bookmark = self.create("/bookmarks", PUBLIC, Some(&token), &body);
                    self.bookmarks.push(bookmark);
                }
            }
            Write::Photo(which) if !self.specimens.is_empty() => {
                let path = format!("/specimens/{}/photos", text(&which.get(&self.specimens)["id"]));
                let photo = self.create(&path, PUBLIC, None, &json!({}));
                self.photos.push(photo);
            }
            Write::Entry(quantity) => {
                let body = json!({ "quantity": STOCK_ENTRY[0].any(*quantity) });
                let entry = self.create("/stock-entries", PUBLIC, None, &body);
                self.entries.push(entry);
            }
            // of what is not there yet
            Write::Replace(..) | Write::Delete(_) | Write::Bookmark { .. } | Write::Photo(_) => {}
        }
    }

    /// A keeper's specimen has a cost price, which only the view of sellers takes.
    fn create_specimen(&mut self, draft: &Draft) {
        self.drafts += 1;
        let owner = draft.keeper.map(|keeper| keeper.get(&self.keepers).clone());
        let token = owner.as_ref().map(|owner| self.token(owner));
        let body = draft.body(&self.tags, self.drafts, owner.as_ref(), true);
        let path = if token.is_some() { "/sale/specimens" } else { "/specimens" };
        let specimen = self.create(path, BETA, token.as_deref(), &body);
        self.specimens.push(complete(specimen));
    }

    fn replace_specimen(&mut self, index: usize, draft: &Draft) {
        self.drafts += 1;
        let specimen = &self.specimens[index];
        let owner = self.keepers.iter().find(|keeper| keeper["id"] == specimen["keeper"]["id"]);
        let token = owner.map(|owner| self.token(owner));
        let body = draft.body(&self.tags, self.drafts, owner, false);
        let path = format!("{}/specimens/{}", if token.is_some() { "/sale" } else { "" }, text(&specimen["id"]));
        let reply = self.wire.send("PUT", path.as_bytes(), BETA, token.as_deref(), Some(&body));
        assert_eq!(reply.status, 200, "PUT {path} {body}\n{}", reply.body);
        self.specimens[index] = complete(reply.json());
    }

    /// A GET in a place.
    pub(crate) fn ask(&mut self, place: &Place, query: &str) -> Answer {
        let target = format!("{}?{query}", place.path);
        self.wire.send("GET", target.as_bytes(), place.version, place.token.as_deref(), None)
    }

    /// Every place where something can be listed.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = vec![
            specimens("/specimens".to_owned(), PUBLIC, None, |_| true),
            specimens("/specimens".to_owned(), BETA, None, |_| true),
            place("/keepers".to_owned(), "keepers", KEEPER, |world| world.keepers.clone()),
            place("/tags".to_owned(), "tags", TAG, |world| world.tags.clone()),
            place("/photos".to_owned(), "photos", PHOTO, |world| world.photos.clone()),
            Place {
                has_count: false,
                ..place("/stock-entries".to_owned(), "stockEntries", STOCK_ENTRY, |world| world.entries.clone())
            },
        ];
        for keeper in &self.keepers {
            let (id, token) = (text(&keeper["id"]), self.token(keeper));
            let hers = |name: &'static str| {
                let id = keeper["id"].clone();
                move |entity: &Value| entity[name]["id"] == id
            };
            let (own, scoped, bookmarked) = (hers("keeper"), hers("keeper"), hers("keeper"));
            let by = |place: Place| Place { token: Some(token.clone()), ..place };
            places.extend([
                specimens(format!("/keepers/{id}/specimens"), BETA, None, hers("keeper")),
                specimens("/sale/specimens".to_owned(), PUBLIC, Some(&token), hers("keeper")),
                specimens("/sale/specimens".to_owned(), BETA, Some(&token), hers("keeper")),
                by(place("/notebooks".to_owned(), "notebooks", NOTEBOOK, move |world| only(&world.notebooks, &own))),
                by(place(format!("/keepers/{id}/notebooks"), "notebooks", NOTEBOOK, move |world| {
                    only(&world.notebooks, &scoped)
                })),
                by(place("/bookmarked-notebooks".to_owned(), "notebooks", NOTEBOOK, move |world| {
                    let bookmarks = only(&world.bookmarks, &bookmarked);
                    only(&world.notebooks, |notebook| bookmarks.iter().any(|b| b["notebook"]["id"] == notebook["id"]))
                })),
            ]);
        }
        for specimen in self.specimens.iter().take(2) {
            let id = specimen["id"].clone();
            places.push(place(format!("/specimens/{}/photos", text(&id)), "photos", PHOTO, move |world| {
                only(&world.photos, |photo| photo["specimen"]["id"] == id)
            }));
        }
        places
    }
}

fn only(entities: &[Value], which: impl Fn(&Value) -> bool) -> Vec<Value> {
    entities.iter().filter(|entity| which(entity)).cloned().collect()
}

fn place(
    path: String,
    collection: &'static str,
    fields: &'static [Field],
    shown: impl Fn(&World) -> Vec<Value> + 'static,
) -> Place {
    let shown = Box::new(shown);
    Place { path, version: PUBLIC, token: None, collection, has_count: true, fields: fields.iter().collect(), shown }
}

/// Specimens without what the version or the view lacks.
fn specimens(
    path: String,
    version: &'static str,
    token: Option<&str>,
    which: impl Fn(&Value) -> bool + 'static,
) -> Place {
    let mut lacks = Vec::new();
    if version == PUBLIC {
        lacks.push("habitat");
    }
    if !path.starts_with("/sale/") {
        lacks.extend(["costPrice", "costCentre"]);
    }
    let has = |field: &Field| !lacks.iter().any(|lack| field.name.split('.').next() == Some(*lack));
    let fields = SPECIMEN.iter().filter(|field| has(field)).collect();
    let place = place(path, "specimens", SPECIMEN, move |world| {
        let mut shown = only(&world.specimens, &which);
        for entity in &mut shown {
            entity.as_object_mut().expect("an entity").retain(|name, _| !lacks.contains(&name.as_str()));
        }
        shown
    });
    Place { version, token: token.map(str::to_owned), fields, ..place }
}

/// An entity with fields that its view lacks: they were not set.
fn complete(mut specimen: Value) -> Value {
    let members = specimen.as_object_mut().expect("an entity");
    for name in ["costPrice", "costCentre"] {
        members.entry(name).or_insert(Value::Null);
    }
    specimen
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
