use restwell::Object;

#[derive(serde::Serialize, Object)]
struct Address {
    city: Option<String>,
}

fn main() {}
