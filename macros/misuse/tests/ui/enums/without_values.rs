use restwell::Enum;

#[derive(Enum)]
pub enum Colour {}

fn main() {}
