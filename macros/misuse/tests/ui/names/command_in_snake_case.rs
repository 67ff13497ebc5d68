use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer, name = "put_up")]
pub struct Renew;

fn main() {}
