use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer)]
pub struct Renew {
    pub status: String,
}

fn main() {}
