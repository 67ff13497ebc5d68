use restwell::Object;

#[derive(Default, Object)]
struct Address {
    city: Option<String>,
}

fn main() {}
