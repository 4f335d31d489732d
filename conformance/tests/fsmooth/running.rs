//! Runs of programs in F-smooth.

use std::io::Cursor;
use vlad_shared::core::Program;
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::fsmooth::FSMOOTH;
use vlad_shared::language::Rewriting;
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// Loads a text under a way of rewriting.
fn program_in(text: &str, rewriting: Rewriting) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    let options = Options { language: Some(&FSMOOTH), rewriting: Some(rewriting), ..Options::default() };
    load(input, &options)
        .unwrap_or_else(|failure| panic!("{text}\n{}", render(&failure.diagnostics, &failure.sources, Style::Plain)))
}

/// Returns the lines that a text prints, numbers with their bits.
pub fn lines(text: &str) -> Vec<String> {
    lines_in(text, Rewriting::Off, Notation::WithBits)
}

fn lines_in(text: &str, rewriting: Rewriting, notation: Notation) -> Vec<String> {
    let program = program_in(text, rewriting);
    let mut output = Vec::new();
    let report = {
        let mut host = StreamHost::new(Cursor::new(b""), &mut output, notation);
        vlad_interp::run(&program, &mut host, &Limits::default())
    };
    assert!(matches!(report.outcome, Outcome::Finished), "{text}\n{:?}", report.outcome);
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// Lines without the signs of zeros.
pub fn without_signs_of_zeros(lines: &[String]) -> Vec<String> {
    let unsigned = |line: &String| {
        let items = line.split_inclusive([' ', ')', '(']);
        items
            .map(|item| if item.trim_end_matches([' ', ')']) == "-0" { item.replace('-', "") } else { item.to_owned() })
            .collect()
    };
    lines.iter().map(unsigned).collect()
}

/// Checks that the lines that a text prints as it is written are equal in pairs, and that it prints the same when it is
/// rewritten, but for the signs of zeros.
pub fn check_pairs(text: &str, pairs: usize) {
    let [written, rewritten] =
        [Rewriting::Off, Rewriting::On].map(|way| without_signs_of_zeros(&lines_in(text, way, Notation::Shortest)));
    assert_eq!(written, rewritten, "rewritten:\n{text}");
    let lines = lines(text);
    assert_eq!(lines.len(), 2 * pairs, "{text}");
    for (number, pair) in lines.chunks(2).enumerate() {
        assert_eq!(pair[0], pair[1], "pair {number} of\n{text}");
    }
}
