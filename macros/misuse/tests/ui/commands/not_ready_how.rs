use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer, ready = later)]
pub struct Renew;

fn main() {}
