//! Prints each word that it reads, its plural and its singular, for `bench/plurals.py`.

use restwell_model::names::{plural_path, singular};
use std::io;

fn main() {
    for word in io::stdin().lines().map_while(Result::ok) {
        println!("{word}\t{}\t{}", plural_path(&word), singular(&word));
    }
}
