use restwell::{Object, Timestamp};

#[derive(Object)]
pub struct Address {
    pub city: String,
    #[field(read_only)]
    pub verified_at: Timestamp,
}

fn main() {}
