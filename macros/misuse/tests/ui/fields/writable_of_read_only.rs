use restwell::Resource;

#[derive(Resource)]
#[resource(operations(create(access = user), list))]
struct Offer {
    #[field(read_only, writable = [moderator, when("rank == 3")])]
    rank: Option<i64>,
}

fn main() {}
