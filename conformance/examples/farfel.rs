//! Compares random programs of Farfel: `farfel KIND FROM COUNT [native]`, with the kinds `all`, `plain` and `damaged`. Findings are
//! grouped by their first lines; of each group the smallest program is shrunk and printed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // it is a tool for developers

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use vlad_conformance::farfel::verdict::{Verdict, verdict};
use vlad_conformance::farfel::{Case, Finding, Tally, alone, check, damage};
use vlad_engines::{Engine, Settings};
use vlad_farfel_oracle::generate::{Options, program};
use vlad_farfel_oracle::shrink::shrink;

/// The number of programs that are made ready together.
const BATCH: u64 = 50;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().collect();
    let kind = arguments[1].clone();
    let (from, count): (u64, u64) = (arguments[2].parse().unwrap(), arguments[3].parse().unwrap());
    let engines: &[Engine] = if arguments.len() > 4 { &[Engine::Native] } else { &[Engine::Interp, Engine::Hybrid] };
    let settings = Settings::default();
    if kind == "damaged" {
        return damaged(from, count);
    }
    let options = if kind == "plain" { Options::PLAIN } else { Options::ALL };
    let (next, tally) = (AtomicU64::new(from), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let begin = next.fetch_add(BATCH, Ordering::Relaxed);
                    if begin >= from + count {
                        return;
                    }
                    for engine in engines {
                        let part = check(begin..(begin + BATCH).min(from + count), options, *engine, &settings);
                        tally.lock().unwrap().merge(part);
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{} agree, {} differentiate, open: {:?}", tally.compared, tally.differentiated, tally.open);
    let mut groups: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
    for finding in &tally.findings {
        groups.entry(sort(&finding.difference)).or_default().push(finding);
    }
    for (sort_of, group) in groups {
        let smallest = group.iter().min_by_key(|finding| finding.text.len()).unwrap();
        println!("==== {} findings, as seed {}: {sort_of}", group.len(), smallest.seed);
        let differs = |case: &Case| match alone(case, smallest.engine, &settings) {
            Ok(observation) => match verdict(&case.behaviour, &observation) {
                Verdict::Differs(difference) => Some(difference),
                Verdict::Agrees | Verdict::Open(_) => None,
            },
            Err(difference) => Some(difference),
        };
        let tree = shrink(program(smallest.seed, options), 1500, &mut |tree| {
            let mut case = Case::of_tree(tree.clone(), smallest.seed);
            case.text = vlad_farfel_oracle::print::plain_text(tree);
            differs(&case).is_some_and(|difference| sort(&difference) == sort_of)
        });
        let case = Case::of_tree(tree.clone(), smallest.seed);
        let plain = Case { text: vlad_farfel_oracle::print::plain_text(&tree), ..case };
        match differs(&plain) {
            Some(difference) => println!("{}\n{difference}", plain.text),
            None => println!("only in its own spelling: {}", smallest.difference),
        }
    }
}

/// The first line of a difference without numbers.
fn sort(difference: &str) -> String {
    let line = difference.lines().next().unwrap_or_default();
    let line = if line.contains("differs") { line.split(':').next().unwrap_or_default() } else { line };
    line.chars().filter(|letter| !letter.is_ascii_digit()).take(70).collect()
}

fn damaged(from: u64, count: u64) {
    let found = Mutex::new(BTreeMap::<String, (u64, String)>::new());
    let next = AtomicU64::new(from);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + count {
                        return;
                    }
                    if let Some(finding) = damage::check(seed, &[Engine::Interp, Engine::Hybrid], &Settings::default())
                    {
                        let mut found = found.lock().unwrap();
                        let row = found.entry(sort(&finding)).or_insert((0, finding.clone()));
                        row.0 += 1;
                        if finding.len() < row.1.len() {
                            row.1 = finding;
                        }
                    }
                }
            });
        }
    });
    for (sort, (count, finding)) in found.into_inner().unwrap() {
        println!("==== {count}: {sort}\n{finding}");
    }
    println!("{count} damaged texts");
}
