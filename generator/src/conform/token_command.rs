//! `--token-command`: a program that prints a token for a user.

use super::callers::{TokenRequest, TokenSource};
use serde_json::Value;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks whether it has ended.
const PAUSE: Duration = Duration::from_millis(10);
/// Bytes of its output that are read at most.
const MAX_TOKEN: u64 = 64 * 1024;

/// Gets tokens from a program. In its arguments `{user}` is the user's id, `{number}` 1 or 2, `{scopes}` the scopes,
/// separated by spaces, and `{claims}` the claims as a JSON object. The first line of its output is the token. It is
/// started without a shell.
///
/// # Errors
///
/// The text names no program, or has a quote without an end.
pub fn token_command<'a>(text: &str) -> Result<TokenSource<'a>, String> {
    let words = words(text)?;
    if words.is_empty() {
        return Err("the token command names no program".to_owned());
    }
    Ok(Box::new(move |request| run(&words, request)))
}

fn run(words: &[String], request: TokenRequest<'_>) -> Result<String, String> {
    let (number, scopes) = (request.number.to_string(), request.scopes.join(" "));
    let claims = Value::Object(request.claims.clone()).to_string();
    let filled = words.iter().map(|word| {
        let word = word.replace("{user}", request.user).replace("{number}", &number);
        word.replace("{scopes}", &scopes).replace("{claims}", &claims)
    });
    let filled: Vec<String> = filled.collect();
    let (program, arguments) = filled.split_first().ok_or("it names no program")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let stdout = child.stdout.take().ok_or("its output cannot be read")?;
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.take(MAX_TOKEN).read_to_string(&mut text).map(|_| text)
    });
    let end = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if Instant::now() >= end => {
                // it has ended meanwhile, or is killed
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{program}` has not ended within {PATIENCE:?}"));
            }
            None => std::thread::sleep(PAUSE),
        }
    };
    if !status.success() {
        return Err(format!("`{program}` has ended with {status}"));
    }
    let text = reading.join().map_err(|_| "its output cannot be read")?.map_err(|error| error.to_string())?;
    let token = text.lines().map(str::trim).find(|line| !line.is_empty());
    token.map(str::to_owned).ok_or_else(|| format!("`{program}` has printed no token"))
}

/// The words of a command line: quotes, single or double, keep blanks together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err("the token command has a quote without an end".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    #[test]
    fn quotes_keep_blanks_together() {
        let of = |text| words(text).unwrap();
        assert_eq!(of("a  'b c' \"{scopes}\" ''"), ["a", "b c", "{scopes}", ""]);
        assert!(words("a 'b").is_err());
    }

    #[test]
    fn the_first_line_is_the_token() {
        let mut tokens = token_command("echo {number}-{user} '{scopes}' {claims}").unwrap();
        let scopes = ["a".to_owned(), "b".to_owned()];
        let claims = Map::from_iter([("desk".to_owned(), Value::from("front"))]);
        let request = TokenRequest { number: 2, user: "me", scopes: &scopes, claims: &claims };
        assert_eq!(tokens(request).unwrap(), r#"2-me a b {"desk":"front"}"#);
        let failed = token_command("false").unwrap()(TokenRequest { number: 1, scopes: &[], ..request });
        assert!(failed.is_err());
    }
}
