//! Prints tables of the costs of `checkpoint-*j`: space, time, the chain of rotations, and the cost of counting steps.
//!
//! `cargo run --release -p vlad-benches --bin checkpointing [TURNS] [space] [time] [chain] [counting]` prints Markdown,
//! ready for `benches/record`: all tables if none is named; times are medians of several turns. The command `vlad` is
//! built first: memory is measured per process.

mod chain;
mod clock;
mod counting;
mod rounds;
mod space;
mod time;

use std::io::{self, Write};
use vlad_benches::{Arguments, Vlad};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The names of the tables.
const TABLES: [&str; 4] = ["space", "time", "chain", "counting"];

fn main() -> io::Result<()> {
    let Arguments { turns, words, .. } = Arguments::read(3, &TABLES)?;
    let wanted = |table: &str| words.is_empty() || words.iter().any(|word| word == table);
    let vlad = Vlad::build()?;
    let mut out = io::stdout();
    if wanted("space") {
        space::table(&vlad, &mut out)?;
    }
    if wanted("time") {
        time::table(turns, &mut out)?;
    }
    if wanted("chain") {
        chain::table(&vlad, turns, &mut out)?;
    }
    if wanted("counting") {
        counting::table(turns, &mut out)?;
    }
    out.flush()
}
