use restwell::{Ref, Resource};
use std::collections::BTreeMap;

#[derive(Resource)]
pub struct User {
    pub name: String,
}

#[derive(Resource)]
pub struct Lists {
    pub labels: BTreeMap<String, Vec<String>>,
}

#[derive(Resource)]
pub struct Maps {
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Resource)]
pub struct References {
    pub owners: BTreeMap<String, Ref<User>>,
}

#[derive(Resource)]
pub struct Nothings {
    pub labels: BTreeMap<String, Option<String>>,
}

#[derive(Resource)]
pub struct Numbered {
    pub labels: BTreeMap<i64, String>,
}

#[derive(Resource)]
pub struct Absent {
    pub labels: Option<BTreeMap<String, String>>,
}

#[derive(Resource)]
pub struct Bounds {
    #[field(min_items = 3, max_items = 2)]
    pub labels: BTreeMap<String, String>,
    #[field(max_length = 9)]
    pub settings: serde_json::Value,
    #[field(filter)]
    pub limits: serde_json::Value,
}

fn main() {}
