//! A body, read along a shape that has a field of every type, for a creation and for an update.

use crate::judge::judge_problems;
use crate::world::service;
use restwell_model::Value;
use restwell_model::input::{Reading, well_formed};

pub(crate) fn judge(data: &[u8]) {
    let shape = service().shape();
    for reading in [Reading::Create, Reading::Update] {
        let read = shape.read(data, reading, &[]);
        assert_eq!(read.is_ok(), well_formed(data).is_ok(), "what is malformed does not depend on the fields");
        let Ok(body) = read else { return };
        judge_problems(&body.problems);
        if !body.problems.is_empty() {
            continue;
        }
        assert!(matches!(body.value, Value::Object(_)), "no problem, and no object");
        let written = service().write(&body.value);
        let again = shape.read(written.as_bytes(), reading, &[]).expect("what is written is JSON");
        assert_eq!((&again.value, &again.problems), (&body.value, &Vec::new()), "{written}");
        assert!(shape.complete(body.value) != Value::Absent);
    }
}
