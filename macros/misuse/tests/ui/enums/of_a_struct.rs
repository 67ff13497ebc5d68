use restwell::Enum;

#[derive(Enum)]
pub struct Colour {
    pub name: String,
}

fn main() {}
