//! A response, and what a test asks of it.

use serde_json::Value;

/// A response.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Reply {
    /// All headers, their names in lower case.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of the first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The status must be this one.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// The body, which must be JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The id of the entity that it shows.
    #[track_caller]
    pub fn id(&self) -> String {
        self.json()["id"].as_str().expect("an entity has an id").to_owned()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The codes of the errors, each of which must have its five keys (§7.1).
    #[track_caller]
    pub fn codes(&self) -> Vec<String> {
        self.error_codes().unwrap_or_else(|| panic!("no errors: {} {}", self.status, self.text()))
    }

    /// The same, where it is so.
    pub fn error_codes(&self) -> Option<Vec<String>> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        let errors = body["errors"].as_array().filter(|errors| !errors.is_empty())?;
        let code = |error: &Value| {
            let mut keys: Vec<_> = error.as_object()?.keys().collect();
            keys.sort_unstable();
            let is_whole = keys == ["code", "details", "message", "path", "userMessage"];
            error["code"].as_str().filter(|_| is_whole).map(str::to_owned)
        };
        errors.iter().map(code).collect()
    }
}
