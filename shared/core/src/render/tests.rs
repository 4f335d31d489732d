//! Tests of rendered diagnostics.

use crate::diagnostic::{Diagnostic, Kind, PendingCall};
use crate::render::{MOST_DIAGNOSTICS, Style, render};
use crate::source::{SourceMap, Span};

/// Renders an error of kind `type` at the first place of `needle` in a program `p.vlad`.
fn at(text: &str, needle: &str) -> String {
    let start = text.find(needle).unwrap() as u32;
    over(text, start, start + needle.len() as u32)
}

/// Renders an error of kind `type` over a range of a program `p.vlad`.
fn over(text: &str, start: u32, end: u32) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add("p.vlad", "vlad", text);
    render(&[Diagnostic::new(Kind::Type, Span::new(file, start, end), "wrong")], &sources, Style::Plain)
}

fn check(rendered: &str, lines: &[&str]) {
    assert_eq!(rendered.lines().collect::<Vec<_>>(), lines, "\n{rendered}");
    assert!(rendered.ends_with('\n'));
}

#[test]
fn a_place_is_underlined() {
    let expected = ["error[type]: wrong", " --> p.vlad:2:6", "  |", "2 | (+ 1 (car x))", "  |      ^^^^^^^"];
    check(&at("; one\n(+ 1 (car x))\r\n", "(car x)"), &expected);
}

#[test]
fn an_error_without_a_place_is_its_message_and_hint() {
    let diagnostic = Diagnostic::new(Kind::File, None, "no such file").with_hint("look elsewhere");
    let rendered = render(&[diagnostic], &SourceMap::default(), Style::Plain);
    check(&rendered, &["error[file]: no such file", "  = hint: look elsewhere"]);
}

#[test]
fn a_place_of_no_file_is_no_place() {
    let mut sources = SourceMap::default();
    let file = sources.add("p", "vlad", "");
    let rendered =
        render(&[Diagnostic::new(Kind::Type, Span::new(file, 0, 0), "x")], &Default::default(), Style::Plain);
    check(&rendered, &["error[type]: x", " --> an unknown place"]);
}

#[test]
fn labels_have_lines_of_their_own() {
    let mut sources = SourceMap::default();
    let text = format!("(define f 1)\n{}(define f 2)", "\n".repeat(9));
    let file = sources.add("p.vlad", "vlad", text);
    let diagnostic = Diagnostic::new(Kind::Duplicate, Span::new(file, 30, 31), "`f` is defined twice")
        .with_label(Span::new(file, 8, 9), "the first definition")
        .with_hint("rename one");
    let expected = [
        "error[duplicate]: `f` is defined twice",
        "  --> p.vlad:11:9",
        "   |",
        "11 | (define f 2)",
        "   |         ^",
        "   = hint: rename one",
        "note: the first definition",
        "  --> p.vlad:1:9",
        "   |",
        " 1 | (define f 1)",
        "   |         ^",
    ];
    check(&render(&[diagnostic], &sources, Style::Plain), &expected);
}

#[test]
fn a_place_over_several_lines_is_underlined_to_the_end_of_the_first() {
    let expected = ["error[type]: wrong", " --> p.vlad:1:2", "  |", "1 |  (f  ; here", "  |  ^^^^^^^^^^ ... to line 3"];
    check(&at(" (f  ; here  \n  1\n  2)\n", "(f  ; here  \n  1\n  2)"), &expected);
}

#[test]
fn the_end_of_the_text_has_a_place() {
    check(&over("(f\n", 3, 3), &["error[type]: wrong", " --> p.vlad:2:1", "  |", "2 |", "  | ^"]);
    check(&over("(f", 2, 2), &["error[type]: wrong", " --> p.vlad:1:3", "  |", "1 | (f", "  |   ^"]);
    check(&over("(f\n", 2, 3), &["error[type]: wrong", " --> p.vlad:1:3", "  |", "1 | (f", "  |   ^"]);
    check(&over("", 0, 0), &["error[type]: wrong", " --> p.vlad:1:1", "  |", "1 |", "  | ^"]);
}

#[test]
fn offsets_that_are_off_do_no_harm() {
    assert!(over("λ", 1, 1).contains("1 | λ"));
    assert!(over("x", 7, 900).contains("^"));
    assert!(over("x", 1, 0).contains("^"));
}

#[test]
fn tabs_and_wide_characters_keep_the_underlining_in_place() {
    check(&at("\ta\tb", "b"), &["error[type]: wrong", " --> p.vlad:1:4", "  |", "1 |     a   b", "  |         ^"]);
    check(&at("(漢 x)", "x"), &["error[type]: wrong", " --> p.vlad:1:4", "  |", "1 | (漢 x)", "  |     ^"]);
    check(&at("(x 漢字)", "漢字"), &["error[type]: wrong", " --> p.vlad:1:4", "  |", "1 | (x 漢字)", "  |    ^^^^"]);
    check(&at("é\u{301} x", "x"), &["error[type]: wrong", " --> p.vlad:1:4", "  |", "1 | é\u{301} x", "  |   ^"]);
}

#[test]
fn what_a_terminal_would_obey_is_escaped() {
    let expected =
        ["error[type]: wrong", " --> p.vlad:1:5", "  |", "1 | \\0\\u{1b}\\u{202e} x", "  |                  ^"];
    check(&at("\0\u{1b}\u{202e} x", "x"), &expected);
    let diagnostic = Diagnostic::new(Kind::File, None, "no file \u{1b}[31m\n");
    let rendered = render(&[diagnostic], &SourceMap::default(), Style::Plain);
    check(&rendered, &["error[file]: no file \\u{1b}[31m\\n"]);
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let rendered = at(&format!("{}(car x){}", "a".repeat(200_000), "b".repeat(200_000)), "(car x)");
    assert!(rendered.len() < 500);
    let lines: Vec<&str> = rendered.lines().collect();
    assert_eq!(lines[1], " --> p.vlad:1:200001");
    assert!(lines[3].starts_with("1 | ...aaaa") && lines[3].ends_with("bbb..."), "{rendered}");
    assert_eq!(lines[3].find("(car x)"), lines[4].find("^^^^^^^"));
}

#[test]
fn long_places_and_marks_of_no_width_are_cut() {
    let rendered = over(&"x".repeat(100_000), 0, 100_000);
    assert!(rendered.len() < 500, "{rendered}");
    let rendered = over(&format!("x{}", "\u{301}".repeat(100_000)), 0, 200_001);
    assert!(rendered.chars().count() < 500);
    let rendered = over(&format!("x{}y", "\u{301}".repeat(100_000)), 200_001, 200_002);
    assert!(rendered.chars().count() < 500);
}

#[test]
fn long_messages_are_cut_in_the_middle() {
    let message = format!("`{}` is not defined", "x".repeat(1_000_000));
    let rendered = render(&[Diagnostic::new(Kind::Unbound, None, message)], &SourceMap::default(), Style::Plain);
    assert!(rendered.starts_with("error[unbound]: `xxx") && rendered.ends_with("xxx` is not defined\n"));
    assert!(rendered.len() < 500);
}

#[test]
fn of_many_errors_the_first_are_shown() {
    let all = vec![Diagnostic::new(Kind::File, None, "wrong"); MOST_DIAGNOSTICS + 5];
    let rendered = render(&all, &SourceMap::default(), Style::Plain);
    assert_eq!(rendered.matches("error[file]").count(), MOST_DIAGNOSTICS);
    assert!(rendered.ends_with("... and at least 5 more\n"));
}

#[test]
fn colours_are_escape_sequences_around_the_same_text() {
    let mut sources = SourceMap::default();
    let file = sources.add("p.vlad", "vlad", "(f x)");
    let diagnostic = Diagnostic::new(Kind::Type, Span::new(file, 3, 4), "wrong").with_hint("think");
    let coloured = render(std::slice::from_ref(&diagnostic), &sources, Style::Coloured);
    assert!(coloured.contains("\x1b[1;31merror[type]\x1b[0m"));
    let mut plain = String::new();
    for piece in coloured.split('\x1b') {
        plain.push_str(if piece.starts_with('[') { piece.split_once('m').unwrap().1 } else { piece });
    }
    assert_eq!(plain, render(&[diagnostic], &sources, Style::Plain));
}

/// Renders a chain in which the digits 0 to 9 are calls of `p0` to `p9`.
fn chain(calls: impl Iterator<Item = char>) -> Vec<String> {
    chain_with_gap(calls, 0)
}

/// Renders such a chain with calls left out in the middle.
fn chain_with_gap(calls: impl Iterator<Item = char>, elided_calls: u64) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("p.vlad", "vlad", "(a\n  ; 0\n  b)");
    let span = Span::new(file, 0, 13);
    let call = |digit| PendingCall { span, procedure: (digit != ' ').then(|| format!("p{digit}")) };
    let mut diagnostic = Diagnostic::new(Kind::Type, None, "wrong");
    diagnostic.chain = calls.map(call).collect();
    diagnostic.elided_calls = elided_calls;
    let rendered = render(&[diagnostic], &sources, Style::Plain);
    let mut lines = rendered.lines().map(str::to_owned);
    assert_eq!(lines.nth(1).unwrap(), "pending calls, innermost first:");
    lines.map(|line| line.trim().replace(" at p.vlad:1:1: (a ; 0 b)", "")).collect()
}

#[test]
fn short_chains_are_shown_whole() {
    assert_eq!(chain("12 ".chars()), ["in `p1`", "in `p2`", "at p.vlad:1:1: (a ; 0 b)"]);
    assert_eq!(chain("112233".chars()).len(), 6);
    assert_eq!(chain("123456789012".chars()).len(), 12);
}

#[test]
fn long_chains_are_folded_and_cut() {
    let deep = chain(std::iter::repeat_n('1', 1_000_000).chain("2 ".chars()));
    assert_eq!(deep, ["in `p1`", "... the last call again, 999999 times ...", "in `p2`", "at p.vlad:1:1: (a ; 0 b)"]);
    let mutual = chain("12".chars().cycle().take(1_000_000));
    assert_eq!(mutual, ["in `p1`", "in `p2`", "... the last 2 calls again, 499999 times ..."]);
    let twice = chain("12341234".chars());
    assert_eq!(twice, ["in `p1`", "in `p2`", "in `p3`", "in `p4`", "... the last 4 calls again, once ..."]);
    let irregular: Vec<char> = (0..1000).flat_map(|i| ['3', '4'].repeat(i % 7).into_iter().chain(['5', '6'])).collect();
    assert!(chain(irregular.into_iter()).len() < 60);
    let different = chain("0123456789".chars().chain("0246813579".chars()));
    assert_eq!(different[7..9], ["in `p7`", "... 9 more ..."]);
    assert_eq!(different.len(), 12);
}

#[test]
fn calls_left_out_by_the_engine_are_counted() {
    let top = "at p.vlad:1:1: (a ; 0 b)";
    let deep = chain_with_gap(std::iter::repeat_n('1', 99).chain(" ".chars()), 900);
    assert_eq!(deep, ["in `p1`", "... 997 more ...", "in `p1`", top]);
    let mixed = chain_with_gap("0123456789".chars().chain("9876543210".chars()), 5);
    assert_eq!(mixed[7..10], ["in `p7`", "... 14 more ...", "in `p2`"]);
    assert_eq!(chain_with_gap("12".chars(), 1), ["in `p1`", "... 1 more ...", "in `p2`"]);
}
