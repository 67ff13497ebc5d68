//! Terminals in the pages: lines after `$ ` are commands, the others what they print.
//!
//! A line that begins with a blank goes on with the one before. So commands may have several lines, and a long line of
//! output may be broken.

use crate::bindings::Bindings;
use crate::is_update;
use crate::page::Page;
use crate::playground::{ADDRESS, Playground};
use libtest_mimic::Failed;
use std::time::{Duration, Instant};

/// Columns to which long lines are broken.
const WIDTH: usize = 112;

/// The note of a block that leads from an empty folder and the program `restwell` to the first answer of a service.
const FIRST_ANSWER: &str = "first-answer";
/// The commands that this may take.
const FIRST_COMMANDS: usize = 4;
/// How long it may take.
const FIRST_SECONDS: Duration = Duration::from_secs(10);

/// A command and what it prints.
struct Step {
    /// Counted within its block.
    line: usize,
    command: String,
    output: String,
}

/// Runs all that the page shows, in a new folder.
pub(crate) fn check(page: &mut Page) -> Result<(), Failed> {
    let mut playground = Playground::new()?;
    let mut bindings = Bindings::new();
    let (mut text, mut copied) = (String::new(), 0);
    let mut lies = Vec::new();
    for block in page.blocks("console") {
        let mut address = playground.address();
        match block.note.as_str() {
            "rebuilt" => {
                playground.rebuild()?;
                address = playground.address();
            }
            FIRST_ANSWER => address = playground.leave_for_an_empty_folder()?,
            _ => {}
        }
        let (begun, mut commands) = (Instant::now(), 0);
        text.push_str(&page.text[copied..block.range.start]);
        for step in steps(&page.text[block.range.clone()]) {
            let command = bindings.command(&step.command).replace(ADDRESS, &address);
            let printed = playground.terminal.run(&command).replace(&address, ADDRESS);
            commands += 1;
            let is_true = bindings.agree(&joined(&step.output), &joined(&printed));
            let shown = if is_true { step.output } else { broken(&bindings.documented(&printed)) };
            if !is_true {
                lies.push(format!("{}: $ {}\n{shown}", page.place(block.line + step.line), step.command));
            }
            let end = if shown.is_empty() { "" } else { "\n" };
            text.push_str(&format!("$ {}\n{shown}{end}", step.command));
        }
        copied = block.range.end;
        if block.note == FIRST_ANSWER {
            assert!(commands <= FIRST_COMMANDS, "{commands} commands until the first answer");
            assert!(begun.elapsed() < FIRST_SECONDS, "{:?} until the first answer", begun.elapsed());
            playground.return_from_it();
        }
    }
    text.push_str(&page.text[copied..]);
    match lies.is_empty() {
        true => Ok(()),
        false if is_update() => {
            page.write(text);
            Ok(())
        }
        false => Err(format!("the page says something else than\n{}", lies.join("\n")).into()),
    }
}

fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, text) in block.lines().enumerate() {
        if let Some(command) = text.strip_prefix("$ ") {
            steps.push(Step { line, command: command.to_owned(), output: String::new() });
        } else if let Some(step) = steps.last_mut() {
            let is_command = step.output.is_empty() && text.starts_with(' ');
            let part = if is_command { &mut step.command } else { &mut step.output };
            if is_command || !part.is_empty() {
                part.push('\n');
            }
            part.push_str(text);
        }
    }
    steps
}

/// A text with its broken lines in one piece.
fn joined(text: &str) -> String {
    let mut whole = String::new();
    for line in text.lines() {
        match line.strip_prefix(' ') {
            Some(rest) => whole.push_str(rest.trim_start()),
            None => {
                whole.push('\n');
                whole.push_str(line);
            }
        }
    }
    whole.trim().to_owned()
}

/// A text with the long lines that are JSON broken between two members.
fn broken(text: &str) -> String {
    let lines = text.lines().map(|line| if line.starts_with(['{', '[']) { broken_json(line) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

fn broken_json(line: &str) -> String {
    let (mut text, mut column) = (String::new(), 0);
    let pieces: Vec<&str> = line.split_inclusive(',').collect();
    for (index, piece) in pieces.iter().enumerate() {
        let may_break = index > 0 && piece.starts_with(['"', '{', '[']);
        if may_break && column + piece.chars().count() > WIDTH {
            text.push_str("\n ");
            column = 1;
        }
        text.push_str(piece);
        column += piece.chars().count();
    }
    text
}
