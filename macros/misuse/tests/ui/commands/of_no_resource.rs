use restwell::Command;

#[derive(Command)]
pub struct Renew {
    pub days: i64,
}

fn main() {}
