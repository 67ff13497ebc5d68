use restwell::Resource;

#[derive(Debug, Clone, Resource)]
pub struct Line {
    pub quantity: i64,
    #[field(is = "quantity * 2", filter)]
    pub twice: Option<i64>,
}

fn main() {}
