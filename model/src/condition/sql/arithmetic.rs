//! `+`, `-`, `*` in SQL. What has no result is null, in the words of `condition::arithmetic`.

use super::{SQL_EXACT, SQL_NUMBER, SQL_SHIFT, SqlWriter};
use crate::condition::expr::Operator;
use crate::condition::typed::{Node, StaticType, Typed};
use crate::scalar::{Date, IsoDuration, Timestamp};
use crate::value::Value;

/// Months beyond which no date stays within the years 0001 to 9999.
const MOST_MONTHS: u32 = 120_000;

impl SqlWriter<'_> {
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: &StaticType, one: &Typed, other: &Typed) -> Option<()> {
        match ty {
            StaticType::Timestamp | StaticType::Date => self.shifted(ty, operator == Operator::Subtract, one, other),
            StaticType::Number => self.number(operator, one, other),
            _ => self.exact(operator, ty, one, other),
        }
    }

    fn exact(&mut self, operator: Operator, ty: &StaticType, one: &Typed, other: &Typed) -> Option<()> {
        let is_decimal = matches!(ty, StaticType::Decimal(_));
        let by = |of: &Typed| match operator {
            Operator::Multiply => 0,
            _ => ty.scale() - of.ty.scale().min(ty.scale()),
        };
        let symbol = operator.symbol();
        if self.is_sqlite() {
            let flag = u8::from(is_decimal);
            let pattern = format!("\"{SQL_EXACT}\"('{symbol}', {{}}, {}, {{}}, {}, {flag})", by(one), by(other));
            return self.write(&pattern, &[one, other]);
        }
        let (least, most) = match is_decimal {
            true => ("-999999999999999999", "999999999999999999"),
            false => ("-9223372036854775808", "9223372036854775807"),
        };
        let numeric = |of: &Typed| format!("CAST({{}} AS numeric) * 1{}", "0".repeat(by(of) as usize));
        let alias = self.alias("n");
        let pattern = format!(
            "(SELECT CASE WHEN {alias}.v BETWEEN {least} AND {most} THEN CAST({alias}.v AS bigint) END \
             FROM (SELECT ({}) {symbol} ({}) AS v) {alias})",
            numeric(one),
            numeric(other)
        );
        self.write(&pattern, &[one, other])
    }

    fn number(&mut self, operator: Operator, one: &Typed, other: &Typed) -> Option<()> {
        let symbol = operator.symbol();
        if self.is_sqlite() {
            return self.write(&format!("\"{SQL_NUMBER}\"('{symbol}', {{}}, {{}})"), &[one, other]);
        }
        let alias = self.alias("n");
        let (x, y) = (format!("{alias}.x"), format!("{alias}.y"));
        let mut bounds = format!("abs({x}) <= 1e150 AND abs({y}) <= 1e150");
        if operator == Operator::Multiply {
            bounds += &format!(" AND ({x} = 0 OR abs({x}) >= 1e-150) AND ({y} = 0 OR abs({y}) >= 1e-150)");
        }
        let pattern = format!(
            "(SELECT CASE WHEN {bounds} THEN 0 + {x} {symbol} {y} END FROM (SELECT CAST({{}} AS double precision) AS x, \
             CAST({{}} AS double precision) AS y) {alias})"
        );
        self.write(&pattern, &[one, other])
    }

    fn shifted(&mut self, ty: &StaticType, is_earlier: bool, one: &Typed, duration: &Typed) -> Option<()> {
        let is_date = *ty == StaticType::Date;
        if self.is_sqlite() {
            let (kind, flag) = (if is_date { "date" } else { "timestamp" }, u8::from(is_earlier));
            return self.write(&format!("\"{SQL_SHIFT}\"('{kind}', {{}}, {{}}, {flag})"), &[one, duration]);
        }
        let (alias, inner) = (self.alias("n"), self.alias("d"));
        let sign = if is_earlier { "-" } else { "" };
        let (day, rest, least, most) = match is_date {
            true => ("v", format!("trunc({alias}.r / 86400000)"), Date::MIN.days(), Date::MAX.days()),
            false => {
                let (least, most) = (Timestamp::MIN.millis(), Timestamp::MAX.millis());
                ("floor(v / 86400000.0)", format!("{alias}.r"), least, most)
            }
        };
        let unit = if is_date { 1 } else { 86_400_000 };
        let day = day.replace('v', &format!("{alias}.v"));
        let start = format!("(DATE '1970-01-01' + CAST({day} AS integer))");
        let moved = format!("CAST({start} + make_interval(months => {sign}CAST({alias}.m AS integer)) AS date)");
        // what months of 28 days leave the years by is not computed: it could leave those of PostgreSQL, too
        let in_years = match is_earlier {
            true => format!("{alias}.v - {alias}.m * 28 * {unit} >= {least}"),
            false => format!("{alias}.m <= {MOST_MONTHS}"),
        };
        self.push(&format!(
            "(SELECT CASE WHEN {inner}.s BETWEEN {least} AND {most} THEN CAST({inner}.s AS bigint) END FROM (SELECT \
             CASE WHEN {in_years} AND {alias}.v BETWEEN {least} AND {most} \
             THEN {alias}.v + CAST({moved} - {start} AS numeric) * {unit} + ({sign}{rest}) END AS s FROM (SELECT "
        ));
        self.scalar(one)?;
        self.push(" AS v, ");
        self.months_and_millis(duration)?;
        self.push(&format!(") {alias}) {inner})"));
        Some(())
    }

    /// `… AS m, … AS r`: the months of a duration and the rest in milliseconds, on PostgreSQL.
    fn months_and_millis(&mut self, duration: &Typed) -> Option<()> {
        if let Node::Constant(value) = &duration.node {
            let parts = match value {
                Value::Text(text) => IsoDuration::parse(text).and_then(|parsed| parsed.months_and_millis()),
                _ => None,
            };
            let text = match parts {
                Some((months, rest)) => format!("{months}::numeric AS m, {rest}::numeric AS r"),
                None => "NULL::numeric AS m, NULL::numeric AS r".to_owned(),
            };
            self.push(&text);
            return Some(());
        }
        let alias = self.alias("p");
        let part = |half: usize, letter: char| {
            format!(
                "COALESCE(CAST(substring(split_part({alias}.d, 'T', {half}) FROM '([0-9.]+){letter}') AS numeric), 0)"
            )
        };
        let months = format!("{} * 12 + {}", part(1, 'Y'), part(1, 'M'));
        let rest = format!(
            "trunc(({} * 604800 + {} * 86400 + {} * 3600 + {} * 60 + {}) * 1000)",
            part(1, 'W'),
            part(1, 'D'),
            part(2, 'H'),
            part(2, 'M'),
            part(2, 'S')
        );
        // fractions of years and months have no length
        let months = format!("CASE WHEN split_part({alias}.d, 'T', 1) !~ '[.][0-9]*[YM]' THEN {months} END");
        let of = |what: &str| format!("(SELECT {what} FROM (SELECT {{}} AS d) {alias})");
        self.write(&format!("{} AS m, {} AS r", of(&months), of(&rest)), &[duration, duration])
    }
}
