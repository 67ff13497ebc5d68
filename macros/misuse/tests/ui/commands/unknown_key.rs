use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer, input(days))]
pub struct Renew;

fn main() {}
