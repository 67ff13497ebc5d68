//! Fills the export of an empty database of `offers`: `filled_export ROWS < empty.ndjson | offers import --from -`.
//!
//! The rows are the same in every run: ids and times that increase, one offer in four a book, prices that hardly repeat,
//! a hundred different stocks. `bench/growth.py` makes its databases with it.

use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use twox_hash::xxhash3_128::Hasher;
use uuid::Uuid;

const TABLE: &str = "offers";
/// The first offer's creation: 2025.
const BEGINNING: u64 = 1_735_689_600_000;
const CATEGORIES: [&str; 4] = ["BOOKS", "MUSIC", "GARDEN", "TOYS"];

fn main() -> io::Result<()> {
    let rows = std::env::args().nth(1).and_then(|rows| rows.parse().ok()).expect("usage: filled_export ROWS");
    let lines: Vec<String> = io::stdin().lines().collect::<Result<_, _>>()?;
    let [first, .., last] = &lines[..] else { panic!("the export of an empty database has two lines") };
    let (header, mut end): (Value, Value) = (serde_json::from_str(first)?, serde_json::from_str(last)?);
    let columns = header["tables"][TABLE].as_array().expect("the export has the table");

    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    writeln!(out, "{first}")?;
    let mut checksum = Hasher::new();
    for number in 0..rows {
        let values: Vec<_> = columns.iter().map(|column| value(column.as_str().unwrap_or_default(), number)).collect();
        let mut line = serde_json::to_vec(&json!({ TABLE: values }))?;
        line.push(b'\n');
        checksum.write(&line);
        out.write_all(&line)?;
    }
    end["end"][TABLE] = json!([rows, format!("{:032x}", checksum.finish_128())]);
    writeln!(out, "{end}")?;
    out.flush()
}

/// A column's value in a row.
fn value(column: &str, number: u64) -> Value {
    let time = BEGINNING + number;
    // spreads the numbers over all values, the same way each time
    let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    match column {
        "id" => json!(Uuid::from_u128((u128::from(time) << 80) | (0x7 << 76) | (0x2 << 62) | u128::from(number))),
        "created_at" | "updated_at" => json!(time),
        "name" => json!(format!("Offer {number}, a quiet garden bench")),
        "description" => json!("Wood, two seats, once painted green."),
        "category" => json!(CATEGORIES[(random % 4) as usize]),
        "buy_now_amount" => json!(100 + (random >> 8) % 9_999_900),
        "buy_now_currency" => json!("PLN"),
        "active" => json!(true),
        "stock" => json!((random >> 4) % 100),
        "address_city" => json!("Poznań"),
        "address_country_code" => json!("PL"),
        other => panic!("a column `{other}` that is not known here"),
    }
}
