use restwell::Resource;
use std::collections::BTreeMap;

#[derive(Resource)]
pub struct Offer {
    pub labels: BTreeMap<String, Vec<String>>,
}

fn main() {}
