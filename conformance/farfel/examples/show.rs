//! Prints the program of a seed, its input and its behaviour; with a number behind it, counts the endings of so many.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // it is a tool for developers

use std::collections::BTreeMap;
use vlad_farfel_oracle::evaluate::{LIMITS, evaluate};
use vlad_farfel_oracle::generate::{Options, program};
use vlad_farfel_oracle::print::{plain_text, text};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let options = match arguments.get(1).map(String::as_str) {
        Some("plain") => Options::PLAIN,
        Some("ordinary") => Options::ORDINARY,
        _ => Options::ALL,
    };
    let seed: u64 = arguments.get(2).map_or(0, |seed| seed.parse().unwrap());
    let Some(count) = arguments.get(3).map(|count| count.parse::<u64>().unwrap()) else {
        let tree = program(seed, options);
        println!("{}\n--------\n{}", plain_text(&tree), text(&tree, seed));
        println!("-------- {:?}\n{:#?}", tree.input, evaluate(&tree, LIMITS).ending);
        for line in evaluate(&tree, LIMITS).lines {
            println!("{}", line.iter().map(|item| item.text()).collect::<Vec<_>>().join(" "));
        }
        return;
    };
    let mut endings: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let (mut lines, mut aliased, mut blocks) = (0, 0, 0);
    for seed in seed..seed + count {
        let tree = program(seed, options);
        text(&tree, seed);
        let behaviour = evaluate(&tree, LIMITS);
        let row = endings.entry(format!("{:?}", behaviour.ending)).or_insert((0, seed));
        row.0 += 1;
        lines += behaviour.lines.len();
        aliased += u64::from(behaviour.is_aliased);
        blocks += u64::from(behaviour.differentiates);
    }
    println!("{endings:#?}\n{lines} lines, {aliased} aliased, {blocks} with blocks");
}
