//! `+`, `-`, `*` in SQL. What has no result is null, in the words of `condition::arithmetic`.

use super::{SQL_DURATION, SQL_EXACT, SQL_LENGTH, SQL_NUMBER, SQL_SHIFT, SqlWriter};
use crate::condition::expr::Operator;
use crate::condition::typed::{LengthForm, Node, StaticType, Typed};
use crate::scalar::{Date, IsoDuration, Timestamp};
use crate::value::Value;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// The sum of the doubles `n.x` and `n.y` on PostgreSQL, which refuses to compute what overflows. The sum of halves
/// does not, and lies beyond half of the largest double where the sum does.
const SUM: &str = "CASE WHEN abs(n.x) <= 8e307 AND abs(n.y) <= 8e307 OR (n.x < 0) <> (n.y < 0) THEN 0 + n.x + n.y \
                   WHEN abs(CASE WHEN abs(n.x) < 1 THEN 0 ELSE n.x / 2 END \
                   + CASE WHEN abs(n.y) < 1 THEN 0 ELSE n.y / 2 END) \
                   <= CAST('8.98846567431157854e307' AS double precision) THEN 0 + n.x + n.y END";
/// The product of the same, which must not underflow either: factors below one are multiplied by 2 to the power of 512
/// before, those above divided by it.
const PRODUCT: &str = "CASE WHEN abs(n.x) < 1 AND abs(n.y) < 1 THEN CASE WHEN n.x = 0 OR n.y = 0 \
                       OR abs(n.x) < 1e-162 AND abs(n.y) < 1e-162 THEN 0 \
                       WHEN abs((n.x * CAST('1.3407807929942597e154' AS double precision)) \
                       * (n.y * CAST('1.3407807929942597e154' AS double precision))) \
                       > CAST('4.440892098500626e-16' AS double precision) THEN n.x * n.y ELSE 0 END \
                       WHEN abs(n.x) <= 1 OR abs(n.y) <= 1 THEN 0 + n.x * n.y \
                       WHEN abs((n.x * CAST('7.458340731200207e-155' AS double precision)) \
                       * (n.y * CAST('7.458340731200207e-155' AS double precision))) < 1 THEN n.x * n.y END";
/// Months beyond which no date stays within the years 0001 to 9999.
const MOST_MONTHS: u32 = 120_000;

impl SqlWriter<'_> {
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: &StaticType, one: &Typed, other: &Typed) -> Option<()> {
        match ty {
            StaticType::Timestamp | StaticType::Date => self.shifted(ty, operator == Operator::Subtract, one, other),
            StaticType::Number => self.number(operator, one, other),
            StaticType::Text => self.write("({} || {})", &[one, other]),
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
        // just beyond what fits
        let (below, above) = match is_decimal {
            true => ("-1000000000000000000", "1000000000000000000"),
            false => ("-9223372036854775809", "9223372036854775808"),
        };
        let numeric = |of: &Typed| match by(of) {
            0 => "CAST({} AS numeric)".to_owned(),
            by => format!("CAST({{}} AS numeric) * 1{}", "0".repeat(by as usize)),
        };
        let result = format!("{} {symbol} {}", numeric(one), numeric(other));
        self.write(&bounded(&result, below, above), &[one, other])
    }

    fn number(&mut self, operator: Operator, one: &Typed, other: &Typed) -> Option<()> {
        let symbol = operator.symbol();
        if self.is_sqlite() {
            return self.write(&format!("\"{SQL_NUMBER}\"('{symbol}', {{}}, {{}})"), &[one, other]);
        }
        let alias = self.alias("n");
        let what = if operator == Operator::Multiply { PRODUCT } else { SUM }.replace("n.", &format!("{alias}."));
        let sign = if operator == Operator::Subtract { "- " } else { "" };
        let second = format!("{sign}CAST({{}} AS double precision)");
        self.fenced(&what, &[("x", "CAST({} AS double precision)", one), ("y", &second, other)], &alias)
    }

    fn shifted(&mut self, ty: &StaticType, is_earlier: bool, one: &Typed, duration: &Typed) -> Option<()> {
        let is_date = *ty == StaticType::Date;
        if self.is_sqlite() {
            let (kind, flag) = (if is_date { "date" } else { "timestamp" }, u8::from(is_earlier));
            return self.write(&format!("\"{SQL_SHIFT}\"('{kind}', {{}}, {{}}, {flag})"), &[one, duration]);
        }
        let (least, most) = match is_date {
            true => (Date::MIN.days(), Date::MAX.days()),
            false => (Timestamp::MIN.millis(), Timestamp::MAX.millis()),
        };
        let sign = if is_earlier { "-" } else { "+" };
        if matches!(duration.ty, StaticType::Length(_)) {
            // the quotient of whole numbers is cut off
            let length = if is_date { format!("({{}} / {DAY})") } else { "{}".to_owned() };
            let sum = format!("CAST({{}} AS numeric) {sign} {length}");
            return self.write(&bounded(&sum, &(least - 1).to_string(), &(most + 1).to_string()), &[one, duration]);
        }
        if let Node::Constant(value) = &duration.node {
            return match constant_parts(value) {
                Some((0, rest)) => {
                    let rest = if is_date { rest / DAY } else { rest };
                    let sum = format!("CAST({{}} AS numeric) {sign} {rest}");
                    self.write(&bounded(&sum, &(least - 1).to_string(), &(most + 1).to_string()), &[one])
                }
                Some((months, rest)) => {
                    self.moved(is_date, is_earlier, (least, most))?;
                    self.scalar(one)?;
                    self.push(&format!(" AS v, {months}::numeric AS m, {rest}::numeric AS r OFFSET 0) n OFFSET 0) d)"));
                    Some(())
                }
                None => self.constant(ty, &Value::Null),
            };
        }
        self.moved(is_date, is_earlier, (least, most))?;
        self.push(&format!("p.v, {} AS m, {} AS r FROM (SELECT ", months_of("p.d"), millis_of("p.d")));
        self.scalar(one)?;
        self.push(" AS v, ");
        self.scalar(duration)?;
        self.push(" AS d OFFSET 0) p OFFSET 0) n OFFSET 0) d)");
        Some(())
    }

    /// A duration as its length, or a length as a duration.
    pub(super) fn converted(&mut self, ty: &StaticType, inner: &Typed) -> Option<()> {
        let is_of_days = inner.ty == StaticType::Length(LengthForm::Days);
        let is_length = matches!(ty, StaticType::Length(_));
        if self.is_sqlite() {
            return match is_length {
                true => self.write(&format!("\"{SQL_LENGTH}\"({{}})"), &[inner]),
                false => self.write(&format!("\"{SQL_DURATION}\"({{}}, {})", u8::from(is_of_days)), &[inner]),
            };
        }
        let alias = self.alias("n");
        let value = format!("{alias}.v");
        let what = match (is_length, is_of_days) {
            (true, _) => {
                let length = bounded(&millis_of(&value), "-1", "9223372036854775808");
                format!("CASE WHEN ({}) = 0 THEN {length} END", months_of(&value))
            }
            (false, true) => format!("CASE WHEN {value} >= 0 THEN 'P' || {value} / {DAY} || 'D' END"),
            (false, false) => format!("CASE WHEN {value} >= 0 THEN 'PT' || trim_scale({value} * 0.001) || 'S' END"),
        };
        self.fenced(&what, &[("v", "{}", inner)], &alias)
    }

    /// The beginning of a date or timestamp that is moved by months and milliseconds: what follows are `v`, `m` and `r`
    /// of `n`, and the ends of the subqueries.
    fn moved(&mut self, is_date: bool, is_earlier: bool, (least, most): (i64, i64)) -> Option<()> {
        let sign = if is_earlier { "-" } else { "" };
        let (day, rest, unit) = match is_date {
            true => ("n.v", "trunc(n.r / 86400000)", 1),
            false => ("floor(n.v / 86400000.0)", "n.r", DAY),
        };
        let start = format!("(DATE '1970-01-01' + CAST({day} AS integer))");
        let moved = format!("CAST({start} + make_interval(months => {sign}CAST(n.m AS integer)) AS date)");
        // what months of 28 days leave the years by is not computed: it could leave those of PostgreSQL, too
        let in_years = match is_earlier {
            true => format!("n.v - n.m * 28 * {unit} >= {least}"),
            false => format!("n.m <= {MOST_MONTHS}"),
        };
        self.push(&format!(
            "(SELECT CASE WHEN d.s BETWEEN {least} AND {most} THEN CAST(d.s AS bigint) END FROM (SELECT \
             CASE WHEN {in_years} AND n.v BETWEEN {least} AND {most} \
             THEN n.v + CAST({moved} - {start} AS numeric) * {unit} + ({sign}{rest}) END AS s FROM (SELECT "
        ));
        Some(())
    }
}

/// A number in SQL of PostgreSQL, null where it does not lie between these two. It is written once: what lies beyond
/// becomes one of them, as null does, and each of them null.
pub(super) fn bounded(number: &str, below: &str, above: &str) -> String {
    format!("CAST(NULLIF(NULLIF(GREATEST(LEAST({number}, {above}), {below}), {above}), {below}) AS bigint)")
}

/// The months of a duration and the rest in milliseconds.
fn constant_parts(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Text(text) => IsoDuration::parse(text)?.months_and_millis(),
        _ => None,
    }
}

/// A number before a letter, in the part of a duration before (1) or after (2) its `T`, on PostgreSQL.
fn part_of(duration: &str, half: usize, letter: char) -> String {
    format!("COALESCE(CAST(substring(split_part({duration}, 'T', {half}) FROM '([0-9.]+){letter}') AS numeric), 0)")
}

/// The months of a duration on PostgreSQL; fractions of years and months have no length.
fn months_of(duration: &str) -> String {
    let months = format!("{} * 12 + {}", part_of(duration, 1, 'Y'), part_of(duration, 1, 'M'));
    format!("CASE WHEN split_part({duration}, 'T', 1) !~ '[.][0-9]*[YM]' THEN {months} END")
}

/// The milliseconds of a duration besides its months, on PostgreSQL.
fn millis_of(duration: &str) -> String {
    format!(
        "trunc(({} * 604800 + {} * 86400 + {} * 3600 + {} * 60 + {}) * 1000)",
        part_of(duration, 1, 'W'),
        part_of(duration, 1, 'D'),
        part_of(duration, 2, 'H'),
        part_of(duration, 2, 'M'),
        part_of(duration, 2, 'S')
    )
}
