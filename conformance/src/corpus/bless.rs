//! Rewriting the expected output of a case to what an engine printed, and the words of expected errors.
//!
//! Invariant: lines that agree stay as they are written, so values derived to more digits or in another notation
//! survive. The kinds and places of errors, steps and everything else of the case are left alone.

use super::case::{Case, ExpectedError};
use super::check::line_agrees;
use super::errors::{hint_agrees, message_agrees, message_line};
use vlad_shared::core::diagnostic::Diagnostic;

/// The environment variable that asks for it.
pub const VARIABLE: &str = "VLAD_BLESS";

/// Returns true if the user asks for blessing.
pub fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
}

/// The text of a case with its `expect` and `exact` lines made to agree with the output: lines that differ are
/// replaced, lines without output removed, and further output is added after the last expected line, or at the end of
/// the text. Of errors that differ in words alone, the `error` and `hint` lines get the new words.
pub fn blessed(text: &str, case: &Case, output: &[String], reworded: &[(&ExpectedError, &Diagnostic)]) -> String {
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    for (expected, actual) in reworded {
        reword(&mut lines, case, expected, actual);
    }
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

/// Writes the words of an error into the lines of the one that is expected, if these differ from it.
fn reword(lines: &mut [Option<String>], case: &Case, expected: &ExpectedError, actual: &Diagnostic) {
    let content = |line: &Option<String>| Some(case.comment.content(line.as_deref()?)?.trim().to_owned());
    let mut own = lines.iter_mut().skip(expected.at);
    let Some(line) = own.next() else { return };
    if !message_agrees(expected, actual)
        && let Some(before) = content(line).as_deref().and_then(|says| says.strip_suffix(&expected.message))
    {
        *line = Some(case.comment.line(&format!("{before}{}", message_line(actual))));
    }
    let is_hint = |line: &&mut Option<String>| content(line).is_some_and(|says| says.starts_with("hint:"));
    if !hint_agrees(expected, actual)
        && let Some(line) = own.find(is_hint)
    {
        *line = actual.hint.as_ref().map(|hint| case.comment.line(&format!("hint: {hint}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::case::parse;
    use crate::corpus::check::setting;
    use crate::corpus::errors::reworded;
    use crate::observe::observe;
    use std::path::Path;
    use vlad_engines::Engine;
    use vlad_shared::frontend::load::Input;
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    fn check(text: &str, output: &[&str], expected: &str) {
        let output: Vec<String> = output.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(blessed(text, &parse(text, Vlad.comment()).unwrap(), &output, &[]), expected);
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

    #[test]
    fn errors_of_the_same_kind_and_place_get_the_words() {
        let rewritten = |text: &str| {
            let case = parse(text, Vlad.comment()).unwrap();
            let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
            let observation = observe(Engine::Interp, input, &setting(&case, Path::new(".")));
            blessed(text, &case, &observation.output, &reworded(&case, &observation, "program"))
        };
        let right = "(car 1)\n;; error: type 1:1-1:8 `car` expects a pair, found 1\n";
        let wrong = "(car 1)\n;; error: type 1:1-1:8 `car` wants pairs\n;; hint: (list 1)\n";
        assert_eq!(rewritten(wrong), right);
        let part = "(car 1)\n;; error: type 1:1-1:8 expects a pair\n";
        assert_eq!(rewritten(&format!("{part};; hint: (list 1)\n")), part);
        for elsewhere in
            ["(car 1)\n;; error: type 1:2-1:8 `car` wants\n", "(car 1)\n;; error: raised 1:1-1:8 `car` wants\n"]
        {
            assert_eq!(rewritten(elsewhere), elsewhere);
        }
    }
}
