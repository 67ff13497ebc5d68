//! Types of several modules, imported under other names, raw identifiers, and a builder.

use std::sync::Arc;

mod offers {
    use super::users::Account as Seller;
    use restwell::{Command, Enum, Object, Ref, Resource};
    use restwell_model::scalar::Timestamp;

    /// Something for sale.
    #[derive(Resource)]
    #[resource(owner = seller, under(r#type), commands(Renew), search)]
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

/// The trait of the handlers, which is not imported here.
mod traits {
    use super::offers::{Done, Offer, Renew};
    use restwell::{Call, CommandHandlers, Rejection};

    pub trait OfferCommands: CommandHandlers<Offer> {
        fn renew(&self, call: Call<Renew>) -> impl Future<Output = Result<Done, Rejection>> + Send;
    }
}

struct Commands;

#[restwell::handlers]
impl traits::OfferCommands for Commands {
    async fn renew(&self, call: restwell::Call<offers::Renew>) -> Result<offers::Done, restwell::Rejection> {
        call.transaction.check().await?;
        Ok(offers::Done { ending_at: None })
    }
}

#[test]
fn a_service_of_both_is_sound() {
    let service = restwell::Builder::new("marketplace")
        .users::<users::Account>()
        .resource::<offers::Offer>()
        .commands::<offers::Offer>(&Arc::new(Commands));
    let model = service.model().unwrap();
    assert_eq!(model.resources[1].commands.len(), 1);
}
