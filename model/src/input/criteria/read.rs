//! The data of a search out of JSON: every problem in the model's order, unknown properties last.

use super::{Bound, Criteria, Criterion, CriterionTest, MAX_OBJECTS, MAX_VALUES, PAGING, Search, Sought, whole};
use crate::error::{ErrorCode, Problem};
use crate::field::{Deprecation, Match};
use crate::input::json::{self, Malformed};
use crate::input::members::find_members;
use crate::input::read::skipped;
use crate::input::reader::{Reader, Reading};
use crate::input::scalar::Scalar;
use crate::input::token::Token;
use crate::names::{self, COMMON_FIELDS};
use crate::value::Value;

/// What asks for being null.
const IS_NULL: &str = "isNull";

impl Criteria {
    /// Reads the data of a search. Its own `id`, `createdAt` and `updatedAt` are not looked at.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    pub fn read(&self, body: &[u8]) -> Result<Search, Malformed> {
        let text = json::text(body)?.trim_matches([' ', '\t', '\r', '\n']);
        let mut asking = Asking { reader: Reader::new(Reading::Create), values: 0, objects: 0 };
        let mut paging = [None, None];
        let mut conditions = Vec::with_capacity(self.criteria.len());
        if let Some(given) = self.find(text, &PAGING.map(|(name, _)| name), &COMMON_FIELDS, &mut asking)? {
            let (pages, criteria) = given.split_at(PAGING.len());
            for ((raw, (name, max)), number) in pages.iter().zip(PAGING).zip(&mut paging) {
                *number = asking.within(name, |asking| read_whole(*raw, max, asking))?;
            }
            conditions = self.read_found(criteria, &mut asking)?;
        }
        let [limit, offset] = paging;
        let Asking { reader, .. } = asking;
        Ok(Search { limit, offset, conditions, deprecation: reader.deprecation, problems: reader.finish() })
    }

    /// The raw text of the members: first those that come before the criteria, then the criteria's. `None` where it is
    /// no object.
    fn find<'a>(
        &self,
        text: &'a str,
        before: &[&str],
        ignored: &[&str],
        asking: &mut Asking,
    ) -> Result<Option<Vec<Option<&'a str>>>, Malformed> {
        if !text.starts_with('{') {
            json::skip(text)?;
            asking.wrong_type("object");
            return Ok(None);
        }
        let formers = self.criteria.iter().filter_map(|criterion| criterion.names().nth(1));
        let names = self.criteria.iter().map(|criterion| criterion.name.as_str()).chain(formers);
        let known: Vec<_> = before.iter().copied().chain(names).collect();
        let name = |index: usize| known.get(index).copied();
        let nearest = |word: &str| names::nearest(word, known.iter().copied());
        find_members(text, known.len(), name, ignored, nearest, &mut asking.reader).map(Some)
    }

    fn read_found(&self, given: &[Option<&str>], asking: &mut Asking) -> Result<Vec<CriterionTest>, Malformed> {
        // the former names come after the present ones
        let (given, formers) = given.split_at(self.criteria.len());
        let mut formers = formers.iter();
        let read = |(criterion, raw): (&Criterion, &Option<&str>)| {
            let former = criterion.former.as_ref().and_then(|former| Some((former, (*formers.next()?)?)));
            criterion.read_either(*raw, former, asking)
        };
        self.criteria.iter().zip(given).map(read).collect()
    }

    fn read_object(&self, text: &str, asking: &mut Asking) -> Result<CriterionTest, Malformed> {
        match self.find(text, &[], &[], asking)? {
            Some(given) => Ok(CriterionTest::Object(self.read_found(&given, asking)?)),
            None => Ok(CriterionTest::Anything),
        }
    }

    fn read_objects(&self, text: &str, asking: &mut Asking) -> Result<Vec<CriterionTest>, Malformed> {
        if !text.starts_with('[') {
            json::skip(text)?;
            asking.wrong_type("array");
            return Ok(Vec::new());
        }
        let (mut objects, mut index) = (Vec::new(), 0_usize);
        json::items(text, |raw| {
            let object = asking.within(itoa::Buffer::new().format(index), |asking| match raw {
                "null" => asking.required(),
                _ if !asking.takes_object() => json::skip(raw).map(|()| CriterionTest::Anything),
                _ => self.read_object(raw, asking),
            })?;
            index += 1;
            objects.push(object);
            Ok(())
        })?;
        Ok(objects)
    }
}

impl Criterion {
    /// The condition under the present name or the former one. Both must be the same.
    fn read_either(
        &self,
        raw: Option<&str>,
        former: Option<(&(String, Deprecation), &str)>,
        asking: &mut Asking,
    ) -> Result<CriterionTest, Malformed> {
        let present = match raw {
            Some(raw) => asking.within(&self.name, |asking| self.read(raw, asking))?,
            None => CriterionTest::Anything,
        };
        let Some(((name, notice), raw)) = former else { return Ok(present) };
        let used = asking.reader.deprecation;
        let old = asking.within(name, |asking| self.read(raw, asking))?;
        match (present.is_given(), old.is_given()) {
            (true, true) if present == old => asking.reader.deprecation = used,
            (true, true) => {
                for (name, other) in [(&self.name, name), (name, &self.name)] {
                    let problem = Problem::new(ErrorCode::NamesDiffer).with("other", other.as_str());
                    asking.within(name, |asking| asking.reader.problem(problem));
                }
            }
            (false, true) => {
                asking.reader.uses(Some(*notice));
                return Ok(old);
            }
            (_, false) => {}
        }
        Ok(present)
    }

    fn read(&self, raw: &str, asking: &mut Asking) -> Result<CriterionTest, Malformed> {
        if is_nothing(raw) {
            return Ok(CriterionTest::Anything);
        }
        let before = asking.reader.count();
        let condition = match &self.sought {
            Sought::Scalar(scalar, matches) => read_condition(scalar, matches, raw, asking)?,
            Sought::Values(scalar) => match raw.starts_with('{') {
                true => skipped(raw, asking.value(scalar, raw)).map(|_| CriterionTest::Anything)?,
                false => read_condition(scalar, &[], raw, asking)?,
            },
            Sought::Object(criteria) => criteria.read_object(raw, asking)?,
            Sought::Objects(criteria) => CriterionTest::of_objects(criteria.read_objects(raw, asking)?),
            Sought::References(criteria) => CriterionTest::of_objects(any_of(criteria.read_objects(raw, asking)?)),
        };
        if condition.is_given() || asking.reader.count() > before {
            asking.reader.uses(self.deprecation);
        }
        Ok(condition)
    }
}

/// Null, blank, or an empty array: no criterion.
fn is_nothing(raw: &str) -> bool {
    let is_empty = |raw: &str| raw.strip_prefix('[').is_some_and(|rest| rest.trim_ascii_start() == "]");
    Token::of(raw).is_blank() || is_empty(raw)
}

/// A value, an array of values, or an object of bounds.
fn read_condition(
    scalar: &Scalar,
    matches: &[Match],
    raw: &str,
    asking: &mut Asking,
) -> Result<CriterionTest, Malformed> {
    match raw.as_bytes().first() {
        Some(b'{') => return read_range(scalar, matches, raw, asking),
        Some(b'[') => {}
        _ => {
            let value = asking.value(scalar, raw);
            return Ok(one_of(vec![value], false));
        }
    }
    Ok(one_of(read_values(scalar, raw, asking)?, true))
}

/// The values of an array; null for each that is faulty.
fn read_values(scalar: &Scalar, raw: &str, asking: &mut Asking) -> Result<Vec<Value>, Malformed> {
    let (mut values, mut index) = (Vec::new(), 0_usize);
    json::items(raw, |item| {
        values.push(asking.within(itoa::Buffer::new().format(index), |asking| {
            if Token::of(item).is_blank() {
                return asking.required().map(|_| Value::Null);
            }
            skipped(item, asking.value(scalar, item))
        })?);
        index += 1;
        Ok(())
    })?;
    Ok(values)
}

/// An array of references is met by any of the listed ones (decisions, "Searches"): they become one object with all
/// ids.
fn any_of(objects: Vec<CriterionTest>) -> Vec<CriterionTest> {
    if objects.len() < 2 {
        return objects;
    }
    let mut ids = Vec::new();
    for object in &objects {
        match object.fields().first() {
            Some(CriterionTest::OneOf { values, .. }) => ids.extend(values.iter().cloned()),
            // no element has this
            Some(CriterionTest::Range { is_null: Some(true), .. }) => {}
            // every element has this
            _ => return vec![object.clone()],
        }
    }
    match ids.is_empty() {
        true => objects.into_iter().take(1).collect(),
        false => vec![CriterionTest::Object(vec![one_of(ids, true)])],
    }
}

/// The values that are no faulty ones.
fn one_of(mut values: Vec<Value>, is_listed: bool) -> CriterionTest {
    values.retain(|value| !value.is_null());
    if values.is_empty() { CriterionTest::Anything } else { CriterionTest::OneOf { values, is_listed } }
}

fn read_range(scalar: &Scalar, matches: &[Match], raw: &str, asking: &mut Asking) -> Result<CriterionTest, Malformed> {
    let bounds: &[Bound] = if scalar.is_ordered() { &Bound::ALL } else { &[] };
    let words = bounds.iter().map(|bound| bound.word()).chain(matches.iter().map(|it| it.word()));
    let known: Vec<_> = words.chain([IS_NULL]).collect();
    let name = |index: usize| known.get(index).copied();
    let nearest = |word: &str| names::nearest(word, known.iter().copied());
    let given = find_members(raw, known.len(), name, &[], nearest, &mut asking.reader)?;
    let mut given = known.iter().zip(&given).map(|(word, raw)| (*word, raw.filter(|raw| !Token::of(raw).is_blank())));
    let mut found_bounds = Vec::new();
    for (bound, (word, raw)) in bounds.iter().zip(given.by_ref()) {
        let value = raw.map_or(Ok(Value::Null), |raw| asking.value_at(word, scalar, raw))?;
        found_bounds.extend((!value.is_null()).then_some((*bound, value)));
    }
    let mut found_matches = Vec::new();
    for (it, (word, raw)) in matches.iter().zip(given.by_ref()) {
        let Some(raw) = raw.filter(|raw| !is_nothing(raw)) else { continue };
        let mut values = match raw.starts_with('[') && it.is_repeatable() {
            true => asking.within(word, |asking| read_values(scalar, raw, asking))?,
            false => vec![asking.value_at(word, scalar, raw)?],
        };
        values.retain(|value| !value.is_null());
        found_matches.extend((!values.is_empty()).then_some((*it, values)));
    }
    let is_null = match given.next() {
        Some((word, Some(raw))) => match asking.value_at(word, &Scalar::Boolean, raw)? {
            Value::Bool(is_null) => Some(is_null),
            _ => None,
        },
        _ => None,
    };
    let is_given = is_null.is_some() || !found_bounds.is_empty() || !found_matches.is_empty();
    let range = CriterionTest::Range { bounds: found_bounds, matches: found_matches, is_null };
    Ok(if is_given { range } else { CriterionTest::Anything })
}

fn read_whole(raw: Option<&str>, max: u32, asking: &mut Asking) -> Result<Option<u32>, Malformed> {
    let Some(raw) = raw.filter(|raw| !Token::of(raw).is_blank()) else { return Ok(None) };
    let scalar = whole(max);
    let value = skipped(raw, asking.parse(&scalar, raw))?;
    let before = asking.reader.count();
    scalar.constrain(&value, |problem| asking.reader.problem(problem));
    Ok(match value {
        Value::Int(number) if asking.reader.count() == before => u32::try_from(number).ok(),
        _ => None,
    })
}

/// The state of a reading: where it is, what it found, and how much.
struct Asking {
    reader: Reader<'static>,
    values: usize,
    objects: usize,
}

impl Asking {
    fn within<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.reader.enter(name);
        let result = read(self);
        self.reader.leave(outer);
        result
    }

    /// One value more; null where it is faulty or one too many.
    fn value(&mut self, scalar: &Scalar, raw: &str) -> Value {
        self.values += 1;
        if takes(self.values, MAX_VALUES, &mut self.reader) { self.parse(scalar, raw) } else { Value::Null }
    }

    /// One value more, of this member.
    fn value_at(&mut self, name: &str, scalar: &Scalar, raw: &str) -> Result<Value, Malformed> {
        self.within(name, |asking| skipped(raw, asking.value(scalar, raw)))
    }

    fn takes_object(&mut self) -> bool {
        self.objects += 1;
        takes(self.objects, MAX_OBJECTS, &mut self.reader)
    }

    fn parse(&mut self, scalar: &Scalar, raw: &str) -> Value {
        let value = scalar.parse(&Token::of(raw)).unwrap_or_else(|problem| {
            self.reader.problem(problem);
            Value::Null
        });
        self.reader.uses(scalar.deprecation_of(&value));
        value
    }

    fn required(&mut self) -> Result<CriterionTest, Malformed> {
        self.reader.problem(Problem::new(ErrorCode::Required));
        Ok(CriterionTest::Anything)
    }

    fn wrong_type(&mut self, expected: &str) {
        self.reader.problem(Problem::new(ErrorCode::WrongType).with("expected", expected));
    }
}

/// Whether this number is allowed. Only the first excess one is reported.
fn takes(count: usize, max: usize, reader: &mut Reader<'_>) -> bool {
    if count == max + 1 {
        reader.problem(Problem::new(ErrorCode::TooManyItems).with("maxItems", max));
    }
    count <= max
}
