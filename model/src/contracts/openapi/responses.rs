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
                self.responses.share(&[wording::status_name(response.status)], tree)
            }
        }
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
