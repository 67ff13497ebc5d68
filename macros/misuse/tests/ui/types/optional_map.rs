use restwell::Resource;
use std::collections::BTreeMap;

#[derive(Resource)]
pub struct Offer {
    pub labels: Option<BTreeMap<String, String>>,
}

fn main() {}
