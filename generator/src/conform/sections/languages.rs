//! Languages of messages (§4.9) and compression (§4.10).

use super::collections::{List, lists};
use crate::conform::case::{Case, Done};
use crate::conform::section::Section;
use crate::conform::session::Session;
use restwell_model::ErrorCode;
use restwell_model::api::Api;

const LANGUAGE: &str = "`Accept-Language`: `en-*` is English, `pl-PL` Polish, anything else `en-US` (§4.9).";
const GZIP: &str = "`Accept-Encoding: gzip` gives a compressed body with `Content-Encoding: gzip` (§4.10).";

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    // one of each: they do not depend on the operation
    let Some(list) = lists(api).next() else { return };
    let path = &list.0.path.path;
    for (asked, start) in [("", "en"), ("en-GB", "en"), ("pl-PL", "pl"), ("tlh", "en"), ("tlh, pl;q=0.5", "pl")] {
        let title = format!("GET {path}?unheardOf=1, Accept-Language: {asked}");
        cases
            .push(Case::new(Section::Languages, title, LANGUAGE, move |session| language(session, list, asked, start)));
    }
    cases.push(Case::new(Section::Languages, format!("GET {path}, gzip"), GZIP, move |session| gzip(session, list)));
}

fn language<'a>(session: &mut Session<'a>, (at, operation): List<'a>, asked: &'static str, start: &str) -> Done {
    let target = session.existing(&at)?;
    let request = session.request(operation, target)?.query("unheardOf", "1");
    let request = if asked.is_empty() { request } else { request.header("accept-language", asked) };
    let exchange = session.send(&request)?;
    exchange.refused(ErrorCode::UnknownParameter)?;
    let language = exchange.header("content-language").unwrap_or_default();
    exchange.holds(language.starts_with(start), format!("`Content-Language: {start}…`"))
}

fn gzip<'a>(session: &mut Session<'a>, (at, operation): List<'a>) -> Done {
    let target = session.existing(&at)?;
    let request = session.request(operation, target)?.query("limit", "1");
    let plain = session.send(&request)?;
    plain.is(200)?;
    plain.holds(plain.header("content-encoding").is_none(), "a body that is not compressed")?;
    let exchange = session.send(&request.header("accept-encoding", "gzip"))?;
    exchange.is(200)?;
    exchange.holds(exchange.header("content-encoding") == Some("gzip"), "`Content-Encoding: gzip`")?;
    exchange.holds(exchange.response.body.starts_with(&[0x1f, 0x8b]), "a body in the form of gzip")
}
