//! Former names of resources, views and commands: further paths of the same operations.

use crate::api::{Api, EventSchema};
use crate::check::Checked;
use crate::formerly::Formerly;
use crate::resource::{Command, OperationKind, Resource, View};
use crate::scalar::Date;
use crate::service::Service;

fn day(text: &str) -> Date {
    Date::parse(text).expect("a day")
}

/// `Listing` was `Offer`, its view `fresh` was `open`, its command `refresh` was `renew`.
fn renamed() -> Checked {
    let mut listing = listing();
    let view = View::new("fresh", &listing.plural);
    let formerly = Some(Formerly::new("open", day("2027-05-31")));
    listing.views.push(View { operations: listing.operations.clone(), formerly, ..view });
    let command = Command::new("refresh");
    listing.commands.push(Command { formerly: Some(Formerly::new("renew", day("2027-04-30"))), ..command });
    checked(listing)
}

/// It is only listed.
fn listing() -> Resource {
    let mut listing = Resource::new("Listing");
    listing.formerly = Some(Formerly::new("Offer", day("2027-06-30")));
    listing.operations.retain(|operation| operation.kind == OperationKind::List);
    listing
}

fn checked(resource: Resource) -> Checked {
    let mut service = Service::new("shop");
    service.resources = vec![resource];
    Checked::new(service).expect("no mistake")
}

#[test]
fn each_combination_of_names_has_paths_with_the_first_of_their_days() {
    let service = renamed();
    let api = Api::of(&service);
    let of_resource = api.operations().filter(|(path, _)| path.subject_resource().is_some());
    let found: Vec<_> = of_resource
        .filter(|(_, operation)| operation.method == "GET")
        .map(|(path, it)| {
            let day = it.deprecation.and_then(|it| it.sunset).map(|day| day.to_string()).unwrap_or_default();
            format!("{} {} {} {} {day}", path.pattern, it.id, it.name, path.collection)
        })
        .collect();
    let expected = [
        "/listings Listing.list listListings listings ",
        "/fresh/listings Listing.fresh.list listFreshListings listings ",
        "/listings/{}/refresh-commands/{} Listing.refresh.status getRefreshListing refreshCommands ",
        "/listings/{}/refresh-commands Listing.refresh.list listRefreshListingCommands refreshCommands ",
        "/open/listings Listing.open.list listOpenListings listings 2027-05-31",
        "/listings/{}/renew-commands/{} Listing.renew.status getRenewListing renewCommands 2027-04-30",
        "/listings/{}/renew-commands Listing.renew.list listRenewListingCommands renewCommands 2027-04-30",
        "/offers Offer.list listOffers offers 2027-06-30",
        "/fresh/offers Offer.fresh.list listFreshOffers offers 2027-06-30",
        "/open/offers Offer.open.list listOpenOffers offers 2027-05-31",
        "/offers/{}/refresh-commands/{} Offer.refresh.status getRefreshOffer refreshCommands 2027-06-30",
        "/offers/{}/refresh-commands Offer.refresh.list listRefreshOfferCommands refreshCommands 2027-06-30",
        "/offers/{}/renew-commands/{} Offer.renew.status getRenewOffer renewCommands 2027-04-30",
        "/offers/{}/renew-commands Offer.renew.list listRenewOfferCommands renewCommands 2027-04-30",
    ];
    assert_eq!(found, expected);
    let homes: Vec<_> = api.paths.iter().map(|path| path.home.as_str()).filter(|home| home.contains("renew")).collect();
    assert_eq!(homes.last(), Some(&"/offers/{}/renew-commands"));
}

#[test]
fn events_have_each_name() {
    let service = renamed();
    let api = Api::of(&service);
    let former = |it: &&EventSchema<'_>| it.name.deprecation.is_some();
    let types: Vec<_> = api.events.kinds.iter().filter(former).map(|it| it.event_type.as_str()).collect();
    assert!(types.contains(&"shop.offer.created") && types.contains(&"shop.listing.renew-command.failed"), "{types:?}");
    assert!(!types.contains(&"shop.listing.created"), "{types:?}");
    // three kinds of entities, and three statuses under three more names
    assert_eq!(types.len(), 3 + 3 * 3);
}

/// A view whose path is written out had the former plural in it.
#[test]
fn a_former_path_that_is_written_out_has_the_former_array() {
    let mut listing = listing();
    let path = Some("/watched-offers".to_owned());
    let formerly = Some(Formerly { path, ..Formerly::new("watched", day("2027-05-31")) });
    let view = View::new("followed", &listing.plural);
    listing.views.push(View { operations: listing.operations.clone(), formerly, ..view });
    let service = checked(listing);
    let api = Api::of(&service);
    let arrays: Vec<_> = api.paths.iter().filter(|path| path.pattern == "/watched-offers").collect();
    assert_eq!(arrays.len(), 1);
    assert_eq!(arrays[0].collection, "offers");
}
