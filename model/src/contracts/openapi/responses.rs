//! Responses and their headers. Equal ones are written once.

use super::{Emitter, wording};
use crate::api::{HttpResponse, Presence, ResponseCase, ResponseHeader, ValueType};
use crate::contracts::json_tree::{JsonTree, object, texts};
use crate::contracts::schemas::sentence;
use crate::field::Type;
use crate::names;

impl Emitter<'_, '_> {
    pub(super) fn response(&mut self, response: &HttpResponse, links: JsonTree) -> JsonTree {
        // OpenAPI ignores a description of `Content-Type`
        let described = response.headers.iter().filter(|header| header.name != "Content-Type");
        let headers = described.map(|header| (header.name.to_owned(), self.header(header))).collect();
        let content = self.contents(&response.content);
        let codes: Vec<_> = response.codes.iter().map(|code| code.name()).collect();
        let tree = object([("description", wording::outcome(response).into())])
            .with_filled("headers", JsonTree::Object(headers))
            .with_filled("content", content)
            .with_filled("links", links)
            .with_filled("x-error-codes", texts(codes));
        match response.case {
            ResponseCase::Done | ResponseCase::Accepted => tree,
            ResponseCase::Valid | ResponseCase::NotModified | ResponseCase::Failed => {
                self.responses.share(&[self.name(response)], tree)
            }
        }
    }

    /// The name of a response that operations share. It follows from what the response is, and not from what else is in
    /// the document: another resource changes no names.
    fn name(&self, response: &HttpResponse) -> String {
        let codes = response.codes.iter().map(|code| code.name());
        let kept = response.content.iter().filter(|content| self.has(content.version.as_slice()));
        let media_types = kept.map(|content| content.media_type.as_str());
        let headers = response.headers.iter().flat_map(|header| match header.presence {
            Presence::Always => [header.name, ""],
            Presence::If(condition) => [header.name, condition],
        });
        let facts: Vec<_> = codes.chain(media_types).chain(headers).collect();
        format!("{}_{:06x}", wording::status_name(response.status), fingerprint(&facts) & 0xff_ffff)
    }

    fn header(&mut self, header: &ResponseHeader) -> JsonTree {
        let (is_always, description) = match header.presence {
            Presence::Always => (true, sentence(header.meaning)),
            Presence::If(condition) => (false, format!("If {condition}. {}", sentence(header.meaning))),
        };
        let schema = match header.name {
            "Trace-Id" => self.schemas.parameter(&ValueType::Scalar(&Type::Uuid)),
            "Retry-After" => object([("type", "integer".into()), ("minimum", 0_u32.into())]),
            "Location" => object([("type", "string".into()), ("format", "uri-reference".into())]),
            _ => object([("type", "string".into())]),
        };
        let tree = object([("description", description.into()), ("required", is_always.into()), ("schema", schema)]);
        let name = names::pascal(header.name);
        let name = if is_always { name } else { format!("Optional{name}") };
        self.headers.share(&[name], tree)
    }
}

/// A number that follows from texts alone, the same on every machine (FNV-1a).
fn fingerprint(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
