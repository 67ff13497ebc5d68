//! What a document says, made ready to look up: paths by their segments, operations by method, answers by status.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The methods that an operation can have.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// A document.
#[derive(Debug)]
pub(super) struct Document {
    paths: Vec<DocumentedPath>,
    /// An answer without a body, with the headers that all answers have.
    pub(super) bare: DocumentedAnswer,
}

/// A path and what can be done there.
#[derive(Debug)]
pub(super) struct DocumentedPath {
    segments: Vec<Segment>,
    /// By the method in capitals.
    pub(super) operations: BTreeMap<String, DocumentedOperation>,
}

#[derive(Debug)]
enum Segment {
    Word(String),
    Variable,
}

/// An operation.
#[derive(Debug)]
pub(super) struct DocumentedOperation {
    pub(super) id: String,
    /// The names of its query parameters, and of its headers in lower case.
    pub(super) parameters: BTreeSet<String>,
    /// The statuses as they are written: `200`, `4XX`.
    pub(super) answers: BTreeMap<String, DocumentedAnswer>,
}

/// The answers of an operation with one status.
#[derive(Debug, Default)]
pub(super) struct DocumentedAnswer {
    /// By the name in lower case.
    pub(super) headers: Headers,
    /// The schemas of bodies by media type.
    pub(super) contents: BTreeMap<String, Value>,
    /// The codes of errors.
    pub(super) codes: BTreeSet<String>,
}

/// A header of an answer.
#[derive(Debug, Clone)]
pub(super) struct DocumentedHeader {
    pub(super) is_required: bool,
    pub(super) schema: Value,
}

impl Document {
    /// Reads a document. It fails with what it cannot read.
    pub(super) fn read(json: &Value) -> Result<Self, String> {
        let mut reader = Reader { json, of_answers: BTreeMap::new(), of_errors: BTreeMap::new() };
        reader.of_answers = reader.headers(&json["x-response-headers"])?;
        reader.of_errors = reader.headers(&json["x-error-headers"])?;
        let paths = members(&json["paths"], "paths")?;
        let paths = paths.iter().map(|(path, item)| reader.path(path, item)).collect::<Result<Vec<_>, _>>()?;
        let bare =
            DocumentedAnswer { headers: reader.headers_of(&Value::Null, false, false)?, ..DocumentedAnswer::default() };
        Ok(Self { paths, bare })
    }

    /// The path of the document that a path is one of: a word goes before a variable.
    pub(super) fn find(&self, path: &str) -> Option<&DocumentedPath> {
        let fits = self.paths.iter().filter(|known| known.fits(path));
        fits.min_by_key(|known| known.variables())
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = &DocumentedOperation> {
        self.paths.iter().flat_map(|path| path.operations.values())
    }
}

impl DocumentedPath {
    fn fits(&self, path: &str) -> bool {
        let Some(path) = path.strip_prefix('/') else { return false };
        let mut segments = path.split('/');
        let fits = |known: &Segment, segment: &str| match known {
            Segment::Word(word) => word == segment,
            Segment::Variable => !segment.is_empty(),
        };
        let all = self.segments.iter().all(|known| segments.next().is_some_and(|segment| fits(known, segment)));
        all && segments.next().is_none()
    }

    fn variables(&self) -> usize {
        self.segments.iter().filter(|segment| matches!(segment, Segment::Variable)).count()
    }
}

impl DocumentedOperation {
    /// The answer with a status, or with its range.
    pub(super) fn answer(&self, status: u16) -> Option<&DocumentedAnswer> {
        self.answers.get(&status.to_string()).or_else(|| self.answers.get(&format!("{}XX", status / 100)))
    }
}

/// Headers by their names in lower case.
type Headers = BTreeMap<String, DocumentedHeader>;

/// The headers that errors have if answers of the operation that are not errors have them.
const OF_DEPRECATION: [&str; 2] = ["deprecation", "sunset"];

struct Reader<'d> {
    json: &'d Value,
    /// The headers that the document lists once for all answers.
    of_answers: Headers,
    /// Those that errors have beside them.
    of_errors: Headers,
}

impl<'d> Reader<'d> {
    fn path(&self, path: &str, item: &'d Value) -> Result<DocumentedPath, String> {
        let segment = |text: &str| match text.starts_with('{') {
            true => Segment::Variable,
            false => Segment::Word(text.to_owned()),
        };
        let segments = path.trim_start_matches('/').split('/').map(segment).collect();
        let mut operations = BTreeMap::new();
        for (method, operation) in members(item, path)?.iter().filter(|(key, _)| METHODS.contains(&key.as_str())) {
            operations.insert(method.to_uppercase(), self.operation(operation)?);
        }
        Ok(DocumentedPath { segments, operations })
    }

    fn operation(&self, operation: &'d Value) -> Result<DocumentedOperation, String> {
        let id = operation["operationId"].as_str().ok_or("an operation has no id")?.to_owned();
        let mut parameters = BTreeSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = self.resolve(parameter)?;
            let name = parameter["name"].as_str().ok_or("a parameter has no name")?;
            let is_header = parameter["in"] == "header";
            parameters.insert(if is_header { name.to_lowercase() } else { name.to_owned() });
        }
        let mut answers = BTreeMap::new();
        for (status, response) in members(&operation["responses"], &id)? {
            let response = self.resolve(response)?;
            // what the default response stands for, with its body
            for (status, answer) in response["x-statuses"].as_object().into_iter().flatten() {
                answers.insert(status.clone(), self.answer(status, answer, &response["content"])?);
            }
            if response["x-statuses"].is_null() {
                answers.insert(status.clone(), self.answer(status, response, &response["content"])?);
            }
        }
        let is_deprecating = |(status, answer): (&String, &DocumentedAnswer)| {
            !is_error(status) && answer.headers.contains_key(OF_DEPRECATION[0])
        };
        if !answers.iter().any(is_deprecating) {
            answers
                .values_mut()
                .for_each(|answer| answer.headers.retain(|name, _| !OF_DEPRECATION.contains(&name.as_str())));
        }
        Ok(DocumentedOperation { id, parameters, answers })
    }

    fn answer(&self, status: &str, response: &'d Value, content: &'d Value) -> Result<DocumentedAnswer, String> {
        let contents = content.as_object().into_iter().flatten();
        let contents: BTreeMap<_, _> =
            contents.map(|(media_type, content)| (media_type.clone(), content["schema"].clone())).collect();
        let is_compressed = contents.keys().any(|media_type| media_type != EVENT_STREAM);
        let headers = self.headers_of(&response["headers"], is_error(status), is_compressed)?;
        let codes = response["x-error-codes"].as_array().into_iter().flatten();
        let codes = codes.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(DocumentedAnswer { headers, contents, codes })
    }

    /// The headers of an answer: its own, and those that are listed once. A stream and what has no body are not
    /// compressed.
    fn headers_of(&self, own: &'d Value, is_error: bool, is_compressed: bool) -> Result<Headers, String> {
        let mut headers = self.of_answers.clone();
        if !is_compressed {
            headers.remove("content-encoding");
        }
        if is_error {
            headers.extend(self.of_errors.clone());
        }
        headers.extend(self.headers(own)?);
        Ok(headers)
    }

    fn headers(&self, listed: &'d Value) -> Result<Headers, String> {
        let mut headers = BTreeMap::new();
        for (name, header) in listed.as_object().into_iter().flatten() {
            let header = self.resolve(header)?;
            let is_required = header["required"].as_bool().unwrap_or(false);
            headers.insert(name.to_lowercase(), DocumentedHeader { is_required, schema: header["schema"].clone() });
        }
        Ok(headers)
    }

    /// What a reference leads to; anything else is itself.
    fn resolve(&self, value: &'d Value) -> Result<&'d Value, String> {
        let Some(reference) = value["$ref"].as_str() else { return Ok(value) };
        let found = reference.strip_prefix('#').and_then(|pointer| self.json.pointer(pointer));
        found.ok_or_else(|| format!("{reference} leads nowhere"))
    }
}

/// The media type of a stream, which is never compressed.
const EVENT_STREAM: &str = "text/event-stream";

fn is_error(status: &str) -> bool {
    status.starts_with(['4', '5'])
}

fn members<'v>(value: &'v Value, what: &str) -> Result<&'v Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("{what}: not an object"))
}
