//! Types that implement serde themselves: `serde = off`. What they are part of is written by the conventions all the
//! same.

use restwell::{Command, Enum, Object, Resource};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize, Resource)]
#[resource(serde = off, commands(Burn))]
pub struct Letter {
    pub page_count: i64,
    pub stamp: Stamp,
    pub paper: Paper,
}

#[derive(Serialize, Deserialize, Object)]
#[object(serde = off)]
pub struct Stamp {
    pub face_value: i64,
}

#[derive(Clone, Copy, Serialize, Deserialize, Enum)]
#[enumeration(serde = off)]
pub enum Paper {
    Plain,
}

#[derive(Serialize, Deserialize, Command)]
#[command(on = Letter, serde = off)]
pub struct Burn {
    pub when_read: bool,
}

#[derive(Object)]
pub struct Parcel {
    pub first_stamp: Stamp,
    pub paper: Option<Paper>,
}

#[test]
fn a_type_with_a_serde_of_its_own_keeps_it() {
    let stamp = Stamp { face_value: 5 };
    assert_eq!(serde_json::to_value(&stamp).unwrap(), json!({ "face_value": 5 }));
    assert_eq!(serde_json::to_value(Burn { when_read: true }).unwrap(), json!({ "when_read": true }));
    let letter = Letter { page_count: 1, stamp, paper: Paper::Plain };
    let own = json!({ "page_count": 1, "stamp": { "face_value": 5 }, "paper": "Plain" });
    assert_eq!(serde_json::to_value(&letter).unwrap(), own);
    let parcel = Parcel { first_stamp: letter.stamp, paper: Some(letter.paper) };
    assert_eq!(serde_json::to_value(&parcel).unwrap(), json!({ "firstStamp": { "faceValue": 5 }, "paper": "PLAIN" }));
}
