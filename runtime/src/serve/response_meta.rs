//! Headers of responses with any status: the version, `Deprecation` and `Sunset`, and others that stages add.

use http::{HeaderMap, HeaderName, HeaderValue};
use restwell_model::Deprecation;
use restwell_model::scalar::Date;

/// RFC 9745. The description does not say since when something is deprecated, so this is the earliest date.
const DEPRECATED: HeaderValue = HeaderValue::from_static("@0");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Collected by the stages of a request.
#[derive(Debug)]
pub(super) struct ResponseMeta {
    media_type: HeaderValue,
    deprecation: Option<Deprecation>,
}

impl ResponseMeta {
    /// Where no version has been negotiated, errors are in this one.
    pub(super) fn new(media_type: &HeaderValue) -> Self {
        Self { media_type: media_type.clone(), deprecation: None }
    }

    /// The negotiated version.
    pub(super) fn speaks(&mut self, media_type: &HeaderValue) {
        self.media_type.clone_from(media_type);
    }

    /// Notes what is used and going away (decisions, "Deprecation").
    pub(super) fn uses(&mut self, deprecation: Option<Deprecation>) {
        self.deprecation = Deprecation::together(self.deprecation, deprecation);
    }

    /// The version of errors.
    pub(super) fn media_type(&self) -> &HeaderValue {
        &self.media_type
    }

    /// Adds the headers.
    pub(super) fn announce(&self, headers: &mut HeaderMap) {
        let Some(deprecation) = self.deprecation else { return };
        headers.insert(DEPRECATION, DEPRECATED);
        let sunset = deprecation.sunset.map(http_date).and_then(|date| HeaderValue::try_from(date).ok());
        headers.extend(sunset.map(|sunset| (SUNSET, sunset)));
    }
}

/// RFC 8594 takes an HTTP date: `Wed, 30 Jun 2027 00:00:00 GMT`.
fn http_date(date: Date) -> String {
    let date = time::Date::from(date);
    let (day, month) = (date.weekday().to_string(), date.month().to_string());
    format!("{}, {:02} {} {:04} 00:00:00 GMT", &day[..3], date.day(), &month[..3], date.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sunset_is_an_http_date() {
        let date = Date::parse("2027-06-30").unwrap();
        assert_eq!(http_date(date), "Wed, 30 Jun 2027 00:00:00 GMT");
    }

    #[test]
    fn the_first_sunset_is_sent() {
        let sunset = |text| Deprecation::of(true, Date::parse(text));
        let mut meta = ResponseMeta::new(&HeaderValue::from_static("x/y"));
        meta.uses(sunset("2028-01-01"));
        meta.uses(None);
        meta.uses(sunset("2027-06-30"));
        let mut headers = HeaderMap::new();
        meta.announce(&mut headers);
        assert_eq!(headers["deprecation"], "@0");
        assert_eq!(headers["sunset"], "Wed, 30 Jun 2027 00:00:00 GMT");
    }
}
