//! What a search wants of an array's elements: its objects as the rows of a table, and the tests that compare an
//! element with a row.
//!
//! Every object of one array has a row in the same table, however many there are, with any conditions. A
//! column that some objects do not ask for is null in their rows. So the SQL depends on which fields are asked for and
//! how, not on the number of objects or values.

use super::super::criteria::form;
use super::super::form::{write_scalar, write_text};
use restwell_model::Value;
use restwell_model::input::{Bound, Criteria, CriterionTest, Scalar, Sought};

/// Number of leading columns in each row: the object, its parent, and how many objects that parent has.
pub(super) const HEAD_COLUMNS: usize = 3;

/// Bytes that may stand in an object's rows more than once. Beyond it the values of a criterion are one list in one
/// row, which is looked through for each element.
const MAX_REPEATED_BYTES: usize = 16 * 1024;

/// What is wanted of the elements of one array, by one parent or by several.
#[derive(Debug, Default)]
pub(super) struct Wanted<'a> {
    /// The parent of each object: which object of the outer array it stands in.
    parents: Vec<usize>,
    pub(super) fields: Vec<WantedField<'a>>,
    pub(super) arrays: Vec<WantedArray<'a>>,
    /// The criterion of several values that an object has a row for each value of.
    splits: Vec<Option<&'a CriterionTest>>,
    columns: Vec<Vec<Literals>>,
}

/// The JSON that an object has in a column: nothing where it does not ask, several where any of them is wanted.
type Literals = Vec<String>;

/// A field that some of the objects ask for, and the tests of it.
#[derive(Debug)]
pub(super) struct WantedField<'a> {
    pub(super) path: Vec<&'a str>,
    pub(super) scalar: &'a Scalar,
    pub(super) tests: Vec<WantedTest>,
}

/// An array inside the elements that some of the objects ask for.
#[derive(Debug)]
pub(super) struct WantedArray<'a> {
    pub(super) path: Vec<&'a str>,
    /// The objects' number is that of the parents in there.
    pub(super) inner: Wanted<'a>,
    /// The column that says which objects ask for it; none if all do.
    pub(super) asked: Option<usize>,
}

/// A test of a field against a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedTest {
    pub(super) kind: TestKind,
    pub(super) column: usize,
    /// Whether every object has it.
    pub(super) is_for_all: bool,
}

/// How a field is compared with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestKind {
    /// They are equal.
    Equal,
    /// The field is in the list of values that the column holds as JSON.
    Listed,
    /// A side of a range.
    Compare(Bound),
    /// Whether the field is null.
    IsNull,
}

impl TestKind {
    const ALL: [Self; 7] = [
        Self::Equal,
        Self::Listed,
        Self::Compare(Bound::Gt),
        Self::Compare(Bound::Gte),
        Self::Compare(Bound::Lt),
        Self::Compare(Bound::Lte),
        Self::IsNull,
    ];
}

impl<'a> Wanted<'a> {
    /// What the objects of a search's array want. Equal ones are one, and one that asks for nothing goes where another
    /// object has to be met anyway.
    pub(super) fn of_objects(criteria: &'a Criteria, objects: &'a [CriterionTest]) -> Self {
        let mut distinct: Vec<&CriterionTest> = Vec::new();
        for object in objects {
            if !distinct.contains(&object) {
                distinct.push(object);
            }
        }
        if distinct.len() > 1 {
            distinct.retain(|object| object.is_given());
        }
        let objects: Vec<_> = distinct.iter().map(|object| (0, *object)).collect();
        Self::objects(criteria, &objects)
    }

    fn objects(criteria: &'a Criteria, objects: &[(usize, &'a CriterionTest)]) -> Self {
        let scalars = objects.iter().map(|(_, object)| {
            let mut scalars = Vec::new();
            gather_scalars(criteria, object.fields(), &mut scalars);
            scalars
        });
        let mut wanted = Self::new(objects, scalars);
        let conditions: Vec<_> = objects.iter().map(|(_, object)| object.fields()).collect();
        wanted.read_fields(criteria, &conditions, &mut Vec::new());
        wanted
    }

    /// What is wanted of an array of single values.
    pub(super) fn values(scalar: &'a Scalar, conditions: &[(usize, &'a CriterionTest)]) -> Self {
        let mut wanted = Self::new(conditions, conditions.iter().map(|(_, condition)| vec![*condition]));
        let conditions: Vec<_> = conditions.iter().map(|(_, condition)| *condition).collect();
        wanted.read_field(scalar, &conditions, &[]);
        wanted
    }

    fn new(objects: &[(usize, &'a CriterionTest)], scalars: impl Iterator<Item = Vec<&'a CriterionTest>>) -> Self {
        let parents = objects.iter().map(|(parent, _)| *parent).collect();
        let splits = scalars.map(|scalars| split_of(&scalars)).collect();
        Self { parents, splits, ..Self::default() }
    }

    /// How many objects are to be met.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether each parent wants one object: then it needs no count of those that are met.
    pub(super) fn has_one_each(&self) -> bool {
        self.parents.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// How many columns a row has after [`HEAD_COLUMNS`].
    pub(super) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Adds the criteria of an object's fields; `conditions` are those of each wanted object, in the order of the
    /// criteria.
    fn read_fields(&mut self, criteria: &'a Criteria, conditions: &[&'a [CriterionTest]], path: &mut Vec<&'a str>) {
        for (index, criterion) in criteria.iter().enumerate() {
            let asked: Vec<_> =
                conditions.iter().map(|all| all.get(index).unwrap_or(&CriterionTest::Anything)).collect();
            if !asked.iter().any(|condition| condition.is_given()) {
                continue;
            }
            path.push(criterion.name());
            match criterion.sought() {
                Sought::Scalar(scalar, _) => self.read_field(scalar, &asked, path),
                Sought::Object(inner) => {
                    let inside: Vec<_> = asked.iter().map(|condition| condition.fields()).collect();
                    self.read_fields(inner, &inside, path);
                }
                Sought::Objects(inner) | Sought::References(inner) => self.read_array(&asked, path, |asked| {
                    let objects: Vec<_> = asked.iter().flat_map(|(parent, one)| each_object(*parent, one)).collect();
                    Self::objects(inner, &objects)
                }),
                Sought::Values(scalar) => self.read_array(&asked, path, |asked| Self::values(scalar, asked)),
            }
            path.pop();
        }
    }

    fn read_field(&mut self, scalar: &'a Scalar, asked: &[&'a CriterionTest], path: &[&'a str]) {
        let mut literals: [Vec<Literals>; TestKind::ALL.len()] = Default::default();
        for (object, condition) in asked.iter().enumerate() {
            for (kind, literals) in TestKind::ALL.into_iter().zip(&mut literals) {
                literals.push(self.literals(object, scalar, condition, kind));
            }
        }
        let mut tests = Vec::new();
        for (kind, literals) in TestKind::ALL.into_iter().zip(literals) {
            if literals.iter().any(|literals| !literals.is_empty()) {
                let is_for_all = literals.iter().all(|literals| !literals.is_empty());
                tests.push(WantedTest { kind, column: self.columns.len(), is_for_all });
                self.columns.push(literals);
            }
        }
        self.fields.push(WantedField { path: path.to_vec(), scalar, tests });
    }

    /// What an object's row has in the column of a test.
    fn literals(&self, object: usize, scalar: &Scalar, condition: &CriterionTest, kind: TestKind) -> Literals {
        match (condition, kind) {
            (CriterionTest::OneOf { values, .. }, TestKind::Equal | TestKind::Listed) => {
                let is_split = self.splits[object].is_some_and(|split| std::ptr::eq(split, condition));
                let is_listed = values.len() > 1 && !is_split;
                let values = values.iter().map(|value| literal(scalar, value));
                match (kind, is_listed) {
                    (TestKind::Equal, false) => values.collect(),
                    (TestKind::Listed, true) => {
                        vec![text_literal(&format!("[{}]", values.collect::<Vec<_>>().join(",")))]
                    }
                    _ => Vec::new(),
                }
            }
            (CriterionTest::Range { bounds, .. }, TestKind::Compare(side)) => {
                let bound = bounds.iter().find(|(bound, _)| *bound == side);
                bound.map(|(_, value)| literal(scalar, value)).into_iter().collect()
            }
            (CriterionTest::Range { is_null, .. }, TestKind::IsNull) => is_null.iter().map(bool::to_string).collect(),
            _ => Vec::new(),
        }
    }

    fn read_array(
        &mut self,
        asked: &[&'a CriterionTest],
        path: &[&'a str],
        read: impl FnOnce(&[(usize, &'a CriterionTest)]) -> Self,
    ) {
        let given = asked.iter().enumerate().filter(|(_, condition)| condition.is_given());
        let given: Vec<_> = given.map(|(object, condition)| (object, *condition)).collect();
        let column = (given.len() < asked.len()).then(|| {
            let literals = asked.iter().map(|one| if one.is_given() { vec!["1".to_owned()] } else { Vec::new() });
            self.columns.push(literals.collect());
            self.columns.len() - 1
        });
        self.arrays.push(WantedArray { path: path.to_vec(), inner: read(&given), asked: column });
    }

    /// The rows as a JSON array of arrays. An object with a criterion of several values has a row for each of them.
    pub(super) fn rows(&self) -> String {
        let mut siblings = vec![0_usize; self.parents.iter().max().map_or(0, |last| last + 1)];
        self.parents.iter().for_each(|parent| siblings[*parent] += 1);
        let mut rows = Vec::new();
        for (object, parent) in self.parents.iter().enumerate() {
            let copies = self.columns.iter().map(|column| column[object].len()).max().unwrap_or_default().max(1);
            for copy in 0..copies {
                let mut row = format!("[{object},{parent},{}", siblings[*parent]);
                for column in &self.columns {
                    let literals = &column[object];
                    row.push(',');
                    row.push_str(literals.get(copy).or(literals.first()).map_or("null", String::as_str));
                }
                row.push(']');
                rows.push(row);
            }
        }
        format!("[{}]", rows.join(","))
    }
}

/// The criterion that an object is split by: the one with the most to compare, as far as the rows stay small.
fn split_of<'a>(scalars: &[&'a CriterionTest]) -> Option<&'a CriterionTest> {
    let total: usize = scalars.iter().map(|condition| bytes_of(condition)).sum();
    let several = scalars.iter().filter_map(|condition| match condition {
        CriterionTest::OneOf { values, .. } if values.len() > 1 => {
            Some((bytes_of(condition), values.len(), *condition))
        }
        _ => None,
    });
    let (bytes, rows, split) = several.max_by_key(|(bytes, ..)| *bytes)?;
    ((total - bytes).saturating_mul(rows) <= MAX_REPEATED_BYTES).then_some(split)
}

/// The conditions on an object's single values.
fn gather_scalars<'a>(criteria: &Criteria, fields: &'a [CriterionTest], found: &mut Vec<&'a CriterionTest>) {
    for (criterion, condition) in criteria.iter().zip(fields) {
        match criterion.sought() {
            Sought::Scalar(..) => found.push(condition),
            Sought::Object(inner) => gather_scalars(inner, condition.fields(), found),
            Sought::Objects(_) | Sought::References(_) | Sought::Values(_) => {}
        }
    }
}

/// About how many bytes a condition compares with.
fn bytes_of(condition: &CriterionTest) -> usize {
    let bytes = |value: &Value| if let Value::Text(text) = value { text.len() } else { size_of::<Value>() };
    match condition {
        CriterionTest::OneOf { values, .. } => values.iter().map(bytes).sum(),
        CriterionTest::Range { bounds, .. } => bounds.iter().map(|(_, value)| bytes(value)).sum(),
        _ => 0,
    }
}

fn each_object(parent: usize, condition: &CriterionTest) -> impl Iterator<Item = (usize, &CriterionTest)> {
    let objects = match condition {
        CriterionTest::Objects(objects) => objects.as_slice(),
        _ => &[],
    };
    objects.iter().map(move |object| (parent, object))
}

/// A value as the JSON functions give it out of what is rendered. Decimals are whole numbers of their last digit's
/// unit; timestamps, dates and times have a fixed width, so the order of their texts is theirs.
fn literal(scalar: &Scalar, value: &Value) -> String {
    match (scalar, value) {
        (Scalar::Decimal { .. } | Scalar::Amount(_), Value::Int(units)) => units.to_string(),
        _ => written(|out| write_scalar(form(scalar), value, out)),
    }
}

fn text_literal(text: &str) -> String {
    written(|out| write_text(text.as_bytes(), out))
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
