//! What does not fit the model.

use super::super::*;
use super::{market, on_offer};

#[test]
fn conditions_that_fit_are_accepted() {
    for text in [
        "status == \"ACTIVE\"",
        "status in [\"ACTIVE\", \"ENDED\"] && seller == caller",
        "seller.status == \"ACTIVE\" && seller.employer.employer.employer.kind == \"X\"",
        "caller.kind == \"BUSINESS\" || \"offers.admin\" in scopes || \"moderator\" in claims.roles",
        "claims.realm.role == \"x\" || claims.admin",
        "buyNow.amount * 2 >= 12.50 && (buyNow + buyNow).amount > weight",
        "buyNow == null || old == null || old.buyNow.currency == buyNow.currency",
        "startingAt + duration(\"P1M\") < endingAt && endingAt - period > now",
        "endingAt - startingAt > duration(\"PT36H\") && period <= \"P3D\" && now + (endingAt - now) == endingAt",
        "days(day, \"2026-12-24\") > 3 && today(\"Europe/Warsaw\") - day < period && days(claims.birth, day) > 1",
        "buyNow * 0.23 != buyNow * ratio && (name + \" \" + status + claims.city).startsWith(\"a\")",
        "(featured ? endingAt - startingAt : duration(\"P1D\")) in [duration(\"P1D\"), day - day]",
        "day == \"2026-12-01\" && day + duration(\"P3D\") > createdAt_day(day) ? true : false",
        "size(tags) > 0 && \"a\" in tags && lower(name).startsWith(lower(address.city))",
        "options.exists(o, o.price.amount < 10 && o.name == name) || options.all(o, o.price != null)",
        "any(Watch.offer, user == caller) && count(Watch.offer) < 3",
        "count(Watch.offer, user.kind == \"X\" && offer.status == \"ENDED\") == 0",
        "caller.any(Watch.user, offer == outer) && seller.count(Offer.seller, status == outer.status) < 3",
        "seller.employer.any(User.employer, kind == outer.name && outer.seller == this) || this.any(Watch.offer)",
        "any(Watch.offer, user == outer.seller && user.any(Offer.seller, this != outer.offer))",
        "old.seller.count(Offer.seller) > 0 || any(Watch.offer, outer == offer && outer.address.city == null)",
        "this == \"018f0000-0000-7000-8000-000000000000\" || id != null || seller.id == caller",
        "ratio * 1.5 < 2 && quantity * 3 - 1 > -weight",
        "address == null || address.city != null",
        "country == \"PL\" || buyNow.currency == \"PLN\"",
        "null in [1] || null == null || quantity in [1, null, 2.5]",
        "claims.team == claims.allowed && claims.level >= 3 && claims.tags == null",
        "featured && !featured",
    ] {
        let text = text.replace("createdAt_day(day)", "day");
        if let Err(mistakes) = on_offer(&text) {
            panic!("{text}: {mistakes:?}");
        }
    }
}

#[test]
fn mistakes_say_what_and_where() {
    let cases = [
        ("statsu == \"A\"", "statsu", "`Offer` has no field `statsu`"),
        ("status == \"ACTVE\"", "\"ACTVE\"", "`ACTVE` is not a value of `Status`"),
        ("status", "status", "a condition is true or false, this is a value of `Status`"),
        ("seller.nick == null", "seller.nick", "`User` has no field `nick`"),
        ("seller == this", "seller == this", "a reference to `User` is never one to `Offer`"),
        ("name < 3", "name < 3", "a text and an integer cannot be compared"),
        ("status < \"ACTIVE\"", "status < \"ACTIVE\"", "`<` does not compare a value of `Status`"),
        ("buyNow > 10", "buyNow > 10", "a price and an integer cannot be compared"),
        ("endingAt > null", "endingAt > null", "`>` with null never holds"),
        ("endingAt - day == null", "endingAt - day", "`-` does not take a timestamp and a date"),
        ("endingAt + startingAt == null", "endingAt + startingAt", "`+` does not take a timestamp and a timestamp"),
        ("endingAt - now", "endingAt - now", "a condition is true or false, this is a duration"),
        (
            "period < duration(\"P1M\")",
            "duration(\"P1M\")",
            "`P1M` has no length, since months have not, and so no order",
        ),
        ("endingAt - now < \"P1Y\"", "\"P1Y\"", "`P1Y` has no length, since months have not, and so no order"),
        ("days(startingAt, day) < 3", "startingAt", "expected a date, found a timestamp"),
        ("days(day) < 3", "days(day)", "`days` takes two dates: `days(startingOn, endingOn)`"),
        ("today(\"Warsaw\") < day", "\"Warsaw\"", "`Warsaw` is not a time zone"),
        ("today(name) < day", "name", "`today` takes the name of a time zone in quotes: `today(\"Europe/Warsaw\")`"),
        ("name + 3 == null", "name + 3", "`+` does not take a text and an integer"),
        ("name - name == null", "name - name", "`-` does not take a text and a text"),
        ("buyNow + 3 == null", "buyNow + 3", "`+` does not take a price and an integer"),
        ("endingAt > timestamp(\"2026\")", "\"2026\"", "`2026` is not a timestamp"),
        ("day == \"2026-13-01\"", "\"2026-13-01\"", "`2026-13-01` is not a date"),
        ("\"a\" in name", "name", "`in` needs a list, this is a text"),
        ("tags.contains(\"a\")", "tags", "expected a text, found a list"),
        ("matches(name, \"a\")", "matches", "there is no function `matches`"),
        ("name.matches(\"a\")", "matches", "there is no function `matches`"),
        ("any(Wach.offer)", "Wach", "there is no resource `Wach`"),
        ("any(Watch.user)", "Watch.user", "`Watch.user` is not a reference to `Offer`"),
        ("caller.any(Wach.user)", "Wach", "there is no resource `Wach`"),
        ("caller.any(Watch.offer)", "Watch.offer", "`Watch.offer` is not a reference to `User`"),
        ("seller.count(Watch.user, usr == null) > 1", "usr", "`Watch` has no field `usr`"),
        ("status.any(Watch.user)", "status", "`any` needs a reference, this is a value of `Status`"),
        ("tags.count(Watch.user) > 1", "tags", "`count` needs a reference, this is a list"),
        (
            "(featured ? seller : caller).any(Watch.user)",
            "featured ? seller : caller",
            "`any` needs a path of references",
        ),
        (
            "caller.any(Watch)",
            "Watch",
            "`any` takes a reference of another resource and a condition: \
          `any(Watch.offer, user == caller)`",
        ),
        ("outer == null", "outer", "there is no `outer` here"),
        ("seller.any(Watch.user, true) && outer.status == null", "outer", "there is no `outer` here"),
        ("any(Watch.offer, outer.stats == null)", "outer.stats", "`Offer` has no field `stats`"),
        ("any(Watch.offer, outer == user)", "outer == user", "a reference to `Offer` is never one to `User`"),
        ("any(Watch.offer, outer.outer == null)", "outer.outer", "`Offer` has no field `outer`"),
        ("any(Watch.offer, any(Watch.offer))", "Watch.offer", "`Watch.offer` is not a reference to `Watch`"),
        (
            "any(Watch.offer, user.any(Offer.seller, any(Watch.offer)))",
            "any(Watch.offer)",
            "`any` and `count` stand more than 2 deep within each other",
        ),
        ("any(Watch.offer, old == null)", "old", "there is no `old` here"),
        ("buyNow.tax == 1", "buyNow.tax", "a price has no `tax`"),
        ("country == \"XX\"", "\"XX\"", "`XX` is not a value of the type `country`"),
        ("\"Poland\" in [country]", "\"Poland\"", "`Poland` is not a value of the type `country`"),
        ("buyNow.currency in [\"PLN\", \"ZŁ\"]", "[\"PLN\", \"ZŁ\"]", "`ZŁ` is not a value of the type `currency`"),
        ("options.exists(scopes, true)", "scopes", "`scopes` is a word of the language, and not a name for an item"),
        ("address == claims.address", "address == claims.address", "objects can be compared with null only"),
        ("tags == claims.tags", "tags == claims.tags", "lists cannot be compared"),
        ("options.exists(o, o.prise == null)", "o.prise", "`Option` has no field `prise`"),
        (
            "seller.employer.employer.employer.employer.kind == null",
            "seller.employer.employer.employer.employer.kind",
            "this passes through more than 4 references",
        ),
    ];
    for (text, place, message) in cases {
        let mistakes = on_offer(text).unwrap_err();
        assert_eq!((&text[mistakes[0].span.clone()], mistakes[0].message.as_str()), (place, message), "{text}");
    }
    let scale = parse("quantity * 0.125").unwrap();
    let service = market();
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
    let wrong = check_value(&scale, &scope, &StaticType::Decimal(2)).unwrap_err();
    let message = "expected a decimal with 2 digits after the point, found a decimal with 3 digits after the point";
    assert_eq!(wrong[0].message, message);
    assert!(check_value(&scale, &scope, &StaticType::Decimal(4)).is_ok());
    let both = on_offer("statsu == null && nmae == null").unwrap_err();
    assert_eq!(both.len(), 2);
}

#[test]
fn a_role_knows_the_caller_alone() {
    let service = market();
    let scope = Scope { service: &service, entity: None, old: false };
    assert!(Condition::new("caller.kind == \"BUSINESS\" && now != null").typed(&scope).is_ok());
    for text in ["caller.any(Watch.user, offer.status == \"ACTIVE\")", "caller.employer.count(Watch.user) < 3"] {
        assert!(Condition::new(text).typed(&scope).is_ok(), "{text}");
    }
    for text in ["status == \"ACTIVE\"", "this == caller", "any(Watch.offer)", "old == null"] {
        let mistakes = Condition::new(text).typed(&scope).unwrap_err();
        assert_eq!(mistakes[0].code, MistakeCode::Misplaced, "{text}");
    }
    let outside = Condition::new("caller.any(Watch.user, offer == outer)").typed(&scope).unwrap_err();
    let message = "there is no `outer` here: this is a condition on the caller alone";
    assert_eq!((outside[0].span.clone(), outside[0].message.as_str()), (32..37, message));
    // in a service without users nobody refers to the caller
    let mut service = service.into_inner();
    service.users = None;
    let service = crate::check::Checked::recorded(service);
    let nobody = Condition::new("caller.any(Watch.user)").typed(&Scope { service: &service, entity: None, old: false });
    let message = "`any` needs a resource of users, and the service names none";
    assert_eq!(nobody.unwrap_err()[0].message, message);
}

#[test]
fn what_is_read_is_known() {
    let reads =
        on_offer("address.city == old.name && seller.status == null && any(Watch.offer, user == caller)").unwrap();
    let reads = reads.reads();
    assert_eq!(reads.fields.iter().map(String::as_str).collect::<Vec<_>>(), ["address.city", "seller"]);
    assert_eq!(reads.old_fields.iter().map(String::as_str).collect::<Vec<_>>(), ["name"]);
    assert_eq!(reads.resources.iter().map(String::as_str).collect::<Vec<_>>(), ["User", "Watch"]);
    assert!(reads.old && reads.caller && !reads.now);
    // what is outside is the entity, inside another `any` it is not
    let reads = on_offer(
        "caller.any(Watch.user, offer.name == outer.name && offer == outer) && seller.any(Offer.seller, \
         outer.seller.status == status && any(Watch.offer, outer.country == null))",
    );
    let reads = reads.unwrap().reads();
    assert_eq!(reads.fields.iter().map(String::as_str).collect::<Vec<_>>(), ["name", "seller"]);
    let followed: Vec<_> = reads.followed.iter().map(|(of, field)| (of.as_str(), field.as_str())).collect();
    assert_eq!(followed, [("User", "status")]);
    assert_eq!(reads.resources.iter().map(String::as_str).collect::<Vec<_>>(), ["Offer", "User", "Watch"]);
}

#[test]
fn words_of_the_language_are_no_fields() {
    let mut service = crate::service::Service::new("market");
    let mut offer = crate::resource::Resource::new("Offer");
    let timestamp = || crate::field::Type::Timestamp { minimum: None, maximum: None };
    offer.fields = ["now", "endingAt"].map(|name| crate::field::Field::new(name, timestamp())).to_vec();
    service.resources.push(offer);
    let checked = crate::check::Checked::recorded(service.clone());
    let scope = Scope { service: &checked, entity: checked.resource("Offer"), old: false };
    let mistakes = Condition::new("endingAt < now").typed(&scope).unwrap_err();
    let message = "`now` is a word of the language, and `Offer` has a field of this name";
    assert_eq!((mistakes[0].span.clone(), mistakes[0].message.as_str()), (11..14, message));
    assert!(Condition::new("endingAt < this.now").typed(&scope).is_ok());
    service.resources[0].fields.push(crate::field::Field::new("outer", timestamp()));
    let service = crate::check::Checked::recorded(service);
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
    let mistakes = Condition::new("outer == endingAt").typed(&scope).unwrap_err();
    assert_eq!(mistakes[0].message, "`outer` is a word of the language, and `Offer` has a field of this name");
    assert!(Condition::new("this.outer == endingAt").typed(&scope).is_ok());
    // a role knows no fields
    let caller = Scope { entity: None, ..scope };
    assert!(Condition::new("now != null").typed(&caller).is_ok());
}
