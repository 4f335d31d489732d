//! A case as the text of a file that says how it is run: the program, behind comments for all that is around it.
//!
//! Invariant: what is read back runs as the case does, with the same places in errors, since the comments are no part of the
//! program.

use super::suspension::Suspension;
use super::{Case, Limit, Source};
use vlad_shared::number;

const INPUT: &str = "; input:";
const LIMIT: &str = "; limit:";
const SUSPENDED: &str = "; suspended:";
const PROGRAM: &str = "; program:";

const WHOLE: &str = "none";
const OPEN: &str = "none, nor one that is never met on engines behind the first";

/// The text of a case, behind lines that are comments.
pub fn write(comments: &[String], case: &Case) -> Vec<u8> {
    let mut text: String = comments.iter().map(|line| format!("; {line}\n")).collect();
    let limit = match case.limit {
        Limit::Whole => WHOLE.to_owned(),
        Limit::Open => OPEN.to_owned(),
        Limit::Within(parts) => format!("{parts} of 2^32 parts of the steps that it needs"),
    };
    let suspended = case.suspension.map_or("no".to_owned(), |suspension| format!("by choice {}", suspension.seed()));
    text.push_str(&format!("{INPUT} {}\n{LIMIT} {limit}\n{SUSPENDED} {suspended}\n{PROGRAM}\n", case.input_text()));
    let mut bytes = text.into_bytes();
    bytes.extend(case.bytes());
    bytes
}

/// The case of a text.
///
/// # Errors
/// Something is missing before the program, or means nothing.
pub fn read(text: &[u8]) -> Result<Case, String> {
    let mut case =
        Case { seed: 0, source: Source::Text(Vec::new()), input: Vec::new(), limit: Limit::Whole, suspension: None };
    let mut left = text;
    loop {
        let mut halves = left.splitn(2, |byte| *byte == b'\n');
        let line = halves.next().map(String::from_utf8_lossy).unwrap_or_default();
        let Some(rest) = halves.next() else { return Err(format!("there is no line `{PROGRAM}`")) };
        left = rest;
        if line == PROGRAM {
            return Ok(Case { source: Source::Text(left.to_vec()), ..case });
        } else if let Some(input) = line.strip_prefix(INPUT) {
            let reals: Option<Vec<f64>> = input.split_whitespace().map(number::parse).collect();
            case.input = reals.ok_or_else(|| format!("`{line}` is no input"))?;
        } else if let Some(limit) = line.strip_prefix(LIMIT) {
            case.limit = match limit.trim() {
                WHOLE => Limit::Whole,
                OPEN => Limit::Open,
                limit => Limit::Within(first_number(limit).ok_or_else(|| format!("`{line}` is no limit"))?),
            };
        } else if let Some(suspended) = line.strip_prefix(SUSPENDED) {
            case.suspension = match suspended.trim().strip_prefix("by choice ") {
                Some(seed) => {
                    Some(Suspension::new(first_number(seed).ok_or_else(|| format!("`{line}` is no choice"))?))
                }
                None => None,
            };
        }
    }
}

fn first_number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Dials, Sort, generate};

    #[test]
    fn what_is_written_is_read() {
        let dials = Dials { interruption: 80, ..Dials::default() };
        let mut kinds = [0; 3];
        for (seed, sort) in (0..200).zip([Sort::Good, Sort::Bad].into_iter().cycle()) {
            let case = generate(sort, seed, dials);
            let read = read(&write(&["a comment".to_owned()], &case)).unwrap();
            assert_eq!((read.bytes(), read.input_text()), (case.bytes(), case.input_text()));
            assert_eq!((read.limit, read.suspension), (case.limit, case.suspension));
            let holds = [matches!(case.limit, Limit::Within(_)), case.suspension.is_some(), case.limit == Limit::Open];
            kinds.iter_mut().zip(holds).for_each(|(count, holds)| *count += u32::from(holds));
        }
        assert!(kinds.iter().all(|count| *count > 10), "{kinds:?}");
    }

    #[test]
    fn what_is_no_case_is_refused() {
        assert_eq!(read(b"(+ 1 2)\n").unwrap_err(), "there is no line `; program:`");
        assert_eq!(read(b"; input: 1 one\n; program:\n1").unwrap_err(), "`; input: 1 one` is no input");
        assert_eq!(read(b"; limit: low\n; program:\n1").unwrap_err(), "`; limit: low` is no limit");
        assert_eq!(
            read(b"; suspended: by choice of\n; program:\n1").unwrap_err(),
            "`; suspended: by choice of` is no choice"
        );
    }
}
