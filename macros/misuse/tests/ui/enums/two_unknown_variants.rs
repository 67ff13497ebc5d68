use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    White,
    #[value(unknown)]
    Unknown(String),
    #[value(unknown)]
    Other(String),
}

fn main() {}
