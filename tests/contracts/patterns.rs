//! The patterns that documents publish: Node, with the flags `u` and `v`, and Python find them in the same texts as the
//! server. They need no packages of `contracts/`.

use libtest_mimic::{Completion, Failed, Trial};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use restwell_model::Pattern;
use restwell_testkit::tools;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Random patterns.
const PATTERNS: usize = 1500;
/// Texts that each is looked for in.
const TEXTS: usize = 30;

/// Parts of patterns without parts.
const LEAVES: &[&str] = &[
    "a",
    "b",
    "é",
    "7",
    "_",
    " ",
    "-",
    "/",
    "&",
    "~",
    "!",
    r"\.",
    r"\-",
    r"\/",
    r"\&",
    r"\n",
    r"\x{1d4b3}",
    ".",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    "[a-c]",
    r"[^a-c\d]",
    r"[\w--a]",
    r"[\w.&&[^\d]]",
    r"[\W~~\s]",
    "[-a&!]",
    "[a/|~-]",
    r"[\[\]^(){}]",
    r"[\s\-]",
    "[[:alpha:]]",
    "[[:^space:]]",
    r"\p{Lu}",
    r"\P{L}",
    r"[^\pN]",
    "[^a]",
    "[^\0-b]",
    "^",
    "$",
    r"\A",
    r"\z",
    r"\b",
    r"\B",
    r"\b{start}",
    r"\b{end}",
    r"\b{start-half}",
    r"\b{end-half}",
    "(?m:^)",
    "(?m:$)",
    "(?mR:^)",
    "(?mR:$)",
    "(?i:abk)",
    "(?s:.)",
    "(?R:.)",
    "(?-u:[a-z])",
    "(?x: a b # c\n)",
    "",
];
/// Characters of texts: those in which languages differ, too.
const CHARACTERS: &[&str] = &[
    "a",
    "b",
    "B",
    "K",
    "\u{212a}",
    "é",
    "ż",
    "7",
    "٧",
    "²",
    "_",
    " ",
    "-",
    ".",
    "/",
    "&",
    "~",
    "!",
    "[",
    "|",
    "\n",
    "\r",
    "\t",
    "\u{b}",
    "\u{1c}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{feff}",
    "\u{1d4b3}",
    "\0",
];

/// Prints the indexes of the pairs of a pattern and a text for which a language disagrees with the server.
const NODE: &str = "
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'))
for (const [pattern, texts] of cases) for (const flag of ['u', 'v'])
  try {
    const compiled = new RegExp(pattern, flag)
    for (const [text, isFound] of texts)
      if (compiled.test(text) !== isFound) console.log(JSON.stringify([flag, pattern, text, isFound]))
  } catch (error) { console.log(flag, error.message) }
";
/// A line end at the end of a text is left out: `$` is before it, too.
const PYTHON: &str = "
import json, re, sys, warnings
warnings.simplefilter('error')
for pattern, texts in json.load(sys.stdin):
    try:
        compiled = re.compile(pattern)
        for text, is_found in texts:
            if not text.endswith('\\n') and bool(compiled.search(text)) != is_found:
                print(json.dumps([pattern, text, is_found]))
    except Exception as error:
        print(pattern, error)
";

pub(crate) fn trials() -> [Trial; 2] {
    [
        Trial::ignorable_test("patterns_in_node", || disagreements("node", ["-e", NODE])),
        Trial::ignorable_test("patterns_in_python", || disagreements("python3", ["-c", PYTHON])),
    ]
}

fn disagreements(program: &str, arguments: [&str; 2]) -> Result<Completion, Failed> {
    let child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        let reason = format!("there is no {program}");
        return if tools::are_required() { Err(reason.into()) } else { Ok(Completion::ignored_with(reason)) };
    };
    let cases = cases();
    child.stdin.take().ok_or("no input")?.write_all(cases.to_string().as_bytes())?;
    let output = child.wait_with_output()?;
    let printed = String::from_utf8(output.stdout)?;
    match printed.trim().is_empty() && output.status.success() {
        true => Ok(Completion::Completed),
        false => Err(printed.lines().take(20).collect::<Vec<_>>().join("\n").into()),
    }
}

/// `[[pattern, [[text, whether the server finds it], …]], …]`
fn cases() -> Json {
    let mut runner = TestRunner::deterministic();
    let mut draw = |strategy: &BoxedStrategy<String>| strategy.new_tree(&mut runner).expect("a value").current();
    let (patterns, texts) = (patterns(), texts());
    let mut cases = Vec::new();
    while cases.len() < PATTERNS {
        let pattern = Pattern::from(draw(&patterns));
        // a long form is described in words
        let (Ok(compiled), Some(portable)) = (pattern.compiled(), pattern.portable()) else { continue };
        let decided: Vec<Json> =
            (0..TEXTS).map(|_| draw(&texts)).map(|it| json!([it, compiled.is_match(&it)])).collect();
        cases.push(json!([portable, decided]));
    }
    Json::Array(cases)
}

fn patterns() -> BoxedStrategy<String> {
    let leaf = proptest::sample::select(LEAVES).prop_map(str::to_owned);
    leaf.prop_recursive(4, 12, 3, |inner| {
        let repetition = proptest::sample::select(&["*", "+", "?", "*?", "{2}", "{1,2}", "{2,}", "{0}"][..]);
        prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}|{b}")),
            1 => inner.clone().prop_map(|part| format!("^(?:{part})$")),
            1 => (inner.clone(), repetition).prop_map(|(part, times)| format!("(?:{part}){times}")),
            1 => inner.prop_map(|part| format!("({part})")),
        ]
    })
    .boxed()
}

fn texts() -> BoxedStrategy<String> {
    let character = proptest::sample::select(CHARACTERS);
    proptest::collection::vec(character, 0..6).prop_map(|parts| parts.concat()).boxed()
}
