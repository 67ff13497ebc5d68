use restwell::Resource;

#[derive(Debug, Clone, Resource)]
pub struct Line {
    pub quantity: i64,
    #[field(is = "quantity * 2")]
    pub twice: i64,
}

fn main() {}
