//! The document that a patch changes: the operations are done one after the other, within bounds of work and memory.
//!
//! Numbers keep their digits ([`exact_json`]). What GET shows of an entity without JSON of any form has no number that
//! needs a mark, so only what the operations put into it is looked through.
//!
//! What a patch costs is charged before it is done: values that are parsed, copied, walked through or moved along in an
//! array. So a patch that is too dear ends at the operation that would make it so.

use super::measure::Measure;
use super::operations::{Action, Operand, Operation, dotted, invalid};
use crate::plan::exact_json;
use json_patch::jsonptr::Pointer;
use json_patch::{
    AddOperation, CopyOperation, MoveOperation, PatchErrorKind, PatchOperation, RemoveOperation, ReplaceOperation,
    TestOperation, patch_unsafe,
};
use restwell_model::input::{MAX_DEPTH, Shape, excerpt};
use restwell_model::{Deprecation, ErrorCode, Problem};
use serde::Deserialize;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Values that a patch may parse, copy, walk through and move along in arrays, together: 422 `InvalidPatch`.
pub(super) const MAX_PATCH_WORK: usize = 4_000_000;
/// Bytes of memory that the entity and all values that a patch adds to it may take, parsed: 422 `InvalidPatch`.
const MAX_PATCH_BYTES: usize = 32 * 1024 * 1024;
/// Bytes of JSON that an entity may have after a patch that makes it larger: 422 `InvalidPatch`.
const MAX_PATCHED_BYTES: usize = 2 * 1024 * 1024;

/// What a patch has made of an entity so far.
pub(super) struct Document<'a> {
    shape: &'a Shape,
    json: Json,
    /// Whether numbers in it may be marked.
    may_be_marked: bool,
    /// Bytes of JSON that it had before.
    before: usize,
    /// The names of the properties that operations touched.
    touched: BTreeSet<String>,
    /// What is announced of the former names that operations have used, in their paths and in their values.
    used: Option<Deprecation>,
    /// Values that were parsed, copied, walked through or moved.
    work: usize,
    /// Bytes of memory that what was put into it takes. What is taken out again counts, too.
    bytes: usize,
}

/// Why an operation cannot be done.
enum Fault {
    /// It is none that this document allows.
    Invalid(String),
    /// A `test` that does not hold.
    Test,
    /// It goes below a property that the version or view lacks, or reads one.
    Unknown(Problem),
}

impl<'a> Document<'a> {
    /// The document that GET shows.
    pub(super) fn of(shape: &'a Shape, entity: &[u8]) -> Result<Self, Vec<Problem>> {
        let text = std::str::from_utf8(entity).unwrap_or_default();
        let may_be_marked = shape.has_json();
        let marked = if may_be_marked { exact_json::marked(text) } else { Cow::Borrowed(text) };
        let measure: Measure = serde_json::from_str(&marked).unwrap_or_default();
        let (json, touched, before) = (Json::Null, BTreeSet::new(), entity.len());
        let mut document = Self { shape, json, may_be_marked, before, touched, used: None, work: 0, bytes: 0 };
        match document.charge(measure.values).and_then(|()| document.hold(measure)) {
            Ok(()) => {
                document.json = serde_json::from_str(&marked).unwrap_or_default();
                Ok(document)
            }
            Err(fault) => Err(vec![fault.problem(0, None)]),
        }
    }

    /// Values that were parsed, copied, walked through or moved so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// What is announced of the former names that were used.
    pub(super) fn used(&self) -> Option<Deprecation> {
        self.used
    }

    /// Does an operation.
    pub(super) fn apply(&mut self, index: usize, operation: &Operation) -> Result<(), Vec<Problem>> {
        let path = || Some(excerpt(&dotted(&operation.path)).to_owned());
        self.attempt(operation).map_err(|fault| vec![fault.problem(index, path())])
    }

    fn attempt(&mut self, operation: &Operation) -> Result<(), Fault> {
        let Operation { path, action } = operation;
        if path.count() > MAX_DEPTH {
            return Err(too_deep());
        }
        let is_known = match action {
            Action::Test(_) => self.read_property(path)?,
            Action::Move(from) | Action::Copy(from) => {
                if from.count() > MAX_DEPTH {
                    return Err(Fault::Invalid("\"from\" path is invalid".to_owned()));
                }
                self.read_property(from)? & self.find_property(path)?
            }
            Action::Add(_) | Action::Replace(_) | Action::Remove => self.find_property(path)?,
        };
        let operation = match action {
            Action::Add(operand) => {
                let value = self.parse(path, operand, is_known)?;
                self.shift(path)?;
                PatchOperation::Add(AddOperation { path: path.clone(), value })
            }
            Action::Replace(operand) => {
                let value = self.parse(path, operand, is_known)?;
                let path = path.clone();
                // What is never shown has a value all the same: to replace it is to add it to what GET shows. So is to
                // replace an unknown property, which is reported as such.
                match path.resolve(&self.json).is_err() && (path.count() == 1 || self.shape.has(&dotted(&path))) {
                    true => PatchOperation::Add(AddOperation { path, value }),
                    false => PatchOperation::Replace(ReplaceOperation { path, value }),
                }
            }
            Action::Test(operand) => {
                self.charge(operand.measure.values)?;
                let mut value = operand.parse();
                // what is tested has both names of a field, and a client knows one
                self.shape.add_other_names(&words(path), &mut value);
                if path.resolve(&self.json).is_ok_and(|found| exact_json::is_equal(found, &value)) {
                    self.touched.extend(path.first().map(|name| name.decoded().into_owned()));
                    return self.name(path);
                }
                PatchOperation::Test(TestOperation { path: path.clone(), value })
            }
            Action::Remove => {
                self.shift(path)?;
                PatchOperation::Remove(RemoveOperation { path: path.clone() })
            }
            Action::Move(from) => {
                self.measure(from, path)?;
                self.shift(from)?;
                self.shift(path)?;
                PatchOperation::Move(MoveOperation { from: from.clone(), path: path.clone() })
            }
            Action::Copy(from) => {
                let measure = self.measure(from, path)?;
                self.hold(measure)?;
                self.shift(path)?;
                PatchOperation::Copy(CopyOperation { from: from.clone(), path: path.clone() })
            }
        };
        self.touched.extend(path.first().map(|name| name.decoded().into_owned()));
        patch_unsafe(&mut self.json, std::slice::from_ref(&operation)).map_err(|error| match error.kind {
            PatchErrorKind::TestFailed => Fault::Test,
            kind => Fault::Invalid(kind.to_string()),
        })?;
        self.name(path)
    }

    /// Gives what is at a path now both names of fields that have two, and notes which of these are used.
    fn name(&mut self, path: &Pointer) -> Result<(), Fault> {
        if !self.shape.has_two_names() {
            return Ok(());
        }
        let words = words(path);
        let Some(value) = value_at(&mut self.json, path) else { return Ok(()) };
        let before = Measure::deserialize(&*value).unwrap_or_default();
        let of_path = self.shape.deprecation_of(&words).filter(|_| !value.is_null());
        let of_value = self.shape.add_other_names(&words, value);
        let after = Measure::deserialize(&*value).unwrap_or_default();
        self.used = [of_path, of_value].into_iter().fold(self.used, Deprecation::together);
        self.charge(after.values)?;
        self.hold(Measure { bytes: after.bytes.saturating_sub(before.bytes), ..after })
    }

    /// Whether the version and view have the property that a path names. What is below an unknown one is refused.
    fn find_property(&self, path: &Pointer) -> Result<bool, Fault> {
        let words = words(path);
        let Some((known, nearest)) = self.shape.first_unknown(&words) else { return Ok(true) };
        if known == words.len() {
            return Ok(false);
        }
        Err(unknown(&words[..known].join("."), nearest))
    }

    /// The same of a path that is read: an unknown property that an operation has put there is not read, either.
    fn read_property(&self, path: &Pointer) -> Result<bool, Fault> {
        let is_known = self.find_property(path)?;
        if !is_known && path.resolve(&self.json).is_ok() {
            return Err(unknown(&dotted(path), None));
        }
        Ok(is_known)
    }

    /// The value that an operation puts at a path. That of an unknown property is never looked at.
    fn parse(&mut self, path: &Pointer, operand: &Operand, is_known: bool) -> Result<Json, Fault> {
        if !is_known {
            return Ok(Json::Null);
        }
        self.charge(operand.measure.values)?;
        self.hold(operand.measure)?;
        nest(path, operand.measure)?;
        self.may_be_marked |= operand.is_marked;
        Ok(operand.parse())
    }

    /// Measures what is to be moved or copied from one path to another.
    fn measure(&mut self, from: &Pointer, path: &Pointer) -> Result<Measure, Fault> {
        let Ok(value) = from.resolve(&self.json) else { return Ok(Measure::default()) };
        let measure = Measure::deserialize(value).unwrap_or_default();
        self.charge(measure.values)?;
        nest(path, measure)?;
        Ok(measure)
    }

    /// Charges an item that comes into an array, or leaves it: the items behind it move along.
    fn shift(&mut self, path: &Pointer) -> Result<(), Fault> {
        let Some((parent, last)) = path.split_back() else { return Ok(()) };
        let Ok(Json::Array(items)) = parent.resolve(&self.json) else { return Ok(()) };
        let at = last.to_index().map_or(0, |index| index.for_len_unchecked(items.len()));
        self.charge(items.len().saturating_sub(at))
    }

    fn charge(&mut self, values: usize) -> Result<(), Fault> {
        self.work += values;
        if self.work > MAX_PATCH_WORK {
            let reason = format!("a patch may parse, copy and move at most {MAX_PATCH_WORK} values");
            return Err(Fault::Invalid(reason));
        }
        Ok(())
    }

    fn hold(&mut self, measure: Measure) -> Result<(), Fault> {
        self.bytes += measure.bytes;
        if self.bytes > MAX_PATCH_BYTES {
            let reason = format!("the entity and what a patch adds may take at most {MAX_PATCH_BYTES} bytes of memory");
            return Err(Fault::Invalid(reason));
        }
        Ok(())
    }

    /// The result as JSON; `last` is the index of the last operation.
    pub(super) fn text(&self, last: usize) -> Result<Vec<u8>, Vec<Problem>> {
        let max = MAX_PATCHED_BYTES.max(self.before);
        let mut bounded = Bounded { bytes: Vec::with_capacity(self.before), max };
        serde_json::to_writer(&mut bounded, &self.json).map_err(|_| {
            let reason = format!("a patch may not make an entity larger than {MAX_PATCHED_BYTES} bytes");
            vec![invalid(last, &reason)]
        })?;
        if !self.may_be_marked {
            return Ok(bounded.bytes);
        }
        Ok(match exact_json::unmarked(std::str::from_utf8(&bounded.bytes).unwrap_or_default()) {
            Cow::Borrowed(_) => bounded.bytes,
            Cow::Owned(text) => text.into_bytes(),
        })
    }

    /// The properties that were touched, as a JSON object.
    pub(super) fn touched(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let members = self.touched.iter().filter_map(|name| Some((name, self.json.get(name)?)));
        crate::plan::form::sequence(&mut out, b'{', b'}', members, |(name, value), out| {
            crate::plan::form::write_text(name.as_bytes(), out);
            out.push(b':');
            let text = if self.may_be_marked { exact_json::text(value) } else { value.to_string() };
            out.extend_from_slice(text.as_bytes());
        });
        out
    }
}

impl Operand {
    fn parse(&self) -> Json {
        // its text was read when it was measured
        serde_json::from_str(self.text.get()).unwrap_or_default()
    }
}

impl Fault {
    fn problem(self, index: usize, path: Option<String>) -> Problem {
        match self {
            Self::Invalid(reason) => Problem { path, ..invalid(index, &reason) },
            Self::Test => Problem { path, ..Problem::new(ErrorCode::TestFailed).with("operation", index) },
            Self::Unknown(problem) => problem,
        }
    }
}

/// What an operation has put at a path, where `-` is the last item of an array.
fn value_at<'j>(json: &'j mut Json, path: &Pointer) -> Option<&'j mut Json> {
    match path.split_back() {
        Some((array, last)) if last.is_next() => array.resolve_mut(json).ok()?.as_array_mut()?.last_mut(),
        _ => path.resolve_mut(json).ok(),
    }
}

/// The words of a path.
fn words(path: &Pointer) -> Vec<String> {
    path.tokens().map(|token| token.decoded().into_owned()).collect()
}

fn unknown(path: &str, nearest: Option<&str>) -> Fault {
    let problem = Problem::at(ErrorCode::UnknownProperty, excerpt(path));
    Fault::Unknown(match nearest {
        Some(nearest) => problem.with("nearest", nearest),
        None => problem,
    })
}

/// Refuses what would nest too deep at a path. Deeper documents would also be too deep for the stack of code that walks
/// them.
fn nest(path: &Pointer, measure: Measure) -> Result<(), Fault> {
    if path.count() + measure.depth > MAX_DEPTH { Err(too_deep()) } else { Ok(()) }
}

fn too_deep() -> Fault {
    Fault::Invalid(format!("the result would nest deeper than {MAX_DEPTH} levels"))
}

/// Takes a number of bytes, and refuses more.
struct Bounded {
    bytes: Vec<u8>,
    max: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
