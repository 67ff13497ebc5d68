use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    #[value(name = "SNOW")]
    White,
}

fn main() {}
