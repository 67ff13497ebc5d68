use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    White,
    #[value("black")]
    Black,
}

fn main() {}
