use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    #[value(SNOW)]
    White,
}

fn main() {}
