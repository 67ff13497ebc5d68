use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    White,
    #[value("WHITE")]
    Snow,
}

fn main() {}
