use restwell::Resource;
use std::collections::BTreeMap;

#[derive(Resource)]
pub struct Offer {
    pub labels: BTreeMap<String, Option<String>>,
}

fn main() {}
