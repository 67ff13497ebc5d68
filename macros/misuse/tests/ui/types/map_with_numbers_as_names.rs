use restwell::Resource;
use std::collections::BTreeMap;

#[derive(Resource)]
pub struct Offer {
    pub labels: BTreeMap<i64, String>,
}

fn main() {}
