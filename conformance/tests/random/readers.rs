//! Tests of the readers on arbitrary bytes: seeds of every reader, mutated in many ways, and bytes that once revealed a
//! fault. `VLAD_READER_CASES` sets the number of cases.

use rstest::rstest;
use vlad_conformance::readers::mutate::mutate;
use vlad_conformance::readers::{CACHE, CAPSULES, LEXER, NUMBERS, PARSER, READERS, Reader};
use vlad_derivatives::numbers::Numbers;

fn cases() -> usize {
    std::env::var("VLAD_READER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(4_000)
}

fn check(reader: Reader, bytes: &[u8]) {
    if let Err(wrong) = (reader.property)(bytes) {
        panic!("{} of {:?}: {wrong}", reader.name, bytes.escape_ascii().to_string());
    }
}

#[rstest]
#[case::lexer(LEXER)]
#[case::parser(PARSER)]
#[case::numbers(NUMBERS)]
#[case::capsules(CAPSULES)]
#[case::cache(CACHE)]
fn seeds_and_what_becomes_of_them(#[case] reader: Reader) {
    let seeds = (reader.seeds)().unwrap();
    assert!(seeds.len() > 3, "{}", reader.name);
    seeds.iter().for_each(|seed| check(reader, seed));
    let mut numbers = Numbers::new(7);
    let mut pool = seeds.clone();
    for _ in 0..cases() {
        let (seed, other) = (numbers.below(pool.len()), numbers.below(pool.len()));
        let bytes = mutate(&pool[seed], &pool[other], &mut numbers);
        check(reader, &bytes);
        // Some mutants are mutated again, but not those that became long.
        if numbers.below(4) == 0 && bytes.len() < 2_000 {
            let place = numbers.below(4 * seeds.len());
            if place < pool.len() { pool[place] = bytes } else { pool.push(bytes) }
        }
    }
}

/// Random bytes.
#[test]
fn noise() {
    let mut numbers = Numbers::new(11);
    for _ in 0..cases() / 4 {
        let bytes: Vec<u8> = (0..numbers.below(200)).map(|_| numbers.below(256) as u8).collect();
        READERS.into_iter().for_each(|reader| check(reader, &bytes));
    }
}
