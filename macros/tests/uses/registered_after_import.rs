//! Types of several modules, imported under other names, raw identifiers, and a builder.

mod offers {
    use super::users::Account as Seller;
    use restwell::{Command, Enum, Object, Ref, Resource};
    use restwell_model::scalar::Timestamp;

    /// Something for sale.
    #[derive(Resource)]
    #[resource(owner = seller, under(r#type), search)]
    pub struct Offer {
        #[field(max_length = 75, filter, sort)]
        pub name: String,
        #[field(show(name), immutable, filter)]
        pub seller: Ref<Seller>,
        #[field(filter)]
        pub r#type: Ref<Seller>,
        pub status: Option<Status>,
        pub size: Size,
    }

    #[derive(Enum)]
    pub enum Status {
        Active,
        #[value("OVER")]
        Ended,
    }

    #[derive(Object)]
    pub struct Size {
        pub width: f64,
        pub height: f64,
    }

    #[derive(Command)]
    #[command(on = Offer, access = owner, output = Done)]
    pub struct Renew {
        pub day: i64,
    }

    #[derive(Object)]
    pub struct Done {
        pub ending_at: Option<Timestamp>,
    }
}

mod users {
    #[derive(restwell::Resource)]
    pub struct Account {
        pub name: String,
    }
}

#[test]
fn a_service_of_both_is_sound() {
    let service = restwell::Builder::new("marketplace")
        .users::<users::Account>()
        .resource::<offers::Offer>()
        .command::<offers::Renew>();
    assert!(service.model().is_ok());
}
