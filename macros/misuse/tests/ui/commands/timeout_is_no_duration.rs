use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer, timeout = "30s")]
pub struct Renew;

fn main() {}
