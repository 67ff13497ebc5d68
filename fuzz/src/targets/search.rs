//! The data of a search: as it is read, kept and shown, and the question that it leads to.

use crate::judge::{judge_problems, judge_query};
use crate::world::service;
use restwell_model::input::well_formed;

pub(crate) fn judge(data: &[u8]) {
    let read = service().search(data);
    assert_eq!(read.is_ok(), well_formed(data).is_ok(), "what is malformed does not depend on the criteria");
    let Ok(Some(read)) = read else { return };
    judge_problems(&read.search.problems);
    if !read.search.problems.is_empty() {
        return;
    }
    judge_query(&read.query);
    for written in [read.kept.as_bytes(), &read.shown] {
        let again = service().search(written).ok().flatten().expect("what is kept or shown is a search");
        assert_eq!((&again.kept, &again.query), (&read.kept, &read.query), "{}", String::from_utf8_lossy(written));
    }
}
