//! Random conditions on an offer, as texts. They are well-typed by construction: none is refused but for its size.

use crate::world::Random;
use restwell_model::condition::StaticType;

pub(crate) struct Expressions<'a> {
    pub(crate) random: &'a mut Random,
}

/// Claims, most of which are of another type than their names say, or are not there.
const CLAIMS: [&str; 10] = [
    "claims.city",
    "claims.admin",
    "claims.count",
    "claims.ratio",
    "claims.large",
    "claims.nothing",
    "claims.absent",
    "claims.roles",
    "claims.realm",
    "claims.realm.role",
];

impl<'a> Expressions<'a> {
    pub(crate) fn new(random: &'a mut Random) -> Self {
        Self { random }
    }

    pub(crate) fn one_of<'s>(&mut self, texts: &[&'s str]) -> &'s str {
        texts[self.random.below(texts.len())]
    }

    fn is_one_in(&mut self, times: usize) -> bool {
        self.random.below(times) == 0
    }

    /// An expression, with its type.
    pub(crate) fn value(&mut self) -> (String, StaticType) {
        let named = |name: &str| name.to_owned();
        match self.random.below(11) {
            0 => (self.boolean(2), StaticType::Boolean),
            1 => (self.exact(2), StaticType::Decimal(3)),
            2 => (self.whole(2), StaticType::Integer),
            3 => (self.number(3), StaticType::Number),
            4 => (self.text(1), StaticType::Text),
            5 => (self.timestamp(2), StaticType::Timestamp),
            6 => (self.date(2), StaticType::Date),
            7 => (self.user(), StaticType::Reference(named("User"))),
            8 => (self.status(1), StaticType::Enum(named("Status"))),
            9 => (self.period(2), StaticType::Duration),
            _ => (self.price(3), StaticType::Price),
        }
    }

    pub(crate) fn boolean(&mut self, depth: usize) -> String {
        if depth > 0 && !self.is_one_in(3) {
            let (one, other) = (self.boolean(depth - 1), self.boolean(depth - 1));
            return match self.random.below(6) {
                0 => format!("!({one})"),
                1 => format!("(({one}) ? ({other}) : {})", self.boolean(depth - 1)),
                2 => format!("({one}) == ({other})"),
                3 => format!("({one}) in [{other}, featured]"),
                4 => format!("(({one}) && ({other}))"),
                _ => format!("(({one}) || ({other}))"),
            };
        }
        match self.random.below(4) {
            0 => self.member(depth),
            1 => self.claim(),
            2 => self.test(depth),
            _ => self.comparison(depth),
        }
    }

    fn equality(&mut self) -> &'static str {
        self.one_of(&["==", "!="])
    }

    fn order(&mut self) -> &'static str {
        self.one_of(&["==", "!=", "<", "<=", ">", ">="])
    }

    fn comparison(&mut self, depth: usize) -> String {
        let (equality, order) = (self.equality(), self.order());
        match self.random.below(13) {
            11 => format!("{} {order} {}", self.length(depth), self.length(1)),
            12 => format!("{} {equality} {}", self.period(1), self.period(1)),
            0 => format!("{} {order} {}", self.exact(depth), self.exact(2)),
            1 => format!("{} {order} {}", self.number(depth), self.number(2)),
            2 => format!("{} {order} {}", self.number(depth), self.whole(2)),
            3 => format!("{} {order} {}", self.text(1), self.text(1)),
            4 => format!("{} {order} {}", self.timestamp(depth), self.timestamp(1)),
            5 => format!("{} {order} {}", self.date(depth), self.date(1)),
            6 => format!("{} {equality} {}", self.status(depth), self.status(1)),
            7 => format!("{} {equality} {}", self.user(), self.user()),
            8 => format!("{} {equality} {}", self.price(depth), self.price(2)),
            9 => {
                format!("size({}) {order} {}", self.one_of(&["tags", "options", "name", "lower(name)"]), self.whole(1))
            }
            _ => {
                let value = match self.random.below(10) {
                    9 => self.period(depth),
                    0 => self.price(depth),
                    1 => self.exact(depth),
                    2 => self.number(depth),
                    3 => self.text(1),
                    4 => self.user(),
                    5 => self.timestamp(1),
                    6 => self.status(depth),
                    7 => self.one_of(&CLAIMS).to_owned(),
                    _ => self.one_of(&["address", "details", "address.city", "options", "null"]).to_owned(),
                };
                format!("{value} {equality} null")
            }
        }
    }

    /// `in`, with values of one type, and null among them.
    fn member(&mut self, depth: usize) -> String {
        let null = if self.is_one_in(3) { ", null" } else { "" };
        match self.random.below(10) {
            0 => {
                let list = format!("[\"a\", \"B\"{null}]");
                let list = match self.random.below(4) {
                    0 => list,
                    1 => "tags".to_owned(),
                    2 => "scopes".to_owned(),
                    _ => "claims.roles".to_owned(),
                };
                format!("{} in {list}", self.text(1))
            }
            1 => {
                let values = [self.exact(0), self.exact(1)];
                format!("{} in [{}]", self.exact(depth), values.join(", "))
            }
            2 => {
                let values = [self.number(0), self.number(1), self.whole(0)];
                format!("{} in [{}]", self.number(depth), values.join(", "))
            }
            3 => {
                let values = [self.price(0), self.price(1)];
                format!("{} in [{}, null]", self.price(depth), values.join(", "))
            }
            4 => {
                format!("{} in [\"ACTIVE\", \"ENDED\"{null}]", self.status(depth))
            }
            5 => {
                let values = [self.user(), self.user()];
                format!("{} in [{}, null]", self.user(), values.join(", "))
            }
            6 => {
                let values = [self.timestamp(0), self.timestamp(1)];
                format!("{} in [{}]", self.timestamp(depth), values.join(", "))
            }
            7 => {
                let claims = [self.one_of(&CLAIMS), self.one_of(&CLAIMS)];
                format!("{} in [{}, null]", self.one_of(&CLAIMS), claims.join(", "))
            }
            8 => {
                format!("{} in {}", self.one_of(&CLAIMS), self.one_of(&["claims.roles", "tags", "scopes", "[1, 2.5]"]))
            }
            _ => format!("null in {}", self.one_of(&["[1]", "[null]", "[]", "tags", "claims.roles", "[name, \"a\"]"])),
        }
    }

    /// A claim beside a value of any type.
    fn claim(&mut self) -> String {
        let (equality, order) = (self.equality(), self.order());
        let chosen = match self.is_one_in(3) {
            true => format!("({} ? {} : {})", self.test(0), self.one_of(&CLAIMS), self.one_of(&CLAIMS)),
            false => self.one_of(&CLAIMS).to_owned(),
        };
        match self.random.below(11) {
            0 => format!("{chosen} {order} {}", self.one_of(&CLAIMS)),
            1 => format!("{chosen} {order} {}", self.whole(1)),
            2 => format!("{} {order} {chosen}", self.exact(1)),
            3 => format!("{chosen} {order} {}", self.number(1)),
            4 => format!("{} {order} {chosen}", self.text(1)),
            5 => format!("{chosen} {equality} {}", self.status(1)),
            6 => format!("{chosen} {equality} featured"),
            7 => format!("{chosen} {equality} {}", self.user()),
            8 => format!("{} {order} {chosen}", self.timestamp(1)),
            9 => format!("size({chosen}) {order} {}", self.whole(0)),
            _ => chosen,
        }
    }

    fn test(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            6 => self.of_another(),
            7 => format!("{} {} {}", self.count_of_another(), self.order(), self.random.below(3)),
            0 => format!("{}.{}({})", self.text(1), self.one_of(&["startsWith", "endsWith", "contains"]), self.text(1)),
            1 => self.quantified(),
            2 => format!("any(Watch.offer, {})", self.watched()),
            3 => format!("count(Watch.offer, {}) {} {}", self.watched(), self.order(), self.random.below(3)),
            4 if depth > 1 => format!("({}).{}", self.text(1), "startsWith(lower(name))"),
            5 if self.is_one_in(2) => self.one_of(&["isOpen", "shown", "chosen", "fromDesk"]).to_owned(),
            _ => self
                .one_of(&["isChosen", "isWatched", "featured", "!featured", "seller.verified", "featured == false"])
                .to_owned(),
        }
    }

    /// A whole number.
    fn whole(&mut self, depth: usize) -> String {
        if depth > 0 && self.is_one_in(2) {
            let (one, other) = (self.whole(depth - 1), self.whole(depth - 1));
            return match self.random.below(5) {
                0 => format!("-({one})"),
                1 => format!("({} ? {one} : {other})", self.test(0)),
                _ => format!("({one} {} {other})", self.one_of(&["+", "-", "*"])),
            };
        }
        self.one_of(&[
            "quantity",
            "quantity",
            "12",
            "0",
            "-3",
            "9223372036854775807",
            "9007199254740993",
            "count(Watch.offer)",
            "seller.count(Offer.seller)",
            "size(name)",
            "seller.employer.score",
            "days(day, day + period)",
            "days(today(\"Pacific/Auckland\"), day)",
        ])
        .to_owned()
    }

    /// A duration that has an order: none with months is written here.
    fn length(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("({} - {})", self.timestamp(depth.min(1)), self.timestamp(1)),
            1 => format!("({} - {})", self.date(depth.min(1)), self.date(1)),
            2 => self.one_of(&["(featured ? period : duration(\"P2D\"))", "computedPeriod"]).to_owned(),
            3 => self.one_of(&["duration(\"PT36H\")", "duration(\"P1.5W\")", "duration(\"PT0.0005S\")"]).to_owned(),
            _ => "period".to_owned(),
        }
    }

    /// A duration.
    fn period(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => self.duration(),
            1 => format!("({} ? period : duration(\"P1M\"))", self.test(0)),
            2 => "computedPeriod".to_owned(),
            3 if depth > 1 => format!("({} - {})", self.timestamp(1), self.timestamp(1)),
            4 if depth > 1 => format!("({} - {})", self.date(1), self.date(1)),
            _ => "period".to_owned(),
        }
    }

    /// A whole number or a decimal of at most three digits after the point.
    fn exact(&mut self, depth: usize) -> String {
        if depth > 0 && self.is_one_in(2) {
            let (one, other) = (self.exact(depth - 1), self.exact(depth - 1));
            return match self.random.below(5) {
                0 => format!("-({one})"),
                1 => format!("({} ? {one} : {other})", self.test(0)),
                2 => format!("({one} * {})", self.whole(depth - 1)),
                _ => format!("({one} {} {other})", self.one_of(&["+", "-"])),
            };
        }
        if self.is_one_in(3) {
            return self.whole(0);
        }
        self.one_of(&[
            "weight",
            "fee",
            "price.amount",
            "(price + price).amount",
            "1.50",
            "2.125",
            "(price * quantity).amount",
            "999999999999999.99",
        ])
        .to_owned()
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 && !self.is_one_in(3) {
            let (one, other) = (self.number(depth - 1), self.number(depth - 1));
            return match self.random.below(8) {
                0 => format!("-({one})"),
                1 => format!("({} ? {one} : {other})", self.test(0)),
                2 => format!("({one} + {})", self.whole(0)),
                _ => format!("({one} {} {other})", self.one_of(&["+", "-", "*"])),
            };
        }
        self.one_of(&["ratio", "ratio", "ratio", "(ratio * 0.5)", "-ratio", "(ratio + 1.25)"]).to_owned()
    }

    fn text(&mut self, depth: usize) -> String {
        if depth > 0 && self.is_one_in(3) {
            return match self.random.below(4) {
                0 => format!("lower({})", self.text(depth - 1)),
                1 => format!("({} + {})", self.text(depth - 1), self.one_of(&["status", "claims.city", "name"])),
                2 => format!("({} + {})", self.one_of(&["\"-\"", "status", "claims.count"]), self.text(depth - 1)),
                _ => format!("({} ? {} : {})", self.test(0), self.text(0), self.text(0)),
            };
        }
        self.one_of(&[
            "name",
            "address.city",
            "details.city",
            "seller.name",
            "\"a\"",
            "\"Ł\"",
            "\"\"",
            "\"ab\"",
            "name",
            "seller.employer.employer.name",
            "sellerName",
        ])
        .to_owned()
    }

    fn timestamp(&mut self, depth: usize) -> String {
        if depth == 0 || self.is_one_in(3) {
            let times = ["startingAt", "endingAt", "now", "timestamp(\"2027-01-31T12:00:00.000Z\")", "createdAt"];
            return self.one_of(&times).to_owned();
        }
        let (start, sign) = (self.timestamp(depth - 1), self.one_of(&["+", "-"]));
        match self.random.below(4) {
            0 | 1 => format!("({start} {sign} period)"),
            2 => format!("({start} {sign} ({} - {}))", self.timestamp(0), self.timestamp(0)),
            _ => format!("({start} {sign} {})", self.duration()),
        }
    }

    fn duration(&mut self) -> String {
        let text = self.one_of(&["P1M", "P1Y2M3D", "PT36H", "P2W", "P0.5W", "PT0.5S", "P0.5M", "P9000Y", "P1DT12H"]);
        format!("duration(\"{text}\")")
    }

    fn date(&mut self, depth: usize) -> String {
        if depth == 0 || self.is_one_in(3) {
            let dates = [
                "day",
                "day",
                "(featured ? day : \"2027-02-28\")",
                "today(\"Europe/Warsaw\")",
                "today(\"America/New_York\")",
            ];
            return self.one_of(&dates).to_owned();
        }
        let (start, sign) = (self.date(depth - 1), self.one_of(&["+", "-"]));
        match self.random.below(4) {
            0 | 1 => format!("({start} {sign} period)"),
            2 => format!("({start} {sign} ({} - {}))", self.timestamp(0), self.timestamp(0)),
            _ => format!("({start} {sign} {})", self.duration()),
        }
    }

    fn status(&mut self, depth: usize) -> String {
        if depth > 0 && self.is_one_in(4) {
            return format!("({} ? {} : {})", self.test(0), self.status(depth - 1), self.status(0));
        }
        self.one_of(&[
            "status",
            "seller.status",
            "seller.employer.status",
            "(featured ? status : seller.status)",
            "(featured ? \"ACTIVE\" : status)",
        ])
        .to_owned()
    }

    fn user(&mut self) -> String {
        self.one_of(&[
            "seller",
            "caller",
            "seller.employer",
            "caller.employer",
            "seller.employer.employer",
            "(featured ? seller : caller)",
        ])
        .to_owned()
    }

    fn price(&mut self, depth: usize) -> String {
        if depth > 0 && self.is_one_in(2) {
            let (one, other) = (self.price(depth - 1), self.price(depth - 1));
            return match self.random.below(8) {
                0 => format!("({} ? {one} : {other})", self.test(0)),
                1 => format!("({one} * {})", self.whole(0)),
                2 => format!("({one} - {other})"),
                3 => format!("({one} * {})", self.exact(1)),
                4 => format!("({} * {one})", self.number(1)),
                5 => format!("({one} * {})", self.one_of(&["0.075", "-0.5", "0.000000000000000001", "1.23", "ratio"])),
                _ => format!("({one} + {other})"),
            };
        }
        self.one_of(&["price", "shipping", "doubled"]).to_owned()
    }

    fn quantified(&mut self) -> String {
        let body = match self.random.below(10) {
            8 => "chosen && o.chosen || fromDesk && o.name == name".to_owned(),
            7 => "isChosen || o.chosen && isWatched".to_owned(),
            0 => "o.price.amount < 10".to_owned(),
            1 => "o.name == name".to_owned(),
            2 => "(o.price + price in [o.price, price]) || o.price.currency == price.currency && o.price != null"
                .to_owned(),
            3 => "o.at > startingAt".to_owned(),
            4 => "o.weight * 2 in [weight, o.weight * 2 + 0]".to_owned(),
            5 => "o.chosen".to_owned(),
            6 => "o.maker == seller || o.maker.status == \"ACTIVE\"".to_owned(),
            _ => "o.day < day || lower(o.name).contains(\"a\")".to_owned(),
        };
        match self.random.below(4) {
            0 => format!("tags.exists(t, t.startsWith({}))", self.text(0)),
            1 => format!("tags.all(t, t != {})", self.text(0)),
            2 => format!("options.all(o, {body})"),
            _ => format!("options.exists(o, {body})"),
        }
    }
}
