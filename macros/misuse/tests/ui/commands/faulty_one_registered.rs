use restwell::{Builder, Command, Resource};

#[derive(Resource)]
pub struct Offer {
    pub name: String,
}

#[derive(Command)]
#[command(resource = Offer)]
pub struct Renew;

fn main() {
    let _ = Builder::new("marketplace").resource::<Offer>().command::<Renew>();
}
