use restwell::Enum;

#[derive(Enum)]
#[enumeration(values("WHITE"))]
pub enum Colour {
    White,
}

fn main() {}
