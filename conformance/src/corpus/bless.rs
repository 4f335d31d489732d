//! Rewriting the expected output of a case to what an engine printed.
//!
//! Invariant: lines that agree stay as they are written, so values derived to more digits or in another notation
//! survive. Expected errors, steps and everything else of the case are left alone.

use super::case::Case;
use super::check::line_agrees;

/// The environment variable that asks for it.
pub const VARIABLE: &str = "VLAD_BLESS";

/// Returns true if the user asks for blessing.
pub fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
}

/// The text of a case with its `expect` and `exact` lines made to agree with the output: lines that differ are
/// replaced, lines without output removed, and further output is added after the last expected line, or at the end of
/// the text.
pub fn blessed(text: &str, case: &Case, output: &[String]) -> String {
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    for (number, expected) in case.output.iter().enumerate() {
        let Some(place) = lines.get_mut(expected.at) else { continue };
        match output.get(number) {
            Some(actual) if line_agrees(expected, actual) => {}
            Some(actual) => {
                let says = place.as_deref().and_then(|line| case.comment.content(line));
                let keyword = says.and_then(|says| says.split_once(':')).map_or("expect", |(keyword, _)| keyword);
                *place = Some(case.comment.line(&format!("{keyword}: {actual}")));
            }
            None => *place = None,
        }
    }
    let line = |actual: &String| case.comment.line(&format!("expect: {actual}"));
    let added = output.iter().skip(case.output.len()).map(|actual| Some(line(actual)));
    let end = case.output.last().map_or(lines.len(), |last| last.at + 1);
    lines.splice(end..end, added);
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::case::parse;
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    fn check(text: &str, output: &[&str], expected: &str) {
        let output: Vec<String> = output.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(blessed(text, &parse(text, Vlad.comment()).unwrap(), &output), expected);
    }

    #[test]
    fn lines_that_differ_are_replaced() {
        check("1 2\n;; expect: 1\n;; exact: 3\n(f)\n", &["1", "2"], "1 2\n;; expect: 1\n;; exact: 2\n(f)\n");
    }

    #[test]
    fn lines_that_agree_keep_their_notation() {
        check("0.5\n;; expect: 5e-1\n", &["0.5"], "0.5\n;; expect: 5e-1\n");
    }

    #[test]
    fn lines_are_added_and_removed() {
        check("1 2\n;; expect: 1\n(f)\n", &["1", "2"], "1 2\n;; expect: 1\n;; expect: 2\n(f)\n");
        check("1\n;; expect: 1\n;; expect: 2\n", &["1"], "1\n;; expect: 1\n");
        check(
            "1 (car 1)\n;; error: type 1:3-1:10 car\n",
            &["1"],
            "1 (car 1)\n;; error: type 1:3-1:10 car\n;; expect: 1\n",
        );
    }
}
