//! Random conditions on an offer, as texts; a few do not fit the model and are passed over.

use crate::world::Random;
use restwell_model::condition::StaticType;

pub(crate) struct Expressions<'a> {
    random: &'a mut Random,
}

impl<'a> Expressions<'a> {
    pub(crate) fn new(random: &'a mut Random) -> Self {
        Self { random }
    }

    fn one_of<'s>(&mut self, texts: &[&'s str]) -> &'s str {
        texts[self.random.below(texts.len())]
    }

    /// An expression, with its type.
    pub(crate) fn value(&mut self) -> (String, StaticType) {
        let named = |name: &str| name.to_owned();
        match self.random.below(9) {
            0 => (self.boolean(2), StaticType::Boolean),
            1 => (self.exact(2), StaticType::Decimal(2)),
            2 => (self.exact(1), StaticType::Integer),
            3 => (self.number(2), StaticType::Number),
            4 => (self.text(1), StaticType::Text),
            5 => (self.timestamp(), StaticType::Timestamp),
            6 => (self.date(), StaticType::Date),
            7 => (self.user(), StaticType::Reference(named("User"))),
            _ => (self.price(1), StaticType::Price),
        }
    }

    pub(crate) fn boolean(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.below(3) == 0 {
            let (one, other) = (self.boolean(depth - 1), self.boolean(depth - 1));
            return match self.random.below(5) {
                0 => format!("!({one})"),
                1 => format!("({one}) ? ({other}) : {}", self.boolean(0)),
                2 => format!("({one}) == ({other})"),
                3 => format!("(({one}) && ({other}))"),
                _ => format!("(({one}) || ({other}))"),
            };
        }
        let equality = self.one_of(&["==", "!="]);
        let order = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
        match self.random.below(18) {
            0 => format!("{} {order} {}", self.exact(2), self.exact(2)),
            1 => format!("{} {order} {}", self.number(2), self.number(2)),
            2 => format!("{} {order} {}", self.text(1), self.text(1)),
            3 => format!("{} {order} {}", self.timestamp(), self.timestamp()),
            4 => format!("{} {order} {}", self.date(), self.date()),
            5 => format!("{} {equality} {}", self.status(), self.status()),
            6 => format!("{} {equality} {}", self.user(), self.user()),
            7 => format!("{} {equality} {}", self.price(1), self.price(1)),
            8 => {
                let sought = self.text(1);
                let list = self.one_of(&["tags", "[\"a\", \"B\", null]", "scopes", "claims.roles", "[\"a\", \"ł\"]"]);
                format!("{sought} in {list}")
            }
            9 => format!("{} in [{}, {}]", self.exact(1), self.exact(0), self.exact(1)),
            10 => {
                format!("{}.{}({})", self.text(1), self.one_of(&["startsWith", "endsWith", "contains"]), self.text(1))
            }
            11 => self.quantified(),
            12 => format!("any(Watch.offer, {})", self.watched()),
            13 => format!("count(Watch.offer, {}) {order} {}", self.watched(), self.random.below(3)),
            14 => self
                .one_of(&[
                    "isChosen",
                    "isWatched",
                    "featured",
                    "!featured",
                    "seller.verified",
                    "featured == false",
                    "claims.admin",
                ])
                .to_owned(),
            15 => {
                let field = self.one_of(&[
                    "address",
                    "address.city",
                    "name",
                    "price",
                    "endingAt",
                    "seller.employer",
                    "seller.status",
                    "old_price",
                    "details",
                    "details.city",
                    "price + price",
                ]);
                format!("{} {equality} null", field.replace("old_price", "price * 2"))
            }
            16 => format!(
                "size({}) {order} {}",
                self.one_of(&["tags", "options", "name", "lower(name)"]),
                self.random.below(4)
            ),
            _ => format!("{} in [\"ACTIVE\", \"ENDED\"]", self.status()),
        }
    }

    fn exact(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.below(2) == 0 {
            let (one, other) = (self.exact(depth - 1), self.exact(depth - 1));
            let operator = self.one_of(&["+", "-", "*"]);
            return match self.random.below(5) {
                0 => format!("-({one})"),
                1 => format!("({} ? {one} : {other})", self.boolean(0)),
                _ => format!("({one} {operator} {other})"),
            };
        }
        let field = self.one_of(&[
            "quantity",
            "weight",
            "fee",
            "price.amount",
            "(price + price).amount",
            "12",
            "0",
            "1.50",
            "-3",
            "2.125",
            "9223372036854775807",
            "count(Watch.offer)",
            "size(name)",
            "seller.employer.score",
            "(price * quantity).amount",
            "999999999999999.99",
        ]);
        field.to_owned()
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.below(2) == 0 {
            let (one, other) = (self.number(depth - 1), self.number(depth - 1));
            return format!("({one} {} {other})", self.one_of(&["+", "-", "*"]));
        }
        self.one_of(&["ratio", "ratio", "quantity", "0.5", "2", "-ratio", "1.25"]).to_owned()
    }

    fn text(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.below(3) == 0 {
            return format!("lower({})", self.text(depth - 1));
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
            "status",
            "price.currency",
            "claims.city",
            "seller.employer.employer.name",
            "sellerName",
        ])
        .to_owned()
    }

    fn timestamp(&mut self) -> String {
        let field =
            self.one_of(&["startingAt", "endingAt", "now", "timestamp(\"2027-01-31T12:00:00.000Z\")", "createdAt"]);
        match self.random.below(3) {
            0 => field.to_owned(),
            1 => format!("{field} {} {}", self.one_of(&["+", "-"]), self.duration()),
            _ => format!("{field} {} period", self.one_of(&["+", "-"])),
        }
    }

    fn duration(&mut self) -> String {
        let text = self.one_of(&["P1M", "P1Y2M3D", "PT36H", "P2W", "P0.5W", "PT0.5S", "P0.5M", "P9000Y", "P1DT12H"]);
        format!("duration(\"{text}\")")
    }

    fn date(&mut self) -> String {
        let field = self.one_of(&["day", "\"2027-02-28\"", "day"]);
        match self.random.below(3) {
            0 => field.to_owned(),
            1 => format!("day {} {}", self.one_of(&["+", "-"]), self.duration()),
            _ => format!("day {} period", self.one_of(&["+", "-"])),
        }
    }

    fn status(&mut self) -> String {
        self.one_of(&[
            "status",
            "\"ACTIVE\"",
            "seller.status",
            "seller.employer.status",
            "(featured ? status : seller.status)",
        ])
        .to_owned()
    }

    fn user(&mut self) -> String {
        self.one_of(&["seller", "caller", "seller.employer", "caller.employer", "seller.employer.employer"]).to_owned()
    }

    fn price(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.below(3) == 0 {
            let (one, other) = (self.price(0), self.price(0));
            return match self.random.below(3) {
                0 => format!("({one} + {other})"),
                1 => format!("({one} - {other})"),
                _ => format!("({one} * quantity)"),
            };
        }
        self.one_of(&["price", "shipping", "doubled"]).to_owned()
    }

    fn quantified(&mut self) -> String {
        let body = match self.random.below(9) {
            7 => "isChosen || o.chosen && isWatched".to_owned(),
            0 => "o.price.amount < 10".to_owned(),
            1 => "o.name == name".to_owned(),
            2 => "o.price.currency == price.currency && o.price != null".to_owned(),
            3 => "o.at > startingAt".to_owned(),
            4 => "o.weight * 2 > weight".to_owned(),
            5 => "o.chosen".to_owned(),
            6 => "o.maker == seller || o.maker.status == \"ACTIVE\"".to_owned(),
            _ => "o.day < day || lower(o.name).contains(\"a\")".to_owned(),
        };
        match self.random.below(4) {
            0 => format!("tags.exists(t, t.startsWith({}))", self.text(1)),
            1 => format!("tags.all(t, t != {})", self.text(0)),
            2 => format!("options.all(o, {body})"),
            _ => format!("options.exists(o, {body})"),
        }
    }

    fn watched(&mut self) -> String {
        self.one_of(&[
            "user == caller",
            "user.status == \"ACTIVE\"",
            "user.employer == caller && offer.quantity > 1",
            "note.contains(\"a\") || isNoted",
            "note == null || count(Remark.watch) > 0",
            "any(Remark.watch, author == caller)",
        ])
        .to_owned()
    }
}
