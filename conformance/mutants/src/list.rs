//! The list of mutants that cargo-mutants generates, and random samples of it.

use crate::Fallible;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A place in a file: line from 1, column in characters from 0, as in the parser of Rust.
pub type Place = (usize, usize);

/// One change of one file.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number, from 1, which `VLAD_MUTANT` selects.
    pub number: usize,
    /// The file, from the root of the project.
    pub file: String,
    /// The kind of change: `FnValue`, `BinaryOperator`, ... (a `StructField` is never placed)
    pub genre: String,
    /// The start of the change: for a function its first statement, for the other genres the changed text.
    pub start: Place,
    /// The replacement.
    pub replacement: String,
    /// The description, with the place.
    pub name: String,
}

/// Reads the list of mutants.
pub fn read(path: &Path) -> Fallible<Vec<Mutant>> {
    let list: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let list = list.as_array().ok_or("the list is no array")?;
    list.iter().map(mutant).collect()
}

fn mutant(entry: &Value) -> Fallible<Mutant> {
    let text = |key: &str| entry[key].as_str().map(str::to_owned).ok_or(format!("no `{key}` in {entry}"));
    let place = || -> Fallible<Place> {
        let number = |key: &str| entry["span"]["start"][key].as_u64().ok_or(format!("no span in {entry}"));
        Ok((usize::try_from(number("line")?)?, usize::try_from(number("column")?)? - 1))
    };
    Ok(Mutant {
        number: 0,
        file: text("file")?,
        genre: text("genre")?,
        start: place()?,
        replacement: text("replacement")?,
        name: text("name")?,
    })
}

/// A random sample of the mutants, uniformly distributed and numbered in the order of drawing: each prefix of it is a
/// sample, too.
pub fn sample(mutants: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut state = seed;
    let mut keyed: Vec<(u64, Mutant)> = mutants.into_iter().map(|mutant| (draw(&mut state), mutant)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let drawn = keyed.into_iter().take(count).enumerate();
    drawn.map(|(number, (_, mutant))| Mutant { number: number + 1, ..mutant }).collect()
}

/// The next number of a pseudo-random sequence (splitmix64).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
