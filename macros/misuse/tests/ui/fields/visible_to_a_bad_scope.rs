use restwell::Resource;

#[derive(Resource)]
struct Offer {
    #[field(visible = "scope:a b")]
    rank: Option<i64>,
}

fn main() {}
