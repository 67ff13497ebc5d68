//! A migration as a text that people read and edit: statements that end with a semicolon, and comments that set how the
//! next statement runs.
//!
//! ```sql
//! -- check: Offer.fields.code.unique: several stored rows have the same value
//! SELECT "code" FROM "offers" GROUP BY "code" HAVING count(*) > 1;
//! ALTER TABLE "offers" RENAME COLUMN "title" TO "name";
//! -- alone
//! CREATE INDEX CONCURRENTLY "offers.name.idx" ON "offers" ("name", "id");
//! ```

use std::fmt;

/// The steps of a migration, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// What is done.
    pub steps: Vec<Step>,
}

/// A statement, and how it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// How it runs.
    pub mode: Mode,
    /// One statement without its semicolon.
    pub sql: String,
}

/// How a statement runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// A query that must find no rows. The text is the error if it finds some: the place and a short message.
    Check(String),
    /// In one transaction with the neighbouring statements of this mode.
    Together,
    /// Outside of any transaction. Running the statement twice must be harmless.
    Alone,
}

const CHECK: &str = "-- check: ";
const ALONE: &str = "-- alone";

impl Step {
    /// A statement that runs in a transaction.
    pub(super) fn together(sql: impl Into<String>) -> Self {
        Self { mode: Mode::Together, sql: sql.into() }
    }

    /// A statement that runs outside of a transaction.
    pub(super) fn alone(sql: impl Into<String>) -> Self {
        Self { mode: Mode::Alone, sql: sql.into() }
    }

    /// A query that must find no rows.
    pub(super) fn check(wrong: impl Into<String>, sql: impl Into<String>) -> Self {
        Self { mode: Mode::Check(wrong.into()), sql: sql.into() }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            match &step.mode {
                Mode::Check(wrong) => writeln!(f, "{CHECK}{wrong}")?,
                Mode::Together => {}
                Mode::Alone => writeln!(f, "{ALONE}")?,
            }
            writeln!(f, "{};", step.sql)?;
        }
        Ok(())
    }
}

impl Script {
    /// Parses the output of [`Display`](fmt::Display), which people may have edited.
    ///
    /// # Errors
    ///
    /// A quotation mark or a comment that is not closed, with its line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = ScriptReader { text, at: 0 };
        let mut steps = Vec::new();
        loop {
            let mode = reader.leading_comments()?;
            let from = reader.at;
            let ended = reader.statement()?;
            let sql = text[from..reader.at].trim_end();
            if !sql.is_empty() {
                steps.push(Step { mode: mode.unwrap_or(Mode::Together), sql: sql.to_owned() });
            }
            if !ended {
                return Ok(Self { steps });
            }
            reader.at += 1;
        }
    }
}

struct ScriptReader<'a> {
    text: &'a str,
    at: usize,
}

impl ScriptReader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments before a statement; returns the mode that they set.
    fn leading_comments(&mut self) -> Result<Option<Mode>, String> {
        let mut mode = None;
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if self.rest().starts_with("/*") {
                self.through(2, "*/")?;
            } else if self.rest().starts_with("--") {
                let line = self.rest().lines().next().unwrap_or_default();
                let length = line.len();
                let line = line.trim_end();
                if line == ALONE {
                    mode = Some(Mode::Alone);
                } else if let Some(wrong) = line.strip_prefix(CHECK) {
                    mode = Some(Mode::Check(wrong.to_owned()));
                }
                self.at += length;
            } else {
                return Ok(mode);
            }
        }
    }

    /// Moves to the semicolon that ends a statement; `false` if the text ends first.
    fn statement(&mut self) -> Result<bool, String> {
        while let Some(next) = self.rest().chars().next() {
            match next {
                ';' => return Ok(true),
                // a doubled quotation mark inside ends one text and begins the next
                '\'' => self.through(1, "'")?,
                '"' => self.through(1, "\"")?,
                '-' if self.rest().starts_with("--") => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '/' if self.rest().starts_with("/*") => self.through(2, "*/")?,
                '$' => match dollar_quote(self.rest()).map(str::to_owned) {
                    Some(quote) => self.through(quote.len(), &quote)?,
                    None => self.at += 1,
                },
                other => self.at += other.len_utf8(),
            }
        }
        Ok(false)
    }

    /// Moves past the closing mark of a quotation or comment that begins here.
    fn through(&mut self, opening: usize, closing: &str) -> Result<(), String> {
        match self.rest()[opening..].find(closing) {
            Some(length) => {
                self.at += opening + length + closing.len();
                Ok(())
            }
            None => {
                let line = self.text[..self.at].matches('\n').count() + 1;
                Err(format!("line {line}: `{}` is not closed", &self.rest()[..opening]))
            }
        }
    }
}

/// `$$` or `$word$`, as PostgreSQL quotes bodies of functions.
fn dollar_quote(text: &str) -> Option<&str> {
    let end = text[1..].find('$')? + 1;
    let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_tag = is_word(&text[1..end]) && !text[1..end].starts_with(|c: char| c.is_ascii_digit());
    is_tag.then(|| &text[..=end])
}
