//! The file format of cases: the program, after comments for its input, limit and suspension.
//!
//! Invariant: a case that is read back runs like the original, with the same places in errors, since the comments are
//! no part of the program. Three of them state the run, and all three are required:
//!
//! - `; input:` and its reals;
//! - `; limit:` and `none`, or `open`, or the part of its steps that it may take. `none` is the limit that all cases
//!   have, far above most programs. `open` is the same for the first engine, and no limit at all for each later engine
//!   if the first one kept it: programs without a limit are compiled differently. ([`Limit`])
//! - `; suspended:` and `no`, or `by choice` and the seed of its suspension.

use super::case::{Case, Limit, Source};
use super::suspension::Suspension;
use vlad_shared::table::number;

const INPUT: &str = "; input:";
const LIMIT: &str = "; limit:";
const SUSPENDED: &str = "; suspended:";
const PROGRAM: &str = "; program:";

const WHOLE: &str = "none";
const OPEN: &str = "open";
const PARTS: &str = " of 2^32 parts of the steps that it needs";

const NO: &str = "no";
const CHOICE: &str = "by choice ";

/// The text of a case, after the given comments.
pub fn write(comments: &[String], case: &Case) -> Vec<u8> {
    let mut text: String = comments.iter().flat_map(|text| text.lines()).map(|line| format!("; {line}\n")).collect();
    let limit = match case.limit {
        Limit::Whole => WHOLE.to_owned(),
        Limit::Open => OPEN.to_owned(),
        Limit::Within(parts) => format!("{parts}{PARTS}"),
    };
    let suspended = case.suspension.map_or(NO.to_owned(), |suspension| format!("{CHOICE}{}", suspension.seed()));
    text.push_str(&format!("{INPUT} {}\n{LIMIT} {limit}\n{SUSPENDED} {suspended}\n{PROGRAM}\n", case.input_text()));
    let mut bytes = text.into_bytes();
    bytes.extend(case.bytes());
    bytes
}

/// Parses the text of a case.
///
/// # Errors
/// Returns a message if a line before the program is missing or malformed.
pub fn read(text: &[u8]) -> Result<Case, String> {
    let (mut input, mut limit, mut suspension) = (None, None, None);
    let mut left = text;
    loop {
        let mut halves = left.splitn(2, |byte| *byte == b'\n');
        let line = halves.next().map(String::from_utf8_lossy).unwrap_or_default();
        let rest = halves.next().ok_or_else(|| missing(PROGRAM))?;
        left = rest;
        if line == PROGRAM {
            break;
        } else if let Some(reals) = line.strip_prefix(INPUT) {
            let reals: Option<Vec<f64>> = reals.split_whitespace().map(number::parse).collect();
            input = Some(reals.ok_or_else(|| format!("`{line}` is no input"))?);
        } else if let Some(word) = line.strip_prefix(LIMIT) {
            limit = Some(read_limit(word.trim()).ok_or_else(|| format!("`{line}` is no limit"))?);
        } else if let Some(words) = line.strip_prefix(SUSPENDED) {
            suspension = Some(read_suspension(words.trim()).ok_or_else(|| format!("`{line}` is no choice"))?);
        }
    }
    Ok(Case {
        seed: 0,
        source: Source::Text(left.to_vec()),
        input: input.ok_or_else(|| missing(INPUT))?,
        limit: limit.ok_or_else(|| missing(LIMIT))?,
        suspension: suspension.ok_or_else(|| missing(SUSPENDED))?,
    })
}

fn missing(line: &str) -> String {
    format!("there is no line `{line}`")
}

fn read_limit(words: &str) -> Option<Limit> {
    match words {
        WHOLE => Some(Limit::Whole),
        OPEN => Some(Limit::Open),
        words => words.strip_suffix(PARTS)?.parse().ok().map(Limit::Within),
    }
}

/// Parses a suspension; `None` if the words are malformed.
fn read_suspension(words: &str) -> Option<Option<Suspension>> {
    if words == NO {
        return Some(None);
    }
    words.strip_prefix(CHOICE)?.parse().ok().map(Suspension::new).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generate;
    use crate::random::{CaseKind, GeneratorOptions};

    #[test]
    fn what_is_written_is_read() {
        let generator_options = GeneratorOptions { interruption: 80, ..GeneratorOptions::default() };
        let mut kinds = [0; 3];
        for (seed, sort) in (0..200).zip([CaseKind::Good, CaseKind::Bad].into_iter().cycle()) {
            let case = generate(sort, seed, generator_options);
            let read = read(&write(&["a comment".to_owned()], &case)).unwrap();
            assert_eq!((read.bytes(), read.input_text()), (case.bytes(), case.input_text()));
            assert_eq!((read.limit, read.suspension), (case.limit, case.suspension));
            let holds = [matches!(case.limit, Limit::Within(_)), case.suspension.is_some(), case.limit == Limit::Open];
            kinds.iter_mut().zip(holds).for_each(|(count, holds)| *count += u32::from(holds));
        }
        assert!(kinds.iter().all(|count| *count > 10), "{kinds:?}");
    }

    #[test]
    fn bytes_that_are_no_utf8_stay() {
        let source = Source::Text(b"(car \xff)\n; caf\xe9".to_vec());
        let case = Case { seed: 0, source, input: Vec::new(), limit: Limit::Open, suspension: None };
        assert_eq!(read(&write(&["a\ncomment".to_owned()], &case)).unwrap(), case);
    }

    /// The error for a case with these lines before the program.
    fn refusal(lines: &[&str]) -> String {
        read(format!("{}\n; program:\n1", lines.join("\n")).as_bytes()).unwrap_err()
    }

    #[test]
    fn what_is_no_case_is_refused() {
        let (input, limit, suspended) = ("; input: 1", "; limit: none", "; suspended: no");
        assert!(read(format!("{input}\n{limit}\n{suspended}\n; program:\n1").as_bytes()).is_ok());
        assert_eq!(read(b"(+ 1 2)\n").unwrap_err(), "there is no line `; program:`");
        assert_eq!(refusal(&[limit, suspended]), "there is no line `; input:`");
        assert_eq!(refusal(&[input, suspended]), "there is no line `; limit:`");
        assert_eq!(refusal(&[input, limit]), "there is no line `; suspended:`");
        assert_eq!(refusal(&["; input: 1 one", limit, suspended]), "`; input: 1 one` is no input");
        for words in ["", "low", "7", "7 of 2^32 parts", "-1 of 2^32 parts of the steps that it needs", "open or none"]
        {
            let line = format!("; limit: {words}");
            assert_eq!(refusal(&[input, &line, suspended]), format!("`{line}` is no limit"));
        }
        for words in ["", "yes", "none", "choice 3", "by choice of", "by choice 3 or 4", "by choice -3", "no choice"] {
            let line = format!("; suspended: {words}");
            assert_eq!(refusal(&[input, limit, &line]), format!("`{line}` is no choice"));
        }
    }
}
