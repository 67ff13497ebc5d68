use restwell::Resource;

#[derive(Resource)]
#[resource(rule(check = "stock >= 0 && weigth < 30", code = "TooHeavy"))]
pub struct Parcel {
    pub stock: i64,
    pub weight: i64,
}

fn main() {}
