use restwell::Resource;

#[derive(Resource)]
struct Offer {
    #[field(write_only, visible = user)]
    pin: String,
}

fn main() {}
