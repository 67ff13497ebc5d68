use restwell::Resource;

#[derive(Resource)]
pub struct Offer(String);

fn main() {}
