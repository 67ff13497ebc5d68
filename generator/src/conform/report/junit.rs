//! The report in the form of JUnit's XML, which servers for continuous integration show: a suite for each section.

use super::{ConformReport, Outcome};
use std::fmt::Write;

impl ConformReport {
    /// The report as JUnit XML.
    #[must_use]
    pub fn junit(&self) -> String {
        let [_, failed, others] = Self::counts(&self.cases);
        let errors = usize::from(self.stopped.is_some());
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(
            out,
            "<testsuites name=\"restwell conform {}\" tests=\"{}\" failures=\"{failed}\" skipped=\"{others}\" errors=\"{errors}\">",
            escaped(&self.url),
            self.cases.len() + errors,
        );
        for (section, cases) in self.sections() {
            let [_, failed, others] = Self::counts(cases.iter().copied());
            let _ = writeln!(
                out,
                "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" skipped=\"{others}\" errors=\"0\">",
                section.word(),
                cases.len(),
            );
            for case in cases {
                let _ = write!(out, "    <testcase classname=\"{}\" name=\"{}\"", section.word(), escaped(&case.title));
                let _ = match &case.outcome {
                    Outcome::Passed => writeln!(out, "/>"),
                    Outcome::NotApplicable(reason) => {
                        writeln!(out, "><skipped message=\"{}\"/></testcase>", escaped(reason))
                    }
                    Outcome::Failed(failures) => {
                        let expected = failures.first().map_or("", |failure| &failure.expected);
                        let text: String = failures
                            .iter()
                            .map(|it| format!("expected: {}\n\n{}\n{}\n", it.expected, it.request, it.response))
                            .collect();
                        writeln!(
                            out,
                            "><failure message=\"{}\">{}\n\n{}</failure></testcase>",
                            escaped(expected),
                            escaped(case.rule),
                            escaped(&text),
                        )
                    }
                };
            }
            let _ = writeln!(out, "  </testsuite>");
        }
        if let Some(reason) = &self.stopped {
            let _ = writeln!(
                out,
                "  <testsuite name=\"run\" tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"1\"><testcase \
                 classname=\"run\" name=\"the run comes to its end\"><error message=\"{}\"/></testcase></testsuite>",
                escaped(reason),
            );
        }
        out + "</testsuites>\n"
    }
}

/// A text of XML 1.0: control characters cannot stand in one.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_have_is_replaced() {
        assert_eq!(escaped("<a b=\"c\">&\u{0}\n"), "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}\n");
    }
}
