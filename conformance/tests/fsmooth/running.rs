//! Runs of programs in F-smooth.

use std::io::Cursor;
use vlad_shared::core::Program;
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::fsmooth::FSmooth;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// Loads a text.
pub fn program(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    let options = Options { language: Some(&FSmooth), ..Options::default() };
    load(input, &options)
        .unwrap_or_else(|failure| panic!("{text}\n{}", render(&failure.diagnostics, &failure.sources, Style::Plain)))
}

/// Returns the lines that a text prints, numbers with their bits.
pub fn lines(text: &str) -> Vec<String> {
    let program = program(text);
    let mut output = Vec::new();
    let report = {
        let mut host = StreamHost::new(Cursor::new(b""), &mut output, Notation::WithBits);
        vlad_interp::run(&program, &mut host, &Limits::default())
    };
    assert!(matches!(report.outcome, Outcome::Finished), "{text}\n{:?}", report.outcome);
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// Checks that the lines that a text prints are equal in pairs.
pub fn check_pairs(text: &str, pairs: usize) {
    let lines = lines(text);
    assert_eq!(lines.len(), 2 * pairs, "{text}");
    for (number, pair) in lines.chunks(2).enumerate() {
        assert_eq!(pair[0], pair[1], "pair {number} of\n{text}");
    }
}
