//! Times and dates as people read them: `November 23, 2026, 14:05 UTC`.
//!
//! The languages that are built in write the name of the month; every other language gets the form that is understood
//! everywhere, `2026-11-23 14:05 UTC`. A library with the calendars of all languages would be larger than the rest of
//! the service.

use super::value::MessageValue;
use restwell_model::scalar::{Date, Timestamp};

/// How a language writes times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeStyle {
    /// `November 23, 2026, 14:05 UTC`.
    English,
    /// `23 listopada 2026, 14:05 UTC`.
    Polish,
    /// `2026-11-23 14:05 UTC`.
    Plain,
}

const ENGLISH_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// In the genitive, as after a day.
const POLISH_MONTHS: [&str; 12] = [
    "stycznia",
    "lutego",
    "marca",
    "kwietnia",
    "maja",
    "czerwca",
    "lipca",
    "sierpnia",
    "września",
    "października",
    "listopada",
    "grudnia",
];

impl TimeStyle {
    /// That of a language, by its tag.
    pub(super) fn of(tag: &str) -> Self {
        match tag.split('-').next() {
            Some("en") => Self::English,
            Some("pl") => Self::Polish,
            _ => Self::Plain,
        }
    }

    /// A text as people read it, if it is a time or a date as the service writes them.
    pub(super) fn text(self, text: &str) -> Option<String> {
        let is_time = text.parse::<Timestamp>().is_ok();
        if !is_time && Date::parse(text).is_none() {
            return None;
        }
        let date = self.date(text.get(..10)?)?;
        if !is_time {
            return Some(date);
        }
        // trailing units that are zero are left out
        let seconds = match (text.get(17..19)?, text.get(20..23)?) {
            ("00", "000") => String::new(),
            (seconds, "000") => format!(":{seconds}"),
            (seconds, millis) => format!(":{seconds}.{millis}"),
        };
        let comma = if self == Self::Plain { "" } else { "," };
        Some(format!("{date}{comma} {}{seconds} UTC", text.get(11..16)?))
    }

    fn date(self, date: &str) -> Option<String> {
        let (year, day) = (date.get(..4)?, date.get(8..10)?.trim_start_matches('0'));
        let month = date.get(5..7)?.parse::<usize>().ok()?.checked_sub(1)?;
        match self {
            Self::English => Some(format!("{} {day}, {year}", ENGLISH_MONTHS.get(month)?)),
            Self::Polish => Some(format!("{day} {} {year}", POLISH_MONTHS.get(month)?)),
            Self::Plain => Some(date.to_owned()),
        }
    }

    /// The function `DATETIME` of messages. A value that is not a time, or is already in a form for people, is kept.
    pub(super) fn datetime(self, value: MessageValue) -> MessageValue {
        match value {
            MessageValue::Text(text) => MessageValue::Text(self.text(&text).unwrap_or(text)),
            MessageValue::Number(_) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_dates_are_written_for_people() {
        let cases = [
            (
                "2026-11-23T14:05:00.000Z",
                "November 23, 2026, 14:05 UTC",
                "23 listopada 2026, 14:05 UTC",
                "2026-11-23 14:05 UTC",
            ),
            (
                "0987-01-02T00:00:07.000Z",
                "January 2, 0987, 00:00:07 UTC",
                "2 stycznia 0987, 00:00:07 UTC",
                "0987-01-02 00:00:07 UTC",
            ),
            (
                "2026-12-31T23:59:59.999Z",
                "December 31, 2026, 23:59:59.999 UTC",
                "31 grudnia 2026, 23:59:59.999 UTC",
                "2026-12-31 23:59:59.999 UTC",
            ),
            ("2027-05-10", "May 10, 2027", "10 maja 2027", "2027-05-10"),
        ];
        for (text, english, polish, plain) in cases {
            assert_eq!(TimeStyle::of("en").text(text).as_deref(), Some(english));
            assert_eq!(TimeStyle::of("pl").text(text).as_deref(), Some(polish));
            assert_eq!(TimeStyle::of("de").text(text).as_deref(), Some(plain));
        }
        for text in
            ["", "today", "2026", "2026-13-01", "2026-11-23T14:05", "14:05:00.000", "2026-11-23T14:05:00.000+01:00"]
        {
            assert_eq!(TimeStyle::English.text(text), None, "{text}");
        }
    }
}
