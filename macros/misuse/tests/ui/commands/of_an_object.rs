use restwell::{Command, Object};

#[derive(Object)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(on = Offer)]
pub struct Renew;

fn main() {}
