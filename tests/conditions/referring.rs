//! Random `any` and `count`: of the offer, and of other entities.

use crate::expressions::Expressions;

impl Expressions<'_> {
    /// A condition on a watch of the offer.
    pub(crate) fn watched(&mut self) -> String {
        self.one_of(&[
            "user == caller",
            "fromDesk && user != caller",
            "user.status == \"ACTIVE\"",
            "user.employer == caller && offer.quantity > 1",
            "note.contains(\"a\") || isNoted",
            "note == null || count(Remark.watch) > 0",
            "any(Remark.watch, author == caller)",
            "note == claims.city || user.score == claims.count",
            "user == outer.seller || note == outer.name && outer.featured",
            "outer == offer && outer.seller.employer == user.employer",
            "outer.options.exists(o, o.maker == user)",
            "any(Remark.watch, author == outer.user)",
            "user.any(Offer.seller, name == outer.note || featured) && this.count(Remark.watch) == 0",
            "outer.seller.any(User.employer, outer.user == this)",
        ])
        .to_owned()
    }

    /// `any` of what refers to another entity.
    pub(crate) fn of_another(&mut self) -> String {
        match self.random.below(9) {
            0 => self.one_of(&["caller.any(Watch.user, offer == outer)", "any(Watch.offer)"]).to_owned(),
            1 => format!("this.any(Watch.offer, {})", self.watched()),
            2 => format!("caller.any(Watch.user, outer == offer && {})", self.watched_outside()),
            3 => format!("caller.employer.any(Watch.user, {})", self.watched_outside()),
            4 => format!("seller.any(Watch.user, {})", self.watched_outside()),
            5 => self.one_of(&["seller.any(User.employer)", "seller.employer.any(User.employer)"]).to_owned(),
            6 => format!("caller.any(User.employer, {})", self.employed()),
            7 => format!("seller.employer.any(User.employer, {})", self.employed()),
            _ => format!("options.exists(o, o.maker.any(Offer.seller, {}))", self.offered()),
        }
    }

    /// The same as a number.
    pub(crate) fn count_of_another(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("seller.count(Offer.seller, {})", self.offered()),
            1 => format!("caller.count(Offer.seller, {})", self.offered()),
            2 => format!("seller.employer.employer.count(Watch.user, {})", self.watched_outside()),
            _ => self.one_of(&["seller.count(Offer.seller)", "caller.count(Watch.user)"]).to_owned(),
        }
    }

    /// A condition on a watch, in which the offer is outside.
    fn watched_outside(&mut self) -> String {
        self.one_of(&[
            "offer == outer || note == outer.name",
            "note != null",
            "user.status == outer.status",
            "offer.seller == outer.seller && offer != outer",
            "any(Remark.watch, author == outer.user || author == caller)",
            "outer.seller.employer == user || fromDesk",
            "offer.any(Watch.offer, outer.note == note || outer.offer == offer)",
        ])
        .to_owned()
    }

    /// The same on a user.
    fn employed(&mut self) -> String {
        self.one_of(&[
            "this == outer.seller",
            "status == outer.status",
            "outer.seller == this && verified",
            "score == 3",
        ])
        .to_owned()
    }

    /// The same on an offer.
    fn offered(&mut self) -> String {
        self.one_of(&[
            "featured",
            "status == outer.status && this != outer",
            "price == outer.price || quantity > outer.quantity",
            "weight == outer.fee || ratio < outer.ratio",
            "endingAt > outer.startingAt || day < outer.day",
            "details.city == outer.details.city || outer.tags.exists(t, t == name)",
            "any(Watch.offer, outer.seller == user)",
            "size(outer.tags) == size(tags) && outer.period == period",
            "name in outer.tags || isWatched",
        ])
        .to_owned()
    }
}
