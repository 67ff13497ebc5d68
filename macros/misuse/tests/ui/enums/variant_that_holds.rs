use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    White,
    Mixed(String),
}

fn main() {}
