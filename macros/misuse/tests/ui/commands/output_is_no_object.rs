use restwell::{Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

pub struct RenewOutput;

#[derive(Command)]
#[command(on = Offer, output = RenewOutput)]
pub struct Renew;

fn main() {}
