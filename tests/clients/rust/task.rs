//! The task of `tests/clients/typescript/side_by_side/` in Rust: raise the price of a seller's books below 50 PLN by
//! 10 %, renew each, wait, and report what failed. Its lines are counted.

use futures_util::TryStreamExt;
use marketplace_client::{Category, Client, Currency, Error, OfferQuery, OfferRenewInput, Price, Timestamp};
use rust_decimal::Decimal;
use uuid::Uuid;

pub(crate) async fn task(client: &Client, seller: Uuid, mut print: impl FnMut(Uuid, Error)) -> Result<(), Error> {
    let (offers, pln) = (client.offers(), Currency::parse("PLN").expect("a currency"));
    let books = OfferQuery::new().category(Category::Books).seller_id(seller);
    let mut found = Box::pin(offers.all(books.buy_now_amount_lt(50.into()).buy_now_currency(pln.clone())));
    let raised = |price: &Price| Price::of((price.amount() * Decimal::new(11, 1)).round_dp(2), pln.clone());
    while let Some(offer) = found.try_next().await? {
        let edited = offers.edit(offer.id, |it| it.buy_now = raised(&it.buy_now).expect("an amount")).await;
        let renewal = OfferRenewInput::new(Timestamp::now(), "P14D".parse().expect("a duration"));
        let renewed = async { edited.map(drop).and(offers.renew(offer.id, &renewal).await.map(drop)) };
        if let Err(error) = renewed.await {
            print(offer.id, error);
        }
    }
    Ok(())
}
