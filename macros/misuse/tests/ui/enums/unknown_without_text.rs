use restwell::Enum;

#[derive(Enum)]
pub enum Colour {
    White,
    #[value(unknown)]
    Unknown,
}

fn main() {}
